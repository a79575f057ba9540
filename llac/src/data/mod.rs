//! Samples between file and fit: named sets, and the steps (subsets, derived variables, …) that make a view of them.

mod columns;
mod condition;
mod machine;
mod set;
mod step;
mod view;

pub use columns::{column, column_names};
pub use condition::SampleCondition;
pub use set::DataSet;
pub use step::SampleChange;
pub use view::SampleView;
