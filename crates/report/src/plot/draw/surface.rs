//! Bands of colour, the lines between them, and measured points on top.

use super::super::surface::Values;
use crate::plot::canvas::{Anchor, Canvas, Fill, Place, Role, Stroke};
use crate::plot::contour::Grid;
use crate::plot::layout::Layout;
use crate::plot::page::{Font, Page};
use crate::plot::palette::{self, Colour, Shape};
use crate::plot::thin;

const MOST_POINTS: usize = 1500;

pub(super) fn bands(canvas: &mut dyn Canvas, layout: &Layout, values: &Values) {
    let grid = Grid {
        x: values.columns.iter().map(|x| layout.x_place(*x)).collect(),
        y: values.rows.iter().map(|y| layout.y_place(*y)).collect(),
        values: values.places.clone(),
    };
    let colours = values.colours();
    let everywhere = [f64::MIN].into_iter();
    let levels = everywhere.chain(values.levels.iter().map(|level| level.0));
    let regions: Vec<_> = levels.map(|level| grid.above(level)).collect();
    for (region, colour) in regions.iter().zip(&colours) {
        let polygon = region.polygon();
        if polygon.len() > 2 {
            canvas.area(&polygon, *colour, Fill::Scale);
        }
    }
    for (region, colour) in regions[1..].iter().zip(&colours[1..]) {
        let line = palette::contrast(*colour);
        for places in region.lines() {
            canvas.line(&places, Stroke::new(Role::Contour, 0.8, line));
        }
    }
}

/// White under the borders of intervals.
pub(super) fn halos(canvas: &mut dyn Canvas, layout: &Layout) {
    let stroke = Stroke::new(Role::Border, 3.0, palette::WHITE);
    for border in &layout.borders {
        canvas.line(&[(border.x, layout.plot.bottom), (border.x, layout.plot.top)], stroke);
    }
}

/// Measured points and labels of contour lines where there is room between them.
pub(super) fn points(canvas: &mut dyn Canvas, page: &Page, layout: &Layout, values: &Values) {
    let colours = values.colours();
    let places: Vec<Place> = values.points.iter().map(|point| layout.place(point.0)).collect();
    let shown = thin::places(places.clone(), page.precision, MOST_POINTS);
    let mut taken: Vec<Box> =
        shown.iter().map(|place| Box::around(*place, 2.0 * MARKER, 2.0 * MARKER)).collect();
    for (place, (_, value)) in places.iter().zip(&values.points) {
        if shown.contains(place) {
            let colour = colours[values.band(*value).min(colours.len() - 1)];
            point(canvas, *place, colour);
        }
    }
    labels(canvas, page, layout, values, &mut taken);
}

const MARKER: f64 = 4.0;

/// A measured point, which stands out from any colour.
pub(super) fn point(canvas: &mut dyn Canvas, place: Place, colour: Colour) {
    canvas.open_marker(Shape::Circle, place, MARKER + 1.5, palette::TEXT);
    canvas.marker(Shape::Circle, place, MARKER - 0.5, colour);
}

fn labels(canvas: &mut dyn Canvas, page: &Page, layout: &Layout, values: &Values, taken: &mut Vec<Box>) {
    let grid = Grid {
        x: values.columns.iter().map(|x| layout.x_place(*x)).collect(),
        y: values.rows.iter().map(|y| layout.y_place(*y)).collect(),
        values: values.places.clone(),
    };
    let height = if page.is_pixels() { page.tick_line + 2.0 } else { page.tick_line };
    for (level, tick) in &values.levels {
        let width = page.text_width(&tick.label, Font::Border);
        let mut lines = grid.above(*level).lines();
        lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
        let candidates = lines.iter().flat_map(|line| {
            // From the middle outwards.
            let parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
            parts.map(|part: f64| line[(part * (line.len() - 1) as f64) as usize])
        });
        let room =
            candidates.map(|place| (place, Box::around(place, width + 8.0, height))).find(|(_, room)| {
                let plot = &layout.plot;
                let is_inside = room.left > plot.left
                    && room.right < plot.right
                    && room.top > plot.top
                    && room.bottom < plot.bottom;
                is_inside && taken.iter().all(|other| !room.overlaps(other))
            });
        if let Some((place, room)) = room {
            if page.is_pixels() {
                canvas.area(&room.corners(), palette::WHITE, Fill::Faint(0.8));
            }
            canvas.text(&tick.label, place, Anchor::Middle, Font::Border, palette::TEXT);
            taken.push(room);
        }
    }
}

/// Room that something takes.
struct Box {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Box {
    fn around(place: Place, width: f64, height: f64) -> Box {
        let (half_width, half_height) = (width / 2.0, height / 2.0);
        Box {
            left: place.0 - half_width,
            right: place.0 + half_width,
            top: place.1 - half_height,
            bottom: place.1 + half_height,
        }
    }

    fn overlaps(&self, other: &Box) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn corners(&self) -> [Place; 4] {
        [(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
    }
}
