//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod check;
mod cli;
mod condense;
mod escapes;
mod gaps;
mod hostile;
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
mod transcript;
mod units;
mod waitmodel;
mod waits;
