//! Measurements that do not belong to the others.

use crate::scatter::deviation;
use crate::{Error, FitSamples, Loss, PureError, SegmentOptions, segment};

/// A measurement far away from the fit of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlyingMeasurement {
    /// Index of its point.
    pub point: usize,
    /// Index of the measurement among those of its point.
    pub repetition: usize,
    /// What the fit expects, in seconds.
    pub expected_s: f64,
    /// Weighted residual in units of the standard deviation of the measurements that are none; positive if it took longer
    /// than expected.
    pub deviations: f64,
}

/// Names measurements whose weighted residual is more than `bound` standard deviations, point by point.
///
/// Each sample is a point: `observed` is the median of its `repetitions`, its weight that of one of them.
///
/// The fit is robust, or outliers would hide: it goes towards them, and they make the standard deviation large. Of the repetitions of
/// a point the median is hardly moved by outliers, and a robust loss ([`Loss`]) does the rest: the fit takes as long as one of the
/// points. The standard deviation is robust, too: it is from the median of the magnitudes of all residuals (MAD). Of
/// normal noise, 3 names one measurement in 370 wrongly, 5 one in 1.7 million; the times of real programs have longer tails.
///
/// # Errors
///
/// Those of [`segment`](crate::segment()).
pub fn outliers(
    samples: &FitSamples,
    variables: &[&[f64]],
    repetitions: &[&[f64]],
    options: &SegmentOptions,
    bound: f64,
) -> Result<Vec<OutlyingMeasurement>, Error> {
    let loss = if options.loss == Loss::Squares { Loss::Huber } else { options.loss };
    let weight = |point: usize| samples.root_weight(point).powi(2);
    let all = repetitions.iter().enumerate();
    let weights: Vec<f64> = all.map(|(point, all)| weight(point) * all.len() as f64).collect();
    let pure_error = PureError::of_medians(weights.iter().copied().zip(repetitions.iter().copied()));
    let options = SegmentOptions { loss, pure_error, ..*options };
    let found = segment(&FitSamples { weights: &weights, ..samples.clone() }, variables, &options)?;
    let mut expected = vec![f64::NAN; samples.len()];
    for cell in &found.cells {
        for (&point, residual) in cell.samples.iter().zip(&cell.fit.residuals) {
            expected[point] = samples.observed[point] - residual;
        }
    }
    let residuals = |point: usize| {
        let (root, expected) = (samples.root_weight(point), expected[point]);
        repetitions[point].iter().map(move |observed| root * (observed - expected))
    };
    let weighted: Vec<f64> = (0..repetitions.len()).flat_map(residuals).collect();
    // Nothing but rounding is left of exact data, and that makes no outlier.
    let sizes = samples.observed.iter().enumerate().filter(|(point, _)| samples.is_usable(*point));
    let rounding = sizes.map(|(point, y)| (samples.root_weight(point) * y).abs()).fold(0.0, f64::max);
    let scale = deviation(&weighted).max(1e-12 * rounding);
    let mut outliers = Vec::new();
    for (point, &expected_s) in expected.iter().enumerate() {
        for (repetition, residual) in residuals(point).enumerate() {
            let deviations = residual / scale;
            if deviations.abs() > bound {
                outliers.push(OutlyingMeasurement { point, repetition, expected_s, deviations });
            }
        }
    }
    Ok(outliers)
}
