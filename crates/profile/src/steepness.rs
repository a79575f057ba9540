/// How far a number can go from what was measured: a law goes on as steeply as it did in its steepest step, or as a third power.
#[derive(Debug)]
pub(crate) struct Steepness {
    lowest: f64,
    highest: f64,
    /// Of each variable.
    axes: Vec<Axis>,
}

#[derive(Debug)]
struct Axis {
    lowest: f64,
    highest: f64,
    /// The largest exponents of what grows with the variable, and of what falls.
    rise: f64,
    fall: f64,
}

/// What programs do grows or falls no faster, unless it was seen to.
const EXPONENT: f64 = 3.0;

/// Measurements repeat within this factor.
const NOISE: f64 = 2.0;

impl Steepness {
    /// Of values at points; those that are NaN say nothing.
    pub(crate) fn of(points: &[&[f64]], values: &[f64]) -> Steepness {
        let known: Vec<(&[f64], f64)> =
            points.iter().copied().zip(values.iter().copied()).filter(|(_, value)| !value.is_nan()).collect();
        let variables = known.first().map_or(0, |(point, _)| point.len());
        let ends = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), its| (low.min(its), high.max(its)))
        };
        let axis = |variable: usize| {
            let (lowest, highest) = ends(&mut known.iter().map(|(point, _)| point[variable]));
            let steps = steps(&known, variable);
            let steepest = |sign: f64| steps.iter().map(|step| sign * step).fold(EXPONENT, f64::max);
            Axis { lowest, highest, rise: steepest(1.0), fall: steepest(-1.0) }
        };
        let (lowest, highest) = ends(&mut known.iter().map(|(_, value)| *value));
        Steepness { lowest, highest, axes: (0..variables).map(axis).collect() }
    }

    /// The lowest and the highest value to be reckoned with at a point.
    pub(crate) fn range(&self, point: &[f64]) -> (f64, f64) {
        let (mut low, mut high) = (self.lowest / NOISE, self.highest * NOISE);
        for (axis, value) in self.axes.iter().zip(point) {
            let (above, below) = ((value / axis.highest).max(1.0), (axis.lowest / value).max(1.0));
            low /= above.powf(axis.fall) * below.powf(axis.rise);
            high *= above.powf(axis.rise) * below.powf(axis.fall);
        }
        (low, high)
    }
}

/// The exponents of the steps between points that are neighbours in a variable and equal in all others.
fn steps(known: &[(&[f64], f64)], variable: usize) -> Vec<f64> {
    let mut sorted: Vec<&(&[f64], f64)> = known.iter().collect();
    sorted.sort_by(|left, right| left.0[variable].total_cmp(&right.0[variable]));
    let is_line = |left: &[f64], right: &[f64]| {
        let others = left.iter().zip(right).enumerate().filter(|(place, _)| *place != variable);
        others.map(|(_, pair)| pair).all(|(left, right)| left == right)
    };
    let step = |(place, (point, value)): (usize, &&(&[f64], f64))| {
        let next = sorted[place + 1..]
            .iter()
            .find(|(other, _)| other[variable] > point[variable] && is_line(point, other))?;
        let exponent = (next.1 / value).ln() / (next.0[variable] / point[variable]).ln();
        Some(exponent).filter(|exponent| !exponent.is_nan())
    };
    sorted.iter().enumerate().filter_map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::Steepness;

    #[test]
    fn nothing_goes_on_steeper_than_it_did() {
        let points: Vec<[f64; 2]> = [1.0, 2.0, 4.0].iter().flat_map(|p| [[*p, 10.0], [*p, 20.0]]).collect();
        let points: Vec<&[f64]> = points.iter().map(<[f64; 2]>::as_slice).collect();
        let ratio = |values: &[f64], point: [f64; 2]| {
            let (low, high) = Steepness::of(&points, values).range(&point);
            let ends = values
                .iter()
                .fold((f64::INFINITY, 0.0_f64), |ends, its| (ends.0.min(*its), ends.1.max(*its)));
            (ends.0 / low, high / ends.1)
        };
        let is = |found: (f64, f64), expected: (f64, f64)| {
            let ratios = [found.0 / expected.0, found.1 / expected.1];
            assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 1e-9), "{found:?} {expected:?}");
        };
        let gentle = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0];
        is(ratio(&gentle, [3.0, 15.0]), (2.0, 2.0));
        is(ratio(&gentle, [8.0, 15.0]), (2.0 * 8.0, 2.0 * 8.0));
        is(ratio(&gentle, [0.5, 40.0]), (2.0 * 64.0, 2.0 * 64.0));
        // From 2 to 4 by the fifth power: it may go on, and below it may have been falling so.
        let jump = [1.0, 1.0, 1.0, 1.0, 32.0, 32.0];
        is(ratio(&jump, [8.0, 15.0]), (2.0 * 8.0, 2.0 * 32.0));
        is(ratio(&jump, [0.5, 15.0]), (2.0 * 32.0, 2.0 * 8.0));
        // What rises from nothing has no bound.
        let (low, high) = Steepness::of(&points, &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0]).range(&[8.0, 10.0]);
        assert_eq!((low, high), (0.0, f64::INFINITY));
    }
}
