//! Where messages go: rules that whole machines follow are found in the expression of the target.

use std::rc::Rc;

use call_grammar::Span;

use super::ProgramError;
use super::instance::{Execution, MOST_DIFFERENT, too_many};
use super::syntax::Binary;
use super::varying::Varying;
use crate::obsp::{NONE, Profile, Target};

/// The rule of a target; `bytes` tells who sends.
pub(super) fn target(
    execution: &mut Execution,
    value: &Rc<Varying>,
    bytes: Profile,
    processors: u32,
    span: Span,
) -> Result<Target, ProgramError> {
    let rule = rule(value, processors);
    let outside = match &rule {
        // Who sends from the places whose target would be outside?
        Some(Target::Shift(places)) => {
            let count = places.unsigned_abs().min(u64::from(processors)) as u32;
            let first = if *places > 0 { processors - count } else { 0 };
            (count > 0)
                .then(|| {
                    let rim = execution.profiles.slice(bytes, processors, first, count);
                    let is_sending = execution.profiles.map(rim, |bytes| f64::from(u8::from(bytes != NONE)));
                    let some = execution.profiles.largest(is_sending) > 0.0;
                    some.then(|| first + execution.profiles.first_of_largest(is_sending, count))
                })
                .flatten()
                .map(|from| (from, i64::from(from) as f64 + *places as f64))
        }
        _ => None,
    };
    if let Some((from, to)) = outside {
        return Err(no_processor(from, to, processors, span));
    }
    if let Some(rule) = rule {
        return Ok(rule);
    }
    if processors > MOST_DIFFERENT {
        return Err(too_many(processors, span));
    }
    let targets = execution.profile(value, processors, span)?;
    let mut each = Vec::with_capacity(processors as usize);
    for processor in 0..processors {
        let to = execution.profiles.at(targets, processors, processor);
        let is_processor = to >= 0.0 && to < f64::from(processors) && to.fract() == 0.0;
        if !is_processor && execution.profiles.at(bytes, processors, processor) != NONE {
            return Err(no_processor(processor, to, processors, span));
        }
        each.push(if is_processor { to as u32 } else { processors });
    }
    Ok(Target::Each(each.into()))
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
