//! Executes a program for its arguments: the result is the task of each machine.

use std::collections::HashMap;
use std::rc::Rc;

use call_grammar::{Span, suggest};

use super::scope::{VariableScope, resolve};
use super::syntax::{ProgramExpression, ProgramStatement, StatementBlock, StatementKind};
use super::varying::{NumberSources, Varying};
use super::{CostModel, Program, ProgramError};
use crate::obsp::{
    Exact, ExchangedBytes, InOut, MessageTarget, NONE, PairOperation, PerProcessor, PerProcessorArena, Send,
    Task, TaskError, TaskStep,
};

/// A program with its arguments, on a number of processors.
#[derive(Debug)]
pub struct Instance {
    /// Where the numbers of processors are kept.
    pub arena: PerProcessorArena,
    /// What the machine does; cost centres are positions in [`Program::centres`].
    pub task: Rc<Task>,
}

/// Deeper blocks in blocks, with those of the tasks that are called, are refused, so that recursion needs little stack.
const DEEPEST: usize = 200;

/// A program that does more statements than this has a loop without end, or nobody waits for it.
pub(super) const MOST_STATEMENTS: usize = 5_000_000;

/// Expressions are asked for their values at no more single processors, as each can have one of its own, and memory ends.
pub(super) const MOST_DIFFERENT: u32 = 1 << 23;

/// Longer expressions of `pid` become tables, so that what a loop makes of a variable does not grow.
const LONGEST: usize = 64;

pub(super) type Done<T> = Result<T, ProgramError>;

impl Program {
    /// The task of `processors` processors for these arguments.
    ///
    /// `in_out` is the operation `@` by which `h` in `costs` is counted.
    ///
    /// # Errors
    /// The first statement that cannot be done, with its place.
    pub fn instance(
        &self,
        arguments: &[(String, f64)],
        processors: u32,
        costs: &dyn CostModel,
        in_out: InOut,
    ) -> Done<Instance> {
        let main = &self.procedures[self.main];
        if processors == 0 {
            return Err(ProgramError::new(main.name_span, "a program needs a processor"));
        }
        let mut scope = VariableScope::new(processors);
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
            arena: PerProcessorArena::new(),
            parts: HashMap::new(),
            tabulated: HashMap::new(),
            sends: HashMap::new(),
            statements: 0,
            depth: 0,
        };
        let task = execution.task(&main.body, scope)?;
        Ok(Instance { arena: execution.arena, task })
    }
}

/// What parts are known by: block, processors, variables.
pub(super) type PartKey = (usize, u32, Vec<(String, Exact)>);

pub(super) struct Execution<'a> {
    pub(super) program: &'a Program,
    pub(super) costs: &'a dyn CostModel,
    pub(super) in_out: InOut,
    pub(super) arena: PerProcessorArena,
    pub(super) parts: HashMap<PartKey, Rc<Task>>,
    pub(super) tabulated: HashMap<(Rc<Varying>, u32), PerProcessor>,
    /// Messages that were checked, by their bytes, targets and processors.
    pub(super) sends: HashMap<(PerProcessor, MessageTarget, u32), Send>,
    pub(super) statements: usize,
    pub(super) depth: usize,
}

/// A machine's task as far as it is made.
pub(super) struct Making {
    pub scope: VariableScope,
    pub steps: Vec<TaskStep>,
    /// Of the superstep that has begun.
    pub sends: Vec<Send>,
    pub exchanged: Option<ExchangedBytes>,
    /// The last statement that sends.
    pub sent: Option<Span>,
    /// The processors that execute the statements; `None` if all do.
    pub condition: Option<Rc<Varying>>,
}

impl Execution<'_> {
    pub(super) fn task(&mut self, body: &StatementBlock, scope: VariableScope) -> Done<Rc<Task>> {
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

    pub(super) fn block(&mut self, block: &StatementBlock, making: &mut Making) -> Done<()> {
        if self.depth == DEEPEST {
            let span = block.statements.first().map_or(Span::new(0, 0), |statement| statement.span);
            return Err(ProgramError::new(span, format!("blocks and tasks are {DEEPEST} deep in each other here"))
                .help("a recursion needs an `if` that ends it soon, such as `if P > 1 {`; a loop may be as long as it likes"));
        }
        self.depth += 1;
        let done = block.statements.iter().try_for_each(|statement| self.statement(statement, making));
        self.depth -= 1;
        done
    }

    pub(super) fn resolve(&self, expression: &ProgramExpression, making: &Making) -> Done<Rc<Varying>> {
        resolve(expression, &making.scope, self.sources(), false)
    }

    pub(super) fn sources(&self) -> NumberSources<'_> {
        NumberSources { costs: self.costs, arena: &self.arena }
    }

    /// The same value, as a table if its expression is long.
    pub(super) fn shortened(&mut self, value: Rc<Varying>, processors: u32, span: Span) -> Done<Rc<Varying>> {
        if value.size() <= LONGEST {
            return Ok(value);
        }
        let numbers = self.per_processor(&value, processors, span)?;
        Ok(self.table(numbers, processors))
    }

    /// The value of an expression that is the same for all processors.
    pub(super) fn uniform(&self, expression: &ProgramExpression, making: &Making, what: &str) -> Done<f64> {
        let value = self.resolve(expression, making)?.uniform();
        value.ok_or_else(|| {
            ProgramError::new(
                expression.span,
                format!("{what} must be the same for all processors, but depends on `pid`"),
            )
        })
    }

    /// The numbers of all processors.
    pub(super) fn per_processor(
        &mut self,
        value: &Rc<Varying>,
        processors: u32,
        span: Span,
    ) -> Done<PerProcessor> {
        if let Some(value) = value.uniform() {
            return Ok(self.arena.same(value));
        }
        let key = (Rc::clone(value), processors);
        if let Some(known) = self.tabulated.get(&key) {
            return Ok(*known);
        }
        let costs = self.costs;
        let mut single = 0;
        let made = self.arena.of_ranges(processors, &mut |arena, first, last| {
            single += u32::from(first == last);
            match single > MOST_DIFFERENT {
                true => Some(f64::NAN),
                false => value.over(first, last, NumberSources { costs, arena }),
            }
        });
        if single > MOST_DIFFERENT {
            return Err(too_many(processors, span));
        }
        self.tabulated.insert(key, made);
        Ok(made)
    }

    /// Times or bytes of the processors that fulfil a condition; `others` is the number of the rest.
    pub(super) fn amounts(
        &mut self,
        expression: &ProgramExpression,
        making: &Making,
        condition: Option<&Rc<Varying>>,
        others: f64,
        what: &str,
    ) -> Done<PerProcessor> {
        let (processors, span) = (making.scope.processors, expression.span);
        let value = self.resolve(expression, making)?;
        let value = chosen(condition, &value, &Varying::number(0.0));
        let amounts = self.per_processor(&value, processors, span)?;
        self.check_amounts(amounts, expression, what)?;
        if others == 0.0 {
            return Ok(amounts);
        }
        let executing = chosen(condition, &Varying::number(0.0), &Varying::number(NONE));
        let executing = self.per_processor(&executing, processors, span)?;
        Ok(self.arena.combine(PairOperation::Where, amounts, executing))
    }

    pub(super) fn check_amounts(
        &self,
        amounts: PerProcessor,
        expression: &ProgramExpression,
        what: &str,
    ) -> Done<()> {
        let is_wrong = |amount: f64| !(amount.is_finite() && amount >= 0.0);
        match self.arena.first_that(amounts, is_wrong) {
            Some(amount) => Err(no_amount(amount, expression, what)),
            None => Ok(()),
        }
    }

    /// Counts what is done, a statement or a round of a loop.
    pub(super) fn count(&mut self, span: Span) -> Done<()> {
        self.statements += 1;
        if self.statements > MOST_STATEMENTS {
            return Err(too_long(span));
        }
        if self.arena.is_full() {
            return Err(ProgramError::new(span, TaskError::TooDifferent.to_string())
                .help("take fewer processors or rounds, or let processors do the same"));
        }
        Ok(())
    }

    fn statement(&mut self, statement: &ProgramStatement, making: &mut Making) -> Done<()> {
        let span = statement.span;
        self.count(span)?;
        // Each kind in a function of its own: what recursion has on the stack is small.
        match &statement.kind {
            StatementKind::Assign { name, value } => self.assign(name, value, making),
            StatementKind::Compute { time, centre } => self.compute(time, *centre, making),
            StatementKind::Send { bytes, from, to } => self.send(bytes, from.as_ref(), to, span, making),
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
        }
    }
}

fn no_amount(amount: f64, expression: &ProgramExpression, what: &str) -> ProgramError {
    let message = format!("{what} is {amount}; it must be a number that is not negative");
    let error = ProgramError::new(expression.span, message);
    match amount.is_nan() {
        false => error,
        true => error.help(
            "not a number (NaN) is 0/0, the logarithm of a negative number, `^` or `&` of what is no whole number from 0 \
             to 2^53, a variable that only other processors have given a value, or a constant that its formula does not \
             have",
        ),
    }
}

pub(super) fn too_long(span: Span) -> ProgramError {
    ProgramError::new(span, format!("the program does more than {MOST_STATEMENTS} statements"))
        .help("look at the bounds of its loops, or ask for fewer rounds")
}

pub(super) fn too_many(processors: u32, span: Span) -> ProgramError {
    let message = format!("{processors} processors are too many to ask each of them for its own value");
    ProgramError::new(span, message)
        .help(format!("take P up to {MOST_DIFFERENT}, or what ranges of processors have in common"))
}

/// The first where the condition holds, else the second.
pub(super) fn chosen(
    condition: Option<&Rc<Varying>>,
    then: &Rc<Varying>,
    otherwise: &Rc<Varying>,
) -> Rc<Varying> {
    match condition {
        None => Rc::clone(then),
        Some(condition) => {
            Rc::new(Varying::Choice(Rc::clone(condition), Rc::clone(then), Rc::clone(otherwise)))
        }
    }
}
