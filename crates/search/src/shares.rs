use crate::backtest::Backtest;
use crate::experts::{COUNT, Experts, PerExpert};

/// An error of this size (a difference of logarithms) is half as plausible as none: the scale of a Cauchy distribution of errors, which
/// lets no single point decide.
const SCALE: f64 = 0.2;

/// Logarithms are at most so far off: beyond, nothing gets worse.
const FARTHEST: f64 = 5.0;

/// So many kernels are believed to follow each expert before any backtest. From 1 to 10 the choice hardly matters.
const BELIEVED: f64 = 4.0;

/// After so many rounds nothing moves that would change a median.
const ROUNDS: usize = 50;

/// How plausible each expert is by the backtests of a kernel, relative to the most plausible one: the product over the backtests of the
/// geometric means over their points.
pub(crate) fn plausibility(tried: &[(Backtest, Experts)]) -> PerExpert {
    let mut logarithms = [0.0; COUNT];
    for (backtest, experts) in tried {
        for (point, truth) in experts.truths(backtest) {
            let (values, _) = experts.about(point);
            for (logarithm, value) in logarithms.iter_mut().zip(values) {
                let off = value.map_or(FARTHEST, |value| (value - truth).abs().min(FARTHEST));
                *logarithm -= (1.0 + (off / SCALE).powi(2)).ln() / backtest.tested.len() as f64;
            }
        }
    }
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logarithms.map(|logarithm| (logarithm - most).exp())
}

/// Which share of a program's kernels follows each expert, if each follows one: by expectation and maximisation, from the
/// plausibilities that the backtests of each kernel give.
pub(crate) fn shares(plausibilities: &[PerExpert]) -> PerExpert {
    let mut shares = [1.0 / COUNT as f64; COUNT];
    for _ in 0..ROUNDS {
        let mut followers = [BELIEVED; COUNT];
        for plausibility in plausibilities {
            let own = weights(&shares, plausibility);
            followers.iter_mut().zip(own).for_each(|(sum, weight)| *sum += weight);
        }
        shares = normalised(followers);
    }
    shares
}

/// The probability that a kernel follows each expert, from the shares of the program and its own plausibilities.
pub(crate) fn weights(shares: &PerExpert, plausibility: &PerExpert) -> PerExpert {
    normalised(std::array::from_fn(|expert| shares[expert] * plausibility[expert]))
}

fn normalised(weights: PerExpert) -> PerExpert {
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

#[cfg(test)]
mod tests {
    use super::{shares, weights};

    #[test]
    fn many_kernels_say_what_one_follows_that_says_little_itself() {
        let none = shares(&[]);
        assert!(none.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-12), "{none:?}");
        let mut program = vec![[0.01, 1.0, 0.01]; 30];
        program.extend([[1.0, 1e-6, 1e-6]; 10]);
        let found = shares(&program);
        // 30, 10 and none follow, and 4 each were believed to.
        assert!((found[1] - 34.0 / 52.0).abs() < 0.03 && (found[0] - 14.0 / 52.0).abs() < 0.03, "{found:?}");
        assert!(weights(&found, &[1.0, 1.0, 1.0])[1] > 0.5);
        assert!(weights(&found, &[1.0, 0.01, 0.5])[0] > 0.5);
    }
}
