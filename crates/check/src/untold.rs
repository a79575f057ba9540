//! What may be a change and cannot be told yet, and how small a change would be told.

use std::ops::Range;

use crate::RunValue;
use crate::change_points::{HistoryRequest, RunHistory, SteadyValue, Untold};
use crate::runs::median;
use crate::search::{CutSearch, FoundCuts, SHORTEST};
use crate::spikes::without_spikes;

/// More runs nobody waits for.
const MOST_RUNS: usize = 100;

/// How near the least change that is told is known, as a factor.
const NEARNESS: f64 = 1.02;

/// Changes that values show and that so few runs cannot tell: cuts that no order of so few runs could pass, and neighbours at the same other level,
/// which are no spikes.
pub(crate) fn untold(
    values: &[RunValue],
    found: &FoundCuts,
    levels: &[SteadyValue],
    far: &[usize],
    request: &HistoryRequest,
) -> Vec<Untold> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let drifts = |runs: &Range<usize>| {
        levels.iter().any(|level| level.drift.is_some() && level.runs.contains(&runs.start))
    };
    for (searched, ends) in found.untold.iter().filter(|(searched, _)| !drifts(searched)) {
        all.push(match ends[..] {
            [first, end] => first..end,
            // The fewer ones are those that are elsewhere, unless all is half and half.
            [first, ..] if first - searched.start < SHORTEST.max((searched.end - first) / 2) => {
                searched.start..first
            }
            [first, ..] => first..searched.end,
            [] => continue,
        });
    }
    for level in levels {
        let others = neighbours(values, level, far);
        all.extend(others.into_iter().filter(|runs| runs.len() < level.runs.len()));
    }
    all.sort_by_key(|runs| (runs.start, runs.end));
    // The wider one says it.
    let mut kept: Vec<Range<usize>> = Vec::new();
    for runs in all {
        match kept.last_mut() {
            Some(last) if runs.start < last.end => last.end = last.end.max(runs.end),
            _ => kept.push(runs),
        }
    }
    kept.into_iter().filter_map(|runs| of_level(values, runs, levels, request)).collect()
}

/// Some runs of a level beside the others.
fn of_level(
    values: &[RunValue],
    runs: Range<usize>,
    levels: &[SteadyValue],
    request: &HistoryRequest,
) -> Option<Untold> {
    let level = levels.iter().find(|level| level.runs.contains(&runs.start))?;
    let own = runs.start..runs.end.min(level.runs.end);
    let beside =
        if own.start > level.runs.start { level.runs.start..own.start } else { own.end..level.runs.end };
    let value = |runs: &Range<usize>| median(values[runs.clone()].iter().map(|run| run.value));
    let is_seen = own.len() >= SHORTEST || own.end == values.len();
    let more = if is_seen && level.runs.end == values.len() {
        let last = if own.end == values.len() { own.clone() } else { own.end..values.len() };
        more(values, &last, request)
    } else {
        None
    };
    Some(Untold { before: value(&beside), after: value(&own), runs: own, more })
}

/// Neighbours that are far from their level and near to each other.
fn neighbours(values: &[RunValue], level: &SteadyValue, far: &[usize]) -> Vec<Range<usize>> {
    let apart = |index: usize| values[index].value - level.value;
    let mut groups: Vec<Range<usize>> = Vec::new();
    for &index in far.iter().filter(|index| level.runs.contains(index)) {
        let is_near = |before: usize| {
            let between = (values[index].value - values[before].value).abs();
            between < 0.5 * apart(index).abs().min(apart(before).abs())
        };
        match groups.last_mut() {
            Some(group) if group.end == index && is_near(index - 1) => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// How many further runs would tell, if they are as these last ones, again and again.
fn more(values: &[RunValue], last: &Range<usize>, request: &HistoryRequest) -> Option<usize> {
    let known = changes(values, request);
    let mut longer = values.to_vec();
    (1..=MOST_RUNS).find(|more| {
        longer.push(values[last.start + (more - 1) % last.len()]);
        changes(&longer, request) > known
    })
}

fn changes(values: &[RunValue], request: &HistoryRequest) -> usize {
    CutSearch::of(&without_spikes(values), values, request).all().cuts.len()
}

/// The least change that would be told if it stood in the middle of these runs, a rise or a fall, in the unit of the values; none if no change of any
/// size would, or if the history has one. What the runs hold of that size themselves is none that they do not have: then it is untold.
pub fn least_told(history: &mut RunHistory, values: &[RunValue], request: &HistoryRequest) -> Option<f64> {
    if !history.is_constant() {
        return None;
    }
    let least = [1.0, -1.0].map(|sign| least_step(values, sign, request));
    let least = least[0]?.max(least[1]?);
    let search_values = without_spikes(values);
    let (cut, held) = CutSearch::of(&search_values, values, request).largest()?;
    if held > 0.0 && held >= least {
        let runs = if cut < values.len() / 2 { 0..cut } else { cut..values.len() };
        history.untold.extend(of_level(values, runs, &history.levels, request));
        return None;
    }
    Some(least)
}

/// The least step of this sign in the middle that would be told.
fn least_step(values: &[RunValue], sign: f64, request: &HistoryRequest) -> Option<f64> {
    let cut = values.len() / 2;
    let is_told = |step: f64| {
        let mut changed = values.to_vec();
        changed[cut..].iter_mut().for_each(|run| run.value += sign * step);
        changes(&changed, request) > 0
    };
    let center = median(values.iter().map(|run| run.value));
    let scatter = median(values.iter().map(|run| (run.value - center).abs()));
    let largest =
        1e3 * center.abs().max(values.iter().map(|run| (run.value - center).abs()).fold(0.0, f64::max));
    let mut high = (0.5 * scatter).max(1e-9 * center.abs());
    if values.len() < fewest_runs(request) || !high.is_finite() {
        return None;
    }
    if high == 0.0 {
        // All are 0, and any other number is a change.
        return Some(0.0);
    }
    while !is_told(high) {
        high *= 2.0;
        if high > largest {
            return None;
        }
    }
    let mut low = high / 2.0;
    while high > NEARNESS * low {
        let middle = 0.5 * (low + high);
        match is_told(middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    Some(high)
}

/// As few runs show a change of any size, if half of them are behind it.
pub fn fewest_runs(request: &HistoryRequest) -> usize {
    let exact = |runs: usize| -> Vec<RunValue> {
        // Alternating, so that they scatter.
        let value = |run: usize| 1.0 + 1e-6 * (run % 2) as f64 + if 2 * run < runs { 0.0 } else { 1.0 };
        (0..runs).map(|run| RunValue { value: value(run), variance: 0.0, rounding: 0.0 }).collect()
    };
    (2 * SHORTEST..=MOST_RUNS).find(|runs| changes(&exact(*runs), request) > 0).unwrap_or(MOST_RUNS)
}
