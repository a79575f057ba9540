//! Borders that are searched for among noise, and where nothing but a full search is as good.

use crate::segments::{Random, at_most, check_planted, relative, search, to};
use call_fit::{FitSamples, SegmentOptions, SignConstraint, StopReason, least_squares, segment};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn planted_jumps_are_found(
        first in 6usize..60,
        second in 66usize..114,
        slopes in prop::array::uniform3(1.0f64..10.0),
        steps in prop::array::uniform3(1.0f64..10.0),
    ) {
        // Neighbouring pieces must differ by more than rounding.
        prop_assume!((slopes[0] - slopes[1]).abs() > 0.1 && (slopes[1] - slopes[2]).abs() > 0.1);
        let planted = [0, 1, 2].map(|i| [steps[i], slopes[i]]);
        let jump = |border: f64, i: usize| (steps[i] - steps[i + 1]) + (slopes[i] - slopes[i + 1]) * border;
        let borders = [first as f64, second as f64];
        for (i, &border) in borders.iter().enumerate() {
            prop_assume!(jump(border, i).abs() > 1e-3 && jump(border + 1.0, i).abs() > 1e-3);
        }
        check_planted(&to(120), &borders, &planted);
    }

    #[test]
    fn the_first_border_is_the_best_of_all(
        seed in any::<u64>(),
        points in 10usize..60,
        repetitions in 1usize..4,
        weighted in any::<bool>(),
    ) {
        // Noise, and a second slope with a jump: all borders differ.
        let mut random = Random(seed);
        let size = points * repetitions;
        let n: Vec<f64> = (0..size).map(|i| (i / repetitions) as f64 * 3.0 + 1.0).collect();
        let m: Vec<f64> = (0..size).map(|_| (random.uniform() * 6.0).floor()).collect();
        let border = n[size / 3];
        let observed: Vec<f64> = n
            .iter()
            .zip(&m)
            .map(|(&n, &m)| {
                let clean = if n <= border { 50.0 + n + m } else { 90.0 + 3.0 * n - 2.0 * m };
                clean * (1.0 + 0.05 * random.normal().clamp(-3.0, 3.0))
            })
            .collect();
        let basis = [vec![1.0; size], n.clone(), m.clone()];
        let weights = if weighted { relative(&observed) } else { Vec::new() };
        let columns = basis.iter().map(Vec::as_slice).collect();
        let samples = FitSamples { basis: columns, observed: &observed, weights: &weights };
        let options = SegmentOptions { sign: SignConstraint::Free, sharing: false, ..at_most(0.0, 2) };
        let variables: [&[f64]; 2] = [&n, &m];
        let found = segment(&samples, &variables, &options).expect("a segmentation");
        let best = brute_force(&samples, &variables);
        if let [split] = found.splits[..] {
            let sum: f64 = found.cells.iter().map(|cell| cell.fit.residual_sum_of_squares).sum();
            prop_assert!((sum / best.2 - 1.0).abs() < 1e-9, "{sum:e} instead of {:e}", best.2);
            prop_assert_eq!((split.variable, split.at), (best.0, best.1));
            prop_assert!(least_squares(&samples).expect("a fit").rms_relative_error >= found.cells.iter()
                .map(|cell| cell.fit.rms_relative_error).fold(f64::INFINITY, f64::min));
        } else {
            prop_assert_eq!(found.outcome, StopReason::NoBetterSplit);
        }
    }
}

/// The best border of all variables by two fits for every border.
fn brute_force(samples: &FitSamples, variables: &[&[f64]]) -> (usize, f64, f64) {
    let terms = samples.terms();
    let mut best = (0, 0.0, f64::INFINITY);
    for (variable, column) in variables.iter().enumerate() {
        let mut values = column.to_vec();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for &at in &values[..values.len() - 1] {
            let mut sum = 0.0;
            let mut enough = true;
            for side in [true, false] {
                let rows: Vec<usize> = (0..column.len()).filter(|&row| (column[row] <= at) == side).collect();
                let mut points: Vec<Vec<f64>> =
                    rows.iter().map(|&row| variables.iter().map(|column| column[row]).collect()).collect();
                points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
                points.dedup();
                enough &= points.len() > terms;
                let pick = |column: &[f64]| rows.iter().map(|&row| column[row]).collect::<Vec<f64>>();
                let basis: Vec<Vec<f64>> = samples.basis.iter().map(|column| pick(column)).collect();
                let weights = if samples.weights.is_empty() { Vec::new() } else { pick(samples.weights) };
                let fit = least_squares(&FitSamples {
                    basis: basis.iter().map(Vec::as_slice).collect(),
                    observed: &pick(samples.observed),
                    weights: &weights,
                })
                .expect("a fit");
                sum += fit.residual_sum_of_squares;
            }
            if enough && sum < best.2 {
                best = (variable, at, sum);
            }
        }
    }
    best
}

/// Share of noisy samples of one piece that are split although there is no border.
fn rate_of_false_splits(points: i32, repetitions: usize, terms: usize, runs: usize) -> f64 {
    let mut random = Random(42);
    let n: Vec<f64> = to(points).into_iter().flat_map(|n| std::iter::repeat_n(n, repetitions)).collect();
    let all = [vec![1.0; n.len()], n.clone(), n.iter().map(|n| n * n).collect()];
    let clean: Vec<f64> = n.iter().map(|n| 5.0 + n).collect();
    let weights = relative(&clean);
    let split = (0..runs)
        .filter(|_| {
            let observed: Vec<f64> =
                clean.iter().map(|y| y * (1.0 + 0.15 * random.normal().clamp(-3.0, 3.0))).collect();
            let basis = all[..terms].iter().map(Vec::as_slice).collect();
            let samples = FitSamples { basis, observed: &observed, weights: &weights };
            let found = segment(&samples, &[&n], &SegmentOptions::default()).expect("a segmentation");
            found.cells.len() > 1
        })
        .count();
    split as f64 / runs as f64
}

#[test]
fn noise_is_not_split() {
    let kinds =
        [(8, 1, 2), (12, 1, 2), (20, 1, 2), (20, 5, 2), (20, 1, 3), (73, 1, 3), (100, 1, 2), (300, 1, 3)];
    let rates = kinds.map(|(points, repetitions, terms)| {
        (points, repetitions, terms, rate_of_false_splits(points, repetitions, terms, 300))
    });
    assert!(rates.iter().all(|(.., rate)| *rate <= 0.03), "points, repetitions, terms, rate: {rates:?}");
}

#[test]
fn noise_does_not_hide_a_cache() {
    // 5 % noise, a slope three times as steep beyond 40, three repetitions
    let mut random = Random(3);
    let n: Vec<f64> = to(100).into_iter().flat_map(|n| [n; 3]).collect();
    let observed: Vec<f64> = n
        .iter()
        .map(|&n| {
            (2.0 + if n <= 40.0 { n } else { 3.0 * n }) * (1.0 + 0.05 * random.normal().clamp(-3.0, 3.0))
        })
        .collect();
    let basis = [vec![1.0; n.len()], n.clone()];
    let found = search(&basis, &observed, &[&n], &SegmentOptions::default());
    assert_eq!(found.splits.len(), 1);
    assert_eq!(found.splits[0].at, 40.0);
    let basis = basis.iter().map(Vec::as_slice).collect();
    let samples = FitSamples { basis, observed: &observed, weights: &relative(&observed) };
    let undivided = least_squares(&samples).expect("a fit").rms_relative_error;
    assert!(found.cells.iter().all(|cell| undivided > 2.0 * cell.fit.rms_relative_error));
}

/// Ten sizes with 1 % noise, the slope four times as steep behind one of them: also where only two sizes are on one side of it, as the constant part is
/// the same on both.
#[test]
fn two_sizes_beyond_a_border_show_it() {
    let mut random = Random(11);
    let n: Vec<f64> = (8..18).map(|power| f64::from(1 << power)).collect();
    for below in [2, 3, 5, 7, 8] {
        let border = n[below - 1];
        let law = |n: f64| 1e-6 + if n <= border { 1e-9 } else { 4e-9 } * n;
        let is_found = |_: &i32| {
            let observed: Vec<f64> = n.iter().map(|n| law(*n) * (1.0 + 0.01 * random.normal())).collect();
            let basis = [vec![1.0; n.len()], n.clone()];
            let found = search(&basis, &observed, &[&n], &SegmentOptions::default());
            let is_near = |cell: usize, truth: f64| {
                found
                    .cells
                    .get(cell)
                    .is_some_and(|cell| (cell.fit.coefficients[1] / truth - 1.0).abs() < 0.25)
            };
            matches!(&found.splits[..], [split] if split.at == border) && is_near(0, 1e-9) && is_near(1, 4e-9)
        };
        let found = (0..40).filter(is_found).count();
        assert!(found >= 36, "{found} of 40 with {below} sizes below");
    }
}
