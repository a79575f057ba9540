//! The sheet that is drawn on. Lengths are in pixels, or, for characters, in dots of which a cell has 2 by 4.

use unicode_width::UnicodeWidthChar;

use super::font::Font;

/// Dots of a cell.
pub(super) const CELL: (f64, f64) = (2.0, 4.0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    Pixels,
    Cells,
}

/// The size of a picture and the measures of what it consists of.
#[derive(Debug, Clone, Copy)]
pub(super) struct PicturePage {
    pub(super) medium: Medium,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Around everything.
    pub(super) edge: f64,
    /// What stays empty at the lower end.
    pub(super) foot: f64,
    /// Heights of lines.
    pub(super) title_line: f64,
    pub(super) note_line: f64,
    pub(super) border_line: f64,
    pub(super) label_line: f64,
    pub(super) tick_line: f64,
    pub(super) legend_line: f64,
    /// Between heading and plot.
    pub(super) heading_gap: f64,
    /// Between the labels of ticks and that of the axis.
    pub(super) label_gap: f64,
    /// Length of ticks.
    pub(super) tick: f64,
    /// Between ticks and their labels.
    pub(super) tick_gap: f64,
    /// Between labels of ticks.
    pub(super) x_tick_gap: f64,
    pub(super) y_tick_gap: f64,
    /// Between the plot and what stands on the right.
    pub(super) column_gap: f64,
    /// Between the axis and a legend below.
    pub(super) rows_gap: f64,
    /// Between entries of a legend in a row.
    pub(super) entry_gap: f64,
    /// From the start of an entry of the legend to its text, and what of it is a mark.
    pub(super) mark_room: f64,
    pub(super) mark: f64,
    /// The width of a colour bar.
    pub(super) bar: f64,
    /// From this many points on they are drawn smaller.
    pub(super) crowd: usize,
    /// Edges of areas that touch each other stand at multiples of this.
    pub(super) grid: f64,
    /// By so much they overlap, since what is drawn larger or smaller would have seams between them.
    pub(super) overlap: f64,
    /// Of what is nearer to each other than this, one is drawn.
    pub(super) precision: f64,
}

impl PicturePage {
    pub(super) fn pixels(width: f64, height: f64) -> PicturePage {
        PicturePage {
            medium: Medium::Pixels,
            width,
            height,
            edge: 18.0,
            foot: 0.0,
            title_line: 25.0,
            note_line: 18.0,
            border_line: 16.0,
            label_line: 15.0,
            tick_line: 13.5,
            legend_line: 21.0,
            heading_gap: 12.0,
            label_gap: 10.0,
            tick: 5.0,
            tick_gap: 5.0,
            x_tick_gap: 14.0,
            y_tick_gap: 8.0,
            column_gap: 18.0,
            rows_gap: 8.0,
            entry_gap: 24.0,
            mark_room: 36.0,
            mark: 28.0,
            bar: 16.0,
            crowd: 300,
            grid: 1.0,
            overlap: 0.4,
            precision: 0.5,
        }
    }

    pub(super) fn cells(columns: usize, rows: usize) -> PicturePage {
        let (width, height) = (columns as f64 * CELL.0, rows as f64 * CELL.1);
        PicturePage {
            medium: Medium::Cells,
            width,
            height,
            edge: 0.0,
            foot: 0.0,
            title_line: CELL.1,
            note_line: CELL.1,
            border_line: CELL.1,
            label_line: CELL.1,
            tick_line: CELL.1,
            legend_line: CELL.1,
            heading_gap: 0.0,
            label_gap: 0.0,
            tick: CELL.0,
            tick_gap: 0.0,
            x_tick_gap: 2.0 * CELL.0,
            y_tick_gap: CELL.1,
            column_gap: 2.0 * CELL.0,
            rows_gap: 0.0,
            entry_gap: 3.0 * CELL.0,
            mark_room: 4.0 * CELL.0,
            mark: 3.0 * CELL.0,
            bar: 2.0 * CELL.0,
            crowd: columns * rows / 12,
            grid: CELL.1,
            overlap: 0.0,
            precision: 1.0,
        }
    }

    pub(super) fn is_pixels(&self) -> bool {
        self.medium == Medium::Pixels
    }

    /// How wide a character is.
    pub(super) fn char_width(&self, c: char, font: Font) -> f64 {
        match self.medium {
            Medium::Pixels => font.char_width(c),
            Medium::Cells => c.width().unwrap_or(0) as f64 * CELL.0,
        }
    }

    /// How wide a text is.
    pub(super) fn text_width(&self, text: &str, font: Font) -> f64 {
        text.chars().map(|c| self.char_width(c, font)).sum()
    }
}
