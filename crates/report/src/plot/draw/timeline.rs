//! Superstep diagrams: where supersteps end, and groups of processors that are machines of their own for a while.

use std::collections::{BTreeMap, BTreeSet};

use super::bars;
use super::strips::{Strip, Strips};
use crate::Timeline;
use crate::plot::canvas::{Canvas, CanvasPoint, LineRole, Stroke, TextAnchor};
use crate::plot::font::Font;
use crate::plot::layout::Layout;
use crate::plot::page::{CELL, PicturePage};
use crate::plot::palette::{self, Dash};
use crate::plot::text;
use crate::plot::timeline::{SuperstepSpan, superstep_name};
use crate::timeline::{MachinePart, TimelineActivity, TimelineBar};

pub(super) fn diagram(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    timeline: &Timeline,
    supersteps: &[SuperstepSpan],
) {
    let strips = Strips::new(page, layout, timeline.rows.len());
    if page.is_pixels() {
        bars::areas(canvas, page, layout, timeline, &strips);
        superstep_ends(canvas, layout, timeline, &strips, supersteps);
        part_outlines(canvas, page, layout, timeline, &strips);
        bars::chain(canvas, page, layout, timeline, &strips);
        superstep_names(canvas, page, layout, timeline, &strips, supersteps);
    } else {
        bars::cells(canvas, page, layout, timeline, &strips);
        bars::jumps(canvas, layout, timeline, &strips);
        superstep_names(canvas, page, layout, timeline, &strips, supersteps);
        part_brackets(canvas, layout, timeline, &strips);
    }
}

/// Between the outlines of parts in parts.
const STEP: f64 = 3.0;

pub(super) fn part_stroke() -> Stroke {
    Stroke::new(LineRole::Data, 1.2, palette::PART)
}

/// How many parts are inside of this one, one in the other.
fn depth(parts: &[MachinePart], part: &MachinePart) -> usize {
    let is_inside = |inner: &&MachinePart| {
        let is_in_time = part.start_s <= inner.start_s && inner.end_s <= part.end_s;
        let is_in_rows = part.rows.start <= inner.rows.start && inner.rows.end <= part.rows.end;
        let is_smaller = inner.rows.len() < part.rows.len();
        is_in_time && is_in_rows && is_smaller
    };
    parts.iter().filter(is_inside).map(|inner| 1 + depth(parts, inner)).max().unwrap_or(0)
}

fn part_outlines(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
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
            let label = text::harmless(&part.label);
            let place = (left + 4.0, first.top + 0.5 * page.tick_line);
            canvas.text(&label, place, TextAnchor::Start, Font::Border, palette::PART);
        }
    }
}

/// Brackets at the beginning and the end.
fn part_brackets(canvas: &mut dyn Canvas, layout: &Layout, timeline: &Timeline, strips: &Strips) {
    /// Narrower parts would be nothing but brackets.
    const NARROWEST: f64 = 6.0 * CELL.0;
    for part in &timeline.parts {
        let (left, right) = (layout.x_place(part.start_s), layout.x_place(part.end_s));
        let ends = [(left, '['), (right - CELL.0 / 2.0, ']')];
        for strip in strips.strips.iter().filter(|strip| part.rows.contains(&strip.rows.start)) {
            if right - left >= NARROWEST {
                for (x, bracket) in ends {
                    let place: CanvasPoint = (x, strip.middle());
                    canvas.text(
                        &bracket.to_string(),
                        place,
                        TextAnchor::Start,
                        Font::Border,
                        palette::FAINT_TEXT,
                    );
                }
            }
        }
    }
}

/// Ends that are nearer to each other cannot be told apart; where rows touch each other, the bars show them.
const NEAREST: f64 = 20.0;
const NEAREST_IF_DENSE: f64 = 40.0;

/// The ends of each superstep on all its processors, joined by a line from row to row.
fn superstep_ends(
    canvas: &mut dyn Canvas,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
    supersteps: &[SuperstepSpan],
) {
    let whole = supersteps.iter().filter(|superstep| superstep.rows == timeline.rows.len()).count().max(1);
    let nearest = if strips.are_dense() { NEAREST_IF_DENSE } else { NEAREST };
    if (layout.plot.right - layout.plot.left) / (whole as f64) < nearest {
        return;
    }
    // By superstep and strip.
    let mut ends: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
    for (index, strip) in strips.strips.iter().enumerate() {
        for row in &timeline.rows[strip.rows.clone()] {
            for bars in row.bars.chunk_by(|a, b| a.superstep == b.superstep) {
                let x = layout.x_place(bars[bars.len() - 1].end_s);
                let end = ends.entry(bars[0].superstep).or_default().entry(index).or_insert(x);
                *end = end.max(x);
            }
        }
    }
    let stroke = Stroke::new(LineRole::Data, 0.9, palette::BORDER).dashed(Dash::Dashed);
    for front in ends.values() {
        let places: Vec<(usize, f64)> = front.iter().map(|(index, x)| (*index, *x)).collect();
        for neighbours in places.chunk_by(|a, b| a.0 + 1 == b.0) {
            let half = strips.gap / 2.0;
            let edges = |(index, x): &(usize, f64)| -> [CanvasPoint; 2] {
                let strip: &Strip = &strips.strips[*index];
                [(*x, strip.top - half), (*x, strip.bottom + half)]
            };
            canvas.line(&straightened(neighbours.iter().flat_map(edges)), stroke);
        }
    }
}

/// Without places between two that are straight above each other.
fn straightened(places: impl Iterator<Item = CanvasPoint>) -> Vec<CanvasPoint> {
    let mut straight: Vec<CanvasPoint> = Vec::new();
    for place in places {
        if let [.., a, b] = straight[..]
            && a.0 == b.0
            && b.0 == place.0
        {
            straight.pop();
        }
        straight.push(place);
    }
    straight
}

/// The names of supersteps of parts, on bars in their first rows.
fn superstep_names(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
    supersteps: &[SuperstepSpan],
) {
    if layout.rows_of_strip > 1 {
        return;
    }
    let parts = supersteps.iter().filter(|superstep| superstep.rows < timeline.rows.len());
    let mut missing: BTreeSet<usize> = parts.map(|superstep| superstep.number).collect();
    for (row, strip) in timeline.rows.iter().zip(&strips.strips) {
        for bar in row.bars.iter().filter(|bar| bar.activity == TimelineActivity::Computing) {
            let width = layout.x_place(bar.end_s) - layout.x_place(bar.start_s);
            if width < page.x_tick_gap || !missing.contains(&bar.superstep) {
                continue;
            }
            let text = superstep_name(timeline, bar.superstep);
            let y = height_of_name(page, timeline, strip, bar);
            if let Some(y) =
                y.filter(|_| page.text_width(&text, Font::Border) + page.x_tick_gap / 2.0 <= width)
            {
                let x = layout.x_place(f64::midpoint(bar.start_s, bar.end_s));
                canvas.text(&text, (x, y), TextAnchor::Middle, Font::Border, palette::FAINT_TEXT);
                missing.remove(&bar.superstep);
            }
        }
        for bar in &row.bars {
            missing.remove(&bar.superstep);
        }
    }
}

/// In the middle of a bar, or above the critical chain, if there is room.
fn height_of_name(page: &PicturePage, timeline: &Timeline, strip: &Strip, bar: &TimelineBar) -> Option<f64> {
    /// Of the bar, above its middle.
    const UPPER: f64 = 0.23;
    if !page.is_pixels() {
        return Some(strip.middle());
    }
    let is_on_chain = timeline.chain.iter().any(|stretch| {
        strip.rows.contains(&stretch.row) && stretch.start_s < bar.end_s && bar.start_s < stretch.end_s
    });
    let (room, y) = if is_on_chain {
        (2.0 * UPPER * strip.height(), strip.top + UPPER * strip.height())
    } else {
        (strip.height(), strip.middle())
    };
    (room >= page.tick_line).then_some(y)
}
