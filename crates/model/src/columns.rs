//! A formula over columns of values, one for each variable.

use call_grammar::{Expression, Formula};
use rayon::prelude::*;

use crate::Error;

/// The smallest and largest value of a variable among the samples.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SampledRange {
    pub lowest: f64,
    pub highest: f64,
    /// Sizes and numbers of processors are whole where all samples are.
    pub is_whole: bool,
}

impl SampledRange {
    pub(crate) fn of(column: &[f64]) -> SampledRange {
        let finite = || column.iter().copied().filter(|value| value.is_finite());
        SampledRange {
            lowest: finite().fold(f64::INFINITY, f64::min),
            highest: finite().fold(f64::NEG_INFINITY, f64::max),
            is_whole: column.iter().all(|value| value.fract() == 0.0),
        }
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
