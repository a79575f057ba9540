use crate::{Error, plot};

/// Measured points and fitted curves over one variable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figure {
    /// What is to be seen.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn. Points that are not finite, or not positive on a logarithmic scale, are skipped.
    pub series: Vec<Series>,
    /// Borders of intervals, drawn as dashed vertical lines; those outside of the data are skipped.
    pub borders: Vec<f64>,
    /// Small lines under the title.
    pub notes: Vec<String>,
}

/// An axis of a [`Figure`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What it shows. An axis called `time`, or with `(s)` at the end, shows seconds: its ticks get units that suit them,
    /// such as `20 µs`, and `(s)` is left out.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
}

/// How values become places on an [`Axis`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Proportionally.
    Linear,
    /// By their logarithms.
    Logarithmic,
    /// By their logarithms if all are positive and they span more than a factor of 20.
    #[default]
    Automatic,
}

/// A set of points and a curve of one colour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Measured values, drawn as markers.
    pub points: Vec<(f64, f64)>,
    /// Fitted values, drawn as a line through them in their order. A value that cannot be drawn, such as NaN, interrupts the
    /// line: put one where a curve jumps.
    pub curve: Vec<(f64, f64)>,
}

impl Figure {
    /// Draws the figure, 900 by 600 pixels.
    ///
    /// # Errors
    /// If no point and no curve can be drawn.
    pub fn svg(&self) -> Result<String, Error> {
        plot::svg(self)
    }
}
