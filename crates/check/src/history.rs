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

use crate::RunValue;
use crate::change_points::{HistoryRequest, RunHistory, SteadyValue};
use crate::search::{CutSearch, around};
use crate::spikes::{outlying, without_spikes};
use crate::untold::untold;

/// Finds the changes of a number in runs that follow each other. Fewer than twice [`SHORTEST`](crate::SHORTEST) runs show none.
pub fn history(values: &[RunValue], request: &HistoryRequest) -> RunHistory {
    let all = values;
    let values = &without_spikes(values);
    let search = CutSearch::of(values, all, request);
    let found = search.all();
    let (chances, mut cuts): (Vec<f64>, Vec<usize>) = found.cuts.iter().copied().unzip();
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
    let levels: Vec<SteadyValue> = starts.zip(ends).map(|(start, end)| search.level(start..end)).collect();
    let far: Vec<usize> = levels.iter().flat_map(|level| outlying(all, &level.runs)).collect();
    let untold = untold(all, &found, &levels, &far, request);
    let is_untold = |index: &usize| untold.iter().any(|its| its.runs.contains(index));
    let outlying = far.into_iter().filter(|index| !is_untold(index)).collect();
    RunHistory { changes, levels, outlying, untold }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::{fewest_runs, least_told};

    const REQUEST: HistoryRequest = HistoryRequest { alarms: 0.01, level: 0.9, same_design: true };

    /// About 1, with noise of 2 % that is always the same, and more from `first` on.
    fn values(count: u64, first: u64, rise: f64) -> Vec<RunValue> {
        let noise = |run: u64| {
            let mut z = (run + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let value = |run: u64| (1.0 + 0.02 * noise(run)) * if run < first { 1.0 } else { rise };
        (0..count).map(|run| RunValue { value: value(run), variance: 0.0, rounding: 0.0 }).collect()
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
        let exact = |value: f64| RunValue { value, variance: 0.0, rounding: 0.0 };
        let mut values = vec![exact(5.0); 30];
        assert_eq!(history(&values, &REQUEST).changes, []);
        values[24..].fill(exact(5.1));
        let found = history(&values, &REQUEST);
        assert_eq!(found.changes.iter().map(|change| change.first).collect::<Vec<_>>(), [24]);
        assert_eq!(history(&values[22..27], &REQUEST).changes, [], "five are too few");
        let none = history(&[], &REQUEST);
        assert_eq!((none.changes.len(), none.levels.len()), (0, 0));
    }

    /// What is asked of one of three constants.
    const ONE_OF_THREE: HistoryRequest = HistoryRequest { alarms: 0.01 / 3.0, ..REQUEST };

    /// 1e-8 with noise of 0.1 %, and twice that for some of them.
    fn doubled(count: u64, which: Range<u64>) -> Vec<RunValue> {
        let mut found = values(count, count, 1.0);
        for (run, value) in found.iter_mut().enumerate() {
            let factor = if which.contains(&(run as u64)) { 2.0 } else { 1.0 };
            value.value = 1e-8 * factor * (1.0 + 0.05 * (value.value - 1.0));
        }
        found
    }

    /// Normal numbers with a deviation of 1 % about 1, always the same for each seed.
    fn normal(count: usize, seed: u64) -> Vec<RunValue> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut uniform = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        };
        let mut next = || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
        (0..count).map(|_| RunValue { value: 1.0 + 0.01 * next(), variance: 0.0, rounding: 0.0 }).collect()
    }

    fn raised(mut values: Vec<RunValue>, first: usize, by: f64) -> Vec<RunValue> {
        values[first..].iter_mut().for_each(|run| run.value += by);
        values
    }

    #[test]
    fn a_run_that_measured_less_than_the_others_leaves_the_change_where_it_is() {
        let request = HistoryRequest { same_design: false, ..REQUEST };
        for seed in 0..20 {
            let mut values = raised(normal(30, seed), 18, 0.1);
            values.iter_mut().for_each(|run| run.variance = 1e-5);
            values[5].variance = 4e-5;
            let found = history(&values, &request);
            let [change] = &found.changes[..] else { panic!("{seed}: {found:?}") };
            assert!((17..=19).contains(&change.first), "{seed}: {change:?}");
            assert!((change.after - change.before - 0.1).abs() < 0.02, "{seed}: {change:?}");
        }
    }

    #[test]
    fn what_some_runs_tell_more_runs_of_that_kind_tell_too() {
        for seed in 0..20 {
            for count in [14, 16, 18, 19, 20, 21, 22, 24, 28, 32, 40] {
                let values = raised(normal(count, seed), count / 2, 0.1);
                let found = history(&values, &ONE_OF_THREE);
                assert_eq!(found.changes.len(), 1, "{seed}, {count}: {found:?}");
            }
        }
    }

    #[test]
    fn no_change_is_never_said_where_runs_hold_one_of_the_size_that_would_show() {
        let mut said = 0;
        for seed in 0..40 {
            for size in [0.01, 0.02, 0.03, 0.04] {
                let values = raised(normal(20, seed), 10, size);
                let mut found = history(&values, &ONE_OF_THREE);
                let Some(least) = least_told(&mut found, &values, &ONE_OF_THREE) else { continue };
                assert!(least > size, "{seed}: {size} is there and {least} would show");
                said += 1;
            }
        }
        assert!(said > 10, "{said}");
    }

    #[test]
    fn steady_growth_is_a_drift_and_no_jump() {
        for seed in 0..20 {
            let mut values = normal(40, seed);
            for (run, value) in values.iter_mut().enumerate() {
                value.value += 0.2 * run as f64 / 39.0;
            }
            let found = history(&values, &ONE_OF_THREE);
            let drift = found.levels[0].drift.unwrap();
            assert!(found.changes.is_empty() && found.untold.is_empty(), "{seed}: {found:?}");
            assert!((drift.last - drift.first - 0.2).abs() < 0.03, "{seed}: {drift:?}");
            assert!(drift.lower < 0.22 && drift.upper > 0.18 && drift.lower > 0.1, "{seed}: {drift:?}");
        }
        let steady =
            (0..20).filter(|seed| history(&normal(40, *seed), &ONE_OF_THREE).levels[0].drift.is_some());
        assert_eq!(steady.count(), 0);
    }

    fn places(found: &RunHistory) -> Vec<usize> {
        found.changes.iter().map(|change| change.first).collect()
    }

    #[test]
    fn few_runs_show_what_is_doubled() {
        for (count, first) in [(12, 6), (15, 9), (20, 15), (30, 26), (40, 36)] {
            let found = history(&doubled(count, first..count), &ONE_OF_THREE);
            assert_eq!(places(&found), [first as usize], "{count}: {found:?}");
            assert!(found.outlying.is_empty());
        }
    }

    #[test]
    fn what_so_few_runs_cannot_tell_is_no_constancy_and_no_spike() {
        for (count, first) in [(6, 3), (8, 4), (10, 5), (12, 9), (15, 12), (12, 10), (20, 18), (40, 38)] {
            let values = doubled(count, first..count);
            let found = history(&values, &ONE_OF_THREE);
            assert_eq!((places(&found), &found.outlying), (Vec::new(), &Vec::new()), "{count}, {first}");
            let [untold] = &found.untold[..] else { panic!("{count}, {first}: {found:?}") };
            assert_eq!(untold.runs, first as usize..count as usize);
            assert!((untold.after / untold.before - 2.0).abs() < 0.01, "{untold:?}");
            // As many more as are said do tell.
            let Some(more) = untold.more else {
                assert_eq!(first, 3, "three before it are too few for ever");
                continue;
            };
            let more = more as u64;
            let told = |more: u64| {
                let again = |run: u64| values[(first + run % (count - first)) as usize];
                let longer: Vec<RunValue> = values.iter().copied().chain((0..more).map(again)).collect();
                places(&history(&longer, &ONE_OF_THREE))
            };
            assert_eq!((told(more - 1), told(more)), (vec![], vec![first as usize]), "{count}, {first}");
        }
    }

    #[test]
    fn neighbours_that_are_taken_back_are_no_spikes() {
        let found = history(&doubled(30, 12..14), &ONE_OF_THREE);
        assert_eq!((places(&found), &found.outlying), (Vec::new(), &Vec::new()));
        assert_eq!(
            found.untold.iter().map(|its| (its.runs.clone(), its.more)).collect::<Vec<_>>(),
            [(12..14, None)]
        );
        let found = history(&doubled(30, 12..13), &ONE_OF_THREE);
        assert_eq!((found.untold.len(), found.outlying), (0, vec![12]));
    }

    #[test]
    fn a_constancy_says_what_would_have_shown() {
        let fewest = fewest_runs(&ONE_OF_THREE);
        assert_eq!(fewest, 12);
        for count in [12, 20, 40] {
            let mut values = values(count, count, 1.0);
            let least = least_told(&mut history(&values, &ONE_OF_THREE), &values, &ONE_OF_THREE).unwrap();
            assert!((0.01..0.2).contains(&least), "{count}: {least}");
            values[count as usize / 2..].iter_mut().for_each(|run| run.value += 1.05 * least);
            assert_eq!(places(&history(&values, &ONE_OF_THREE)).len(), 1, "{count}");
        }
        let few = values(11, 11, 1.0);
        assert_eq!(least_told(&mut history(&few, &ONE_OF_THREE), &few, &ONE_OF_THREE), None);
    }
}
