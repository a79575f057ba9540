//! Figures over one variable and surfaces over two, and what they are made of.

use crate::{BoxPlot, DisplayUnit};

/// Measured points and fitted curves over one variable.
///
/// Speed-up and efficiency are figures with a [`Reference`], residuals are points with one at zero:
///
/// ```
/// use call_report::{Axis, Figure, Reference, ReferenceLine, Series};
///
/// let curve = [1.0, 2.0, 4.0, 8.0].map(|p| (p, p / (1.0 + 0.1 * (p - 1.0))));
/// let figure = Figure {
///     title: "speed-up".into(),
///     x: Axis::linear("P"),
///     y: Axis::linear("speed-up"),
///     series: vec![Series { curve: curve.into(), sampled: Some((1.0, 4.0)), ..Series::default() }],
///     references: vec![Reference { label: "ideal".into(), line: ReferenceLine::Proportional(1.0) }],
///     ..Figure::default()
/// };
/// assert!(figure.svg()?.contains("ideal"));
/// # Ok::<(), call_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figure {
    /// What is to be seen.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn. Values that are not finite, or not positive on a logarithmic scale, are skipped.
    pub series: Vec<Series>,
    /// What [`Series::value`] is. Where there are more series than colours that differ clearly, and each has a value, they
    /// get the colours of a scale, and a colour bar if the legend is too small for them.
    pub by: Axis,
    /// Whether names stand at the right ends of their curves rather than in a legend, if there is room. For curves of
    /// different things, such as machines: from the sixth on they are dashed, if no series has a
    /// [sampled](Series::sampled) range.
    pub names_at_curves: bool,
    /// Lines to compare with, such as the ideal speed-up.
    pub references: Vec<Reference>,
    /// Borders of intervals, drawn as dashed vertical lines; those outside of the data are skipped.
    pub borders: Vec<IntervalBorder>,
    /// What the legend calls points, curves and the like.
    pub kinds: Kinds,
    /// Small lines under the title.
    pub notes: Vec<String>,
    /// Width and height of the SVG in pixels, from 150 to 8000; 900 by 600 without.
    pub size: Option<(u32, u32)>,
}

/// An axis of a [`Figure`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What it shows. With a [unit](crate::DisplayUnit) in brackets at the end that has prefixes, such as `(s)`, `(bytes)` or
    /// `(J)`, ticks get units that suit them, such as `20 µs`, and the brackets are left out; so it is for `(%)`. An axis
    /// called `time` shows seconds. Everything else is a plain number.
    pub label: String,
    /// How values become places.
    pub scale: AxisScale,
    /// Where it begins, if not just below the data.
    pub from: Option<f64>,
    /// Where it ends, if not just above the data.
    pub to: Option<f64>,
}

impl Axis {
    /// An axis whose scale and ends follow from the data.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// An axis of a quantity with a unit.
    pub fn quantity(title: &str, unit: &DisplayUnit) -> Axis {
        Axis::new(if unit.is_none() { title.to_owned() } else { format!("{title} ({})", unit.symbol()) })
    }

    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { scale: AxisScale::Linear, ..Axis::new(label) }
    }

    /// A logarithmic axis.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { scale: AxisScale::Logarithmic, ..Axis::new(label) }
    }
}

/// How values become places on an [`Axis`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AxisScale {
    /// Proportionally.
    Linear,
    /// By their logarithms.
    Logarithmic,
    /// By their logarithms if all are positive and they span more than a factor of 20, or if they are those of a variable that
    /// grows by factors, such as 2, 4, 8. The vertical axis follows the horizontal one where a line through the origin is
    /// to be straight.
    #[default]
    Automatic,
}

impl AxisScale {
    /// Whether places are those of logarithms, if the data are a reason for that or not.
    pub(crate) fn is_logarithmic(self, has_reason: impl FnOnce() -> bool) -> bool {
        match self {
            AxisScale::Linear => false,
            AxisScale::Logarithmic => true,
            AxisScale::Automatic => has_reason(),
        }
    }
}

/// The characters of a picture for the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// Only printable ASCII.
    Ascii,
    /// Curves of braille dots, axes of box-drawing characters.
    #[default]
    Unicode,
    /// The same with escape sequences for 256 colours.
    Coloured,
}

/// A set of points and a curve of one colour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// What it belongs to by two variables. If all series have groups, the colour tells the one and markers and dashes the
    /// other, and the legend shows both instead of the names; so five groups by marker can be told apart, and with more
    /// of them series look and are called as without.
    pub groups: Option<SeriesGroups>,
    /// The value that the series stands for, such as its number of processors; see [`Figure::by`](Figure::by).
    pub value: Option<f64>,
    /// Measured values, drawn as markers.
    pub points: Vec<(f64, f64)>,
    /// Single measurements, drawn as small faint points.
    pub repetitions: Vec<(f64, f64)>,
    /// Place, lower and upper end of what was measured there, drawn as a bar with ends.
    pub spread: Vec<(f64, f64, f64)>,
    /// Fitted values, drawn as a line through them in their order. A value that cannot be drawn, such as NaN, interrupts the
    /// line: put one where a curve jumps. Few values have open markers if there are no points.
    pub curve: Vec<(f64, f64)>,
    /// Place, lower and upper end of the interval around the curve, drawn as an area; NaN interrupts it.
    pub band: Vec<(f64, f64, f64)>,
    /// The range that was measured: outside of it the curve is dashed. Without it the whole curve is solid.
    pub sampled: Option<(f64, f64)>,
    /// Left end, right end and height of bars from zero, as in a histogram.
    pub bars: Vec<(f64, f64, f64)>,
    /// Places and distributions, drawn as boxes; those of several series at one place stand side by side.
    pub boxes: Vec<(f64, BoxPlot)>,
}

/// The names of the two groups of a [`Series`], such as `P = 4` and `node of 2024`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesGroups {
    /// Series with this name have the same colour.
    pub colour: String,
    /// Series with this name have the same markers and dashes.
    pub marker: String,
}

/// Where an interval of the horizontal variable ends, for some of what is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntervalBorder {
    /// Where it stands.
    pub x: f64,
    /// The part of the vertical axis in which it holds; all of it without.
    pub y: Option<(f64, f64)>,
    /// Indices of the series for which it holds: it is drawn where they are only. All, if empty.
    pub series: Vec<usize>,
}

impl From<f64> for IntervalBorder {
    /// A border that holds everywhere.
    fn from(x: f64) -> IntervalBorder {
        IntervalBorder { x, ..IntervalBorder::default() }
    }
}

/// A line to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Its name in the legend; without one it is not there.
    pub label: String,
    /// Where it runs.
    pub line: ReferenceLine,
}

/// Where a [`Reference`] runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReferenceLine {
    /// At this height, which the axis always shows: the zero of residuals, an efficiency of 1.
    Horizontal(f64),
    /// At this place, if the axis shows it.
    Vertical(f64),
    /// Through the origin with this slope: the ideal speed-up is `Proportional(1.0)`.
    Proportional(f64),
}

/// What the legend calls the kinds of marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds {
    /// Markers: `measured`.
    pub points: String,
    /// Small faint points: `each run`.
    pub repetitions: String,
    /// Bars at points: `lowest to highest`.
    pub spread: String,
    /// Lines: `fitted`.
    pub curve: String,
    /// Areas around lines: `interval`.
    pub band: String,
    /// Dashed parts of lines: `extrapolated`.
    pub extrapolated: String,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds {
            points: "measured".into(),
            repetitions: "each run".into(),
            spread: "lowest to highest".into(),
            curve: "fitted".into(),
            band: "interval".into(),
            extrapolated: "extrapolated".into(),
        }
    }
}

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
