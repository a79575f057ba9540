use std::f64::consts::PI;
use std::sync::LazyLock;

/// What is left of a fit that the arithmetic makes as good as it can: residuals are differences of numbers of size 1.
const ROUNDING: f64 = f64::EPSILON;

/// Logarithm of the marginal likelihood of n values given a linear model with k non-negative constants, in units in which the values
/// are about 1 and the noise is normal.
///
/// Prior of the constants: the columns are scaled so that their largest entry is 1, and each constant is uniform in 0 … 1: a term of
/// a sum of non-negative ones contributes something between nothing and everything. Prior of the noise: log-uniform. The integral
/// over the constants (Laplace; each by itself at most its prior) and the noise is
/// ½ Γ(ν/2) (π RSS)^(-ν/2) ∏ 1/R_jj, with ν = n - k and the triangle R of the columns.
///
/// Unlike AICc or BIC it stays proper for four points and two constants, which is what people measure.
///
/// `floor` is the variance below which a residual is luck: the pure error of the repetitions.
pub fn log_evidence(points: usize, squares: f64, noise: &Noise, diagonal: &[f64]) -> Evidence {
    let freedom = points.saturating_sub(diagonal.len());
    let part = |prior_freedom: usize, prior_variance: f64, log_share: f64| {
        let total = (freedom + prior_freedom).max(1);
        let squares = squares.max(0.0)
            + freedom as f64 * (noise.floor + ROUNDING)
            + prior_freedom as f64 * prior_variance;
        let scale = (2.0 * PI * squares / total as f64).sqrt();
        let half = total as f64 / 2.0;
        let volume: f64 = diagonal.iter().map(|size| size.max(scale)).product();
        log_share + log_gamma_half(total) - half * squares.ln() - freedom as f64 / 2.0 * PI.ln() - volume.ln()
    };
    // The normalising constant of the scaled inverse chi-squared prior with one degree of freedom: sqrt(s²/π)... per ln σ² twice.
    let noisy = if noise.usual > 0.0 {
        let log_norm = 0.5 * noise.usual.ln() - log_gamma_half(1);
        part(1, noise.usual, noise.log_usual + log_norm)
    } else {
        f64::NEG_INFINITY
    };
    let exact = if freedom > 0 {
        part(0, 0.0, noise.log_exact - (-ROUNDING.ln()).ln())
    } else {
        f64::NEG_INFINITY
    };
    let top = noisy.max(exact);
    Evidence { log: top + ((noisy - top).exp() + (exact - top).exp()).ln(), noisy: 1.0 / (1.0 + (exact - noisy).exp()) }
}

/// What is believed of the noise beforehand (relative variances).
#[derive(Debug, Clone, Copy)]
pub struct Noise {
    pub floor: f64,
    pub usual: f64,
    pub log_usual: f64,
    pub log_exact: f64,
}

/// Log evidence, and the share of the usual noise in it.
#[derive(Debug, Clone, Copy)]
pub struct Evidence {
    pub log: f64,
    pub noisy: f64,
}

/// ln Γ(count/2).
fn log_gamma_half(count: usize) -> f64 {
    static TABLE: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let mut table = vec![0.0, PI.sqrt().ln(), 0.0];
        for count in 3..=2048usize {
            table.push(table[count - 2] + (count as f64 / 2.0 - 1.0).ln());
        }
        table
    });
    TABLE[count.min(TABLE.len() - 1)]
}
