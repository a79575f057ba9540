//! What is executed how often, and on which machine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use call_grammar::{Span, counted, suggest};

use super::ProgramError;
use super::instance::{Done, Execution, MOST_STATEMENTS, Making, chosen, too_long};
use super::scope::VariableScope;
use super::syntax::{Advance, Binary, ProgramExpression, StatementBlock, Unary};
use super::varying::Varying;
use crate::obsp::{Task, TaskStep};

impl Execution<'_> {
    pub(super) fn branch(
        &mut self,
        condition: &ProgramExpression,
        then: &StatementBlock,
        otherwise: Option<&StatementBlock>,
        making: &mut Making,
    ) -> Done<()> {
        let span = condition.span;
        let condition = self.resolve(condition, making)?;
        if let Some(holds) = condition.uniform() {
            if holds.is_nan() {
                return Err(ProgramError::new(span, "the condition is not a number (NaN)")
                    .help("look at what is divided by 0, and at `^` and `&` of what is no whole number"));
            }
            let block = if holds != 0.0 { Some(then) } else { otherwise };
            return block.map_or(Ok(()), |block| self.block(block, making));
        }
        let outer = making.condition.clone();
        let both = |condition: Rc<Varying>| match &outer {
            None => condition,
            Some(outer) => Rc::new(Varying::Binary(Binary::And, Rc::clone(outer), condition)),
        };
        let before: BTreeSet<String> = making.scope.variables.keys().cloned().collect();
        let processors = making.scope.processors;
        making.condition = Some(self.shortened(both(Rc::clone(&condition)), processors, span)?);
        self.block(then, making)?;
        let in_then = making.scope.take_new(&before);
        if let Some(otherwise) = otherwise {
            let not = Rc::new(Varying::Unary(Unary::Not, Rc::clone(&condition)));
            making.condition = Some(self.shortened(both(not), processors, span)?);
            self.block(otherwise, making)?;
        }
        let in_otherwise = making.scope.take_new(&before);
        making.condition = outer;
        // Of what only one block gives a value, the processors of the other one have none.
        let nothing = Varying::number(f64::NAN);
        for name in in_then.keys().chain(in_otherwise.keys()) {
            let value =
                |block: &BTreeMap<String, Rc<Varying>>| Rc::clone(block.get(name).unwrap_or(&nothing));
            let value = chosen(Some(&condition), &value(&in_then), &value(&in_otherwise));
            let value = self.shortened(value, processors, span)?;
            making.scope.variables.insert(name.clone(), value);
        }
        Ok(())
    }

    pub(super) fn repeat(
        &mut self,
        variable: &str,
        (first, last_place): (&ProgramExpression, &ProgramExpression),
        advance: &Advance,
        body: &StatementBlock,
        making: &mut Making,
    ) -> Done<()> {
        let first = self.uniform(first, making, "the start of a loop")?;
        let last = self.uniform(last_place, making, "the end of a loop")?;
        let (advance, span) = match advance {
            Advance::By(step) => (Going::By(self.uniform(step, making, "the step of a loop")?), step.span),
            Advance::Times(factor) => {
                (Going::Times(self.uniform(factor, making, "the factor of a loop")?), factor.span)
            }
            Advance::Counted if last >= 0.0 && last.fract() == 0.0 => (Going::By(1.0), last_place.span),
            Advance::Counted => {
                return Err(ProgramError::new(last_place.span, format!("nothing is repeated {last} times"))
                    .help("the number is a whole one, at least 0; `floor(…)` rounds down"));
            }
        };
        let wrong = |message: &str| ProgramError::new(span, message);
        let rounds = advance.rounds(first, last).map_err(wrong)?;
        if rounds > (MOST_STATEMENTS - self.statements) as f64 {
            return Err(too_long(span));
        }
        let before = making.scope.variables.get(variable).cloned();
        for round in 0..rounds as i32 {
            let value = advance.value((first, last), round);
            making.scope.variables.insert(variable.to_owned(), Varying::number(value));
            self.count(span)?;
            self.block(body, making)?;
        }
        // The processors that have not done the loop keep what they had.
        let after = making.scope.variables.get(variable);
        if let (Some(before), Some(after), Some(_)) = (before, after, &making.condition) {
            let value = chosen(making.condition.as_ref(), after, &before);
            let value = self.shortened(value, making.scope.processors, span)?;
            making.scope.variables.insert(variable.to_owned(), value);
        }
        Ok(())
    }

    pub(super) fn partition(
        &mut self,
        parts: &[(ProgramExpression, StatementBlock)],
        span: Span,
        making: &mut Making,
    ) -> Done<()> {
        self.check_all(making, span, "a partition is made by all processors of its machine")?;
        let processors = making.scope.processors;
        let mut made = Vec::with_capacity(parts.len());
        let mut first = 0;
        for (part, (size, block)) in parts.iter().enumerate() {
            let count = self.uniform(size, making, "the number of processors of a part")?;
            let left = processors - first;
            if count.fract() != 0.0 || !(1.0..=f64::from(left)).contains(&count) {
                let message = format!("a part has {count} processors, where {left} of {processors} are left");
                return Err(ProgramError::new(size.span, message)
                    .help("it must be a whole number, at least 1; `floor(…)` rounds down"));
            }
            let count = count as u32;
            let mut scope = making.scope.of_part(count, first);
            scope.variables.remove("part");
            if names_part(block) {
                scope.variables.insert("part".to_owned(), Varying::number(part as f64));
            }
            made.push(self.part(block, scope)?);
            first += count;
        }
        if first != processors {
            let message = format!("the parts have {first} processors together, the machine has {processors}");
            return Err(ProgramError::new(span, message));
        }
        making.steps.push(TaskStep::Parts(made));
        Ok(())
    }

    /// The task of a part; parts that do the same share it.
    pub(super) fn part(&mut self, block: &StatementBlock, scope: VariableScope) -> Done<Rc<Task>> {
        let key = scope.uniform().map(|variables| (block.number, scope.processors, variables));
        if let Some(known) = key.as_ref().and_then(|key| self.parts.get(key)) {
            return Ok(Rc::clone(known));
        }
        let task = self.task(block, scope)?;
        if let Some(key) = key {
            self.parts.insert(key, Rc::clone(&task));
        }
        Ok(task)
    }

    pub(super) fn call(
        &mut self,
        name: &str,
        span: Span,
        arguments: &[ProgramExpression],
        making: &mut Making,
    ) -> Done<()> {
        let procedures = &self.program.procedures;
        let Some(procedure) = procedures.iter().find(|procedure| procedure.name == name) else {
            let names = procedures.iter().map(|procedure| procedure.name.as_str());
            return Err(ProgramError::new(span, format!("there is no task `{name}`"))
                .suggesting(suggest(name, names), "write `task NAME(VARIABLES) { … }`"));
        };
        if procedure.parameters.len() != arguments.len() {
            let (takes, given) = (counted(procedure.parameters.len(), "value"), arguments.len());
            return Err(ProgramError::new(span, format!("`{name}` takes {takes}, not {given}")));
        }
        let mut scope = VariableScope::new(making.scope.processors);
        for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
            let value = self.resolve(argument, making)?;
            let value = self.shortened(value, making.scope.processors, argument.span)?;
            scope.variables.insert(parameter.clone(), value);
        }
        let outside = std::mem::replace(&mut making.scope, scope);
        let done = self.block(&procedure.body, making);
        making.scope = outside;
        done
    }
}

/// How the variable of a loop goes on, in numbers.
#[derive(Clone, Copy)]
enum Going {
    By(f64),
    Times(f64),
}

impl Going {
    /// How many values there are from the first to the last.
    fn rounds(self, first: f64, last: f64) -> Result<f64, &'static str> {
        if !(first.is_finite() && last.is_finite()) {
            return Err("the start or the end of this loop is no finite number");
        }
        let steps = match self {
            Going::By(step) if step == 0.0 || !step.is_finite() => {
                return Err("the step of a loop is a number other than 0");
            }
            Going::By(step) => (last - first) / step,
            Going::Times(factor) if !(factor > 0.0 && factor != 1.0 && factor.is_finite()) => {
                return Err("the factor of a loop is above 0, and not 1");
            }
            Going::Times(_) if first <= 0.0 => return Err("a loop with `times` starts above 0"),
            Going::Times(factor) if last <= 0.0 => {
                return if factor > 1.0 {
                    Ok(0.0)
                } else {
                    Err("this loop does not end: it never comes to 0")
                };
            }
            Going::Times(factor) => (last / first).ln() / factor.ln(),
        };
        // 3 steps of 0.1 lead to 0.3, though not in binary.
        let rounding = 1e-12 * (1.0 + steps.abs());
        Ok((steps + rounding).floor().max(-1.0) + 1.0)
    }

    fn value(self, (first, last): (f64, f64), round: i32) -> f64 {
        let value = match self {
            Going::By(step) => first + f64::from(round) * step,
            Going::Times(factor) => first * factor.powi(round),
        };
        value.clamp(first.min(last), first.max(last))
    }
}

/// Whether a block speaks of the number of its part.
fn names_part(block: &StatementBlock) -> bool {
    let mut found = false;
    block.expressions(&mut |expression| expression.names(&mut |name| found |= name == "part"));
    found
}
