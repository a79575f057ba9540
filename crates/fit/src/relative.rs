//! Weights of errors that are relative to the measured times.

use rayon::prelude::*;

/// Relative weights from the mean at each point. A clock may show 0 for a short block; such a point weighs as the shortest positive
/// one does, and so does one that is not known.
pub(crate) fn relative(observed: &[f64]) -> Vec<f64> {
    let shortest = observed.iter().copied().filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min);
    let shortest = if shortest.is_finite() { shortest } else { 1.0 };
    observed.par_iter().map(|y| y.max(shortest).powi(-2)).collect()
}
