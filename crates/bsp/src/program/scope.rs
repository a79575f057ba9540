//! Names and expressions of a program where it is executed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use call_grammar::{quoted, suggest};

use super::syntax::{ExpressionKind, ProgramExpression};
use super::varying::{NamedFunction, NumberSources, Varying};
use super::{CostModel, ExperimentQuery, ProgramError};
use crate::obsp::Exact;

/// The variables of a procedure on a machine.
#[derive(Debug, Clone)]
pub struct VariableScope {
    pub processors: u32,
    pub variables: BTreeMap<String, Rc<Varying>>,
}

impl VariableScope {
    pub fn new(processors: u32) -> VariableScope {
        VariableScope { processors, variables: BTreeMap::new() }
    }

    fn variable(&self, name: &str) -> Option<Rc<Varying>> {
        match name {
            "P" => Some(Varying::number(f64::from(self.processors))),
            "pid" => Some(Rc::new(Varying::Processor(0))),
            _ => self.variables.get(name).cloned(),
        }
    }

    /// The variables of a part whose first processor is `first`.
    pub fn of_part(&self, processors: u32, first: u32) -> VariableScope {
        let variables = self.variables.iter().map(|(name, value)| (name.clone(), value.of_part(first)));
        VariableScope { processors, variables: variables.collect() }
    }

    /// Takes the variables away that were not there before.
    pub fn take_new(&mut self, before: &BTreeSet<String>) -> BTreeMap<String, Rc<Varying>> {
        let (old, new) =
            std::mem::take(&mut self.variables).into_iter().partition(|(name, _)| before.contains(name));
        self.variables = old;
        new
    }

    /// All variables with their values, if all of them are the same for all processors.
    pub fn uniform(&self) -> Option<Vec<(String, Exact)>> {
        let variables = self.variables.iter();
        variables.map(|(name, value)| Some((name.clone(), Exact(value.uniform()?)))).collect()
    }
}

/// The value of an expression; numbers are computed as far as they are known.
pub fn resolve(
    expression: &ProgramExpression,
    scope: &VariableScope,
    sources: NumberSources,
    is_communication: bool,
) -> Result<Rc<Varying>, ProgramError> {
    let costs = sources.costs;
    let inside = |expression: &ProgramExpression| resolve(expression, scope, sources, is_communication);
    let what = |constant| ExperimentQuery { constant, is_communication, processors: scope.processors };
    let varying = match &expression.kind {
        ExpressionKind::Number(value) => Varying::Number(Exact(*value)),
        ExpressionKind::Name(name) => match scope.variable(name) {
            Some(value) => return Ok(value),
            None => experiment(expression, name, what(None), &[], scope, costs)?,
        },
        ExpressionKind::Constant(name, index) => {
            experiment(expression, name, what(Some(*index)), &[], scope, costs)?
        }
        ExpressionKind::Experiment(name, values) => {
            let values: Vec<(&str, Rc<Varying>)> = values
                .iter()
                .map(|(name, value)| Ok((name.as_str(), inside(value)?)))
                .collect::<Result<_, ProgramError>>()?;
            experiment(expression, name, what(None), &values, scope, costs)?
        }
        ExpressionKind::Function(function, arguments) => {
            let arguments: Rc<[Rc<Varying>]> = arguments.iter().map(inside).collect::<Result<_, _>>()?;
            Varying::Function(NamedFunction(*function), arguments)
        }
        ExpressionKind::Unary(operator, operand) => Varying::Unary(*operator, inside(operand)?),
        ExpressionKind::Binary(operator, left, right) => {
            Varying::Binary(*operator, inside(left)?, inside(right)?)
        }
    };
    Ok(folded(varying, sources))
}

/// A number, if all numbers in it are known.
fn folded(varying: Varying, sources: NumberSources) -> Rc<Varying> {
    let is_number = |part: &Rc<Varying>| part.uniform().is_some();
    let is_known = match &varying {
        Varying::Unary(_, inside) => is_number(inside),
        Varying::Binary(_, left, right) => is_number(left) && is_number(right),
        Varying::Function(_, parts) | Varying::Experiment(_, _, parts) => parts.iter().all(is_number),
        _ => false,
    };
    match is_known.then(|| varying.over(0, 0, sources)).flatten() {
        Some(value) => Varying::number(value),
        None => Rc::new(varying),
    }
}

fn experiment(
    expression: &ProgramExpression,
    name: &str,
    what: ExperimentQuery,
    given: &[(&str, Rc<Varying>)],
    scope: &VariableScope,
    costs: &dyn CostModel,
) -> Result<Varying, ProgramError> {
    let Some(variables) = costs.variables(name) else {
        let known = costs.experiments();
        if let Some(cure) = costs.cure(name) {
            let message = format!("experiment `{name}` has no formula");
            return Err(ProgramError::new(expression.span, message).help(cure));
        }
        if name == "h" {
            return Err(ProgramError::new(expression.span, "the h-relation `h` is not known here")
                .help("it is known behind `costs`"));
        }
        if name == "part" {
            return Err(ProgramError::new(expression.span, "the number of the part is not known here")
                .help("it is known in a `partition`; a task gets it as a value"));
        }
        let names = scope.variables.keys().chain(&known).map(String::as_str).chain(["P", "pid"]);
        return Err(ProgramError::new(
            expression.span,
            format!("`{name}` is neither a variable here nor an experiment"),
        )
        .suggesting(
            suggest(name, names),
            "a variable gets its value by `NAME = …`; experiments are loaded from traces",
        ));
    };
    if let Some(unit) = costs.other_unit(name) {
        let message = format!("`{name}` is measured in {unit}, and costs are times");
        return Err(ProgramError::new(expression.span, message).help("use experiments that measure times"));
    }
    if let Some((extra, _)) = given.iter().find(|(extra, _)| !variables.iter().any(|known| known == extra)) {
        let error = ProgramError::new(expression.span, format!("`{name}` has no variable `{extra}`"));
        let names = variables.iter().map(String::as_str);
        return Err(error.suggesting(suggest(extra, names), format!("it has {}", quoted(&variables))));
    }
    let point: Rc<[Rc<Varying>]> = variables
        .iter()
        .map(|variable| {
            let value = given.iter().find(|(name, _)| name == variable).map(|(_, value)| Rc::clone(value));
            let of_machine = || costs.machine_number(name, variable, scope.processors).map(Varying::number);
            value.or_else(|| scope.variable(variable)).or_else(of_machine).ok_or_else(|| {
                ProgramError::new(expression.span, format!("`{name}` needs a value of `{variable}`"))
                    .help(format!("write `{variable} = …` before, or `{name}({variable} = …)`"))
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(Varying::Experiment(name.into(), what, point))
}
