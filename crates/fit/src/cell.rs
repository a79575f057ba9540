//! Cells: boxes of the space of variables, each with a fit of its own.

use crate::{Fit, Interval};

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
/// The cells of a [`Segmentation`](crate::Segmentation) cover the space without overlap, so that there is exactly
/// one; None for a NaN or a wrong number of values.
pub fn locate(cells: &[Cell], point: &[f64]) -> Option<usize> {
    cells.iter().position(|cell| cell.contains(point))
}
