//! What can be drawn of a figure.

use super::range::{Range, is_drawable};
use crate::{Error, Figure, Scale};

type Point = (f64, f64);

/// The drawable parts of a figure and the ranges of its axes.
pub(super) struct Data {
    pub(super) series: Vec<Drawable>,
    pub(super) x: Range,
    pub(super) y: Range,
    /// Whether all points stand at whole numbers.
    pub(super) has_whole_x: bool,
    /// Whether all points stand at powers of two.
    pub(super) has_binary_x: bool,
}

/// The drawable parts of a series.
pub(super) struct Drawable {
    pub(super) label: String,
    pub(super) points: Vec<Point>,
    /// Pieces of the curve between values that cannot be drawn.
    pub(super) curve: Vec<Vec<Point>>,
}

impl Data {
    pub(super) fn of(figure: &Figure) -> Result<Data, Error> {
        let x_is_logarithmic = is_logarithmic(figure.x.scale, figure, |point| point.0);
        let y_is_logarithmic = is_logarithmic(figure.y.scale, figure, |point| point.1);
        let can_draw =
            |point: &Point| is_drawable(point.0, x_is_logarithmic) && is_drawable(point.1, y_is_logarithmic);
        let series: Vec<Drawable> = figure
            .series
            .iter()
            .map(|series| Drawable {
                label: series.label.clone(),
                points: series.points.iter().copied().filter(can_draw).collect(),
                curve: series
                    .curve
                    .split(|point| !can_draw(point))
                    .filter(|piece| piece.len() > 1)
                    .map(<[_]>::to_vec)
                    .collect(),
            })
            .filter(|series| !series.points.is_empty() || !series.curve.is_empty())
            .collect();
        if series.is_empty() {
            return Err(nothing(figure));
        }
        let points = || series.iter().flat_map(|series| &series.points);
        let curves = || series.iter().flat_map(|series| series.curve.iter().flatten());
        let x = Range::of_x(points().chain(curves()).map(|point| point.0), x_is_logarithmic);
        let y = Range::of_y(points().map(|point| point.1), curves().map(|point| point.1), y_is_logarithmic);
        let is_binary = |x: f64| x >= 1.0 && x.log2().fract() == 0.0;
        Ok(Data {
            has_whole_x: points().count() > 0 && points().all(|point| point.0.fract() == 0.0),
            has_binary_x: points().count() > 0 && points().all(|point| is_binary(point.0)),
            series,
            x,
            y,
        })
    }
}

fn nothing(figure: &Figure) -> Error {
    let title = figure.title.clone();
    let all = || figure.series.iter().flat_map(|series| series.points.iter().chain(&series.curve));
    let finite = || all().filter(|point| is_drawable(point.0, false) && is_drawable(point.1, false));
    let axes =
        [(&figure.x, finite().any(|point| point.0 > 0.0)), (&figure.y, finite().any(|point| point.1 > 0.0))];
    let wrong = axes.iter().find(|(axis, has_positive)| axis.scale == Scale::Logarithmic && !has_positive);
    match wrong {
        Some((axis, _)) if finite().count() > 0 => Error::NotPositive { title, axis: axis.label.clone() },
        _ => Error::Empty { title },
    }
}

/// Curves count where there are no points, and for the upper end: a fitted curve that comes near to zero is no reason for
/// logarithms.
fn is_logarithmic(scale: Scale, figure: &Figure, coordinate: impl Fn(&Point) -> f64) -> bool {
    /// Values that span more than this factor are drawn by their logarithms.
    const WIDE: f64 = 20.0;
    match scale {
        Scale::Linear => return false,
        Scale::Logarithmic => return true,
        Scale::Automatic => {}
    }
    let finite = |values: &[Point]| -> Vec<f64> {
        let both = values.iter().filter(|point| is_drawable(point.0, false) && is_drawable(point.1, false));
        both.map(&coordinate).collect()
    };
    let points: Vec<f64> = figure.series.iter().flat_map(|series| finite(&series.points)).collect();
    let curves: Vec<f64> = figure.series.iter().flat_map(|series| finite(&series.curve)).collect();
    let judged = if points.is_empty() { &curves } else { &points };
    let lowest = judged.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = points.iter().chain(&curves).copied().fold(0.0, f64::max);
    lowest > 0.0 && highest / WIDE > lowest
}
