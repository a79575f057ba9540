//! The rows of a superstep diagram and their places.

use crate::plot::layout::Layout;
use crate::plot::page::{CELL, PicturePage};
use crate::plot::svg::UNITS;

/// Rows that are lower than this touch each other.
const DENSE: f64 = 12.0;
/// Of what was computed.
const ROUNDING: f64 = 1e-6;

/// The rows of the picture, of one processor each or of several.
pub(super) struct Strips {
    pub(super) strips: Vec<Strip>,
    /// Between strips.
    pub(super) gap: f64,
}

/// What one row of the picture shows, and where its bars stand.
pub(super) struct Strip {
    pub(super) rows: std::ops::Range<usize>,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Strips {
    pub(super) fn new(page: &PicturePage, layout: &Layout, rows: usize) -> Strips {
        let shared = layout.rows_of_strip;
        let pitch = (layout.y_place(rows as f64) - layout.y_place(0.0)) * shared as f64 / rows as f64;
        let gap = match () {
            () if !page.is_pixels() => gap_of_cells(pitch),
            () if pitch < DENSE => 0.0,
            () => (0.24 * pitch).clamp(1.0, 26.0),
        };
        let strip = |first: usize| {
            let end = (first + shared).min(rows);
            let (top, bottom) = (layout.y_place(first as f64), layout.y_place(end as f64));
            if page.is_pixels() {
                let snapped = |y: f64| (y / page.grid).round() * page.grid;
                let (top, bottom) = (snapped(top + gap / 2.0), snapped(bottom - gap / 2.0));
                // Rounded outwards, so that there are no seams between rows that touch each other.
                let top = (top * UNITS + ROUNDING).floor() / UNITS;
                let overlap = if gap > 0.0 || end == rows { 0.0 } else { page.overlap };
                let bottom = (bottom * UNITS - ROUNDING).ceil() / UNITS + overlap;
                return Strip { rows: first..end, top, bottom };
            }
            // Whole lines around the one in the middle.
            let lines = ((pitch - gap) / CELL.1).round().max(1.0);
            let middle = (f64::midpoint(top, bottom) / CELL.1).floor() + 0.5;
            let (top, bottom) = ((middle - lines / 2.0) * CELL.1, (middle + lines / 2.0) * CELL.1);
            Strip { rows: first..end, top, bottom }
        };
        Strips { strips: (0..rows).step_by(shared).map(strip).collect(), gap }
    }

    pub(super) fn are_dense(&self) -> bool {
        self.gap == 0.0
    }

    /// The strip of a row.
    pub(super) fn of(&self, row: usize) -> Option<&Strip> {
        let after = self.strips.partition_point(|strip| strip.rows.end <= row);
        self.strips.get(after)
    }
}

impl Strip {
    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.top, self.bottom)
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// What is left of the pitch by an odd number of lines.
fn gap_of_cells(pitch: f64) -> f64 {
    let lines = (pitch / CELL.1).round();
    let thick = if lines < 4.0 { 1.0 } else { 3.0 };
    (lines - thick) * CELL.1
}
