//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod choices;
mod contention;
mod forecast;
mod gaps;
mod judgement;
mod model;
mod model_file;
mod planted;
mod quality;
mod question;
mod run_fit;
mod texts;
mod warnings;
