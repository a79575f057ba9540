//! Models of waiting, and what follows from them: run times, waits and efficiencies at sizes, numbers of processors and allocations that have
//! not been run, and the best allocation.
//!
//! Waiting itself is no formula of the variables: it is a difference of what processors compute, and which difference changes from place to
//! place. So what is modelled are the steps, each by the search for formulas (`call_search`), and waits are made of them: each recorded
//! run says which sum of steps its critical path was, and which signed sums its waits were. As every path through a run is as long as the run at
//! most, what holds anywhere is the maximum over the sums that were seen: `max(c0 − c2, c1 − c2)`. This is what W. Meira Jr.
//! and others did with a radar's pipeline of tasks, whose waits they had analysed with Carnival.
//!
//! Processors that do the same calls and experiments are a [`Role`]; if the number of its processors is a variable in all runs, that variable
//! allocates processors to it.
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod allocation;
mod design;
mod dominance;
mod ends;
mod error;
mod grouping;
mod law;
mod model;
mod multiplicity;
mod prediction;
mod role;
mod sampled;
mod step_model;
mod sum;

pub use allocation::{Allocation, best_allocations};
pub use design::informative;
pub use dominance::{DominanceRegion, Dominant, possible_regions};
pub use ends::Ends;
pub use error::NoModel;
pub use model::{CallModel, WaitModel};
pub use multiplicity::{Affine, Multiplicity};
pub use prediction::{PredictedRole, PredictedRun, left_out_s};
pub use role::Role;
pub use sampled::RunAtPoint;
pub use step_model::StepModel;
pub use sum::{Sum, SumTerm};
