//! Single values far from all around them, which are no changes.

use std::ops::Range;

use crate::RunValue;
use crate::runs::{DISTURBED, NORMAL, median, middle};

/// So many runs on each side are the neighbours of a run.
const NEIGHBOURS: usize = 3;

/// Of so many runs one may be a spike.
const RUNS_OF_A_SPIKE: usize = 20;

/// The values with single ones that stand far from all around them moved to these: in a history with several levels they may be near to another
/// one.
pub(crate) fn without_spikes(values: &[RunValue]) -> Vec<RunValue> {
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
    let mut spikes: Vec<usize> = (0..values.len()).filter(is_spike).collect();
    // Neighbours that are far in the same way are no single ones.
    let is_beside = |one: usize, other: usize| {
        let apart =
            |index: usize| values[index].value - median(sides(index).into_iter().filter(|it| !it.is_nan()));
        one.abs_diff(other) == 1 && apart(one).signum() == apart(other).signum()
    };
    let all = spikes.clone();
    spikes.retain(|one| !all.iter().any(|other| is_beside(*one, *other)));
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

/// The runs of a level that are far from its middle.
pub(crate) fn outlying(values: &[RunValue], runs: &Range<usize>) -> Vec<usize> {
    let of_level = &values[runs.clone()];
    let Some((center, scale)) = middle(of_level) else { return Vec::new() };
    let center = if center.is_finite() { center } else { median(of_level.iter().map(|run| run.value)) };
    let is_far = |index: &usize| (values[*index].value - center).abs() > DISTURBED * scale;
    runs.clone().filter(is_far).collect()
}
