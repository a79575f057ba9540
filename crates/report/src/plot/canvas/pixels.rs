//! A backend for plotters that draws smooth lines and embedded fonts into a bitmap. That of plotters itself draws lines
//! with steps and takes its fonts from the system.

use std::convert::Infallible;

use plotters::style::text_anchor::HPos;
use plotters::style::{FontStyle, FontTransform};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};
use ttf_parser::OutlineBuilder;

use super::vector::{FONT_SCALE, UNITS};
use crate::plot::font;
use crate::plot::page::Page;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

pub(in crate::plot) struct Pixels<'a> {
    pixmap: &'a mut Pixmap,
    size: (u32, u32),
    /// From units to pixels of the bitmap.
    scale: Transform,
}

impl<'a> Pixels<'a> {
    pub(in crate::plot) fn new(pixmap: &'a mut Pixmap, page: &Page) -> Pixels<'a> {
        let size = ((page.width * UNITS).ceil() as u32, (page.height * UNITS).ceil() as u32);
        let scale = f64::from(pixmap.width()) / (page.width * UNITS);
        Pixels { pixmap, size, scale: Transform::from_scale(scale as f32, scale as f32) }
    }

    fn fill(&mut self, path: Option<Path>, colour: BackendColor, transform: Transform) -> Drawn {
        if let Some(path) = path {
            self.pixmap.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
        }
        Ok(())
    }

    fn stroke(&mut self, path: Option<Path>, style: &impl BackendStyle) -> Drawn {
        let stroke = Stroke {
            width: style.stroke_width() as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(path) = path {
            self.pixmap.stroke_path(&path, &paint(style.color()), &stroke, self.scale, None);
        }
        Ok(())
    }
}

fn paint(colour: BackendColor) -> Paint<'static> {
    let mut paint = Paint::default();
    let (red, green, blue) = colour.rgb;
    paint.set_color_rgba8(red, green, blue, (colour.alpha * 255.0).round() as u8);
    paint
}

fn path(places: impl IntoIterator<Item = BackendCoord>) -> PathBuilder {
    let mut builder = PathBuilder::new();
    for (x, y) in places {
        if builder.is_empty() {
            builder.move_to(x as f32, y as f32);
        } else {
            builder.line_to(x as f32, y as f32);
        }
    }
    builder
}

impl DrawingBackend for Pixels<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.stroke(path([from, to]).finish(), style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let rect = Rect::from_ltrb(left as f32, top as f32, right as f32, bottom as f32);
        let path = rect.map(PathBuilder::from_rect);
        if fill { self.fill(path, style.color(), self.scale) } else { self.stroke(path, style) }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        places: I,
        style: &S,
    ) -> Drawn {
        self.stroke(path(places).finish(), style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let path = PathBuilder::from_circle(centre.0 as f32, centre.1 as f32, radius as f32);
        if fill { self.fill(path, style.color(), self.scale) } else { self.stroke(path, style) }
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        let mut builder = path(corners);
        builder.close();
        self.fill(builder.finish(), style.color(), self.scale)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, place: BackendCoord) -> Drawn {
        let size = style.size() / FONT_SCALE;
        let is_bold = matches!(style.style(), FontStyle::Bold);
        let width: f64 = text.chars().map(|c| font::width(c, is_bold) * size).sum();
        let angle = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        let mut x = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        let on_page = self
            .scale
            .pre_translate(place.0 as f32, place.1 as f32)
            .pre_concat(Transform::from_rotate(angle))
            .pre_translate(0.0, (font::MIDDLE * size) as f32);
        for c in text.chars() {
            let mut outline = Outline(PathBuilder::new());
            let font_size = font::outline(c, is_bold, &mut outline);
            let scale = (size / font_size) as f32;
            self.fill(
                outline.0.finish(),
                style.color(),
                on_page.pre_translate(x as f32, 0.0).pre_scale(scale, -scale),
            )?;
            x += font::width(c, is_bold) * size;
        }
        Ok(())
    }
}

/// The outline of a character.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
