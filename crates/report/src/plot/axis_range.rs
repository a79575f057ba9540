//! The ends of axes.

use std::ops::RangeInclusive;

use crate::{Axis, Error};

pub(super) type Point = (f64, f64);

/// Larger values are not drawn: with the margin around them, they would not be numbers.
const LARGEST: f64 = 1e280;
/// Smaller values are not drawn by their logarithms, and are zero otherwise.
const SMALLEST: f64 = 1e-280;
/// What is left free between data and frame, as a part of the span.
const MARGIN: f64 = 0.04;
/// Data above zero that begin below this part of their largest value get an axis from zero.
const NEAR_ZERO: f64 = 0.35;
/// A span below this part of the values is noise of the arithmetic.
const LEAST_RELATIVE_SPAN: f64 = 1e-6;
/// A single value on a logarithmic axis stands between its fraction and its multiple by this.
const ALONE: f64 = 3.0;

pub(super) fn is_drawable(value: f64, is_logarithmic: bool) -> bool {
    value.abs() <= LARGEST && (!is_logarithmic || value >= SMALLEST)
}

/// Whether a linear axis can show a place.
pub(super) fn is_finite(point: &Point) -> bool {
    is_drawable(point.0, false) && is_drawable(point.1, false)
}

/// Whether the ends are so far apart that values between them differ by more than noise.
fn is_wide(low: f64, high: f64, is_logarithmic: bool) -> bool {
    if is_logarithmic {
        high > low * (1.0 + LEAST_RELATIVE_SPAN)
    } else {
        high - low >= SMALLEST.max(LEAST_RELATIVE_SPAN * low.abs().max(high.abs()))
    }
}

/// The values between the ends that are asked for.
pub(super) fn wanted_ends(
    axis: &Axis,
    title: &str,
    is_logarithmic: bool,
) -> Result<RangeInclusive<f64>, Error> {
    let (from, to) = (axis.from.unwrap_or(f64::NEG_INFINITY), axis.to.unwrap_or(f64::INFINITY));
    let can_be = |end: Option<f64>| end.is_none_or(|end| is_drawable(end, is_logarithmic));
    let are_apart = axis.from.zip(axis.to).is_none_or(|(from, to)| is_wide(from, to, is_logarithmic));
    if from < to && are_apart && can_be(axis.from) && can_be(axis.to) {
        return Ok(from..=to);
    }
    Err(Error::Ends { title: title.to_owned(), axis: axis.label.clone(), from, to })
}

/// The ends of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AxisRange {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) is_logarithmic: bool,
}

impl AxisRange {
    pub(super) fn of_x(values: impl Iterator<Item = f64>, is_logarithmic: bool) -> AxisRange {
        let (low, high) = ends(values);
        AxisRange::around(low, high, is_logarithmic)
    }

    /// The range of these values, without room around them.
    pub(super) fn exact(values: impl Iterator<Item = f64>, is_logarithmic: bool) -> AxisRange {
        let (low, high) = ends(values);
        if is_wide(low, high, is_logarithmic) {
            AxisRange { low, high, is_logarithmic }
        } else {
            AxisRange::around(low, high, is_logarithmic)
        }
    }

    /// A curve may fall to almost nothing where its model is wrong; by logarithms that would squeeze the points. An interval
    /// around it may be wider than what it is about.
    pub(super) fn of_y(
        points: impl Iterator<Item = f64>,
        curves: impl Iterator<Item = f64>,
        bands: impl Iterator<Item = f64>,
        is_logarithmic: bool,
    ) -> AxisRange {
        /// Curves and bands on a logarithmic axis go beyond what counts more by this factor at most,
        const DEEPEST: f64 = 0.1;
        /// bands on a linear one by this part of its span.
        const WIDEST: f64 = 0.5;
        let (points_low, points_high) = ends(points);
        let (curves_low, curves_high) = ends(curves);
        let has_points = points_low <= points_high;
        let curves_low =
            if is_logarithmic && has_points { curves_low.max(DEEPEST * points_low) } else { curves_low };
        let (low, high) = (points_low.min(curves_low), points_high.max(curves_high));
        let (bands_low, bands_high) = ends(bands);
        if low > high {
            return AxisRange::around(bands_low, bands_high, is_logarithmic);
        }
        let (lowest, highest) = if is_logarithmic {
            (low * DEEPEST, high / DEEPEST)
        } else {
            (low - WIDEST * (high - low), high + WIDEST * (high - low))
        };
        AxisRange::around(low.min(bands_low.max(lowest)), high.max(bands_high.min(highest)), is_logarithmic)
    }

    fn around(low: f64, high: f64, is_logarithmic: bool) -> AxisRange {
        let (low, high) =
            if is_logarithmic { around_logarithms(low, high) } else { around_values(low, high) };
        AxisRange { low, high, is_logarithmic }
    }

    /// With room for boxes at these ascending places: half of that between two of them on each side.
    pub(super) fn with_room(self, places: &[f64]) -> AxisRange {
        let nearest = places.windows(2).map(|pair| self.place(pair[1]) - self.place(pair[0]));
        let Some(nearest) = nearest.min_by(f64::total_cmp) else { return self };
        let (first, last) =
            (self.place(places[0]) - nearest / 2.0, self.place(places[places.len() - 1]) + nearest / 2.0);
        let (low, high) = (self.low.min(self.value(first)), self.high.max(self.value(last)));
        if is_drawable(low, self.is_logarithmic) && is_drawable(high, false) {
            AxisRange { low, high, ..self }
        } else {
            self
        }
    }

    /// The range with the ends that are asked for.
    pub(super) fn between(self, axis: &Axis, title: &str) -> Result<AxisRange, Error> {
        let (low, high) = (axis.from.unwrap_or(self.low), axis.to.unwrap_or(self.high));
        if is_wide(low, high, self.is_logarithmic) {
            return Ok(AxisRange { low, high, ..self });
        }
        let around = |value: f64| AxisRange::around(value, value, self.is_logarithmic);
        match (axis.from, axis.to) {
            // All data stand at the end that is asked for.
            (Some(low), None) if high >= low => Ok(AxisRange { low, ..around(low) }),
            (None, Some(high)) if high >= low => Ok(AxisRange { high, ..around(high) }),
            _ => Err(Error::Outside { title: title.to_owned(), axis: axis.label.clone() }),
        }
    }

    /// The place of a value: 0 at the low end, 1 at the high one; never so far away that one cannot go on to calculate.
    pub(super) fn place(&self, value: f64) -> f64 {
        const FARTHEST: f64 = 1e6;
        let place = if self.is_logarithmic {
            (value.max(f64::MIN_POSITIVE).ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(-FARTHEST, FARTHEST)
    }

    /// The value at a place, the inverse of [`AxisRange::place`].
    pub(super) fn value(&self, place: f64) -> f64 {
        if self.is_logarithmic {
            self.low * (place * (self.high.ln() - self.low.ln())).exp()
        } else {
            self.low + place * (self.high - self.low)
        }
    }

    pub(super) fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn around_logarithms(low: f64, high: f64) -> (f64, f64) {
    if high <= low * (1.0 + LEAST_RELATIVE_SPAN) {
        return (low / ALONE, high * ALONE);
    }
    let factor = (MARGIN * (high.ln() - low.ln())).exp();
    (low / factor, high * factor)
}

fn around_values(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    if largest < SMALLEST {
        return (-1.0, 1.0);
    }
    if high - low < LEAST_RELATIVE_SPAN * largest {
        return (low - largest / 2.0, high + largest / 2.0);
    }
    let margin = MARGIN * (high - low);
    if (0.0..NEAR_ZERO * high).contains(&low) { (0.0, high + margin) } else { (low - margin, high + margin) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(low: f64, high: f64, is_logarithmic: bool, expected: (f64, f64)) {
        let range = AxisRange::of_x([low, high].into_iter(), is_logarithmic);
        assert!((range.low - expected.0).abs() <= 1e-12 * expected.0.abs(), "{range:?}");
        assert!((range.high - expected.1).abs() <= 1e-12 * expected.1.abs(), "{range:?}");
    }

    #[test]
    fn data_have_some_room_around_them() {
        check(10.0, 20.0, false, (9.6, 20.4));
        check(1.0, 20.0, false, (0.0, 20.76));
        check(0.0, 20.0, false, (0.0, 20.8));
        check(-10.0, 15.0, false, (-11.0, 16.0));
        check(1.0, 10_f64.powi(25), true, (0.1, 10_f64.powi(26)));
    }

    #[test]
    fn single_values_stand_in_the_middle() {
        check(4.0, 4.0, false, (2.0, 6.0));
        check(-4.0, -4.0, false, (-6.0, -2.0));
        check(0.0, 0.0, false, (-1.0, 1.0));
        check(1e9, 1e9 + 0.5, false, (499_999_999.75, 1_500_000_000.75));
        check(6.0, 6.0, true, (2.0, 18.0));
    }

    #[test]
    fn the_widest_ranges_are_finite() {
        let range = AxisRange::of_x([SMALLEST, LARGEST].into_iter(), true);
        assert!(range.low.is_normal() && range.high.is_normal(), "{range:?}");
        let range = AxisRange::of_x([-LARGEST, LARGEST].into_iter(), false);
        assert!((range.high - range.low).is_normal(), "{range:?}");
        assert!(
            !is_drawable(2.0 * LARGEST, false) && !is_drawable(f64::NAN, false) && !is_drawable(0.0, true)
        );
    }

    #[test]
    fn places_go_from_zero_to_one() {
        let range = AxisRange { low: 1.0, high: 100.0, is_logarithmic: true };
        assert!((range.place(10.0) - 0.5).abs() < 1e-12);
        assert_eq!((range.place(1.0), range.place(100.0)), (0.0, 1.0));
        let range = AxisRange { low: -1.0, high: 1.0, is_logarithmic: false };
        assert_eq!((range.place(0.0), range.contains(1.0), range.contains(1.5)), (0.5, true, false));
    }

    #[test]
    fn curves_do_not_pull_a_logarithmic_axis_down() {
        let range =
            AxisRange::of_y([1.0, 100.0].into_iter(), [1e-12, 1000.0].into_iter(), std::iter::empty(), true);
        assert!(range.low > 0.05 && range.high > 1000.0, "{range:?}");
        let range =
            AxisRange::of_y(std::iter::empty(), [1e-12, 1000.0].into_iter(), std::iter::empty(), true);
        assert!(range.low < 1e-12);
    }

    #[test]
    fn bands_do_not_pull_an_axis_far() {
        let of_y = |band: [f64; 2], is_logarithmic| {
            let points = [10.0, 20.0].into_iter();
            AxisRange::of_y(points, std::iter::empty(), band.into_iter(), is_logarithmic)
        };
        let range = of_y([-1e9, 22.0], false);
        assert!(range.low == 0.0 && (range.high - 22.68).abs() < 1e-9, "{range:?}");
        let range = of_y([-1.0, 1e9], true);
        assert!(range.low > 0.5 && range.low < 1.0 && range.high < 400.0, "{range:?}");
    }

    #[test]
    fn exact_ranges_have_no_room_around() {
        let exact = |low, high| AxisRange::exact([low, high].into_iter(), false);
        assert_eq!((exact(1.0, 2.0).low, exact(1.0, 2.0).high), (1.0, 2.0));
        assert!(exact(1.0, 1.0).low < 1.0 && exact(0.0, 0.0).high > 0.0);
    }
}
