//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod aliases;
mod bytes;
mod cli;
mod cli_compiled;
mod cli_failures;
mod corpus;
mod explanations;
mod hostile;
mod hot;
mod insert;
mod names;
mod propose;
mod propose_addresses;
mod propose_called;
mod propose_counters;
mod propose_diff;
mod propose_doubts;
mod propose_inner_tests;
mod propose_jumps;
mod propose_library;
mod propose_loops;
mod propose_names;
mod propose_numbers;
mod propose_one_way;
mod propose_openmp;
mod propose_places;
mod propose_recursion;
mod propose_unrolled;
mod random_inputs;
mod source_counts;
mod warnings;
