use std::collections::HashSet;

use crate::point::PointMembers;
use crate::samples::negate;
use crate::{Folding, Samples};

/// What many measurements at one point of one processor gave together, in columns of equal length.
///
/// Some of these measurements are kept as samples besides, spread evenly over the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summaries {
    /// The points: [`Samples::count`] says how many measurements there were, [`Samples::time_s`] is their mean to the
    /// nanosecond, and [`Samples::counters`] are means, too.
    pub points: Samples,
    /// Sum of the times.
    pub sum_s: Vec<f64>,
    /// Sum of the squares of the times; NaN where counts are of executions that were not all measured.
    pub sum_squares_s2: Vec<f64>,
    /// Shortest time.
    pub min_s: Vec<f64>,
    /// Longest time.
    pub max_s: Vec<f64>,
}

impl Summaries {
    /// The runs that have any; their samples were counted in them.
    pub fn runs(&self) -> HashSet<u32> {
        self.points.run.iter().copied().collect()
    }

    /// The number of summaries.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are no summaries.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The summaries whose index is chosen, in their order.
    pub fn select(&self, is_chosen: impl Fn(usize) -> bool) -> Summaries {
        let chosen: Vec<usize> = (0..self.len()).filter(|index| is_chosen(*index)).collect();
        self.pick(&chosen)
    }

    /// The summaries with these indices, in this order.
    ///
    /// # Panics
    /// If there is no summary with one of them.
    pub fn pick(&self, indices: &[usize]) -> Summaries {
        let pick = |column: &[f64]| indices.iter().map(|index| column[*index]).collect();
        Summaries {
            points: self.points.pick(indices),
            sum_s: pick(&self.sum_s),
            sum_squares_s2: pick(&self.sum_squares_s2),
            min_s: pick(&self.min_s),
            max_s: pick(&self.max_s),
        }
    }

    /// Appends summaries of the same variables, whose columns may stand in another order.
    pub(crate) fn append(&mut self, others: Summaries) {
        self.points.append(others.points);
        self.sum_s.extend(others.sum_s);
        self.sum_squares_s2.extend(others.sum_squares_s2);
        self.min_s.extend(others.min_s);
        self.max_s.extend(others.max_s);
    }

    /// With the other sign, so that the longest is the shortest.
    pub(crate) fn negate(&mut self) {
        self.points.negate();
        std::mem::swap(&mut self.min_s, &mut self.max_s);
        for column in [&mut self.sum_s, &mut self.min_s, &mut self.max_s] {
            negate(column);
        }
    }

    /// One sample for each point of each processor of each run. Samples that were kept give the median and nothing else;
    /// where there is no summary, as the end of the trace is missing, they are folded as any samples are.
    pub(crate) fn fold(&self, kept: Samples, folding: Folding) -> Samples {
        let mut all = self.points.clone();
        all.append(kept);
        let place = |index: usize| u64::from(all.run[index]) << 32 | u64::from(all.processor[index]);
        let groups = PointMembers::of(&all, place);
        let mut folded = all.fold_members(&groups, folding);
        let mut scratch = Vec::new();
        for (index, members) in groups.iter().enumerate() {
            // Summaries stand before all samples, and members in ascending order.
            let (summaries, kept) = members.split_at(members.partition_point(|member| *member < self.len()));
            if summaries.is_empty() {
                continue;
            }
            let count = all.total_count(summaries);
            let mean_s = summaries.iter().map(|member| self.sum_s[*member]).sum::<f64>() / count as f64;
            folded.time_s[index] = match folding {
                Folding::Minimum => {
                    summaries.iter().map(|member| self.min_s[*member]).fold(f64::INFINITY, f64::min)
                }
                Folding::Median if !kept.is_empty() => all.folded(&all.time_s, kept, folding, &mut scratch),
                Folding::Median | Folding::Mean | Folding::Each => mean_s,
            };
            folded.count[index] = count;
            for (values, column) in all.counters.iter().zip(&mut folded.counters) {
                column[index] = all.folded(values, summaries, Folding::Mean, &mut scratch);
            }
        }
        folded
    }
}
