use call_model::RunFit;

/// A number as one run has it: a constant, or the time at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunValue {
    /// The number.
    pub value: f64,
    /// Its variance as far as noise within the run explains it; NaN if that is not known.
    pub variance: f64,
    /// The variance of what rounding of the measurements may have made of it, alike in all runs that scatter by less than a step; 0 for
    /// measurements of many digits.
    pub rounding: f64,
}

/// The row of terms of which so many constants make the one at a position alone.
pub fn terms_of_constant(position: usize, constants: usize) -> Vec<f64> {
    (0..constants).map(|its| f64::from(u8::from(its == position))).collect()
}

/// The number that a row of terms ([`call_model::Model::placed_terms`]) makes of each run; none where a run does not determine it.
pub fn run_values<'a>(
    fits: impl Iterator<Item = &'a RunFit> + Clone,
    terms: &[f64],
) -> Vec<Option<RunValue>> {
    // What one run has in tenths by chance, another of the same tool shows to be in hundredths.
    let step = |fit: &RunFit| fit.rounding.as_ref().map_or(0.0, |rounding| rounding.step);
    let finest = fits.clone().map(step).fold(f64::INFINITY, f64::min);
    let value = |fit: &RunFit| {
        let (value, variance) = fit.at(terms).filter(|(value, _)| value.is_finite())?;
        let rounding = fit.rounding_variance(terms, finest);
        Some(RunValue { value, variance, rounding })
    };
    fits.map(value).collect()
}

/// A number as several runs have it, before and after a change. Within each group they stand in the order in which they were run.
#[derive(Debug, Clone, Copy)]
pub struct TwoGroups<'a> {
    /// The runs of the baseline.
    pub before: &'a [RunValue],
    /// The new runs.
    pub after: &'a [RunValue],
    /// Whether all runs measured the same points: what the formula misses is then the same in all of them, and how they scatter says all.
    pub same_design: bool,
}

/// The same runs as if their measurements had all digits.
pub(crate) fn unrounded(runs: &[RunValue]) -> Vec<RunValue> {
    runs.iter().map(|run| RunValue { rounding: 0.0, ..*run }).collect()
}

/// The median of some numbers; NaN if there are none.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => (values[count / 2 - 1] + values[count / 2]) / 2.0,
    }
}

/// What makes the median distance from the median the standard deviation of normal numbers.
pub(crate) const NORMAL: f64 = 1.4826;

/// So many standard deviations from the others a run is one that was disturbed.
pub(crate) const DISTURBED: f64 = 6.0;

/// So many runs tell how far runs scatter without being misled by a few of them.
const ENOUGH_RUNS: usize = 8;

/// How runs scatter by the middle half of them, and about what; none if too few are there, or more than half are the same.
pub(crate) fn middle(values: &[RunValue]) -> Option<(f64, f64)> {
    let center = median(values.iter().map(|run| run.value));
    let scale = NORMAL * median(values.iter().map(|run| (run.value - center).abs()));
    (values.len() >= ENOUGH_RUNS && scale > 0.0).then_some((center, scale))
}

/// The runs of a baseline with a disturbed one moved to where runs just count as undisturbed: a single spike says that there are spikes, and
/// shall not hide everything. Several are how the runs of this machine scatter, and stay.
pub(crate) fn clipped(before: &[RunValue]) -> Vec<RunValue> {
    let Some((center, scale)) = middle(before) else { return before.to_vec() };
    let (lowest, highest) = (center - DISTURBED * scale, center + DISTURBED * scale);
    let is_far = |run: &&RunValue| run.value < lowest || run.value > highest;
    if before.iter().filter(is_far).count() != 1 {
        return before.to_vec();
    }
    before.iter().map(|run| RunValue { value: run.value.clamp(lowest, highest), ..*run }).collect()
}

/// The new run that is far from the others, which agree: a spike is no change. Only one of at least three can be told from a change.
pub(crate) fn spike(groups: &TwoGroups) -> Option<usize> {
    let after = groups.after;
    if after.len() < 3 {
        return None;
    }
    let (_, scale) = middle(groups.before)?;
    let center = median(after.iter().map(|run| run.value));
    let is_far = |run: &&RunValue| (run.value - center).abs() > DISTURBED * scale;
    let mut far = after.iter().enumerate().filter(|(_, run)| is_far(run));
    let (first, None) = (far.next()?.0, far.next()) else { return None };
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(values: &[f64]) -> Vec<RunValue> {
        values.iter().map(|&value| RunValue { value, variance: 0.0, rounding: 0.0 }).collect()
    }

    fn largest(values: &[f64]) -> f64 {
        clipped(&runs(values)).iter().map(|run| run.value).fold(0.0, f64::max)
    }

    #[test]
    fn one_spike_of_a_baseline_is_moved_and_several_are_not() {
        let mut values = [9.8, 9.9, 10.0, 10.1, 10.2, 9.9, 10.1, 10.0, 15.0];
        assert!(largest(&values) < 11.0);
        values[3] = 14.0;
        assert_eq!(largest(&values), 15.0);
        assert_eq!(largest(&[10.0, 15.0]), 15.0, "two runs do not say which of them is one");
    }

    #[test]
    fn a_spike_is_one_of_three_that_is_far_from_two_that_agree() {
        let before = runs(&[9.8, 9.9, 10.0, 10.1, 10.2, 9.9, 10.1, 10.0]);
        let spike_of =
            |after: &[f64]| spike(&TwoGroups { before: &before, after: &runs(after), same_design: true });
        assert_eq!(spike_of(&[10.0, 13.0, 10.1]), Some(1));
        assert_eq!(spike_of(&[13.0, 13.1, 10.0]), Some(2));
        assert_eq!(spike_of(&[10.0, 13.0]), None);
        assert_eq!(spike_of(&[10.0, 13.0, 16.0, 10.0]), None, "two are no accident");
    }
}
