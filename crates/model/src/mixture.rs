use crate::Weighting;
use crate::student::{normal_share, student_reach};

/// What one formula predicts of a measurement at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MixtureComponent {
    /// How probable the formula is.
    pub(crate) probability: f64,
    /// The time it predicts.
    pub(crate) time_s: f64,
    /// Standard deviation of a measurement about it.
    pub(crate) deviation_s: f64,
    /// Degrees of freedom that the deviation is known with.
    pub(crate) freedom: f64,
}

/// Ends of the interval that holds a share `level` of measurements, as much above as below it, if each formula is right with its
/// probability. Where weights are relative a measurement is distributed about a formula's time like its logarithm: it varies by
/// factors, and is never negative. The first component's time lies within the interval in any case.
pub(crate) fn interval(components: &[MixtureComponent], level: f64, weighting: Weighting) -> (f64, f64) {
    let Some(first) = components.first() else { return (0.0, f64::INFINITY) };
    if first.time_s.is_nan() {
        return (f64::NAN, f64::NAN);
    }
    let own = own_share(components, level);
    let others: f64 = components[1..].iter().map(|component| component.probability).sum();
    let share = |position: usize| match position {
        0 => own,
        _ => (1.0 - own) * components[position].probability / others,
    };
    let shapes: Vec<ComponentShape> = components
        .iter()
        .enumerate()
        .map(|(position, component)| ComponentShape::of(component, share(position), level, weighting))
        .collect();
    if shapes.iter().any(|shape| !shape.width.is_finite()) {
        return (0.0, f64::INFINITY);
    }
    let lower_s = quantile(&shapes, 0.5 - level / 2.0).min(first.time_s).max(0.0);
    let upper_s = quantile(&shapes, 0.5 + level / 2.0).max(first.time_s).max(0.0);
    (lower_s, upper_s)
}

/// What is predicted is the first component's time, and it is in the middle of the interval, not at an end: half as much again as the
/// interval leaves out belongs to it at least, however improbable it is, a half of that on either side.
fn own_share(components: &[MixtureComponent], level: f64) -> f64 {
    let total: f64 = components.iter().map(|component| component.probability).sum();
    (components[0].probability / total).max(1.5 * (1.0 - level)).min(1.0)
}

/// A component as a normal distribution of the time or of its logarithm, as wide as makes its own interval of the level in question
/// that of Student's t.
struct ComponentShape {
    probability: f64,
    centre: f64,
    width: f64,
    is_logarithmic: bool,
}

impl ComponentShape {
    fn of(
        component: &MixtureComponent,
        probability: f64,
        level: f64,
        weighting: Weighting,
    ) -> ComponentShape {
        let MixtureComponent { time_s, deviation_s, freedom, .. } = *component;
        let widening = student_reach(level, freedom) / student_reach(level, f64::INFINITY);
        // An exact fit has no deviation at all, and infinity times 0 is NaN.
        let width = if deviation_s == 0.0 { 0.0 } else { deviation_s * widening };
        let is_logarithmic = weighting != Weighting::Absolute && time_s > 0.0;
        if is_logarithmic {
            // The logarithm of a time varies by a few, however large its deviation is.
            let relative = (deviation_s / time_s).powi(2).ln_1p().sqrt();
            ComponentShape { probability, centre: time_s.ln(), width: relative * widening, is_logarithmic }
        } else {
            ComponentShape { probability, centre: time_s, width, is_logarithmic }
        }
    }

    /// The share of measurements up to a time.
    fn share_up_to(&self, time_s: f64) -> f64 {
        let position = if self.is_logarithmic { time_s.ln() } else { time_s };
        let distance = position - self.centre;
        if self.width == 0.0 {
            f64::from(u8::from(distance >= 0.0))
        } else {
            normal_share(distance / self.width)
        }
    }

    /// The time this many widths away.
    fn at(&self, widths: f64) -> f64 {
        let position = self.centre + widths * self.width;
        if self.is_logarithmic { position.exp() } else { position }
    }
}

/// The time below which a share of the measurements lies, between the ends of what the components say alone.
fn quantile(shapes: &[ComponentShape], share: f64) -> f64 {
    let widths = crate::student::student_quantile(share, f64::INFINITY);
    let alone = || shapes.iter().map(|shape| shape.at(widths));
    let (mut low, mut high) =
        (alone().fold(f64::INFINITY, f64::min), alone().fold(f64::NEG_INFINITY, f64::max));
    // Halving ends when there is no number between.
    for _ in 0..200 {
        // Factors where the times have them, as they may span decades.
        let middle = if low > 0.0 { low * (high / low).sqrt() } else { low + (high - low) / 2.0 };
        if middle <= low || middle >= high {
            break;
        }
        let below: f64 = shapes.iter().map(|shape| shape.probability * shape.share_up_to(middle)).sum();
        if below < share {
            low = middle
        } else {
            high = middle
        }
        if high - low <= 1e-9 * high.abs() {
            break;
        }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(time_s: f64, deviation_s: f64, freedom: f64) -> MixtureComponent {
        MixtureComponent { probability: 1.0, time_s, deviation_s, freedom }
    }

    fn check(found: (f64, f64), expected: (f64, f64)) {
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-8 * b.abs();
        assert!(near(found.0, expected.0) && near(found.1, expected.1), "{found:?} {expected:?}");
    }

    /// scipy.stats: t.ppf(0.95, 5) = 2.015048372669157.
    #[test]
    fn one_formula_has_the_interval_of_student() {
        let reach = 2.015048372669157;
        check(interval(&[one(10.0, 1.0, 5.0)], 0.9, Weighting::Absolute), (10.0 - reach, 10.0 + reach));
        let factor = f64::exp(0.01_f64.ln_1p().sqrt() * reach);
        check(interval(&[one(10.0, 1.0, 5.0)], 0.9, Weighting::Relative), (10.0 / factor, 10.0 * factor));
        check(interval(&[one(1.0, 1.0, 5.0)], 0.9, Weighting::Absolute), (0.0, 1.0 + reach));
        check(interval(&[one(-5.0, 1.0, 5.0)], 0.9, Weighting::Relative), (0.0, 0.0));
    }

    /// Two halves far apart: the lower end is the 10 % point of the lower half, whose z is -1.2815515655446004.
    #[test]
    fn two_formulas_share_the_tails() {
        let half = |time_s| MixtureComponent { probability: 0.5, ..one(time_s, 1.0, f64::INFINITY) };
        let reach = 1.2815515655446004;
        check(
            interval(&[half(100.0), half(200.0)], 0.9, Weighting::Absolute),
            (100.0 - reach, 200.0 + reach),
        );
        // Of an improbable first formula 15 % count: scipy solves 0.15 cdf(x - 100) + 0.85 cdf(x - 200) = 0.05 and 0.95.
        let sure = MixtureComponent { probability: 1e9, ..one(200.0, 1.0, f64::INFINITY) };
        let (lower_s, upper_s) = interval(&[half(100.0), sure], 0.9, Weighting::Absolute);
        check((lower_s, upper_s), (99.56927270070454, 201.5647264713618));
    }

    #[test]
    fn what_is_exact_or_unknown_has_an_interval_too() {
        check(interval(&[one(3.0, 0.0, 4.0)], 0.9, Weighting::Relative), (3.0, 3.0));
        check(interval(&[one(3.0, 1.0, 0.0)], 0.9, Weighting::Relative), (0.0, f64::INFINITY));
        check(interval(&[one(3.0, f64::NAN, 0.0)], 0.9, Weighting::Relative), (0.0, f64::INFINITY));
        assert!(interval(&[one(f64::NAN, 1.0, 3.0)], 0.9, Weighting::Relative).0.is_nan());
    }
}
