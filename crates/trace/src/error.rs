/// Why a file cannot be read as a trace. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("the file is empty: run the program again, and see that it reaches its report")]
    Empty,
    #[error("this is no trace: a trace begins with `# call-trace 1`, this file with `{first_line}`")]
    NotATrace { first_line: String },
    #[error(
        "the trace has version {found}, and versions {known} can be read: use the release that came with the `call` that \
         translated the program"
    )]
    Version { found: String, known: String },
    /// The file ends too early, or rows were lost inside.
    #[error(
        "the trace was cut: {}, and {rows} whole rows were found; run the program again, with enough room on its disk",
        match announced {
            None => "it lacks its last line, `# end rows=...`".to_owned(),
            Some(announced) => format!("its last line speaks of {announced} rows"),
        }
    )]
    Cut { announced: Option<u64>, rows: u64 },
    #[error("line {line}: text after the end of the trace: keep one trace in each file")]
    AfterEnd { line: u64 },

    #[error("line {line}: the header ends without the key `{key}`")]
    MissingKey { line: u64, key: &'static str },
    #[error("line {line}: experiment `{experiment}` has no key `variables`")]
    MissingVariables { line: u64, experiment: String },
    #[error("line {line}: the key `{key}` stands on line {first} already")]
    DuplicateKey { line: u64, key: String, first: u64 },
    #[error("line {line}: experiment `{experiment}` is declared on line {first} already")]
    DuplicateExperiment { line: u64, experiment: String, first: u64 },
    #[error(
        "line {line}: the key `{key}` belongs to an experiment: a line `# experiment: NAME` must stand before it"
    )]
    OutsideExperiment { line: u64, key: String },
    #[error("line {line}: expected `# key: value` or the line of column names, found `{text}`")]
    HeaderLine { line: u64, text: String },
    #[error("line {line}: expected {expected} as value of `{key}`, found `{text}`")]
    HeaderValue { line: u64, key: &'static str, expected: &'static str, text: String },
    #[error("line {line}: expected the column names `experiment processor P ... time_s`, found `{text}`")]
    ColumnNames { line: u64, text: String },
    #[error("line {line}: two columns are called `{name}`")]
    DuplicateColumn { line: u64, name: String },
    #[error("line {line}: there is no column for the variable `{variable}` of experiment `{experiment}`")]
    MissingColumn { line: u64, experiment: String, variable: String },

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
    #[error("line {line}: expected {expected}, found `{text}`")]
    Superstep { line: u64, expected: &'static str, text: String },
    #[error("line {line}: processor {processor} has two sections of supersteps")]
    SuperstepsTwice { line: u64, processor: u32 },
    #[error("line {line}: expected a row or `# end rows=...`, found `{text}`")]
    AmongRows { line: u64, text: String },
}
