//! Experiments with known truth and noise that is the same in every run.
#![allow(dead_code, reason = "each test file uses its part")]

use call_trace::{Experiment, Samples};

/// A generator of normal numbers: SplitMix64 and the method of Box and Muller.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Between 0 and 1, never 0.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

/// How measurements scatter, in proportion to the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    Normal,
    Lognormal,
    /// Lognormal, and one in twenty takes 1.5 to 3 times as long.
    Spiky,
}

impl Noise {
    pub fn name(self) -> &'static str {
        match self {
            Noise::Normal => "normal",
            Noise::Lognormal => "lognormal",
            Noise::Spiky => "spiky",
        }
    }

    /// What a time is multiplied by.
    pub fn factor(self, dice: &mut Dice, width: f64) -> f64 {
        let z = dice.normal();
        match self {
            Noise::Normal => 1.0 + width * z,
            Noise::Lognormal => (width * z).exp(),
            Noise::Spiky if dice.uniform() < 0.05 => (width * z).exp() * (1.5 + 1.5 * dice.uniform()),
            Noise::Spiky => (width * z).exp(),
        }
    }
}

/// Samples at points of named variables, on one processor.
pub fn experiment(formula: &str, names: &[&str], points: &[Vec<f64>], time_s: Vec<f64>) -> Experiment {
    let samples = Samples {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        columns: (0..names.len()).map(|column| points.iter().map(|point| point[column]).collect()).collect(),
        processor: vec![0; points.len()],
        run: vec![0; points.len()],
        time_s,
        ..Samples::default()
    };
    Experiment { name: "f".into(), formula: Some(formula.into()), samples, ..Experiment::default() }
}

/// A truth with the formula that is fitted to it, and where it is measured.
pub struct Scenario {
    pub name: &'static str,
    pub formula: &'static str,
    pub names: &'static [&'static str],
    pub truth: fn(&[f64]) -> f64,
    pub points: Vec<Vec<f64>>,
    /// Points further out.
    pub beyond: Vec<Vec<f64>>,
}

/// `count` sizes from `first` on, each `factor` times the one before, rounded.
pub fn sizes(first: f64, factor: f64, count: i32) -> Vec<f64> {
    (0..count).map(|step| (first * factor.powi(step)).round()).collect()
}

fn line(values: Vec<f64>) -> Vec<Vec<f64>> {
    values.into_iter().map(|value| vec![value]).collect()
}

fn grid(n: &[f64], p: &[f64]) -> Vec<Vec<f64>> {
    n.iter().flat_map(|n| p.iter().map(|p| vec![*n, *p])).collect()
}

/// Truths that have the form of their formula.
pub fn right() -> Vec<Scenario> {
    let far = |last: f64| line(vec![1.5 * last, 2.0 * last, 4.0 * last, 8.0 * last]);
    vec![
        Scenario {
            name: "linear, 12 sizes",
            formula: "f[0] + f[1]*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-8 * v[0],
            points: line(sizes(64.0, 1.6, 12)),
            beyond: far(11259.0),
        },
        Scenario {
            name: "N log N, 20 sizes",
            formula: "f[0] + f[1]*N + f[2]*N*log(N)",
            names: &["N"],
            truth: |v| 1e-5 + 3e-8 * v[0] + 1e-8 * v[0] * v[0].ln(),
            points: line(sizes(16.0, 1.5, 20)),
            beyond: far(35469.0),
        },
        Scenario {
            name: "quadratic, 8 sizes",
            formula: "f[0] + f[1]*N*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-9 * v[0] * v[0],
            points: line(sizes(100.0, 1.4, 8)),
            beyond: far(1054.0),
        },
        Scenario {
            name: "matrix on P processors",
            formula: "f[0] + f[1]*N*N/P + f[2]*N*P",
            names: &["N", "P"],
            truth: |v| 1e-4 + 1e-8 * v[0] * v[0] / v[1] + 2e-8 * v[0] * v[1],
            points: grid(&sizes(128.0, 2.0, 5), &[1.0, 2.0, 4.0, 8.0]),
            beyond: grid(&[4096.0, 8192.0], &[8.0, 16.0, 32.0]),
        },
        Scenario {
            name: "cubic, 40 sizes",
            formula: "f[0] + f[1]*N*N*N",
            names: &["N"],
            truth: |v| 1e-4 + 1e-9 * v[0] * v[0] * v[0],
            points: line(sizes(20.0, 1.1, 40)),
            beyond: far(823.0),
        },
        Scenario {
            name: "out of the cache, 24 sizes",
            formula: "f[0] + f[1]*N",
            names: &["N"],
            truth: |v| if v[0] <= 2000.0 { 1e-5 + 2e-8 * v[0] } else { 6e-5 + 5e-8 * v[0] },
            points: line(sizes(128.0, 1.28, 24)),
            beyond: far(37387.0),
        },
    ]
}

/// Truths that their formula lacks a term of, or has one of the wrong kind of.
pub fn wrong() -> Vec<Scenario> {
    let far = |last: f64| line(vec![1.5 * last, 2.0 * last, 4.0 * last]);
    vec![
        Scenario {
            name: "quadratic as linear",
            formula: "f[0] + f[1]*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-9 * v[0] * v[0],
            points: line(sizes(64.0, 1.4, 16)),
            beyond: far(9956.0),
        },
        Scenario {
            name: "N sqrt N as linear",
            formula: "f[0] + f[1]*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-8 * v[0] * v[0].sqrt(),
            points: line(sizes(64.0, 1.5, 16)),
            beyond: far(28025.0),
        },
        Scenario {
            name: "N log N as linear",
            formula: "f[0] + f[1]*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-8 * v[0] * v[0].ln(),
            points: line(sizes(64.0, 1.5, 16)),
            beyond: far(28025.0),
        },
        Scenario {
            name: "power 1.25 as linear",
            formula: "f[0] + f[1]*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-8 * v[0].powf(1.25),
            points: line(sizes(64.0, 1.5, 16)),
            beyond: far(28025.0),
        },
        Scenario {
            name: "power 2.7 as quadratic",
            formula: "f[0] + f[1]*N*N",
            names: &["N"],
            truth: |v| 1e-5 + 2e-9 * v[0].powf(2.7),
            points: line(sizes(32.0, 1.4, 12)),
            beyond: far(1296.0),
        },
        Scenario {
            name: "communication forgotten",
            formula: "f[0] + f[1]*N*N/P",
            names: &["N", "P"],
            truth: |v| 1e-4 + 1e-8 * v[0] * v[0] / v[1] + 1e-7 * v[0] * v[1],
            points: grid(&sizes(128.0, 2.0, 5), &[1.0, 2.0, 4.0, 8.0]),
            beyond: grid(&[4096.0], &[8.0, 16.0]),
        },
        Scenario {
            name: "start-up forgotten",
            formula: "f[0]*N",
            names: &["N"],
            truth: |v| 1e-4 + 2e-7 * v[0],
            points: line(sizes(16.0, 1.6, 14)),
            beyond: far(7206.0),
        },
    ]
}

impl Scenario {
    pub fn measure(&self, noise: f64, seed: u64) -> Experiment {
        let mut dice = Dice::new(seed);
        let times = self.points.iter().map(|point| (self.truth)(point) * (1.0 + noise * dice.normal()));
        experiment(self.formula, self.names, &self.points, times.map(|time| time.max(1e-9)).collect())
    }
}
