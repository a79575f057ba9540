//! Non-negative constants agree with scipy.optimize.nnls (`references/make_nonnegative.py`), and stay a minimum.

use std::path::Path;

use call_fit::{Samples, least_squares, non_negative_least_squares};
use proptest::prelude::*;

#[derive(Default)]
struct Problem {
    coefficients: Vec<f64>,
    residual_sum_of_squares: f64,
    basis: Vec<Vec<f64>>,
    observed: Vec<f64>,
    weights: Vec<f64>,
}

impl Problem {
    fn read(path: &Path) -> Problem {
        let text = std::fs::read_to_string(path).expect("the problem can be read");
        let mut problem = Problem::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Vec<f64> =
                rest.split_whitespace().map(|word| word.parse().expect("a number")).collect();
            match key {
                "terms" => problem.basis = vec![Vec::new(); numbers[0] as usize],
                "residual_sum_of_squares" => problem.residual_sum_of_squares = numbers[0],
                "coefficients" => problem.coefficients = numbers,
                _ => {
                    let terms = problem.basis.len();
                    for (column, value) in problem.basis.iter_mut().zip(&numbers) {
                        column.push(*value);
                    }
                    problem.observed.push(numbers[terms]);
                    problem.weights.push(numbers[terms + 1]);
                }
            }
        }
        problem
    }

    fn samples(&self) -> Samples<'_> {
        Samples {
            basis: self.basis.iter().map(Vec::as_slice).collect(),
            observed: &self.observed,
            weights: &self.weights,
        }
    }
}

#[test]
fn scipy_finds_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nonnegative");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 10, "only {} problems found", paths.len());
    for path in paths {
        let problem = Problem::read(&path);
        let samples = problem.samples();
        let fit = non_negative_least_squares(&samples).expect("a fit");
        let condition = least_squares(&samples).expect("a fit").condition;
        let name = path.display();
        let norm =
            |column: &[f64]| column.iter().zip(&problem.weights).map(|(x, w)| x * x * w).sum::<f64>().sqrt();
        let size = norm(&problem.observed);
        for (j, (found, wanted)) in fit.coefficients.iter().zip(&problem.coefficients).enumerate() {
            let off = (found - wanted).abs() * norm(&problem.basis[j]) / size;
            assert!(off <= 1e-14 * condition * condition + 1e-12, "{name}: {found:e} instead of {wanted:e}");
            assert_eq!(*wanted == 0.0, fit.bounded.contains(&j), "{name}: {:?}", fit.bounded);
            assert_eq!(*wanted == 0.0, *found == 0.0, "{name}: {:?}", fit.coefficients);
        }
        let off = (fit.residual_sum_of_squares / problem.residual_sum_of_squares - 1.0).abs();
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
        let fit = non_negative_least_squares(&Samples { basis: columns, observed: &observed, weights: &[] });
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
