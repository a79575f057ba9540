/// Why a text is no trace of the Oxford toolset. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OxfordError {
    #[error("this is no trace of the Oxford BSP toolset: it has no line `P PROCESSORS`")]
    NoProcessors,
    #[error("the trace has no call stacks, lines that begin with `A`")]
    NoStacks,
    #[error("line {line} is of no kind that traces of the Oxford BSP toolset have")]
    Unknown { line: usize },
    #[error("line {line} says `{key}` again: two traces stand in one file")]
    Twice { line: usize, key: char },
    #[error("line {line} breaks off before {missing}: the trace was cut")]
    Cut { line: usize, missing: String },
    #[error("line {line} has `{found}` where {expected} belongs: the trace is damaged")]
    Number { line: usize, found: String, expected: &'static str },
    #[error(
        "line {line} has the values of {found} processors, and there are {processors}: the trace is damaged"
    )]
    Processors { line: usize, found: usize, processors: usize },
    #[error(
        "line {line} has {label} of {maximum}|{average}|{minimum}, which is no maximum, average and minimum: the trace is damaged"
    )]
    Sums { line: usize, label: &'static str, maximum: String, average: String, minimum: String },
    #[error("line {line} has `{found}` behind its values: the trace is damaged")]
    Rest { line: usize, found: String },
    #[error("there are {positions} cost centres (`s`), and {stacks} have costs (`A`): lines are missing")]
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

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            OxfordError::NoProcessors => return None,
            OxfordError::NoStacks => "link the program with `-cgprof` and record it anew",
            OxfordError::Twice { .. } => "take them apart",
            OxfordError::Cut { .. } => "take the whole file or record it anew",
            OxfordError::Unequal { .. } => "take the whole file",
            _ => "take the file as it was recorded",
        })
    }
}
