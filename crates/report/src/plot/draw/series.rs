//! Points, curves and what belongs to them.

use crate::plot::canvas::{Canvas, CanvasPoint, Fill, LineRole, Stroke};
use crate::plot::drawable::{Drawable, ErrorBar};
use crate::plot::geometry::{self, Rect};
use crate::plot::layout::Layout;
use crate::plot::page::{CELL, PicturePage};
use crate::plot::palette::{self, Dash, Rgb};
use crate::{BoxPlot, ReferenceLine};

pub(super) const CURVE_WIDTH: f64 = 2.0;
pub(super) const MARKER: f64 = 3.8;
pub(super) const BAND_OPACITY: f64 = 0.2;
pub(super) const FAINT: f64 = 0.45;
pub(super) const SMALL_DOT: f64 = 1.7;
/// Points among many.
const DOT: f64 = 2.2;
/// White around curves that run through many points.
const RIM: f64 = 1.0;
/// More points than this make large files and show no more.
const MOST_POINTS: usize = 3000;
const LEAST_POINTS_OF_SERIES: usize = 100;

/// Bars of histograms and bands around curves.
pub(super) fn areas(canvas: &mut dyn Canvas, layout: &Layout, series: &[Drawable]) {
    for series in series {
        let colour = series.style.colour;
        for &(left, right, height) in &series.bars {
            let (left, right) = (layout.x_place(left), layout.x_place(right));
            let (top, bottom) = (layout.y_place(height), layout.y_place(0.0));
            let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
            let inside = geometry::clipped_polygon(&layout.plot, &corners);
            if inside.len() > 2 && height != 0.0 {
                canvas.area(&inside, colour, Fill::Solid);
                let outline = [inside.clone(), inside[..1].to_vec()].concat();
                canvas.line(&outline, Stroke::new(LineRole::Contour, 1.0, palette::WHITE));
            }
        }
        for piece in &series.band {
            let edge = |end: &dyn Fn(&ErrorBar) -> f64| -> Vec<CanvasPoint> {
                let places: Vec<CanvasPoint> =
                    piece.iter().map(|bar| layout.place((bar.0, end(bar)))).collect();
                geometry::thinned_line(&places, 1.0)
            };
            let mut corners = edge(&|bar| bar.1);
            corners.extend(edge(&|bar| bar.2).into_iter().rev());
            let inside = geometry::clipped_polygon(&layout.plot, &corners);
            if inside.len() > 2 {
                canvas.area(&inside, colour, Fill::Faint(BAND_OPACITY));
            }
        }
    }
}

fn references(canvas: &mut dyn Canvas, layout: &Layout, lines: &[ReferenceLine]) {
    const STEPS: u32 = 200;
    let stroke = Stroke::new(LineRole::Data, 1.6, palette::REFERENCE).dashed(Dash::Dotted);
    let plot = &layout.plot;
    for line in lines {
        let places: Vec<CanvasPoint> = match *line {
            ReferenceLine::Horizontal(y) => [plot.left, plot.right].map(|x| (x, layout.y_place(y))).into(),
            ReferenceLine::Vertical(x) => [plot.bottom, plot.top].map(|y| (layout.x_place(x), y)).into(),
            ReferenceLine::Proportional(slope) => {
                let value = |step: u32| layout.x_value(f64::from(step) / f64::from(STEPS));
                (0..=STEPS).map(value).map(|x| layout.place((x, slope * x))).collect()
            }
        };
        for piece in geometry::clipped_line(plot, &places) {
            canvas.line(&piece, stroke);
        }
    }
}

pub(super) fn data(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    series: &[Drawable],
    lines: &[ReferenceLine],
) {
    let count = |series: &Drawable| series.points.len() + series.repetitions.len();
    let is_crowded = series.iter().map(count).sum::<usize>() > page.crowd;
    let most = (MOST_POINTS / series.len()).max(LEAST_POINTS_OF_SERIES);
    for series in series {
        repetitions(canvas, page, layout, series, most);
    }
    if is_crowded {
        // Many markers would hide the curves.
        for series in series {
            crowd(canvas, page, layout, series, most);
        }
        references(canvas, layout, lines);
        for series in series {
            if page.is_pixels() {
                curve(canvas, page, layout, series, CURVE_WIDTH + 2.0 * RIM, palette::WHITE);
            }
            curve(canvas, page, layout, series, CURVE_WIDTH, series.style.colour);
        }
        return;
    }
    references(canvas, layout, lines);
    for series in series {
        curve(canvas, page, layout, series, CURVE_WIDTH, series.style.colour);
    }
    boxes(canvas, page, layout, series);
    let is_one = series.len() == 1;
    for (index, series) in series.iter().enumerate() {
        spread(canvas, page, layout, series);
        if series.points.is_empty() && series.repetitions.is_empty() && series.boxes.is_empty() {
            open_markers(canvas, layout, series, (!is_one).then_some(index));
        }
        let places = inside(layout, &series.points);
        for place in geometry::thinned_places(places, page.precision, MOST_POINTS) {
            canvas.marker(series.style.shape, place, MARKER, series.style.colour);
        }
    }
}

/// The places of the points that are inside of the plot.
fn inside(layout: &Layout, points: &[(f64, f64)]) -> Vec<CanvasPoint> {
    points.iter().map(|point| layout.place(*point)).filter(|place| layout.plot.contains(*place)).collect()
}

fn repetitions(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, series: &Drawable, most: usize) {
    let places = inside(layout, &series.repetitions);
    for place in geometry::thinned_places(places, page.precision, most) {
        canvas.dot(place, SMALL_DOT, series.style.colour, FAINT);
    }
}

fn crowd(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, series: &Drawable, most: usize) {
    spread(canvas, page, layout, series);
    let places = inside(layout, &series.points);
    for place in geometry::thinned_places(places, 2.0 * page.precision, most) {
        canvas.dot(place, DOT, series.style.colour, 1.0);
    }
}

/// Where the curve was measured it is solid, outside of that it is dashed.
fn curve(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    series: &Drawable,
    width: f64,
    colour: Rgb,
) {
    let stroke = Stroke::new(LineRole::Data, width, colour);
    let plot = layout.plot;
    let parts: Vec<(Rect, Stroke)> = match series.sampled {
        None => vec![(plot, stroke.dashed(series.style.dash))],
        Some((low, high)) => {
            let inside = |value: f64| layout.x_place(value).clamp(plot.left, plot.right);
            let (left, right) = (inside(low), inside(high));
            vec![
                (Rect { right: left, ..plot }, stroke.dashed(Dash::Dashed)),
                (Rect { left, right, ..plot }, stroke),
                (Rect { left: right, ..plot }, stroke.dashed(Dash::Dashed)),
            ]
        }
    };
    for piece in &series.curve {
        let places: Vec<CanvasPoint> = piece.iter().map(|point| layout.place(*point)).collect();
        let places = geometry::thinned_line(&places, page.precision);
        for (rect, stroke) in parts.iter().filter(|(rect, _)| rect.left < rect.right || parts.len() == 1) {
            for visible in geometry::clipped_line(rect, &places) {
                canvas.line(&visible, *stroke);
            }
        }
    }
}

/// Markers on a curve without points: at each of few places, between which it is straight. Along a curve of many, some that
/// tell the curve of this index from others without colours.
fn open_markers(canvas: &mut dyn Canvas, layout: &Layout, series: &Drawable, index: Option<usize>) {
    const FEW: usize = 32;
    const COUNT: u32 = 5;
    let mut draw = |place: &CanvasPoint| {
        if layout.plot.contains(*place) {
            canvas.open_marker(series.style.shape, *place, MARKER, series.style.colour);
        }
    };
    let places: Vec<CanvasPoint> = series.curve.iter().flatten().map(|point| layout.place(*point)).collect();
    if places.len() <= FEW {
        places.iter().for_each(draw);
        return;
    }
    let (Some(index), Some(first), Some(last)) = (index, places.first(), places.last()) else { return };
    for step in 0..COUNT {
        // Those of neighbouring series stand beside each other.
        let part = (f64::from(step) + 0.5 + 0.35 * (index % 3) as f64 - 0.35) / f64::from(COUNT);
        let x = first.0 + part * (last.0 - first.0);
        let nearest = places.iter().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()));
        nearest.into_iter().for_each(&mut draw);
    }
}

/// Bars from the lowest to the highest measurement.
fn spread(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, series: &Drawable) {
    const CAP: f64 = 3.5;
    const MOST_WITH_ENDS: usize = 100;
    let stroke = Stroke::new(LineRole::Data, 1.2, series.style.colour);
    let placed =
        series.spread.iter().map(|bar| (layout.x_place(bar.0), layout.y_place(bar.1), layout.y_place(bar.2)));
    let bars = geometry::thinned_bars(&placed.collect::<Vec<ErrorBar>>(), page.precision);
    let has_ends = page.is_pixels() && bars.len() <= MOST_WITH_ENDS;
    for (x, low, high) in bars {
        let cap = |y: f64| [(x - CAP, y), (x + CAP, y)];
        let bar = [(x, low.min(layout.plot.bottom)), (x, high)];
        for piece in geometry::clipped_line(&layout.plot, &bar) {
            canvas.line(&piece, stroke);
        }
        for end in [low, high] {
            if has_ends && layout.plot.contains((x, end)) {
                canvas.line(&cap(end), stroke);
            }
        }
    }
}

/// Distributions; those of several series at one place stand side by side.
fn boxes(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, series: &[Drawable]) {
    /// Of the room between places, and in pixels.
    const PART: f64 = 0.6;
    const WIDEST: f64 = 44.0;
    let with: Vec<&Drawable> = series.iter().filter(|series| !series.boxes.is_empty()).collect();
    let mut places: Vec<f64> =
        with.iter().flat_map(|series| &series.boxes).map(|its| layout.x_place(its.0)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let nearest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let widest = if page.is_pixels() { WIDEST } else { 7.0 * CELL.0 };
    let all =
        (PART * nearest).min(widest * with.len() as f64).min(0.2 * (layout.plot.right - layout.plot.left));
    let width = (all / with.len() as f64).max(page.grid);
    for (index, series) in with.iter().enumerate() {
        let shift = (index as f64 - (with.len() - 1) as f64 / 2.0) * width;
        for (x, distribution) in &series.boxes {
            let middle = layout.x_place(*x) + shift;
            let at = |value: f64, across: f64| (middle + across, layout.y_place(value));
            box_plot(canvas, page, &layout.plot, distribution, series.style.colour, 0.42 * width, &at);
        }
    }
}

/// Box, whiskers and outliers of a distribution; `at` tells where a value stands, and what is so far beside it.
pub(super) fn box_plot(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    plot: &Rect,
    distribution: &BoxPlot,
    colour: Rgb,
    half: f64,
    at: &dyn Fn(f64, f64) -> CanvasPoint,
) {
    let (low, high) = distribution.quartiles;
    let corners = [at(low, -half), at(low, half), at(high, half), at(high, -half)];
    let inside = geometry::clipped_polygon(plot, &corners);
    if page.is_pixels() && inside.len() > 2 {
        canvas.area(&inside, colour, Fill::Faint(0.25));
    }
    let outline = [corners.as_slice(), &corners[..1]].concat();
    let cap = half / 2.0;
    let (lowest, highest) = distribution.whiskers;
    let lines = [
        (outline, 1.3),
        (vec![at(low, 0.0), at(lowest, 0.0)], 1.3),
        (vec![at(high, 0.0), at(highest, 0.0)], 1.3),
        (vec![at(lowest, -cap), at(lowest, cap)], 1.3),
        (vec![at(highest, -cap), at(highest, cap)], 1.3),
        (vec![at(distribution.median, -half), at(distribution.median, half)], 2.6),
    ];
    for (places, width) in lines {
        for piece in geometry::clipped_line(plot, &places) {
            canvas.line(&piece, Stroke::new(LineRole::Data, width, colour));
        }
    }
    let outliers = distribution.outliers.iter().map(|value| at(*value, 0.0));
    let outliers = outliers.filter(|place| plot.contains(*place)).collect();
    for place in geometry::thinned_places(outliers, page.precision, MOST_POINTS) {
        canvas.dot(place, DOT, colour, 0.8);
    }
}
