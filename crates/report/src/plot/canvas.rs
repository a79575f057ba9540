//! What can be drawn, whatever the picture is made of.

use super::font::Font;
use super::palette::{Dash, MarkerShape, Rgb};

pub(super) type CanvasPoint = (f64, f64);

/// Where a text stands relative to its place; vertically it is in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextAnchor {
    Start,
    Middle,
    End,
}

/// What a line is: pictures of characters draw each kind with characters of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineRole {
    /// At labelled ticks, across the plot.
    Grid,
    /// The axes.
    Frame,
    /// From the axis outwards.
    Tick,
    /// Of an interval.
    Border,
    /// Of equal values.
    Contour,
    /// Anything that follows from data.
    Data,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) role: LineRole,
    pub(super) colour: Rgb,
    /// In pixels.
    pub(super) width: f64,
    pub(super) dash: Dash,
}

impl Stroke {
    pub(super) fn new(role: LineRole, width: f64, colour: Rgb) -> Stroke {
        Stroke { role, colour, width, dash: Dash::Solid }
    }

    pub(super) fn dashed(self, dash: Dash) -> Stroke {
        Stroke { dash, ..self }
    }
}

/// How an area is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fill {
    Solid,
    /// With this opacity.
    Faint(f64),
    /// The colour is one of a scale.
    Scale,
    /// With these characters; pictures of pixels are solid.
    Glyphs(Glyphs),
}

/// A character, and what stands for it in ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glyphs {
    pub(super) unicode: char,
    pub(super) ascii: char,
}

pub(super) trait Canvas {
    /// Fills a polygon, whose holes turn the other way round.
    fn area(&mut self, corners: &[CanvasPoint], colour: Rgb, fill: Fill);

    fn line(&mut self, places: &[CanvasPoint], stroke: Stroke);

    fn marker(&mut self, shape: MarkerShape, centre: CanvasPoint, radius: f64, colour: Rgb);

    /// A marker that is only its rim.
    fn open_marker(&mut self, shape: MarkerShape, centre: CanvasPoint, radius: f64, colour: Rgb);

    /// A small point among many.
    fn dot(&mut self, centre: CanvasPoint, radius: f64, colour: Rgb, opacity: f64);

    fn text(&mut self, text: &str, place: CanvasPoint, anchor: TextAnchor, font: Font, colour: Rgb);

    /// A text that runs upwards around its middle.
    fn rising_text(&mut self, text: &str, place: CanvasPoint, font: Font, colour: Rgb);
}

/// The pieces of a dashed line.
pub(super) fn dashes(places: &[CanvasPoint], on: f64, off: f64) -> Vec<Vec<CanvasPoint>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<CanvasPoint> = places.first().copied().into_iter().collect();
    let (mut is_on, mut left) = (true, on);
    for pair in places.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let part = done / length;
            let at = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            if is_on {
                piece.push(at);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![at];
            }
            is_on = !is_on;
            left = if is_on { on } else { off };
        }
        left -= length - done;
        if is_on {
            piece.push(to);
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    pub(super) fn dashes_go_around_corners() {
        let pieces = dashes(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], 3.0, 2.0);
        assert_eq!(pieces, [vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 1.0), (4.0, 4.0)]]);
        assert_eq!(dashes(&[(0.0, 0.0), (0.0, 0.0)], 3.0, 2.0).len(), 1);
        assert_eq!(dashes(&[], 3.0, 2.0), Vec::<Vec<CanvasPoint>>::new());
    }
}
