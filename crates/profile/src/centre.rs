use std::fmt;

/// What costs are charged to: where supersteps end, and through which calls the program got there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Centre {
    /// The synchronisation in the source.
    pub position: Position,
    /// Names of the functions that were being executed, the one with the synchronisation first, `main` last.
    pub stack: Vec<String>,
}

/// Where a superstep ends. What ends without a synchronisation, or has no known place, has the function of the library as its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Position {
    pub file: String,
    pub line: u32,
}

impl Centre {
    /// A cost centre; the stack begins with the function that has the synchronisation.
    pub fn new<Name: Into<String>>(position: Position, stack: impl IntoIterator<Item = Name>) -> Centre {
        Centre { position, stack: stack.into_iter().map(Into::into).collect() }
    }
}

impl Position {
    /// A line of a file.
    pub fn new(file: impl Into<String>, line: u32) -> Position {
        Position { file: file.into(), line }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} line {}", self.file, self.line)
    }
}
