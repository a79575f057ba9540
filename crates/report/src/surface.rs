use crate::{Axis, IntervalBorder};

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
