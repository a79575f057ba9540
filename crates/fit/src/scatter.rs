//! The scatter of repetitions: what is known of the noise without any model.

use crate::distinct::Distinct;
use crate::group::group_repetitions;
use crate::{Grouped, group};

/// Degrees of freedom of the trend where repetitions do not show by how much points differ from it.
const STIFF: f64 = 1e3;

/// Repetitions by their points.
#[derive(Debug, Clone)]
pub struct Scatter {
    grouped: Grouped,
}

impl Scatter {
    /// Of measurements that were folded: rows of `variables`, which are columns, each with all times in seconds that were measured
    /// there. Different rows may be one point.
    pub fn of<'a>(variables: &[&[f64]], measured: impl Iterator<Item = &'a [f64]> + Clone) -> Self {
        Scatter { grouped: group_repetitions(variables, measured) }
    }

    /// Of measurements each of which is a sample of its own.
    pub(crate) fn of_samples(variables: &[&[f64]], measured: &[f64]) -> Self {
        Scatter { grouped: group(variables, measured) }
    }

    /// The point of each row of columns with the same variables; None if there was no measurement, or it is not finite.
    pub(crate) fn points_of(&self, variables: &[&[f64]]) -> Vec<Option<usize>> {
        let rows = variables.first().map_or(0, |column| column.len());
        let own = &self.grouped.variables;
        let both: Vec<Vec<f64>> =
            own.iter().zip(variables).map(|(own, others)| [own.as_slice(), others].concat()).collect();
        let both: Vec<&[f64]> = both.iter().map(Vec::as_slice).collect();
        // The points are distinct, so that they are numbered by their positions.
        let mut distinct = Distinct::new(&both);
        (0..self.len()).for_each(|point| {
            distinct.number(point);
        });
        (self.len()..self.len() + rows)
            .map(|row| Some(distinct.number(row)).filter(|number| *number < self.len()))
            .collect()
    }

    /// The point of each sample; None if it is not finite.
    pub(crate) fn points_of_samples(&self) -> &[Option<usize>] {
        &self.grouped.group_of
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.grouped.len()
    }

    pub(crate) fn count(&self, point: usize) -> usize {
        self.grouped.count[point]
    }

    pub(crate) fn mean(&self, point: usize) -> f64 {
        self.grouped.mean[point]
    }

    pub(crate) fn within(&self, point: usize) -> f64 {
        self.grouped.within_sum_of_squares[point]
    }

    /// Shortest positive mean; 1 if there is none.
    pub(crate) fn shortest(&self) -> f64 {
        let positive = self.grouped.mean.iter().copied().filter(|mean| *mean > 0.0);
        let shortest = positive.fold(f64::INFINITY, f64::min);
        if shortest.is_finite() { shortest } else { 1.0 }
    }

    /// Degrees of freedom of pure error: measurements less points.
    pub(crate) fn freedom(&self) -> usize {
        self.grouped.pure_error().1
    }

    /// Points with repetitions.
    pub(crate) fn repeated_points(&self) -> usize {
        self.grouped.count.iter().filter(|count| **count > 1).count()
    }

    /// Standard deviation of a repetition, and degrees of freedom, where there are repetitions that differ.
    fn deviations(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        (0..self.len()).filter_map(|point| {
            let freedom = (self.count(point) - 1) as f64;
            let deviation = (self.within(point) / freedom).sqrt();
            (freedom > 0.0 && deviation > 0.0 && self.mean(point) > 0.0)
                .then_some((point, deviation, freedom))
        })
    }

    /// Upper quartile of the standard deviations as shares of the times: what disturbed points do not move.
    pub(crate) fn largest_relative(&self) -> f64 {
        let mut shares: Vec<f64> =
            self.deviations().map(|(point, deviation, _)| deviation / self.mean(point)).collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() * 3 / 4).or(shares.last()).copied().unwrap_or(0.0)
    }

    /// The power of the time as which the scatter grows: median of the slopes between pairs of points (Theil 1950, Sen
    /// 1968), which a quarter of disturbed points does not move. None unless times differ by a factor of 3.
    pub(crate) fn exponent(&self) -> Option<f64> {
        let mut points: Vec<(f64, f64)> =
            self.deviations().map(|(point, deviation, _)| (self.mean(point).ln(), deviation.ln())).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Slopes between near times are noise, so each point has one partner, half of all points away: at most as many
        // slopes as points, and long levers.
        let half = points.len() / 2;
        let (first, last) = (points.first()?, points.last()?);
        if half == 0 || last.0 - first.0 < 3f64.ln() {
            return None;
        }
        let pairs = points.iter().zip(&points[half..]);
        let mut slopes: Vec<f64> =
            pairs.filter(|(a, b)| a.0 < b.0).map(|(a, b)| (b.1 - a.1) / (b.0 - a.0)).collect();
        slopes.sort_by(f64::total_cmp);
        let middle = slopes.len() / 2;
        let lower = slopes.get(middle.checked_sub(1 - slopes.len() % 2)?)?;
        Some(lower.midpoint(*slopes.get(middle)?))
    }

    /// Variance of a repetition at each point: its own, drawn towards the trend `c mean^(2 exponent)` of all points,
    /// `(d0 trend + d own) / (d0 + d)`. The weight d0 of the trend is estimated from how much more the own variances
    /// differ from it than their degrees of freedom d explain (Smyth 2004, section 6.2). Always positive.
    pub(crate) fn shrunken_variances(&self) -> Vec<f64> {
        let shortest = self.shortest();
        let exponent = self.exponent().unwrap_or(1.0).clamp(0.0, 1.5);
        let shape = |point: usize| self.mean(point).max(shortest).powf(2.0 * exponent);
        // Without the logarithm a single disturbed point would raise the trend of all.
        let logarithms: Vec<(f64, f64)> = self
            .deviations()
            .map(|(point, deviation, freedom)| {
                let expected = digamma(freedom / 2.0) - (freedom / 2.0).ln();
                ((deviation * deviation / shape(point)).ln() - expected, freedom)
            })
            .collect();
        let count = logarithms.len() as f64;
        if logarithms.is_empty() {
            return (0..self.len()).map(|point| shape(point).max(f64::MIN_POSITIVE)).collect();
        }
        let mean = logarithms.iter().map(|(value, _)| value).sum::<f64>() / count;
        let spread =
            logarithms.iter().map(|(value, _)| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let explained = logarithms.iter().map(|(_, freedom)| trigamma(freedom / 2.0)).sum::<f64>() / count;
        let prior = prior_freedom(spread - explained);
        let trend = (mean + (prior / 2.0).ln() - digamma(prior / 2.0)).exp();
        (0..self.len())
            .map(|point| {
                let freedom = (self.count(point) - 1) as f64;
                let variance = (prior * trend * shape(point) + self.within(point)) / (prior + freedom);
                variance.max(f64::MIN_POSITIVE)
            })
            .collect()
    }
}

/// The d0 with trigamma(d0 / 2) equal to the unexplained spread; stiff if there is none.
fn prior_freedom(unexplained: f64) -> f64 {
    if unexplained.is_nan() || unexplained <= trigamma(STIFF / 2.0) {
        return STIFF;
    }
    let (mut low, mut high) = (1e-3, STIFF);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if trigamma(middle / 2.0) > unexplained { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}

/// Derivative of the logarithm of the gamma function (Abramowitz and Stegun 6.3.5 and 6.3.18), for x > 0.
fn digamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    sum + x.ln() - 0.5 / x - square * (1.0 / 12.0 - square * (1.0 / 120.0 - square / 252.0))
}

/// Its derivative (6.4.6 and 6.4.12).
fn trigamma(x: f64) -> f64 {
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    sum + 1.0 / x + square / 2.0 + square / x * (1.0 / 6.0 - square * (1.0 / 30.0 - square / 42.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_functions_have_their_tabulated_values() {
        assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-10);
        assert!((digamma(0.5) + 1.963_510_026_021_423_5).abs() < 1e-10);
        assert!((trigamma(1.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-9);
        assert!((prior_freedom(trigamma(3.0)) - 6.0).abs() < 1e-6);
    }
}
