use std::ops::Range;

use crate::folding::median;
use crate::joining::Joined;
use crate::point::PointMembers;

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
    /// For each point where its measurements end.
    pub ends: Vec<usize>,
}

impl Repetitions {
    pub(crate) fn of(joined: &Joined, groups: &PointMembers) -> Repetitions {
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
            ends: ends.collect(),
        }
    }

    /// The [`rows`](Repetitions::rows) of the measurements at a point.
    pub fn rows_of(&self, point: usize) -> &[usize] {
        &self.rows[self.range(point)]
    }

    fn range(&self, point: usize) -> Range<usize> {
        let start = point.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        start..self.ends[point]
    }
}
