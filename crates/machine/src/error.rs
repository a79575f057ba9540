/// Why a file is no description of a machine, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct MachineFileError {
    /// Name of the file.
    pub file: String,
    /// Line in it, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

impl MachineFileError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        self.problem.code()
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        self.problem.cure()
    }
}

/// What is wrong in a machine file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Problem {
    #[error("{0}")]
    Toml(String),
    #[error("there is no key `{key}` here")]
    UnknownKey { key: String, cure: String },
    #[error("`{key}` is missing here")]
    Missing { key: String, cure: String },
    #[error("`{key}` is {value}, but must be {needed}")]
    Value { key: String, value: String, needed: String },
    #[error(
        "`date` is \"{0}\", but must be a day as in \"2026-11-21\", a month as in \"2026-11\", or a year"
    )]
    Date(String),
    #[error("the file has schema_version {found}, this program reads {known}")]
    Version { found: u64, known: u64 },
    #[error("`{0}` cannot be a name")]
    Name(String),
    #[error("`{key}` is {value}, but must be {needed}")]
    Number { key: &'static str, value: f64, needed: &'static str },
    #[error("`{key}` of `[[{table}]]` is {value} behind {before}")]
    Order { table: &'static str, key: &'static str, before: u64, value: u64 },
    #[error("only the last `[[memory]]` level may be without `size_bytes`")]
    NoSize,
    #[error("there are two `[[{table}]]` entries with the name `{name}`")]
    Duplicate { table: &'static str, name: String },
    #[error("`{key}` is missing in [provenance] of a machine that was {kind}")]
    Provenance { key: &'static str, kind: &'static str },
}

impl Problem {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::Toml(..) => "wrong-toml",
            Problem::UnknownKey { .. } => "unknown-key",
            Problem::Missing { .. } => "missing-key",
            Problem::Value { .. } => "wrong-value",
            Problem::Date(..) => "wrong-date",
            Problem::Version { .. } => "unknown-version",
            Problem::Name(..) => "not-a-name",
            Problem::Number { .. } => "wrong-number",
            Problem::Order { .. } => "wrong-order",
            Problem::NoSize => "no-size",
            Problem::Duplicate { .. } => "duplicate-name",
            Problem::Provenance { .. } => "no-provenance",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            Problem::UnknownKey { cure, .. } | Problem::Missing { cure, .. } => cure,
            Problem::Version { .. } => "get a program of the same age",
            Problem::Name(..) => "write one word without comma, slash, quote and `.toml` at its end",
            Problem::Order { .. } => "sort the entries, each value once",
            Problem::Duplicate { .. } => "keep one",
            Problem::Provenance { .. } => "add it",
            _ => return None,
        })
    }
}
