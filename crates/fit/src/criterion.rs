//! When more coefficients are worth having.

/// What a model of some samples leaves and costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evidence {
    /// Samples used, n.
    pub(crate) samples: usize,
    /// Weighted residual sum of squares.
    pub(crate) residual_sum_of_squares: f64,
    /// Determined coefficients of all cells, and borders.
    pub(crate) parameters: usize,
}

impl Evidence {
    /// The Bayesian information criterion with its correction for small samples; the smaller the better.
    ///
    /// ```text
    /// n ln(rss / n) + p ln(n) n / (n - p - 2)
    /// ```
    ///
    /// (Schwarz 1978; McQuarrie, Statistics and Probability Letters 44, 1999.) The correction tends to 1 as n grows.
    /// Without it, and with the border chosen among all, 46 % of noisy samples of 8 points and 17 % of those of 20
    /// points are split (two terms, 15 % noise); with it, less than 2 %. For n <= p + 2 the criterion is as large
    /// as a number can be: so few samples cannot show that so many parameters are real.
    ///
    /// A residual sum below `floor`, the rounding level of the data, is rounding and counts as `floor`: there the
    /// logarithm would reward noise of the arithmetic.
    pub(crate) fn information(&self, floor: f64) -> f64 {
        if self.samples <= self.parameters + 2 {
            return f64::MAX;
        }
        let samples = self.samples as f64;
        let sum = self.residual_sum_of_squares.max(floor).max(f64::MIN_POSITIVE);
        let correction = samples / (self.samples - self.parameters - 2) as f64;
        samples * (sum / samples).ln() + self.parameters as f64 * samples.ln() * correction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether two fits with k coefficients each beat one.
    fn check(samples: usize, terms: usize, sum_of_one: f64, sum_of_two: f64, floor: f64) -> bool {
        let of = |residual_sum_of_squares, parameters| {
            Evidence { samples, residual_sum_of_squares, parameters }.information(floor)
        };
        of(sum_of_two, 2 * terms + 1) < of(sum_of_one, terms)
    }

    #[test]
    fn a_split_must_pay() {
        assert!(check(1000, 2, 1.0, 0.5, 0.0));
        assert!(!check(1000, 2, 1.0, 0.99, 0.0));
        // exp(-3 ln(1000) / 1000) = 0.9795 is where it starts to pay
        assert!(check(1000, 2, 1.0, 0.978, 0.0));
        assert!(!check(1000, 2, 1.0, 0.981, 0.0));
    }

    #[test]
    fn rounding_does_not_pay() {
        assert!(!check(1000, 2, 1e-28, 1e-32, 1e-27));
        assert!(check(1000, 2, 1.0, 0.0, 1e-27));
        assert!(check(1000, 2, 1.0, 0.0, 0.0));
    }

    #[test]
    fn so_few_samples_show_nothing() {
        assert!(!check(7, 2, 1.0, 0.0, 1e-30));
        assert!(check(8, 2, 1.0, 0.0, 1e-30));
    }
}
