/// A set of points and a curve of one colour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// The value that the series stands for, such as its number of processors; see [`Figure::by`](super::Figure::by).
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
}

/// A line to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// Its name in the legend; without one it is not there.
    pub label: String,
    /// Where it runs.
    pub line: Line,
}

/// Where a [`Reference`] runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Line {
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
