//! How often planted intervals and constants are found again, by noise and number of sizes.
//!
//! ```console
//! $ cargo run --release -p call-fit --example recovery
//! ```
//!
//! Times are `A0 + A1 N + A2 N^2` with noise in proportion, as those of the initialisation of a matrix in the paper
//! (section 2.1): constants change at planted sizes. A row of the table counts, of all runs, those with the planted
//! number of intervals, with each border within one measured size of the planted one, with the planted sets for each
//! constant (Table 2 of the paper), and the constants of such runs within two standard errors of the planted ones.

#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

use call_fit::{Error, FitSamples, SegmentOptions, Segmentation, segment};

const RUNS: usize = 50;

/// A reproducible generator.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normal with mean 0 and variance 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

struct PlantedCase {
    name: &'static str,
    /// Largest sizes of all intervals but the last one.
    borders: &'static [f64],
    /// Constants of each interval.
    constants: &'static [[f64; 3]],
    /// How many values each constant has.
    values: [usize; 3],
}

const PLANS: &[PlantedCase] = &[
    PlantedCase { name: "one interval", borders: &[], constants: &[[2e-6, 4e-9, 1e-9]], values: [1, 1, 1] },
    PlantedCase {
        name: "A2 doubles (Table 2)",
        borders: &[362.0],
        constants: &[[2e-6, 4e-9, 1e-9], [2e-6, 4e-9, 2e-9]],
        values: [1, 1, 2],
    },
    PlantedCase {
        name: "A2 + 30 %",
        borders: &[362.0],
        constants: &[[2e-6, 4e-9, 1e-9], [2e-6, 4e-9, 1.3e-9]],
        values: [1, 1, 2],
    },
    PlantedCase {
        name: "A2 has three values",
        borders: &[181.0, 724.0],
        constants: &[[2e-6, 4e-9, 1e-9], [2e-6, 4e-9, 2e-9], [2e-6, 4e-9, 6e-9]],
        values: [1, 1, 3],
    },
];

#[derive(Default)]
struct Counts {
    intervals: usize,
    borders: usize,
    sets: usize,
    constants: usize,
    constants_of: usize,
}

fn sizes(count: usize) -> Vec<f64> {
    let ratio = 2048f64 / 32.0;
    (0..count).map(|i| (32.0 * ratio.powf(i as f64 / (count - 1) as f64)).round()).collect()
}

fn run(
    plan: &PlantedCase,
    sizes: &[f64],
    repetitions: usize,
    noise: f64,
    random: &mut Random,
) -> Result<Counts, Error> {
    let n: Vec<f64> = sizes.iter().flat_map(|&n| std::iter::repeat_n(n, repetitions)).collect();
    let basis = [vec![1.0; n.len()], n.clone(), n.iter().map(|n| n * n).collect::<Vec<f64>>()];
    let clean = |row: usize| {
        let interval = plan.borders.iter().filter(|&&border| n[row] > border).count();
        plan.constants[interval].iter().zip(&basis).map(|(c, column)| c * column[row]).sum::<f64>()
    };
    let observed: Vec<f64> =
        (0..n.len()).map(|row| clean(row) * (1.0 + noise * random.normal().clamp(-4.0, 4.0))).collect();
    // Relative weights, from the mean at each size.
    let weights: Vec<f64> = observed
        .chunks(repetitions)
        .flat_map(|at| {
            let mean = at.iter().sum::<f64>() / at.len() as f64;
            std::iter::repeat_n(1.0 / (mean * mean), at.len())
        })
        .collect();
    let samples = FitSamples {
        basis: basis.iter().map(Vec::as_slice).collect(),
        observed: &observed,
        weights: &weights,
    };
    Ok(judge(plan, sizes, &segment(&samples, &[&n], &SegmentOptions::default())?))
}

fn judge(plan: &PlantedCase, sizes: &[f64], found: &Segmentation) -> Counts {
    let mut counts = Counts::default();
    if found.cells.len() != plan.constants.len() {
        return counts;
    }
    counts.intervals = 1;
    let position = |border: f64| sizes.iter().filter(|&&n| n <= border).count();
    let near = |(cell, &border): (&call_fit::Cell, &f64)| {
        position(cell.intervals[0].upper).abs_diff(position(border)) <= 1
    };
    counts.borders = usize::from(found.cells.iter().zip(plan.borders).all(near));
    let values = found.sets.iter().map(|sets| sets.iter().max().map_or(0, |last| last + 1));
    counts.sets = usize::from(values.eq(plan.values));
    for (cell, planted) in found.cells.iter().zip(plan.constants) {
        for (term, planted) in planted.iter().enumerate() {
            let off = (cell.fit.coefficients[term] - planted).abs();
            counts.constants_of += 1;
            counts.constants += usize::from(off <= 2.0 * cell.fit.standard_errors[term] + 1e-9 * planted);
        }
    }
    counts
}

fn main() -> Result<(), Error> {
    println!("{RUNS} runs each; percent of runs with the planted");
    println!(
        "{:22} {:>5} {:>5} {:>6} {:>10} {:>8} {:>5} {:>10}",
        "times", "sizes", "reps", "noise", "intervals", "borders", "sets", "constants"
    );
    for plan in PLANS {
        for (count, repetitions) in [(10, 1), (19, 1), (19, 5), (73, 1)] {
            let sizes = sizes(count);
            for noise in [0.0, 0.01, 0.05, 0.1] {
                let mut random = Random(7);
                let mut all = Counts::default();
                for _ in 0..RUNS {
                    let one = run(plan, &sizes, repetitions, noise, &mut random)?;
                    all.intervals += one.intervals;
                    all.borders += one.borders;
                    all.sets += one.sets;
                    all.constants += one.constants;
                    all.constants_of += one.constants_of;
                }
                let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
                println!(
                    "{:22} {count:5} {repetitions:5} {:4.0} % {:10.1} {:8.1} {:5.1} {:10.1}",
                    plan.name,
                    100.0 * noise,
                    percent(all.intervals, RUNS),
                    percent(all.borders, RUNS),
                    percent(all.sets, RUNS),
                    percent(all.constants, all.constants_of),
                );
            }
        }
    }
    Ok(())
}
