use std::fmt;

/// Why a file cannot be read as a trace. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("the file is empty")]
    Empty,
    #[error("this is no trace: a trace begins with `# call-trace 1`, this file with `{first_line}`")]
    NotATrace { first_line: String },
    #[error("the trace has version {found}, and versions {known} can be read")]
    Version { found: String, known: String },
    /// The file ends before its rows begin.
    #[error("the trace was cut: it ends within its header")]
    Cut,
    #[error("{place}: a line or block of more than {mebibytes} MiB: no program writes that")]
    TooLong { place: FilePlace, mebibytes: usize },
    #[error("{place}: text after the end of the trace")]
    AfterEnd { place: FilePlace },

    #[error("line {line}: the header ends without the key `{key}`")]
    MissingKey { line: u64, key: &'static str },
    #[error("line {line}: experiment `{experiment}` has no key `variables`")]
    MissingVariables { line: u64, experiment: String },
    #[error("line {line}: the key `{key}` stands on line {first} already")]
    DuplicateKey { line: u64, key: String, first: u64 },
    #[error("line {line}: experiment `{experiment}` is declared on line {first} already")]
    DuplicateExperiment { line: u64, experiment: String, first: u64 },
    #[error("line {line}: the key `{key}` belongs to an experiment")]
    OutsideExperiment { line: u64, key: String },
    #[error("line {line}: expected `# key: value` or the line of column names, found `{text}`")]
    HeaderLine { line: u64, text: String },
    #[error("line {line}: expected {expected} as value of `{key}`, found `{text}`")]
    HeaderValue { line: u64, key: &'static str, expected: &'static str, text: String },
    #[error("line {line}: experiment `{experiment}` has {variables} variables, but {types} words as `types`")]
    Types { line: u64, experiment: String, variables: usize, types: usize },
    #[error("line {line}: summaries have no binary body")]
    BinarySummaries { line: u64 },
    #[error("line {line}: expected the column names `experiment processor P ... {last}`, found `{text}`")]
    ColumnNames { line: u64, last: String, text: String },
    #[error("line {line}: two columns are called `{name}`")]
    DuplicateColumn { line: u64, name: String },
    #[error("line {line}: there is no column for the variable `{variable}` of experiment `{experiment}`")]
    MissingColumn { line: u64, experiment: String, variable: String },
    #[error("line {line}: there is no column for the counter `{counter}` of experiment `{experiment}`")]
    MissingCounter { line: u64, experiment: String, counter: String },

    #[error("line {line}: the header declares no experiment `{experiment}`")]
    UnknownExperiment { line: u64, experiment: String },
    #[error("line {line}: expected {expected} columns, found {found}")]
    ColumnCount { line: u64, expected: usize, found: usize },
    #[error("line {line}: expected a number in column `{column}`, found `{text}`")]
    Number { line: u64, column: String, text: String },
    #[error("line {line}: expected a processor from 0 to {}, found `{text}`", processors.saturating_sub(1))]
    Processor { line: u64, processors: u32, text: String },
    #[error(
        "line {line}: expected `nan` in column `{column}`, which experiment `{experiment}` does not have, found `{text}`"
    )]
    ForeignValue { line: u64, experiment: String, column: String, text: String },
    #[error("line {line}: a time must be finite and not negative, found `{text}`")]
    Time { line: u64, text: String },
    #[error("line {line}: expected a number of measurements in column `count`, found `{text}`")]
    Count { line: u64, text: String },
    #[error("{place}: expected a row or `# end rows=...`, found `{text}`")]
    AmongRows { place: FilePlace, text: String },
    #[error("{place}: expected {expected}, found `{text}`")]
    Superstep { place: FilePlace, expected: &'static str, text: String },
    #[error("{place}: processor {processor} has two sections of supersteps")]
    SuperstepsTwice { place: FilePlace, processor: u32 },
    #[error("{place}: expected {expected}, found `{text}`")]
    EventLine { place: FilePlace, expected: &'static str, text: String },
    #[error("{place}: processor {processor} has two sections of events")]
    EventsTwice { place: FilePlace, processor: u32 },
    #[error("byte {byte}: {problem}")]
    Events { byte: u64, problem: EventProblem },
    #[error("byte {byte}: {problem}")]
    Block { byte: u64, problem: BlockProblem },
}

impl Error {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Empty => "empty-file",
            Error::NotATrace { .. } => "not-a-trace",
            Error::Version { .. } => "unknown-version",
            Error::Cut => "cut-trace",
            Error::TooLong { .. } => "too-long-line",
            Error::AfterEnd { .. } => "after-end",
            Error::MissingKey { .. } => "missing-key",
            Error::MissingVariables { .. } => "missing-variables",
            Error::DuplicateKey { .. } => "duplicate-key",
            Error::DuplicateExperiment { .. } => "duplicate-experiment",
            Error::OutsideExperiment { .. } => "outside-experiment",
            Error::HeaderLine { .. } => "wrong-header-line",
            Error::HeaderValue { .. } => "wrong-header-value",
            Error::Types { .. } => "wrong-types",
            Error::BinarySummaries { .. } => "binary-summaries",
            Error::ColumnNames { .. } => "wrong-column-names",
            Error::DuplicateColumn { .. } => "duplicate-column",
            Error::MissingColumn { .. } => "missing-column",
            Error::MissingCounter { .. } => "missing-counter",
            Error::UnknownExperiment { .. } => "undeclared-experiment",
            Error::ColumnCount { .. } => "wrong-column-count",
            Error::Number { .. } => "not-a-number",
            Error::Processor { .. } => "wrong-processor",
            Error::ForeignValue { .. } => "foreign-value",
            Error::Time { .. } => "wrong-time",
            Error::Count { .. } => "wrong-count",
            Error::AmongRows { .. } => "not-a-row",
            Error::Superstep { .. } => "wrong-superstep",
            Error::SuperstepsTwice { .. } => "supersteps-twice",
            Error::EventLine { .. } => "wrong-event-line",
            Error::EventsTwice { .. } => "events-twice",
            Error::Events { problem, .. } => problem.code(),
            Error::Block { problem, .. } => problem.code(),
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            Error::Empty => "run the program again, and see that it reaches its report",
            Error::Version { .. } => "use the release that came with the `call` that translated the program",
            Error::Cut => "run the program again, with enough room on its disk",
            Error::TooLong { .. } => "copy the file again",
            Error::AfterEnd { .. } => "keep one trace in each file",
            Error::OutsideExperiment { .. } => "a line `# experiment: NAME` must stand before it",
            Error::BinarySummaries { .. } => "one of the keys `summaries` and `body` is wrong",
            _ => return None,
        })
    }
}

/// Where something stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePlace {
    /// A line, counted from 1.
    Line(u64),
    /// An offset, counted from 0, where bytes before it are no text.
    Byte(u64),
}

impl fmt::Display for FilePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilePlace::Line(line) => write!(out, "line {line}"),
            FilePlace::Byte(byte) => write!(out, "byte {byte}"),
        }
    }
}

/// What is wrong with a block of a binary body. Rows are counted from 0 in each block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BlockProblem {
    #[error("expected `CLLBLOCK`, which opens a block, or `# end rows=...`, found `{text}`")]
    Magic { text: String },
    #[error("a block with {rows} rows of these experiments cannot have {bytes} bytes")]
    Size { rows: u32, bytes: u64 },
    #[error("expected 0 in bytes 20 to 23 of the block, found {found}")]
    Reserved { found: u32 },
    #[error("expected a positive number of nanoseconds for each tick, found {found}")]
    NanosecondsPerTick { found: String },
    #[error("row {row} of the block is of experiment {found}, and the header declares {experiments}")]
    Experiment { row: usize, found: u32, experiments: usize },
    #[error(
        "row {row} of the block: expected a processor from 0 to {}, found {found}",
        processors.saturating_sub(1)
    )]
    Processor { row: usize, processors: u32, found: u32 },
}

impl BlockProblem {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            BlockProblem::Magic { .. } => "wrong-block-magic",
            BlockProblem::Size { .. } => "wrong-block-size",
            BlockProblem::Reserved { .. } => "wrong-block-reserved",
            BlockProblem::NanosecondsPerTick { .. } => "wrong-block-nanoseconds-per-tick",
            BlockProblem::Experiment { .. } => "wrong-block-experiment",
            BlockProblem::Processor { .. } => "wrong-block-processor",
        }
    }
}

/// What is wrong with a block of events. Events are counted from 0 in each block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EventProblem {
    #[error("expected `CLLEVENT`, which opens a block of events, or a line with `#`, found `{text}`")]
    Magic { text: String },
    #[error("a block of {bytes} bytes cannot hold {events} events")]
    Size { bytes: u64, events: u64 },
    #[error("expected a positive number of nanoseconds for each tick, found {found}")]
    NanosecondsPerTick { found: String },
    #[error("event {number} of the block is none: it has an unknown kind, or fields out of range")]
    Event { number: u64 },
    #[error("the {events} events of the block are followed by {bytes} bytes")]
    Behind { events: u64, bytes: usize },
    #[error("the block speaks of {what} {number}, which no line before it defines")]
    Undefined { what: &'static str, number: u32 },
}

impl EventProblem {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            EventProblem::Magic { .. } => "wrong-events-magic",
            EventProblem::Size { .. } => "wrong-events-size",
            EventProblem::NanosecondsPerTick { .. } => "wrong-events-nanoseconds-per-tick",
            EventProblem::Event { .. } => "wrong-event",
            EventProblem::Behind { .. } => "behind-events",
            EventProblem::Undefined { .. } => "undefined-in-events",
        }
    }
}

/// Names for a message, in back-quotes; `none` if there are none.
pub(crate) fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "none".to_owned() } else { quoted.join(", ") }
}
