use crate::{Axis, Error, IntervalBorder, Look, plot};

/// Values over two variables as bands of colour with contour lines between them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// What is to be seen.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The values that are shown by colours.
    pub value: Axis,
    /// Ascending places of the columns of the grid.
    pub columns: Vec<f64>,
    /// Ascending places of the rows of the grid.
    pub rows: Vec<f64>,
    /// The values of the grid, a row after the other: that of column i and row j is at j * columns + i. Where one is not
    /// finite, there is a hole.
    pub values: Vec<f64>,
    /// Measured points (x, y, value), drawn on top in the colour of their value.
    pub points: Vec<(f64, f64, f64)>,
    /// Borders of intervals of the horizontal variable.
    pub borders: Vec<IntervalBorder>,
    /// What the legend calls the points; nothing if empty.
    pub points_label: String,
    /// Small lines under the title.
    pub notes: Vec<String>,
    /// Width and height of the SVG in pixels, from 150 to 8000; 900 by 600 without.
    pub size: Option<(u32, u32)>,
}

impl Surface {
    /// Draws the surface in its size.
    ///
    /// # Errors
    /// If nothing can be drawn, or the grid is not one.
    pub fn svg(&self) -> Result<String, Error> {
        plot::svg(&plot::Scene::of_surface(self)?)
    }

    /// Draws the surface as the bytes of a PNG file. Texts and lines grow with the picture.
    ///
    /// # Errors
    /// If nothing can be drawn, the grid is not one, or the picture would be too small or too large.
    pub fn png(&self, width: u32, height: u32) -> Result<Vec<u8>, Error> {
        plot::png(&plot::Scene::of_surface(self)?, width, height)
    }

    /// Draws the surface with characters: so many lines, none wider than `columns`.
    ///
    /// # Errors
    /// If nothing can be drawn, the grid is not one, or the picture would be too small or too large.
    pub fn text(&self, columns: usize, rows: usize, look: Look) -> Result<String, Error> {
        plot::text(&plot::Scene::of_surface(self)?, columns, rows, look)
    }
}
