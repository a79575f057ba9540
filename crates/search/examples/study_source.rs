//! What the counts of the source do for predictions from few points: `cargo run --release -p call-search --example study_source`.
//! Programs are planted whose time is a sum of the terms that their source has, with weights by chance; of some the time grows otherwise:
//! operations that become three times slower beyond a size, or a square where the source has a line.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a study prints")]

use std::collections::BTreeMap;

use call_search::{Measurements, SourceVerdict, find};
use call_trace::{CountQuality, SourceCounts, SourceTerm};

/// So many programs of each kind.
const PROGRAMS: usize = 200;

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

/// Powers of the variables and of the logarithm of the first.
type Growth = &'static [(f64, u32)];

/// What a program does and what its source says.
struct Kind {
    name: &'static str,
    variables: usize,
    terms: &'static [Growth],
    /// The time for what the counts come to and the first variable.
    slowed: fn(f64, f64) -> f64,
}

const KINDS: [Kind; 6] = [
    Kind { name: "n*n", variables: 1, terms: &[&[(1.0, 0)], &[(2.0, 0)]], slowed: |time, _| time },
    Kind { name: "n*log(n)", variables: 1, terms: &[&[(1.0, 0)], &[(1.0, 1)]], slowed: |time, _| time },
    Kind {
        name: "n*m, n",
        variables: 2,
        terms: &[&[(1.0, 0), (0.0, 0)], &[(1.0, 0), (1.0, 0)]],
        slowed: |time, _| time,
    },
    Kind {
        name: "n of n, m, k",
        variables: 3,
        terms: &[&[(1.0, 0), (0.0, 0), (0.0, 0)]],
        slowed: |time, _| time,
    },
    Kind {
        name: "n*n, slower beyond",
        variables: 1,
        terms: &[&[(1.0, 0)], &[(2.0, 0)]],
        slowed: |time, n| if n > 300.0 { 3.0 * time } else { time },
    },
    Kind { name: "n, n*n in truth", variables: 1, terms: &[&[(1.0, 0)]], slowed: |time, n| time * n / 64.0 },
];

fn main() {
    println!(
        "source            points noise_%   within 20 %: alone_%  with_source_%   inside 90 %: alone_%  with_%   contradicted_%"
    );
    for kind in &KINDS {
        for points in [4, 5, 6] {
            for noise in [0.02, 0.1] {
                row(kind, points, noise);
            }
        }
    }
}

/// Plants programs at doubling sizes and predicts the point that is eight times as large in each variable.
fn row(kind: &Kind, levels: usize, noise: f64) {
    let mut chance = Chance(levels as u64 * 1000 + (1e4 * noise) as u64);
    let names: Vec<String> =
        ["n", "m", "k"][..kind.variables].iter().map(|name| (*name).to_owned()).collect();
    let source = counts(kind, &names);
    let mut tally = [0usize; 5];
    for _ in 0..PROGRAMS {
        let weights: Vec<f64> = kind.terms.iter().map(|_| (4.0 * chance.uniform()).exp()).collect();
        let start = chance.uniform();
        let largest = vec![64.0 * 2f64.powi(levels as i32 - 1); kind.variables];
        let time = |point: &[f64]| {
            let of_term =
                |(growth, weight): (&Growth, &f64)| weight * value(growth, point) / value(growth, &largest);
            let sum = start + kind.terms.iter().zip(&weights).map(of_term).sum::<f64>();
            (kind.slowed)(sum, point[0])
        };
        let points = grid(kind.variables, levels);
        let columns: Vec<Vec<f64>> = (0..kind.variables)
            .map(|variable| points.iter().map(|point| point[variable]).collect())
            .collect();
        let times: Vec<f64> =
            points.iter().map(|point| time(point) * (noise * chance.normal()).exp()).collect();
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let alone = Measurements::new(&names, &views, &times);
        let target: Vec<f64> = largest.iter().map(|value| 8.0 * value).collect();
        let truth = time(&target);
        let with = alone.clone().of_source(&source);
        let is_contradicted = find(&with).source() == SourceVerdict::Contradicted;
        for (position, measurements) in [alone, with].iter().enumerate() {
            let found = find(measurements).predict(&target, 0.9);
            tally[position] += usize::from((found.value / truth - 1.0).abs() < 0.2);
            tally[2 + position] += usize::from((found.low..=found.high).contains(&truth));
        }
        tally[4] += usize::from(is_contradicted);
    }
    let percent = |count: usize| 100.0 * count as f64 / PROGRAMS as f64;
    let [alone, with, inside_alone, inside_with, contradicted] = tally.map(percent);
    println!(
        "{:18} {levels:5} {:7} {alone:21.1} {with:14.1} {inside_alone:21.1} {inside_with:9.1} {contradicted:15.1}",
        kind.name,
        100.0 * noise
    );
}

/// One variable doubles at a time, the others having their middle values.
fn grid(variables: usize, levels: usize) -> Vec<Vec<f64>> {
    let size = |level: usize| 64.0 * 2f64.powi(level as i32);
    let mut points = vec![vec![size(levels / 2); variables]];
    for variable in 0..variables {
        for level in (0..levels).filter(|level| *level != levels / 2) {
            let mut point = points[0].clone();
            point[variable] = size(level);
            points.push(point);
        }
    }
    points
}

fn value(growth: &Growth, point: &[f64]) -> f64 {
    growth.iter().zip(point).map(|((power, logs), x)| x.powf(*power) * x.ln().powi(*logs as i32)).product()
}

fn counts(kind: &Kind, names: &[String]) -> SourceCounts {
    let growth = |growth: &Growth| -> BTreeMap<String, (f64, u32)> {
        names.iter().cloned().zip(growth.iter().copied()).filter(|(_, growth)| *growth != (0.0, 0)).collect()
    };
    let term = |its: &Growth| SourceTerm { growth: Some(growth(its)), ..SourceTerm::default() };
    let none: &Growth = &(&[] as Growth);
    let terms = std::iter::once(none).chain(kind.terms).map(term).collect();
    SourceCounts { terms, quality: CountQuality::Exact, ..SourceCounts::default() }
}
