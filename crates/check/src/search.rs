//! The search for cuts: see [`crate::history`].

use std::ops::Range;

use crate::change_points::{ChangePoint, Drift, HistoryRequest, SteadyValue};
use crate::difference::independent_most;
use crate::line::{along_line, squares_about_line};
use crate::runs::middle;
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

/// Correlations above this one make a few runs a single one, which shows no change ever.
const STRONG: f64 = 0.75;

/// So many runs, and fewer, are not thought to be so much alike; from so many on they may be, and between the more of them the more.
const WEAK_RUNS: f64 = 20.0;
const STRONG_RUNS: f64 = 30.0;

/// Up to so many times the chance of false alarms it is not told whether there is a change.
const DOUBTFUL: f64 = 10.0;

/// Fewer runs show no line.
const SHORTEST_LINE: usize = 20;

/// A line is looked for in each stretch between cuts.
const TESTS_OF_LINES: f64 = 10.0;

/// There are more ways to cut twice.
const TESTS_OF_TWO_CUTS: f64 = 5.0;

/// How probable a correlation is before so many runs speak.
fn prior(runs: usize) -> impl Fn(f64) -> f64 {
    let strong = ((runs as f64 - WEAK_RUNS) / (STRONG_RUNS - WEAK_RUNS)).clamp(0.0, 1.0);
    move |correlation| independent_most(correlation) * if correlation > STRONG { strong } else { 1.0 }
}

/// How seeded intervals become shorter.
const SHRINK: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// As how many independent tests the search counts.
fn tests(count: usize) -> f64 {
    let count = count as f64;
    count * (count / USUAL_RUNS).sqrt()
}

/// The runs between the changes beside one.
pub(crate) fn around(cuts: &[usize], index: usize, count: usize) -> Range<usize> {
    let before = if index == 0 { 0 } else { cuts[index - 1] };
    before..cuts.get(index + 1).copied().unwrap_or(count)
}

/// A place where a stretch may be cut, with the logarithm of how probable it makes what the runs show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutPlace {
    pub first: usize,
    evidence: f64,
}

/// What cuts a stretch best.
struct Cut {
    ends: Vec<usize>,
    /// How probable it is that chance alone does that, as far as the values say, with all that was looked at.
    by_values: f64,
    /// As seldom no order of the runs can come to it by chance.
    by_order: f64,
    /// Whether a straight line does not explain it nearly as well.
    is_jump: bool,
}

impl Cut {
    fn chance(&self) -> f64 {
        self.by_values.max(self.by_order)
    }
}

/// What a search has found.
#[derive(Debug, Default)]
pub(crate) struct FoundCuts {
    /// Chances and first runs of changes.
    pub cuts: Vec<(f64, usize)>,
    /// Where values show a change that so few runs cannot tell, whatever they are: the stretch that was searched, and where it would be cut.
    pub untold: Vec<(Range<usize>, Vec<usize>)>,
}

pub(crate) struct CutSearch<'a> {
    /// Without single spikes.
    values: &'a [RunValue],
    /// With them.
    all: &'a [RunValue],
    request: &'a HistoryRequest,
    tests: f64,
}

impl<'a> CutSearch<'a> {
    /// A search in values without spikes, beside those with them.
    pub fn of(values: &'a [RunValue], all: &'a [RunValue], request: &'a HistoryRequest) -> CutSearch<'a> {
        CutSearch { values, all, request, tests: tests(values.len()) }
    }

    /// All changes.
    pub fn all(&self) -> FoundCuts {
        let mut found = FoundCuts::default();
        self.cut(0..self.values.len(), &mut found);
        found.cuts.sort_unstable_by_key(|(_, cut)| *cut);
        found
    }

    /// Cuts a stretch, and then both parts.
    fn cut(&self, runs: Range<usize>, found: &mut FoundCuts) {
        let candidates = self.candidates(&self.values[runs.clone()], &self.all[runs.clone()]);
        let jumps = candidates.iter().filter(|cut| cut.is_jump);
        let best = jumps.min_by(|one, other| one.chance().total_cmp(&other.chance()));
        let moved = |cut: &Cut| cut.ends.iter().map(|end| runs.start + end).collect::<Vec<_>>();
        let Some(best) = best.filter(|cut| cut.chance() <= self.request.alarms) else {
            let clear = candidates.iter().filter(|cut| cut.by_values <= DOUBTFUL * self.request.alarms);
            let clearest = clear.min_by(|one, other| one.by_values.total_cmp(&other.by_values));
            found.untold.extend(clearest.map(|cut| (runs.clone(), moved(cut))));
            return;
        };
        let ends = moved(best);
        found.cuts.extend(ends.iter().map(|end| (best.chance(), *end)));
        let starts = std::iter::once(runs.start).chain(ends.iter().copied());
        for (start, end) in starts.zip(ends.iter().copied().chain([runs.end])) {
            self.cut(start..end, found);
        }
    }

    /// The best cut of each part of a stretch, and the parts of it that stand apart.
    fn candidates(&self, values: &[RunValue], raw: &[RunValue]) -> Vec<Cut> {
        let intervals = intervals(values.len());
        let looks = intervals.len() as f64;
        let within = intervals.into_iter().filter_map(|stretch| {
            let part = near(&values[stretch.clone()]);
            let cut = farthest_cut(&part)?;
            let by_values = self.tests * self.chance(&part[..cut], &part[cut..])?;
            let by_order = looks * self.by_order(&raw[stretch.clone()], cut..part.len());
            let ends = vec![stretch.start + cut];
            Some(Cut { ends, by_values, by_order, is_jump: jumps(&part, cut..part.len()) })
        });
        let all = near(values);
        let apart = [1.0, -1.0].into_iter().filter_map(|sign| {
            let inside = farthest_stretch(&all, sign)?;
            let outside = [&all[..inside.start], &all[inside.end..]].concat();
            let by_values = self.tests * TESTS_OF_TWO_CUTS * self.chance(&outside, &all[inside.clone()])?;
            let by_order = all.len() as f64 * self.by_order(raw, inside.clone());
            let ends = vec![inside.start, inside.end];
            Some(Cut { ends, by_values, by_order, is_jump: jumps(&all, inside) })
        });
        within.chain(apart).collect()
    }

    /// As seldom some values are set apart from all others by chance. One order does that where all of them are above the others, or below; many orders
    /// come near to it, and then all tests count.
    fn by_order(&self, values: &[RunValue], apart: Range<usize>) -> f64 {
        let others = || values[..apart.start].iter().chain(&values[apart.end..]).map(|run| run.value);
        let own = || values[apart.clone()].iter().map(|run| run.value);
        let is_above = own().fold(f64::INFINITY, f64::min) > others().fold(f64::NEG_INFINITY, f64::max);
        let is_below = own().fold(f64::NEG_INFINITY, f64::max) < others().fold(f64::INFINITY, f64::min);
        let tests = if is_above || is_below { 1.0 } else { self.tests };
        tests * least_chance(values.len(), apart.len())
    }

    fn chance(&self, before: &[RunValue], after: &[RunValue]) -> Option<f64> {
        let groups = TwoGroups { before, after, same_design: self.request.same_design };
        Some(Difference::with_prior(&groups, prior(before.len() + after.len()))?.chance())
    }

    fn difference(&self, values: &[RunValue], cut: usize) -> Option<Difference> {
        let (before, after) = values.split_at(cut);
        Difference::of(&TwoGroups { before, after, same_design: self.request.same_design })
    }

    /// The places where a stretch with one change can have it, the most probable first.
    pub fn places(&self, runs: &Range<usize>) -> Vec<CutPlace> {
        let values = near(&self.values[runs.clone()]);
        let place = |cut: usize| {
            let evidence = self.difference(&values, cut)?.evidence;
            Some(CutPlace { first: runs.start + cut, evidence })
        };
        let last = values.len().saturating_sub(SHORTEST);
        let mut places: Vec<CutPlace> = (SHORTEST..=last).filter_map(place).collect();
        places.sort_by(|one, other| other.evidence.total_cmp(&one.evidence));
        places
    }

    pub fn change(&self, cuts: &[usize], index: usize, chance: f64) -> Option<ChangePoint> {
        let runs = around(cuts, index, self.values.len());
        let places = self.places(&runs);
        let best = places.first()?;
        let share = |place: &CutPlace| (place.evidence - best.evidence).exp();
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
            chance,
        })
    }

    pub fn level(&self, runs: Range<usize>) -> SteadyValue {
        let values = near(&self.values[runs.clone()]);
        SteadyValue { value: mean(&values), drift: self.drift(&values), runs }
    }

    /// Whether values grow or shrink steadily: surely, and so that no single cut explains them as well.
    fn drift(&self, values: &[RunValue]) -> Option<Drift> {
        if values.len() < SHORTEST_LINE {
            return None;
        }
        let found = along_line(values, self.request.same_design)?;
        // Beside the cuts that were looked for.
        let chance = TESTS_OF_LINES * found.chance();
        let about_levels = |cut: usize| squares(&values[..cut]) + squares(&values[cut..]);
        let is_line = farthest_cut(values).is_none_or(|cut| squares_about_line(values) <= about_levels(cut));
        (chance <= self.request.alarms && is_line).then(|| Drift {
            first: found.before,
            last: found.before + found.change,
            lower: found.quantile(0.5 - self.request.level / 2.0),
            upper: found.quantile(0.5 + self.request.level / 2.0),
            chance,
        })
    }

    /// The largest change that values in two levels could have.
    pub fn largest(&self) -> Option<(usize, f64)> {
        let values = near(self.values);
        let cut = farthest_cut(&values)?;
        Some((cut, (mean(&values[cut..]) - mean(&values[..cut])).abs()))
    }
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

pub(crate) fn mean(values: &[RunValue]) -> f64 {
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
