//! A picture of characters. A cell shows one thing: a text or marker, dots of lines, an axis, or a filled area.

use unicode_width::UnicodeWidthChar;

use super::canvas::{Canvas, CanvasPoint, Fill, LineRole, Stroke, TextAnchor, dashes};
use super::font::Font;
use super::geometry;
use super::page::{CELL, PicturePage};
use super::palette::{self, Dash, MarkerShape, Rgb};
use super::terminal::{self, DOWN, LEFT, RIGHT, UP};
use crate::Look;

#[derive(Debug, Clone, Copy, Default)]
struct Character {
    /// A text or a marker; the second half of a wide character is the character 0.
    glyph: Option<char>,
    /// Bits of the eight dots, as Unicode counts them.
    dots: u8,
    /// Directions of axes.
    frame: u8,
    is_border: bool,
    area: Option<Area>,
    colour: Option<Rgb>,
}

#[derive(Debug, Clone, Copy)]
struct Area {
    colour: Rgb,
    fill: Fill,
}

pub(super) struct Cells {
    look: Look,
    columns: usize,
    rows: usize,
    cells: Vec<Character>,
}

impl Cells {
    pub(super) fn new(page: &PicturePage, look: Look) -> Cells {
        let (columns, rows) = ((page.width / CELL.0) as usize, (page.height / CELL.1) as usize);
        Cells { look, columns, rows, cells: vec![Character::default(); columns * rows] }
    }

    /// The lines, without blanks at their ends.
    pub(super) fn finish(self) -> String {
        let mut text = String::new();
        for row in self.cells.chunks(self.columns.max(1)) {
            let end = row.iter().rposition(|cell| self.look(cell) != Looks::BLANK).map_or(0, |last| last + 1);
            let mut current = Looks::BLANK;
            for cell in &row[..end] {
                let looks = self.look(cell);
                if looks.glyph == '\0' {
                    continue;
                }
                if self.look == Look::Coloured {
                    current.change(looks, &mut text);
                }
                text.push(looks.glyph);
            }
            if self.look == Look::Coloured {
                current.change(Looks::BLANK, &mut text);
            }
            text.push('\n');
        }
        text
    }

    fn is_ascii(&self) -> bool {
        self.look == Look::Ascii
    }

    fn look(&self, cell: &Character) -> Looks {
        let is_coloured = self.look == Look::Coloured;
        let background = cell
            .area
            .filter(|area| is_coloured && !matches!(area.fill, Fill::Faint(_) | Fill::Glyphs(_)))
            .map(|area| area.colour);
        let (glyph, colour) = match cell {
            Character { glyph: Some(glyph), .. } => (*glyph, cell.colour),
            Character { dots, .. } if *dots > 0 => (terminal::braille(*dots, self.is_ascii()), cell.colour),
            Character { frame, .. } if *frame > 0 => {
                (terminal::axis(*frame, self.is_ascii()), Some(palette::AXIS))
            }
            Character { is_border: true, .. } => {
                (if self.is_ascii() { ':' } else { '┊' }, Some(palette::BORDER))
            }
            Character { area: Some(area), .. } => (self.area_glyph(*area), Some(area.colour)),
            _ => (' ', None),
        };
        let foreground = match background {
            _ if !is_coloured || glyph == ' ' => None,
            Some(background) => terminal::index(palette::contrast(background)),
            None => colour.and_then(terminal::index),
        };
        Looks { glyph, foreground, background: background.map(terminal::index_on_scale) }
    }

    fn area_glyph(&self, area: Area) -> char {
        let is_ascii = self.is_ascii();
        match area.fill {
            Fill::Faint(_) => {
                if is_ascii {
                    '~'
                } else {
                    '░'
                }
            }
            Fill::Glyphs(glyphs) => {
                if is_ascii {
                    glyphs.ascii
                } else {
                    glyphs.unicode
                }
            }
            _ if self.look == Look::Coloured => ' ',
            Fill::Solid => {
                if is_ascii {
                    '#'
                } else {
                    '█'
                }
            }
            Fill::Scale => palette::shade(area.colour, is_ascii),
        }
    }

    fn cell(&mut self, place: CanvasPoint) -> Option<&mut Character> {
        let (column, row) = ((place.0 / CELL.0).floor(), (place.1 / CELL.1).floor());
        let is_inside = column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64;
        is_inside.then(|| &mut self.cells[row as usize * self.columns + column as usize])
    }

    fn put_dot(&mut self, place: CanvasPoint, colour: Rgb) {
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let (x, y) = (place.0.floor(), place.1.floor());
        if let Some(cell) = self.cell((x, y)) {
            cell.dots |= BITS[y.rem_euclid(CELL.1) as usize][x.rem_euclid(CELL.0) as usize];
            if cell.glyph.is_none() {
                cell.colour = Some(colour);
            }
        }
    }

    fn put_glyph(&mut self, place: CanvasPoint, glyph: char, colour: Option<Rgb>) {
        if let Some(cell) = self.cell(place) {
            (cell.glyph, cell.colour) = (Some(glyph), colour);
        }
    }

    fn dotted(&mut self, places: &[CanvasPoint], colour: Rgb) {
        for pair in places.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().clamp(1.0, 1e5) as u32;
            for step in 0..=steps {
                let part = f64::from(step) / f64::from(steps);
                self.put_dot((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)), colour);
            }
        }
    }

    /// The cells from one place to another on a horizontal or vertical line, each with its directions.
    fn frame_line(&mut self, from: CanvasPoint, to: CanvasPoint) {
        let is_vertical = from.0 == to.0;
        let (back, forth) = if is_vertical { (UP, DOWN) } else { (LEFT, RIGHT) };
        let step = if is_vertical { CELL.1 } else { CELL.0 };
        let length = (to.0 - from.0).max(to.1 - from.1);
        let count = (length / step).floor() as u32;
        for index in 0..=count {
            let moved = f64::from(index) * step;
            let place = if is_vertical { (from.0, from.1 + moved) } else { (from.0 + moved, from.1) };
            let directions = if index > 0 { back } else { 0 } | if index < count { forth } else { 0 };
            if let Some(cell) = self.cell(place) {
                cell.frame |= directions;
            }
        }
    }
}

impl Canvas for Cells {
    fn area(&mut self, corners: &[CanvasPoint], colour: Rgb, fill: Fill) {
        let area = Area { colour, fill };
        for row in 0..self.rows {
            let y = (row as f64 + 0.5) * CELL.1;
            for (left, right) in geometry::spans_inside(corners, y) {
                let first = (left / CELL.0 - 0.5).ceil().max(0.0) as usize;
                let end = ((right / CELL.0 - 0.5).floor() + 1.0).clamp(0.0, self.columns as f64) as usize;
                for column in first..end {
                    self.cells[row * self.columns + column].area = Some(area);
                }
            }
        }
    }

    fn line(&mut self, places: &[CanvasPoint], stroke: Stroke) {
        let (Some(from), Some(to)) = (places.first(), places.last()) else { return };
        match stroke.role {
            LineRole::Grid | LineRole::Contour => {}
            LineRole::Frame => self.frame_line(*from, *to),
            LineRole::Tick => {
                let direction = if from.0 == to.0 { DOWN } else { LEFT };
                if let Some(cell) = self.cell(*from) {
                    cell.frame |= direction;
                }
            }
            LineRole::Border => {
                let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
                for row in 0..((bottom - top) / CELL.1).round() as u32 {
                    if let Some(cell) = self.cell((from.0, top + (f64::from(row) + 0.5) * CELL.1)) {
                        cell.is_border = true;
                    }
                }
            }
            LineRole::Data => {
                let (on, off) = match stroke.dash {
                    Dash::Solid => return self.dotted(places, stroke.colour),
                    Dash::Dashed => (3.0, 3.0),
                    Dash::Dotted => (0.5, 3.5),
                };
                for piece in dashes(places, on, off) {
                    self.dotted(&piece, stroke.colour);
                }
            }
        }
    }

    fn marker(&mut self, shape: MarkerShape, centre: CanvasPoint, _radius: f64, colour: Rgb) {
        self.put_glyph(centre, shape.glyph(self.is_ascii()), Some(colour));
    }

    fn open_marker(&mut self, shape: MarkerShape, centre: CanvasPoint, _radius: f64, colour: Rgb) {
        self.put_glyph(centre, shape.open_glyph(self.is_ascii()), Some(colour));
    }

    fn dot(&mut self, centre: CanvasPoint, _radius: f64, colour: Rgb, _opacity: f64) {
        self.put_dot(centre, colour);
    }

    fn text(&mut self, text: &str, place: CanvasPoint, anchor: TextAnchor, _font: Font, colour: Rgb) {
        let width = text.chars().filter_map(|c| c.width()).sum::<usize>();
        let column = (place.0.max(0.0) / CELL.0).floor() as usize;
        let start = match anchor {
            TextAnchor::Start => column,
            TextAnchor::Middle => column.saturating_sub(width.saturating_sub(1) / 2),
            TextAnchor::End => column.saturating_sub(width),
        };
        let mut x = start.min(self.columns.saturating_sub(width)) as f64 * CELL.0;
        let colour = (colour != palette::TEXT).then_some(colour);
        for c in text.chars() {
            let c = if self.is_ascii() { terminal::ascii(c) } else { c };
            for part in 0..c.width().unwrap_or(0) {
                let glyph = if part == 0 { c } else { '\0' };
                self.put_glyph((x, place.1), glyph, colour);
                x += CELL.0;
            }
        }
    }

    fn rising_text(&mut self, text: &str, place: CanvasPoint, font: Font, colour: Rgb) {
        self.text(text, place, TextAnchor::Start, font, colour);
    }
}

/// How a cell is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Looks {
    glyph: char,
    foreground: Option<u8>,
    background: Option<u8>,
}

impl Looks {
    const BLANK: Looks = Looks { glyph: ' ', foreground: None, background: None };

    /// Goes over to other colours.
    fn change(&mut self, to: Looks, text: &mut String) {
        // A blank needs no colour of its own.
        let foreground =
            if to.glyph == ' ' && to.background.is_some() { self.foreground } else { to.foreground };
        if (self.foreground, self.background) == (foreground, to.background) {
            return;
        }
        text.push_str("\u{1b}[0");
        for (code, colour) in [(38, foreground), (48, to.background)] {
            if let Some(colour) = colour {
                text.push_str(&format!(";{code};5;{colour}"));
            }
        }
        text.push('m');
        *self = Looks { foreground, ..to };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_axes_become_characters() {
        let mut cells = Cells::new(&PicturePage::cells(4, 2), Look::Unicode);
        cells.line(&[(0.0, 0.0), (0.0, 7.0)], Stroke::new(LineRole::Frame, 1.0, palette::AXIS));
        cells.line(&[(0.0, 7.0), (7.0, 7.0)], Stroke::new(LineRole::Frame, 1.0, palette::AXIS));
        cells.line(&[(2.0, 0.0), (5.0, 3.0)], Stroke::new(LineRole::Data, 1.0, palette::AXIS));
        assert_eq!(cells.finish(), "│⠑⢄\n└───\n");
    }
}
