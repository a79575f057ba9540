use call_fit::{Cell, FitSamples, PureError, Segmentation, SignReason, Weighting, WeightingReason, weigh};
use call_grammar::{CoefficientId, Expression, Formula};
use call_trace::{Folding, Repetitions, Unit};
use rayon::prelude::*;

use crate::{Error, Prepared, Settings, Warning};

/// The smallest and largest value of a variable among the samples.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SampledRange {
    pub lowest: f64,
    pub highest: f64,
    /// Sizes and numbers of processors are whole where all samples are.
    pub is_whole: bool,
}

/// A fitted formula: in each cell of the space of its variables the constants have one value.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) formula: Formula,
    pub(crate) unit: Unit,
    pub(crate) segmentation: Segmentation,
    pub(crate) ranges: Vec<SampledRange>,
    pub(crate) weighting: (Weighting, WeightingReason),
    pub(crate) settings: Settings,
}

/// How much the samples vary that medians or minima of repetitions are; unknown where only summaries were kept of some.
fn pure_error(prepared: &Prepared, weights: &[f64]) -> Option<PureError> {
    let is_of_samples = |all: &&Repetitions| all.ends.len() == prepared.samples().len();
    let weight = |row: usize| weights.get(row).copied().unwrap_or(1.0);
    let times = prepared.repetitions().filter(is_of_samples)?.times();
    let folded = times.enumerate().map(|(row, times)| (weight(row), times));
    match prepared.settings().folding {
        Folding::Median => PureError::of_medians(folded),
        Folding::Minimum => PureError::of_minima(folded),
        _ => None,
    }
}

impl Model {
    /// Fits the formula of an experiment to its samples, with the settings that they were prepared for (paper, section 3: linear fit, recursive splitting).
    ///
    /// # Errors
    /// No formula, no samples, a variable without column, or nothing that can be fitted.
    pub fn fit(prepared: &Prepared) -> Result<Model, Error> {
        let name = prepared.experiment().to_owned();
        let formula = prepared.formula()?;
        let (samples, settings) = (prepared.samples(), prepared.settings());
        if samples.is_empty() {
            return Err(Error::NoSamples { experiment: name });
        }
        let variables = columns(&formula, &samples.names, &samples.columns)?;
        let basis = basis_columns(&formula, &variables, samples.len());
        let unweighted = FitSamples {
            basis: basis.iter().map(Vec::as_slice).collect(),
            observed: &samples.time_s,
            weights: &[],
        };
        let scatter = prepared.scatter(&formula)?;
        let weights = weigh(settings.weighting, &unweighted, &variables, scatter.as_ref());
        let pure_error = pure_error(prepared, &weights.values).or(weights.pure_error);
        let fit_samples = FitSamples { weights: &weights.values, ..unweighted };
        let segmentation = call_fit::segment(&fit_samples, &variables, &settings.options(pure_error))
            .map_err(|source| Error::Fit { experiment: name, source })?;
        let ranges = variables.iter().map(|column| range(column)).collect();
        let weighting = (weights.applied, weights.reason);
        let unit = prepared.unit().clone();
        Ok(Model { formula, unit, segmentation, ranges, weighting, settings: settings.clone() })
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The unit of what it was fitted to, hence of all that is called a time.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The settings that it was fitted with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The cells with their fits; together they cover the whole space of the variables.
    pub fn cells(&self) -> &[Cell] {
        &self.segmentation.cells
    }

    /// How the splitting went.
    pub fn segmentation(&self) -> &Segmentation {
        &self.segmentation
    }

    /// Which errors the fit made small, never [`Weighting::Automatic`], and why.
    pub fn weighting(&self) -> (Weighting, WeightingReason) {
        self.weighting
    }

    /// Whether constants were kept from being negative, and why.
    pub fn sign(&self) -> SignReason {
        self.segmentation.sign
    }

    /// The sampled range of each variable, in the order of [`Formula::variables`].
    pub fn ranges(&self) -> &[SampledRange] {
        &self.ranges
    }

    /// For each variable the last values of its intervals, ascending.
    pub fn borders(&self) -> Vec<Vec<f64>> {
        let of_variable = |variable: usize| {
            let uppers = self.cells().iter().map(|cell| cell.intervals[variable].upper);
            ascending(uppers.filter(|upper| upper.is_finite()).collect())
        };
        (0..self.formula.variables().len()).map(of_variable).collect()
    }

    /// Position of a constant among the terms.
    pub fn term_of(&self, coefficient: CoefficientId) -> Option<usize> {
        self.formula.terms().iter().position(|term| term.coefficient == coefficient)
    }

    /// What the user should know about the fit.
    pub fn warnings(&self) -> Vec<Warning> {
        Warning::of_fit(self)
    }
}

/// Different values in ascending order.
pub(crate) fn ascending(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// No samples determine more constants, and the time of a fit grows with their cube.
const MOST_TERMS: usize = 100;

/// The formula of an experiment.
pub(crate) fn formula(experiment: &str, text: Option<&str>) -> Result<Formula, Error> {
    let name = || experiment.to_owned();
    let text = text.ok_or_else(|| Error::NoFormula { experiment: name() })?;
    let formula =
        Formula::parse(experiment, text).map_err(|errors| Error::Formula { experiment: name(), errors })?;
    let terms = formula.terms().len();
    if terms > MOST_TERMS {
        return Err(Error::TooManyTerms { experiment: name(), terms, most: MOST_TERMS });
    }
    Ok(formula)
}

/// Of columns with these names those of a formula's variables, in their order.
pub(crate) fn columns<'a>(
    formula: &Formula,
    names: &[String],
    columns: &'a [Vec<f64>],
) -> Result<Vec<&'a [f64]>, Error> {
    let column = |variable: &call_grammar::Variable| {
        let position = names.iter().position(|name| name == variable.name());
        position.and_then(|position| columns.get(position)).map(Vec::as_slice).ok_or_else(|| {
            Error::MissingVariable {
                experiment: formula.experiment().to_owned(),
                variable: variable.name().to_owned(),
            }
        })
    };
    formula.variables().iter().map(column).collect()
}

/// For each term its value without the constant, at each row.
pub(crate) fn basis_columns(formula: &Formula, variables: &[&[f64]], rows: usize) -> Vec<Vec<f64>> {
    formula.terms().iter().map(|term| values_at_rows(&term.basis, variables, rows)).collect()
}

/// Rows that one thread evaluates at once.
const ROWS_AT_ONCE: usize = 1 << 13;

/// The value of an expression at each row of the columns of its variables.
pub(crate) fn values_at_rows(expression: &Expression, variables: &[&[f64]], rows: usize) -> Vec<f64> {
    let mut values = vec![0.0; rows];
    values.par_chunks_mut(ROWS_AT_ONCE).enumerate().for_each(|(chunk, values)| {
        let mut point = vec![0.0; variables.len()];
        for (offset, value) in values.iter_mut().enumerate() {
            for (coordinate, column) in point.iter_mut().zip(variables) {
                *coordinate = column[chunk * ROWS_AT_ONCE + offset];
            }
            *value = expression.evaluate(&point);
        }
    });
    values
}

pub(crate) fn range(column: &[f64]) -> SampledRange {
    let finite = || column.iter().copied().filter(|value| value.is_finite());
    SampledRange {
        lowest: finite().fold(f64::INFINITY, f64::min),
        highest: finite().fold(f64::NEG_INFINITY, f64::max),
        is_whole: column.iter().all(|value| value.fract() == 0.0),
    }
}
