//! Tables for other programs. Numbers are written in full, in the unit that the column's key names.

mod csv;
mod json;
mod latex;

pub use csv::csv;
pub use json::json;
pub use latex::latex;
