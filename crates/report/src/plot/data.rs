//! What can be drawn of a figure.

use super::axis::{AxisRange, DrawnAxis, is_drawable};
use super::canvas::Dash;
use super::palette::{self, Colour, MarkerShape};
use crate::{Error, Figure, ReferenceLine, Scale, Series};

pub(super) type Point = (f64, f64);
/// Place, lower and upper end.
pub(super) type ErrorBar = (f64, f64, f64);

/// The drawable parts of a figure and its axes.
pub(super) struct Data {
    pub(super) series: Vec<Drawable>,
    pub(super) references: Vec<(String, ReferenceLine)>,
    pub(super) x: DrawnAxis,
    pub(super) y: DrawnAxis,
    /// The scale of the colours, if there is one.
    pub(super) by: Option<DrawnAxis>,
}

/// The drawable parts of a series.
#[derive(Debug, Default)]
pub(super) struct Drawable {
    pub(super) label: String,
    pub(super) value: Option<f64>,
    pub(super) style: SeriesStyle,
    pub(super) points: Vec<Point>,
    pub(super) repetitions: Vec<Point>,
    pub(super) spread: Vec<ErrorBar>,
    /// Pieces of the curve between values that cannot be drawn.
    pub(super) curve: Vec<Vec<Point>>,
    pub(super) band: Vec<Vec<ErrorBar>>,
    pub(super) sampled: Option<(f64, f64)>,
    pub(super) bars: Vec<ErrorBar>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SeriesStyle {
    pub(super) colour: Colour,
    pub(super) shape: MarkerShape,
    /// Of the curve, where it was measured.
    pub(super) dash: Dash,
}

impl Default for SeriesStyle {
    fn default() -> SeriesStyle {
        SeriesStyle { colour: palette::AXIS, shape: MarkerShape::Circle, dash: Dash::Solid }
    }
}

impl Data {
    pub(super) fn of(figure: &Figure) -> Result<Data, Error> {
        let x_is_log = is_logarithmic(figure.x.scale, figure, |point| point.0);
        let y_is_log = is_logarithmic(figure.y.scale, figure, |point| point.1);
        let mut series: Vec<Drawable> =
            figure.series.iter().map(|series| Drawable::of(series, x_is_log, y_is_log)).collect();
        series.retain(|series| !series.is_empty());
        if series.is_empty() {
            return Err(nothing(figure));
        }
        let by = colours(figure, &mut series);
        let x = AxisRange::of_x(series.iter().flat_map(Drawable::x_values), x_is_log);
        let x = DrawnAxis::of_variable(&figure.x.label, x, values_of_x(&series).into_iter());
        let references: Vec<(String, ReferenceLine)> = figure
            .references
            .iter()
            .filter(|reference| can_be_drawn(reference.line, x_is_log, y_is_log))
            .map(|reference| (reference.label.clone(), reference.line))
            .collect();
        let y = y_range(&series, &references, &x.range, y_is_log);
        Ok(Data { x, y: DrawnAxis::new(&figure.y.label, y), series, references, by })
    }

    pub(super) fn any(&self, has: impl Fn(&Drawable) -> bool) -> bool {
        self.series.iter().any(has)
    }
}

impl Drawable {
    fn of(series: &Series, x_is_log: bool, y_is_log: bool) -> Drawable {
        let is_x = |x: f64| is_drawable(x, x_is_log);
        let can_draw = |point: &Point| is_x(point.0) && is_drawable(point.1, y_is_log);
        // What reaches below a logarithmic axis is cut there.
        let is_bar =
            |bar: &ErrorBar| is_x(bar.0) && is_drawable(bar.1, false) && is_drawable(bar.2, y_is_log);
        let pieces = series.curve.split(|point| !can_draw(point)).filter(|piece| piece.len() > 1);
        let band = series.band.split(|bar| !is_bar(bar)).filter(|piece| piece.len() > 1);
        let is_box = |bar: &&ErrorBar| is_x(bar.0) && is_x(bar.1) && is_drawable(bar.2, y_is_log);
        Drawable {
            label: series.label.clone(),
            value: series.value,
            style: SeriesStyle::default(),
            points: series.points.iter().copied().filter(can_draw).collect(),
            repetitions: series.repetitions.iter().copied().filter(can_draw).collect(),
            spread: series.spread.iter().copied().filter(is_bar).collect(),
            curve: pieces.map(<[_]>::to_vec).collect(),
            band: band.map(<[_]>::to_vec).collect(),
            sampled: series.sampled.filter(|(low, high)| low <= high),
            bars: series.bars.iter().filter(is_box).copied().collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.points.is_empty()
            && self.repetitions.is_empty()
            && self.spread.is_empty()
            && self.curve.is_empty()
            && self.band.is_empty()
            && self.bars.is_empty()
    }

    fn x_values(&self) -> impl Iterator<Item = f64> {
        let points = self.points.iter().chain(&self.repetitions).chain(self.curve.iter().flatten());
        let bars = self.spread.iter().chain(self.band.iter().flatten()).chain(&self.bars);
        points.map(|point| point.0).chain(bars.map(|bar| bar.0)).chain(self.bars.iter().map(|bar| bar.1))
    }

    /// Heights that the axis must show.
    fn y_values(&self, is_log: bool) -> impl Iterator<Item = f64> {
        let points = self.points.iter().chain(&self.repetitions).map(|point| point.1);
        let spread = self.spread.iter().flat_map(|bar| [bar.1, bar.2]);
        let zero = self.bars.first().map(|_| 0.0);
        let bars = self.bars.iter().map(|bar| bar.2).chain(zero);
        points.chain(spread).chain(bars).filter(move |y| is_drawable(*y, is_log))
    }
}

/// Values of the variable that were measured; where there are none, those that the curves go through.
fn values_of_x(series: &[Drawable]) -> Vec<f64> {
    let points = series.iter().flat_map(|series| series.points.iter().chain(&series.repetitions));
    let measured: Vec<f64> = points.map(|point| point.0).collect();
    match measured.is_empty() {
        true => series.iter().flat_map(|series| series.curve.iter().flatten()).map(|point| point.0).collect(),
        false => measured,
    }
}

/// Gives the series their styles; returns the axis of the scale, if it took one.
fn colours(figure: &Figure, series: &mut [Drawable]) -> Option<DrawnAxis> {
    let values: Vec<f64> = series.iter().filter_map(|series| series.value).collect();
    let is_log = match figure.by.scale {
        Scale::Linear => false,
        Scale::Logarithmic => true,
        Scale::Automatic => are_wide(&values, &values),
    };
    let has_scale = series.len() > palette::DISTINCT
        && values.len() == series.len()
        && values.iter().all(|value| is_drawable(*value, is_log));
    let range = AxisRange::exact(values.iter().copied(), is_log);
    let has_dashes = figure.names_at_curves && series.iter().all(|series| series.sampled.is_none());
    for (index, series) in series.iter_mut().enumerate() {
        let colour = match series.value.filter(|_| has_scale) {
            Some(value) => palette::on_dark_scale(range.place(value)),
            None => palette::colour(index),
        };
        // Dashes may mean that a curve is extrapolated.
        let dash = if has_dashes { palette::dash(index) } else { Dash::Solid };
        series.style = SeriesStyle { colour, shape: palette::shape(index), dash };
    }
    has_scale.then(|| DrawnAxis::of_variable(&figure.by.label, range, values.iter().copied()))
}

fn can_be_drawn(line: ReferenceLine, x_is_log: bool, y_is_log: bool) -> bool {
    match line {
        ReferenceLine::Horizontal(y) => is_drawable(y, y_is_log),
        ReferenceLine::Vertical(x) => is_drawable(x, x_is_log),
        ReferenceLine::Proportional(slope) => is_drawable(slope, y_is_log),
    }
}

fn y_range(
    series: &[Drawable],
    references: &[(String, ReferenceLine)],
    x: &AxisRange,
    is_log: bool,
) -> AxisRange {
    /// A line through the origin may take so much of the axis more than the data.
    const MOST_ABOVE: f64 = 2.0;
    let values: Vec<f64> = series.iter().flat_map(|series| series.y_values(is_log)).collect();
    let curves: Vec<f64> =
        series.iter().flat_map(|series| series.curve.iter().flatten()).map(|p| p.1).collect();
    let highest = values.iter().chain(&curves).copied().fold(0.0, f64::max);
    let lines = references.iter().filter_map(|(_, line)| match line {
        ReferenceLine::Horizontal(y) => Some(*y),
        ReferenceLine::Proportional(slope) => {
            let end = (slope * x.high).min(MOST_ABOVE * highest);
            (end > 0.0).then_some(end)
        }
        ReferenceLine::Vertical(_) => None,
    });
    let bands = series.iter().flat_map(|series| series.band.iter().flatten()).flat_map(|bar| [bar.1, bar.2]);
    AxisRange::of_y(
        values.iter().copied().chain(lines),
        curves.iter().copied(),
        bands.filter(|y| is_drawable(*y, is_log)),
        is_log,
    )
}

fn nothing(figure: &Figure) -> Error {
    let title = figure.title.clone();
    let finite: Vec<Point> = figure.series.iter().flat_map(finite).collect();
    let axes = [
        (&figure.x, finite.iter().any(|point| point.0 > 0.0)),
        (&figure.y, finite.iter().any(|point| point.1 > 0.0)),
    ];
    let wrong = axes.iter().find(|(axis, has_positive)| axis.scale == Scale::Logarithmic && !has_positive);
    match wrong {
        Some((axis, _)) if !finite.is_empty() => Error::NotPositive { title, axis: axis.label.clone() },
        _ => Error::Empty { title },
    }
}

/// All places of a series that a linear axis can show.
fn finite(series: &Series) -> impl Iterator<Item = Point> {
    let points = series.points.iter().chain(&series.repetitions).chain(&series.curve).copied();
    let bars = series.spread.iter().chain(&series.band).map(|bar| (bar.0, bar.2));
    points.chain(bars).filter(is_finite)
}

fn is_finite(point: &Point) -> bool {
    is_drawable(point.0, false) && is_drawable(point.1, false)
}

/// Curves count where there are no points, and for the upper end: a fitted curve that comes near to zero is no reason for
/// logarithms.
fn is_logarithmic(scale: Scale, figure: &Figure, coordinate: impl Fn(Point) -> f64) -> bool {
    match scale {
        Scale::Linear => return false,
        Scale::Logarithmic => return true,
        Scale::Automatic => {}
    }
    if figure.series.iter().any(|series| !series.bars.is_empty()) {
        return false;
    }
    let finite = |values: &mut dyn Iterator<Item = Point>| -> Vec<f64> {
        values.filter(is_finite).map(&coordinate).collect()
    };
    let series = || figure.series.iter();
    let points = finite(&mut series().flat_map(|series| {
        let spread = series.spread.iter().flat_map(|bar| [(bar.0, bar.1), (bar.0, bar.2)]);
        series.points.iter().chain(&series.repetitions).copied().chain(spread)
    }));
    let curves = finite(&mut series().flat_map(|series| series.curve.iter().copied()));
    let judged = if points.is_empty() { &curves } else { &points };
    let all: Vec<f64> = points.iter().chain(&curves).copied().collect();
    are_wide(judged, &all)
}

/// Whether the judged values are positive and all span so much that they are drawn by their logarithms.
pub(super) fn are_wide(judged: &[f64], all: &[f64]) -> bool {
    const WIDE: f64 = 20.0;
    let lowest = judged.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = all.iter().copied().fold(0.0, f64::max);
    lowest > 0.0 && highest / WIDE > lowest
}
