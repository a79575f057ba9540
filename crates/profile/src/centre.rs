use std::fmt;

/// What costs are charged to: where supersteps end, and through which calls the program got there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Centre {
    /// The synchronisation in the source.
    pub position: Position,
    /// Names of the functions that were being executed, the one with the synchronisation first, `main` last.
    pub stack: Vec<String>,
}

/// Where a superstep ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// What people read: the file, or the function of the library of what ends without a synchronisation or has no known place.
    pub name: String,
    /// 0 if it is not known.
    pub line: u32,
    /// The file, where it is known.
    pub file: Option<String>,
}

impl Centre {
    /// A cost centre; the stack begins with the function that has the synchronisation.
    pub fn new<Name: Into<String>>(position: Position, stack: impl IntoIterator<Item = Name>) -> Centre {
        Centre { position, stack: stack.into_iter().map(Into::into).collect() }
    }

    /// Whether people read the same of both: what the Oxford toolset recorded has no file where a call has its name.
    pub fn is_named_as(&self, other: &Centre) -> bool {
        (&self.position.name, self.position.line, &self.stack)
            == (&other.position.name, other.position.line, &other.stack)
    }
}

impl Position {
    /// A line of a file.
    pub fn new(file: impl Into<String>, line: u32) -> Position {
        let name = file.into();
        Position { file: Some(name.clone()), name, line }
    }

    /// A call that has its name where others have their file.
    pub fn of_call(call: impl Into<String>, file: Option<&str>, line: u32) -> Position {
        Position { name: call.into(), line, file: file.map(str::to_owned) }
    }

    pub(crate) fn label(name: &str, line: u32) -> String {
        format!("{name} line {line}")
    }

    /// The file and the line, if both are known.
    pub fn place(&self) -> Option<(&str, u32)> {
        self.file.as_deref().map(|file| (file, self.line)).filter(|(_, line)| *line > 0)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Position::label(&self.name, self.line))
    }
}
