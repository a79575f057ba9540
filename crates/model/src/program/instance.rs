//! Executes a program for its arguments: the result is the task of each machine.

use std::collections::HashMap;
use std::rc::Rc;

use call_grammar::{Span, suggest};

use super::scope::{Scope, resolve};
use super::send::target;
use super::syntax::{Advance, Binary, Block, Expression, Statement, StatementKind, To, Unary};
use super::varying::{Exact, Varying};
use super::{Costs, Program, ProgramError};
use crate::obsp::{
    Cost, Exchanged, InOut, NONE, Part, Profile, Profiles, Send, Step, Synchronisation, Target, Task, Waits,
};

/// A program with its arguments, on a number of processors.
#[derive(Debug)]
pub struct Instance {
    /// Where the numbers of processors are kept.
    pub profiles: Profiles,
    /// What the machine does; cost centres are positions in [`Program::centres`].
    pub task: Rc<Task>,
}

/// Deeper blocks in blocks, with those of the tasks that are called, are refused, so that recursion needs little stack.
const DEEPEST: usize = 200;

/// A program that does more statements than this has a loop without end, or nobody waits for it.
const MOST_STATEMENTS: usize = 20_000_000;

type Done<T> = Result<T, ProgramError>;

impl Program {
    /// The task of `processors` processors for these arguments.
    ///
    /// `in_out` is the operation `@` by which `h` in `costs` is counted; [`evaluate`](crate::obsp::evaluate) wants the same.
    ///
    /// # Errors
    /// The first statement that cannot be done, with its place.
    pub fn instance(
        &self,
        arguments: &[(String, f64)],
        processors: u32,
        costs: &dyn Costs,
        in_out: InOut,
    ) -> Done<Instance> {
        let main = &self.procedures[self.main];
        let mut scope = Scope::new(processors);
        for parameter in &main.parameters {
            let Some((_, value)) = arguments.iter().find(|(name, _)| name == parameter) else {
                let message = format!("`{}` needs a value of `{parameter}`", main.name);
                return Err(ProgramError::new(main.name_span, message));
            };
            scope.variables.insert(parameter.clone(), Varying::number(*value));
        }
        if let Some((extra, _)) = arguments.iter().find(|(name, _)| !main.parameters.contains(name)) {
            let error =
                ProgramError::new(main.name_span, format!("`{}` has no variable `{extra}`", main.name));
            let suggestion = suggest(extra, main.parameters.iter().map(String::as_str));
            return Err(error.suggesting(suggestion, format!("it has {}", main.parameters.join(", "))));
        }
        let mut execution = Execution {
            program: self,
            costs,
            in_out,
            profiles: Profiles::new(),
            parts: HashMap::new(),
            tabulated: HashMap::new(),
            statements: 0,
            depth: 0,
        };
        let task = execution.task(&main.body, scope)?;
        Ok(Instance { profiles: execution.profiles, task })
    }
}

/// What parts are known by: block, processors, variables.
type PartKey = (usize, u32, Vec<(String, Exact)>);

pub(super) struct Execution<'a> {
    program: &'a Program,
    costs: &'a dyn Costs,
    in_out: InOut,
    pub(super) profiles: Profiles,
    parts: HashMap<PartKey, Rc<Task>>,
    tabulated: HashMap<(Rc<Varying>, u32), Profile>,
    statements: usize,
    depth: usize,
}

/// A machine's task as far as it is made.
struct Making {
    scope: Scope,
    steps: Vec<Step>,
    /// Of the superstep that has begun.
    sends: Vec<Send>,
    exchanged: Option<Exchanged>,
    /// The last statement that sends.
    sent: Option<Span>,
    /// The processors that execute the statements; `None` if all do.
    condition: Option<Rc<Varying>>,
}

impl Execution<'_> {
    fn task(&mut self, body: &Block, scope: Scope) -> Done<Rc<Task>> {
        let processors = scope.processors;
        let mut making = Making {
            scope,
            steps: Vec::new(),
            sends: Vec::new(),
            exchanged: None,
            sent: None,
            condition: None,
        };
        self.block(body, &mut making)?;
        if let Some(span) = making.sent {
            return Err(ProgramError::new(span, "what is sent here is never received")
                .help("a superstep with messages ends with `sync` or `oblsync`"));
        }
        Ok(Rc::new(Task { processors, steps: making.steps }))
    }

    fn block(&mut self, block: &Block, making: &mut Making) -> Done<()> {
        if self.depth == DEEPEST {
            let span = block.statements.first().map_or(Span::new(0, 0), |statement| statement.span);
            return Err(ProgramError::new(span, format!("this is {DEEPEST} blocks deep"))
                .help("a recursion needs an `if` that ends it, such as `if P > 1 {`"));
        }
        self.depth += 1;
        let done = block.statements.iter().try_for_each(|statement| self.statement(statement, making));
        self.depth -= 1;
        done
    }

    fn resolve(&self, expression: &Expression, making: &Making) -> Done<Rc<Varying>> {
        resolve(expression, &making.scope, self.costs, false)
    }

    /// The value of an expression that is the same for all processors.
    fn uniform(&self, expression: &Expression, making: &Making, what: &str) -> Done<f64> {
        let value = self.resolve(expression, making)?.uniform();
        value.ok_or_else(|| {
            ProgramError::new(
                expression.span,
                format!("{what} must be the same for all processors, but depends on `pid`"),
            )
        })
    }

    /// The numbers of all processors.
    pub(super) fn profile(&mut self, value: &Rc<Varying>, processors: u32) -> Profile {
        if let Some(value) = value.uniform() {
            return self.profiles.same(value);
        }
        let key = (Rc::clone(value), processors);
        if let Some(known) = self.tabulated.get(&key) {
            return *known;
        }
        let costs = self.costs;
        let made = self.profiles.of_ranges(processors, &mut |first, last| value.over(first, last, costs));
        self.tabulated.insert(key, made);
        made
    }

    /// Times or bytes of all processors, of those that execute a statement; `others` is the number of the rest.
    fn amounts(
        &mut self,
        expression: &Expression,
        making: &Making,
        others: f64,
        what: &str,
    ) -> Done<Profile> {
        let value = self.resolve(expression, making)?;
        let value = chosen(making.condition.as_ref(), &value, &Varying::number(others));
        let amounts = self.profile(&value, making.scope.processors);
        self.check_amounts(amounts, expression, what)?;
        Ok(amounts)
    }

    fn check_amounts(&self, amounts: Profile, expression: &Expression, what: &str) -> Done<()> {
        let wrong = |amount: f64| amount != NONE && !(amount.is_finite() && amount >= 0.0);
        match self.profiles.first_that(amounts, wrong) {
            Some(amount) => Err(ProgramError::new(
                expression.span,
                format!("{what} is {amount}; it must be a number that is not negative"),
            )),
            None => Ok(()),
        }
    }

    fn statement(&mut self, statement: &Statement, making: &mut Making) -> Done<()> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            let message = format!("the program has done {MOST_STATEMENTS} statements and is not at its end");
            return Err(ProgramError::new(statement.span, message).help("look at the bounds of its loops"));
        }
        let span = statement.span;
        // Each kind in a function of its own: what recursion has on the stack is small.
        match &statement.kind {
            StatementKind::Assign { name, value } => self.assign(name, value, making),
            StatementKind::Compute { time, centre } => self.compute(time, *centre, making),
            StatementKind::Send { bytes, to } => self.send(bytes, to, span, making),
            StatementKind::Relation { bytes } => self.relation(bytes, span, making),
            StatementKind::Synchronise { is_barrier, costs, centre } => {
                self.synchronise(*is_barrier, costs.as_ref(), (*centre, span), making)
            }
            StatementKind::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise.as_ref(), making)
            }
            StatementKind::For { variable, first, last, advance, body } => {
                self.repeat(variable, (first, last), advance, body, making)
            }
            StatementKind::Partition(parts) => self.partition(parts, span, making),
            StatementKind::Call { procedure, name_span, arguments } => {
                self.call(procedure, *name_span, arguments, making)
            }
            StatementKind::Several(statements) => {
                statements.iter().try_for_each(|statement| self.statement(statement, making))
            }
        }
    }

    fn assign(&mut self, name: &str, value: &Expression, making: &mut Making) -> Done<()> {
        let mut value = self.resolve(value, making)?;
        if let (Some(_), Some(before)) = (&making.condition, making.scope.variables.get(name)) {
            value = chosen(making.condition.as_ref(), &value, before);
        }
        making.scope.variables.insert(name.to_owned(), value);
        Ok(())
    }

    fn compute(&mut self, time: &Expression, centre: usize, making: &mut Making) -> Done<()> {
        let time_s = self.amounts(time, making, 0.0, "the time")?;
        making.steps.push(Step::Compute { time_s, centre });
        Ok(())
    }

    fn send(&mut self, bytes: &Expression, to: &To, span: Span, making: &mut Making) -> Done<()> {
        let bytes = self.amounts(bytes, making, NONE, "the length of the message")?;
        making.sent = Some(span);
        let target = match to {
            To::All => Target::All,
            To::Processor(to) => {
                let value = self.resolve(to, making)?;
                target(self, &value, bytes, making.scope.processors, to.span)?
            }
        };
        making.sends.push(Send { bytes, target });
        Ok(())
    }

    fn relation(&mut self, bytes: &Expression, span: Span, making: &mut Making) -> Done<()> {
        let more = self.amounts(bytes, making, 0.0, "the h-relation")?;
        making.sent = Some(span);
        let zero = self.profiles.same(0.0);
        let sum = making.exchanged.unwrap_or(Exchanged { in_bytes: zero, out_bytes: zero });
        making.exchanged = Some(Exchanged {
            in_bytes: self.profiles.add(sum.in_bytes, more),
            out_bytes: self.profiles.add(sum.out_bytes, more),
        });
        Ok(())
    }

    fn check_all(&self, making: &Making, span: Span, rule: &str) -> Done<()> {
        match making.condition {
            None => Ok(()),
            Some(_) => Err(ProgramError::new(span, "this stands in a condition on `pid`")
                .help(format!("{rule}: put only `compute`, `send` and assignments into the condition"))),
        }
    }

    fn synchronise(
        &mut self,
        is_barrier: bool,
        costs: Option<&Expression>,
        (centre, span): (usize, Span),
        making: &mut Making,
    ) -> Done<()> {
        self.check_all(making, span, "a superstep ends for all processors of its machine")?;
        let processors = making.scope.processors;
        let nothing = self.profiles.same(0.0);
        let mut synchronisation = Synchronisation {
            waits: if is_barrier { Waits::Barrier } else { Waits::Oblivious },
            sends: std::mem::take(&mut making.sends),
            exchanged: making.exchanged.take(),
            cost: Cost::Given(nothing),
            centre,
        };
        making.sent = None;
        synchronisation.cost = match (costs, self.costs.network(processors)) {
            (Some(expression), _) => {
                let mut scope = making.scope.clone();
                let mut names_h = false;
                expression.names(&mut |name| names_h |= name == "h");
                if names_h && !scope.variables.contains_key("h") {
                    let h = synchronisation.h_relation(&mut self.profiles, processors, self.in_out);
                    scope.variables.insert("h".to_owned(), self.table(h, processors));
                }
                let value = resolve(expression, &scope, self.costs, true)?;
                let time_s = self.profile(&value, processors);
                self.check_amounts(time_s, expression, "the cost of the communication")?;
                Cost::Given(time_s)
            }
            (None, Some((g_s_per_byte, latency_s))) => Cost::Linear { g_s_per_byte, latency_s },
            (None, None) => {
                return Err(ProgramError::new(span, "what does this communication cost?")
                    .help("write `costs …` behind it, give g and L, or use a machine of the database"));
            }
        };
        making.steps.push(Step::Synchronise(synchronisation));
        Ok(())
    }

    /// The numbers of a profile as an expression.
    fn table(&self, profile: Profile, processors: u32) -> Rc<Varying> {
        match self.profiles.uniform(profile) {
            Some(value) => Varying::number(value),
            None => {
                let values = self.profiles.values(profile, processors);
                Rc::new(Varying::Table(values.into_iter().map(Exact).collect(), 0))
            }
        }
    }

    fn branch(
        &mut self,
        condition: &Expression,
        then: &Block,
        otherwise: Option<&Block>,
        making: &mut Making,
    ) -> Done<()> {
        let condition = self.resolve(condition, making)?;
        if let Some(holds) = condition.uniform() {
            let block = if holds != 0.0 { Some(then) } else { otherwise };
            return block.map_or(Ok(()), |block| self.block(block, making));
        }
        let outer = making.condition.clone();
        let both = |condition: Rc<Varying>| match &outer {
            None => condition,
            Some(outer) => Rc::new(Varying::Binary(Binary::And, Rc::clone(outer), condition)),
        };
        making.condition = Some(both(Rc::clone(&condition)));
        self.block(then, making)?;
        if let Some(otherwise) = otherwise {
            making.condition = Some(both(Rc::new(Varying::Unary(Unary::Not, condition))));
            self.block(otherwise, making)?;
        }
        making.condition = outer;
        Ok(())
    }

    fn repeat(
        &mut self,
        variable: &str,
        (first, last): (&Expression, &Expression),
        advance: &Advance,
        body: &Block,
        making: &mut Making,
    ) -> Done<()> {
        let first = self.uniform(first, making, "the start of a loop")?;
        let last = self.uniform(last, making, "the end of a loop")?;
        let (amount, is_factor) = match advance {
            Advance::By(step) => (self.uniform(step, making, "the step of a loop")?, false),
            Advance::Times(factor) => (self.uniform(factor, making, "the factor of a loop")?, true),
        };
        let span = match advance {
            Advance::By(expression) | Advance::Times(expression) => expression.span,
        };
        let is_up = if is_factor { amount > 1.0 } else { amount > 0.0 };
        let ends = match is_factor {
            true => amount > 0.0 && amount != 1.0 && first > 0.0 && (is_up || last > 0.0),
            false => amount != 0.0,
        };
        let is_finite = [first, last, amount].iter().all(|value| value.is_finite());
        if !(ends && is_finite) {
            let way = if is_factor { "times" } else { "step" };
            return Err(ProgramError::new(
                span,
                format!("a loop from {first} to {last} {way} {amount} does not end"),
            ));
        }
        let mut value = first;
        while if is_up { value <= last } else { value >= last } {
            making.scope.variables.insert(variable.to_owned(), Varying::number(value));
            self.statements += 1;
            self.block(body, making)?;
            let next = if is_factor { value * amount } else { value + amount };
            if next == value || self.statements > MOST_STATEMENTS {
                return Err(ProgramError::new(span, "this loop does not end"));
            }
            value = next;
        }
        Ok(())
    }

    fn partition(&mut self, parts: &[(Expression, Block)], span: Span, making: &mut Making) -> Done<()> {
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
            made.push(Part { task: self.part(block, scope)? });
            first += count;
        }
        if first != processors {
            let message = format!("the parts have {first} processors together, the machine has {processors}");
            return Err(ProgramError::new(span, message));
        }
        making.steps.push(Step::Parts(made));
        Ok(())
    }

    /// The task of a part; parts that do the same share it.
    fn part(&mut self, block: &Block, scope: Scope) -> Done<Rc<Task>> {
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

    fn call(&mut self, name: &str, span: Span, arguments: &[Expression], making: &mut Making) -> Done<()> {
        let procedures = &self.program.procedures;
        let Some(procedure) = procedures.iter().find(|procedure| procedure.name == name) else {
            let names = procedures.iter().map(|procedure| procedure.name.as_str());
            return Err(ProgramError::new(span, format!("there is no task `{name}`"))
                .suggesting(suggest(name, names), "write `task NAME(VARIABLES) { … }`"));
        };
        if procedure.parameters.len() != arguments.len() {
            let message =
                format!("`{name}` takes {} values, here are {}", procedure.parameters.len(), arguments.len());
            return Err(ProgramError::new(span, message));
        }
        let mut scope = Scope::new(making.scope.processors);
        for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
            scope.variables.insert(parameter.clone(), self.resolve(argument, making)?);
        }
        let outside = std::mem::replace(&mut making.scope, scope);
        let done = self.block(&procedure.body, making);
        making.scope = outside;
        done
    }
}

/// The first where the condition holds, else the second.
fn chosen(condition: Option<&Rc<Varying>>, then: &Rc<Varying>, otherwise: &Rc<Varying>) -> Rc<Varying> {
    match condition {
        None => Rc::clone(then),
        Some(condition) => {
            Rc::new(Varying::Choice(Rc::clone(condition), Rc::clone(then), Rc::clone(otherwise)))
        }
    }
}

/// Whether a block speaks of the number of its part.
fn names_part(block: &Block) -> bool {
    block.statements.iter().any(statement_names_part)
}

fn statement_names_part(statement: &Statement) -> bool {
    let in_value = |expression: &Expression| {
        let mut found = false;
        expression.names(&mut |name| found |= name == "part");
        found
    };
    match &statement.kind {
        StatementKind::Assign { value, .. } => in_value(value),
        StatementKind::Compute { time, .. } => in_value(time),
        StatementKind::Send { bytes, to } => {
            in_value(bytes) || matches!(to, To::Processor(to) if in_value(to))
        }
        StatementKind::Relation { bytes } => in_value(bytes),
        StatementKind::Synchronise { costs, .. } => costs.as_ref().is_some_and(in_value),
        StatementKind::If { condition, then, otherwise } => {
            in_value(condition) || names_part(then) || otherwise.as_ref().is_some_and(names_part)
        }
        StatementKind::For { first, last, advance: Advance::By(by) | Advance::Times(by), body, .. } => {
            [first, last, by].into_iter().any(in_value) || names_part(body)
        }
        StatementKind::Partition(parts) => {
            parts.iter().any(|(size, body)| in_value(size) || names_part(body))
        }
        StatementKind::Call { arguments, .. } => arguments.iter().any(in_value),
        StatementKind::Several(statements) => statements.iter().any(statement_names_part),
    }
}
