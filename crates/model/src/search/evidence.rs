use std::f64::consts::PI;
use std::sync::LazyLock;

/// Relative variance that the arithmetic leaves of a perfect fit.
const ROUNDING: f64 = f64::EPSILON;

/// Relative noise (standard deviation) of a timing of which nothing else is known. Extra-P's authors assume the same in their studies
/// (Ritter et al., IPDPS 2021, report 5 % as usual and 10 % and more as common); it counts as much as one measurement, so data
/// overrule it.
const USUAL_NOISE: f64 = 0.05;

/// Probability that the numbers are not timings but exact: counts, or made by a formula.
const EXACT: f64 = 0.2;

/// What is believed of the noise before a model is fitted (relative variances).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Noise {
    /// The pure error of folded repetitions: a residual below it is luck.
    pub floor: f64,
    /// The scale of noise to be expected; weighs as one measurement.
    pub usual: f64,
}

impl Noise {
    /// From the relative variance that repetitions show; repetitions that are all equal are those of a count and tell nothing.
    pub fn new(pure_error: Option<f64>) -> Noise {
        match pure_error {
            Some(variance) if variance > 0.0 && variance.is_finite() => Noise { floor: variance, usual: variance },
            _ => Noise { floor: 0.0, usual: USUAL_NOISE * USUAL_NOISE },
        }
    }
}

/// How well a model explains the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Evidence {
    /// Logarithm of the marginal likelihood.
    pub log: f64,
    /// Probability that the values have noise, given the model.
    pub noisy: f64,
}

/// The marginal likelihood of n values given a linear model with k non-negative constants, in units in which the values are about 1
/// and the noise is normal.
///
/// Constants: the columns are scaled so that their largest entry is 1 and each constant is uniform in 0 … 1, since a term of a sum
/// of non-negative ones contributes something between nothing and everything. Noise: with probability 4/5 scaled inverse chi-squared
/// with one degree of freedom around [`Noise::usual`]; with 1/5 log-uniform between rounding and 1, so that exact data are recognised.
/// The integral over constants (Laplace, none wider than its prior) and noise is, but for factors that all models share,
/// Γ(ν/2) (RSS + ν₀ s₀²)^(-ν/2) π^(-(n-k)/2) ∏ 1/R_jj with ν = n - k + ν₀ and the triangle R of the columns.
///
/// This is the product of the predictions of each value from those before it (Dawid 1984), so a model that does not predict the
/// largest points from the smaller ones loses; and it stays proper for four points and two constants, which is what people measure
/// and where AICc and BIC are not defined or not meant.
pub(super) fn evidence(points: usize, squares: f64, noise: &Noise, diagonal: &[f64]) -> Evidence {
    static LOG_EXACT: LazyLock<f64> = LazyLock::new(|| EXACT.ln() - (-ROUNDING.ln()).ln());
    static LOG_NOISY: LazyLock<f64> = LazyLock::new(|| (1.0 - EXACT).ln() - log_gamma_half(1));
    let freedom = points.saturating_sub(diagonal.len());
    let squares = squares.max(0.0) + freedom as f64 * (noise.floor + ROUNDING);
    let part = |total: usize, squares: f64| {
        let scale = (2.0 * PI * squares / total as f64).sqrt();
        let volume: f64 = diagonal.iter().map(|size| size.max(scale)).product();
        log_gamma_half(total) - total as f64 / 2.0 * squares.ln() - volume.ln()
    };
    let shared = -(freedom as f64) / 2.0 * PI.ln();
    let noisy = *LOG_NOISY + 0.5 * noise.usual.ln() + part(freedom + 1, squares + noise.usual);
    if freedom == 0 {
        return Evidence { log: shared + noisy, noisy: 1.0 };
    }
    let exact = *LOG_EXACT + part(freedom, squares);
    let odds = (exact - noisy).exp();
    let log = if odds.is_finite() { noisy + odds.ln_1p() } else { exact };
    Evidence { log: shared + log, noisy: 1.0 / (1.0 + odds) }
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
