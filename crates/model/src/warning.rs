use std::fmt;

use call_fit::Outcome;

use crate::Model;

/// More intervals than this on one variable suggest that the formula is wrong (paper, section 3).
const MANY_INTERVALS: usize = 3;

/// What the user should know about a model. The text says what to do.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the texts say it")]
pub enum Warning {
    /// More than three intervals on a variable (paper, section 3).
    ManyIntervals { variable: String, count: usize },
    /// The splitting stopped before the errors were under the threshold.
    ErrorsRemain { error: f64, threshold: f64, outcome: Outcome },
    /// Constants that the samples do not determine.
    Undetermined { constants: Vec<String>, cell: String },
    /// Samples without finite values for the formula.
    Dropped { samples: usize },
    /// A constant that is negative beyond doubt: costs are not.
    Negative { constant: String, value: f64 },
}

impl Warning {
    pub(crate) fn of_fit(model: &Model) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (index, variable) in model.formula.variables().iter().enumerate() {
            let mut uppers: Vec<f64> = model.cells().iter().map(|cell| cell.intervals[index].upper).collect();
            uppers.sort_by(f64::total_cmp);
            uppers.dedup();
            if uppers.len() > MANY_INTERVALS {
                warnings.push(Warning::ManyIntervals {
                    variable: variable.name().to_owned(),
                    count: uppers.len(),
                });
            }
        }
        let threshold = model.settings().thresholds.error;
        let error = model.cells().iter().map(|cell| cell.fit.rms_relative_error).fold(0.0, f64::max);
        if error > threshold {
            let outcome = model.segmentation.outcome;
            warnings.push(Warning::ErrorsRemain { error, threshold, outcome });
        }
        let experiment = model.formula.experiment();
        for cell in model.cells() {
            let constant =
                |term: usize| format!("{experiment}[{}]", model.formula.terms()[term].coefficient.0);
            if !cell.fit.undetermined.is_empty() {
                let constants = cell.fit.undetermined.iter().map(|term| constant(*term)).collect();
                warnings.push(Warning::Undetermined { constants, cell: model.describe(cell) });
            }
            for (term, value) in cell.fit.coefficients.iter().enumerate() {
                if *value < -3.0 * cell.fit.standard_errors[term] && !cell.fit.undetermined.contains(&term) {
                    warnings.push(Warning::Negative { constant: constant(term), value: *value });
                }
            }
        }
        let in_cells: usize = model.cells().iter().map(|cell| cell.fit.samples_dropped).sum();
        let dropped = in_cells + model.segmentation.unlocated.len();
        if dropped > 0 {
            warnings.push(Warning::Dropped { samples: dropped });
        }
        warnings
    }
}

impl Model {
    /// A cell in words: the ranges of the variables that are split.
    pub fn describe(&self, cell: &call_fit::Cell) -> String {
        let mut ranges = Vec::new();
        for range in self.cell_ranges(cell) {
            match (range.lower_included, range.upper) {
                (true, f64::INFINITY) => {}
                (true, upper) => ranges.push(format!("{} <= {upper}", range.variable)),
                (false, f64::INFINITY) => ranges.push(format!("{} > {}", range.variable, range.lower)),
                (false, upper) => ranges.push(format!("{} < {} <= {upper}", range.lower, range.variable)),
            }
        }
        if ranges.is_empty() { "all samples".to_owned() } else { ranges.join(", ") }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::ManyIntervals { variable, count } => write!(
                out,
                "{count} intervals on {variable}: more than {MANY_INTERVALS} suggest that the formula is wrong"
            ),
            Warning::ErrorsRemain { error, threshold, outcome } => {
                let why = match outcome {
                    Outcome::WithinThreshold => "",
                    Outcome::NoBetterSplit => "noise, or a term is missing, as no split helps",
                    Outcome::LimitReached => "the limit of intervals is reached (`set intervals`)",
                    Outcome::TooFewSamples => "there are too few samples to split further",
                };
                let (error, threshold) = (100.0 * error, 100.0 * threshold);
                write!(out, "errors of {error:.1} % exceed the threshold of {threshold:.1} %: {why}")
            }
            Warning::Undetermined { constants, cell } => write!(
                out,
                "the samples cannot tell {} apart ({cell}): only their sum is known; vary the variables independently",
                constants.join(", ")
            ),
            Warning::Dropped { samples } => {
                write!(out, "{samples} samples left out: the formula or the time is not finite there")
            }
            Warning::Negative { constant, value } => write!(
                out,
                "{constant} = {value:.3e} is negative, costs are not: the formula has a term too many or lacks one"
            ),
        }
    }
}
