//! How often intervals of found formulas hold what a planted formula gives: `cargo run --release -p call-search --example calibrate`.
//! They are meant to hold 90 % of measurements of programs, whose law may change beyond the data; planted ones never do, so a little
//! more is expected of them.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark prints")]

use call_search::{FormulaFinder, Measurements};

/// So many kernels of each kind.
const KERNELS: usize = 400;

/// Uniform numbers in 0 … 1 by a linear congruence.
struct Chance(u64);

impl Chance {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// By the method of Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.uniform()).cos()
    }
}

/// A start-up time and one term of the kinds that programs have, as a function of one variable.
fn plant(chance: &mut Chance, largest: f64) -> impl Fn(f64) -> f64 + use<> {
    let kind = (9.0 * chance.uniform()) as usize;
    let shape = move |x: f64| match kind {
        0 => 0.0,
        1 => x,
        2 => x * x.ln(),
        3 => x.powf(1.5),
        4 => x * x,
        5 => x.sqrt(),
        6 => x.ln(),
        7 => 1.0 / x,
        _ => x.powf(4.0 / 3.0),
    };
    let start = chance.uniform();
    let share = (4.0 * chance.uniform()).exp() / shape(largest).max(shape(2.0)).max(1e-9);
    move |x| start + share * shape(x)
}

fn main() {
    println!("variables points noise_% beyond   covered_%  below_%  median_width_%  median_error_%");
    for (variables, levels) in [(1, 4), (1, 5), (1, 8), (2, 5)] {
        for noise in [0.0, 0.005, 0.02, 0.05, 0.15] {
            for beyond in [2.0, 8.0] {
                let seed =
                    (variables * 100 + levels) as u64 + (1e4 * noise) as u64 * 1000 + beyond as u64 * 77;
                row(&mut Chance(seed), variables, levels, noise, beyond);
            }
        }
    }
}

/// Plants kernels on a grid of doubling values and predicts the point that is `beyond` times as large in each variable.
fn row(chance: &mut Chance, variables: usize, levels: usize, noise: f64, beyond: f64) {
    let names: Vec<String> = ["P", "N"].iter().take(variables).map(|name| (*name).to_owned()).collect();
    let points = levels.pow(variables as u32);
    let columns: Vec<Vec<f64>> = (0..variables)
        .map(|variable| {
            (0..points).map(|row| f64::from(4 << (row / levels.pow(variable as u32) % levels))).collect()
        })
        .collect();
    let largest = f64::from(4 << (levels - 1));
    let mut finder = FormulaFinder::new();
    let (mut covered, mut below) = (0, 0);
    let (mut widths, mut errors) = (Vec::new(), Vec::new());
    for _ in 0..KERNELS {
        let factors: Vec<_> = (0..variables).map(|_| plant(chance, largest)).collect();
        let truth = |point: &dyn Fn(usize) -> f64| -> f64 {
            factors.iter().enumerate().map(|(variable, factor)| factor(point(variable))).product()
        };
        let values: Vec<f64> = (0..points)
            .map(|row| truth(&|variable| columns[variable][row]) * (noise * chance.normal()).exp())
            .collect();
        let measured = truth(&|_| beyond * largest) * (noise * chance.normal()).exp();
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let finding = finder.find(&Measurements::new(&names, &slices, &values));
        let prediction = finding.predict(&vec![beyond * largest; variables], 0.9);
        let rounding = 1e-9 * measured;
        covered +=
            usize::from(prediction.low <= measured + rounding && measured - rounding <= prediction.high);
        below += usize::from(measured + rounding < prediction.low);
        widths.push((prediction.high - prediction.low) / prediction.value);
        errors.push((prediction.value / measured - 1.0).abs());
    }
    let share = |count: usize| 100.0 * count as f64 / KERNELS as f64;
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        100.0 * values[values.len() / 2]
    };
    println!(
        "{variables:9} {points:6} {:7.1} {beyond:6} {:11.1} {:8.1} {:15.2} {:15.2}",
        100.0 * noise,
        share(covered),
        share(below),
        median(widths),
        median(errors)
    );
}
