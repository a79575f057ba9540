//! What can be drawn of a figure.

use std::ops::RangeInclusive;

use super::axis::{self, AxisRange, DrawnAxis, is_drawable};
use super::scales::are_logarithmic;
use super::styles::{self, NamedStyles, SeriesStyle};
use crate::{BoxPlot, Error, Figure, IntervalBorder, ReferenceLine, Scale, Series, SeriesGroups, number};

pub(super) type Point = (f64, f64);
/// Place, lower and upper end.
pub(super) type ErrorBar = (f64, f64, f64);

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

/// The drawable parts of a series.
#[derive(Debug, Default)]
pub(super) struct Drawable {
    /// Of the series in the figure.
    index: usize,
    pub(super) label: String,
    pub(super) groups: Option<SeriesGroups>,
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
    pub(super) boxes: Vec<(f64, BoxPlot)>,
}

impl FigureData {
    pub(super) fn of(figure: &Figure) -> Result<FigureData, Error> {
        let (x_is_log, y_is_log) = are_logarithmic(figure);
        let limits = axis::wanted_ends(&figure.x, &figure.title, x_is_log)?;
        axis::wanted_ends(&figure.y, &figure.title, y_is_log)?;
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
        Ok(FigureData { x, y: DrawnAxis::new(&figure.y.label, y), series, references, by, groups, borders })
    }

    pub(super) fn any(&self, has: impl Fn(&Drawable) -> bool) -> bool {
        self.series.iter().any(has)
    }
}

impl Drawable {
    fn of(
        index: usize,
        series: &Series,
        x_is_log: bool,
        y_is_log: bool,
        limits: &RangeInclusive<f64>,
    ) -> Drawable {
        let is_x = |x: f64| is_drawable(x, x_is_log);
        let is_shown = |x: f64| is_x(x) && limits.contains(&x);
        let can_draw = |point: &Point| is_x(point.0) && is_drawable(point.1, y_is_log);
        // What reaches below a logarithmic axis is cut there.
        let is_bar =
            |bar: &ErrorBar| is_x(bar.0) && is_drawable(bar.1, false) && is_drawable(bar.2, y_is_log);
        let crosses = |from: f64, to: f64| from.min(to) <= *limits.end() && from.max(to) >= *limits.start();
        let pieces = series.curve.split(|point| !can_draw(point)).filter(|piece| piece.len() > 1);
        let pieces = pieces.filter(|piece| piece.windows(2).any(|pair| crosses(pair[0].0, pair[1].0)));
        let band = series.band.split(|bar| !is_bar(bar)).filter(|piece| piece.len() > 1);
        let band = band.filter(|piece| piece.windows(2).any(|pair| crosses(pair[0].0, pair[1].0)));
        let is_column = |bar: &&ErrorBar| {
            is_x(bar.0) && is_x(bar.1) && is_drawable(bar.2, y_is_log) && crosses(bar.0, bar.1)
        };
        let is_box = |(x, its): &&(f64, BoxPlot)| {
            is_shown(*x) && is_drawable(its.ends().0, y_is_log) && is_drawable(its.ends().1, y_is_log)
        };
        let shown = |points: &[Point]| -> Vec<Point> {
            points.iter().copied().filter(|point| can_draw(point) && is_shown(point.0)).collect()
        };
        Drawable {
            index,
            label: series.label.clone(),
            groups: series.groups.clone(),
            value: series.value,
            style: SeriesStyle::default(),
            points: shown(&series.points),
            repetitions: shown(&series.repetitions),
            spread: series.spread.iter().copied().filter(|bar| is_bar(bar) && is_shown(bar.0)).collect(),
            curve: pieces.map(<[_]>::to_vec).collect(),
            band: band.map(<[_]>::to_vec).collect(),
            sampled: series.sampled.filter(|(low, high)| low <= high),
            bars: series.bars.iter().filter(is_column).copied().collect(),
            boxes: series.boxes.iter().filter(is_box).cloned().collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.points.is_empty()
            && self.repetitions.is_empty()
            && self.spread.is_empty()
            && self.curve.is_empty()
            && self.band.is_empty()
            && self.bars.is_empty()
            && self.boxes.is_empty()
    }

    fn x_values(&self) -> impl Iterator<Item = f64> {
        let points = self.points.iter().chain(&self.repetitions).chain(self.curve.iter().flatten());
        let bars = self.spread.iter().chain(self.band.iter().flatten()).chain(&self.bars);
        let bars = bars.map(|bar| bar.0).chain(self.bars.iter().map(|bar| bar.1));
        points.map(|point| point.0).chain(bars).chain(self.boxes.iter().map(|its| its.0))
    }

    /// Heights that the axis must show.
    fn y_values(&self, is_log: bool) -> impl Iterator<Item = f64> {
        let points = self.points.iter().chain(&self.repetitions).map(|point| point.1);
        let spread = self.spread.iter().flat_map(|bar| [bar.1, bar.2]);
        let zero = self.bars.first().map(|_| 0.0);
        let bars = self.bars.iter().map(|bar| bar.2).chain(zero);
        let boxes = self.boxes.iter().flat_map(|(_, its)| [its.ends().0, its.ends().1]);
        points.chain(spread).chain(bars).chain(boxes).filter(move |y| is_drawable(*y, is_log))
    }

    /// Heights of the curve where it is between the ends of the horizontal axis, and next to them.
    fn curve_within(&self, x: &AxisRange) -> impl Iterator<Item = f64> {
        let crosses =
            |pair: &&[Point]| pair[0].0.min(pair[1].0) <= x.high && pair[0].0.max(pair[1].0) >= x.low;
        self.curve
            .iter()
            .flat_map(|piece| piece.windows(2))
            .filter(crosses)
            .flat_map(|pair| [pair[0].1, pair[1].1])
    }

    /// The lowest and the highest value at a place, on both sides of a jump.
    fn ends_at(&self, x: f64) -> Option<(f64, f64)> {
        let between = |pair: &[Point]| {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let part = (x - x0) / (x1 - x0);
            (0.0..=1.0).contains(&part).then_some(y0 + part * (y1 - y0))
        };
        let curve = self.curve.iter().flat_map(|piece| piece.windows(2)).filter_map(between);
        let points =
            self.points.iter().chain(&self.repetitions).filter(|point| point.0 == x).map(|point| point.1);
        let (low, high) = curve
            .chain(points)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        (low <= high).then_some((low, high))
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
            (end > 0.0).then_some(end)
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
    let wrong = axes.iter().find(|(axis, has_positive)| axis.scale == Scale::Logarithmic && !has_positive);
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

pub(super) fn is_finite(point: &Point) -> bool {
    is_drawable(point.0, false) && is_drawable(point.1, false)
}
