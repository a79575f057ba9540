use std::fmt;

/// Where something stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line, counted from 1.
    Line(u64),
    /// A character of a line, both counted from 1.
    Character {
        /// The line.
        line: u64,
        /// The character of the line.
        column: u64,
    },
    /// An entry of a list, counted from 1.
    Entry(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(out, "line {line}"),
            Place::Character { line, column } => write!(out, "line {line}, column {column}"),
            Place::Entry(number) => write!(out, "entry {number}"),
        }
    }
}
