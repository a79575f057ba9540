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

/// What is wrong in a machine file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Problem {
    #[error("{0}")]
    Toml(String),
    #[error("there is no key `{key}` here: {cure}")]
    UnknownKey { key: String, cure: String },
    #[error("`{key}` is missing here: {cure}")]
    Missing { key: String, cure: String },
    #[error("`{key}` is {value}, but must be {needed}")]
    Value { key: String, value: String, needed: String },
    #[error(
        "`date` is \"{0}\", but must be a day as in \"2026-11-21\", a month as in \"2026-11\", or a year"
    )]
    Date(String),
    #[error("the file has schema_version {found}, this program reads {known}: get a program of the same age")]
    Version { found: u64, known: u64 },
    #[error("`{0}` cannot be a name: write one word without comma, slash, quote and `.toml` at its end")]
    Name(String),
    #[error("`{key}` is {value}, but must be {needed}")]
    Number { key: &'static str, value: f64, needed: &'static str },
    #[error("`{key}` is {value} behind {before}: sort the `[[{table}]]` entries, each value once")]
    Order { table: &'static str, key: &'static str, before: u64, value: u64 },
    #[error("only the last `[[memory]]` level may be without `size_bytes`")]
    NoSize,
    #[error("there are two `[[{table}]]` entries with the name `{name}`: keep one")]
    Duplicate { table: &'static str, name: String },
    #[error("`{key}` is missing in [provenance] of a machine that was {kind}: add it")]
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
}
