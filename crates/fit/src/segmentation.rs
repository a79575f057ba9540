//! The recognition of the intervals: question and answer.

use crate::{Cell, SignReason};

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
    pub outcome: Outcome,
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
    /// Rms relative error of one fit of all samples of the part that the border divides, nothing shared.
    pub error_before: f64,
    /// Rms relative error of the same samples with one fit on each side of the border.
    pub error_after: f64,
}

/// Why a segmentation ended: of the reasons of its cells the last one in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
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
