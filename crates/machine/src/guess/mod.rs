//! Constants guessed from what their statements do and what that costs on a machine: the sets Υ and the machine database of the paper
//! (section 2.1).
//!
//! A [`Workload`] has the numbers of the source at one point: operations, and streams of accesses with the loops around them. Which
//! lines of memory come from which level follows from how much the loops reach ([`Reuse`]), and [`guess`] adds up what they cost. What is
//! neglected is told there.

mod borders;
mod cost;
mod counted;
mod reuse;
mod workload;

pub use borders::{Along, GuessedInterval, along};
pub use cost::{Bottleneck, Guess, guess};
pub use counted::CountedMisses;
pub use reuse::Reuse;
pub use workload::{Irregular, LoopAt, Statements, Stream, Unguessable, Workload};
