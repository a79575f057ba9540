//! The difference of two groups of runs alarms as seldom as it says, and finds what is there.

use call_check::{Difference, RunValue, TwoGroups};

/// A generator of normal numbers: SplitMix64 and the method of Box and Muller.
struct Dice(u64);

impl Dice {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

/// The share of 2,000 differences with a chance of at most 1 %; runs follow each other with a correlation, the new ones are higher by a shift.
fn alarms(runs: (usize, usize), correlation: f64, shift: f64, same_design: bool) -> f64 {
    let mut dice = Dice(17);
    let mut found = 0;
    for _ in 0..2000 {
        let mut last = dice.normal();
        let mut run = |index: usize| {
            last = correlation * last + (1.0 - correlation * correlation).sqrt() * dice.normal();
            let noise = if same_design { 0.0 } else { 0.5 + (index % 3) as f64 };
            let value = 100.0 + last + noise * dice.normal();
            RunValue {
                value: if index < runs.0 { value } else { value + shift },
                variance: noise * noise,
                rounding: 0.0,
            }
        };
        let all: Vec<RunValue> = (0..runs.0 + runs.1).map(&mut run).collect();
        let (before, after) = all.split_at(runs.0);
        let difference = Difference::of(&TwoGroups { before, after, same_design }).unwrap();
        found += usize::from(difference.below(0.0) <= 0.01);
    }
    f64::from(found as u32) / 2000.0
}

#[test]
fn alarms_are_as_seldom_as_they_should_be() {
    for (runs, correlation, same_design) in [
        ((10, 3), 0.0, true),
        ((20, 3), 0.0, true),
        ((5, 5), 0.0, true),
        ((10, 3), 0.0, false),
        ((10, 1), 0.0, true),
        ((20, 5), 0.6, true),
    ] {
        let share = alarms(runs, correlation, 0.0, same_design);
        assert!(share <= 0.015, "{runs:?} {correlation} {same_design}: {share}");
    }
}

#[test]
fn what_is_there_is_found() {
    assert!(alarms((10, 3), 0.0, 5.0, true) > 0.9);
    assert!(alarms((20, 5), 0.0, 4.0, false) > 0.5);
}
