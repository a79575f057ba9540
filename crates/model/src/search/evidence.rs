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
pub fn log_evidence(points: usize, squares: f64, floor: f64, diagonal: &[f64]) -> f64 {
    let freedom = points.saturating_sub(diagonal.len()).max(1);
    let squares = squares.max(0.0) + freedom as f64 * (floor + ROUNDING);
    let scale = (2.0 * PI * squares / freedom as f64).sqrt();
    let half = freedom as f64 / 2.0;
    let volume: f64 = diagonal.iter().map(|size| size.max(scale)).product();
    log_gamma_half(freedom) - half * (PI * squares).ln() - volume.ln() - std::f64::consts::LN_2
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
