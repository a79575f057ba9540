use call_grammar::quoted;
use call_model::NoPrediction;

use crate::obsp::TaskError;

fn others(known: &[String]) -> String {
    match known {
        [] => "nor inside any other".to_owned(),
        _ => format!("but inside {}", quoted(known)),
    }
}

/// Why a run cannot be replayed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReplayError {
    #[error(
        "the trace does not say how much of its supersteps lay inside experiments: it is from an older runtime"
    )]
    NoExperiments,
    #[error("no superstep has computed inside experiment `{experiment}`, {}", others(known))]
    UnknownExperiment { experiment: String, known: Vec<String> },
    #[error("experiment `{experiment}` cannot be {factor} times as fast")]
    Factor { experiment: String, factor: f64 },
    #[error("{} lie inside each other", quoted(experiments))]
    Overlap { experiments: Vec<String> },
    #[error("{name} cannot be {value}")]
    Cost { name: &'static str, value: f64 },
    #[error("no superstep ends with a synchronisation of several processors, so g and L cannot be fitted")]
    NothingToFit,
    #[error("all synchronisations have the same h-relation, so g and L cannot be told apart")]
    OneRelation,
    #[error("g and L cannot be fitted: {0}")]
    Fit(call_fit::Error),
    #[error("{0}")]
    Task(TaskError),
}

impl ReplayError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ReplayError::NoExperiments => "no-times-of-experiments",
            ReplayError::UnknownExperiment { .. } => "not-in-supersteps",
            ReplayError::Factor { .. } => "wrong-factor",
            ReplayError::Overlap { .. } => "overlapping-experiments",
            ReplayError::Cost { .. } => "wrong-cost",
            ReplayError::NothingToFit => "nothing-to-fit",
            ReplayError::OneRelation => "one-relation",
            ReplayError::Fit(error) => error.code(),
            ReplayError::Task(error) => error.code(),
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&'static str> {
        match self {
            ReplayError::NoExperiments => Some("translate, compile and run the program anew"),
            ReplayError::UnknownExperiment { .. } => Some(
                "only what is measured between the supersteps' starts and ends counts; what lies in a procedure or leads to a `FILE:LINE` is made faster by `waits faster STEP=FACTOR`",
            ),
            ReplayError::Factor { .. } => Some("give a number above 0"),
            ReplayError::Overlap { .. } => Some("say of one of them at a time how fast it is"),
            ReplayError::Cost { .. } => Some("it is a number of at least 0"),
            ReplayError::NothingToFit | ReplayError::OneRelation => Some("give both: `g=… L=…`"),
            ReplayError::Fit(_) | ReplayError::Task(_) => None,
        }
    }
}

impl From<&ReplayError> for NoPrediction {
    fn from(error: &ReplayError) -> NoPrediction {
        let failure = NoPrediction::new(error.to_string());
        error.cure().into_iter().fold(failure, NoPrediction::help)
    }
}
