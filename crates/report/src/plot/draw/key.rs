//! Legend and colour bar.

use super::series::{BAND_OPACITY, CURVE_WIDTH, FAINT, MARKER, SMALL_DOT};
use super::{bars, surface, timeline};
use crate::plot::canvas::{Canvas, CanvasPoint, Fill, LineRole, Stroke, TextAnchor};
use crate::plot::font::Font;
use crate::plot::layout::Layout;
use crate::plot::legend::Symbol;
use crate::plot::page::{CELL, PicturePage};
use crate::plot::palette::{self, Dash, MarkerShape};
use crate::timeline::TimelineActivity;

pub(super) fn legend(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout) {
    for entry in &layout.legend.entries {
        let (x, y) = (layout.legend_at.0 + entry.place.0, layout.legend_at.1 + entry.place.1);
        mark(canvas, page, entry.mark, (x, y));
        let is_series = matches!(entry.mark, Symbol::Series { .. } | Symbol::Colour(_));
        let colour = if is_series { palette::TEXT } else { palette::FAINT_TEXT };
        canvas.text(&entry.text, (x + page.mark_room, y), TextAnchor::Start, Font::Legend, colour);
    }
}

/// Names beside curves, joined with them by thin lines.
pub(super) fn names(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout) {
    const GAP: f64 = 4.0;
    for name in &layout.names {
        let (x, y) = name.entry.place;
        if let (Some(end), Symbol::Series { style, .. }) = (name.end, name.entry.mark) {
            let thin = Stroke::new(LineRole::Data, 0.8, style.colour);
            canvas.line(&[(end.0 + GAP, end.1), (x - GAP, y)], thin);
        }
        mark(canvas, page, name.entry.mark, (x, y));
        canvas.text(
            &name.entry.text,
            (x + page.mark_room, y),
            TextAnchor::Start,
            Font::Legend,
            palette::TEXT,
        );
    }
}

fn mark(canvas: &mut dyn Canvas, page: &PicturePage, mark: Symbol, (x, y): CanvasPoint) {
    let middle = (x + page.mark / 2.0, y);
    let line =
        |canvas: &mut dyn Canvas, stroke: Stroke| canvas.line(&[(x, y), (x + page.mark - 0.1, y)], stroke);
    let curve = |colour| Stroke::new(LineRole::Data, CURVE_WIDTH, colour);
    let half = page.legend_line / 2.0;
    let box_of = |height: f64| {
        [(x, y - height), (x + page.mark, y - height), (x + page.mark, y + height), (x, y + height)]
    };
    match mark {
        Symbol::Series { style, has_points, has_curve, has_bars } => {
            if has_bars {
                canvas.area(&box_of(0.6 * half), style.colour, Fill::Solid);
                return;
            }
            if has_curve {
                line(canvas, curve(style.colour).dashed(style.dash));
            }
            if has_points {
                canvas.marker(style.shape, middle, MARKER, style.colour);
            } else {
                canvas.open_marker(style.shape, middle, MARKER, style.colour);
            }
        }
        Symbol::Colour(colour) => canvas.area(&box_of(0.5 * half), colour, Fill::Solid),
        Symbol::Points => canvas.marker(MarkerShape::Circle, middle, MARKER, palette::AXIS),
        Symbol::Ring => {
            let inside = if page.is_pixels() { palette::WHITE } else { palette::AXIS };
            surface::point(canvas, middle, inside);
        }
        Symbol::Repetitions => {
            for shift in [-0.6, 0.0, 0.6] {
                let place = (middle.0 + shift * page.mark / 2.0, y);
                canvas.dot(place, SMALL_DOT, palette::AXIS, (FAINT + 1.0) / 2.0);
            }
        }
        Symbol::Spread => {
            let stroke = Stroke::new(LineRole::Data, 1.2, palette::AXIS);
            let height = if page.is_pixels() { 0.65 * half } else { half - 0.5 };
            canvas.line(&[(middle.0, y - height), (middle.0, y + height)], stroke);
            for y in [y - height, y + height] {
                if page.is_pixels() {
                    canvas.line(&[(middle.0 - 3.5, y), (middle.0 + 3.5, y)], stroke);
                }
            }
        }
        Symbol::Curve => line(canvas, curve(palette::AXIS)),
        Symbol::Extrapolated => line(canvas, curve(palette::AXIS).dashed(Dash::Dashed)),
        Symbol::Reference => {
            line(canvas, Stroke::new(LineRole::Data, 1.6, palette::REFERENCE).dashed(Dash::Dotted));
        }
        Symbol::Band => canvas.area(
            &box_of(if page.is_pixels() { 0.6 * half } else { half }),
            palette::AXIS,
            Fill::Faint(1.5 * BAND_OPACITY),
        ),
        Symbol::Activity(activity) if page.is_pixels() => {
            let corners = box_of(0.6 * half);
            canvas.area(&corners, bars::ink(page, activity), Fill::Solid);
            outline(canvas, &corners);
        }
        Symbol::Activity(activity) => {
            let fill = Fill::Glyphs(bars::glyphs(activity, false));
            canvas.area(&box_of(half), bars::ink(page, activity), fill);
        }
        Symbol::Part if page.is_pixels() => {
            let corners = box_of(0.6 * half);
            let closed = [corners.as_slice(), &corners[..1]].concat();
            canvas.line(&closed, timeline::part_stroke());
        }
        Symbol::Part => canvas.text("[ ]", (x, y), TextAnchor::Start, Font::Legend, palette::FAINT_TEXT),
        Symbol::Chain if page.is_pixels() => line(canvas, bars::chain_stroke()),
        Symbol::Chain => {
            let glyphs = [TimelineActivity::Computing, TimelineActivity::Communicating];
            for (activity, x) in glyphs.into_iter().zip([x, x + CELL.0]) {
                let corners = [(x, y - half), (x + CELL.0, y - half), (x + CELL.0, y + half), (x, y + half)];
                canvas.area(&corners, palette::CHAIN, Fill::Glyphs(bars::glyphs(activity, true)));
            }
        }
        Symbol::Shares => shares(canvas, page, (x, y)),
        Symbol::None => {}
    }
}

/// All activities in one place, as where bars are narrow.
fn shares(canvas: &mut dyn Canvas, page: &PicturePage, (x, y): CanvasPoint) {
    let half = page.legend_line / 2.0;
    let height = if page.is_pixels() { 0.6 * half } else { half };
    let activities =
        [TimelineActivity::Computing, TimelineActivity::Waiting, TimelineActivity::Communicating];
    for (index, activity) in activities.into_iter().enumerate() {
        let from = index as f64 / 3.0;
        let (left, top) = if page.is_pixels() {
            (x, y - height + 2.0 * height * from)
        } else {
            (x + page.mark * from, y - height)
        };
        let corners = [(left, top), (x + page.mark, top), (x + page.mark, y + height), (left, y + height)];
        let fill = if page.is_pixels() { Fill::Solid } else { Fill::Glyphs(bars::glyphs(activity, false)) };
        canvas.area(&corners, bars::ink(page, activity), fill);
        if page.is_pixels() && index == 0 {
            outline(canvas, &corners);
        }
    }
}

/// Around an area that may be white.
fn outline(canvas: &mut dyn Canvas, corners: &[CanvasPoint; 4]) {
    let closed = [corners.as_slice(), &corners[..1]].concat();
    canvas.line(&closed, Stroke::new(LineRole::Data, 0.8, palette::AXIS));
}

pub(super) fn bar(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout) {
    let Some(bar) = &layout.bar else { return };
    let rect = &bar.rect;
    let y_place = |place: f64| rect.bottom - place * (rect.bottom - rect.top);
    // Every step reaches to the upper end, so that there are no seams between them.
    for &(start, _, colour) in &bar.steps.steps {
        let y = y_place(start);
        canvas.area(
            &[(rect.left, rect.top), (rect.right, rect.top), (rect.right, y), (rect.left, y)],
            colour,
            Fill::Scale,
        );
    }
    let x = rect.right + if page.is_pixels() { page.tick } else { CELL.0 };
    for tick in &bar.ticks {
        canvas.text(&tick.text, (x, tick.y), TextAnchor::Start, Font::Tick, palette::TEXT);
    }
    if !bar.label.text.is_empty() {
        canvas.text(
            &bar.label.text,
            (rect.left, bar.label.y),
            TextAnchor::Start,
            Font::Legend,
            palette::TEXT,
        );
    }
}
