use std::borrow::Cow;

use hashbrown::HashTable;

use crate::Samples;
use crate::point::{PointNumbers, mixed};

/// How the samples of the processors of one run become one sample.
///
/// The k-th samples that the processors of a run took at the same point, that is, with equal values in all columns,
/// belong together; k is counted for each processor and each point. A processor with fewer samples than the others is
/// absent from the last ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joining {
    /// They stay as they are.
    Each,
    /// The longest time: a superstep is over when its last processor is. The processor is the slowest one, and the
    /// counters are what it counted. Of rates it is the least one ([`Experiment::gather`](crate::Experiment::gather)).
    #[default]
    Maximum,
    /// The mean time, and the means of the counters. The processor is the one with the smallest number.
    Mean,
    /// The samples of the processor with this number; others are left out.
    One(u32),
}

impl Samples {
    /// Joins the samples of the processors of each run. The joined samples stand in the order in which their first
    /// members stood.
    pub fn join(&self, joining: Joining) -> Samples {
        self.joined(joining).samples.into_owned()
    }

    /// The same without a copy where nothing changes.
    pub(crate) fn joined(&self, joining: Joining) -> JoinedSamples<'_> {
        if let Joining::One(chosen) = joining {
            let is_chosen = |(index, processor): (usize, &u32)| (*processor == chosen).then_some(index);
            return self.joined_to(self.processor.iter().enumerate().filter_map(is_chosen).collect());
        }
        // With one processor only, nothing belongs together.
        let has_one_processor = self.processor.windows(2).all(|pair| pair[0] == pair[1]);
        if joining == Joining::Each || has_one_processor {
            return JoinedSamples { samples: Cow::Borrowed(self), rows: None };
        }
        let groups = Groups::of(self);
        if joining == Joining::Maximum {
            return self.joined_to(groups.slowest(self));
        }
        let rows = groups.of_smallest_processors(self);
        JoinedSamples { samples: Cow::Owned(means(self, &groups, &rows)), rows: Some(rows) }
    }

    fn joined_to(&self, rows: Vec<usize>) -> JoinedSamples<'_> {
        JoinedSamples { samples: Cow::Owned(self.pick(&rows)), rows: Some(rows) }
    }
}

/// Samples of joined processors.
pub(crate) struct JoinedSamples<'a> {
    pub(crate) samples: Cow<'a, Samples>,
    /// For each the index of the sample whose processor it names; absent if nothing was joined.
    rows: Option<Vec<usize>>,
}

impl JoinedSamples<'_> {
    /// The index, before joining, of the sample whose processor a joined one names.
    pub(crate) fn row(&self, joined: usize) -> usize {
        self.rows.as_ref().map_or(joined, |rows| rows[joined])
    }
}

fn means(samples: &Samples, groups: &Groups, rows: &[usize]) -> Samples {
    let mut joined = samples.pick(rows);
    let mut counts = vec![0.0; joined.len()];
    for &group in &groups.group_of {
        counts[group] += 1.0;
    }
    let mean = |values: &[f64]| {
        let mut sums = vec![0.0; counts.len()];
        for (value, &group) in values.iter().zip(&groups.group_of) {
            sums[group] += value;
        }
        sums.iter().zip(&counts).map(|(sum, count)| sum / count).collect::<Vec<f64>>()
    };
    joined.time_s = mean(&samples.time_s);
    joined.counters = samples.counters.iter().map(|column| mean(column)).collect();
    joined
}

/// Which samples belong together.
struct Groups {
    /// The group of each sample.
    group_of: Vec<usize>,
    /// The first sample of each group.
    firsts: Vec<usize>,
}

/// A run and the values of all columns.
struct JoinedPoint {
    /// The group of the first samples of its processors, of the second ones, and so on.
    groups: Vec<usize>,
    /// The seat of the processor that had the last sample.
    seat: usize,
}

impl Groups {
    fn of(samples: &Samples) -> Groups {
        let mut groups = Groups { group_of: Vec::with_capacity(samples.len()), firsts: Vec::new() };
        let mut points: Vec<JoinedPoint> = Vec::new();
        let mut numbers = PointNumbers::new(samples.columns.len());
        let mut seats = Seats::default();
        for index in 0..samples.len() {
            let number = numbers.number(samples, index, u64::from(samples.run[index]));
            let processor = samples.processor[index];
            if number == points.len() {
                points.push(JoinedPoint { groups: Vec::new(), seat: seats.first(number, processor) });
            }
            let point = &mut points[number];
            point.seat = seats.of(number, processor, point.seat);
            let count = &mut seats.all[point.seat].count;
            if *count == point.groups.len() {
                point.groups.push(groups.firsts.len());
                groups.firsts.push(index);
            }
            groups.group_of.push(point.groups[*count]);
            *count += 1;
        }
        groups
    }

    fn slowest(&self, samples: &Samples) -> Vec<usize> {
        let key = |index: usize| (samples.time_s[index], samples.processor[index]);
        self.best(|one, other| {
            let ((time_s, processor), (longest, slowest)) = (key(one), key(other));
            time_s > longest || (time_s == longest && processor < slowest)
        })
    }

    fn of_smallest_processors(&self, samples: &Samples) -> Vec<usize> {
        self.best(|one, other| samples.processor[one] < samples.processor[other])
    }

    /// One sample of each group: none is better, and of equals it is the first.
    fn best(&self, is_better: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let mut best = self.firsts.clone();
        for (index, &group) in self.group_of.iter().enumerate() {
            if is_better(index, best[group]) {
                best[group] = index;
            }
        }
        best
    }
}

/// One for each processor at each point.
#[derive(Default)]
struct Seats {
    all: Vec<Seat>,
    /// Points, processors and seats.
    table: HashTable<(usize, u32, usize)>,
}

struct Seat {
    processor: u32,
    /// How many samples it has had.
    count: usize,
    /// The seat that was taken after it when both were new. Processors mostly come in the same order again, so that few seats
    /// are looked up.
    next: usize,
}

impl Seats {
    /// The first seat of a point.
    fn first(&mut self, point: usize, processor: u32) -> usize {
        let seat = self.look_up(point, processor);
        self.all[seat].next = seat;
        seat
    }

    /// The seat of a processor at a point whose last sample had the seat `last`.
    fn of(&mut self, point: usize, processor: u32, last: usize) -> usize {
        if self.all[last].processor == processor {
            return last;
        }
        let next = self.all[last].next;
        if self.all[next].processor == processor {
            return next;
        }
        let known = self.all.len();
        let seat = self.look_up(point, processor);
        if seat == known {
            self.all[seat].next = next;
            self.all[last].next = seat;
        }
        seat
    }

    fn look_up(&mut self, point: usize, processor: u32) -> usize {
        let hash = |point: usize, processor: u32| mixed(point as u64, u64::from(processor));
        let entry = self.table.entry(
            hash(point, processor),
            |seat| (seat.0, seat.1) == (point, processor),
            |seat| hash(seat.0, seat.1),
        );
        let seat = entry.or_insert((point, processor, self.all.len())).get().2;
        if seat == self.all.len() {
            self.all.push(Seat { processor, count: 0, next: seat });
        }
        seat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of run, processor, N, time.
    fn samples(rows: &[(u32, u32, f64, f64)]) -> Samples {
        Samples {
            names: vec!["P".into(), "N".into()],
            columns: vec![vec![2.0; rows.len()], rows.iter().map(|row| row.2).collect()],
            processor: rows.iter().map(|row| row.1).collect(),
            run: rows.iter().map(|row| row.0).collect(),
            time_s: rows.iter().map(|row| row.3).collect(),
            ..Samples::default()
        }
    }

    fn rows(samples: &Samples) -> Vec<(u32, u32, f64, f64)> {
        (0..samples.len())
            .map(|index| {
                (
                    samples.run[index],
                    samples.processor[index],
                    samples.columns[1][index],
                    samples.time_s[index],
                )
            })
            .collect()
    }

    fn check(input: &[(u32, u32, f64, f64)], joining: Joining, expected: &[(u32, u32, f64, f64)]) {
        let joined = samples(input).join(joining);
        assert_eq!(rows(&joined), expected);
        assert_eq!(joined.columns[0], vec![2.0; expected.len()]);
    }

    const TWO_PROCESSORS: &[(u32, u32, f64, f64)] = &[
        (0, 0, 8.0, 1.0),
        (0, 0, 16.0, 4.0),
        (0, 0, 8.0, 3.0),
        (0, 1, 8.0, 2.0),
        (0, 1, 16.0, 2.0),
        (0, 1, 8.0, 1.0),
    ];

    #[test]
    fn the_slowest_of_the_kth_samples_is_taken() {
        check(TWO_PROCESSORS, Joining::Maximum, &[(0, 1, 8.0, 2.0), (0, 0, 16.0, 4.0), (0, 0, 8.0, 3.0)]);
    }

    #[test]
    fn the_kth_samples_are_averaged() {
        check(TWO_PROCESSORS, Joining::Mean, &[(0, 0, 8.0, 1.5), (0, 0, 16.0, 3.0), (0, 0, 8.0, 2.0)]);
    }

    #[test]
    fn each_changes_nothing() {
        check(TWO_PROCESSORS, Joining::Each, TWO_PROCESSORS);
        check(&[], Joining::Maximum, &[]);
    }

    #[test]
    fn the_samples_of_one_processor_are_taken() {
        check(TWO_PROCESSORS, Joining::One(1), &TWO_PROCESSORS[3..]);
        check(TWO_PROCESSORS, Joining::One(2), &[]);
    }

    #[test]
    fn one_processor_has_nothing_to_join() {
        let alone = [(0, 3, 8.0, 1.0), (0, 3, 8.0, 2.0), (1, 3, 8.0, 4.0)];
        check(&alone, Joining::Maximum, &alone);
        check(&alone, Joining::Mean, &alone);
    }

    #[test]
    fn runs_are_kept_apart() {
        let rows = [(0, 0, 8.0, 1.0), (0, 1, 8.0, 2.0), (1, 0, 8.0, 3.0), (1, 1, 8.0, 5.0)];
        check(&rows, Joining::Maximum, &[(0, 1, 8.0, 2.0), (1, 1, 8.0, 5.0)]);
        check(&rows, Joining::Mean, &[(0, 0, 8.0, 1.5), (1, 0, 8.0, 4.0)]);
    }

    #[test]
    fn processors_may_alternate_and_be_short_of_samples() {
        let rows = [(0, 1, 8.0, 1.0), (0, 0, 8.0, 3.0), (0, 1, 8.0, 5.0), (0, 2, 8.0, 2.0), (0, 1, 8.0, 4.0)];
        check(&rows, Joining::Maximum, &[(0, 0, 8.0, 3.0), (0, 1, 8.0, 5.0), (0, 1, 8.0, 4.0)]);
        check(&rows, Joining::Mean, &[(0, 0, 8.0, 2.0), (0, 1, 8.0, 5.0), (0, 1, 8.0, 4.0)]);
    }

    #[test]
    fn of_equal_times_the_smallest_processor_is_named() {
        check(&[(0, 2, 8.0, 1.0), (0, 1, 8.0, 1.0)], Joining::Maximum, &[(0, 1, 8.0, 1.0)]);
    }

    #[test]
    fn zeros_of_both_signs_and_all_nans_are_one_point() {
        check(&[(0, 0, 0.0, 1.0), (0, 1, -0.0, 2.0)], Joining::Maximum, &[(0, 1, 0.0, 2.0)]);
        let joined = samples(&[(0, 0, f64::NAN, 1.0), (0, 1, -f64::NAN, 2.0)]).join(Joining::Maximum);
        assert_eq!(joined.time_s, [2.0]);
    }

    #[test]
    fn counters_are_those_of_the_slowest_processor_or_means() {
        let counted = Samples {
            counter_names: vec!["cycles".into()],
            counters: vec![vec![1.0, 2.0, 3.0, 5.0, 6.0, f64::NAN]],
            ..samples(TWO_PROCESSORS)
        };
        assert_eq!(counted.join(Joining::Maximum).counters, [[5.0, 2.0, 3.0]]);
        let mean = counted.join(Joining::Mean).counters;
        assert_eq!((&mean[0][..2], mean[0][2].is_nan()), ([3.0, 4.0].as_slice(), true));
    }
}
