//! Non-negative constants agree with scipy.optimize.nnls (`references/make_nonnegative.py`), and stay a minimum.

use crate::problem_file::ProblemFile;
use call_fit::{FitSamples, least_squares, non_negative_least_squares};
use proptest::prelude::*;

#[test]
fn scipy_finds_the_same() {
    for mut problem in ProblemFile::all("nonnegative", 10) {
        let coefficients = problem.take("coefficients");
        let residual_sum_of_squares = problem.take("residual_sum_of_squares")[0];
        problem.nothing_is_left();
        let samples = problem.samples();
        let fit = non_negative_least_squares(&samples).expect("a fit");
        let condition = least_squares(&samples).expect("a fit").condition;
        let name = &problem.name;
        let norm =
            |column: &[f64]| column.iter().zip(&problem.weights).map(|(x, w)| x * x * w).sum::<f64>().sqrt();
        let size = norm(&problem.observed);
        for (j, (found, wanted)) in fit.coefficients.iter().zip(&coefficients).enumerate() {
            let off = (found - wanted).abs() * norm(&problem.basis[j]) / size;
            assert!(off <= 1e-14 * condition * condition + 1e-12, "{name}: {found:e} instead of {wanted:e}");
            assert_eq!(*wanted == 0.0, fit.bounded.contains(&j), "{name}: {:?}", fit.bounded);
            assert_eq!(*wanted == 0.0, *found == 0.0, "{name}: {:?}", fit.coefficients);
        }
        let off = (fit.residual_sum_of_squares / residual_sum_of_squares - 1.0).abs();
        assert!(off < 1e-9, "{name}: residual sum off by {off:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Karush, Kuhn and Tucker: no constant is negative, none at the bound would lower the sum by growing, and the
    /// others cannot lower it at all. With equal and zero columns too.
    #[test]
    fn the_answer_is_a_minimum(
        entries in prop::collection::vec(-1.0f64..1.0, 20 * 5),
        observed in prop::collection::vec(-1.0f64..1.0, 20),
        copy in any::<bool>(),
        zero in any::<bool>(),
    ) {
        let mut basis: Vec<Vec<f64>> = entries.chunks(20).map(<[f64]>::to_vec).collect();
        if copy {
            basis[4] = basis[1].clone();
        }
        if zero {
            basis[2].fill(0.0);
        }
        let columns = basis.iter().map(Vec::as_slice).collect();
        let fit = non_negative_least_squares(&FitSamples { basis: columns, observed: &observed, weights: &[] });
        let fit = fit.expect("a fit");
        for (j, column) in basis.iter().enumerate() {
            let slope: f64 = column.iter().zip(&fit.residuals).map(|(x, r)| x * r).sum();
            prop_assert!(fit.coefficients[j] >= 0.0);
            prop_assert!(slope < 1e-10, "{slope:e} at {j}");
            prop_assert!(fit.coefficients[j] == 0.0 || slope > -1e-10, "{slope:e} at {j}");
        }
        for &j in &fit.bounded {
            prop_assert_eq!(fit.coefficients[j], 0.0);
            prop_assert_eq!(fit.covariance[j * 5 + j], 0.0);
        }
    }
}
