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
    Some(Remark::Contention { processors, measured })
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

/// By how much a time may be longer for contention: the terms that grow with P are the communication, but those with g or L, whose
/// values are the machine's at P.
pub(crate) fn contended_s(
    model: &Model,
    prediction: &Prediction,
    point: &[f64],
    sampled: Option<SampledRange>,
) -> Option<(f64, Remark)> {
    let variables = model.formula.variables();
    let place = variables.iter().position(|variable| variable.name() == PROCESSORS)?;
    let remark = contention_remark(point[place], sampled)?;
    let mut measured = point.to_vec();
    measured[place] = sampled?.highest;
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
