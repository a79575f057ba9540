//! Pictures by a backend of plotters.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};

use super::{Anchor, Canvas, Dash, Fill, Place, Stroke, dashes, shorter};
use crate::plot::page::{Font, Page};
use crate::plot::palette::{self, Colour, Shape};

/// Backends count in whole units; so many make a pixel.
pub(in crate::plot) const UNITS: f64 = 10.0;
/// The SVG backend divides font sizes by this.
pub(super) const FONT_SCALE: f64 = 1.24;
/// The white around markers.
const RIM: f64 = 1.0;

pub(in crate::plot) struct Vector<B: DrawingBackend> {
    backend: B,
    /// The first thing that went wrong.
    trouble: Option<String>,
}

/// Draws on a page and returns the text of the file, or what went wrong.
pub(in crate::plot) fn svg(page: &Page, draw: impl FnOnce(&mut dyn Canvas)) -> Result<String, String> {
    let (width, height) = ((page.width * UNITS) as u32, (page.height * UNITS) as u32);
    let mut svg = String::new();
    let mut canvas = Vector::new(SVGBackend::with_string(&mut svg, (width, height)));
    draw(&mut canvas);
    canvas.finish()?;
    // In pixels instead of units, with round joints.
    let units = format!("<svg width=\"{width}\" height=\"{height}\"");
    let pixels = format!(
        "<svg width=\"{}\" height=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
        page.width, page.height
    );
    Ok(shorter::with_paths(&svg.replacen(&units, &pixels, 1)))
}

impl<B: DrawingBackend> Vector<B> {
    pub(in crate::plot) fn new(backend: B) -> Vector<B> {
        let mut canvas = Vector { backend, trouble: None };
        let (width, height) = canvas.backend.get_size();
        let corner = (width as i32, height as i32);
        let result = canvas.backend.draw_rect((0, 0), corner, &style(palette::WHITE, 1.0, 0.0), true);
        canvas.note(result);
        canvas
    }

    /// Ends the picture.
    pub(in crate::plot) fn finish(mut self) -> Result<(), String> {
        let result = self.backend.present();
        self.note(result);
        self.trouble.map_or(Ok(()), Err)
    }

    fn path(&mut self, places: &[Place], style: &ShapeStyle) {
        let mut path: Vec<(i32, i32)> = places.iter().copied().map(units).collect();
        path.dedup();
        let result = match path[..] {
            [] => return,
            [from] => self.backend.draw_line(from, from, style),
            [from, to] => self.backend.draw_line(from, to, style),
            _ => self.backend.draw_path(path, style),
        };
        self.note(result);
    }

    fn shape(&mut self, shape: Shape, centre: Place, radius: f64, style: &ShapeStyle) {
        let result = if shape == Shape::Circle {
            let radius = (radius * UNITS).round() as u32;
            self.backend.draw_circle(units(centre), radius, style, true)
        } else {
            let corners = shape.corners().iter();
            let path =
                corners.map(|corner| units((centre.0 + radius * corner.0, centre.1 + radius * corner.1)));
            self.backend.fill_polygon(path, style)
        };
        self.note(result);
    }

    fn draw_text(&mut self, text: &str, place: Place, font: FontDesc, colour: Colour, horizontal: HPos) {
        if text.is_empty() {
            return;
        }
        let colour = rgb(colour);
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(horizontal, VPos::Center));
        let result = self.backend.draw_text(text, &style, units(place));
        self.note(result);
    }

    fn note<E: std::fmt::Display>(&mut self, result: Result<(), E>) {
        if let Err(error) = result {
            self.trouble.get_or_insert_with(|| error.to_string());
        }
    }
}

impl<B: DrawingBackend> Canvas for Vector<B> {
    fn area(&mut self, corners: &[Place], colour: Colour, fill: Fill) {
        let opacity = if let Fill::Faint(opacity) = fill { opacity } else { 1.0 };
        let mut path: Vec<(i32, i32)> = corners.iter().copied().map(units).collect();
        path.dedup();
        let result = self.backend.fill_polygon(path, &style(colour, opacity, 0.0));
        self.note(result);
    }

    fn line(&mut self, places: &[Place], stroke: Stroke) {
        let style = style(stroke.colour, 1.0, stroke.width);
        let (on, off) = match stroke.dash {
            Dash::Solid => return self.path(places, &style),
            Dash::Dashed => (6.0, 4.0 + stroke.width),
            Dash::Dotted => (0.1, 2.0 + 2.0 * stroke.width),
        };
        for piece in dashes(places, on, off) {
            self.path(&piece, &style);
        }
    }

    fn marker(&mut self, shape: Shape, centre: Place, radius: f64, colour: Colour) {
        self.shape(shape, centre, radius + RIM, &style(palette::WHITE, 1.0, 0.0));
        self.shape(shape, centre, radius, &style(colour, 1.0, 0.0));
    }

    fn open_marker(&mut self, shape: Shape, centre: Place, radius: f64, colour: Colour) {
        self.shape(shape, centre, radius + RIM / 2.0, &style(colour, 1.0, 0.0));
        self.shape(shape, centre, radius - RIM, &style(palette::WHITE, 1.0, 0.0));
    }

    fn dot(&mut self, centre: Place, radius: f64, colour: Colour, opacity: f64) {
        self.shape(Shape::Circle, centre, radius, &style(colour, opacity, 0.0));
    }

    fn text(&mut self, text: &str, place: Place, anchor: Anchor, font: Font, colour: Colour) {
        let horizontal = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        self.draw_text(text, place, font_desc(font), colour, horizontal);
    }

    fn rising_text(&mut self, text: &str, place: Place, font: Font, colour: Colour) {
        let font = font_desc(font).transform(FontTransform::Rotate270);
        self.draw_text(text, place, font, colour, HPos::Center);
    }
}

fn font_desc(font: Font) -> FontDesc<'static> {
    let weight = if font.is_bold() { FontStyle::Bold } else { FontStyle::Normal };
    FontDesc::new(FontFamily::SansSerif, font.size() * UNITS * FONT_SCALE, weight)
}

fn units(place: Place) -> (i32, i32) {
    ((place.0 * UNITS).round() as i32, (place.1 * UNITS).round() as i32)
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

fn style(colour: Colour, opacity: f64, width: f64) -> ShapeStyle {
    ShapeStyle { color: rgb(colour).mix(opacity), filled: true, stroke_width: (width * UNITS).round() as u32 }
}
