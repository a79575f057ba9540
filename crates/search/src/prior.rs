//! How plausible a sum of terms is before anything was measured.

use std::f64::consts::LN_2;
use std::sync::LazyLock;

/// Most terms of a model, the constant term among them.
pub(crate) const MOST_TERMS: usize = 4;

/// Prior of a term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TermPrior {
    /// Logarithm of how likely it is among all terms.
    pub log: f64,
    /// Logarithm of how likely the shapes of it are of which the source does not speak, if the others are those of a term of the source.
    pub of_source: Option<f64>,
    pub is_constant: bool,
}

/// Prior of a sum of terms, which grows with them.
///
/// Of all sums each term beside the constant halves the prior. Where the source expects terms, its time is made of these alone with even odds, as
/// many of them being likely as any other number; else it is one of all sums, in which half of the prior of a term is the source's still: of
/// the terms that a program has, one may be slowed by caches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelPrior {
    /// How many terms there are beside the constant.
    terms: u32,
    log_of_all: f64,
    log_of_source: Option<f64>,
    /// How many terms beside the constant the source expects; none where it expects nothing.
    expected: Option<u32>,
}

impl ModelPrior {
    /// Of no term.
    pub fn new(expected: Option<u32>) -> ModelPrior {
        ModelPrior { terms: 0, log_of_all: 0.0, log_of_source: expected.map(|_| 0.0), expected }
    }

    /// Of one more term.
    pub fn with(mut self, term: &TermPrior) -> ModelPrior {
        self.log_of_all += term.log;
        if term.is_constant {
            return self;
        }
        self.terms += 1;
        self.log_of_all += LOG_OF_ANOTHER[self.terms as usize];
        self.log_of_source = self.log_of_source.zip(term.of_source).map(|(sum, its)| sum + its);
        self
    }

    /// Logarithm of the prior.
    pub fn log(&self) -> f64 {
        let Some(expected) = self.expected else { return self.log_of_all };
        let Some(log_shapes) = self.log_of_source else { return self.log_of_all - LN_2 };
        let log_of_source = log_shapes - log_subsets(expected, self.terms) - f64::from(expected + 1).ln();
        let (more, less) = (self.log_of_all.max(log_of_source), self.log_of_all.min(log_of_source));
        more + (less - more).exp().ln_1p() - LN_2
    }
}

/// What one more term adds, by how many there are then: each halves the prior, and the order of the terms does not matter. Each pair of terms
/// that is tried needs two.
static LOG_OF_ANOTHER: LazyLock<[f64; MOST_TERMS + 1]> =
    LazyLock::new(|| std::array::from_fn(|terms| (terms as f64).ln() - LN_2));

/// Logarithm of the number of sets of so many of some terms; products with variables of which the source does not speak may be more.
fn log_subsets(all: u32, chosen: u32) -> f64 {
    (0..chosen.min(all)).map(|it| (f64::from(all - it) / f64::from(it + 1)).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(log: f64, of_source: Option<f64>) -> TermPrior {
        TermPrior { log, of_source, is_constant: false }
    }

    fn log(expected: Option<u32>, terms: &[TermPrior]) -> f64 {
        terms.iter().fold(ModelPrior::new(expected), ModelPrior::with).log()
    }

    #[test]
    fn a_sum_halves_with_each_term_beside_the_constant() {
        let constant = TermPrior { log: 0.0, of_source: None, is_constant: true };
        assert_eq!(log(None, &[constant]), 0.0);
        let both = log(None, &[constant, term(-2.0, None), term(-3.0, None)]);
        assert!((both - (-5.0 + (2.0 / 4.0f64).ln())).abs() < 1e-15);
    }

    /// With terms that are impossible but for the source, the sums of the source's two terms have half of the prior together.
    #[test]
    fn the_source_has_half_of_the_prior() {
        let its = term(f64::NEG_INFINITY, Some(0.0));
        let sums = [log(Some(2), &[its]).exp() * 2.0, log(Some(2), &[its, its]).exp()];
        assert!((sums[0] - 1.0 / 6.0).abs() < 1e-15 && (sums[1] - 1.0 / 6.0).abs() < 1e-15);
        assert_eq!(log(Some(2), &[its, term(-1.0, None)]), f64::NEG_INFINITY);
    }
}
