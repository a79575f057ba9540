use crate::error::listed;

/// Why a trace does not fit to those before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MergeError {
    #[error(
        "experiment `{experiment}` has the formula `{left}` in {left_file}, but `{right}` in {right_file}"
    )]
    Formula { experiment: String, left: String, left_file: String, right: String, right_file: String },
    #[error(
        "experiment `{experiment}` has the variables {} in {left_file}, but {} in {right_file}",
        listed(left),
        listed(right)
    )]
    Variables {
        experiment: String,
        left: Vec<String>,
        left_file: String,
        right: Vec<String>,
        right_file: String,
    },
    #[error("experiment `{experiment}` is measured in {left} in {left_file}, but in {right} in {right_file}")]
    Units { experiment: String, left: String, left_file: String, right: String, right_file: String },
    #[error("{report} reports measurements of `{experiment}` that are loaded from {unfinished}")]
    Reported { experiment: String, report: String, unfinished: String },
}

impl MergeError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            MergeError::Formula { .. } => "formulas-differ",
            MergeError::Variables { .. } => "variables-differ",
            MergeError::Units { .. } => "units-differ",
            MergeError::Reported { .. } => "reported-before",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            MergeError::Formula { .. } | MergeError::Variables { .. } => {
                "load them one at a time, or translate both programs from the same source"
            }
            MergeError::Units { .. } => "load them one at a time, or call one of the experiments otherwise",
            MergeError::Reported { .. } => {
                "load the report first, and what it has is left out of the other files of its run"
            }
        })
    }
}
