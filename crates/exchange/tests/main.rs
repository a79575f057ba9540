//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod apart;
mod arrow;
mod benchmarks;
mod call_one;
mod columns;
mod common;
mod cube;
mod errors;
mod inclusive;
mod numbers;
mod parquet_types;
mod per_rank;
mod properties;
mod reading;
mod statistics;
mod tables;
mod workbooks;
mod writing;
