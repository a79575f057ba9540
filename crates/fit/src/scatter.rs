//! The scatter of repetitions: what is known of the noise without any model.

use crate::Grouped;

/// Degrees of freedom of the trend where repetitions do not show by how much points differ from it.
const STIFF: f64 = 1e3;

/// The share of normal numbers within one standard deviation.
const ONE_DEVIATION: f64 = 0.682_689_492_137_086;

/// The median of the magnitudes of normal noise times this is its standard deviation.
const MEDIAN_TO_DEVIATION: f64 = 1.482_602_218_505_602;

/// The median: of an even number of values, the mean of the two in the middle; NaN of none. It leaves the values in another order.
pub fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let middle = values.len() / 2;
    let is_even = values.len().is_multiple_of(2);
    let (below, upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    lower.map_or(*upper, |lower| lower.midpoint(*upper))
}

/// Standard deviation of noise from the median of its magnitudes (MAD); NaN are left out, and of nothing it is 0.
pub(crate) fn deviation(residuals: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).filter(|r| !r.is_nan()).collect();
    if sizes.is_empty() { 0.0 } else { MEDIAN_TO_DEVIATION * median(&mut sizes) }
}

/// Scatter of repetitions that were folded into samples before the fit, so that it cannot see them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PureError {
    /// Variance of a sample of weight 1, in seconds squared.
    pub variance: f64,
    /// Degrees of freedom: repetitions less points; of minima one a point.
    pub freedom: usize,
}

impl PureError {
    /// That of medians: for each sample its weight and the times whose median it is. Outliers hardly move a median, and so do not count
    /// here: the scale is the median of the distances of all times from a middle one of their sample, within 8 % of the standard
    /// deviation of normal times. A median of m such times varies more than their mean, by pi/2 for many, by nothing for one. None
    /// without repetitions, and where most of them are equal, as short times by a coarse clock are.
    pub fn of_medians<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>) -> Option<PureError> {
        let (mut distances, mut freedom) = (Vec::new(), 0);
        let mut ordered = Vec::new();
        let mut points = 0;
        for (weight, times) in samples.filter(|(_, times)| times.len() > 1) {
            ordered.clear();
            ordered.extend_from_slice(times);
            let (shorter, middle, longer) =
                ordered.select_nth_unstable_by((times.len() - 1) / 2, f64::total_cmp);
            // Of two, the distance is that of two times of which neither is in the middle.
            let together = if times.len() == 2 { 2.0 } else { 1.0 };
            let root = (weight / (together * times.len() as f64)).sqrt();
            distances.extend(shorter.iter().chain(&*longer).map(|time| root * (time - *middle)));
            freedom += times.len() - 1;
            points += 1;
        }
        let repetitions = 1.0 + freedom as f64 / points as f64;
        let many = std::f64::consts::FRAC_PI_2;
        let factor = many * repetitions / (repetitions + many - 1.0);
        let variance = factor * deviation(&distances).powi(2);
        (variance > 0.0 && variance.is_finite()).then_some(PureError { variance, freedom })
    }

    /// That of times most of which are equal, as short times by a coarse clock are: each is anywhere within a step, the smallest distance
    /// of a time from the middle one of its sample. None without repetitions.
    pub fn of_steps<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>) -> Option<PureError> {
        let (mut step, mut freedom) = (f64::INFINITY, 0);
        for (weight, times) in samples.filter(|(_, times)| times.len() > 1) {
            let middle = median(&mut times.to_vec());
            let distances = times.iter().map(|time| weight.sqrt() * (time - middle).abs());
            step = distances.filter(|distance| *distance > 0.0).fold(step, f64::min);
            freedom += times.len() - 1;
        }
        let variance = if step.is_finite() { step.powi(2) / 12.0 } else { 0.0 };
        (freedom > 0).then_some(PureError { variance, freedom })
    }

    /// That of minima: for each sample its weight and the times whose shortest it is. What tells how much a minimum varies is how far the
    /// second shortest time lies above it, however far the others scatter: without it that one would be the shortest. The variance is
    /// that of the jackknife, ((m - 1)/m)² times the square of this gap for m times. Each sample with repetitions is one degree of
    /// freedom. None without repetitions.
    pub fn of_minima<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>) -> Option<PureError> {
        PureError::of_ends(samples, 1.0)
    }

    /// The same of maxima, as of rates, of which the largest is the undisturbed one.
    pub fn of_maxima<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>) -> Option<PureError> {
        PureError::of_ends(samples, -1.0)
    }

    fn of_ends<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>, sign: f64) -> Option<PureError> {
        let squares: Vec<f64> =
            samples.filter_map(|(weight, times)| Some(weight * gap(times, sign)?.powi(2))).collect();
        let freedom = squares.len();
        let variance = squares.iter().sum::<f64>() / freedom as f64;
        variance.is_finite().then_some(PureError { variance, freedom })
    }
}

/// How far the second shortest of m times, each times the sign, lies above the shortest, times (m - 1)/m; NaN counts as longest.
fn gap(times: &[f64], sign: f64) -> Option<f64> {
    let (mut shortest, mut second) = (f64::INFINITY, f64::INFINITY);
    for time in times.iter().map(|time| sign * time) {
        if time < shortest {
            (shortest, second) = (time, shortest);
        } else if time < second {
            second = time;
        }
    }
    (second < f64::INFINITY).then_some((second - shortest) * (1.0 - 1.0 / times.len() as f64))
}

/// Variance of medians relative to their squares, from the repetitions whose medians they are: pooled over the points, so that few
/// repetitions at each suffice. Their deviation is what 68.27 % of them stay below, which spikes hardly move, as they do not move medians.
/// The median of r normal numbers has the variance π/2 σ²/r. None without repetitions.
pub fn relative_variance_of_medians<'a>(points: impl Iterator<Item = &'a [f64]>) -> Option<f64> {
    let (mut deviations, mut freedom, mut repeated) = (Vec::new(), 0_usize, 0_usize);
    for values in points.filter(|values| values.len() > 1) {
        let center = median(&mut values.to_vec());
        if center == 0.0 {
            continue;
        }
        deviations.extend(values.iter().map(|value| (value / center - 1.0).abs()));
        freedom += values.len() - 1;
        repeated += 1;
    }
    let count = deviations.len();
    let repetitions = count as f64 / repeated as f64;
    let of_medians = if repetitions > 2.0 { std::f64::consts::FRAC_PI_2 } else { 1.0 };
    (freedom > 0).then(|| {
        let place = ((ONE_DEVIATION * count as f64).ceil() as usize).clamp(1, count) - 1;
        let (_, deviation, _) = deviations.select_nth_unstable_by(place, f64::total_cmp);
        deviation.powi(2) * count as f64 / freedom as f64 * of_medians / repetitions
    })
}

/// By how much the variance of a single measurement exceeds that of a median of the repetitions: relative to the square of the time, or
/// in seconds squared. The deviation of a measurement is that which two thirds of the differences between two repetitions stay
/// below (68.27 %, over the root of 2), which few outliers hardly move. 0 without repetitions.
pub fn single_above_folded<'a>(points: impl Iterator<Item = &'a [f64]>, is_relative: bool) -> f64 {
    let (mut differences, mut left, mut count) = (Vec::new(), 0.0, 0.0);
    for times in points {
        let place = |time: f64| if is_relative { time.ln() } else { time };
        let half = times.len() / 2;
        // Each with another one, half of all of them away: of two there is one difference.
        let pairs = (0..times.len()).take(if times.len() == 2 { 1 } else { times.len() });
        let pairs = pairs.map(|one| place(times[one]) - place(times[(one + half) % times.len()]));
        differences.extend(pairs.map(f64::abs).filter(|size| times.len() > 1 && size.is_finite()));
        left += variance_of_median(times.len());
        count += 1.0;
    }
    if differences.is_empty() {
        return 0.0;
    }
    let at = (ONE_DEVIATION * differences.len() as f64) as usize;
    let last = differences.len() - 1;
    let (_, size, _) = differences.select_nth_unstable_by(at.min(last), f64::total_cmp);
    0.5 * size.powi(2) * (1.0 - left / count)
}

/// The variance of the median of so many normal numbers, of one of them 1.
pub fn variance_of_median(repetitions: usize) -> f64 {
    let many = std::f64::consts::FRAC_PI_2;
    if repetitions == 2 { 0.5 } else { many / (repetitions as f64 + many - 1.0) }
}

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

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&mut [9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [9.0, 1.0, 2.0, 4.0]), 3.0);
        assert!(median(&mut []).is_nan());
        assert_eq!(relative_variance_of_medians([&[1.0, 3.0][..], &[7.0]].into_iter()), Some(0.25));
        assert_eq!(relative_variance_of_medians([&[7.0][..]].into_iter()), None);
    }

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
