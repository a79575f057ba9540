use call_search::{Measurements, Siblings, find};

const SIZES: [f64; 4] = [64.0, 512.0, 4096.0, 32768.0];
const BEYOND: f64 = 262_144.0;

/// Uniform numbers in 0 … 1 from a linear congruence, the same on every machine.
struct Chance(u64);

impl Chance {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A factor of about 1.
    fn noise(&mut self, size: f64) -> f64 {
        1.0 + size * (2.0 * self.uniform() - 1.0)
    }
}

fn measured(sizes: &[f64], value: impl FnMut(&f64) -> f64) -> Measurements {
    let values: Vec<f64> = sizes.iter().map(value).collect();
    Measurements::new(&["s".to_owned()], &[sizes], &values)
}

/// Halos of cubes of s points have surfaces, less their edges: a*cbrt(s) - b.
fn halos(count: usize) -> (Siblings, Vec<f64>) {
    let mut chance = Chance(7);
    let (mut members, mut truths) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (a, b) = (30.0 + 10.0 * chance.uniform(), 80.0 + 30.0 * chance.uniform());
        members.push(measured(&SIZES, |s| (a * s.cbrt() - b) * chance.noise(0.01)));
        truths.push(a * BEYOND.cbrt() - b);
    }
    (Siblings::new(members), truths)
}

#[test]
fn kernels_of_a_program_show_together_that_terms_are_negative() {
    let (siblings, truths) = halos(20);
    let mut held = 0;
    for (member, truth) in truths.iter().enumerate() {
        let together = siblings.predict(member, &[BEYOND], 0.9);
        let alone = siblings.finding(member).predict(&[BEYOND], 0.9);
        let off = |value: f64| (value / truth).ln().abs();
        assert!(off(together.value) < 0.15, "{} for {truth}", together.value);
        assert!(off(together.value) <= off(alone.value) + 1e-9, "alone {} for {truth}", alone.value);
        held += usize::from(together.low <= *truth && *truth <= together.high);
    }
    assert!(held >= 17, "{held} of 20 intervals hold the truth");
}

#[test]
fn counts_go_on_as_their_formula_does_far_beyond() {
    let processors = [4.0, 6.0, 8.0, 10.0, 12.0];
    let bytes = |p: f64| 16e6 * (p - 1.0) / p;
    let siblings = Siblings::new(vec![measured(&processors, |p| bytes(*p)); 2]);
    for p in [16.0, 32.0, 64.0] {
        let prediction = siblings.predict(0, &[p], 0.9);
        assert!((prediction.value / bytes(p) - 1.0).abs() < 1e-6, "{} for {}", prediction.value, bytes(p));
    }
}

/// Most kernels fall with a power that no formula has, after a first value that bends each formula; some are straight lines.
#[test]
fn each_kernel_follows_what_predicts_the_program_and_itself() {
    let mut chance = Chance(5);
    let bent = |s: f64| if s < 100.0 { 0.1 } else { s.powf(-0.3) };
    let straight = |s: f64| 500.0 + s;
    let (mut members, mut truths) = (Vec::new(), Vec::new());
    for index in 0..20 {
        let value = |s: f64| if index % 5 == 4 { straight(s) } else { bent(s) };
        let factor = 1.0 + chance.uniform();
        members.push(measured(&SIZES, |s| factor * value(*s) * chance.noise(0.01)));
        truths.push(factor * value(BEYOND));
    }
    let siblings = Siblings::new(members);
    for (member, truth) in truths.iter().enumerate() {
        let value = siblings.predict(member, &[BEYOND], 0.9).value;
        assert!((value / truth - 1.0).abs() < 0.05, "kernel {member}: {value} for {truth}");
    }
}

#[test]
fn an_exact_formula_is_found_alone_and_among_siblings() {
    let members =
        [1.0, 2.0, 5.0].map(|factor| measured(&[2.0, 4.0, 8.0, 16.0, 32.0], |x| factor * (1.0 + 12.0 / x)));
    let siblings = Siblings::new(members.to_vec());
    for (member, factor) in [1.0, 2.0, 5.0].into_iter().enumerate() {
        let prediction = siblings.predict(member, &[64.0], 0.9);
        let truth = factor * (1.0 + 12.0 / 64.0);
        assert!((prediction.value / truth - 1.0).abs() < 1e-6, "{} for {truth}", prediction.value);
        assert!(prediction.low <= truth * (1.0 + 1e-9) && truth * (1.0 - 1e-9) <= prediction.high);
    }
}

/// Kernels of all kinds: growing, shrinking, with a change of law, with much and little noise, also ones that are hardly measurable.
fn kernels(chance: &mut Chance, count: usize) -> Vec<Vec<f64>> {
    let kernel = |index: usize| -> Vec<f64> {
        let (share, noise) = (chance.uniform(), [0.0, 0.01, 0.1, 0.5][index / 6 % 4]);
        let value = |s: &f64| match index % 6 {
            0 => 1.0,
            1 => share + s.cbrt(),
            2 => share * s,
            3 => 1.0 + 1e4 / s,
            4 => {
                if *s > 1000.0 {
                    s * share
                } else {
                    10.0
                }
            }
            _ => 1e-6 * share * s.ln(),
        };
        SIZES.iter().map(|s| value(s) * chance.noise(noise)).collect()
    };
    (0..count).map(kernel).collect()
}

#[test]
fn the_unit_of_the_values_changes_nothing() {
    let kernels = kernels(&mut Chance(3), 96);
    let program = |unit: f64| {
        let member = |values: &Vec<f64>| {
            let scaled: Vec<f64> = values.iter().map(|value| value * unit).collect();
            Measurements::new(&["s".to_owned()], &[&SIZES], &scaled)
        };
        Siblings::new(kernels.iter().map(member).collect())
    };
    let (seconds, milliseconds) = (program(1.0), program(1000.0));
    for member in 0..kernels.len() {
        for point in [BEYOND, 1000.0, 8.0 * BEYOND] {
            let small = seconds.predict(member, &[point], 0.9);
            let large = milliseconds.predict(member, &[point], 0.9);
            for (small, large) in
                [(small.value, large.value), (small.low, large.low), (small.high, large.high)]
            {
                assert!(
                    (large / (1000.0 * small) - 1.0).abs() < 1e-6,
                    "kernel {member} at {point}: {small} {large}"
                );
            }
        }
    }
}

#[test]
fn predictions_are_positive_and_within_finite_intervals() {
    let kernels = kernels(&mut Chance(11), 96);
    let measurements = |values: &Vec<f64>| Measurements::new(&["s".to_owned()], &[&SIZES], values);
    let siblings = Siblings::new(kernels.iter().map(measurements).collect());
    for (member, values) in kernels.iter().enumerate() {
        let alone = find(&measurements(values));
        for point in [2.0, 64.0, 3000.0, BEYOND, 64.0 * BEYOND, 1e12] {
            for prediction in [siblings.predict(member, &[point], 0.9), alone.predict(&[point], 0.9)] {
                let is_sound = 0.0 < prediction.low
                    && prediction.low <= prediction.value
                    && prediction.value <= prediction.high
                    && prediction.high.is_finite();
                assert!(is_sound, "kernel {member} at {point}: {prediction:?}");
            }
        }
    }
}
