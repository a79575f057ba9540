//! Bands of colour, the lines between them, and measured points on top.

use super::{axes, borders};
use crate::plot::canvas::{Canvas, CanvasPoint, Fill, LineRole, Stroke, TextAnchor};
use crate::plot::contour::{ContourRegion, ValueGrid};
use crate::plot::font::Font;
use crate::plot::geometry::{self, Rect};
use crate::plot::layout::Layout;
use crate::plot::page::PicturePage;
use crate::plot::palette::{self, MarkerShape, Rgb};
use crate::plot::surface::SurfaceValues;

const MARKER: f64 = 4.0;
const MOST_POINTS: usize = 1500;

pub(super) fn content(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, values: &SurfaceValues) {
    let grid = ValueGrid {
        x: values.columns.iter().map(|x| layout.x_place(*x)).collect(),
        y: values.rows.iter().map(|y| layout.y_place(*y)).collect(),
        values: values.places.clone(),
    };
    let everywhere = grid.above(f64::MIN);
    let regions: Vec<ContourRegion> = values.levels.iter().map(|level| grid.above(level.0)).collect();
    bands(canvas, values, &everywhere, &regions);
    axes(canvas, page, layout);
    halos(canvas, layout);
    borders(canvas, layout);
    let mut taken = points(canvas, page, layout, values);
    for ((_, tick), region) in values.levels.iter().zip(&regions) {
        taken.extend(label(canvas, page, layout, &tick.label, region, &taken));
    }
}

fn bands(
    canvas: &mut dyn Canvas,
    values: &SurfaceValues,
    everywhere: &ContourRegion,
    regions: &[ContourRegion],
) {
    let colours = values.colours();
    for (region, colour) in [everywhere].into_iter().chain(regions).zip(&colours) {
        let polygon = region.polygon();
        if polygon.len() > 2 {
            canvas.area(&polygon, *colour, Fill::Scale);
        }
    }
    for (region, colour) in regions.iter().zip(&colours[1..]) {
        let stroke = Stroke::new(LineRole::Contour, 0.8, palette::contrast(*colour));
        for places in region.lines() {
            canvas.line(&places, stroke);
        }
    }
}

/// White under the borders of intervals.
fn halos(canvas: &mut dyn Canvas, layout: &Layout) {
    let stroke = Stroke::new(LineRole::Border, 3.0, palette::WHITE);
    for [top, bottom] in layout.border_lines() {
        canvas.line(&[bottom, top], stroke);
    }
}

/// Returns the room that the points take.
fn points(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, values: &SurfaceValues) -> Vec<Rect> {
    let colours = values.colours();
    let mut places: Vec<CanvasPoint> = values.points.iter().map(|point| layout.place(point.0)).collect();
    let values_at: Vec<(CanvasPoint, f64)> =
        places.iter().copied().zip(values.points.iter().map(|point| point.1)).collect();
    places = geometry::thinned_places(places, page.precision, MOST_POINTS);
    let mut next = values_at.iter();
    for shown in &places {
        // Thinning keeps the order.
        if let Some((place, value)) = next.find(|(place, _)| place == shown) {
            point(canvas, *place, colours[values.band(*value).min(colours.len() - 1)]);
        }
    }
    places.into_iter().map(|place| Rect::around(place, 2.0 * MARKER, 2.0 * MARKER)).collect()
}

/// A measured point, which stands out from any colour.
pub(super) fn point(canvas: &mut dyn Canvas, place: CanvasPoint, colour: Rgb) {
    canvas.open_marker(MarkerShape::Circle, place, MARKER + 1.5, palette::TEXT);
    canvas.marker(MarkerShape::Circle, place, MARKER - 0.5, colour);
}

/// Labels the lines of a level where there is room; returns the room that the label takes.
fn label(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    text: &str,
    region: &ContourRegion,
    taken: &[Rect],
) -> Option<Rect> {
    /// Around the text.
    const GAP: f64 = 8.0;
    /// From the middle of a line outwards.
    const PARTS: [f64; 9] = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    let (width, height) = (page.text_width(text, Font::Border) + GAP, page.tick_line + 2.0);
    let mut lines = region.lines();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    let candidates =
        lines.iter().flat_map(|line| PARTS.map(|part| line[(part * (line.len() - 1) as f64) as usize]));
    let plot = &layout.plot;
    let has_room = |room: &Rect| {
        let is_inside = plot.contains((room.left, room.top)) && plot.contains((room.right, room.bottom));
        is_inside && taken.iter().all(|other| !room.overlaps(other))
    };
    let rooms = candidates.map(|place| (place, Rect::around(place, width, height)));
    let (place, room) = rooms.into_iter().find(|(_, room)| has_room(room))?;
    if page.is_pixels() {
        canvas.area(&room.corners(), palette::WHITE, Fill::Faint(0.8));
    }
    canvas.text(text, place, TextAnchor::Middle, Font::Border, palette::TEXT);
    Some(room)
}
