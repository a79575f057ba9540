use call_grammar::Expression;

use crate::student::student_quantile;
use crate::{Model, PROCESSORS, Prediction, Remark, SampledRange};

/// Numbers of machines, which have their own table over the processors.
const OF_MACHINES: [&str; 2] = ["g", "L"];

/// From this factor on it is said that more processors than were measured may share links that those did not.
const TOLD_FROM: f64 = 2.0;

/// The factor by which communication may be longer on more processors than were measured, for messages that contend for links; 1
/// on up to so many. The samples cannot know it, as the first processors may all be behind one switch. It is that of a plane mesh,
/// the sparsest network in use: the bytes that cross its middle grow as P, the links there as √P. As
/// contention only makes times longer, it raises upper ends of intervals; predictions stay. What was measured on one processor only, or
/// on nobody knows how many, says nothing of communication, and has 1.
pub fn contention(processors: f64, sampled: Option<SampledRange>) -> f64 {
    let measured = sampled.map_or(f64::NAN, |range| range.highest);
    let factor = processors / measured;
    if measured >= 2.0 && factor > 1.0 { factor.sqrt() } else { 1.0 }
}

/// What is to be said where P is so far beyond the samples that messages may contend for links.
pub fn contention_remark(processors: f64, sampled: Option<SampledRange>) -> Option<Remark> {
    let is_far = contention(processors, sampled).powi(2) >= TOLD_FROM * (1.0 - 1e-12);
    let measured = sampled.map(|range| range.highest).filter(|_| is_far)?;
    Some(Remark::Contention { processors, measured, is_rate: false })
}

/// The upper end of an interval of a level where the time may be longer by `more_s`, at the end of an interval of 90 %, independently
/// of all else.
pub fn raised(upper_s: f64, time_s: f64, more_s: f64, level: f64) -> f64 {
    if more_s.is_nan() || more_s <= 0.0 {
        return upper_s;
    }
    let quantile = |level: f64| student_quantile(0.5 + level / 2.0, f64::INFINITY);
    time_s + (upper_s - time_s).max(0.0).hypot(more_s * quantile(level) / quantile(0.9))
}

/// The lower end of an interval of a level where a rate may be less by `less`, which is not more than all of it, at the end of an
/// interval of 90 %, independently of all else.
fn lowered(lower: f64, rate: f64, less: f64, level: f64) -> f64 {
    lower.min((2.0 * rate - raised(2.0 * rate - lower, rate, less, level)).max(0.0))
}

/// The interval with what contention may do to it, and what is to be said of it. Of a time the terms that grow with P are the
/// communication, but those with g or L, whose values are the machine's at P: it may be longer. A rate may be less: what falls with P is
/// what communication takes from it. Counts, bytes and energies are none of both, and nothing is known of them.
pub(crate) fn contended(
    model: &Model,
    prediction: &Prediction,
    point: &[f64],
    sampled: Option<SampledRange>,
    ([lower, upper], level): ([f64; 2], f64),
) -> ([f64; 2], Option<Remark>) {
    let value = prediction.time_s;
    let found = match (model.unit().is_time(), model.unit().is_rate()) {
        (true, _) => longer_s(model, prediction, point, sampled)
            .map(|(more_s, remark)| ([lower, raised(upper, value, more_s, level)], remark)),
        (_, true) => less_rate(model, prediction, point, sampled)
            .map(|(less, remark)| ([lowered(lower, value, less, level), upper], remark)),
        _ => None,
    };
    found.map_or(([lower, upper], None), |(ends, remark)| (ends, Some(remark)))
}

/// The place of P, P where it was measured farthest, and what is to be said.
fn far(model: &Model, point: &[f64], sampled: Option<SampledRange>) -> Option<(usize, Vec<f64>, Remark)> {
    let variables = model.formula.variables();
    let place = variables.iter().position(|variable| variable.name() == PROCESSORS)?;
    let remark = contention_remark(point[place], sampled)?;
    let mut measured = point.to_vec();
    measured[place] = sampled?.highest;
    Some((place, measured, remark))
}

/// By how much a time may be longer for contention.
fn longer_s(
    model: &Model,
    prediction: &Prediction,
    point: &[f64],
    sampled: Option<SampledRange>,
) -> Option<(f64, Remark)> {
    let (place, measured, remark) = far(model, point, sampled)?;
    let variables = model.formula.variables();
    let is_machines = |basis: &Expression| {
        let numbers = variables.iter().enumerate().filter(|(_, one)| OF_MACHINES.contains(&one.name()));
        numbers.into_iter().any(|(place, _)| basis.uses(place))
    };
    let grows = |basis: &Expression| basis.evaluate(point) > basis.evaluate(&measured) && !is_machines(basis);
    let terms = model.formula.terms().iter().zip(&prediction.shares);
    let communication_s: f64 =
        terms.filter(|(term, _)| grows(&term.basis)).map(|(_, share)| share.time_s.max(0.0)).sum();
    let more_s = communication_s * (contention(point[place], sampled) - 1.0);
    (more_s > 0.0).then_some((more_s, remark))
}

/// By how much a rate may be less for contention. What its terms lose from the farthest P that was measured on, of what they were
/// without that, is the part of the time for one of what is counted that is communication.
fn less_rate(
    model: &Model,
    prediction: &Prediction,
    point: &[f64],
    sampled: Option<SampledRange>,
) -> Option<(f64, Remark)> {
    let (place, measured, remark) = far(model, point, sampled)?;
    let there = model.predict_in(prediction.cell, &measured);
    let shares = there.shares.iter().zip(&prediction.shares);
    let lost: f64 = shares.map(|(measured, here)| (measured.time_s - here.time_s).max(0.0)).sum();
    let rate = prediction.time_s;
    if !(lost > 0.0 && rate > 0.0) {
        return None;
    }
    let longer = 1.0 + lost / (rate + lost) * (contention(point[place], sampled) - 1.0);
    Some((rate - rate / longer, remark.of_rate()))
}
