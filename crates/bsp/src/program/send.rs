//! Where messages go: rules that whole machines follow are found in the expression of the target.

use std::rc::Rc;

use call_grammar::Span;

use super::ProgramError;
use super::instance::{Execution, MOST_DIFFERENT, too_many};
use super::syntax::Binary;
use super::varying::Varying;
use crate::obsp::{NONE, PerProcessor, Send, Target, processor};

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
            None => Target::Each(self.per_processor(to, processors, span)?),
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
    fn outside(&mut self, bytes: PerProcessor, target: Target, processors: u32) -> Option<(u32, f64)> {
        match target {
            // Who sends from the places whose target would be outside?
            Target::Shift(places) => {
                let count = places.unsigned_abs().min(u64::from(processors)) as u32;
                if count == 0 {
                    return None;
                }
                let first = if places > 0 { processors - count } else { 0 };
                let (largest, from) = self.arena.largest_over(bytes, processors, first..=first + count - 1);
                (largest != NONE).then(|| (from, i64::from(from) as f64 + places as f64))
            }
            Target::Each(targets) => (0..processors).find_map(|from| {
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

fn rule(value: &Varying, processors: u32) -> Option<Target> {
    let whole =
        |value: f64| (value.fract() == 0.0 && value.abs() <= f64::from(u32::MAX)).then_some(value as i64);
    let below =
        |value: f64| whole(value).and_then(|value| u32::try_from(value).ok()).filter(|v| *v < processors);
    match value {
        Varying::Number(to) => below(to.0).map(Target::One),
        Varying::Binary(Binary::ExclusiveOr, left, right) => {
            let mask = match (&**left, &**right) {
                (Varying::Processor(0), Varying::Number(mask))
                | (Varying::Number(mask), Varying::Processor(0)) => mask.0,
                _ => return None,
            };
            below(mask).filter(|_| processors.is_power_of_two()).map(Target::ExclusiveOr)
        }
        Varying::Binary(Binary::Remainder, inside, divisor)
            if divisor.uniform() == Some(f64::from(processors)) =>
        {
            match inside.line()? {
                (1.0, places) if places >= 0.0 => whole(places % f64::from(processors))
                    .and_then(|places| u32::try_from(places).ok())
                    .map(Target::Rotate),
                _ => None,
            }
        }
        _ => match value.line()? {
            (1.0, places) => whole(places).map(Target::Shift),
            _ => None,
        },
    }
}
