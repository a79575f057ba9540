//! Draws what has its place.

use std::collections::HashSet;

use super::canvas::{Anchor, Canvas, Font, Place, in_pixels};
use super::data::{Data, Drawable};
use super::layout::{self, EDGE, Layout, TICK, TICK_GAP};
use super::legend::{self, Entry, Mark};
use super::palette::{self, Colour, Shape};
use crate::{Error, Figure};

const CURVE_WIDTH: f64 = 2.0;
const MANY_POINTS: usize = 300;
/// White around markers and curves, so that they stand out from each other.
const RIM: f64 = 1.0;

/// How points are drawn.
struct Markers {
    radius: f64,
    /// Of the points in a square of this size only one is drawn.
    square: f64,
}

const SPARSE: Markers = Markers { radius: 3.8, square: 0.5 };
const CROWDED: Markers = Markers { radius: 2.4, square: 1.5 };

pub(super) fn svg(figure: &Figure, data: &Data, layout: &Layout) -> Result<String, Error> {
    let mut svg = String::new();
    let mut canvas = Canvas::new(&mut svg);
    canvas.background(palette::WHITE);
    texts(&mut canvas, layout);
    grid(&mut canvas, data, layout);
    borders(&mut canvas, layout);
    let is_crowded = data.series.iter().map(|series| series.points.len()).sum::<usize>() > MANY_POINTS;
    if is_crowded {
        // Many markers would hide the curves.
        points(&mut canvas, data, layout, &CROWDED);
        curves(&mut canvas, data, layout, Some(RIM));
    } else {
        curves(&mut canvas, data, layout, None);
        points(&mut canvas, data, layout, &SPARSE);
    }
    entries(&mut canvas, layout);
    canvas.finish().map_err(|cause| Error::Drawing { title: figure.title.clone(), cause })?;
    Ok(in_pixels(&svg))
}

fn font(size: f64, colour: Colour) -> Font {
    Font { size, colour, is_bold: false }
}

fn texts(canvas: &mut Canvas, layout: &Layout) {
    let bold = Font { is_bold: true, ..font(layout::TITLE_SIZE, palette::TEXT) };
    for line in &layout.title {
        canvas.text(&line.text, (EDGE, line.y), Anchor::Start, bold);
    }
    for line in &layout.notes {
        canvas.text(&line.text, (EDGE, line.y), Anchor::Start, font(layout::NOTE_SIZE, palette::FAINT_TEXT));
    }
    let label = font(layout::LABEL_SIZE, palette::TEXT);
    let (middle_x, middle_y) = ((layout.left + layout.right) / 2.0, (layout.top + layout.bottom) / 2.0);
    canvas.text(&layout.x_label, (middle_x, layout.x_label_y), Anchor::Middle, label);
    canvas.rising_text(&layout.y_label, (layout.y_label_x, middle_y), Anchor::Middle, label);
}

fn grid(canvas: &mut Canvas, data: &Data, layout: &Layout) {
    const THIN: f64 = 1.0;
    let label = font(layout::TICK_SIZE, palette::TEXT);
    for tick in &layout.x_ticks.labelled {
        let x = x_place(data, layout, tick.value);
        canvas.line((x, layout.top), (x, layout.bottom), THIN, palette::GRID);
        canvas.line((x, layout.bottom), (x, layout.bottom + TICK), THIN, palette::AXIS);
        let y = layout.bottom + TICK + TICK_GAP + layout::TICK_SIZE / 2.0;
        canvas.text(&tick.label, (x, y), Anchor::Middle, label);
    }
    for tick in &layout.y_ticks.labelled {
        let y = y_place(data, layout, tick.value);
        canvas.line((layout.left, y), (layout.right, y), THIN, palette::GRID);
        canvas.line((layout.left - TICK, y), (layout.left, y), THIN, palette::AXIS);
        canvas.text(&tick.label, (layout.left - TICK - TICK_GAP, y), Anchor::End, label);
    }
    for value in &layout.x_ticks.small {
        let x = x_place(data, layout, *value);
        canvas.line((x, layout.bottom), (x, layout.bottom + TICK / 2.0), THIN, palette::AXIS);
    }
    for value in &layout.y_ticks.small {
        let y = y_place(data, layout, *value);
        canvas.line((layout.left - TICK / 2.0, y), (layout.left, y), THIN, palette::AXIS);
    }
    canvas.line((layout.left, layout.top), (layout.left, layout.bottom), THIN, palette::AXIS);
    canvas.line((layout.left, layout.bottom), (layout.right, layout.bottom), THIN, palette::AXIS);
}

fn borders(canvas: &mut Canvas, layout: &Layout) {
    for border in &layout.borders {
        canvas.dashed_line((border.x, layout.bottom), (border.x, layout.top), 1.2, palette::BORDER);
        if let Some(label) = &border.label {
            let font = font(layout::BORDER_SIZE, palette::FAINT_TEXT);
            canvas.text(&label.text, (border.x, label.y), Anchor::Middle, font);
        }
    }
}

fn x_place(data: &Data, layout: &Layout, value: f64) -> f64 {
    layout.left + data.x.place(value) * (layout.right - layout.left)
}

fn y_place(data: &Data, layout: &Layout, value: f64) -> f64 {
    layout.bottom - data.y.place(value) * (layout.bottom - layout.top)
}

fn place(data: &Data, layout: &Layout, point: (f64, f64)) -> Place {
    (x_place(data, layout, point.0), y_place(data, layout, point.1))
}

fn curves(canvas: &mut Canvas, data: &Data, layout: &Layout, rim: Option<f64>) {
    for (index, series) in data.series.iter().enumerate() {
        if let Some(rim) = rim {
            curve(canvas, data, layout, series, CURVE_WIDTH + 2.0 * rim, palette::WHITE);
        }
        curve(canvas, data, layout, series, CURVE_WIDTH, palette::colour(index));
    }
}

fn curve(canvas: &mut Canvas, data: &Data, layout: &Layout, series: &Drawable, width: f64, colour: Colour) {
    for piece in &series.curve {
        let places: Vec<Place> = piece.iter().map(|point| place(data, layout, *point)).collect();
        let mut visible: Vec<Place> = Vec::new();
        for pair in places.windows(2) {
            let Some((from, to)) = above(pair[0], pair[1], layout.bottom) else { continue };
            if visible.last() != Some(&from) {
                flush(canvas, &mut visible, width, colour);
                visible.push(from);
            }
            visible.push(to);
        }
        flush(canvas, &mut visible, width, colour);
    }
}

fn flush(canvas: &mut Canvas, visible: &mut Vec<Place>, width: f64, colour: Colour) {
    if visible.len() > 1 {
        canvas.polyline(visible, width, colour);
    }
    visible.clear();
}

/// The part of a line that is above the lower end of the plot; at the other sides the plot is wide enough for all curves.
fn above(from: Place, to: Place, bottom: f64) -> Option<(Place, Place)> {
    let crossing = || (from.0 + (to.0 - from.0) * (bottom - from.1) / (to.1 - from.1), bottom);
    match (from.1 <= bottom, to.1 <= bottom) {
        (true, true) => Some((from, to)),
        (true, false) => Some((from, crossing())),
        (false, true) => Some((crossing(), to)),
        (false, false) => None,
    }
}

fn points(canvas: &mut Canvas, data: &Data, layout: &Layout, markers: &Markers) {
    for (index, series) in data.series.iter().enumerate() {
        let mut drawn = HashSet::new();
        for point in &series.points {
            let (x, y) = place(data, layout, *point);
            if drawn.insert(((x / markers.square).round() as i64, (y / markers.square).round() as i64)) {
                marker(canvas, palette::shape(index), (x, y), markers.radius, palette::colour(index));
            }
        }
    }
}

fn marker(canvas: &mut Canvas, shape: Shape, centre: Place, radius: f64, colour: Colour) {
    canvas.shape(shape, centre, radius + RIM, palette::WHITE);
    canvas.shape(shape, centre, radius, colour);
}

fn entries(canvas: &mut Canvas, layout: &Layout) {
    for entry in &layout.legend.entries {
        let (x, y) = (layout.legend_at.0 + entry.place.0, layout.legend_at.1 + entry.place.1);
        mark(canvas, entry, (x, y));
        let colour =
            if matches!(entry.mark, Mark::Series { .. }) { palette::TEXT } else { palette::FAINT_TEXT };
        let place = (x + legend::MARK_WIDTH, y);
        canvas.text(&entry.text, place, Anchor::Start, font(legend::FONT_SIZE, colour));
    }
}

fn mark(canvas: &mut Canvas, entry: &Entry, (x, y): Place) {
    const LENGTH: f64 = 28.0;
    let (has_points, has_curve, shape, colour) = match entry.mark {
        Mark::Series { index, has_points, has_curve } => {
            (has_points, has_curve, palette::shape(index), palette::colour(index))
        }
        Mark::AnyPoint => (true, false, Shape::Circle, palette::AXIS),
        Mark::AnyCurve => (false, true, Shape::Circle, palette::AXIS),
        Mark::None => return,
    };
    if has_curve {
        canvas.line((x, y), (x + LENGTH, y), CURVE_WIDTH, colour);
    }
    if has_points {
        marker(canvas, shape, (x + LENGTH / 2.0, y), SPARSE.radius, colour);
    }
}
