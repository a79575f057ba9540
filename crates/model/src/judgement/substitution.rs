use rayon::prelude::*;

use super::JudgedCase;
use super::absent::absent;
use super::trend::{IMPROBABLE, LEAST_SAMPLES, NEGLIGIBLE, WORTHWHILE};
use crate::Warning;
use crate::candidate::candidates;
use crate::columns::values_at_rows;
use crate::information::information;
use crate::student::chance_of_ratio;

/// What may stand in the place of a variable: itself and another one in C.
pub(super) type Substitute = (&'static str, fn(f64, f64) -> f64);

/// With another variable, of the formula or not: data are divided among processors, or grow with them.
const OF_TWO: [Substitute; 4] = [
    ("{u}/{v}", |u, v| u / v),
    ("{u}*{v}", |u, v| u * v),
    ("{u}/sqrt({v})", |u, v| u / v.sqrt()),
    ("{u}*sqrt({v})", |u, v| u * v.sqrt()),
];

/// Alone: the side of a square, or its area.
const OF_ONE: [Substitute; 2] = [("sqrt({u})", |u, _| u.sqrt()), ("{u}*{u}", |u, _| u * u)];

/// What is left of the residuals if a variable of the formula is another one.
struct SubstitutedFit {
    variable: String,
    expression: String,
    residual_sum: f64,
}

/// A change of a variable after which the formula, in one cell and without a further term, fits much better: by the criterion of
/// missing terms, and better than any of those. For several cells it has to do what they do.
pub(super) fn warning(case: &JudgedCase) -> Option<Warning> {
    let (model, sampled) = (case.model, case.sampled);
    let is_accurate = model.cells().iter().all(|cell| cell.fit.rms_relative_error < NEGLIGIBLE);
    if is_accurate || sampled.len() < LEAST_SAMPLES || sampled.len() > MOST_SAMPLES {
        return None;
    }
    let rows: Vec<usize> = (0..sampled.len()).collect();
    let rank = sampled.fit(&rows, &[])?.rank;
    let cells = model.cells().len();
    let parameters = model.cells().iter().map(|cell| cell.fit.rank).sum::<usize>() + cells - 1;
    let floor = sampled.rounding(&rows);
    let before: f64 = rows.iter().map(|row| sampled.scaled_residual(*row).powi(2)).sum();
    let (all, tried) = changes(case, &rows, rank);
    let best = all.into_iter().min_by(|a, b| a.residual_sum.total_cmp(&b.residual_sum))?;
    let left = best.residual_sum.max(floor);
    let freedom = sampled.len().checked_sub(rank + 1).filter(|freedom| *freedom > 0)? as f64;
    let chance = chance_of_ratio((before - left) / (left / freedom), 1.0, freedom) * tried as f64;
    let share = 1.0 - left / before;
    let is_worthwhile = chance < IMPROBABLE && share > WORTHWHILE;
    let changed = information(sampled.len(), left, rank);
    let is_better = || {
        changed < information(sampled.len(), before.max(floor), parameters)
            && changed < information(sampled.len(), best_term(case, &rows).max(floor), rank + 1)
    };
    let SubstitutedFit { variable, expression, .. } = best;
    (is_worthwhile && is_better()).then_some(Warning::OtherVariable { variable, expression, share })
}

/// More show a change in a part of them as well.
const MOST_SAMPLES: usize = 20_000;

/// All changes with a fit, and how many were tried.
fn changes(case: &JudgedCase, rows: &[usize], rank: usize) -> (Vec<SubstitutedFit>, usize) {
    let formula = &case.model.formula;
    let variables = formula.variables();
    let sampled = case.sampled;
    let own = variables.iter().map(|variable| variable.name()).zip(sampled.variables.iter().cloned());
    let of_rows = |column: &Vec<f64>| sampled.sample.iter().map(|row| column[*row]).collect::<Vec<f64>>();
    let others = absent(case).into_iter().map(|(name, column)| (name.as_str(), of_rows(column)));
    let known: Vec<(&str, Vec<f64>)> = own.chain(others).collect();
    let mut all: Vec<(usize, usize, Substitute)> = Vec::new();
    for u in 0..variables.len() {
        let others = (0..known.len()).filter(|v| *v != u);
        all.extend(others.flat_map(|v| OF_TWO.map(|change| (u, v, change))));
        all.extend(OF_ONE.map(|change| (u, u, change)));
    }
    let tried = all.len();
    let changed = |(u, v, (text, value)): (usize, usize, Substitute)| {
        let values: Vec<f64> = known[u].1.iter().zip(&known[v].1).map(|(u, v)| value(*u, *v)).collect();
        let mut columns: Vec<&[f64]> = sampled.variables.iter().map(Vec::as_slice).collect();
        columns[u] = &values;
        let terms = formula.terms().iter();
        let basis: Vec<Vec<f64>> =
            terms.map(|term| values_at_rows(&term.basis, &columns, rows.len())).collect();
        let basis: Vec<&[f64]> = basis.iter().map(Vec::as_slice).collect();
        let fit = sampled.fit_columns(rows, &basis)?;
        (fit.rank == rank && fit.samples_dropped == 0).then(|| SubstitutedFit {
            variable: known[u].0.to_owned(),
            expression: text.replace("{u}", known[u].0).replace("{v}", known[v].0),
            residual_sum: fit.residual_sum_of_squares,
        })
    };
    (all.into_par_iter().filter_map(changed).collect(), tried)
}

/// What the best further term leaves of the residuals.
fn best_term(case: &JudgedCase, rows: &[usize]) -> f64 {
    let left = |candidate| {
        let column = case.sampled.column(candidate);
        let fit = case.sampled.fit(rows, &[&column])?;
        (fit.samples_dropped == 0).then_some(fit.residual_sum_of_squares)
    };
    let all = candidates(&case.model.formula);
    let sums = all.par_iter().filter_map(|candidate| left(&candidate.basis));
    sums.reduce(|| f64::INFINITY, f64::min)
}
