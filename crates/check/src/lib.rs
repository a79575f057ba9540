//! A gate on the constants of models: whether new runs of a program are worse than those of a baseline, fine, or too few to tell.
//!
//! [`check`] compares the constants of runs ([`call_model::Model::fit_run`]) one by one and comes to a [`CheckReport`] with three [`Verdict`]s; how sure a difference
//! of two groups of runs is, [`Difference`] says, with the model behind it. [`structure`] looks for what is no constant: borders, terms, predictions. The example
//! `study_alarms` measures false alarms on planted histories.
//!
//! The crate is pure: runs in, findings out; it reads no file and writes no sentence.
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod change_points;
mod check;
mod difference;
mod history;
mod line;
mod needed;
mod report;
mod request;
mod runs;
mod search;
mod spikes;
mod structure;
mod tolerance;
mod untold;
mod verdict;
mod weighing_points;

pub use change_points::{ChangePoint, Drift, HistoryRequest, RunHistory, SteadyValue, Untold};
pub use check::check;
pub use difference::Difference;
pub use history::history;
pub use needed::RunsNeeded;
pub use report::{
    CheckReport, ComparisonSubject, CostChange, Finding, Missing, OutlyingRun, RequirementFinding,
};
pub use request::{CheckRequest, MeasuredRun, Requirement, TargetPoint};
pub use runs::{RunValue, TwoGroups, run_values, terms_of_constant};
pub use search::SHORTEST;
pub use structure::{MovedBorder, StructureChange, moved_borders, structure};
pub use tolerance::Tolerance;
pub use untold::{fewest_runs, least_told};
pub use verdict::{NumberComparison, Verdict, holm};
