//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod any_figure;
mod any_timeline;
mod charts;
mod curve_names;
mod figure;
mod picture;
mod profile_page;
mod timeline;
mod timeline_rows;
