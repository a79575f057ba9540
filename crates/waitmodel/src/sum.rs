use call_search::{FoundFormulas, FoundModel};

use crate::ends::{Ends, NOTHING, StepAt, plus};
use crate::multiplicity::Multiplicity;

/// A step in a sum.
#[derive(Debug, Clone)]
pub struct SumTerm {
    /// An index into the steps of the model.
    pub step: usize,
    /// How often what a processor of the role spends with it in a whole run is in the sum: 0.1 if one of ten rounds is waited for. All runs
    /// together, if that depends on the variables, as where one waits for all others in turn.
    pub times: f64,
    /// How that depends on the variables, without the sign; `None` if it does not.
    pub multiplicity: Option<Multiplicity>,
}

impl SumTerm {
    /// How often at a point, without the sign, with the ends of an interval.
    pub(crate) fn amount(&self, point: &[f64], level: f64) -> [f64; 3] {
        match &self.multiplicity {
            None => [self.times.abs(); 3],
            Some(multiplicity) => multiplicity.at(point, level),
        }
    }

    /// What it adds at a point where its step takes so long.
    pub(crate) fn at(&self, step: Ends, point: &[f64], level: f64) -> Ends {
        let [value, low, high] = self.amount(point, level);
        let corners_s = [low * step.low_s, low * step.high_s, high * step.low_s, high * step.high_s];
        let low_s = corners_s.into_iter().fold(f64::INFINITY, f64::min);
        let high_s = corners_s.into_iter().fold(f64::NEG_INFINITY, f64::max);
        match self.times < 0.0 {
            true => Ends { value_s: -value * step.value_s, low_s: -high_s, high_s: -low_s },
            false => Ends { value_s: value * step.value_s, low_s, high_s },
        }
    }
}

/// What a wait, or the run time, is made of where it was seen.
#[derive(Debug, Clone)]
pub struct Sum {
    /// Signed steps, the largest first.
    pub terms: Vec<SumTerm>,
    /// What steps that are too short for terms add, as a share of all terms without their signs.
    pub rest: f64,
    /// The runs that have this sum, as indices.
    pub runs: Vec<usize>,
    /// How many times the sum each of them has: 1 but where the number of those that one waits for, or how unevenly work is shared out, depends
    /// on the variables.
    pub(crate) scale: Option<Box<FoundFormulas>>,
}

impl Sum {
    /// The most plausible formula of how many times the sum there is, if that differs.
    pub fn scale_formula(&self, name: &str) -> Option<FoundModel> {
        self.scale.as_ref()?.ranked(name).into_iter().next()
    }
}

/// Sums are what something is made of if so many of its runs have one that others have, too.
const MOST: f64 = 0.7;

/// One that others have, too: so many of the runs.
const SOME: f64 = 0.15;

/// A sum whose rest is larger than this share of its terms says nothing.
const TOLD: f64 = 0.5;

/// Whether most of the runs have sums that several of them have: else each run is made of something else, as where noise is waited for.
pub(crate) fn are_common(sums: &[Sum]) -> bool {
    let all: usize = sums.iter().map(|sum| sum.runs.len()).sum();
    let is_common = |sum: &&Sum| {
        let count = sum.runs.len();
        count >= 2 && count as f64 >= SOME * all as f64 && !sum.terms.is_empty() && sum.rest.abs() < TOLD
    };
    let common: usize = sums.iter().filter(is_common).map(|sum| sum.runs.len()).sum();
    common as f64 >= MOST * all as f64
}

/// Which sum is the largest, and the ends of the maximum; NaN if one of them has no value. Sums with steps that nobody can do are none, if
/// there are others.
pub(crate) fn maximum(sums: &[Sum], steps: &[StepAt], point: &[f64], level: f64) -> (usize, Ends) {
    let nowhere = f64::NEG_INFINITY;
    let (mut largest, mut ends) = (0, Ends { value_s: nowhere, low_s: nowhere, high_s: nowhere });
    let is_done = |term: &SumTerm| steps[term.step].is_there || term.amount(point, level)[0] == 0.0;
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
    let Some(scale) = &sum.scale else { return Ends { value_s, low_s, high_s } };
    let scale = scale.predict(point, level);
    let ends_s = [low_s * scale.low, low_s * scale.high, high_s * scale.low, high_s * scale.high];
    Ends {
        value_s: value_s * scale.value,
        low_s: ends_s.into_iter().fold(f64::INFINITY, f64::min),
        high_s: ends_s.into_iter().fold(f64::NEG_INFINITY, f64::max),
    }
}
