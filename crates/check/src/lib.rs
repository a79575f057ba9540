//! A gate on the constants of models: whether new runs of a program are worse than those of a baseline, fine, or too few to tell.
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod check;
mod difference;
mod needed;
mod report;
mod request;
mod runs;
mod structure;
mod tolerance;
mod verdict;

pub use check::check;
pub use difference::Difference;
pub use needed::RunsNeeded;
pub use report::{Change, Finding, Kept, Missing, OutlyingRun, Report, Subject};
pub use request::{MeasuredRun, Request, Requirement, Target};
pub use runs::{RunValue, TwoGroups};
pub use structure::{StructureChange, structure};
pub use tolerance::Tolerance;
pub use verdict::{Comparison, Verdict, holm};
