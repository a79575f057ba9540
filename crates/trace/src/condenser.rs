use crate::compensated::CompensatedSum;
use crate::point::PointNumbers;
use crate::{Samples, Summaries};

/// So many measurements of each point of each processor are kept as samples, as the runtime does it.
const KEPT_SAMPLES: usize = 16;

/// Sums up the measurements of an experiment as they come.
#[derive(Debug)]
pub(crate) struct Condenser {
    /// Their place is the processor.
    points: PointNumbers,
    sums: Vec<PointSums>,
    /// For each point the sums of its counters, one behind another.
    counters: Vec<f64>,
    counter_names: Vec<String>,
    names: Vec<String>,
    /// One of 2^level points is kept.
    level: u32,
    /// Measurements that were added, whether they are kept or not.
    measurements: u64,
}

#[derive(Debug)]
struct PointSums {
    measurements: u64,
    /// Of executions that these stand for.
    count: u64,
    sum_s: CompensatedSum,
    sum_squares_s2: CompensatedSum,
    min_s: f64,
    max_s: f64,
    kept: SystematicSample,
}

/// Measurements spread evenly over all: those whose number, divided by `stride`, leaves `offset`.
#[derive(Debug)]
struct SystematicSample {
    time_s: Vec<f64>,
    stride: u64,
    offset: u64,
}

impl Condenser {
    /// For samples with the columns and counters of these.
    pub(crate) fn new(like: &Samples) -> Condenser {
        Condenser {
            points: PointNumbers::new(like.columns.len()),
            sums: Vec::new(),
            counters: Vec::new(),
            counter_names: like.counter_names.clone(),
            names: like.names.clone(),
            level: 0,
            measurements: 0,
        }
    }

    /// The number of summaries.
    pub(crate) fn len(&self) -> usize {
        self.sums.len()
    }

    /// The measurements that were added.
    pub(crate) fn measurements(&self) -> u64 {
        self.measurements
    }

    /// One of so many points was kept.
    pub(crate) fn points_per_kept(&self) -> u64 {
        1_u64.checked_shl(self.level).unwrap_or(u64::MAX)
    }

    /// Adds samples, each of which is one measurement that may stand for several executions, to at most so many summaries, and empties their columns.
    pub(crate) fn take(&mut self, samples: &mut Samples, most_summaries: usize) {
        for index in 0..samples.len() {
            while self.len() > most_summaries {
                self.thin();
            }
            let (place, level) = (u64::from(samples.processor[index]), self.level);
            let is_wanted = |hash| is_at_level(hash, level);
            let Some(point) = self.points.wanted_number(samples, index, place, is_wanted) else { continue };
            if point == self.sums.len() {
                self.sums.push(PointSums::default());
                self.counters.resize(self.counters.len() + samples.counters.len(), 0.0);
            }
            let executions = samples.count_of(index);
            self.sums[point].add(samples.time_s[index], executions);
            let first = point * samples.counters.len();
            for (sum, column) in self.counters[first..].iter_mut().zip(&samples.counters) {
                *sum += executions as f64 * column[index];
            }
        }
        self.measurements += samples.len() as u64;
        samples.clear();
    }

    /// Leaves out every second point. All measurements of a point, on whatever processor, are kept or left out together, so what is kept of
    /// it stays complete; and that a hash decides makes the kept ones a fair choice.
    pub(crate) fn thin(&mut self) {
        self.level += 1;
        let is_kept: Vec<bool> =
            (0..self.len()).map(|point| is_at_level(self.points.values_hash(point), self.level)).collect();
        self.points.retain(&is_kept);
        retain_chunks(&mut self.sums, 1, &is_kept);
        retain_chunks(&mut self.counters, self.counter_names.len(), &is_kept);
    }

    /// The summaries, and the measurements that are kept as samples.
    pub(crate) fn finish(self) -> (Summaries, Samples) {
        let mut kept = Samples::named(self.names.clone(), self.counter_names.clone());
        let mut summaries = Summaries {
            points: Samples::named(self.names, self.counter_names.clone()),
            ..Summaries::default()
        };
        for (point, sums) in self.sums.iter().enumerate() {
            let times_s = &sums.kept.time_s;
            let (processor, values) = self.points.key(point);
            // It was made of 32 bits.
            let processor = processor as u32;
            for (column, value) in values.enumerate() {
                summaries.points.columns[column].push(value);
                kept.columns[column].resize(kept.time_s.len() + times_s.len(), value);
            }
            let count = sums.count as f64;
            for counter in 0..self.counter_names.len() {
                let sum = self.counters[point * self.counter_names.len() + counter];
                summaries.points.counters[counter].push(sum / count);
            }
            kept.time_s.extend(times_s);
            kept.processor.resize(kept.time_s.len(), processor);
            summaries.points.processor.push(processor);
            summaries.points.time_s.push(sums.sum_s.value() / count);
            summaries.points.count.push(sums.count);
            summaries.sum_s.push(sums.sum_s.value());
            summaries.sum_squares_s2.push(sums.sum_of_squares_s2());
            summaries.min_s.push(sums.min_s);
            summaries.max_s.push(sums.max_s);
        }
        summaries.points.run = vec![0; summaries.points.len()];
        kept.run = vec![0; kept.len()];
        for column in &mut kept.counters {
            column.resize(kept.time_s.len(), f64::NAN);
        }
        (summaries, kept)
    }
}

fn is_at_level(hash: u64, level: u32) -> bool {
    hash.leading_zeros() >= level
}

/// Keeps those of the chunks of `length` for which it is said.
fn retain_chunks<T>(values: &mut Vec<T>, length: usize, is_kept: &[bool]) {
    let mut index = 0;
    values.retain(|_| {
        index += 1;
        is_kept[(index - 1) / length]
    });
}

impl Default for PointSums {
    fn default() -> PointSums {
        PointSums {
            measurements: 0,
            count: 0,
            sum_s: CompensatedSum::default(),
            sum_squares_s2: CompensatedSum::default(),
            min_s: f64::INFINITY,
            max_s: 0.0,
            kept: SystematicSample { time_s: Vec::new(), stride: 1, offset: 0 },
        }
    }
}

impl PointSums {
    #[inline]
    fn add(&mut self, time_s: f64, executions: u64) {
        self.kept.add(self.measurements, time_s);
        self.measurements += 1;
        self.count = self.count.saturating_add(executions);
        self.sum_s.add(executions as f64 * time_s);
        self.sum_squares_s2.add(time_s * time_s);
        self.min_s = self.min_s.min(time_s);
        self.max_s = self.max_s.max(time_s);
    }

    /// NaN where times stand for several executions: how these scatter is not known.
    fn sum_of_squares_s2(&self) -> f64 {
        if self.measurements == self.count { self.sum_squares_s2.value() } else { f64::NAN }
    }
}

impl SystematicSample {
    #[inline]
    fn add(&mut self, number: u64, time_s: f64) {
        if number % self.stride != self.offset {
            return;
        }
        if self.time_s.len() == KEPT_SAMPLES {
            self.thin();
            if number % self.stride != self.offset {
                return;
            }
        }
        self.time_s.push(time_s);
    }

    /// Every second one goes, by turns the first or the second of each pair, so that the rest stays spread.
    fn thin(&mut self) {
        let takes_second = self.stride == 1 || self.offset < self.stride / 2;
        let mut index = 0;
        self.time_s.retain(|_| {
            index += 1;
            (index % 2 == 0) == takes_second
        });
        self.offset += u64::from(takes_second) * self.stride;
        self.stride *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condensed(rows: &[(u32, f64, f64)], level: u32) -> (Summaries, Samples) {
        let empty = Samples::named(vec!["P".to_owned(), "N".to_owned()], vec!["cycles".to_owned()]);
        let mut condenser = Condenser::new(&empty);
        for _ in 0..level {
            condenser.thin();
        }
        for some in rows.chunks(7) {
            let mut samples = Samples {
                columns: vec![vec![2.0; some.len()], some.iter().map(|row| row.1).collect()],
                processor: some.iter().map(|row| row.0).collect(),
                run: vec![0; some.len()],
                time_s: some.iter().map(|row| row.2).collect(),
                counters: vec![some.iter().map(|row| 10.0 * row.2).collect()],
                ..empty.clone()
            };
            condenser.take(&mut samples, usize::MAX);
            assert_eq!(samples, empty);
        }
        assert_eq!(condenser.measurements(), rows.len() as u64);
        condenser.finish()
    }

    #[test]
    fn each_point_of_each_processor_is_summed_up() {
        let (summaries, kept) = condensed(&[(0, 8.0, 1.0), (1, 8.0, 2.0), (0, 16.0, 5.0), (0, 8.0, 3.0)], 0);
        let points = &summaries.points;
        assert_eq!(points.columns, [[2.0, 2.0, 2.0], [8.0, 8.0, 16.0]]);
        assert_eq!((&points.processor, &points.count), (&vec![0, 1, 0], &vec![2, 1, 1]));
        assert_eq!((&points.time_s, &points.counters), (&vec![2.0, 2.0, 5.0], &vec![vec![20.0, 20.0, 50.0]]));
        assert_eq!((summaries.sum_s, summaries.sum_squares_s2), (vec![4.0, 2.0, 5.0], vec![10.0, 4.0, 25.0]));
        assert_eq!((summaries.min_s, summaries.max_s), (vec![1.0, 2.0, 5.0], vec![3.0, 2.0, 5.0]));
        assert_eq!(kept.columns[1], [8.0, 8.0, 8.0, 16.0]);
        assert_eq!((kept.processor, kept.time_s), (vec![0, 0, 1, 0], vec![1.0, 3.0, 2.0, 5.0]));
        assert!(kept.counters[0].len() == 4 && kept.counters[0].iter().all(|count| count.is_nan()));
    }

    #[test]
    fn kept_samples_are_spread_over_all() {
        for count in [16_u32, 17, 100, 1000, 10_000] {
            let rows: Vec<(u32, f64, f64)> = (0..count).map(|row| (0, 8.0, f64::from(row))).collect();
            let times = condensed(&rows, 0).1.time_s;
            assert!((KEPT_SAMPLES / 2..=KEPT_SAMPLES).contains(&times.len()), "{count}: {times:?}");
            let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(steps.iter().all(|step| *step == steps[0]), "{count}: {times:?}");
            assert!(times[0] < steps[0] && f64::from(count) - times[times.len() - 1] <= steps[0], "{count}");
        }
    }

    #[test]
    fn points_are_left_out_on_all_processors() {
        let rows: Vec<(u32, f64, f64)> =
            (0..4000).map(|row| (row / 1000, f64::from(row % 1000), 1.0)).collect();
        let (all, _) = condensed(&rows, 0);
        let mut thinned = all.len();
        for level in 1..5 {
            let (summaries, kept) = condensed(&rows, level);
            let on = |processor: u32| -> Vec<f64> {
                let points = &summaries.points;
                (0..points.len())
                    .filter(|at| points.processor[*at] == processor)
                    .map(|at| points.columns[1][at])
                    .collect()
            };
            assert!((1..4).all(|processor| on(processor) == on(0)));
            assert_eq!((kept.len(), summaries.points.count.len()), (summaries.len(), 4 * on(0).len()));
            // Of a thousand, half stay, give or take five standard deviations.
            let deviation = (thinned as f64 / 4.0 * 0.25).sqrt();
            assert!((summaries.len() as f64 / 4.0 - thinned as f64 / 8.0).abs() < 5.0 * deviation);
            thinned = summaries.len();
        }
    }
}
