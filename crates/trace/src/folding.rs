use std::ops::Range;

use crate::Samples;
use crate::joining::JoinedSamples;
use crate::point::PointMembers;

/// How repeated samples of the same point become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Folding {
    /// They stay as they are.
    Each,
    /// The median time (of an even number, the mean of the middle two): what disturbs fewer than half of the repetitions leaves no
    /// trace.
    #[default]
    Median,
    /// The shortest time: what the point costs when nothing disturbs it. Of rates it is the largest one
    /// ([`Experiment::gather`](crate::Experiment::gather)).
    Minimum,
    /// The mean time.
    Mean,
}

impl Samples {
    /// Folds the samples with equal values in all columns, whatever their run and processor. A sample that stands for
    /// several measurements counts as often, and counters are folded as times are. The folded samples stand in the order
    /// of their first members and keep the run and processor of those.
    pub fn fold(&self, folding: Folding) -> Samples {
        if folding == Folding::Each {
            return self.clone();
        }
        self.fold_members(&PointMembers::of(self, |_| 0), folding)
    }

    pub(crate) fn fold_members(&self, groups: &PointMembers, folding: Folding) -> Samples {
        let firsts: Vec<usize> = groups.iter().map(|members| members[0]).collect();
        let mut folded = self.pick(&firsts);
        let fold = |values: &[f64]| {
            let mut scratch = Vec::new();
            let members = groups.iter();
            members.map(|members| self.folded(values, members, folding, &mut scratch)).collect::<Vec<f64>>()
        };
        folded.time_s = fold(&self.time_s);
        folded.counters = self.counters.iter().map(|column| fold(column)).collect();
        folded.count = groups.iter().map(|members| self.total_count(members)).collect();
        folded
    }

    /// One value for those of a column at these indices; NaN if none is known.
    pub(crate) fn folded(
        &self,
        values: &[f64],
        members: &[usize],
        folding: Folding,
        scratch: &mut Vec<(f64, u64)>,
    ) -> f64 {
        if let [only] = members {
            return values[*only];
        }
        let weighted = members.iter().map(|member| (values[*member], self.count_of(*member)));
        let mut known = weighted.filter(|(value, _)| !value.is_nan());
        match folding {
            Folding::Each => known.next().map_or(f64::NAN, |(first, _)| first),
            Folding::Minimum => known.fold(f64::NAN, |least, (value, _)| least.min(value)),
            Folding::Mean => {
                let (sum, count) = known.fold((0.0, 0.0), |(sum, all), (value, count)| {
                    (sum + value * count as f64, all + count as f64)
                });
                sum / count
            }
            Folding::Median => {
                scratch.clear();
                scratch.extend(known);
                median(scratch)
            }
        }
    }

    pub(crate) fn total_count(&self, members: &[usize]) -> u64 {
        members.iter().fold(0, |sum, member| sum.saturating_add(self.count_of(*member)))
    }
}

/// The median of values, each of which occurs so many times; NaN for none.
pub(crate) fn median(repetitions: &mut [(f64, u64)]) -> f64 {
    if repetitions.iter().all(|(_, count)| *count == 1) {
        return median_of_single(repetitions);
    }
    repetitions.sort_unstable_by(|(left, _), (right, _)| left.total_cmp(right));
    let total: u128 = repetitions.iter().map(|(_, count)| u128::from(*count)).sum();
    let mut up_to_here = 0;
    for (index, (value, count)) in repetitions.iter().enumerate() {
        up_to_here += u128::from(*count);
        if 2 * up_to_here >= total {
            let is_between = 2 * up_to_here == total;
            let upper = repetitions.get(index + 1).filter(|_| is_between);
            return upper.map_or(*value, |(upper, _)| value.midpoint(*upper));
        }
    }
    f64::NAN
}

/// The median of values that occur once, which need not be sorted for it.
fn median_of_single(repetitions: &mut [(f64, u64)]) -> f64 {
    let upper = repetitions.len() / 2;
    if upper == 0 {
        return repetitions.first().map_or(f64::NAN, |(only, _)| *only);
    }
    let is_even = repetitions.len().is_multiple_of(2);
    let (below, (middle, _), _) =
        repetitions.select_nth_unstable_by(upper, |(left, _), (right, _)| left.total_cmp(right));
    let largest_below = below.iter().map(|(value, _)| *value).max_by(f64::total_cmp);
    largest_below.filter(|_| is_even).map_or(*middle, |lower| lower.midpoint(*middle))
}

/// Measurements that were repeated, processors joined, point by point in the order in which the points were met first.
///
/// A point is told from others by the values of all columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetitions {
    /// The value of each column of the samples at each point.
    pub columns: Vec<Vec<f64>>,
    /// The times of all measurements, those of one point after those of another.
    pub time_s: Vec<f64>,
    /// For each of these times the index of its sample in [`Experiment::samples`](crate::Experiment::samples); of a mean of
    /// several processors, that of the one with the smallest number.
    pub rows: Vec<usize>,
    /// For each of these times the run that measured it.
    pub runs: Vec<u32>,
    /// For each point where its measurements end.
    pub ends: Vec<usize>,
}

impl Repetitions {
    pub(crate) fn of(joined: &JoinedSamples, groups: &PointMembers) -> Repetitions {
        let samples = &joined.samples;
        let members = groups.members();
        let firsts = || groups.iter().map(|members| members[0]);
        Repetitions {
            columns: samples
                .columns
                .iter()
                .map(|column| firsts().map(|first| column[first]).collect())
                .collect(),
            time_s: members.iter().map(|member| samples.time_s[*member]).collect(),
            rows: members.iter().map(|member| joined.row(*member)).collect(),
            runs: members.iter().map(|member| samples.run[*member]).collect(),
            ends: groups.ends().to_vec(),
        }
    }

    /// The times at each point; there is at least one.
    pub fn times(&self) -> impl Iterator<Item = &[f64]> + Clone {
        (0..self.ends.len()).map(|point| &self.time_s[self.range(point)])
    }

    /// The median of the times at each point; NaN where none is known.
    pub fn medians(&self) -> Vec<f64> {
        let mut scratch = Vec::new();
        let median_of = |times: &[f64]| {
            scratch.clear();
            scratch.extend(times.iter().filter(|time| !time.is_nan()).map(|time| (*time, 1)));
            median(&mut scratch)
        };
        self.times().map(median_of).collect()
    }

    /// The points with these indices, in this order.
    ///
    /// # Panics
    /// If there is no point with one of them.
    pub fn pick(&self, points: &[usize]) -> Repetitions {
        let members = || points.iter().flat_map(|point| self.range(*point));
        let ends = points.iter().scan(0, |end, point| {
            *end += self.range(*point).len();
            Some(*end)
        });
        Repetitions {
            columns: self
                .columns
                .iter()
                .map(|column| points.iter().map(|point| column[*point]).collect())
                .collect(),
            time_s: members().map(|member| self.time_s[member]).collect(),
            rows: members().map(|member| self.rows[member]).collect(),
            runs: members().map(|member| self.runs[member]).collect(),
            ends: ends.collect(),
        }
    }

    /// The [`rows`](Repetitions::rows) of the measurements at a point.
    pub fn rows_of(&self, point: usize) -> &[usize] {
        &self.rows[self.range(point)]
    }

    /// The [`runs`](Repetitions::runs) of the measurements at a point.
    pub fn runs_of(&self, point: usize) -> &[u32] {
        &self.runs[self.range(point)]
    }

    fn range(&self, point: usize) -> Range<usize> {
        let start = point.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        start..self.ends[point]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn samples() -> Samples {
        Samples {
            names: vec!["P".into(), "N".into()],
            columns: vec![vec![1.0; 7], vec![8.0, 16.0, 8.0, 8.0, 16.0, 8.0, -0.0]],
            processor: vec![0, 0, 0, 1, 0, 0, 0],
            run: vec![0, 0, 0, 0, 1, 1, 1],
            time_s: vec![3.0, 5.0, 1.0, 100.0, 7.0, 2.0, 4.0],
            ..Samples::default()
        }
    }

    #[test]
    fn repetitions_become_one() {
        for (folding, expected) in [
            (Folding::Median, [2.5, 6.0, 4.0]),
            (Folding::Minimum, [1.0, 5.0, 4.0]),
            (Folding::Mean, [26.5, 6.0, 4.0]),
        ] {
            let folded = samples().fold(folding);
            assert_eq!(folded.time_s, expected, "{folding:?}");
            assert_eq!(folded.columns[1], [8.0, 16.0, 0.0]);
            assert_eq!(folded.run, [0, 0, 1]);
            assert_eq!(folded.count, [4, 2, 1]);
        }
        assert_eq!(samples().fold(Folding::Each), samples());
        assert!(Samples::default().fold(Folding::Median).is_empty());
    }

    #[test]
    fn samples_count_as_often_as_they_were_measured() {
        let weighted = Samples { count: vec![1, 1, 2, 1, 1, 1, 1], ..samples() };
        for (folding, expected) in [
            (Folding::Median, [2.0, 6.0, 4.0]),
            (Folding::Minimum, [1.0, 5.0, 4.0]),
            (Folding::Mean, [21.4, 6.0, 4.0]),
        ] {
            let folded = weighted.fold(folding);
            assert_eq!(folded.time_s, expected, "{folding:?}");
            assert_eq!(folded.count, [5, 2, 1]);
        }
    }

    #[test]
    fn counters_are_folded_where_they_are_known() {
        let nan = f64::NAN;
        let counted = Samples {
            counter_names: vec!["cycles".into()],
            counters: vec![vec![30.0, nan, 10.0, nan, nan, 80.0, 7.0]],
            ..samples()
        };
        let cycles = |folding| counted.fold(folding).counters[0].clone();
        let median = cycles(Folding::Median);
        assert_eq!((median[0], median[1].is_nan(), median[2]), (30.0, true, 7.0));
        assert_eq!((cycles(Folding::Mean)[0], cycles(Folding::Minimum)[0]), (40.0, 10.0));
    }

    #[test]
    fn the_median_is_that_of_all_measurements() {
        let of = |repetitions: &[(f64, u64)]| median(&mut repetitions.to_vec());
        assert_eq!(of(&[(9.0, 1), (1.0, 1), (2.0, 1)]), 2.0);
        assert_eq!(of(&[(7.0, 1)]), 7.0);
        assert_eq!(of(&[(9.0, 3), (1.0, 2), (2.0, 1)]), 5.5);
        assert_eq!(of(&[(9.0, u64::MAX), (1.0, u64::MAX), (2.0, 1)]), 2.0);
    }

    proptest! {
        #[test]
        fn medians_of_single_values_are_those_of_the_sorted_ones(values in proptest::collection::vec(-9..9_i32, 1..40)) {
            let mut single: Vec<(f64, u64)> = values.iter().map(|value| (f64::from(*value), 1)).collect();
            let mut double: Vec<(f64, u64)> = single.iter().map(|(value, _)| (*value, 2)).collect();
            prop_assert_eq!(median(&mut single), median(&mut double));
        }
    }
}
