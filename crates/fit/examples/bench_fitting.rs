//! Time of the fits a row and of a segmentation, beside the time of merely reading the columns.
//!
//! ```console
//! $ cargo run --release -p call-fit --example bench_fitting
//! ```
//!
//! `references/peers.py` times pwlf and ruptures on the same 10,000 points and prints the ratios.
//!
//! Each figure is the smallest of several runs in one process: ratios last, nanoseconds belong to a machine.

#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

use std::hint::black_box;
use std::time::Instant;

use call_fit::{
    Error, FitSamples, SegmentOptions, Thresholds, least_squares, segment, segment_in_proportion,
};

const ROWS: usize = 1_000_000;
const POINTS: usize = 10_000;
const RUNS: usize = 7;

/// Seconds of the fastest run.
fn fastest<T>(mut run: impl FnMut() -> Result<T, Error>) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        black_box(run()?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// 1, N, N log N, N^2.
fn formula(n: &[f64]) -> Vec<Vec<f64>> {
    vec![
        vec![1.0; n.len()],
        n.to_vec(),
        n.iter().map(|n| n * n.ln()).collect(),
        n.iter().map(|n| n * n).collect(),
    ]
}

/// Pseudo-random number in -1..1 for a row.
fn jitter(row: usize) -> f64 {
    let bits = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn fits() -> Result<(), Error> {
    let n: Vec<f64> = (0..ROWS).map(|row| 1.0 + row as f64).collect();
    let basis = formula(&n);
    let observed: Vec<f64> = n
        .iter()
        .enumerate()
        .map(|(row, n)| (1e-6 + 1e-9 * n + 2e-10 * n * n.ln() + 1e-14 * n * n) * (1.0 + 0.02 * jitter(row)))
        .collect();
    let weights: Vec<f64> = observed.iter().map(|y| 1.0 / (y * y)).collect();

    let per_row = 1e9 / ROWS as f64;
    println!("n = {ROWS}, k = {}", basis.len());
    for (kind, weights) in [("plain", &[][..]), ("weighted", &weights)] {
        let samples =
            FitSamples { basis: basis.iter().map(Vec::as_slice).collect(), observed: &observed, weights };
        let columns = samples.basis.iter().chain([&samples.observed, &samples.weights]);
        let sum = || Ok(columns.clone().map(|column| column.iter().sum::<f64>()).sum::<f64>());
        let reading = fastest(sum)? * per_row;
        let batch = fastest(|| least_squares(&samples))? * per_row;
        println!("{:34} {reading:6.2} ns/row", format!("summing the columns, {kind}"));
        println!(
            "{:34} {batch:6.2} ns/row  {:5.2} x summing",
            format!("least_squares, {kind}"),
            batch / reading
        );
    }
    Ok(())
}

fn segmentation() -> Result<(), Error> {
    let n: Vec<f64> = (0..POINTS).map(|row| 20.0 * (1.0 + row as f64)).collect();
    let basis = [vec![1.0; POINTS], n.clone()];
    let observed: Vec<f64> = n
        .iter()
        .enumerate()
        .map(|(row, &n)| {
            let seconds = match n {
                n if n <= 60_000.0 => 1e-5 + 1e-9 * n,
                n if n <= 130_000.0 => 2e-5 + 2e-9 * n,
                n => 5e-5 + 3e-9 * n,
            };
            seconds * (1.0 + 0.02 * jitter(row))
        })
        .collect();
    let weights: Vec<f64> = observed.iter().map(|y| 1.0 / (y * y)).collect();
    let samples = FitSamples {
        basis: basis.iter().map(Vec::as_slice).collect(),
        observed: &observed,
        weights: &weights,
    };
    let thresholds = Thresholds { error: 0.015, ..Thresholds::default() }.into();
    let found = segment(&samples, &[&n], &thresholds)?;
    let one = fastest(|| least_squares(&samples))?;
    let time = fastest(|| segment(&samples, &[&n], &thresholds))?;
    let borders: Vec<f64> = found.splits.iter().map(|split| split.at).collect();
    println!("segment, {POINTS} distinct points, k = 2, {} intervals", found.cells.len());
    let sum: f64 = found.cells.iter().map(|cell| cell.fit.residual_sum_of_squares).sum();
    println!("{:32} {:6.2} ms, {:.1} x one fit, borders at {borders:?}", "", time * 1e3, time / one);
    println!("{:32} weighted residual sum {sum:.9}", "");
    Ok(())
}

/// A million samples, at few distinct points or all distinct, in three intervals.
fn a_million(distinct: usize) -> Result<(), Error> {
    let n: Vec<f64> = (0..ROWS).map(|row| 20.0 * (1.0 + (row % distinct) as f64)).collect();
    let basis = [vec![1.0; ROWS], n.clone()];
    let last = 20.0 * distinct as f64;
    let clean = |n: f64| match n / last {
        share if share <= 0.3 => 1e-5 + 1e-9 * n,
        share if share <= 0.65 => 2e-5 + 2e-9 * n,
        _ => 5e-5 + 3e-9 * n,
    };
    let observed: Vec<f64> =
        n.iter().enumerate().map(|(row, &n)| clean(n) * (1.0 + 0.1 * jitter(row))).collect();
    let weights: Vec<f64> = n.iter().map(|&n| clean(n).powi(-2)).collect();
    let samples = FitSamples {
        basis: basis.iter().map(Vec::as_slice).collect(),
        observed: &observed,
        weights: &weights,
    };
    let found = segment(&samples, &[&n], &SegmentOptions::default())?;
    let time = fastest(|| segment(&samples, &[&n], &SegmentOptions::default()))?;
    let borders: Vec<f64> = found.splits.iter().map(|split| split.at / last).collect();
    println!(
        "segment, {ROWS} samples at {distinct} points: {:.1} ms, {} intervals, borders at {borders:.4?} of the range",
        time * 1e3,
        found.cells.len()
    );
    let weights: Vec<f64> = observed.iter().map(|y| y.powi(-2)).collect();
    let samples = FitSamples { weights: &weights, ..samples };
    let by_fitted = fastest(|| segment_in_proportion(&samples, &[&n], &SegmentOptions::default()))?;
    let by_measured = fastest(|| segment(&samples, &[&n], &SegmentOptions::default()))?;
    println!(
        "with weights by the fitted time: {:.2} times as long as by the measured",
        by_fitted / by_measured
    );
    Ok(())
}

fn main() -> Result<(), Error> {
    fits()?;
    segmentation()?;
    a_million(1000)?;
    a_million(ROWS)
}
