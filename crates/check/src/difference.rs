//! How far the means of two groups of runs are apart, and how sure that is.
//!
//! # The model
//!
//! The value of a run is μ + u + e: μ is what its group has in common; u is what makes runs differ (a random effect: the state of the machine, memory
//! layout, other users) with an unknown variance σ² that both groups share; e is noise within the run, whose variance the fit tells. Runs that follow
//! each other are alike: u has the correlation ρ from one run to the next (a first-order autoregression), which nobody knows either. What is known of
//! the difference of both μ is therefore a mixture: for each ρ the generalised least squares estimate has Student's t distribution with as
//! many degrees of freedom as there are runs less two, and each ρ is as probable as the runs make it (the restricted likelihood with σ integrated out; before
//! the runs speak ρ has the density 2 (1 - ρ), so that independent runs are the most probable and none are all alike). Few runs say little about ρ, and
//! the interval is wide; twenty narrow it down.
//!
//! Where all runs measured the same points their values are equally good and their scatter says all: for ρ = 0 this is the t-test of two groups.
//! Where they did not, each run has the variance τ² + v of its own, with τ² such that the squares about the means are as large as expected (Paule
//! and Mandel 1982), and nothing is surer than the noise within runs allows (Hartung and Knapp's variance, not below 1). How probable the runs are is
//! then the density of the values themselves, so that ways to part them into groups can be compared whose τ² differ.
//!
//! Measurements that were rounded hide what is smaller than a step: runs that scatter by less are all rounded alike, and more of them do not tell more.
//! The mean of values rounded to multiples of q that scatter normally by s is off by at most (q/π) exp(-2 π² s²/q²), so that of the variance q²/12 of a
//! single error the share exp(-4 π² s²/q²) stays in the mean, and makes the interval wider.
//!
//! The chain of each group starts anew, as new runs are made later than those of the baseline.

use call_model::student_share;

use crate::runs::{RunValue, TwoGroups};

/// What is known of the difference of two groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Mean of the runs before.
    pub before: f64,
    /// Mean of the new runs less that of the runs before.
    pub change: f64,
    /// Logarithm of how probable what the runs show is, up to what is the same for all ways to part them into two groups.
    pub(crate) evidence: f64,
    components: Vec<DifferenceGivenCorrelation>,
}

/// What is known of it if the correlation is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DifferenceGivenCorrelation {
    pub probability: f64,
    pub before: f64,
    pub change: f64,
    pub scale: f64,
    /// The same of the mean of the new runs alone.
    pub scale_after: f64,
    pub freedom: usize,
}

/// Correlations from one run to the next that are thought possible.
pub(crate) const CORRELATIONS: [f64; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// How probable a correlation is before the runs speak.
pub(crate) fn independent_most(correlation: f64) -> f64 {
    1.0 - correlation
}

/// A single run may be a spike, and others do not tell how large those are: it counts as a number from a distribution with heavy tails.
const FREEDOM_OF_SINGLE: usize = 3;

/// Rounding leaves equal values so far apart, relative to them.
pub(crate) const ROUNDING: f64 = 1e-12;

impl Difference {
    /// The difference of two groups; none if nothing tells how runs scatter: three runs are needed, with one in each group.
    pub fn of(groups: &TwoGroups) -> Option<Difference> {
        Difference::with_prior(groups, independent_most)
    }

    /// The same with other densities of correlations before the runs speak.
    pub(crate) fn with_prior(groups: &TwoGroups, prior: impl Fn(f64) -> f64) -> Option<Difference> {
        let (before, after) = (groups.before, groups.after);
        if before.is_empty() || after.is_empty() || before.len() + after.len() < 3 {
            return None;
        }
        let all = || before.iter().chain(after);
        let is_known = all().all(|run| run.value.is_finite());
        if !is_known {
            return None;
        }
        let mut freedom = before.len() + after.len() - 2;
        if before.len() == 1 || after.len() == 1 {
            freedom = freedom.min(FREEDOM_OF_SINGLE);
        }
        let least = match groups.same_design {
            true => 0.0,
            false => 1.0,
        };
        let between = if groups.same_design { None } else { variance_between(before, after) };
        let deviation = |run: &RunValue| match between {
            Some(between) => (between + run.variance.max(0.0)).sqrt(),
            None => 1.0,
        };
        let size = all().map(|run| (run.value / deviation(run)).powi(2)).sum::<f64>();
        let scatter = scatter(before, after);
        let log_deviations: f64 = all().map(|run| deviation(run).ln()).sum();
        let [hidden_before, hidden_after] = [before, after].map(|group| hidden_by_rounding(group, scatter));
        let parts = CORRELATIONS.iter().map(|&correlation| {
            let [old, new] = [before, after].map(|group| DecorrelatedRuns::of(group, deviation, correlation));
            let squares = (old.squares + new.squares).max(ROUNDING.powi(2) * size);
            let found = (before.len() + after.len() - 2) as f64;
            let likelihood = prior(correlation).ln()
                - log_deviations
                - 0.5 * (old.log_determinant + new.log_determinant)
                - 0.5 * (old.information.ln() + new.information.ln())
                - 0.5 * found * squares.ln();
            // Between runs that are alike for their noise within runs alone there is nothing to learn from their scatter.
            let floor = if between.is_some() { least } else { 0.0 };
            let variance = (squares / found).max(floor);
            let after = variance / new.information + hidden_after;
            let scale = (variance / old.information + hidden_before + after).sqrt();
            let scale_after = after.sqrt();
            let (before, change) = (old.mean, new.mean - old.mean);
            (
                likelihood,
                DifferenceGivenCorrelation { probability: 0.0, before, change, scale, scale_after, freedom },
            )
        });
        Some(Difference::mixed(&parts.collect::<Vec<_>>()))
    }

    /// What is known from components with the logarithms of how probable each makes the runs.
    pub(crate) fn mixed(parts: &[(f64, DifferenceGivenCorrelation)]) -> Difference {
        let largest = parts.iter().map(|(likelihood, _)| *likelihood).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = parts.iter().map(|(likelihood, _)| (likelihood - largest).exp()).sum();
        let probable = |(likelihood, component): &(f64, DifferenceGivenCorrelation)| {
            DifferenceGivenCorrelation { probability: (likelihood - largest).exp() / total, ..*component }
        };
        let components: Vec<DifferenceGivenCorrelation> = parts.iter().map(probable).collect();
        let mean = |part: fn(&DifferenceGivenCorrelation) -> f64| {
            components.iter().map(|it| it.probability * part(it)).sum()
        };
        let (before, change) = (mean(|it| it.before), mean(|it| it.change));
        Difference { before, change, evidence: largest + total.ln(), components }
    }

    /// How probable it is that the difference is below `limit`: for 0, that chance alone makes new runs take so much longer.
    pub fn below(&self, limit: f64) -> f64 {
        let share = |it: &DifferenceGivenCorrelation| share_below(limit - it.change, it.scale, it.freedom);
        self.components.iter().map(|it| it.probability * share(it)).sum()
    }

    /// How probable it is that chance alone sets both groups so far apart, whichever is larger.
    pub fn chance(&self) -> f64 {
        let below = self.below(0.0);
        (2.0 * below.min(1.0 - below)).min(1.0)
    }

    /// How probable it is that the mean of the new runs themselves is below `limit`.
    pub fn after_below(&self, limit: f64) -> f64 {
        let share = |it: &DifferenceGivenCorrelation| {
            share_below(limit - (it.before + it.change), it.scale_after, it.freedom)
        };
        self.components.iter().map(|it| it.probability * share(it)).sum()
    }

    /// The difference that is exceeded with the probability 1 - `share`.
    pub fn quantile(&self, share: f64) -> f64 {
        let reach = self.components.iter().map(|it| it.scale).fold(0.0, f64::max);
        let (mut low, mut high) = (self.change - reach, self.change + reach);
        let mut step = reach;
        while step > 0.0 && step.is_finite() && self.below(low) > share {
            step *= 2.0;
            low -= step;
        }
        step = reach;
        while step > 0.0 && step.is_finite() && self.below(high) < share {
            step *= 2.0;
            high += step;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            match self.below(middle) < share {
                true => low = middle,
                false => high = middle,
            }
        }
        0.5 * (low + high)
    }

    /// The standard deviation of a run that makes the middle 68 % of what is known as wide as they are, for so many runs in the groups.
    pub(crate) fn deviation_of_run(&self, before: usize, after: usize) -> f64 {
        let half = 0.5 * (self.quantile(0.84) - self.quantile(0.16));
        half / (1.0 / before as f64 + 1.0 / after as f64).sqrt()
    }
}

/// The variance of runs about the means of their groups.
fn scatter(before: &[RunValue], after: &[RunValue]) -> f64 {
    let squares = |group: &[RunValue]| -> f64 {
        let mean = group.iter().map(|run| run.value).sum::<f64>() / group.len() as f64;
        group.iter().map(|run| (run.value - mean).powi(2)).sum()
    };
    (squares(before) + squares(after)) / (before.len() + after.len() - 2) as f64
}

/// The variance that rounding leaves in the mean of a group whose runs have this variance, which with a step q is q²/12 for those that are all alike.
pub(crate) fn hidden_by_rounding(group: &[RunValue], scatter: f64) -> f64 {
    let single = group.iter().map(|run| run.rounding).sum::<f64>() / group.len() as f64;
    if single > 0.0 { single * (-std::f64::consts::PI.powi(2) / 3.0 * scatter / single).exp() } else { 0.0 }
}

/// The share of a distribution below what is so far from its centre.
fn share_below(distance: f64, scale: f64, freedom: usize) -> f64 {
    match scale == 0.0 {
        true if distance == 0.0 => 0.5,
        true => f64::from(u8::from(distance > 0.0)),
        false => student_share(distance / scale, freedom),
    }
}

/// A group of runs freed from its correlation.
struct DecorrelatedRuns {
    mean: f64,
    information: f64,
    /// Squares about the mean.
    squares: f64,
    log_determinant: f64,
}

impl DecorrelatedRuns {
    fn of(group: &[RunValue], deviation: impl Fn(&RunValue) -> f64, correlation: f64) -> DecorrelatedRuns {
        let shrink = (1.0 - correlation * correlation).sqrt();
        let mut rows = Vec::with_capacity(group.len());
        let mut last: Option<(f64, f64)> = None;
        for run in group {
            let one = 1.0 / deviation(run);
            let value = run.value * one;
            rows.push(match last {
                None => (one, value),
                Some((x, y)) => ((one - correlation * x) / shrink, (value - correlation * y) / shrink),
            });
            last = Some((one, value));
        }
        let information: f64 = rows.iter().map(|(x, _)| x * x).sum();
        let mean = rows.iter().map(|(x, y)| x * y).sum::<f64>() / information;
        let squares = rows.iter().map(|(x, y)| (y - mean * x).powi(2)).sum();
        let log_determinant = 2.0 * (group.len() - 1) as f64 * shrink.ln();
        DecorrelatedRuns { mean, information, squares, log_determinant }
    }
}

/// The variance between runs that makes squares about the means of the groups as large as expected; none if that within runs is not known.
pub(crate) fn variance_between(before: &[RunValue], after: &[RunValue]) -> Option<f64> {
    let all = || before.iter().chain(after);
    if all().any(|run| !run.variance.is_finite()) || all().all(|run| run.variance <= 0.0) {
        return None;
    }
    let expected = (before.len() + after.len() - 2) as f64;
    let squares = |between: f64| -> f64 {
        let of_group = |group: &[RunValue]| {
            let weights = || group.iter().map(move |run| 1.0 / (between + run.variance.max(0.0)));
            let total: f64 = weights().sum();
            let mean = weights().zip(group).map(|(weight, run)| weight * run.value).sum::<f64>() / total;
            weights().zip(group).map(|(weight, run)| weight * (run.value - mean).powi(2)).sum::<f64>()
        };
        of_group(before) + of_group(after)
    };
    let least =
        all().map(|run| run.variance).filter(|variance| *variance > 0.0).fold(f64::INFINITY, f64::min);
    let mut high = least * 1e-6;
    if squares(high) <= expected {
        return Some(high);
    }
    let mut low = high;
    while squares(high) > expected {
        low = high;
        high *= 4.0;
    }
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        match squares(middle) > expected {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(values: &[f64]) -> Vec<RunValue> {
        values.iter().map(|&value| RunValue { value, variance: 0.01, rounding: 0.0 }).collect()
    }

    #[test]
    fn without_correlation_it_is_the_t_test_of_two_groups() {
        // t = 3.757359 with 6 degrees of freedom, by hand from the sums of squares 0.1 and 0.126667.
        let (before, after) = (runs(&[5.1, 5.3, 4.9, 5.2, 5.0]), runs(&[5.6, 5.4, 5.9]));
        let groups = TwoGroups { before: &before, after: &after, same_design: true };
        let found =
            Difference::with_prior(&groups, |correlation| f64::from(u8::from(correlation == 0.0))).unwrap();
        assert!((found.change - 0.533_333_333).abs() < 1e-8);
        assert!((found.below(0.0) - 0.004_713_7).abs() < 1e-6, "{}", found.below(0.0));
        assert!((found.below(found.quantile(0.05)) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn correlation_makes_it_less_sure() {
        let alike: Vec<f64> = (0..30).map(|run| 5.0 + 0.1 * f64::from(run / 6 % 2)).collect();
        let apart: Vec<f64> = (0..30).map(|run| 5.0 + 0.1 * f64::from(run % 2)).collect();
        let after = runs(&[5.2, 5.21, 5.19]);
        let chance = |values: &[f64]| {
            let before = runs(values);
            let groups = TwoGroups { before: &before, after: &after, same_design: true };
            Difference::of(&groups).unwrap().below(0.0)
        };
        assert!(chance(&alike) > 5.0 * chance(&apart), "{} {}", chance(&alike), chance(&apart));
    }

    #[test]
    fn with_other_points_nothing_is_surer_than_noise_within_runs() {
        let (before, after) = (runs(&[5.0, 5.001, 4.999]), runs(&[5.05, 5.051, 5.049]));
        let of = |same_design| {
            let groups = TwoGroups { before: &before, after: &after, same_design };
            Difference::of(&groups).unwrap().below(0.0)
        };
        assert!(of(true) < 1e-3 && of(false) > 0.2, "{} {}", of(true), of(false));
    }

    #[test]
    fn what_is_smaller_than_a_step_is_hidden_unless_runs_scatter() {
        let rounded = |values: &[f64]| -> Vec<RunValue> {
            let round = |value: &f64| RunValue {
                value: (value / 0.01).round() * 0.01,
                variance: 0.0,
                rounding: 1e-4 / 12.0,
            };
            values.iter().map(round).collect()
        };
        let of = |before: &[f64], after: &[f64]| {
            let (before, after) = (rounded(before), rounded(after));
            Difference::of(&TwoGroups { before: &before, after: &after, same_design: true }).unwrap()
        };
        let alike = of(&[0.1349; 8], &[0.1351; 8]);
        assert!(alike.chance() > 0.01 && alike.quantile(0.01) < 0.0002, "{alike:?}");
        assert!(of(&[0.13; 8], &[0.17; 8]).below(0.0) < 1e-3, "four steps are no rounding");
        let scattered =
            |shift: f64| (0..12).map(|run| 0.13 + shift + 0.02 * f64::from(run % 5)).collect::<Vec<f64>>();
        let (before, after) = (scattered(0.0), scattered(0.05));
        let plain = |values: &[f64]| {
            values.iter().map(|&value| RunValue { value, variance: 0.0, rounding: 0.0 }).collect::<Vec<_>>()
        };
        let exact =
            Difference::of(&TwoGroups { before: &plain(&before), after: &plain(&after), same_design: true })
                .unwrap();
        let found = of(&before, &after);
        assert!((found.quantile(0.05) / exact.quantile(0.05) - 1.0).abs() < 0.05, "{found:?} {exact:?}");
    }

    #[test]
    fn two_runs_say_nothing() {
        let one = runs(&[5.0]);
        assert!(Difference::of(&TwoGroups { before: &one, after: &one, same_design: true }).is_none());
    }
}
