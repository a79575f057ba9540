use call_report::{CategoryChart, Error, Figure, Surface, Timeline};

use crate::Page;

/// A picture of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// Points and curves over one variable.
    Figure(Figure),
    /// Values over two variables.
    Surface(Surface),
    /// What processors do over time.
    Timeline(Timeline),
    /// Values or distributions beside names.
    Categories(CategoryChart),
}

/// Pixels of a picture in a PNG file: twice those of the SVG, for dense screens and for paper.
const PIXELS: (u32, u32) = (1800, 1200);
/// Narrower, a picture of characters shows nothing; wider, its letters are far apart.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=120;

impl Picture {
    /// The text of an SVG file.
    ///
    /// # Errors
    /// If nothing can be drawn.
    pub fn svg(&self) -> Result<String, Error> {
        match self {
            Picture::Figure(figure) => figure.svg(),
            Picture::Surface(surface) => surface.svg(),
            Picture::Timeline(timeline) => timeline.svg(),
            Picture::Categories(chart) => chart.svg(),
        }
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// If nothing can be drawn.
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        let (width, height) = PIXELS;
        match self {
            Picture::Figure(figure) => figure.png(width, height),
            Picture::Surface(surface) => surface.png(width, height),
            Picture::Timeline(timeline) => timeline.png(width, timeline.height(width)),
            Picture::Categories(chart) => chart.png(width, chart.height(width)),
        }
    }

    /// The picture in characters.
    ///
    /// # Errors
    /// If nothing can be drawn.
    pub fn text(&self, page: &Page) -> Result<String, Error> {
        let columns = page.width.clamp(*COLUMNS.start(), *COLUMNS.end());
        match self {
            Picture::Figure(figure) => figure.text(columns, page.picture_rows, page.look),
            Picture::Surface(surface) => surface.text(columns, page.picture_rows, page.look),
            Picture::Timeline(timeline) => timeline.text(columns, page.picture_rows, page.look),
            Picture::Categories(chart) => chart.text(columns, page.picture_rows, page.look),
        }
    }
}
