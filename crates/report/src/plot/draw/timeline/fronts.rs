//! Where supersteps end.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::timeline::{Superstep, superstep_name};
use super::{Strip, Strips};
use crate::Timeline;
use crate::plot::canvas::{Anchor, Canvas, Dash, Place, Role, Stroke};
use crate::plot::layout::Layout;
use crate::plot::page::{Font, Page};
use crate::plot::palette;
use crate::timeline::{Activity, Bar};

/// Ends that are nearer to each other cannot be told apart; where rows touch each other, the bars show them.
const NEAREST: f64 = 20.0;
const NEAREST_IF_DENSE: f64 = 40.0;

/// The ends of each superstep on all its processors, joined by a line from row to row.
pub(super) fn borders(
    canvas: &mut dyn Canvas,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
    supersteps: &[Superstep],
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
    let stroke = Stroke::new(Role::Data, 0.9, palette::BORDER).dashed(Dash::Dashed);
    for front in ends.values() {
        let places: Vec<(usize, f64)> = front.iter().map(|(index, x)| (*index, *x)).collect();
        for neighbours in places.chunk_by(|a, b| a.0 + 1 == b.0) {
            let half = strips.gap / 2.0;
            let edges = |(index, x): &(usize, f64)| -> [Place; 2] {
                let strip: &Strip = &strips.strips[*index];
                [(*x, strip.top - half), (*x, strip.bottom + half)]
            };
            canvas.line(&straightened(neighbours.iter().flat_map(edges)), stroke);
        }
    }
}

/// Without places between two that are straight above each other.
fn straightened(places: impl Iterator<Item = Place>) -> Vec<Place> {
    let mut straight: Vec<Place> = Vec::new();
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
pub(super) fn names(
    canvas: &mut dyn Canvas,
    page: &Page,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
    supersteps: &[Superstep],
) {
    if layout.rows_of_strip > 1 {
        return;
    }
    let parts = supersteps.iter().filter(|superstep| superstep.rows < timeline.rows.len());
    let mut missing: BTreeSet<usize> = parts.map(|superstep| superstep.number).collect();
    for (row, strip) in timeline.rows.iter().zip(&strips.strips) {
        for bar in row.bars.iter().filter(|bar| bar.activity == Activity::Computing) {
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
                canvas.text(&text, (x, y), Anchor::Middle, Font::Border, palette::FAINT_TEXT);
                missing.remove(&bar.superstep);
            }
        }
        for bar in &row.bars {
            missing.remove(&bar.superstep);
        }
    }
}

/// In the middle of a bar, or above the critical chain, if there is room.
fn height_of_name(page: &Page, timeline: &Timeline, strip: &Strip, bar: &Bar) -> Option<f64> {
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
