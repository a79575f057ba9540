/// Why a text is no trace of the Oxford toolset. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OxfordError {
    #[error("this is no trace of the Oxford BSP toolset: it has no line `P PROCESSORS`")]
    NoProcessors,
    #[error(
        "the trace has no call stacks, lines that begin with `A`: link the program with `-cgprof` and record it anew"
    )]
    NoStacks,
    #[error(
        "line {line} is of no kind that traces of the Oxford BSP toolset have: take the file as it was recorded"
    )]
    Unknown { line: usize },
    #[error("line {line} says `{key}` again: two traces stand in one file; take them apart")]
    Twice { line: usize, key: char },
    #[error(
        "line {line} breaks off before {missing}: the trace was cut; take the whole file or record it anew"
    )]
    Cut { line: usize, missing: String },
    #[error(
        "line {line} has `{found}` where {expected} belongs: the trace is damaged; take the file as it was recorded"
    )]
    Number { line: usize, found: String, expected: &'static str },
    #[error(
        "line {line} has the values of {found} processors, and there are {processors}: the trace is damaged"
    )]
    Processors { line: usize, found: usize, processors: usize },
    #[error(
        "line {line} has `{found}` behind its values: the trace is damaged; take the file as it was recorded"
    )]
    Rest { line: usize, found: String },
    #[error(
        "there are {positions} cost centres (`s`), and {stacks} have costs (`A`): lines are missing; take the whole file"
    )]
    Unequal { positions: usize, stacks: usize },
    #[error(
        "line {line} speaks of {found}, and the cost centre of that place is {expected}: the trace is damaged"
    )]
    Order { line: usize, found: String, expected: String },
}

impl OxfordError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            OxfordError::NoProcessors | OxfordError::Unknown { .. } => "no-oxford-trace",
            OxfordError::NoStacks => "no-call-stacks",
            OxfordError::Cut { .. } | OxfordError::Unequal { .. } => "cut-oxford-trace",
            _ => "damaged-oxford-trace",
        }
    }
}
