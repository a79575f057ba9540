//! How the scatter of repetitions goes with the time, and the variance at each point with what the others know.

use crate::scatter::median;
use crate::{Grouped, PureError};

/// Degrees of freedom of the trend where repetitions do not show by how much points differ from it.
const STIFF: f64 = 1e3;

impl Grouped {
    /// Shortest positive mean; 1 if there is none.
    pub(crate) fn shortest(&self) -> f64 {
        let positive = self.mean.iter().copied().filter(|mean| *mean > 0.0);
        let shortest = positive.fold(f64::INFINITY, f64::min);
        if shortest.is_finite() { shortest } else { 1.0 }
    }

    /// Degrees of freedom of pure error: measurements less points.
    pub(crate) fn freedom(&self) -> usize {
        self.count.iter().sum::<usize>() - self.len()
    }

    /// Points with repetitions.
    pub(crate) fn repeated_points(&self) -> usize {
        self.count.iter().filter(|count| **count > 1).count()
    }

    /// Standard deviation of a repetition, and degrees of freedom, where there are repetitions that differ.
    fn deviations(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        (0..self.len()).filter_map(|point| {
            let freedom = (self.count[point] - 1) as f64;
            let deviation = (self.within_sum_of_squares[point] / freedom).sqrt();
            (freedom > 0.0 && deviation > 0.0 && self.mean[point] > 0.0)
                .then_some((point, deviation, freedom))
        })
    }

    /// Upper quartile of the standard deviations as shares of the times: what disturbed points do not move.
    pub(crate) fn largest_relative(&self) -> f64 {
        let mut shares: Vec<f64> =
            self.deviations().map(|(point, deviation, _)| deviation / self.mean[point]).collect();
        shares.sort_by(f64::total_cmp);
        shares.get(shares.len() * 3 / 4).or(shares.last()).copied().unwrap_or(0.0)
    }

    /// The power of the time as which the scatter grows: median of the slopes between pairs of points (Theil 1950, Sen
    /// 1968), which a quarter of disturbed points does not move. None unless times differ by a factor of 3.
    pub(crate) fn exponent(&self) -> Option<f64> {
        let mut points: Vec<(f64, f64)> =
            self.deviations().map(|(point, deviation, _)| (self.mean[point].ln(), deviation.ln())).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Slopes between near times are noise, so each point has one partner, half of all points away: at most as many
        // slopes as points, and long levers.
        let half = points.len() / 2;
        let (first, last) = (points.first()?, points.last()?);
        if half == 0 || last.0 - first.0 < 3f64.ln() {
            return None;
        }
        let pairs = points.iter().zip(&points[half..]);
        let slopes = pairs.filter(|(a, b)| a.0 < b.0).map(|(a, b)| (b.1 - a.1) / (b.0 - a.0));
        Some(median(&mut slopes.collect::<Vec<f64>>())).filter(|slope| !slope.is_nan())
    }

    /// Variance of a repetition at each point: its own, drawn towards the trend `c mean^(2 exponent)` of all points,
    /// `(d0 trend + d own) / (d0 + d)`. The weight d0 of the trend is estimated from how much more the own variances
    /// differ from it than their degrees of freedom d explain (Smyth 2004, section 6.2). Always positive.
    pub(crate) fn shrunken_variances(&self) -> Vec<f64> {
        let shortest = self.shortest();
        let exponent = self.exponent().unwrap_or(1.0).clamp(0.0, 1.5);
        let shape = |point: usize| self.mean[point].max(shortest).powf(2.0 * exponent);
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
        let trend = (mean - (prior / 2.0).ln() + digamma(prior / 2.0)).exp();
        (0..self.len())
            .map(|point| {
                let freedom = (self.count[point] - 1) as f64;
                let variance =
                    (prior * trend * shape(point) + self.within_sum_of_squares[point]) / (prior + freedom);
                variance.max(f64::MIN_POSITIVE)
            })
            .collect()
    }

    /// Variance of the mean at a point, were the weight of each point as given; none without repetitions.
    pub(crate) fn pure_error(&self, weight: impl Fn(usize) -> f64) -> Option<PureError> {
        let of_point = |point: usize| weight(point) * self.within_sum_of_squares[point];
        let variance = (0..self.len()).map(of_point).sum::<f64>() / self.freedom() as f64;
        variance.is_finite().then_some(PureError { variance, freedom: self.freedom() })
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

    /// Variances scattered as Smyth's model says, with d0 = 4: a point without repetitions has the trend, which is that of all.
    #[test]
    fn the_trend_is_not_drawn_to_one_side() {
        // Multiplicative congruence and Box and Muller, the same everywhere.
        let mut state = 12345_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        let mut normal = || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
        let (sizes, mut times): (Vec<f64>, Vec<Vec<f64>>) = ((0..600).map(f64::from).collect(), Vec::new());
        for _ in &sizes {
            let chi_squared: f64 = (0..4).map(|_| normal().powi(2)).sum();
            let deviation = 0.05 * (4.0 / chi_squared).sqrt();
            times.push((0..4).map(|_| 1.0 + deviation * normal()).collect());
        }
        times[0].truncate(1);
        let columns = [sizes.as_slice()];
        let grouped = crate::group_repetitions(&columns, times.iter().map(Vec::as_slice));
        let trend = grouped.shrunken_variances()[0] / grouped.mean[0].powi(2);
        assert!((trend / 0.0025 - 1.0).abs() < 0.15, "{trend}");
    }

    #[test]
    fn special_functions_have_their_tabulated_values() {
        assert!((digamma(1.0) + 0.577_215_664_901_532_9).abs() < 1e-10);
        assert!((digamma(0.5) + 1.963_510_026_021_423_5).abs() < 1e-10);
        assert!((trigamma(1.0) - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-9);
        assert!((prior_freedom(trigamma(3.0)) - 6.0).abs() < 1e-6);
    }
}
