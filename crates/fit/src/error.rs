//! Why a fit or a segmentation cannot be made.

/// One variant a cause, with the numbers that prove it.
///
/// Rank deficiency is not among them: it is an answer, reported in [`Fit::rank`](crate::Fit::rank) and
/// [`Fit::undetermined`](crate::Fit::undetermined).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The design matrix has no column, so there is nothing to fit.
    #[error("the model has no terms")]
    NoTerms,

    /// A column of the design matrix is longer or shorter than the column of observations.
    #[error("basis column {column} has {found} entries, but there are {expected} observations")]
    ColumnLength {
        /// Index of the column.
        column: usize,
        /// Number of observations.
        expected: usize,
        /// Number of entries of the column.
        found: usize,
    },

    /// The weights are neither absent nor one for each observation.
    #[error("there are {found} weights, but {expected} observations")]
    WeightsLength {
        /// Number of observations.
        expected: usize,
        /// Number of weights.
        found: usize,
    },

    /// A variable of a segmentation is longer or shorter than the column of observations.
    #[error("variable {variable} has {found} entries, but there are {expected} observations")]
    VariableLength {
        /// Index of the variable.
        variable: usize,
        /// Number of observations.
        expected: usize,
        /// Number of entries of the variable.
        found: usize,
    },

    /// Weights multiply squared residuals; a negative one has no meaning.
    #[error("sample {sample} has the negative weight {weight}")]
    NegativeWeight {
        /// Index of the sample.
        sample: usize,
        /// Its weight.
        weight: f64,
    },

    /// Nothing is left to fit.
    #[error("no usable sample: {dropped} of {samples} samples were dropped")]
    NoSamples {
        /// Number of samples given.
        samples: usize,
        /// How many of them are not finite or have no weight.
        dropped: usize,
    },

    /// A result does not fit into a double, although every sample does.
    #[error("the {quantity} exceeds the range of a double")]
    Overflow {
        /// Which result.
        quantity: &'static str,
    },

    /// The iteration for the singular values did not end.
    #[error("the singular values of the {terms} by {terms} triangle did not converge")]
    NotConverged {
        /// Number of terms of the model.
        terms: usize,
    },

    /// The error threshold is negative or not a number.
    #[error("the error threshold {threshold} is not a number >= 0")]
    ErrorThreshold {
        /// The threshold given.
        threshold: f64,
    },

    /// A segmentation has at least one cell.
    #[error("the number-of-intervals threshold is 0, but at least one interval is needed")]
    IntervalsThreshold,
}

impl Error {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NoTerms => "no-terms",
            Error::ColumnLength { .. } => "column-length",
            Error::WeightsLength { .. } => "weights-length",
            Error::VariableLength { .. } => "variable-length",
            Error::NegativeWeight { .. } => "negative-weight",
            Error::NoSamples { .. } => "no-usable-samples",
            Error::Overflow { .. } => "overflow",
            Error::NotConverged { .. } => "not-converged",
            Error::ErrorThreshold { .. } => "error-threshold",
            Error::IntervalsThreshold => "intervals-threshold",
        }
    }
}
