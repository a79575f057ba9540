/// The Bayesian information criterion with its correction for small samples, n ln(rss / n) + p ln(n) n / (n - p - 2): the smaller the
/// better (Schwarz 1978; McQuarrie, Statistics and Probability Letters 44, 1999). As large as a number can be where n is too small.
pub(crate) fn information(samples: usize, residual_sum: f64, parameters: usize) -> f64 {
    if samples <= parameters + 2 {
        return f64::MAX;
    }
    let n = samples as f64;
    let correction = n / (samples - parameters - 2) as f64;
    n * (residual_sum.max(f64::MIN_POSITIVE) / n).ln() + parameters as f64 * n.ln() * correction
}
