//! Where a history of runs changes, as they follow each other.
//!
//! # The search
//!
//! Within stretches of many lengths (seeded intervals: Kovács, Bühlmann, Li and Munk 2023) the cut is looked for that sets both sides farthest apart,
//! and [`Difference`] says how probable it is that chance alone does that, whatever the correlation from one run to the next. Beside them stand the values that are farthest above the
//! others in all, and below them, as of a change that was taken back. The least
//! probable of all is a change if it is so when everything that was looked at is counted; then all parts are searched likewise. All
//! histories without a change together give a change at the rate that is asked for at most: `examples/study_alarms.rs` measures it.
//!
//! Values far from the middle of their stretch count as if they were just so far, so that single spikes are none; a change needs
//! [`SHORTEST`] runs on each side.

use std::ops::Range;

use crate::difference::CORRELATIONS;
use crate::runs::{DISTURBED, NORMAL, median, middle};
use crate::{Difference, RunValue, TwoGroups};

/// Fewer runs that agree may all be spikes.
pub const SHORTEST: usize = 3;

/// So many standard deviations from the middle of its stretch a value counts as at most.
const FARTHEST: f64 = 3.0;

/// As many tests each run of a history counts as: what cuts are looked at is not independent. By `examples/study_alarms.rs`.
const USUAL_RUNS: f64 = 30.0;

/// Shorter stretches say too little of how runs scatter, and of how alike those are that follow each other.
const SHORTEST_STRETCH: f64 = 20.0;

/// A jump has to explain values better than a straight line by so many natural units of logarithm.
const JUMP_A_RUN: f64 = 0.06;
const MOST_JUMP: f64 = 6.0;

/// Among fewer runs, correlations up to 0.7 are thought possible.
const FEW_RUNS: usize = 20;
const FEW_CORRELATIONS: usize = 8;

/// There are more ways to cut twice.
const TESTS_OF_TWO_CUTS: f64 = 5.0;

/// How seeded intervals become shorter.
const SHRINK: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// What is asked of a history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryRequest {
    /// How often a history without a change may give one, 0.01 for 1 %.
    pub alarms: f64,
    /// The share of intervals that hold, 0.9 for 90 %.
    pub level: f64,
    /// Whether all runs measured the same points; see [`TwoGroups::same_design`].
    pub same_design: bool,
}

/// What a history shows.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHistory {
    /// Where it changes, in their order.
    pub changes: Vec<ChangePoint>,
    /// What holds between changes: one more than there are changes, none of an empty history.
    pub levels: Vec<Level>,
    /// Runs that are far from all others of their level: spikes, which are no changes.
    pub outlying: Vec<usize>,
}

/// A change. Runs are counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangePoint {
    /// The first run behind it, most likely.
    pub first: usize,
    /// That run is not before this one,
    pub earliest: usize,
    /// and not behind this one, as probable as the request's level says.
    pub latest: usize,
    /// The value before.
    pub before: f64,
    /// The value behind.
    pub after: f64,
    /// The lower end of the interval of the difference.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// How probable it is that a history without a change shows one as clear as this.
    pub chance: f64,
}

/// The value between two changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The runs.
    pub runs: Range<usize>,
    /// Their mean, spikes cut off.
    pub value: f64,
}

/// Finds the changes of a number in runs that follow each other. Fewer than twice [`SHORTEST`] runs show none.
pub fn history(values: &[RunValue], request: &HistoryRequest) -> RunHistory {
    let all = values;
    let values = &without_spikes(values);
    let search = Search { values, request, most: request.alarms / tests(values.len()) };
    let mut found = Vec::new();
    search.cut(0..values.len(), &mut found);
    found.sort_unstable_by_key(|(_, cut)| *cut);
    let (chances, mut cuts): (Vec<f64>, Vec<usize>) = found.into_iter().unzip();
    // Found among other changes, a place may be a better one beside those.
    for index in (0..cuts.len()).chain(0..cuts.len()) {
        let around = around(&cuts, index, values.len());
        if let Some(place) = search.places(&around).first() {
            cuts[index] = place.first;
        }
    }
    let changes = (0..cuts.len()).filter_map(|index| search.change(&cuts, index, chances[index])).collect();
    let ends = cuts.iter().copied().chain((!values.is_empty()).then_some(values.len()));
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let levels: Vec<Level> = starts.zip(ends).map(|(start, end)| search.level(start..end)).collect();
    let outlying = levels.iter().flat_map(|level| outlying(all, &level.runs)).collect();
    RunHistory { changes, levels, outlying }
}

/// As how many independent tests the search counts.
fn tests(count: usize) -> f64 {
    let count = count as f64;
    count * (count / USUAL_RUNS).sqrt()
}

/// The runs between the changes beside one.
fn around(cuts: &[usize], index: usize, count: usize) -> Range<usize> {
    let before = if index == 0 { 0 } else { cuts[index - 1] };
    before..cuts.get(index + 1).copied().unwrap_or(count)
}

/// A place where a stretch may be cut, with the logarithm of how probable it makes what the runs show.
#[derive(Debug, Clone, Copy)]
struct Place {
    first: usize,
    evidence: f64,
}

struct Search<'a> {
    values: &'a [RunValue],
    request: &'a HistoryRequest,
    /// The largest chance that is a change.
    most: f64,
}

impl Search<'_> {
    /// Cuts a stretch, and then both parts.
    fn cut(&self, runs: Range<usize>, cuts: &mut Vec<(f64, usize)>) {
        let values = &self.values[runs.clone()];
        let within = intervals(values.len()).into_iter().filter_map(|stretch| {
            let part = near(&values[stretch.clone()]);
            let cut = farthest_cut(&part)?;
            let chance = self.chance(&part[..cut], &part[cut..])?;
            let is_jump = jumps(&part, cut..part.len());
            is_jump.then_some((chance.max(least_chance(part.len(), cut)), vec![stretch.start + cut]))
        });
        let all = near(values);
        let apart = [1.0, -1.0].into_iter().filter_map(|sign| {
            let inside = farthest_stretch(&all, sign)?;
            let outside = [&all[..inside.start], &all[inside.end..]].concat();
            let chance = TESTS_OF_TWO_CUTS * self.chance(&outside, &all[inside.clone()])?;
            let least = all.len() as f64 * least_chance(all.len(), inside.len());
            jumps(&all, inside.clone()).then_some((chance.max(least), vec![inside.start, inside.end]))
        });
        let best = within.chain(apart).min_by(|(one, _), (other, _)| one.total_cmp(other));
        let Some((chance, ends)) = best.filter(|(chance, _)| *chance <= self.most) else { return };
        let ends: Vec<usize> = ends.iter().map(|end| runs.start + end).collect();
        cuts.extend(ends.iter().map(|end| (chance, *end)));
        let starts = std::iter::once(runs.start).chain(ends.iter().copied());
        for (start, end) in starts.zip(ends.iter().copied().chain([runs.end])) {
            self.cut(start..end, cuts);
        }
    }

    fn chance(&self, before: &[RunValue], after: &[RunValue]) -> Option<f64> {
        let groups = TwoGroups { before, after, same_design: self.request.same_design };
        // Few runs cannot tell very much alike ones from a jump, and would never show any.
        let most = if before.len() + after.len() < FEW_RUNS { FEW_CORRELATIONS } else { CORRELATIONS.len() };
        Some(Difference::with_correlations(&groups, &CORRELATIONS[..most])?.chance())
    }

    fn difference(&self, values: &[RunValue], cut: usize) -> Option<Difference> {
        let (before, after) = values.split_at(cut);
        Difference::of(&TwoGroups { before, after, same_design: self.request.same_design })
    }

    /// The places where a stretch with one change can have it, the most probable first.
    fn places(&self, runs: &Range<usize>) -> Vec<Place> {
        let values = near(&self.values[runs.clone()]);
        let place = |cut: usize| {
            let evidence = self.difference(&values, cut)?.evidence;
            Some(Place { first: runs.start + cut, evidence })
        };
        let last = values.len().saturating_sub(SHORTEST);
        let mut places: Vec<Place> = (SHORTEST..=last).filter_map(place).collect();
        places.sort_by(|one, other| other.evidence.total_cmp(&one.evidence));
        places
    }

    fn change(&self, cuts: &[usize], index: usize, chance: f64) -> Option<ChangePoint> {
        let runs = around(cuts, index, self.values.len());
        let places = self.places(&runs);
        let best = places.first()?;
        let share = |place: &Place| (place.evidence - best.evidence).exp();
        let total: f64 = places.iter().map(share).sum();
        let mut held = 0.0;
        let count = places.iter().take_while(|place| {
            let is_needed = held < self.request.level * total;
            held += share(place);
            is_needed
        });
        let likely: Vec<usize> = count.map(|place| place.first).collect();
        // By itself each side is not far from its middle.
        let (before, after) = (&self.values[runs.start..cuts[index]], &self.values[cuts[index]..runs.end]);
        let found = self.difference(&[near(before), near(after)].concat(), before.len())?;
        let level = self.request.level;
        Some(ChangePoint {
            first: cuts[index],
            earliest: likely.iter().copied().min()?,
            latest: likely.iter().copied().max()?,
            before: found.before,
            after: found.before + found.change,
            lower: found.quantile(0.5 - level / 2.0),
            upper: found.quantile(0.5 + level / 2.0),
            chance: chance / self.most * self.request.alarms,
        })
    }

    fn level(&self, runs: Range<usize>) -> Level {
        let values = near(&self.values[runs.clone()]);
        Level { value: mean(&values), runs }
    }
}

/// So many runs on each side are the neighbours of a run.
const NEIGHBOURS: usize = 3;

/// Of so many runs one may be a spike.
const RUNS_OF_A_SPIKE: usize = 20;

/// The values with single ones that stand far from all around them moved to these: in a history with several levels they may be near to another
/// one.
fn without_spikes(values: &[RunValue]) -> Vec<RunValue> {
    let steps = values.windows(2).map(|pair| (pair[1].value - pair[0].value).abs());
    // Of independent runs a difference has twice the variance.
    let scale = NORMAL * median(steps) * std::f64::consts::FRAC_1_SQRT_2;
    let side = |stretch: Range<usize>| median(values[stretch].iter().map(|run| run.value));
    let sides = |index: usize| {
        let after = index + 1..(index + 1 + NEIGHBOURS).min(values.len());
        [index.saturating_sub(NEIGHBOURS)..index, after].map(side)
    };
    let is_spike = |index: &usize| {
        let apart = sides(*index).map(|side| (values[*index].value - side) / scale);
        let [one, other] = if apart[0].is_nan() { [apart[1]; 2] } else { apart };
        let other = if other.is_nan() { one } else { other };
        one.abs().min(other.abs()) > DISTURBED && one.signum() == other.signum()
    };
    let spikes: Vec<usize> = (0..values.len()).filter(is_spike).collect();
    let mut moved = values.to_vec();
    // Many are how runs scatter.
    if scale > 0.0 && spikes.len() <= (values.len() / RUNS_OF_A_SPIKE).max(1) {
        for index in spikes {
            let near: Vec<f64> = sides(index).into_iter().filter(|side| !side.is_nan()).collect();
            moved[index].value = near.iter().sum::<f64>() / near.len() as f64;
        }
    }
    moved
}

/// The values with those that are far from their middle moved nearer.
fn near(values: &[RunValue]) -> Vec<RunValue> {
    let Some((center, scale)) = middle(values) else { return values.to_vec() };
    let (lowest, highest) = (center - FARTHEST * scale, center + FARTHEST * scale);
    values.iter().map(|run| RunValue { value: run.value.clamp(lowest, highest), ..*run }).collect()
}

/// Whatever the noise, so probable it is that runs in random order set the largest, or the smallest, of them apart by this cut.
fn least_chance(count: usize, cut: usize) -> f64 {
    let ways: f64 = (0..cut.min(count - cut)).map(|of| (count - of) as f64 / (of + 1) as f64).product();
    2.0 / ways
}

/// Whether some values stand apart from the others so that a straight line through all does not explain it nearly as well.
fn jumps(values: &[RunValue], apart: Range<usize>) -> bool {
    let cuts = if apart.end == values.len() { 1.0 } else { 2.0 };
    let count = values.len() as f64;
    let place = |index: usize| index as f64 - 0.5 * (count - 1.0);
    let slope: f64 = values.iter().enumerate().map(|(index, run)| place(index) * run.value).sum();
    let along_line = slope.powi(2) / (count * (count * count - 1.0) / 12.0);
    let around_line = squares(values) - along_line;
    let others = [&values[..apart.start], &values[apart.end..]].concat();
    let around_levels = squares(&values[apart]) + squares(&others);
    0.5 * count * (around_line / around_levels).ln() >= cuts * (JUMP_A_RUN * count).min(MOST_JUMP)
}

/// The squares about the mean.
fn squares(values: &[RunValue]) -> f64 {
    let mean = mean(values);
    values.iter().map(|run| (run.value - mean).powi(2)).sum()
}

fn mean(values: &[RunValue]) -> f64 {
    values.iter().map(|run| run.value).sum::<f64>() / values.len() as f64
}

/// Stretches of a history, of many lengths and at many places.
fn intervals(count: usize) -> Vec<Range<usize>> {
    let mut intervals = Vec::new();
    let mut length = count as f64;
    while intervals.is_empty() || length >= SHORTEST_STRETCH {
        let steps = (2.0 * (count as f64 / length - 1.0)).ceil().max(0.0);
        for step in 0..=steps as usize {
            let start = if steps > 0.0 { (count as f64 - length) * step as f64 / steps } else { 0.0 };
            intervals.push(start.floor() as usize..((start + length).ceil() as usize).min(count));
        }
        length *= SHRINK;
    }
    intervals
}

/// The cut whose sides have means farthest apart for how many runs they have.
fn farthest_cut(values: &[RunValue]) -> Option<usize> {
    let total: f64 = values.iter().map(|run| run.value).sum();
    let mut sum = 0.0;
    let mut best: Option<(f64, usize)> = None;
    for (index, run) in values.iter().enumerate() {
        let (before, after) = (index as f64, (values.len() - index) as f64);
        if index >= SHORTEST && values.len() - index >= SHORTEST {
            let apart = (sum / before - (total - sum) / after).abs() * (before * after).sqrt();
            if best.is_none_or(|(most, _)| apart > most) {
                best = Some((apart, index));
            }
        }
        sum += run.value;
    }
    best.map(|(_, cut)| cut)
}

/// The stretch with neighbours on both sides whose values are farthest above the mean in all, or below it for the sign -1.
fn farthest_stretch(values: &[RunValue], sign: f64) -> Option<Range<usize>> {
    let mean = mean(values);
    let (mut sum, mut start) = (0.0, SHORTEST);
    let mut best: Option<(f64, Range<usize>)> = None;
    let last = values.len().saturating_sub(SHORTEST);
    for (index, run) in values.iter().enumerate().take(last).skip(SHORTEST) {
        if sum <= 0.0 {
            (sum, start) = (0.0, index);
        }
        sum += sign * (run.value - mean);
        if best.as_ref().is_none_or(|(most, _)| sum > *most) {
            best = Some((sum, start..index + 1));
        }
    }
    best.map(|(_, stretch)| stretch).filter(|stretch| stretch.len() >= SHORTEST)
}

/// The runs of a level that are far from its middle.
fn outlying(values: &[RunValue], runs: &Range<usize>) -> Vec<usize> {
    let of_level = &values[runs.clone()];
    let Some((center, scale)) = middle(of_level) else { return Vec::new() };
    let center = if center.is_finite() { center } else { median(of_level.iter().map(|run| run.value)) };
    let is_far = |index: &usize| (values[*index].value - center).abs() > DISTURBED * scale;
    runs.clone().filter(is_far).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: HistoryRequest = HistoryRequest { alarms: 0.01, level: 0.9, same_design: true };

    /// About 1, with noise of 2 % that is always the same, and more from `first` on.
    fn values(count: u64, first: u64, rise: f64) -> Vec<RunValue> {
        let noise = |run: u64| {
            let mut z = (run + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let value = |run: u64| (1.0 + 0.02 * noise(run)) * if run < first { 1.0 } else { rise };
        (0..count).map(|run| RunValue { value: value(run), variance: 0.0 }).collect()
    }

    #[test]
    fn a_jump_is_found_with_its_place_and_size() {
        let found = history(&values(40, 22, 1.08), &REQUEST);
        let [change] = &found.changes[..] else { panic!("{found:?}") };
        assert!(change.first == 22 && change.earliest <= 22 && change.latest >= 22, "{change:?}");
        assert!(change.lower < 0.08 && change.upper > 0.08 && change.lower > 0.06, "{change:?}");
        assert!(change.chance < 1e-3, "{change:?}");
        assert_eq!(found.levels.iter().map(|level| level.runs.clone()).collect::<Vec<_>>(), [0..22, 22..40]);
        assert_eq!(history(&values(40, 40, 1.0), &REQUEST).changes, []);
    }

    #[test]
    fn up_and_down_again_are_two_changes() {
        let mut values = values(60, 30, 1.1);
        let lower = |run: &mut RunValue| run.value /= 1.1;
        values[40..].iter_mut().for_each(lower);
        let found = history(&values, &REQUEST);
        let places: Vec<usize> = found.changes.iter().map(|change| change.first).collect();
        assert_eq!(places, [30, 40]);
    }

    #[test]
    fn a_spike_is_named_and_no_change() {
        let mut values = values(30, 30, 1.0);
        values[12].value = 2.0;
        values[29].value = 1.5;
        let found = history(&values, &REQUEST);
        assert_eq!((found.changes.len(), found.outlying), (0, vec![12, 29]));
    }

    #[test]
    fn a_drift_is_no_jump() {
        let mut values = values(100, 100, 1.0);
        for (run, value) in values.iter_mut().enumerate() {
            value.value *= 1.0 + 0.0004 * run as f64;
        }
        assert_eq!(history(&values, &REQUEST).changes, []);
    }

    #[test]
    fn exact_values_and_few_values_are_judged_too() {
        let exact = |value: f64| RunValue { value, variance: 0.0 };
        let mut values = vec![exact(5.0); 30];
        assert_eq!(history(&values, &REQUEST).changes, []);
        values[24..].fill(exact(5.1));
        let found = history(&values, &REQUEST);
        assert_eq!(found.changes.iter().map(|change| change.first).collect::<Vec<_>>(), [24]);
        assert_eq!(history(&values[22..27], &REQUEST).changes, [], "five are too few");
        let none = history(&[], &REQUEST);
        assert_eq!((none.changes.len(), none.levels.len()), (0, 0));
    }
}
