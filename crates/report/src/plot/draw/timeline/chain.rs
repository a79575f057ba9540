//! What the end of the program depends on.

use super::Strips;
use crate::Timeline;
use crate::plot::canvas::{Canvas, Fill, Place, Role, Stroke};
use crate::plot::layout::Layout;
use crate::plot::page::{CELL, Page};
use crate::plot::palette;
use crate::plot::strip::{self, Piece};
use crate::plot::thin;
use crate::timeline::{Activity, Bar, Row, Stretch};

const WIDTH: f64 = 2.6;
/// Between jumps on the average, so that a line can be followed.
const NEAREST: f64 = 3.0;
/// White around the line, which runs through black.
const RIM: f64 = 1.2;

pub(in crate::plot::draw) fn chain_stroke() -> Stroke {
    Stroke::new(Role::Data, WIDTH, palette::CHAIN)
}

pub(super) fn draw(
    canvas: &mut dyn Canvas,
    page: &Page,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
) {
    let jumps = timeline.chain.windows(2).filter(|pair| pair[0].row != pair[1].row).count();
    if (layout.plot.right - layout.plot.left) / (jumps.max(1) as f64) < NEAREST {
        shares(canvas, layout, timeline, strips);
    } else {
        line(canvas, page, layout, timeline, strips);
    }
}

/// A line along the rows that jumps at synchronisations.
fn line(canvas: &mut dyn Canvas, page: &Page, layout: &Layout, timeline: &Timeline, strips: &Strips) {
    let mut places: Vec<Place> = Vec::new();
    for stretch in &timeline.chain {
        let Some(strip) = strips.of(stretch.row) else { continue };
        places.extend([stretch.start_s, stretch.end_s].map(|time| (layout.x_place(time), strip.middle())));
    }
    let places = thin::line(&places, page.precision);
    canvas.line(&places, Stroke::new(Role::Data, WIDTH + 2.0 * RIM, palette::WHITE));
    canvas.line(&places, chain_stroke());
}

/// Where the line would jump to and fro all the time: around the middle of each row, how much of the chain is there.
fn shares(canvas: &mut dyn Canvas, layout: &Layout, timeline: &Timeline, strips: &Strips) {
    /// Of the height of a row and in pixels, where all of the chain is there.
    const HIGHEST: f64 = 0.4;
    const THICKEST: f64 = 8.0;
    const COLUMN: f64 = 2.0;
    const STEP: f64 = 0.5;
    for strip in &strips.strips {
        let thickest = THICKEST.min(HIGHEST * strip.height());
        let here = timeline.chain.iter().filter(|stretch| strip.rows.contains(&stretch.row));
        let bar = |stretch: &Stretch| Bar {
            activity: Activity::Computing,
            start_s: stretch.start_s,
            end_s: stretch.end_s,
            superstep: 0,
        };
        let row = Row { label: String::new(), bars: here.map(bar).collect() };
        let pieces = strip::pieces(&[row], |time| layout.x_place(time), COLUMN);
        let pieces = strip::joined(&pieces, STEP / thickest);
        let half = |piece: &Piece| 0.5 * thickest * piece.shares[0];
        let middle = strip.middle();
        let above =
            pieces.iter().flat_map(|piece| [piece.left, piece.right].map(|x| (x, middle - half(piece))));
        let below = pieces
            .iter()
            .rev()
            .flat_map(|piece| [piece.right, piece.left].map(|x| (x, middle + half(piece))));
        let corners: Vec<Place> = above.chain(below).collect();
        if corners.len() > 2 {
            canvas.area(&corners, palette::CHAIN, Fill::Solid);
        }
    }
}

/// Only the jumps, between the rows.
pub(super) fn jumps(canvas: &mut dyn Canvas, layout: &Layout, timeline: &Timeline, strips: &Strips) {
    let all = timeline.chain.windows(2).filter(|pair| pair[0].row != pair[1].row);
    if (layout.plot.right - layout.plot.left) / (all.clone().count().max(1) as f64) < 2.0 * CELL.0 {
        return;
    }
    for pair in all {
        let (Some(from), Some(to)) = (strips.of(pair[0].row), strips.of(pair[1].row)) else { continue };
        let (from, to) = if from.top < to.top { (from, to) } else { (to, from) };
        let x = layout.x_place(pair[1].start_s);
        if to.top - from.bottom >= CELL.1 {
            canvas.line(&[(x, from.bottom), (x, to.top - 1.0)], chain_stroke());
        }
    }
}
