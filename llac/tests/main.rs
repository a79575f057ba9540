//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod check;
mod check_history;
mod check_requests;
mod check_tables;
mod cli;
mod cli_page;
mod cli_words;
mod comparable;
mod condense;
mod escapes;
mod gaps;
mod hostile;
mod hostile_programs;
mod hostile_sizes;
mod importing;
mod incomplete;
mod language;
mod loaded_models;
mod machine;
mod page;
mod processors;
mod profile;
mod programs;
mod questions;
mod replay;
mod responses;
mod rounded;
mod session;
mod siblings;
mod source;
mod source_machines;
mod transcript;
mod units;
mod waitmodel;
mod waits;
