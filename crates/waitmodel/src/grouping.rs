//! From the sums of runs to those that several runs have.

use call_search::{FormulaFinder, FoundFormulas};

use crate::law::law;
use crate::multiplicity::Multiplicity;
use crate::role::Role;
use crate::sum::{Sum, SumTerm};

/// Where the runs lie.
pub(crate) struct RunPlaces<'a> {
    pub(crate) variables: &'a [String],
    pub(crate) points: &'a [Vec<f64>],
    /// For each step its mean in each run, seconds.
    pub(crate) mean_s: &'a [Vec<f64>],
    /// For each step whose it is.
    pub(crate) role_of: &'a [&'a Role],
}

/// The sum that a run has.
#[derive(Debug, Clone)]
pub(crate) struct RecordedSum {
    pub(crate) run: usize,
    /// By step of the model, seconds.
    pub(crate) by_step_s: Vec<f64>,
    pub(crate) rest_s: f64,
}

/// Sums of two runs are the same if the shares of their terms, at one of them, differ by less than this in all.
const ALIKE: f64 = 0.25;

/// What makes less of a sum longer or shorter is not looked at.
const EVEN: f64 = 0.05;

/// Terms that are never more than this share of their sum go to the rest.
const SMALL: f64 = 0.002;

/// Formulas of how often are asked of so many points at least before they put sums together.
const FEWEST_POINTS: usize = 5;

/// Runs with the same sum.
#[derive(Clone)]
struct RunsOfSum<'a> {
    members: Vec<&'a RecordedSum>,
    places: &'a RunPlaces<'a>,
}

fn size_s(by_step_s: &[f64]) -> f64 {
    by_step_s.iter().map(|time_s| time_s.abs()).sum()
}

impl<'a> RunsOfSum<'a> {
    /// A ratio of sums, so that long runs, of which more is known, weigh more.
    fn times(&self, step: usize) -> f64 {
        let all_s: f64 = self.members.iter().map(|its| its.by_step_s[step]).sum();
        let means_s: f64 = self.members.iter().filter_map(|its| self.mean_s(step, its)).sum();
        if means_s > 0.0 { all_s / means_s } else { 0.0 }
    }

    /// What a processor spends with the step there; `None` where nobody does it.
    fn mean_s(&self, step: usize, member: &RecordedSum) -> Option<f64> {
        Some(self.places.mean_s[step][member.run]).filter(|mean_s| *mean_s > 0.0)
    }

    /// What the sum's terms come to in a run, by step, seconds.
    fn at(&self, run: usize) -> Vec<f64> {
        let at = |(step, mean_s): (usize, f64)| {
            if mean_s.is_finite() { self.times(step) * mean_s } else { 0.0 }
        };
        self.places.mean_s.iter().map(|mean_s| mean_s[run]).enumerate().map(at).collect()
    }

    fn distance(&self, other: &RecordedSum) -> f64 {
        let its_s = self.at(other.run);
        let sizes_s = [size_s(&its_s), size_s(&other.by_step_s)];
        let share = |time_s: f64, size_s: f64| if size_s > 0.0 { time_s / size_s } else { 0.0 };
        let both = its_s.iter().zip(&other.by_step_s);
        both.map(|(its_s, own_s)| (share(*its_s, sizes_s[0]) - share(*own_s, sizes_s[1])).abs()).sum()
    }

    fn with(&self, other: &RunsOfSum<'a>) -> RunsOfSum<'a> {
        RunsOfSum { members: self.members.iter().chain(&other.members).copied().collect(), ..*self }
    }

    fn sum(&self, finder: &mut FormulaFinder) -> Sum {
        let is_term = |step: &usize| {
            self.members.iter().any(|its| its.by_step_s[*step].abs() > SMALL * size_s(&its.by_step_s))
        };
        let (mut terms, small): (Vec<usize>, Vec<usize>) = (0..self.places.mean_s.len()).partition(is_term);
        let weight = |step: usize| self.members.iter().map(|its| its.by_step_s[step].abs()).sum::<f64>();
        terms.sort_by(|left, right| weight(*right).total_cmp(&weight(*left)));
        let rest_s =
            |of: &&RecordedSum| of.rest_s + small.iter().map(|step| of.by_step_s[*step]).sum::<f64>();
        let all_rest_s: f64 = self.members.iter().map(rest_s).sum();
        let terms_s = |by_step_s: &[f64]| terms.iter().map(|step| by_step_s[*step].abs()).sum::<f64>();
        let all_s: f64 = self.members.iter().map(|its| terms_s(&its.by_step_s)).sum();
        let term = |step: &usize| SumTerm {
            step: *step,
            times: self.times(*step),
            multiplicity: self.multiplicity(*step, finder),
        };
        let terms_of_sum: Vec<SumTerm> = terms.iter().map(term).collect();
        let scale = |its: &&RecordedSum| {
            let point = &self.places.points[its.run];
            let said_s =
                |term: &SumTerm| term.amount(point, 0.5)[0] * self.mean_s(term.step, its).unwrap_or(0.0);
            let scale = terms_s(&its.by_step_s) / terms_of_sum.iter().map(said_s).sum::<f64>();
            if scale.is_finite() { scale } else { 1.0 }
        };
        let scales: Vec<f64> = self.members.iter().map(scale).collect();
        Sum {
            scale: self.scale(&scales, finder),
            terms: terms_of_sum,
            rest: if all_s > 0.0 { all_rest_s / all_s } else { 0.0 },
            runs: self.members.iter().map(|its| its.run).collect(),
        }
    }

    /// How what the members have of the sum depends on the variables; `None` if it hardly does.
    fn scale(&self, scales: &[f64], finder: &mut FormulaFinder) -> Option<Box<FoundFormulas>> {
        if scales.iter().all(|scale| (scale - 1.0).abs() < EVEN) {
            return None;
        }
        let RunPlaces { variables, points, .. } = self.places;
        let points = self.members.iter().map(|its| points[its.run].as_slice());
        Some(Box::new(law(variables, points, scales, finder)))
    }

    /// What says how often a step is in the sums of the members; `None` if one number does as far as that matters, or if it is added in some
    /// and taken off in others.
    fn multiplicity(&self, step: usize, finder: &mut FormulaFinder) -> Option<Multiplicity> {
        let RunPlaces { variables, role_of, .. } = self.places;
        let signed = self.times(step);
        let (mut points, mut times, mut may_miss): (Vec<&[f64]>, Vec<f64>, Vec<f64>) = Default::default();
        for its in &self.members {
            let Some(mean_s) = self.mean_s(step, its) else { continue };
            points.push(&self.places.points[its.run]);
            times.push(signed.signum() * its.by_step_s[step] / mean_s);
            may_miss.push(EVEN * size_s(&its.by_step_s) / mean_s);
        }
        if !Multiplicity::is_of_several(&times) {
            return None;
        }
        if let Some(each) = Multiplicity::each(role_of[step], &points, &times, &may_miss) {
            return Some(each);
        }
        let is_even =
            times.iter().zip(&may_miss).all(|(times, may_miss)| (times - signed.abs()).abs() < *may_miss);
        if is_even || times.iter().any(|times| *times < 0.0) {
            return None;
        }
        let allocating = role_of[step].variable;
        Some(Multiplicity::of(variables, &points, &times, &may_miss, allocating, finder))
    }

    /// Whether formulas of how often each step is in the sum say what all members have: a chain of more processors has the same sum
    /// with more of its middle.
    fn is_one(&self, finder: &mut FormulaFinder) -> bool {
        if !self.has_the_same_steps() {
            return false;
        }
        let sum = self.sum(finder);
        let is_fitted = |term: &SumTerm| !matches!(term.multiplicity, None | Some(Multiplicity::Each(_)));
        if sum.terms.iter().any(is_fitted) && self.count_points() < FEWEST_POINTS {
            return false;
        }
        self.members.iter().all(|its| {
            let point = &self.places.points[its.run];
            sum.terms.iter().all(|term| {
                let [times, ..] = term.amount(point, 0.5);
                let said_s = times.copysign(term.times) * self.mean_s(term.step, its).unwrap_or(0.0);
                (said_s - its.by_step_s[term.step]).abs() < EVEN * size_s(&its.by_step_s)
            })
        })
    }

    fn count_points(&self) -> usize {
        let mut points: Vec<&Vec<f64>> =
            self.members.iter().map(|its| &self.places.points[its.run]).collect();
        points.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
        points.dedup();
        points.len()
    }

    /// What is more than a small share in one is done in most, and there with the same sign where it is done.
    fn has_the_same_steps(&self) -> bool {
        (0..self.places.mean_s.len()).all(|step| {
            let share = |its: &RecordedSum| its.by_step_s[step] / size_s(&its.by_step_s);
            let does = || self.members.iter().filter(|its| self.mean_s(step, its).is_some());
            let is_noted = does().any(|its| share(its).abs() > EVEN);
            let sign = self.times(step).signum();
            !is_noted
                || (2 * does().count() > self.members.len() && does().all(|its| sign * share(its) > SMALL))
        })
    }
}

/// The distinct sums, that of the most runs first.
pub(crate) fn distinct(recorded: &[RecordedSum], places: &RunPlaces, finder: &mut FormulaFinder) -> Vec<Sum> {
    let mut groups: Vec<RunsOfSum> = Vec::new();
    for one in recorded {
        let distances = groups.iter().map(|group| group.distance(one)).enumerate();
        let nearest = distances.min_by(|left, right| left.1.total_cmp(&right.1));
        match nearest {
            Some((group, distance)) if distance < ALIKE => groups[group].members.push(one),
            _ => groups.push(RunsOfSum { members: vec![one], places }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    let groups = united(groups, finder);
    let mut sums: Vec<Sum> = groups.iter().map(|group| group.sum(finder)).collect();
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.runs.len()));
    sums
}

/// Groups that have the same steps, each time all that are one with the first one left.
fn united<'a>(mut groups: Vec<RunsOfSum<'a>>, finder: &mut FormulaFinder) -> Vec<RunsOfSum<'a>> {
    let mut united = Vec::new();
    while !groups.is_empty() {
        let mut first = groups.remove(0);
        let fits = |other: &RunsOfSum<'a>| first.with(other).has_the_same_steps();
        let (alike, others): (Vec<RunsOfSum>, Vec<RunsOfSum>) = groups.into_iter().partition(fits);
        groups = others;
        let all = alike.iter().fold(first.clone(), |all, one| all.with(one));
        if !alike.is_empty() && all.is_one(finder) {
            first = all;
        } else {
            for other in alike {
                let both = first.with(&other);
                match both.is_one(finder) {
                    true => first = both,
                    false => groups.push(other),
                }
            }
        }
        united.push(first);
    }
    united
}
