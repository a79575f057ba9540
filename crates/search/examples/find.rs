//! Time to find formulas: `cargo run --release -p call-search --example find`. Extra-P 4.2.5 takes 18 ms for a model of one parameter,
//! 34 ms of two, 63 ms of three.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark reads the clock and prints")]

use std::time::Instant;

use call_search::{FormulaFinder, Measurements};

/// Kernels of every kind: constant, growing, shrinking to a floor, with noise of a few percent.
fn kernels(variables: usize, levels: usize, count: usize) -> Vec<Measurements> {
    let names: Vec<String> = ["P", "N", "M"].iter().take(variables).map(|name| (*name).to_owned()).collect();
    let points = levels.pow(variables as u32);
    let level = |point: usize, variable: usize| point / levels.pow(variable as u32) % levels;
    let columns: Vec<Vec<f64>> = (0..variables)
        .map(|variable| (0..points).map(|point| f64::from(4 << level(point, variable))).collect())
        .collect();
    let mut state = 1u32;
    let kernel = |index: usize| {
        let values: Vec<f64> = (0..points)
            .map(|point| {
                let x: f64 = columns.iter().map(|column| column[point]).product();
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let noise = 1.0 + 0.05 * (f64::from(state >> 8) / f64::from(1 << 24) - 0.5);
                noise
                    * match index % 5 {
                        0 => 1.0,
                        1 => 1.0 + 0.3 * x,
                        2 => 2.0 + 0.1 * x * x.ln(),
                        3 => 0.1 + 4.0 / x,
                        _ => 0.2 * x.powf(1.5),
                    }
            })
            .collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        Measurements::new(&names, &columns, &values)
    };
    (0..count).map(kernel).collect()
}

fn main() {
    for (variables, levels, count, extra_p_ms) in [
        (1, 4, 500, 18.0),
        (1, 5, 500, 18.0),
        (1, 6, 500, 18.0),
        (1, 8, 500, 18.0),
        (2, 5, 50, 34.0),
        (3, 5, 5, 63.0),
    ] {
        let kernels = kernels(variables, levels, count);
        let mut finder = FormulaFinder::new();
        finder.find(&kernels[0]);
        let mut sum = 0.0;
        let mut times_us: Vec<f64> = kernels
            .iter()
            .map(|kernel| {
                let start = Instant::now();
                let finding = finder.find(kernel);
                sum += finding.predict(&vec![8.0 * f64::from(1 << levels); variables], 0.9).high;
                1e6 * start.elapsed().as_secs_f64()
            })
            .collect();
        times_us.sort_by(f64::total_cmp);
        let each_us = times_us[count / 2];
        println!(
            "{variables} variables, {:3} points: {each_us:9.1} us a model with its interval, Extra-P {:6.0} us: {:6.0}x (checksum {sum:.3e})",
            kernels[0].values().len(),
            1e3 * extra_p_ms,
            1e3 * extra_p_ms / each_us
        );
    }
}
