//! Linear least squares and recursive interval splitting.
//!
//! # The problem
//!
//! A complexity formula in canonical form, `f[0] * g0(N, P, ...) + f[1] * g1(N, P, ...) + ...`, is linear in its k
//! coefficients. With n samples of an experiment:
//!
//! | symbol | shape | meaning |
//! |---|---|---|
//! | A | n x k | design matrix: basis g_j of term j at sample i ([`FitSamples::basis`], column by column) |
//! | y | n | observed times, in seconds ([`FitSamples::observed`]) |
//! | W | n x n, diagonal | weights of the squared residuals, 1 or e.g. 1 / (A b)^2 by turns ([`FitSamples::weights`]) |
//! | b | k | coefficients, in seconds per unit of the basis ([`Fit::coefficients`]) |
//! | r | n | residuals y - A b, in seconds ([`Fit::residuals`]) |
//!
//! [`least_squares`] finds the b with the smallest r' W r, and the shortest one (in coordinates in which weighted
//! columns have norm 1) where the data allow many. [`segment()`] divides the space of the variables N, P, ... into cells
//! with coefficients of their own, until each fit is accurate enough: the recognition of the intervals of the sets aleph
//! (CALL paper, sections 2.1 and 3); each constant gets a set of its own. [`weigh`] chooses weights, [`outliers`] names
//! samples that do not belong, [`group()`] gathers repetitions, [`median`] and [`PureError`] say what they show.
//!
//! # The method
//!
//! Rows are scaled by the roots of their weights and reduced in blocks, by Householder reflections, to a k x k
//! triangle; the singular values of the triangle with columns scaled to norm 1 give rank, condition and solution. Whatever
//! needs the same rows again (bounds, cells that share constants) works on triangles.
//! Columns of any magnitude may stand side by side: 1 and N^2 at N = 10^6 lose no digit to each other.
//!
//! # What is not computed, and why
//!
//! - Normal equations A' W A: they square the condition number, and on a narrow interval of N nothing is left.
//! - Residual sums as differences of sums: they cancel, down to negative values.
//! - Anything non-linear in b: a canonical formula needs none. A robust loss ([`robust_least_squares`]) is the one
//!   search that iterates.
//!
//! The crate is pure: slices in, values out; it reads no file and no clock and prints nothing. The same input
//! gives the same bits. Whatever finite or non-finite numbers come in, no function panics, and a NaN in a result
//! is always one that the documentation of its field announces.

#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

// In reading order. What goes in:
mod error;
mod samples;

// One pass over the rows, then small matrices only:
mod factorisation;
mod fit;
mod solution;

// Repetitions:
mod group;
mod relative;
mod scatter;
mod variance_trend;
mod weighting;

// Cells and the search for them:
mod segmentation;

mod points;

mod border;

mod partition;

mod joint;

mod criterion;
mod placement;
mod search;

mod robust;
mod segment;

mod proportional;

mod outlier;

pub use error::Error;
pub use fit::{Fit, least_squares, non_negative_least_squares};
pub use group::{Grouped, ascending, group, group_moments, group_repetitions, group_without_outliers};
pub use outlier::{OutlyingMeasurement, outliers};
pub use proportional::{proportional_scale, segment_in_proportion};
pub use robust::{RobustFit, robust_least_squares};
pub use samples::FitSamples;
pub use scatter::{PureError, median, relative_variance_of_medians, single_above_folded, variance_of_median};
pub use segment::segment;
pub use segmentation::{
    Cell, Interval, Loss, Method, SegmentOptions, Segmentation, SignConstraint, SignReason, Split,
    StopReason, Thresholds, locate,
};
pub use weighting::{Weighting, WeightingReason, Weights, evidence_of_cells, speaks_for_absolute, weigh};
