//! Which axes are logarithmic.

use super::axis_range::{Point, is_finite};
use crate::{Axis, AxisScale, Figure, Reference, ReferenceLine};

/// Whether the axes of a figure are drawn by logarithms.
pub(crate) fn are_logarithmic(figure: &Figure) -> (bool, bool) {
    let x = is_logarithmic(&figure.x, figure, |point| point.0, grow_by_factors);
    // An ideal speed-up stays straight.
    let is_proportional = |reference: &Reference| matches!(reference.line, ReferenceLine::Proportional(_));
    let has_proportional = x && figure.references.iter().any(is_proportional);
    let y =
        is_logarithmic(&figure.y, figure, |point| point.1, |judged| has_proportional && are_positive(judged));
    (x, y)
}

/// Curves count where there are no points, and for the upper end: a fitted curve that comes near to zero is no reason for
/// logarithms.
fn is_logarithmic(
    axis: &Axis,
    figure: &Figure,
    coordinate: impl Fn(Point) -> f64,
    has_other_reason: impl Fn(&[f64]) -> bool,
) -> bool {
    if axis.scale != AxisScale::Automatic {
        return axis.scale == AxisScale::Logarithmic;
    }
    let ends = [axis.from, axis.to].into_iter().flatten();
    if figure.series.iter().any(|series| !series.bars.is_empty()) || ends.into_iter().any(|end| end <= 0.0) {
        return false;
    }
    let limits = figure.x.from.unwrap_or(f64::NEG_INFINITY)..=figure.x.to.unwrap_or(f64::INFINITY);
    let finite = |values: &mut dyn Iterator<Item = Point>| -> Vec<f64> {
        values.filter(|point| is_finite(point) && limits.contains(&point.0)).map(&coordinate).collect()
    };
    let series = || figure.series.iter();
    let points = finite(&mut series().flat_map(|series| {
        let spread = series.spread.iter().flat_map(|bar| [(bar.0, bar.1), (bar.0, bar.2)]);
        let boxes = series.boxes.iter().flat_map(|(x, its)| [(*x, its.ends().0), (*x, its.ends().1)]);
        series.points.iter().chain(&series.repetitions).copied().chain(spread).chain(boxes)
    }));
    let curves = finite(&mut series().flat_map(|series| series.curve.iter().copied()));
    let judged = if points.is_empty() { &curves } else { &points };
    let all: Vec<f64> = points.iter().chain(&curves).copied().collect();
    are_wide(judged, &all) || has_other_reason(judged)
}

/// Whether the judged values are positive and all span so much that they are drawn by their logarithms.
pub(super) fn are_wide(judged: &[f64], all: &[f64]) -> bool {
    const WIDE: f64 = 20.0;
    let lowest = judged.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = all.iter().copied().fold(0.0, f64::max);
    lowest > 0.0 && highest / WIDE > lowest
}

fn are_positive(values: &[f64]) -> bool {
    values.iter().all(|value| *value > 0.0)
}

/// Whether values were chosen as those that grow by factors, such as 2, 4, 8: these are more even than the steps between them.
pub(super) fn grow_by_factors(values: &[f64]) -> bool {
    /// The largest logarithm of a factor, as a multiple of the least: measured values have no such order.
    const UNEVEN: f64 = 4.0;
    /// Fewer are no series.
    const LEAST: usize = 3;
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.len() < LEAST || values[0] <= 0.0 {
        return false;
    }
    let unevenness = |of: fn(f64, f64) -> f64| {
        let growths = values.windows(2).map(|pair| of(pair[0], pair[1]));
        let ends = growths.fold((f64::INFINITY, 0.0_f64), |ends, its| (ends.0.min(its), ends.1.max(its)));
        ends.1 / ends.0
    };
    let by_factors = unevenness(|a, b| (b / a).ln());
    by_factors <= UNEVEN && by_factors < unevenness(|a, b| b - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubling_values_grow_by_factors() {
        for values in [
            &[2.0, 4.0, 8.0, 16.0][..],
            &[8.0, 2.0, 4.0, 2.0, 12.0],
            &[1.0, 10.0, 100.0],
            &[1.0, 2.0, 5.0, 10.0],
        ] {
            assert!(grow_by_factors(values), "{values:?}");
        }
        let measured: Vec<f64> = (1..50).map(|k| f64::from(k) + 0.4 * f64::from(k % 3)).collect();
        for values in [
            &[4.0, 8.0, 12.0, 16.0][..],
            &[4.0, 8.0],
            &[0.0, 1.0, 2.0, 4.0],
            &[1.0, 1.01, 2.0, 4.0],
            &[],
            &measured,
        ] {
            assert!(!grow_by_factors(values), "{values:?}");
        }
    }
}
