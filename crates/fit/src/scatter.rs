//! The scatter of repetitions: what is known of the noise without any model.

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

/// What as many of some magnitudes stay below as of normal noise below its standard deviation; they are some, and end in another order.
fn within_one_deviation(magnitudes: &mut [f64]) -> f64 {
    let count = magnitudes.len();
    let place = ((ONE_DEVIATION * count as f64).ceil() as usize).clamp(1, count) - 1;
    *magnitudes.select_nth_unstable_by(place, f64::total_cmp).1
}

/// From so many repetitions on, one outlier in fifty measurements is in every fifth point or more: too many for what is robust against
/// single points.
const MANY_REPETITIONS: usize = 10;

/// The standard deviation of many repetitions without their outliers; `None` of few, and where most are equal.
pub(crate) fn deviation_about_median(values: &[f64]) -> Option<f64> {
    let mut finite: Vec<f64> = Vec::new();
    if values.len() >= MANY_REPETITIONS {
        finite.extend(values.iter().filter(|value| value.is_finite()));
    }
    if finite.len() < MANY_REPETITIONS {
        return None;
    }
    let count = finite.len() as f64;
    let middle = median(&mut finite);
    finite.iter_mut().for_each(|value| *value = (*value - middle).abs());
    let deviation = within_one_deviation(&mut finite) * (count / (count - 1.0)).sqrt();
    (deviation > 0.0).then_some(deviation)
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
        within_one_deviation(&mut deviations).powi(2) * count as f64 / freedom as f64 * of_medians
            / repetitions
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
    0.5 * within_one_deviation(&mut differences).powi(2) * (1.0 - left / count)
}

/// The variance of the median of so many normal numbers, of one of them 1.
pub fn variance_of_median(repetitions: usize) -> f64 {
    let many = std::f64::consts::FRAC_PI_2;
    if repetitions == 2 { 0.5 } else { many / (repetitions as f64 + many - 1.0) }
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
}
