//! What processors do in a superstep, and how it ends. Where messages go: rules that whole machines follow are found in the expression
//! of the target.

use std::rc::Rc;

use call_grammar::Span;

use super::ProgramError;
use super::instance::{Done, Execution, MOST_DIFFERENT, Making, chosen, too_many};
use super::scope::resolve;
use super::syntax::{Binary, ProgramExpression, To};
use super::varying::Varying;
use crate::obsp::{
    ExchangedBytes, MessageTarget, NONE, PerProcessor, Send, Synchronisation, SynchronisationCost, TaskStep,
    WaitRelation, processor,
};

impl Execution<'_> {
    pub(super) fn assign(&mut self, name: &str, value: &ProgramExpression, making: &mut Making) -> Done<()> {
        let span = value.span;
        let mut value = self.resolve(value, making)?;
        if let (Some(_), Some(before)) = (&making.condition, making.scope.variables.get(name)) {
            value = chosen(making.condition.as_ref(), &value, before);
        }
        let value = self.shortened(value, making.scope.processors, span)?;
        making.scope.variables.insert(name.to_owned(), value);
        Ok(())
    }

    pub(super) fn compute(
        &mut self,
        time: &ProgramExpression,
        centre: usize,
        making: &mut Making,
    ) -> Done<()> {
        let time_s = self.amounts(time, making, making.condition.as_ref(), 0.0, "the time")?;
        making.steps.push(TaskStep::Compute { time_s, centre });
        Ok(())
    }

    pub(super) fn send(
        &mut self,
        bytes: &ProgramExpression,
        from: Option<&ProgramExpression>,
        to: &To,
        span: Span,
        making: &mut Making,
    ) -> Done<()> {
        let processors = making.scope.processors;
        let condition = match from {
            None => making.condition.clone(),
            Some(from) => {
                self.check_all(making, span, "all processors take part in a broadcast")?;
                let from = Varying::number(self.root(from, making)?);
                Some(Rc::new(Varying::Binary(Binary::Equal, Rc::new(Varying::Processor(0)), from)))
            }
        };
        let bytes = self.amounts(bytes, making, condition.as_ref(), NONE, "the length of the message")?;
        let send = match to {
            To::All => Send::new(&mut self.arena, processors, bytes, MessageTarget::All),
            To::Processor(to) => {
                let value = self.resolve(to, making)?;
                self.sent(bytes, &value, processors, to.span)?
            }
        };
        if self.arena.uniform(bytes) != Some(NONE) {
            making.sent = Some(span);
            making.sends.push(send);
        }
        Ok(())
    }

    /// The processor that broadcasts is one of the machine.
    fn root(&self, root: &ProgramExpression, making: &Making) -> Done<f64> {
        let processors = making.scope.processors;
        let number = self.uniform(root, making, "the processor that broadcasts")?;
        match processor(number, processors) {
            Some(_) => Ok(number),
            None => Err(ProgramError::new(
                root.span,
                format!(
                    "processor {number} cannot broadcast; the machine has processors 0 to {}",
                    processors - 1
                ),
            )),
        }
    }

    pub(super) fn relation(
        &mut self,
        bytes: &ProgramExpression,
        span: Span,
        making: &mut Making,
    ) -> Done<()> {
        let more = self.amounts(bytes, making, making.condition.as_ref(), 0.0, "the h-relation")?;
        if self.arena.uniform(more) == Some(0.0) {
            return Ok(());
        }
        making.sent = Some(span);
        let zero = self.arena.same(0.0);
        let sum = making.exchanged.unwrap_or(ExchangedBytes { in_bytes: zero, out_bytes: zero });
        making.exchanged = Some(ExchangedBytes {
            in_bytes: self.arena.add(sum.in_bytes, more),
            out_bytes: self.arena.add(sum.out_bytes, more),
        });
        Ok(())
    }

    pub(super) fn check_all(&self, making: &Making, span: Span, rule: &str) -> Done<()> {
        match making.condition {
            None => Ok(()),
            Some(_) => Err(ProgramError::new(span, "this stands in a condition on `pid`")
                .help(format!("{rule}: put only `compute`, `send` and assignments into the condition"))),
        }
    }

    pub(super) fn synchronise(
        &mut self,
        is_barrier: bool,
        costs: Option<&ProgramExpression>,
        (centre, span): (usize, Span),
        making: &mut Making,
    ) -> Done<()> {
        self.check_all(making, span, "a superstep ends for all processors of its machine")?;
        let processors = making.scope.processors;
        let nothing = self.arena.same(0.0);
        let mut synchronisation = Synchronisation {
            waits: if is_barrier { WaitRelation::Barrier } else { WaitRelation::Oblivious },
            sends: std::mem::take(&mut making.sends),
            exchanged: making.exchanged.take(),
            cost: SynchronisationCost::Given(nothing),
            centre,
        };
        making.sent = None;
        synchronisation.cost = match costs {
            Some(expression) => {
                let mut scope = making.scope.clone();
                if self.needs_h(expression) {
                    let h = synchronisation.h_relation(&mut self.arena, processors, self.in_out);
                    scope.variables.insert("h".to_owned(), self.table(h, processors));
                }
                let value = resolve(expression, &scope, self.sources(), true)?;
                let time_s = self.per_processor(&value, processors, expression.span)?;
                self.check_amounts(time_s, expression, "the cost of the communication")?;
                SynchronisationCost::Given(time_s)
            }
            None => {
                let network = self.costs.network(processors).ok_or_else(|| {
                    ProgramError::new(span, "what does this communication cost?")
                        .help("write `costs …` behind it, give g and L, or use a machine with s, g and L")
                });
                SynchronisationCost::Linear(network?)
            }
        };
        making.steps.push(TaskStep::Synchronise(synchronisation));
        Ok(())
    }

    /// Whether the h-relation, or an experiment that has it as a variable, stands in an expression.
    fn needs_h(&self, expression: &ProgramExpression) -> bool {
        let mut needs_h = false;
        expression.names(&mut |name| {
            let has_h = |variables: Vec<String>| variables.iter().any(|variable| variable == "h");
            needs_h |= name == "h" || self.costs.variables(name).is_some_and(has_h);
        });
        needs_h
    }

    /// The numbers of a vector as an expression.
    pub(super) fn table(&self, numbers: PerProcessor, processors: u32) -> Rc<Varying> {
        match self.arena.uniform(numbers) {
            Some(value) => Varying::number(value),
            None => Rc::new(Varying::Table { numbers, processors, from: 0 }),
        }
    }
}

impl Execution<'_> {
    /// Messages of so many bytes, [`NONE`] of who sends none, to the processors that an expression says.
    pub(super) fn sent(
        &mut self,
        bytes: PerProcessor,
        to: &Rc<Varying>,
        processors: u32,
        span: Span,
    ) -> Result<Send, ProgramError> {
        let target = match rule(to, processors) {
            Some(rule) => rule,
            None if processors > MOST_DIFFERENT => return Err(too_many(processors, span)),
            None => MessageTarget::Each(self.per_processor(to, processors, span)?),
        };
        let key = (bytes, target, processors);
        if let Some(known) = self.sends.get(&key) {
            return Ok(*known);
        }
        if let Some((from, to)) = self.outside(bytes, target, processors) {
            return Err(no_processor(from, to, processors, span));
        }
        let send = Send::new(&mut self.arena, processors, bytes, target);
        self.sends.insert(key, send);
        Ok(send)
    }

    /// A processor that sends to one that there is not, and to which.
    fn outside(&mut self, bytes: PerProcessor, target: MessageTarget, processors: u32) -> Option<(u32, f64)> {
        match target {
            // Who sends from the places whose target would be outside?
            MessageTarget::Shift(places) => {
                let count = places.unsigned_abs().min(u64::from(processors)) as u32;
                if count == 0 {
                    return None;
                }
                let first = if places > 0 { processors - count } else { 0 };
                let (largest, from) = self.arena.largest_over(bytes, processors, first..=first + count - 1);
                (largest != NONE).then(|| (from, i64::from(from) as f64 + places as f64))
            }
            MessageTarget::Each(targets) => (0..processors).find_map(|from| {
                let to = self.arena.at(targets, processors, from);
                let is_wrong =
                    processor(to, processors).is_none() && self.arena.at(bytes, processors, from) != NONE;
                is_wrong.then_some((from, to))
            }),
            _ => None,
        }
    }
}

fn no_processor(from: u32, to: f64, processors: u32, span: Span) -> ProgramError {
    let message =
        format!("processor {from} sends to {to}; the machine has processors 0 to {}", processors - 1);
    ProgramError::new(span, message).help("`if` chooses who sends; `(pid + P - 1) % P` goes round")
}

fn rule(value: &Varying, processors: u32) -> Option<MessageTarget> {
    let whole =
        |value: f64| (value.fract() == 0.0 && value.abs() <= f64::from(u32::MAX)).then_some(value as i64);
    let below =
        |value: f64| whole(value).and_then(|value| u32::try_from(value).ok()).filter(|v| *v < processors);
    match value {
        Varying::Number(to) => below(to.0).map(MessageTarget::One),
        Varying::Binary(Binary::ExclusiveOr, left, right) => {
            let mask = match (&**left, &**right) {
                (Varying::Processor(0), Varying::Number(mask))
                | (Varying::Number(mask), Varying::Processor(0)) => mask.0,
                _ => return None,
            };
            below(mask).filter(|_| processors.is_power_of_two()).map(MessageTarget::ExclusiveOr)
        }
        Varying::Binary(Binary::Remainder, inside, divisor)
            if divisor.uniform() == Some(f64::from(processors)) =>
        {
            match inside.line()? {
                (1.0, places) if places >= 0.0 => whole(places % f64::from(processors))
                    .and_then(|places| u32::try_from(places).ok())
                    .map(MessageTarget::Rotate),
                _ => None,
            }
        }
        _ => match value.line()? {
            (1.0, places) => whole(places).map(MessageTarget::Shift),
            _ => None,
        },
    }
}
