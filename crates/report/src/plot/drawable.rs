//! What can be drawn of a series.

use std::ops::RangeInclusive;

use super::axis_range::{AxisRange, Point, is_drawable};
use super::palette::SeriesStyle;
use crate::{BoxPlot, Series, SeriesGroups};

/// Place, lower and upper end.
pub(super) type ErrorBar = (f64, f64, f64);

/// The drawable parts of a series.
#[derive(Debug, Default)]
pub(super) struct Drawable {
    /// Of the series in the figure.
    pub(super) index: usize,
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

impl Drawable {
    pub(super) fn of(
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

    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
            && self.repetitions.is_empty()
            && self.spread.is_empty()
            && self.curve.is_empty()
            && self.band.is_empty()
            && self.bars.is_empty()
            && self.boxes.is_empty()
    }

    pub(super) fn x_values(&self) -> impl Iterator<Item = f64> {
        let points = self.points.iter().chain(&self.repetitions).chain(self.curve.iter().flatten());
        let bars = self.spread.iter().chain(self.band.iter().flatten()).chain(&self.bars);
        let bars = bars.map(|bar| bar.0).chain(self.bars.iter().map(|bar| bar.1));
        points.map(|point| point.0).chain(bars).chain(self.boxes.iter().map(|its| its.0))
    }

    /// Heights that the axis must show.
    pub(super) fn y_values(&self, is_log: bool) -> impl Iterator<Item = f64> {
        let points = self.points.iter().chain(&self.repetitions).map(|point| point.1);
        let spread = self.spread.iter().flat_map(|bar| [bar.1, bar.2]);
        let zero = self.bars.first().map(|_| 0.0);
        let bars = self.bars.iter().map(|bar| bar.2).chain(zero);
        let boxes = self.boxes.iter().flat_map(|(_, its)| [its.ends().0, its.ends().1]);
        points.chain(spread).chain(bars).chain(boxes).filter(move |y| is_drawable(*y, is_log))
    }

    /// Heights of the curve where it is between the ends of the horizontal axis, and next to them.
    pub(super) fn curve_within(&self, x: &AxisRange) -> impl Iterator<Item = f64> {
        let crosses =
            |pair: &&[Point]| pair[0].0.min(pair[1].0) <= x.high && pair[0].0.max(pair[1].0) >= x.low;
        self.curve
            .iter()
            .flat_map(|piece| piece.windows(2))
            .filter(crosses)
            .flat_map(|pair| [pair[0].1, pair[1].1])
    }

    /// The lowest and the highest value at a place, on both sides of a jump.
    pub(super) fn ends_at(&self, x: f64) -> Option<(f64, f64)> {
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
