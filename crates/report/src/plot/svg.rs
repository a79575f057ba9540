//! Pictures as SVG, by the backend of plotters, and as PNG, which resvg makes of the same SVG with embedded fonts.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

use super::canvas::{Canvas, CanvasPoint, Fill, Stroke, TextAnchor, dashes};
use super::font::Font;
use super::page::PicturePage;
use super::palette::{self, Dash, MarkerShape, Rgb};

/// The backend counts in whole units; so many make a pixel.
pub(super) const UNITS: f64 = 10.0;
/// It divides font sizes by this.
const FONT_SCALE: f64 = 1.24;
/// The white around markers.
const RIM: f64 = 1.0;

/// Polygons with fewer corners stay as they are.
const FEW_CORNERS: usize = 16;

struct SvgCanvas<'a> {
    backend: SVGBackend<'a>,
    /// The first thing that went wrong.
    trouble: Option<String>,
}

/// Draws on a page and returns the text of the file, or what went wrong.
pub(super) fn svg(page: &PicturePage, draw: impl FnOnce(&mut dyn Canvas)) -> Result<String, String> {
    let (width, height) = ((page.width * UNITS).round() as u32, (page.height * UNITS).round() as u32);
    let mut svg = String::new();
    let backend = SVGBackend::with_string(&mut svg, (width, height));
    let mut canvas = SvgCanvas { backend, trouble: None };
    let white = style(palette::WHITE, 1.0, 0.0);
    let result = canvas.backend.draw_rect((0, 0), (width as i32, height as i32), &white, true);
    canvas.note(result);
    draw(&mut canvas);
    canvas.finish()?;
    // In pixels instead of units, with round joints.
    let units = format!("<svg width=\"{width}\" height=\"{height}\"");
    let pixels = format!(
        "<svg width=\"{}\" height=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
        page.width, page.height
    );
    Ok(with_paths(&svg.replacen(&units, &pixels, 1)))
}

/// An SVG as the bytes of a PNG file of this size, or what went wrong. No fonts but DejaVu Sans are used, so that it looks
/// alike everywhere.
pub(crate) fn png(svg: &str, width: u32, height: u32) -> Result<Vec<u8>, String> {
    const FAMILY: &str = "DejaVu Sans";
    static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
            fonts.load_font_source(Source::Binary(Arc::new(font)));
        }
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    });
    let options = Options { font_family: FAMILY.to_owned(), fontdb: FONTS.clone(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let mut pixmap = Pixmap::new(width, height).ok_or("no such size")?;
    let scale = |pixels: u32, size: f32| pixels as f32 / size;
    let (x, y) = (scale(width, tree.size().width()), scale(height, tree.size().height()));
    resvg::render(&tree, Transform::from_scale(x, y), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| error.to_string())
}

impl SvgCanvas<'_> {
    /// Ends the picture.
    fn finish(mut self) -> Result<(), String> {
        let result = self.backend.present();
        self.note(result);
        self.trouble.map_or(Ok(()), Err)
    }

    fn path(&mut self, places: &[CanvasPoint], style: &ShapeStyle) {
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

    fn shape(&mut self, shape: MarkerShape, centre: CanvasPoint, radius: f64, style: &ShapeStyle) {
        let result = if shape == MarkerShape::Circle {
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

    fn draw_text(&mut self, text: &str, place: CanvasPoint, font: FontDesc, colour: Rgb, horizontal: HPos) {
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

impl Canvas for SvgCanvas<'_> {
    fn area(&mut self, corners: &[CanvasPoint], colour: Rgb, fill: Fill) {
        let opacity = if let Fill::Faint(opacity) = fill { opacity } else { 1.0 };
        let mut path: Vec<(i32, i32)> = corners.iter().copied().map(units).collect();
        path.dedup();
        let result = self.backend.fill_polygon(path, &style(colour, opacity, 0.0));
        self.note(result);
    }

    fn line(&mut self, places: &[CanvasPoint], stroke: Stroke) {
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

    fn marker(&mut self, shape: MarkerShape, centre: CanvasPoint, radius: f64, colour: Rgb) {
        self.shape(shape, centre, radius + RIM, &style(palette::WHITE, 1.0, 0.0));
        self.shape(shape, centre, radius, &style(colour, 1.0, 0.0));
    }

    fn open_marker(&mut self, shape: MarkerShape, centre: CanvasPoint, radius: f64, colour: Rgb) {
        self.shape(shape, centre, radius + RIM / 2.0, &style(colour, 1.0, 0.0));
        self.shape(shape, centre, radius - RIM, &style(palette::WHITE, 1.0, 0.0));
    }

    fn dot(&mut self, centre: CanvasPoint, radius: f64, colour: Rgb, opacity: f64) {
        self.shape(MarkerShape::Circle, centre, radius, &style(colour, opacity, 0.0));
    }

    fn text(&mut self, text: &str, place: CanvasPoint, anchor: TextAnchor, font: Font, colour: Rgb) {
        let horizontal = match anchor {
            TextAnchor::Start => HPos::Left,
            TextAnchor::Middle => HPos::Center,
            TextAnchor::End => HPos::Right,
        };
        self.draw_text(text, place, font_desc(font), colour, horizontal);
    }

    fn rising_text(&mut self, text: &str, place: CanvasPoint, font: Font, colour: Rgb) {
        let font = font_desc(font).transform(FontTransform::Rotate270);
        self.draw_text(text, place, font, colour, HPos::Center);
    }
}

fn font_desc(font: Font) -> FontDesc<'static> {
    let weight = if font.is_bold() { FontStyle::Bold } else { FontStyle::Normal };
    FontDesc::new(FontFamily::SansSerif, font.size() * UNITS * FONT_SCALE, weight)
}

fn units(place: CanvasPoint) -> (i32, i32) {
    ((place.0 * UNITS).round() as i32, (place.1 * UNITS).round() as i32)
}

fn rgb(colour: Rgb) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}

fn style(colour: Rgb, opacity: f64, width: f64) -> ShapeStyle {
    ShapeStyle { color: rgb(colour).mix(opacity), filled: true, stroke_width: (width * UNITS).round() as u32 }
}

/// Writes polygons of many corners as paths of steps from corner to corner, which takes a third of the bytes.
fn with_paths(svg: &str) -> String {
    let mut shorter = String::with_capacity(svg.len());
    for line in svg.split_inclusive('\n') {
        match path(line) {
            Some(path) => shorter.push_str(&path),
            None => shorter.push_str(line),
        }
    }
    shorter
}

fn path(line: &str) -> Option<String> {
    let (attributes, points) = line.strip_prefix("<polygon ")?.split_once("points=\"")?;
    let (points, _) = points.split_once('"')?;
    let corner = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let corners: Vec<(i64, i64)> = points.split_whitespace().map(corner).collect::<Option<_>>()?;
    let first = corners.first().filter(|_| corners.len() > FEW_CORNERS)?;
    let mut path = format!("<path {attributes}d=\"M{},{}", first.0, first.1);
    for pair in corners.windows(2) {
        let (x, y) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        // Writing to a text cannot fail.
        let _ = match (x, y) {
            (0, 0) => Ok(()),
            (x, 0) => write!(path, "h{x}"),
            (0, y) => write!(path, "v{y}"),
            (x, y) => write!(path, "l{x},{y}"),
        };
    }
    path.push_str("z\"/>\n");
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_polygons_become_paths() {
        let corners: Vec<String> = (0..9)
            .flat_map(|k| [(100 + 10 * k, 100 - k % 2), (110 + 10 * k, 100 - k % 2)])
            .map(|(x, y)| format!("{x},{y}"))
            .collect();
        let polygon = |corners: &[String]| {
            format!("<polygon opacity=\"1\" fill=\"#000000\" points=\"{} \"/>\n", corners.join(" "))
        };
        let short = polygon(&corners[..3]);
        let expected = "<path opacity=\"1\" fill=\"#000000\" \
                        d=\"M100,100h10v-1h10v1h10v-1h10v1h10v-1h10v1h10v-1h10v1h10z\"/>\n";
        assert_eq!(with_paths(&format!("{short}{}", polygon(&corners))), format!("{short}{expected}"));
    }

    #[test]
    fn everything_else_stays() {
        let text = "<svg>\n<text>\n&lt;polygon points=\n</text>\n<polygon points=\"a,b\"/>";
        assert_eq!(with_paths(text), text);
    }
}
