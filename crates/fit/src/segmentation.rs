//! The recognition of the intervals: question and answer.

use std::fmt;

use crate::{Fit, PureError};

/// The two thresholds of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// "Error threshold": a cell whose [rms relative error](crate::Fit::rms_relative_error) is larger is split if
    /// possible. Without unit; 0.05 is 5 %.
    pub error: f64,
    /// "Number of intervals threshold": at most this many cells, at least 1. The paper doubts a formula from four
    /// intervals of a variable on, so that the default of 8 leaves room for two variables.
    pub intervals: usize,
}

impl Default for Thresholds {
    /// 5 %, at most 8 cells.
    fn default() -> Self {
        Thresholds { error: 0.05, intervals: 8 }
    }
}

/// How the intervals are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The recursion of the paper, then borders moved to their best places, borders of noise removed, and constants
    /// shared by the cells in which they do not differ.
    #[default]
    Refined,
    /// The recursion as the paper tells it: split at the best place until the errors are under one threshold or the
    /// number of intervals is at the other. Nothing is moved, removed or shared.
    Paper,
}

/// Whether constants may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SignConstraint {
    /// Not negative where the data ask for it: see [`SignReason`].
    #[default]
    Automatic,
    /// They may: a constant that is negative beyond doubt says something about the formula.
    Free,
    /// They may not: costs are not negative.
    NonNegative,
}

/// How much a residual counts, by its size u in units of the scale of the noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Loss {
    /// u^2: least squares.
    #[default]
    Squares,
    /// u^2 up to u = 1.345, growing linearly beyond (Huber 1964): outliers pull with limited force.
    Huber,
    /// 2 (sqrt(1 + u^2) - 1), smooth between the square and the linear part.
    SoftL1,
}

/// All that [`segment`](crate::segment()) can be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SegmentOptions {
    /// When the recursion stops.
    pub thresholds: Thresholds,
    /// How intervals are found.
    pub method: Method,
    /// Whether constants may be negative.
    pub sign: SignConstraint,
    /// How much outliers count.
    pub loss: Loss,
    /// Whether a constant may have one value in several cells: each constant then has its own set aleph. Without it
    /// every cell has values of its own for all constants.
    pub sharing: bool,
    /// Scatter of repetitions that the samples no longer show.
    pub pure_error: Option<PureError>,
}

impl Default for SegmentOptions {
    /// Refined intervals, sign chosen by the data, least squares, constants shared.
    fn default() -> Self {
        SegmentOptions {
            thresholds: Thresholds::default(),
            method: Method::default(),
            sign: SignConstraint::default(),
            loss: Loss::default(),
            sharing: true,
            pure_error: None,
        }
    }
}

impl From<Thresholds> for SegmentOptions {
    fn from(thresholds: Thresholds) -> Self {
        SegmentOptions { thresholds, ..SegmentOptions::default() }
    }
}

/// A half-open interval (lower, upper] of one variable, in the unit of the variable.
///
/// The cells of a segmentation cover the whole axis, so the first interval starts at minus infinity and the last
/// one ends at infinity; Table 2 of the CALL paper writes [2, C0] and (C0, infinity].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Excluded lower end; minus infinity at the rim.
    pub lower: f64,
    /// Included upper end; infinity at the rim.
    pub upper: f64,
}

impl Interval {
    /// The whole axis.
    pub const WHOLE: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Whether a value lies inside. Minus infinity belongs to the first interval, NaN to none.
    pub fn contains(&self, value: f64) -> bool {
        (value > self.lower || self.lower == f64::NEG_INFINITY) && value <= self.upper
    }
}

/// A part of the space of the variables in which one set of coefficients holds: one element of the paper's sets
/// aleph for all coefficients of a formula at once (CALL paper, section 2.1, Table 2).
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// One interval for each variable; their product is the cell.
    pub intervals: Vec<Interval>,
    /// Indices, ascending, of the samples inside. [`Fit::residuals`] has one entry for each of them, in this
    /// order; those that the fit had to drop are among them.
    pub samples: Vec<usize>,
    /// The fit of these samples.
    pub fit: Fit,
}

impl Cell {
    /// Whether a point, one value a variable, lies inside.
    pub fn contains(&self, point: &[f64]) -> bool {
        point.len() == self.intervals.len()
            && self.intervals.iter().zip(point).all(|(interval, &value)| interval.contains(value))
    }
}

/// Index of the cell that holds a point, given one value a variable.
///
/// The cells of a [`Segmentation`] cover the space without overlap, so that there is exactly
/// one; None for a NaN or a wrong number of values.
pub fn locate(cells: &[Cell], point: &[f64]) -> Option<usize> {
    cells.iter().position(|cell| cell.contains(point))
}

/// The cells that [`segment`](crate::segment()) found.
#[derive(Debug, Clone, PartialEq)]
pub struct Segmentation {
    /// Disjoint cells that cover the whole space, ordered by their intervals: by the lower end of the first
    /// variable, then of the second, and so on.
    pub cells: Vec<Cell>,
    /// The borders, one less than cells. Each divides a part of the space that the earlier ones left in one piece,
    /// the first one the whole space; the part below a border is described before the part above it.
    pub splits: Vec<Split>,
    /// For each term the set of each cell, both by index: cells with the same number share one value of the term's
    /// coefficient, and were fitted together. Numbers count up from 0 in the order of the cells.
    pub sets: Vec<Vec<usize>>,
    /// Why there are no more cells.
    pub outcome: StopReason,
    /// Whether coefficients were kept from being negative, and why.
    pub sign: SignReason,
    /// With a robust loss: for each sample the factor, at most 1, by which the loss lowered its weight. Empty with least
    /// squares.
    pub loss_factors: Vec<f64>,
    /// Indices of samples with a variable that is not finite. They belong to no cell.
    pub unlocated: Vec<usize>,
}

/// A border between cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// Index of the variable.
    pub variable: usize,
    /// Largest sampled value of the lower side, in the unit of the variable.
    pub at: f64,
}

/// Why a segmentation ended: of the reasons of its cells the last one in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopReason {
    /// The error of every cell is below the threshold.
    WithinThreshold,
    /// Some cell has a larger error, but no border lowers the Bayesian information criterion: what is left looks
    /// like noise, or like a formula that is wrong everywhere alike.
    NoBetterSplit,
    /// Some cell has a larger error and might be split, but the number of cells is at its threshold.
    LimitReached,
    /// Some cell has a larger error and too few distinct points for two fits.
    TooFewSamples,
}

/// Whether the coefficients of a segmentation were kept from being negative, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SignReason {
    /// They might be, as was asked for.
    Free,
    /// They might not, as was asked for.
    NonNegative,
    /// Nobody asked, and none came out negative.
    NoneNegative,
    /// Nobody asked; a free fit has a negative coefficient, but is no better than one without: it fits noise.
    NegativeIsNoise,
    /// Nobody asked; a free fit has negative times at measured points, where real ones are positive.
    NegativeTimes,
    /// Nobody asked; a free fit has a negative coefficient in spite of several cells, and errors above the threshold all
    /// the same. It bends the formula to what happens within a cell, and would go astray beyond the samples.
    NegativeIsNoHelp,
    /// Nobody asked; a free fit needs several cells and a negative coefficient, and cells without one are not much less
    /// accurate. Costs are not negative: where several cells bend the formula to the data, such a coefficient bends it more.
    NegativeIsBending,
    /// Nobody asked; a free fit has a negative coefficient, and is better than one without beyond doubt. So it stays,
    /// and the formula is doubtful.
    NegativeIsReal,
}

impl SignReason {
    /// Whether the coefficients were kept from being negative.
    pub fn is_bounded(&self) -> bool {
        !matches!(self, SignReason::Free | SignReason::NoneNegative | SignReason::NegativeIsReal)
    }
}

impl fmt::Display for SignReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SignReason::Free => "constants may be negative, as asked",
            SignReason::NonNegative => "constants are not negative, as asked",
            SignReason::NoneNegative => "constants may be negative, but none is",
            SignReason::NegativeIsNoise => {
                "constants are not negative: a negative one would fit noise, as the errors hardly grow without it"
            }
            SignReason::NegativeTimes => {
                "constants are not negative: a free fit gives negative times at measured points"
            }
            SignReason::NegativeIsNoHelp => {
                "constants are not negative: errors exceed the threshold with a negative one, too"
            }
            SignReason::NegativeIsBending => {
                "constants are not negative: costs are not, and errors are less than three times those of a free fit"
            }
            SignReason::NegativeIsReal => {
                "a constant is negative: without it the errors grow beyond doubt, so the formula is doubtful"
            }
        })
    }
}
