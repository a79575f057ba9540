//! What must hold of every fit, and the rims of the domain.

use call_fit::{Error, FitSamples, least_squares};
use proptest::prelude::*;

const UNITS: f64 = 200.0;

fn fit(basis: &[Vec<f64>], observed: &[f64], weights: &[f64]) -> call_fit::Fit {
    let basis = basis.iter().map(Vec::as_slice).collect();
    least_squares(&FitSamples { basis, observed, weights }).expect("a fit")
}

fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    let size = wanted.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    for (found, wanted) in found.iter().zip(wanted) {
        prop_assert!((found - wanted).abs() <= tolerance * size, "{found:e} instead of {wanted:e}");
    }
    Ok(())
}

/// Three columns of n entries, observations, weights. The first column is 1, the second between 1 and 2, so that
/// the condition is moderate but not trivial.
fn problems() -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<f64>, Vec<f64>)> {
    prop::collection::vec((1.0f64..2.0, -1.0f64..1.0, -1.0f64..1.0, 0.1f64..10.0), 8..600).prop_map(|rows| {
        let column = |pick: fn(&(f64, f64, f64, f64)) -> f64| rows.iter().map(pick).collect::<Vec<f64>>();
        (
            vec![vec![1.0; rows.len()], column(|row| row.0), column(|row| row.1)],
            column(|row| 2.0 + row.0 + row.2),
            column(|row| row.3),
        )
    })
}

/// N and N log2(P + 1) on one processor are one column; N (P - 1) is none; N^3 is far larger and known.
#[test]
fn values_that_the_samples_do_not_tell() {
    let row = |n: f64, p: f64| vec![n, n * (p + 1.0).log2(), n * (p - 1.0), n * n * n];
    let sizes = [16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
    let rows: Vec<Vec<f64>> = sizes.iter().map(|n| row(*n, 1.0)).collect();
    let columns: Vec<Vec<f64>> = (0..4).map(|term| rows.iter().map(|row| row[term]).collect()).collect();
    let observed: Vec<f64> = sizes.iter().map(|n| 6.0 * n + 1e-3 * n * n * n).collect();
    let fit = fit(&columns, &observed, &[]);
    assert_eq!((fit.rank, fit.undetermined()), (2, vec![0, 1, 2]));
    for n in [1.0, 16.0, 1e6, 1e9] {
        assert!(fit.determines(&row(n, 1.0)), "N = {n}");
        assert!(!fit.determines(&row(n, 2.0)), "N = {n}");
    }
    assert!(!fit.determines(&[1.0, 0.0, 0.0, 0.0]) && fit.determines(&[1.0, 1.0, 0.0, 1e30]));
    let told = fit.coefficients[0] + fit.coefficients[1];
    assert!((told - 6.0).abs() < 1e-9, "{told}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_column_times_c_gives_its_coefficient_over_c(
        (basis, observed, weights) in problems(),
        factor in prop_oneof![1e-12f64..1e-6, 0.1f64..10.0, 1e6f64..1e12],
        negative in any::<bool>(),
    ) {
        let factor = if negative { -factor } else { factor };
        let before = fit(&basis, &observed, &weights);
        let mut scaled = basis.clone();
        scaled[1].iter_mut().for_each(|value| *value *= factor);
        let mut after = fit(&scaled, &observed, &weights);
        after.coefficients[1] *= factor;
        after.standard_errors[1] *= factor.abs();
        let tolerance = UNITS * f64::EPSILON * before.condition * before.condition;
        assert_close(&after.coefficients, &before.coefficients, tolerance)?;
        assert_close(&after.standard_errors, &before.standard_errors, tolerance)?;
        prop_assert!((after.condition / before.condition - 1.0).abs() < 1e-9);
    }

    #[test]
    fn adding_a_combination_adds_to_the_coefficients(
        (basis, observed, weights) in problems(),
        added in prop::array::uniform3(-5.0f64..5.0),
    ) {
        let before = fit(&basis, &observed, &weights);
        let shifted: Vec<f64> = (0..observed.len())
            .map(|i| observed[i] + (0..3).map(|j| added[j] * basis[j][i]).sum::<f64>())
            .collect();
        let after = fit(&basis, &shifted, &weights);
        let wanted: Vec<f64> = before.coefficients.iter().zip(&added).map(|(b, c)| b + c).collect();
        let tolerance = UNITS * f64::EPSILON * before.condition * before.condition;
        for (found, wanted) in after.coefficients.iter().zip(&wanted) {
            prop_assert!((found - wanted).abs() <= tolerance * 10.0);
        }
        assert_close(&after.standard_errors, &before.standard_errors, tolerance)?;
    }

    #[test]
    fn the_order_of_rows_does_not_matter((basis, observed, weights) in problems(), seed in any::<u64>()) {
        let before = fit(&basis, &observed, &weights);
        let mut rows: Vec<usize> = (0..observed.len()).collect();
        let mut state = seed;
        for last in (1..rows.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            rows.swap(last, (state >> 33) as usize % (last + 1));
        }
        let pick = |column: &[f64]| rows.iter().map(|&row| column[row]).collect::<Vec<f64>>();
        let mixed: Vec<Vec<f64>> = basis.iter().map(|column| pick(column)).collect();
        let after = fit(&mixed, &pick(&observed), &pick(&weights));
        let tolerance = UNITS * f64::EPSILON * before.condition * before.condition;
        assert_close(&after.coefficients, &before.coefficients, tolerance)?;
        assert_close(&pick(&before.residuals), &after.residuals, tolerance * 10.0)?;
    }

    #[test]
    fn a_weight_of_two_is_a_sample_twice((basis, observed, _) in problems()) {
        let weights: Vec<f64> = (0..observed.len()).map(|i| if i % 3 == 0 { 2.0 } else { 1.0 }).collect();
        let weighted = fit(&basis, &observed, &weights);
        let twice = |column: &[f64]| {
            let copies = |(i, &value)| std::iter::repeat_n(value, if i % 3 == 0 { 2 } else { 1 });
            column.iter().enumerate().flat_map(copies).collect::<Vec<f64>>()
        };
        let doubled: Vec<Vec<f64>> = basis.iter().map(|column| twice(column)).collect();
        let repeated = fit(&doubled, &twice(&observed), &[]);
        let tolerance = UNITS * f64::EPSILON * weighted.condition * weighted.condition;
        assert_close(&weighted.coefficients, &repeated.coefficients, tolerance)?;
        let sums = (weighted.residual_sum_of_squares, repeated.residual_sum_of_squares);
        prop_assert!((sums.0 / sums.1 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn whatever_comes_in_nothing_panics_and_no_nan_is_unannounced(
        rows in prop::collection::vec(
            prop::array::uniform4(prop_oneof![
                4 => -10.0f64..10.0,
                1 => prop::num::f64::ANY,
                1 => Just(0.0),
                1 => Just(1.0),
            ]),
            0..12,
        ),
        weighted in any::<bool>(),
    ) {
        let column = |j: usize| rows.iter().map(|row| row[j]).collect::<Vec<f64>>();
        let (basis, observed) = ([column(0), column(1)], column(2));
        let weights = if weighted { column(3).iter().map(|w| w.abs()).collect() } else { Vec::new() };
        let samples = FitSamples {
            basis: basis.iter().map(Vec::as_slice).collect(),
            observed: &observed,
            weights: &weights,
        };
        match least_squares(&samples) {
            Ok(fit) => {
                prop_assert_eq!(fit.samples_used + fit.samples_dropped, rows.len());
                prop_assert!(fit.coefficients.iter().all(|value| value.is_finite()));
                prop_assert!(fit.residual_sum_of_squares.is_finite());
                prop_assert!(!fit.rms_relative_error.is_nan());
                prop_assert!(fit.condition >= 1.0);
                prop_assert_eq!(fit.rank < 2, !fit.null_directions.is_empty());
                let no_freedom = fit.samples_used == fit.rank;
                prop_assert_eq!(fit.residual_standard_error.is_nan(), no_freedom);
                for (j, error) in fit.standard_errors.iter().enumerate() {
                    prop_assert_eq!(error.is_nan(), no_freedom && !fit.undetermined().contains(&j));
                }
                let lost = fit.residuals.iter().filter(|residual| residual.is_nan()).count();
                prop_assert_eq!(lost, fit.samples_dropped);
            }
            Err(Error::NoSamples { .. } | Error::Overflow { .. }) => {}
            Err(other) => prop_assert!(false, "{other}"),
        }
        let _ = call_fit::group(&[&basis[0]], &observed);
        let _ = call_fit::segment(&samples, &[&basis[0], &basis[1]], &call_fit::SegmentOptions::default());
    }
}

#[test]
fn statistics_of_a_small_fit() {
    // y = 1, 3, 2 over x = 0, 1, 2: b = (1.5, 0.5), residuals -0.5, 1, -0.5
    let x = vec![0.0, 1.0, 2.0];
    let fit = fit(&[vec![1.0; 3], x], &[1.0, 3.0, 2.0], &[]);
    let close =
        |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-14, "{found} instead of {wanted}");
    close(fit.coefficients[0], 1.5);
    close(fit.coefficients[1], 0.5);
    close(fit.residuals[1], 1.0);
    close(fit.residual_sum_of_squares, 1.5);
    close(fit.residual_standard_error, 1.5f64.sqrt());
    close(fit.rms_relative_error, ((0.25 + 1.0 / 9.0 + 1.0 / 16.0) / 3.0f64).sqrt());
    // (A'A)^-1 = (5, -3; -3, 3) / 6
    for (found, wanted) in fit.covariance.iter().zip([1.25, -0.75, -0.75, 0.75]) {
        close(*found, wanted);
    }
    close(fit.standard_errors[1], 0.75f64.sqrt());
}

#[test]
fn unusable_samples_are_dropped() {
    let one = [1.0; 6];
    let x = [1.0, 2.0, f64::NAN, 4.0, 5.0, 6.0];
    let y = [2.0, 4.0, 6.0, f64::INFINITY, 10.0, 99.0];
    let weights = [1.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    let fit =
        least_squares(&FitSamples { basis: vec![&one, &x], observed: &y, weights: &weights }).expect("a fit");
    assert_eq!((fit.samples_used, fit.samples_dropped), (3, 3));
    assert!((fit.coefficients[1] - 2.0).abs() < 1e-14);
    assert_eq!(
        fit.residuals.iter().map(|r| r.is_nan()).collect::<Vec<_>>(),
        [false, false, true, true, false, true]
    );
}

#[test]
fn equal_observations_are_a_constant() {
    let x: Vec<f64> = (0..100).map(f64::from).collect();
    let fit = fit(&[vec![1.0; 100], x], &[0.1; 100], &[]);
    assert!(fit.rms_relative_error < 1e-14);
}

#[test]
fn observations_of_zero_have_no_relative_error() {
    let fit = fit(&[vec![1.0; 3]], &[0.0; 3], &[]);
    assert_eq!(fit.rms_relative_error, 0.0);
    assert_eq!(fit.coefficients, [0.0]);
}

#[test]
fn every_misuse_has_its_error() {
    let (two, three) = ([1.0; 2], [1.0; 3]);
    let check = |basis: Vec<&[f64]>, weights: &[f64], wanted: Error, text: &str| {
        let error = least_squares(&FitSamples { basis, observed: &two, weights }).expect_err("misuse");
        assert_eq!(error, wanted);
        assert_eq!(error.to_string(), text);
    };
    check(vec![], &[], Error::NoTerms, "the model has no terms");
    check(
        vec![&two, &three],
        &[],
        Error::ColumnLength { column: 1, expected: 2, found: 3 },
        "basis column 1 has 3 entries, but there are 2 observations",
    );
    check(
        vec![&two],
        &three,
        Error::WeightsLength { expected: 2, found: 3 },
        "there are 3 weights, but 2 observations",
    );
    check(
        vec![&two],
        &[1.0, -1.0],
        Error::NegativeWeight { sample: 1, weight: -1.0 },
        "sample 1 has the negative weight -1",
    );
    check(
        vec![&two],
        &[0.0, 0.0],
        Error::NoSamples { samples: 2, dropped: 2 },
        "no usable sample: 2 of 2 samples were dropped",
    );

    let empty = least_squares(&FitSamples { basis: vec![&[]], observed: &[], weights: &[] });
    assert_eq!(empty, Err(Error::NoSamples { samples: 0, dropped: 0 }));
}
