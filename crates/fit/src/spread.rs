//! How much the observations vary at all.

use crate::lanes::{dot, sum_of_squared_gaps};

/// Weighted mean of the observations and the weighted sum of squares about it, mergeable (Chan, Golub and LeVeque,
/// 1983, eq. 2.1).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spread {
    weight: f64,
    mean: f64,
    sum_of_squares: f64,
}

impl Spread {
    /// Of a block: `weighted[i] = root[i] * y[i]`.
    #[inline(always)]
    pub(crate) fn of(weighted: &[f64], roots: &[f64]) -> Self {
        let weight = dot(roots, roots);
        let mean = dot(weighted, roots) / weight;
        Spread { weight, mean, sum_of_squares: sum_of_squared_gaps(weighted, mean, roots) }
    }

    pub(crate) fn merge(&mut self, other: Spread) {
        if other.weight == 0.0 {
            return;
        }
        let weight = self.weight + other.weight;
        let gap = other.mean - self.mean;
        self.mean += gap * (other.weight / weight);
        self.sum_of_squares += other.sum_of_squares + gap * gap * (self.weight * (other.weight / weight));
        self.weight = weight;
    }

    /// The weighted sum of squares about the weighted mean, or None if the observations are all equal but for
    /// rounding: a mean of n numbers is known to a few units of its last place only.
    pub(crate) fn about_mean(&self) -> Option<f64> {
        let rounding = 4.0 * f64::EPSILON * self.mean;
        (self.sum_of_squares > self.weight * rounding * rounding).then_some(self.sum_of_squares)
    }
}
