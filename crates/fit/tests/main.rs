//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod least_squares;
mod nonnegative;
mod peer;
mod problem_file;
mod problems;
mod robust;
mod segment_limits;
mod segments;
mod segments_of_noise;
