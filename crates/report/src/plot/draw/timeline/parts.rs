//! Groups of processors that are machines of their own for a while.

use super::Strips;
use crate::Timeline;
use crate::plot::canvas::{Anchor, Canvas, Place, Role, Stroke};
use crate::plot::layout::Layout;
use crate::plot::page::{CELL, Font, Page};
use crate::plot::palette;
use crate::plot::text;
use crate::timeline::Part;

/// Between the outlines of parts in parts.
const STEP: f64 = 3.0;

pub(in crate::plot::draw) fn part_stroke() -> Stroke {
    Stroke::new(Role::Data, 1.2, palette::PART)
}

/// How many parts are inside of this one, one in the other.
fn depth(parts: &[Part], part: &Part) -> usize {
    let is_inside = |inner: &&Part| {
        let is_in_time = part.start_s <= inner.start_s && inner.end_s <= part.end_s;
        let is_in_rows = part.rows.start <= inner.rows.start && inner.rows.end <= part.rows.end;
        let is_smaller = inner.rows.len() < part.rows.len();
        is_in_time && is_in_rows && is_smaller
    };
    parts.iter().filter(is_inside).map(|inner| 1 + depth(parts, inner)).max().unwrap_or(0)
}

pub(super) fn outlines(
    canvas: &mut dyn Canvas,
    page: &Page,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
) {
    for part in &timeline.parts {
        let (Some(first), Some(last)) = (strips.of(part.rows.start), strips.of(part.rows.end - 1)) else {
            continue;
        };
        let out = (STEP * (0.7 + depth(&timeline.parts, part) as f64)).min(strips.gap / 2.0 - 0.8).max(0.0);
        let (left, right) = (layout.x_place(part.start_s), layout.x_place(part.end_s));
        let (top, bottom) = (first.top - out, last.bottom + out);
        canvas
            .line(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], part_stroke());
        let room = right - left - 6.0;
        if first.height() >= 2.0 * page.tick_line && page.text_width(&part.label, Font::Border) <= room {
            let label = text::allowed(&part.label);
            let place = (left + 4.0, first.top + 0.5 * page.tick_line);
            canvas.text(&label, place, Anchor::Start, Font::Border, palette::PART);
        }
    }
}

/// Brackets at the beginning and the end.
pub(super) fn brackets(canvas: &mut dyn Canvas, layout: &Layout, timeline: &Timeline, strips: &Strips) {
    /// Narrower parts would be nothing but brackets.
    const NARROWEST: f64 = 6.0 * CELL.0;
    for part in &timeline.parts {
        let (left, right) = (layout.x_place(part.start_s), layout.x_place(part.end_s));
        let ends = [(left, '['), (right - CELL.0 / 2.0, ']')];
        for strip in strips.strips.iter().filter(|strip| part.rows.contains(&strip.rows.start)) {
            if right - left >= NARROWEST {
                for (x, bracket) in ends {
                    let place: Place = (x, strip.middle());
                    canvas.text(
                        &bracket.to_string(),
                        place,
                        Anchor::Start,
                        Font::Border,
                        palette::FAINT_TEXT,
                    );
                }
            }
        }
    }
}
