use std::fmt;

/// Where something stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceInText {
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
    /// A byte, counted from 0.
    Byte(u64),
}

impl fmt::Display for PlaceInText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceInText::Line(line) => write!(out, "line {line}"),
            PlaceInText::Character { line, column } => write!(out, "line {line}, column {column}"),
            PlaceInText::Byte(number) => write!(out, "byte {number}"),
            PlaceInText::Entry(number) => write!(out, "entry {number}"),
        }
    }
}
