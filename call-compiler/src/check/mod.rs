//! What is checked about directives in their places, one topic a module.

mod guard;
pub mod jumps;
pub mod places;
pub mod program;
mod region;
pub mod variables;
