//! Whether constants are biased, and whether intervals hold what they say, on planted problems: `cargo run --release -p call-model
//! --example study_calibration [PROBLEMS]`, 500 problems of each kind if nothing is said. The same in every run.
//!
//! Noise is in proportion to the time: normal, lognormal, or spiky (lognormal of the same width, and one measurement in twenty takes 1.5
//! to 3 times as long). It is scaled so that the expectation of what is fitted, a time or the median of repetitions, is the planted one:
//! that is what least squares estimate.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a study prints, and is told how long to go on"
)]
#![allow(clippy::unwrap_used, reason = "a study that meets None has failed")]

#[path = "../tests/planted/mod.rs"]
mod planted;

use call_model::{Forecaster, MeasuringConditions, Model, Settings, student_quantile};
use planted::{Dice, Noise, experiment, sizes};
use rayon::prelude::*;

const LEVEL: f64 = 0.9;
const KINDS: [Noise; 3] = [Noise::Normal, Noise::Lognormal, Noise::Spiky];
const REPETITIONS: [usize; 3] = [1, 3, 5];

type Truth = fn(f64) -> f64;

/// Each size as often as it is repeated, and times as they might be measured.
fn measure(
    formula: &str,
    n: &[f64],
    truth: Truth,
    repetitions: usize,
    dice: &mut Dice,
    noise: Noise,
    width: f64,
) -> call_trace::Experiment {
    let points: Vec<Vec<f64>> = n.iter().flat_map(|n| vec![vec![*n]; repetitions]).collect();
    let times = points.iter().map(|point| truth(point[0]) * noise.factor(dice, width).max(1e-3)).collect();
    experiment(formula, &["N"], &points, times)
}

/// The expectation of the median of repetitions, for a time of 1.
fn expected(noise: Noise, width: f64, repetitions: usize) -> f64 {
    let mut dice = Dice::new(77);
    let runs = 200_000;
    let median = |dice: &mut Dice| {
        let mut times: Vec<f64> = (0..repetitions).map(|_| noise.factor(dice, width).max(1e-3)).collect();
        times.sort_by(f64::total_cmp);
        times[repetitions / 2]
    };
    (0..runs).map(|_| median(&mut dice)).sum::<f64>() / f64::from(runs)
}

/// Bias over standard error of each constant, and how often their intervals hold the truth.
fn constants(formula: &str, n: &[f64], truth: Truth, planted: &[f64], problems: u64) {
    for noise in KINDS {
        for width in [0.05, 0.1, 0.2, 0.3] {
            let mut row = format!("{formula:14} {:9} {:3.0} %", noise.name(), 100.0 * width);
            for repetitions in REPETITIONS {
                let centre = expected(noise, width, repetitions);
                let one = |seed: u64| {
                    let mut dice = Dice::new(seed);
                    let experiment = measure(formula, n, truth, repetitions, &mut dice, noise, width);
                    let prepared = Settings::default().prepare(&experiment);
                    let model = Model::fit(&prepared).unwrap();
                    let fit = &model.cells()[0].fit;
                    let reach = student_quantile(0.5 + LEVEL / 2.0, fit.degrees_of_freedom as f64);
                    let of = |term: usize| {
                        let off = fit.coefficients[term] / (planted[term] * centre) - 1.0;
                        let error = fit.standard_errors[term] / (planted[term] * centre);
                        (off, f64::from(u8::from(off.abs() <= reach * error)))
                    };
                    ((0..planted.len()).map(of).collect::<Vec<_>>(), model.cells().len())
                };
                let all: Vec<(Vec<(f64, f64)>, usize)> = (0..problems).into_par_iter().map(one).collect();
                let split = all.iter().filter(|(_, cells)| *cells > 1).count();
                let whole: Vec<&Vec<(f64, f64)>> =
                    all.iter().filter(|(_, cells)| *cells == 1).map(|(found, _)| found).collect();
                let count = whole.len() as f64;
                row += &format!("  | r={repetitions}");
                for term in 0..planted.len() {
                    let mean = whole.iter().map(|found| found[term].0).sum::<f64>() / count;
                    let square =
                        whole.iter().map(|found| (found[term].0 - mean).powi(2)).sum::<f64>() / count;
                    let held = whole.iter().map(|found| found[term].1).sum::<f64>() / count;
                    row += &format!(" {:+6.2} se {:5.1} %", mean / square.sqrt(), 100.0 * held);
                }
                row += &format!(" ({split} split)");
            }
            println!("{row}");
        }
    }
}

/// How often intervals of forecasts hold a new measurement: inside, at 2 and at 8 times the sampled range; and how wide they are.
fn measurements(name: &str, formula: &str, n: &[f64], truth: Truth, problems: u64) {
    for noise in KINDS {
        for width in [0.03, 0.1, 0.3] {
            let mut row = format!("{name:26} {:9} {:3.0} %", noise.name(), 100.0 * width);
            for repetitions in REPETITIONS {
                let one = |seed: u64| {
                    let mut dice = Dice::new(seed);
                    let experiment = measure(formula, n, truth, repetitions, &mut dice, noise, width);
                    let prepared = Settings::default().prepare(&experiment);
                    let forecaster = Forecaster::new(Model::fit(&prepared).unwrap(), &prepared).unwrap();
                    let (first, last) = (n[0], n[n.len() - 1]);
                    let inside = (first * (last / first).powf(dice.uniform())).round();
                    [inside, 2.0 * last, 8.0 * last].map(|n| {
                        let forecast = forecaster.forecast(&[n], LEVEL);
                        let time = truth(n) * noise.factor(&mut dice, width).max(1e-3);
                        assert!(
                            forecast.lower_s <= forecast.prediction.time_s
                                && forecast.prediction.time_s <= forecast.upper_s
                        );
                        let held = forecast.lower_s <= time && time <= forecast.upper_s;
                        (
                            f64::from(u8::from(held)),
                            (forecast.upper_s - forecast.lower_s) / forecast.prediction.time_s,
                        )
                    })
                };
                let all: Vec<[(f64, f64); 3]> = (0..problems).into_par_iter().map(one).collect();
                row += &format!("  | r={repetitions}");
                for place in 0..3 {
                    let held = all.iter().map(|found| found[place].0).sum::<f64>() / problems as f64;
                    let mut widths: Vec<f64> = all.iter().map(|found| found[place].1).collect();
                    widths.sort_by(f64::total_cmp);
                    row += &format!(" {:5.1} % (w {:4.0} %)", 100.0 * held, 100.0 * widths[widths.len() / 2]);
                }
            }
            println!("{row}");
        }
    }
}

/// How often a right formula is called wrong.
fn alarms(formula: &str, n: &[f64], truth: Truth, problems: u64) {
    for repetitions in REPETITIONS {
        let one = |seed: u64| {
            let experiment =
                measure(formula, n, truth, repetitions, &mut Dice::new(seed), Noise::Normal, 0.05);
            let prepared = Settings::default().prepare(&experiment);
            let judged = Model::fit(&prepared)
                .unwrap()
                .judge(&prepared, &MeasuringConditions::default(), LEVEL)
                .unwrap();
            judged.warnings.iter().map(|warning| warning.code().to_owned()).collect::<Vec<String>>()
        };
        let all: Vec<Vec<String>> = (0..problems).into_par_iter().map(one).collect();
        let of = |code: &str| all.iter().filter(|codes| codes.iter().any(|one| one == code)).count();
        println!(
            "{formula} r={repetitions}: of {problems} right formulas a term is proposed to {}, a variable to {}",
            of("missing-term"),
            of("other-variable")
        );
    }
}

fn main() {
    let problems = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500);
    println!(
        "Constants: bias over their standard deviation, and coverage of 90 % intervals; fits in several cells are left out"
    );
    let forty: Vec<f64> = sizes(100.0, 1.15, 40);
    constants("f[0]*N", &forty, |n| 1e-6 * n, &[1e-6], problems);
    constants("f[0] + f[1]*N", &sizes(64.0, 1.6, 12), |n| 2e-5 + 2e-8 * n, &[2e-5, 2e-8], problems);
    println!("\nSingle measurements: coverage of 90 % intervals inside, at 2 and at 8 times");
    measurements("right, 12 sizes", "f[0] + f[1]*N", &sizes(64.0, 1.6, 12), |n| 2e-5 + 2e-8 * n, problems);
    measurements(
        "right, 3 terms, 20 sizes",
        "f[0] + f[1]*N + f[2]*N*log(N)",
        &sizes(16.0, 1.5, 20),
        |n| 1e-5 + 3e-8 * n + 1e-8 * n * n.ln(),
        problems,
    );
    measurements(
        "slightly wrong (N^1.08)",
        "f[0] + f[1]*N",
        &sizes(64.0, 1.6, 12),
        |n| 2e-5 + 2e-8 * n.powf(1.08),
        problems,
    );
    measurements(
        "slightly wrong (+ sqrt N)",
        "f[0] + f[1]*N",
        &sizes(64.0, 1.4, 16),
        |n| 1e-5 + 2e-8 * n + 2e-7 * n.sqrt(),
        problems,
    );
    println!("\nProposals to right formulas");
    alarms("f[0] + f[1]*N", &sizes(64.0, 1.6, 12), |n| 2e-5 + 2e-8 * n, problems);
    alarms("f[0] + f[1]*N*log(N)", &sizes(16.0, 1.5, 20), |n| 1e-5 + 1e-8 * n * n.ln(), problems);
    alarms("f[0]*N*N", &sizes(64.0, 1.4, 16), |n| 2e-8 * n * n, problems);
}
