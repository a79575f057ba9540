//! How often the statements of a program run, as polynomials of its variables, and the formulas that follow from that.
//!
//! [`program`] parses the functions, [`walk`] goes through one with [`value`]s of its variables and what is [`around`] each statement:
//! loops of `for`, `while` and `do`, inequalities of conditions, functions that are called. [`number`] hands the surroundings to
//! call-counting, [`block`] collects what there is to say of a function or a loop. A number that would be wrong is not told: what is not
//! understood is unknown, with the line that is to blame.

mod access_loops;
mod addresses;
mod aliases;
mod alternatives;
mod around;
mod array_part;
mod behind_loops;
pub mod block;
pub mod bounded;
mod call_sites;
mod called;
mod change;
pub mod communication;
mod difference;
mod element;
mod ends;
pub mod experiment;
mod exposed;
mod footprint;
mod given;
mod given_arrays;
pub mod guarded;
mod handed;
mod kept;
mod known;
mod library;
mod literal;
mod loop_begin;
mod members;
mod names;
mod number;
mod operations;
mod others;
mod outermost;
mod outside;
mod paths;
mod place;
mod places;
pub mod program;
mod reach;
mod reason;
mod recorded;
pub mod region;
mod shapes;
mod sources;
pub mod term;
mod typed;
mod unset;
mod value;
mod walk;
mod watch;
mod words;
pub mod work;

use crate::c::parse::on_large_stack;
use crate::preprocessed::Preprocessed;
use block::{BlockCounts, blocks};
use program::CountedProgram;

pub use around::CountedPart;

/// Counts the statements of each function and outermost loop of a file. `preprocessed` is the output of `cc -E` on the file of that path.
pub fn count(path: &str, preprocessed: &[u8]) -> Vec<BlockCounts> {
    on_large_stack(|| {
        let preprocessed = Preprocessed::read(preprocessed, path);
        blocks(&CountedProgram::new(&preprocessed))
    })
}
