//! What is checked about directives in their places, one topic a module.

pub mod jumps;
pub mod places;
pub mod program;
pub mod variables;
