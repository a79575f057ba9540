//! Samples that do not belong to the others.

use crate::robust::deviation;
use crate::{Error, Loss, Options, Samples, segment};

/// A sample far away from the fit of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlier {
    /// Index of the sample.
    pub sample: usize,
    /// What the fit expects, in seconds.
    pub expected_s: f64,
    /// Weighted residual in units of the standard deviation of the samples that are none; positive if it took longer
    /// than expected.
    pub deviations: f64,
}

/// Names samples whose weighted residual is more than `bound` standard deviations, in ascending order.
///
/// The fit is robust, or outliers would hide: it goes towards them, and they make the standard deviation large. So is the
/// standard deviation, from the median of the magnitudes of the residuals (MAD). Of normal noise, 3 names one sample in
/// 370 wrongly, 5 one in 1.7 million; the times of real programs have longer tails.
///
/// # Errors
///
/// Those of [`segment`](crate::segment()).
pub fn outliers(
    samples: &Samples,
    variables: &[&[f64]],
    options: &Options,
    bound: f64,
) -> Result<Vec<Outlier>, Error> {
    let loss = if options.loss == Loss::Squares { Loss::Huber } else { options.loss };
    let found = segment(samples, variables, &Options { loss, ..*options })?;
    let mut residuals = vec![f64::NAN; samples.len()];
    for cell in &found.cells {
        for (&sample, residual) in cell.samples.iter().zip(&cell.fit.residuals) {
            residuals[sample] = *residual;
        }
    }
    let weighted: Vec<f64> =
        residuals.iter().enumerate().map(|(sample, r)| samples.root_weight(sample) * r).collect();
    // Nothing but rounding is left of exact data, and that makes no outlier.
    let sizes = samples.observed.iter().enumerate().filter(|(sample, _)| samples.is_usable(*sample));
    let rounding = sizes.map(|(sample, y)| (samples.root_weight(sample) * y).abs()).fold(0.0, f64::max);
    let scale = deviation(&weighted).max(1e-12 * rounding);
    let named = weighted.iter().enumerate().map(|(sample, weighted)| Outlier {
        sample,
        expected_s: samples.observed[sample] - residuals[sample],
        deviations: weighted / scale,
    });
    Ok(named.filter(|outlier| outlier.deviations.abs() > bound).collect())
}
