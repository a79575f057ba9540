//! How the measurements of a point scatter, of which there are only sums.

use crate::point::PointMembers;
use crate::{Joining, Samples, Summaries};

/// The measurements of each point: their number, mean, and sum of squares about it. Columns of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spreads {
    /// The value of each column of the samples at each point.
    pub columns: Vec<Vec<f64>>,
    /// Measurements, at least 1.
    pub count: Vec<u64>,
    /// Their mean.
    pub mean_s: Vec<f64>,
    /// Sum of (time - mean)^2.
    pub sum_of_squares_s2: Vec<f64>,
}

/// Some measurements.
#[derive(Clone, Copy)]
struct Moments {
    count: f64,
    mean_s: f64,
    sum_of_squares_s2: f64,
}

impl Moments {
    /// Of a number of measurements with these sums. What is left of the squares may be rounding, of which nothing is left.
    fn of_sums(count: u64, sum_s: f64, sum_squares_s2: f64) -> Moments {
        let mean_s = sum_s / count as f64;
        let left_s2 = (-mean_s).mul_add(sum_s, sum_squares_s2);
        let rounding_s2 = 2.0 * f64::EPSILON * sum_squares_s2;
        let sum_of_squares_s2 = if left_s2.abs() <= rounding_s2 { 0.0 } else { left_s2.max(0.0) };
        Moments { count: count as f64, mean_s, sum_of_squares_s2 }
    }

    /// Of both together (Chan, Golub and LeVeque 1983, equation 2.1).
    fn and(self, other: Moments) -> Moments {
        let (count, gap_s) = (self.count + other.count, other.mean_s - self.mean_s);
        let between_s2 = gap_s * gap_s * (self.count * other.count / count);
        Moments {
            count,
            mean_s: self.mean_s + gap_s * (other.count / count),
            sum_of_squares_s2: self.sum_of_squares_s2 + other.sum_of_squares_s2 + between_s2,
        }
    }
}

impl Spreads {
    /// The spread of all measurements at each point, kept or not; none where there are no summaries, where these do not tell it, and
    /// where several processors would have to be joined measurement by measurement.
    pub(crate) fn of(summaries: &Summaries, samples: &Samples, joining: Joining) -> Option<Spreads> {
        if summaries.is_empty() {
            return None;
        }
        let is_chosen = |samples: &Samples, index: usize| match joining {
            Joining::One(chosen) => samples.processor[index] == chosen,
            _ => true,
        };
        let summarised = summaries.runs();
        let points = &summaries.points;
        let summaries = summaries.select(|index| is_chosen(points, index));
        let is_single = |index: usize| !summarised.contains(&samples.run[index]);
        let single = samples.select(|index| is_single(index) && is_chosen(samples, index));
        let mut processors = summaries.points.processor.iter().chain(&single.processor);
        let first = processors.next()?;
        let is_one = processors.all(|other| other == first);
        if (!is_one && joining != Joining::Each) || summaries.sum_squares_s2.iter().any(|sum| sum.is_nan()) {
            return None;
        }
        let count = summaries.len();
        let mut all = summaries.points.clone();
        all.append(single);
        let moments = |index: usize| match index < count {
            true => Moments::of_sums(
                summaries.points.count_of(index),
                summaries.sum_s[index],
                summaries.sum_squares_s2[index],
            ),
            false => Moments { count: 1.0, mean_s: all.time_s[index], sum_of_squares_s2: 0.0 },
        };
        let groups = PointMembers::of(&all, |_| 0);
        let mut spreads = Spreads { columns: vec![Vec::new(); all.columns.len()], ..Spreads::default() };
        for members in groups.iter() {
            let Some(together) = members.iter().map(|member| moments(*member)).reduce(Moments::and) else {
                continue;
            };
            for (column, values) in spreads.columns.iter_mut().zip(&all.columns) {
                column.push(values[members[0]]);
            }
            spreads.count.push(together.count as u64);
            spreads.mean_s.push(together.mean_s);
            spreads.sum_of_squares_s2.push(together.sum_of_squares_s2);
        }
        Some(spreads)
    }
}
