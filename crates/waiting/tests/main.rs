//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod account;
mod delays;
mod inside;
mod known;
mod metamorphic;
mod network;
mod operations;
mod planted;
mod progress;
mod random;
mod random_supersteps;
mod receivers;
mod recorded_calls;
mod supersteps;
