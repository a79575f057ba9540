//! A picture of lines, shapes and texts.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle};

use super::palette::{Colour, Shape};
use super::text;

pub(super) const WIDTH: f64 = 900.0;
pub(super) const HEIGHT: f64 = 600.0;

/// The backend counts in whole units; so many make a pixel.
const UNITS: f64 = 10.0;
/// The backend divides font sizes by this.
const FONT_SCALE: f64 = 1.24;

pub(super) type Place = (f64, f64);

/// Where a text stands relative to its place; vertically it is in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) colour: Colour,
    pub(super) is_bold: bool,
}

pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
    /// The first thing that went wrong.
    trouble: Option<String>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(svg: &'a mut String) -> Canvas<'a> {
        let size = ((WIDTH * UNITS) as u32, (HEIGHT * UNITS) as u32);
        Canvas { backend: SVGBackend::with_string(svg, size), trouble: None }
    }

    /// Ends the picture.
    pub(super) fn finish(mut self) -> Result<(), String> {
        let result = self.backend.present();
        self.note(result);
        self.trouble.map_or(Ok(()), Err)
    }

    pub(super) fn background(&mut self, colour: Colour) {
        let result = self.backend.draw_rect((0, 0), units((WIDTH, HEIGHT)), &style(colour, 0.0), true);
        self.note(result);
    }

    pub(super) fn line(&mut self, from: Place, to: Place, width: f64, colour: Colour) {
        let result = self.backend.draw_line(units(from), units(to), &style(colour, width));
        self.note(result);
    }

    pub(super) fn dashed_line(&mut self, from: Place, to: Place, width: f64, colour: Colour) {
        const DASH: f64 = 6.0;
        const PERIOD: f64 = 10.0;
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |distance: f64| {
            let part = distance.min(length) / length;
            (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
        };
        for index in 0..(length / PERIOD).ceil() as usize {
            let start = index as f64 * PERIOD;
            self.line(at(start), at(start + DASH), width, colour);
        }
    }

    /// Lines through places, of which those that fall together are drawn once.
    pub(super) fn polyline(&mut self, places: &[Place], width: f64, colour: Colour) {
        let mut path: Vec<(i32, i32)> = places.iter().copied().map(units).collect();
        path.dedup();
        let result = self.backend.draw_path(path, &style(colour, width));
        self.note(result);
    }

    pub(super) fn shape(&mut self, shape: Shape, centre: Place, radius: f64, colour: Colour) {
        let style = style(colour, 0.0);
        let result = if shape == Shape::Circle {
            self.backend.draw_circle(units(centre), (radius * UNITS).round() as u32, &style, true)
        } else {
            let corners = shape.corners().iter();
            let path =
                corners.map(|corner| units((centre.0 + radius * corner.0, centre.1 + radius * corner.1)));
            self.backend.fill_polygon(path, &style)
        };
        self.note(result);
    }

    pub(super) fn text(&mut self, text: &str, place: Place, anchor: Anchor, font: Font) {
        self.transformed_text(text, place, anchor, font, FontTransform::None);
    }

    /// A text that runs upwards.
    pub(super) fn rising_text(&mut self, text: &str, place: Place, anchor: Anchor, font: Font) {
        self.transformed_text(text, place, anchor, font, FontTransform::Rotate270);
    }

    fn transformed_text(
        &mut self,
        text: &str,
        place: Place,
        anchor: Anchor,
        font: Font,
        transform: FontTransform,
    ) {
        let weight = if font.is_bold { FontStyle::Bold } else { FontStyle::Normal };
        let size = font.size * UNITS * FONT_SCALE;
        let font_desc = FontDesc::new(FontFamily::SansSerif, size, weight).transform(transform);
        let horizontal = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let colour = rgb(font.colour);
        let style = TextStyle::from(font_desc).color(&colour).pos(Pos::new(horizontal, VPos::Center));
        let result = self.backend.draw_text(&text::allowed(text), &style, units(place));
        self.note(result);
    }

    fn note<E: std::fmt::Display>(&mut self, result: Result<(), E>) {
        if let Err(error) = result {
            self.trouble.get_or_insert_with(|| error.to_string());
        }
    }
}

/// The finished picture in pixels instead of units, with round joints.
pub(super) fn in_pixels(svg: &str) -> String {
    let units = format!("<svg width=\"{}\" height=\"{}\"", WIDTH * UNITS, HEIGHT * UNITS);
    let pixels = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
    );
    svg.replacen(&units, &pixels, 1)
}

fn units(place: Place) -> (i32, i32) {
    ((place.0 * UNITS).round() as i32, (place.1 * UNITS).round() as i32)
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

fn style(colour: Colour, width: f64) -> ShapeStyle {
    ShapeStyle { color: rgb(colour).into(), filled: true, stroke_width: (width * UNITS).round() as u32 }
}
