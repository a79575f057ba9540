//! Whole parallel programs as sequences of supersteps.
//!
//! [`obsp`] evaluates tasks by the OBSP* model of the paper; [`program`] makes tasks of model programs, whose costs are fitted
//! experiments; [`replay`] makes them of the supersteps that a run has recorded, which are in [`recording`].
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

pub mod obsp;
pub mod program;
pub mod recording;
pub mod replay;
