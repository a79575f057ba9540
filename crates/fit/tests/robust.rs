//! Robust fits agree with scipy.optimize.least_squares (`references/make_robust.py`), and outliers are named.

use crate::problem_file::ProblemFile;
use call_fit::{
    Error, FitSamples, Loss, SegmentOptions, SignConstraint, least_squares, outliers, robust_least_squares,
    segment,
};

#[test]
fn scipy_finds_the_same() {
    for mut problem in ProblemFile::all("robust", 4) {
        let (huber, soft_l1) = (problem.take("huber"), problem.take("soft_l1"));
        let scale = problem.take("scale")[0];
        problem.nothing_is_left();
        let samples = problem.samples();
        let condition = least_squares(&samples).expect("a fit").condition;
        let norm =
            |column: &[f64]| column.iter().zip(&problem.weights).map(|(x, w)| x * x * w).sum::<f64>().sqrt();
        for (loss, wanted) in [(Loss::Huber, &huber), (Loss::SoftL1, &soft_l1)] {
            let robust = robust_least_squares(&samples, loss, Some(scale)).expect("a fit");
            for (j, (found, wanted)) in robust.fit.coefficients.iter().zip(wanted).enumerate() {
                // scipy stops at gradients of 1e-8 and more, in coordinates of condition 1.
                let off = (found - wanted).abs() * norm(&problem.basis[j]) / scale;
                assert!(
                    off <= 1e-6 * condition,
                    "{} {loss:?}: {found:e} instead of {wanted:e}, off by {off:e}",
                    problem.name
                );
            }
        }
    }
}

/// Pseudo-random number in -1..1 for a row.
fn jitter(row: usize) -> f64 {
    let bits = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Two intervals with 2 % noise, and every eleventh time ten times too long.
fn disturbed() -> (Vec<f64>, Vec<f64>, Vec<usize>) {
    let n: Vec<f64> = (1..=110).map(f64::from).collect();
    let disturbed: Vec<usize> = (5..110).step_by(11).collect();
    let time = |(row, n): (usize, &f64)| {
        let clean = if *n <= 40.0 { 2.0 + n } else { 2.0 + 3.0 * n };
        clean * (1.0 + 0.02 * jitter(row)) * if disturbed.contains(&row) { 10.0 } else { 1.0 }
    };
    let observed = n.iter().enumerate().map(time).collect();
    (n, observed, disturbed)
}

/// Points with one measurement each.
fn alone(observed: &[f64]) -> Vec<&[f64]> {
    observed.iter().map(std::slice::from_ref).collect()
}

#[test]
fn outliers_are_named_and_hardly_move_the_fit() {
    let (n, observed, disturbed) = disturbed();
    let one = vec![1.0; n.len()];
    // As the mean of many repetitions would give them.
    let weights: Vec<f64> = n.iter().map(|n| (2.0 + n).powi(-2)).collect();
    let samples = FitSamples { basis: vec![&one, &n], observed: &observed, weights: &weights };
    let found =
        outliers(&samples, &[&n], &alone(&observed), &SegmentOptions::default(), 6.0).expect("outliers");
    assert_eq!(found.iter().map(|outlier| outlier.point).collect::<Vec<_>>(), disturbed);
    for outlier in &found {
        assert!((observed[outlier.point] / outlier.expected_s / 10.0 - 1.0).abs() < 0.1, "{outlier:?}");
        assert!(outlier.deviations > 6.0);
    }

    let options = SegmentOptions { loss: Loss::Huber, ..SegmentOptions::default() };
    let robust = segment(&samples, &[&n], &options).expect("a segmentation");
    assert_eq!(robust.cells.len(), 2, "{:?}", robust.splits);
    assert_eq!(robust.splits[0].at, 40.0);
    for (cell, slope) in robust.cells.iter().zip([1.0, 3.0]) {
        assert!((cell.fit.coefficients[1] / slope - 1.0).abs() < 0.05, "{:?}", cell.fit.coefficients);
    }
    for (row, factor) in robust.loss_factors.iter().enumerate() {
        assert_eq!(*factor < 0.1, disturbed.contains(&row), "{row}: {factor}");
    }
}

/// 60 points of two intervals with seven repetitions each and 3 % noise; at every fifth point five of them took four times as long, so
/// that the median is disturbed, too, and elsewhere now and then one.
#[test]
fn outliers_are_named_among_repetitions() {
    let n: Vec<f64> = (1..=60).map(f64::from).collect();
    let mut disturbed = Vec::new();
    let mut times: Vec<Vec<f64>> = Vec::new();
    for (point, n) in n.iter().enumerate() {
        let clean = if *n <= 25.0 { 2.0 + n } else { 2.0 + 3.0 * n };
        times.push((0..7).map(|repetition| clean * (1.0 + 0.03 * jitter(7 * point + repetition))).collect());
        let slow = if point % 5 == 3 { 0..5 } else { 6 - usize::from(point % 3 == 0)..6 };
        for repetition in slow {
            times[point][repetition] *= 4.0;
            disturbed.push((point, repetition));
        }
    }
    let median = |times: &Vec<f64>| {
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        times[3]
    };
    let observed: Vec<f64> = times.iter().map(median).collect();
    let weights: Vec<f64> = n.iter().map(|n| (2.0 + n).powi(-2)).collect();
    let one = vec![1.0; n.len()];
    let samples = FitSamples { basis: vec![&one, &n], observed: &observed, weights: &weights };
    let repetitions: Vec<&[f64]> = times.iter().map(Vec::as_slice).collect();
    let found = outliers(&samples, &[&n], &repetitions, &SegmentOptions::default(), 6.0).expect("outliers");
    assert_eq!(found.iter().map(|one| (one.point, one.repetition)).collect::<Vec<_>>(), disturbed);
    for outlier in &found {
        let clean = times[outlier.point][outlier.repetition] / 4.0;
        assert!((clean / outlier.expected_s - 1.0).abs() < 0.06, "{outlier:?}");
    }
}

#[test]
fn exact_data_have_no_outliers_but_those_that_are() {
    let n: Vec<f64> = (1..=50).map(f64::from).collect();
    let one = vec![1.0; n.len()];
    let mut observed: Vec<f64> = n.iter().map(|n| 3.0 + 2.0 * n).collect();
    let options = SegmentOptions { sign: SignConstraint::Free, ..SegmentOptions::default() };
    let named = |observed: &[f64]| {
        let samples = FitSamples { basis: vec![&one, &n], observed, weights: &[] };
        let found = outliers(&samples, &[&n], &alone(observed), &options, 5.0).expect("outliers");
        found.iter().map(|outlier| outlier.point).collect::<Vec<_>>()
    };
    assert_eq!(named(&observed), [0usize; 0]);
    observed[17] *= 1.5;
    assert_eq!(named(&observed), [17]);
}

#[test]
fn squares_are_least_squares() {
    let (n, observed, _) = disturbed();
    let one = vec![1.0; n.len()];
    let samples = FitSamples { basis: vec![&one, &n], observed: &observed, weights: &[] };
    let robust = robust_least_squares(&samples, Loss::Squares, None).expect("a fit");
    assert_eq!(robust.fit.coefficients, least_squares(&samples).expect("a fit").coefficients);
    assert!(robust.factors.iter().all(|factor| *factor == 1.0));
}

/// Squares of such times exceed the range of a double: an error, not a search without end.
#[test]
fn huge_times_are_refused() {
    let (one, n) = (vec![1.0; 12], (1..=12).map(f64::from).collect::<Vec<f64>>());
    let observed: Vec<f64> = n.iter().map(|n| n * 1e307 * (1.0 + 0.1 * (7.0 * n).sin())).collect();
    let samples = FitSamples { basis: vec![&one, &n], observed: &observed, weights: &[] };
    let overflow = Err(Error::Overflow { quantity: "sum of squares" });
    for loss in [Loss::Squares, Loss::Huber, Loss::SoftL1] {
        assert_eq!(robust_least_squares(&samples, loss, None).map(|robust| robust.scale), overflow);
        let options = SegmentOptions { loss, ..SegmentOptions::default() };
        assert_eq!(segment(&samples, &[&n], &options).map(|found| found.cells.len() as f64), overflow);
    }
}
