//! What can be drawn of a figure.

use std::ops::RangeInclusive;

use super::axis::DrawnAxis;
use super::axis_range::{self, AxisRange, Point, is_drawable, is_finite};
use super::drawable::Drawable;
use super::scales::are_logarithmic;
use super::styles::{self, NamedStyles};
use crate::{AxisScale, Error, Figure, IntervalBorder, ReferenceLine, Series, number};

/// The drawable parts of a figure and its axes.
pub(super) struct FigureData {
    pub(super) series: Vec<Drawable>,
    pub(super) references: Vec<(String, ReferenceLine)>,
    pub(super) x: DrawnAxis,
    pub(super) y: DrawnAxis,
    /// The scale of the colours, if there is one.
    pub(super) by: Option<DrawnAxis>,
    pub(super) groups: Option<NamedStyles>,
    pub(super) borders: Vec<VerticalLine>,
}

/// A vertical line, such as where an interval ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct VerticalLine {
    pub(super) x: f64,
    pub(super) label: String,
    /// Stretches of the vertical axis; infinite ends are those of the plot.
    pub(super) parts: Vec<(f64, f64)>,
}

impl VerticalLine {
    /// Over all of the vertical axis.
    pub(super) fn new(x: f64, label: String) -> VerticalLine {
        VerticalLine { x, label, parts: vec![(f64::NEG_INFINITY, f64::INFINITY)] }
    }
}

impl FigureData {
    pub(super) fn of(figure: &Figure) -> Result<FigureData, Error> {
        let (x_is_log, y_is_log) = are_logarithmic(figure);
        let limits = axis_range::wanted_ends(&figure.x, &figure.title, x_is_log)?;
        axis_range::wanted_ends(&figure.y, &figure.title, y_is_log)?;
        let drawable = |(index, series)| Drawable::of(index, series, x_is_log, y_is_log, &limits);
        let mut series: Vec<Drawable> = figure.series.iter().enumerate().map(drawable).collect();
        series.retain(|series| !series.is_empty());
        if series.is_empty() {
            return Err(nothing(figure, &limits));
        }
        let (by, groups) = styles::give(figure, &mut series);
        let x_values = series.iter().flat_map(Drawable::x_values).filter(|x| limits.contains(x));
        let x = AxisRange::of_x(x_values, x_is_log)
            .with_room(&places_of_boxes(&series))
            .between(&figure.x, &figure.title)?;
        let x = DrawnAxis::of_variable(&figure.x.label, x, values_of_x(&series).into_iter());
        let references: Vec<(String, ReferenceLine)> = figure
            .references
            .iter()
            .filter(|reference| can_be_drawn(reference.line, x_is_log, y_is_log))
            .map(|reference| (reference.label.clone(), reference.line))
            .collect();
        let y = y_range(&series, &references, &x.range, y_is_log).between(&figure.y, &figure.title)?;
        let borders = borders(&figure.borders, &series);
        let mut y = DrawnAxis::new(&figure.y.label, y);
        // A histogram counts.
        let mut heights = figure.series.iter().flat_map(|its| &its.bars).map(|bar| bar.2).peekable();
        y.kind.is_whole = heights.peek().is_some() && heights.all(|height| height.fract() == 0.0);
        Ok(FigureData { x, y, series, references, by, groups, borders })
    }

    pub(super) fn any(&self, has: impl Fn(&Drawable) -> bool) -> bool {
        self.series.iter().any(has)
    }
}

/// Each place once, with all stretches of its borders; series count if there are any.
pub(super) fn borders(all: &[IntervalBorder], series: &[Drawable]) -> Vec<VerticalLine> {
    const DIGITS: usize = 6;
    let mut sorted: Vec<&IntervalBorder> = all.iter().filter(|border| is_drawable(border.x, false)).collect();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let parts = |border: &&IntervalBorder| -> Vec<(f64, f64)> {
        let whole = border.y.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        if border.series.is_empty() || series.is_empty() {
            return vec![whole];
        }
        let its = series.iter().filter(|series| border.series.contains(&series.index));
        let inside = |ends: (f64, f64)| (ends.0.max(whole.0), ends.1.min(whole.1));
        its.filter_map(|series| series.ends_at(border.x))
            .map(inside)
            .filter(|part| part.0 <= part.1)
            .collect()
    };
    let of_place = |group: &[&IntervalBorder]| VerticalLine {
        x: group[0].x,
        label: number::significant(group[0].x, DIGITS),
        parts: group.iter().flat_map(parts).collect(),
    };
    let borders = sorted.chunk_by(|a, b| a.x == b.x).map(of_place);
    borders.filter(|border| !border.parts.is_empty()).collect()
}

/// Each place of a distribution once, ascending.
fn places_of_boxes(series: &[Drawable]) -> Vec<f64> {
    let mut places: Vec<f64> = series.iter().flat_map(|series| &series.boxes).map(|its| its.0).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places
}

/// Values of the variable that were measured; where there are none, those that the curves go through.
fn values_of_x(series: &[Drawable]) -> Vec<f64> {
    let points = series.iter().flat_map(|series| series.points.iter().chain(&series.repetitions));
    let boxes = series.iter().flat_map(|series| &series.boxes).map(|its| its.0);
    let measured: Vec<f64> = points.map(|point| point.0).chain(boxes).collect();
    match measured.is_empty() {
        true => series.iter().flat_map(|series| series.curve.iter().flatten()).map(|point| point.0).collect(),
        false => measured,
    }
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
    let curves: Vec<f64> = series.iter().flat_map(|series| series.curve_within(x)).collect();
    let highest = values.iter().chain(&curves).copied().fold(0.0, f64::max);
    let lines = references.iter().filter_map(|(_, line)| match line {
        ReferenceLine::Horizontal(y) => Some(*y),
        ReferenceLine::Proportional(slope) => {
            let end = (slope * x.high).min(MOST_ABOVE * highest);
            (end > 0.0 && is_drawable(end, is_log)).then_some(end)
        }
        ReferenceLine::Vertical(_) => None,
    });
    let bands = series.iter().flat_map(|series| series.band.iter().flatten());
    let bands = bands.filter(|bar| x.contains(bar.0)).flat_map(|bar| [bar.1, bar.2]);
    AxisRange::of_y(
        values.iter().copied().chain(lines),
        curves.iter().copied(),
        bands.filter(|y| is_drawable(*y, is_log)),
        is_log,
    )
}

fn nothing(figure: &Figure, limits: &RangeInclusive<f64>) -> Error {
    let title = figure.title.clone();
    let finite: Vec<Point> = figure.series.iter().flat_map(finite).collect();
    let axes = [
        (&figure.x, finite.iter().any(|point| point.0 > 0.0)),
        (&figure.y, finite.iter().any(|point| point.1 > 0.0)),
    ];
    let wrong =
        axes.iter().find(|(axis, has_positive)| axis.scale == AxisScale::Logarithmic && !has_positive);
    let is_outside = !finite.is_empty() && !finite.iter().any(|point| limits.contains(&point.0));
    match wrong {
        _ if is_outside => Error::Outside { title, axis: figure.x.label.clone() },
        Some((axis, _)) if !finite.is_empty() => Error::NotPositive { title, axis: axis.label.clone() },
        _ => Error::Empty { title },
    }
}

/// All places of a series that a linear axis can show.
fn finite(series: &Series) -> impl Iterator<Item = Point> {
    let points = series.points.iter().chain(&series.repetitions).chain(&series.curve).copied();
    let bars = series.spread.iter().chain(&series.band).map(|bar| (bar.0, bar.2));
    let boxes = series.boxes.iter().map(|(x, its)| (*x, its.ends().1));
    points.chain(bars).chain(boxes).filter(is_finite)
}
