//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod by_hand;
mod counters;
mod events;
mod events_planted;
mod events_threads;
mod programs;
mod pub_library;
mod superstep_sections;
mod superstep_stacks;
mod supersteps;
mod support;
