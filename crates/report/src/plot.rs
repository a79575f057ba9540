//! From a figure to its picture. A scene says what is there; a layout, where it stands on a page; `draw` puts it on a
//! canvas, which makes pictures of lines, pixels or characters. Places count from the upper left corner.
//!
//! Another kind of picture is another `Content` with its function in `draw`; axes, legend and canvases are there already.

// Values and their places:
mod axis;
mod axis_range;
mod data;
mod drawable;
mod scales;
mod styles;
mod tick_label;
mod ticks;

// Marks on the picture:
mod canvas;
mod cells;
mod contour;
mod font;
mod geometry;
mod page;
mod palette;
mod svg;
mod terminal;
mod text;

// Where everything stands:
mod layout;
mod legend;
mod names;
mod strip;

// What there is to draw:
mod categories;
mod draw;
mod surface;
mod timeline;

use std::ops::RangeInclusive;

use axis::DrawnAxis;
use cells::Cells;
use data::{FigureData, VerticalLine};
use layout::Layout;
use legend::{ColourBar, Key};
use names::NamedStretch;
use page::{CELL, PicturePage};
use surface::SurfaceValues;
use timeline::SuperstepSpan;

use crate::{Category, CategoryChart, Error, Figure, Look, Surface, Timeline};

/// So many colours can be told apart.
pub const MOST_COLOURS: usize = palette::DISTINCT;
/// So many markers can be told apart.
pub const MOST_MARKERS: usize = palette::SHAPES.len();

pub(crate) use categories::height as categories_height;
pub(crate) use font::{char_width, text_width};
pub(crate) use scales::are_logarithmic;
pub(crate) use svg::png as svg_to_png;
pub(crate) use text::{beginning, escaped, harmless};
pub(crate) use timeline::height as timeline_height;

/// The width of a page, and the height of most, in pixels.
pub(crate) const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 600.0;

/// All that is to be drawn.
pub(crate) struct Scene<'a> {
    title: String,
    notes: Vec<String>,
    /// Of the page, in pixels.
    size: (f64, f64),
    x: DrawnAxis,
    y: DrawnAxis,
    /// Of intervals of the horizontal axis.
    borders: Vec<VerticalLine>,
    /// Names of stretches of the horizontal axis.
    spans: Vec<NamedStretch>,
    /// What they are, if their names do not say it.
    spans_are: String,
    key: Key,
    content: Content<'a>,
}

/// What is drawn between the axes.
enum Content<'a> {
    Series { series: Vec<drawable::Drawable>, references: Vec<crate::ReferenceLine> },
    Surface(SurfaceValues),
    Categories(Vec<&'a Category>),
    Timeline { timeline: &'a Timeline, supersteps: Vec<SuperstepSpan> },
}

impl Scene<'_> {
    pub(crate) fn of_figure(figure: &Figure) -> Result<Scene<'static>, Error> {
        const STEPS: u32 = 64;
        let data = FigureData::of(figure)?;
        let bar = data.by.as_ref().map(|by| {
            let step = |index: u32| {
                let place = |index: u32| f64::from(index) / f64::from(STEPS);
                (
                    place(index),
                    place(index + 1),
                    palette::on_dark_scale(place(index) + 0.5 / f64::from(STEPS)),
                )
            };
            let ticks = ticks::choose(&by.range, &by.kind, |ticks| ticks.len() < 10);
            ColourBar::new(&by.label, (0..STEPS).map(step).collect(), &ticks, |value| by.range.place(value))
        });
        Ok(Scene {
            title: figure.title.clone(),
            notes: figure.notes.clone(),
            size: size(figure.size, &figure.title)?,
            key: Key::of(figure, &data, bar),
            x: data.x,
            y: data.y,
            borders: data.borders,
            spans: Vec::new(),
            spans_are: String::new(),
            content: Content::Series {
                series: data.series,
                references: data.references.into_iter().map(|(_, line)| line).collect(),
            },
        })
    }

    pub(crate) fn of_surface(surface: &Surface) -> Result<Scene<'static>, Error> {
        surface::scene(surface)
    }

    pub(crate) fn of_categories(chart: &CategoryChart) -> Result<Scene<'_>, Error> {
        categories::scene(chart)
    }

    pub(crate) fn of_timeline(timeline: &Timeline) -> Result<Scene<'_>, Error> {
        timeline::scene(timeline)
    }
}

/// Width and height of a page in pixels.
fn size(wanted: Option<(u32, u32)>, title: &str) -> Result<(f64, f64), Error> {
    let Some((width, height)) = wanted else { return Ok((WIDTH, HEIGHT)) };
    check_size(width, height, title)?;
    Ok((f64::from(width), f64::from(height)))
}

fn check_size(width: u32, height: u32, title: &str) -> Result<(), Error> {
    const SIZES: RangeInclusive<u32> = 150..=8000;
    const STRETCH: u32 = 4;
    let is_stretched = width > height.saturating_mul(STRETCH) || height > width.saturating_mul(STRETCH);
    if !is_stretched && SIZES.contains(&width) && SIZES.contains(&height) {
        return Ok(());
    }
    Err(Error::Size {
        title: title.to_owned(),
        width: width as usize,
        height: height as usize,
        unit: "pixels",
        least: "150 by 150",
        most: "8000 by 8000, no side four times as long as the other",
    })
}

pub(crate) fn svg(scene: &Scene) -> Result<String, Error> {
    let page = PicturePage::pixels(scene.size.0, scene.size.1);
    let layout = Layout::new(&page, scene);
    svg::svg(&page, |canvas| draw::scene(canvas, &page, scene, &layout))
        .map_err(|cause| drawing(scene, &cause))
}

pub(crate) fn png(scene: &Scene, width: u32, height: u32) -> Result<Vec<u8>, Error> {
    check_size(width, height, &scene.title)?;
    /// Texts that are even smaller cannot be read.
    const SMALLEST: f64 = 0.75;
    // The page has the area of that of SVG, so that texts grow with the picture.
    let (width_px, height_px) = (f64::from(width), f64::from(height));
    let scale = (width_px * height_px / (scene.size.0 * scene.size.1)).sqrt().max(SMALLEST);
    let mut page = PicturePage::pixels(width_px / scale, height_px / scale);
    (page.grid, page.overlap) = (1.0 / scale, 0.0);
    let layout = Layout::new(&page, scene);
    svg::svg(&page, |canvas| draw::scene(canvas, &page, scene, &layout))
        .and_then(|svg| svg::png(&svg, width, height))
        .map_err(|cause| drawing(scene, &cause))
}

pub(crate) fn text(scene: &Scene, columns: usize, rows: usize, look: Look) -> Result<String, Error> {
    if !(40..=1000).contains(&columns) || !(12..=1000).contains(&rows) {
        return Err(Error::Size {
            title: scene.title.clone(),
            width: columns,
            height: rows,
            unit: "characters",
            least: "40 by 12",
            most: "1000 by 1000",
        });
    }
    let mut page = PicturePage::cells(columns, rows);
    let mut layout = Layout::new(&page, scene);
    let spare = spare_lines(scene, &layout);
    if spare > 0 {
        page.foot = spare as f64 * page.tick_line;
        layout = Layout::new(&page, scene);
    }
    let mut canvas = Cells::new(&PicturePage::cells(columns, rows - spare), look);
    draw::scene(&mut canvas, &page, scene, &layout);
    Ok(canvas.finish())
}

/// How many lines of characters are not needed.
fn spare_lines(scene: &Scene, layout: &Layout) -> usize {
    let lines = ((layout.plot.bottom - layout.plot.top) / CELL.1).round() as usize;
    match &scene.content {
        Content::Timeline { timeline, .. } => timeline::spare_lines(timeline, lines, layout.rows_of_strip),
        Content::Categories(_) => layout.slots.spare_lines(lines),
        _ => 0,
    }
}

fn drawing(scene: &Scene, cause: &str) -> Error {
    Error::Drawing { title: scene.title.clone(), cause: cause.to_owned() }
}
