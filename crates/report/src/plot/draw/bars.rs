//! What processors do (white, grey and black, as in Fig. 1 of the paper), and what the end of the program depends on.

use super::strips::{Strip, Strips};
use crate::Timeline;
use crate::plot::canvas::{Canvas, CanvasPoint, Fill, Glyphs, LineRole, Stroke};
use crate::plot::geometry;
use crate::plot::layout::Layout;
use crate::plot::page::{CELL, PicturePage};
use crate::plot::palette::{self, Rgb};
use crate::plot::strip::{self, ActivityShares, StripPiece};
use crate::timeline::{ChainStretch, ProcessorRow, TimelineActivity, TimelineBar};

/// More pieces than this make large files and show no more.
const MOST_PIECES: usize = 40_000;
/// A pixel, and what it may grow to.
const NARROWEST: f64 = 1.0;
const WIDEST: f64 = 16.0;
/// Steps of the heights of shares.
const STEP: f64 = 0.5;
/// From top to bottom of a row that shows several.
const ACTIVITIES: [TimelineActivity; 3] =
    [TimelineActivity::Computing, TimelineActivity::Waiting, TimelineActivity::Communicating];
/// Rounded away.
const NOTHING: f64 = 1e-6;

/// The colour of an activity. Characters for computing have that of texts.
pub(super) fn ink(page: &PicturePage, activity: TimelineActivity) -> Rgb {
    match activity {
        TimelineActivity::Computing if page.is_pixels() => palette::WHITE,
        TimelineActivity::Computing => palette::BLACK,
        TimelineActivity::Waiting => palette::WAITING,
        TimelineActivity::Communicating => palette::BLACK,
    }
}

pub(super) fn glyphs(activity: TimelineActivity, is_critical: bool) -> Glyphs {
    let (unicode, ascii) = match (activity, is_critical) {
        (TimelineActivity::Computing, false) => ('─', '-'),
        (TimelineActivity::Computing, true) => ('━', '='),
        (TimelineActivity::Waiting, false) => ('·', '.'),
        (TimelineActivity::Waiting, true) => ('•', ','),
        (TimelineActivity::Communicating, false) => ('▒', '#'),
        (TimelineActivity::Communicating, true) => ('█', '@'),
    };
    Glyphs { unicode, ascii }
}

pub(super) fn areas(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
) {
    let of = |width: f64| -> Vec<Vec<StripPiece>> {
        let pieces = |strip: &Strip| {
            let rows = &timeline.rows[strip.rows.clone()];
            let pieces = strip::pieces(rows, |time| layout.x_place(time), width);
            strip::joined(&pieces, STEP / strip.height())
        };
        strips.strips.iter().map(pieces).collect()
    };
    let mut width = NARROWEST;
    let mut all = of(width);
    while width < WIDEST && all.iter().map(Vec::len).sum::<usize>() > MOST_PIECES {
        width *= 2.0;
        all = of(width);
    }
    let shown: Vec<(&Strip, &[StripPiece])> =
        strips.strips.iter().zip(all.iter().map(Vec::as_slice)).collect();
    // Waiting and communicating stand upon white.
    let stroke = Stroke::new(LineRole::Data, 0.8, palette::AXIS);
    let rims: Vec<Vec<CanvasPoint>> = if strips.are_dense() {
        vec![envelope(&shown)]
    } else {
        shown
            .iter()
            .flat_map(|(strip, pieces)| outlines(strip, pieces, |shares| shares.iter().sum()))
            .collect()
    };
    for rim in &rims {
        canvas.area(rim, ink(page, TimelineActivity::Computing), Fill::Solid);
    }
    // What waits stands on what communicates, which is drawn above it.
    let waiting = |shares: &ActivityShares| if shares[1] > NOTHING { shares[1] + shares[2] } else { 0.0 };
    let communicating = |shares: &ActivityShares| shares[2];
    for (strip, pieces) in &shown {
        area(canvas, strip, pieces, waiting, ink(page, TimelineActivity::Waiting));
    }
    for (strip, pieces) in &shown {
        area(canvas, strip, pieces, communicating, ink(page, TimelineActivity::Communicating));
    }
    for mut rim in rims {
        rim.extend(rim.first().copied());
        canvas.line(&rim, stroke);
    }
}

/// One polygon, whose parts are joined along the lower edge.
fn area(
    canvas: &mut dyn Canvas,
    strip: &Strip,
    pieces: &[StripPiece],
    height: impl Fn(&ActivityShares) -> f64,
    colour: Rgb,
) {
    let corners = outlines(strip, pieces, height).concat();
    if corners.len() > 2 {
        canvas.area(&corners, colour, Fill::Solid);
    }
}

/// Around all rows that touch each other.
fn envelope(shown: &[(&Strip, &[StripPiece])]) -> Vec<CanvasPoint> {
    let there = || shown.iter().filter(|(_, pieces)| !pieces.is_empty());
    let right = there().flat_map(|(strip, pieces)| {
        let x = pieces[pieces.len() - 1].right;
        [(x, strip.top), (x, strip.bottom)]
    });
    let left = there()
        .rev()
        .flat_map(|(strip, pieces)| [(pieces[0].left, strip.bottom), (pieces[0].left, strip.top)]);
    right.chain(left).collect()
}

/// Polygons around pieces that touch each other, from the lower edge, 0, to a height up to 1.
fn outlines(
    strip: &Strip,
    pieces: &[StripPiece],
    height: impl Fn(&ActivityShares) -> f64,
) -> Vec<Vec<CanvasPoint>> {
    let y = |height: f64| strip.bottom - height * strip.height();
    let there: Vec<&StripPiece> = pieces.iter().filter(|piece| height(&piece.shares) > NOTHING).collect();
    let polygon = |group: &[&StripPiece]| {
        let mut corners = vec![(group[0].left, strip.bottom)];
        for piece in group {
            let y = y(height(&piece.shares));
            // A further piece of the same height only moves the last corner.
            match corners.last_mut().filter(|last| last.1 == y) {
                Some(last) => last.0 = piece.right,
                None => corners.extend([(piece.left, y), (piece.right, y)]),
            }
        }
        corners.push((group[group.len() - 1].right, strip.bottom));
        corners
    };
    there.chunk_by(|a, b| a.right == b.left).map(polygon).collect()
}

/// A character for each place of a row.
pub(super) fn cells(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    timeline: &Timeline,
    strips: &Strips,
) {
    let ends = (layout.plot.left, layout.plot.right);
    for strip in &strips.strips {
        let rows = &timeline.rows[strip.rows.clone()];
        let columns = strip::columns(rows, |time| layout.x_place(time), ends, CELL.0);
        let stretches: Vec<(f64, f64)> = timeline
            .chain
            .iter()
            .filter(|stretch| strip.rows.contains(&stretch.row))
            .map(|stretch| (layout.x_place(stretch.start_s), layout.x_place(stretch.end_s)))
            .collect();
        for (column, chosen) in columns.iter().zip(strip::dominant(&columns)) {
            let Some(activity) = chosen.map(|index| ACTIVITIES[index]) else { continue };
            let middle = f64::midpoint(column.left, column.right);
            // The stretches are in their order.
            let after = stretches.partition_point(|stretch| stretch.1 <= middle);
            let is_critical = stretches.get(after).is_some_and(|stretch| stretch.0 <= middle);
            let colour = if is_critical { palette::CHAIN } else { ink(page, activity) };
            let corners = [
                (column.left, strip.top),
                (column.right, strip.top),
                (column.right, strip.bottom),
                (column.left, strip.bottom),
            ];
            canvas.area(&corners, colour, Fill::Glyphs(glyphs(activity, is_critical)));
        }
    }
}

const WIDTH: f64 = 2.6;
/// Between jumps on the average, so that a line can be followed.
const NEAREST: f64 = 3.0;
/// White around the line, which runs through black.
const RIM: f64 = 1.2;

pub(super) fn chain_stroke() -> Stroke {
    Stroke::new(LineRole::Data, WIDTH, palette::CHAIN)
}

pub(super) fn chain(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
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
fn line(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, timeline: &Timeline, strips: &Strips) {
    let mut places: Vec<CanvasPoint> = Vec::new();
    for stretch in &timeline.chain {
        let Some(strip) = strips.of(stretch.row) else { continue };
        places.extend([stretch.start_s, stretch.end_s].map(|time| (layout.x_place(time), strip.middle())));
    }
    let places = geometry::thinned_line(&places, page.precision);
    canvas.line(&places, Stroke::new(LineRole::Data, WIDTH + 2.0 * RIM, palette::WHITE));
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
        let bar = |stretch: &ChainStretch| TimelineBar {
            activity: TimelineActivity::Computing,
            start_s: stretch.start_s,
            end_s: stretch.end_s,
            superstep: 0,
        };
        let row = ProcessorRow { label: String::new(), bars: here.map(bar).collect() };
        let pieces = strip::pieces(&[row], |time| layout.x_place(time), COLUMN);
        let pieces = strip::joined(&pieces, STEP / thickest);
        let half = |piece: &StripPiece| 0.5 * thickest * piece.shares[0];
        let middle = strip.middle();
        let above =
            pieces.iter().flat_map(|piece| [piece.left, piece.right].map(|x| (x, middle - half(piece))));
        let below = pieces
            .iter()
            .rev()
            .flat_map(|piece| [piece.right, piece.left].map(|x| (x, middle + half(piece))));
        let corners: Vec<CanvasPoint> = above.chain(below).collect();
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
