//! The tests of this crate are one program: to link one takes less time than to link many.

mod large_programs;
mod obsp;
mod program;
mod program_errors;
mod replay;
mod simulated_programs;
mod support;
