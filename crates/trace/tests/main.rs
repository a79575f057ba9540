//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod blocks;
mod bodies;
mod condensing;
mod datasets;
mod errors;
mod events;
mod limits;
mod properties;
mod reading;
mod same_places;
mod supersteps;
mod windows;
