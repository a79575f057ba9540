//! Noise of many kinds, planted.
#![allow(dead_code, reason = "each study takes what it needs")]

/// A generator of random numbers: SplitMix64.
pub struct Dice(pub u64);

impl Dice {
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

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Normal,
    HeavyTailed,
    Skewed,
    Autocorrelated,
    TwoStates,
    Drift,
}

pub const KINDS: [(Kind, &str); 6] = [
    (Kind::Normal, "normal"),
    (Kind::HeavyTailed, "heavy-tailed"),
    (Kind::Skewed, "skewed"),
    (Kind::Autocorrelated, "autocorrelated 0.6"),
    (Kind::TwoStates, "two machine states"),
    (Kind::Drift, "clock drift"),
];

impl Kind {
    /// The next number of mean 0 and variance 1 behind the last one.
    pub fn next(self, dice: &mut Dice, last: f64) -> f64 {
        let z = dice.normal();
        match self {
            Kind::HeavyTailed => {
                // Student's t with three degrees of freedom.
                let square: f64 = (0..3).map(|_| dice.normal().powi(2)).sum();
                z / square.sqrt()
            }
            Kind::Skewed => -dice.uniform().ln() - 1.0,
            Kind::Autocorrelated => 0.6 * last + 0.8 * z,
            Kind::Normal | Kind::TwoStates | Kind::Drift => z,
        }
    }
}
