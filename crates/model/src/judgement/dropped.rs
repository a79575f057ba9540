use super::JudgedCase;
use crate::Warning;
use crate::columns::{basis_columns, columns};

/// The warning of samples that were left out, with the first point where the formula has no finite value.
pub(super) fn located(warning: Warning, case: &JudgedCase) -> Warning {
    match warning {
        Warning::Dropped { samples, .. } => Warning::Dropped { samples, point: first_point(case) },
        other => other,
    }
}

fn first_point(case: &JudgedCase) -> Vec<(String, f64)> {
    let (formula, samples) = (&case.model.formula, case.prepared.samples());
    let Ok(columns) = columns(formula, &samples.names, &samples.columns) else { return Vec::new() };
    let basis = basis_columns(formula, &columns, samples.len());
    let is_finite = |row: usize| basis.iter().all(|column| column[row].is_finite());
    let Some(row) = (0..samples.len()).find(|row| !is_finite(*row)) else { return Vec::new() };
    let named =
        |(variable, column): (&call_grammar::Variable, &&[f64])| (variable.name().to_owned(), column[row]);
    formula.variables().iter().zip(&columns).map(named).collect()
}
