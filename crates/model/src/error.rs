/// Why there is no model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("experiment `{experiment}` has no formula")]
    NoFormula { experiment: String },
    #[error("the formula of experiment `{experiment}` in the trace is wrong: {}", errors[0])]
    Formula { experiment: String, errors: Vec<call_grammar::Error> },
    #[error("the formula of experiment `{experiment}` has {terms} terms, more than {most}")]
    TooManyTerms { experiment: String, terms: usize, most: usize },
    #[error("the formula of experiment `{experiment}` uses `{variable}`, which its samples do not have")]
    MissingVariable { experiment: String, variable: String },
    #[error("experiment `{experiment}` has no samples")]
    NoSamples { experiment: String },
    #[error("experiment `{experiment}`: {source}")]
    Fit { experiment: String, source: call_fit::Error },
}

impl Error {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NoFormula { .. } => "no-formula",
            Error::Formula { .. } => "wrong-formula",
            Error::TooManyTerms { .. } => "too-many-terms",
            Error::MissingVariable { .. } => "missing-variable",
            Error::NoSamples { .. } => "no-samples",
            Error::Fit { source, .. } => source.code(),
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            Error::NoFormula { .. } => "write one in its directive",
            Error::TooManyTerms { .. } => "leave some out",
            _ => return None,
        })
    }
}
