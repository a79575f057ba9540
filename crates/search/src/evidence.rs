use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::SourceLimits;

/// Relative variance that the arithmetic leaves of a perfect fit.
const ROUNDING: f64 = f64::EPSILON;

/// Relative noise (standard deviation) of a timing of which nothing else is known: an assumption of the common order of magnitude. It
/// counts as much as one measurement, so data overrule it.
const USUAL_NOISE: f64 = 0.05;

/// Probability that the numbers are not timings but exact: counts, or made by a formula.
const EXACT: f64 = 0.2;

/// What is believed of the noise before a model is fitted (relative variances).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NoiseBelief {
    /// The pure error of folded repetitions: a residual below it is luck.
    pub floor: f64,
    /// The scale of noise to be expected; weighs as one measurement.
    pub usual: f64,
}

/// What is fitted: the values, their weights and what is believed of their noise.
#[derive(Debug, Clone)]
pub(crate) struct WeightedValues {
    pub values: Vec<f64>,
    /// The values with these factors are about 1.
    pub weights: Vec<f64>,
    pub noise: NoiseBelief,
    /// Whether constants may be negative.
    pub signed: bool,
    /// Which terms the source allows.
    pub source: Option<SourceLimits>,
}

impl NoiseBelief {
    /// From the relative variance that repetitions show; repetitions that are all equal are those of a count and tell nothing.
    pub fn new(pure_error: Option<f64>) -> NoiseBelief {
        match pure_error {
            Some(variance) if variance > 0.0 && variance.is_finite() => {
                NoiseBelief { floor: variance, usual: variance }
            }
            _ => NoiseBelief { floor: 0.0, usual: USUAL_NOISE * USUAL_NOISE },
        }
    }
}

/// How well a model explains the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ModelEvidence {
    /// Logarithm of the marginal likelihood.
    pub log: f64,
    /// Probability that the values have noise, given the model.
    pub noisy: f64,
}

impl ModelEvidence {
    /// The same if the values are timings for certain, as where some of them are disturbed: numbers that are exact are not.
    pub fn of_timings(self) -> ModelEvidence {
        ModelEvidence { log: self.log + self.noisy.max(f64::MIN_POSITIVE).ln(), noisy: 1.0 }
    }
}

/// The marginal likelihood of n values given a linear model with k non-negative constants, in units in which the values are about 1
/// and the noise is normal.
///
/// Constants: the columns are scaled so that their largest entry is 1 and each constant is uniform in 0 … 1, since a term of a sum
/// of non-negative ones contributes something between nothing and everything. Noise: with probability 4/5 scaled inverse chi-squared
/// with one degree of freedom around [`NoiseBelief::usual`]; with 1/5 log-uniform between rounding and 1, so that exact data are recognised.
/// The integral over constants (Laplace, none wider than its prior) and noise is, but for factors that all models share,
/// Γ(ν/2) (RSS + ν₀ s₀²)^(-ν/2) π^(-(n-k)/2) ∏ 1/R_jj with ν = n - k + ν₀ and the triangle R of the columns.
///
/// This is the product of the predictions of each value from those before it (Dawid 1984), so a model that does not predict the
/// largest points from the smaller ones loses; and it stays proper for four points and two constants, which is what people measure
/// and where AICc and BIC are not defined or not meant.
pub(crate) fn evidence(points: usize, squares: f64, noise: &NoiseBelief, diagonal: &[f64]) -> ModelEvidence {
    let freedom = points.saturating_sub(diagonal.len());
    let squares = squares.max(freedom as f64 * noise.floor) + freedom as f64 * ROUNDING;
    let with_usual = squares + noise.usual;
    let scale = (2.0 * PI * with_usual / (freedom + 1) as f64).sqrt();
    let volume: f64 = diagonal.iter().map(|size| size.max(scale)).product();
    if freedom == 0 {
        let log = (1.0 - EXACT).ln() + 0.5 * (noise.usual / with_usual).ln() - volume.ln();
        return ModelEvidence { log, noisy: 1.0 };
    }
    // The noisy part over the exact one; as a ratio it needs no logarithms and does not overflow.
    let ratio = NOISY_OVER_EXACT[freedom.min(MOST_FREEDOM)]
        * (squares / with_usual).sqrt().powi(freedom as i32)
        * (noise.usual / with_usual).sqrt();
    let log = LOG_SHARED[freedom.min(MOST_FREEDOM)] - freedom as f64 / 2.0 * squares.ln()
        + ((1.0 + ratio) / volume).ln();
    ModelEvidence { log, noisy: ratio / (1.0 + ratio) }
}

/// A bound of [`evidence`]'s logarithm from above that needs no logarithm, for the many models that are far from plausible.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EvidenceBound {
    freedom: f64,
    log_shared: f64,
    noisy_over_exact: f64,
    /// The most that noise can add to the binary logarithm.
    log2_most_noisy: f64,
    noise: NoiseBelief,
}

impl EvidenceBound {
    /// For models of so many terms of so many points.
    pub fn new(points: usize, terms: usize, noise: NoiseBelief) -> EvidenceBound {
        let freedom = points.saturating_sub(terms);
        let index = freedom.min(MOST_FREEDOM);
        // Without freedom there is nothing to bound.
        let log_shared = if freedom > 0 { LOG_SHARED[index] } else { f64::INFINITY };
        let noisy_over_exact = NOISY_OVER_EXACT[index];
        let log2_most_noisy = log2_at_most(1.0 + noisy_over_exact) + LOG2_ERROR;
        EvidenceBound { freedom: freedom as f64, log_shared, noisy_over_exact, log2_most_noisy, noise }
    }

    /// Whether the logarithm is certainly below `least`, given the residual sum of squares and the squared product of the diagonal.
    #[inline]
    pub fn excludes(&self, least: f64, squares: f64, volume_squared: f64) -> bool {
        let squares = squares.max(self.freedom * self.noise.floor) + self.freedom * ROUNDING;
        let log2 = -0.5 * log2_at_most(volume_squared) - self.freedom / 2.0 * log2_at_most(squares);
        let log2_least = (least - self.log_shared) * std::f64::consts::LOG2_E - log2;
        if self.log2_most_noisy < log2_least {
            return true;
        }
        let ratio = self.noisy_over_exact * (self.noise.usual / (squares + self.noise.usual)).sqrt();
        log2_at_most(1.0 + ratio) + LOG2_ERROR < log2_least
    }
}

/// The bits of a positive number, taken as an integer, are its binary logarithm, linear between powers of 2.
#[inline]
fn log2_at_most(x: f64) -> f64 {
    x.to_bits() as f64 * (1.0 / (1u64 << 52) as f64) - 1023.0
}

/// By so much at most [`log2_at_most`] is too little.
const LOG2_ERROR: f64 = 0.0862;

/// Beyond so many degrees of freedom the terms that all models share are not told apart; Measurements are thinned before.
const MOST_FREEDOM: usize = 1024;

static LOG_EXACT: LazyLock<f64> = LazyLock::new(|| (EXACT / -ROUNDING.ln()).ln());

/// ln Γ(ν/2) by ν; the one of 0 is not used.
static LOG_GAMMA: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut table = vec![0.0, PI.sqrt().ln(), 0.0];
    for freedom in 3..=MOST_FREEDOM + 1 {
        table.push(table[freedom - 2] + (freedom as f64 / 2.0 - 1.0).ln());
    }
    table
});

/// Logarithm of what depends on ν alone in the exact part, by ν.
static LOG_SHARED: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..=MOST_FREEDOM)
        .map(|freedom| *LOG_EXACT + LOG_GAMMA[freedom] - freedom as f64 / 2.0 * PI.ln())
        .collect()
});

/// Prior odds of noise times Γ((ν + 1)/2) / Γ(1/2) / Γ(ν/2), by ν.
static NOISY_OVER_EXACT: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let log = |freedom: usize| LOG_GAMMA[freedom + 1] - LOG_GAMMA[1] - LOG_GAMMA[freedom] - *LOG_EXACT;
    (0..=MOST_FREEDOM).map(|freedom| (1.0 - EXACT) * log(freedom).exp()).collect()
});
