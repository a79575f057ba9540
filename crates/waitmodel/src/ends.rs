use call_search::Finding;

use crate::sum::{Sum, Term};

/// A predicted time and its interval, seconds. Ends of a sum are the sums of the ends of its parts, so intervals are rather too wide.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ends {
    pub value_s: f64,
    pub low_s: f64,
    pub high_s: f64,
}

/// A step at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepAt {
    pub(crate) ends: Ends,
    /// There are processors that can do it.
    pub(crate) is_there: bool,
}

pub(crate) const NOTHING: Ends = Ends { value_s: 0.0, low_s: 0.0, high_s: 0.0 };

pub(crate) fn found(finding: &Finding, point: &[f64], level: f64) -> Ends {
    let found = finding.predict(point, level);
    Ends { value_s: found.value, low_s: found.low, high_s: found.high }
}

pub(crate) fn plus(sum: Ends, times: f64, part: Ends) -> Ends {
    let (low_s, high_s) = if times < 0.0 { (part.high_s, part.low_s) } else { (part.low_s, part.high_s) };
    Ends {
        value_s: sum.value_s + times * part.value_s,
        low_s: sum.low_s + times * low_s,
        high_s: sum.high_s + times * high_s,
    }
}

/// Which sum is the largest, and the ends of the maximum; NaN if one of them has no value. Sums with steps that nobody can do are none, if
/// there are others.
pub(crate) fn maximum(sums: &[Sum], steps: &[StepAt], point: &[f64], level: f64) -> (usize, Ends) {
    let nowhere = f64::NEG_INFINITY;
    let (mut largest, mut ends) = (0, Ends { value_s: nowhere, low_s: nowhere, high_s: nowhere });
    let is_done = |term: &Term| steps[term.step].is_there || term.amount(point, level)[0] == 0.0;
    let is_whole = |sum: &Sum| sum.terms.iter().all(is_done);
    let is_any_whole = sums.iter().any(is_whole);
    for (number, sum) in sums.iter().enumerate().filter(|(_, sum)| !is_any_whole || is_whole(sum)) {
        let its = value(sum, steps, point, level);
        if its.value_s.is_nan() {
            return (number, its);
        }
        if its.value_s > ends.value_s {
            (largest, ends.value_s) = (number, its.value_s);
        }
        ends.low_s = ends.low_s.max(its.low_s);
        ends.high_s = ends.high_s.max(its.high_s);
    }
    (largest, ends)
}

fn value(sum: &Sum, steps: &[StepAt], point: &[f64], level: f64) -> Ends {
    let (mut its, mut size_s) = (NOTHING, 0.0);
    for term in &sum.terms {
        let adds = term.at(steps[term.step].ends, point, level);
        its = plus(its, 1.0, adds);
        size_s += adds.value_s.abs();
    }
    let rest_s = sum.rest * size_s;
    let [value_s, low_s, high_s] = [its.value_s, its.low_s, its.high_s].map(|time_s| time_s + rest_s);
    Ends { value_s, low_s, high_s }
}
