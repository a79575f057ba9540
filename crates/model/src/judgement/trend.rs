use rayon::prelude::*;

use super::JudgedCase;
use crate::Warning;
use crate::accuracy::rms_relative;
use crate::candidate::{CandidateTerm, candidates};
use crate::information::information;
use crate::student::{chance_above, chance_of_ratio};

/// How probable a trend of this strength may at most be by chance, all candidates taken together.
pub(super) const IMPROBABLE: f64 = 0.01;

/// A term has to take away this share of the residual sum: many samples make any trifle certain.
pub(super) const WORTHWHILE: f64 = 0.2;

/// Relative errors below this matter to nobody.
pub(super) const NEGLIGIBLE: f64 = 1e-3;

/// Fewer samples than this show no trend, unless a term explains them.
pub(super) const LEAST_SAMPLES: usize = 8;

/// With a further term there are to be so many degrees of freedom.
const LEAST_FREEDOM: usize = 2;

/// What a candidate does for the fit of some rows.
struct Gain {
    candidate: usize,
    residual_sum: f64,
    rms_relative: f64,
}

/// Each of them says that the formula is wrong.
pub(super) fn warnings(case: &JudgedCase) -> Vec<Warning> {
    let candidates = candidates(&case.model.formula);
    let columns: Vec<Option<Vec<f64>>> =
        candidates.par_iter().map(|candidate| column(case, candidate)).collect();
    if let Some(warning) = instead_of_intervals(case, &candidates, &columns) {
        return vec![warning];
    }
    let mut warnings = Vec::new();
    for cell in 0..case.model.cells().len() {
        let rows = case.sampled.rows_of(cell);
        let fit = &case.model.cells()[cell].fit;
        if fit.rms_relative_error < NEGLIGIBLE {
            continue;
        }
        let found = missing_term(case, cell, &rows, &candidates, &columns);
        let has_many = rows.len() >= LEAST_SAMPLES;
        warnings.extend(found.or_else(|| waves(case, cell, &rows).filter(|_| has_many)));
    }
    warnings
}

/// The candidate at each row; None if it is not finite somewhere.
fn column(case: &JudgedCase, candidate: &CandidateTerm) -> Option<Vec<f64>> {
    let column = case.sampled.column(&candidate.basis);
    column.iter().all(|value| value.is_finite()).then_some(column)
}

/// The candidate that lowers the residual sum of some rows most, if it is none of the formula's terms.
fn best(case: &JudgedCase, rows: &[usize], columns: &[Option<Vec<f64>>]) -> Option<Gain> {
    let rank = case.sampled.fit(rows, &[])?.rank;
    let gain = |(candidate, column): (usize, &Option<Vec<f64>>)| {
        let fit = case.sampled.fit(rows, &[column.as_ref()?])?;
        (fit.rank > rank).then_some(Gain {
            candidate,
            residual_sum: fit.residual_sum_of_squares,
            rms_relative: fit.rms_relative_error,
        })
    };
    let gains: Vec<Option<Gain>> = columns.par_iter().enumerate().map(gain).collect();
    gains.into_iter().flatten().min_by(|a, b| a.residual_sum.total_cmp(&b.residual_sum))
}

/// A term that takes away much of the residuals of a cell.
fn missing_term(
    case: &JudgedCase,
    cell: usize,
    rows: &[usize],
    candidates: &[CandidateTerm],
    columns: &[Option<Vec<f64>>],
) -> Option<Warning> {
    let fit = case.sampled.fit(rows, &[])?;
    let before = fit.residual_sum_of_squares;
    let gain = best(case, rows, columns)?;
    let freedom = rows.len().checked_sub(fit.rank + 1).filter(|freedom| *freedom >= LEAST_FREEDOM)? as f64;
    let ratio = (before - gain.residual_sum) / (gain.residual_sum / freedom);
    // Each candidate had a chance.
    let chance = chance_of_ratio(ratio, 1.0, freedom) * columns.len() as f64;
    let share = 1.0 - gain.residual_sum / before;
    (chance < IMPROBABLE && share > WORTHWHILE).then(|| Warning::MissingTerm {
        term: candidates[gain.candidate].text.clone(),
        share,
        cell: case.model.describe(&case.model.cells()[cell]),
    })
}

/// Residuals that follow each other along a variable, or along the predicted time, without being any candidate's.
fn waves(case: &JudgedCase, cell: usize, rows: &[usize]) -> Option<Warning> {
    let sampled = case.sampled;
    let names = case.model.formula.variables().iter().map(|variable| variable.name().to_owned());
    let columns: Vec<(String, &[f64])> = names
        .zip(sampled.variables.iter().map(Vec::as_slice))
        .chain([("the predicted time".to_owned(), sampled.predicted_s.as_slice())])
        .collect();
    let tests = columns.len() as f64;
    let strongest = columns
        .into_iter()
        .map(|(along, column)| {
            let mut order = rows.to_vec();
            order.sort_by(|a, b| column[*a].total_cmp(&column[*b]));
            let residuals: Vec<f64> = order.iter().map(|row| sampled.scaled_residual(*row)).collect();
            (succession(&residuals), along)
        })
        // The variables come before the predicted time, which may follow one of them.
        .reduce(|best, next| if next.0.z > best.0.z { next } else { best })?;
    let (succession, along) = strongest;
    (chance_above(succession.z) * tests < IMPROBABLE / 10.0).then(|| Warning::Trend {
        along,
        correlation: succession.correlation,
        cell: case.model.describe(&case.model.cells()[cell]),
    })
}

/// How much numbers are like their predecessors.
struct Succession {
    /// Correlation of neighbours.
    correlation: f64,
    /// The same in its standard deviations under chance.
    z: f64,
}

/// Von Neumann's ratio of the mean square successive difference to the variance: 2 by chance, with a variance of
/// 4 (n - 2) / (n² - 1) (Annals of Mathematical Statistics 12, 1941). Residuals of a fit alternate more than chance, which makes the
/// test a little too kind.
fn succession(numbers: &[f64]) -> Succession {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    let steps: f64 = numbers.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    if variance == 0.0 || count < 3.0 {
        return Succession { correlation: 0.0, z: 0.0 };
    }
    let ratio = steps / variance;
    let deviation = (4.0 * (count - 2.0) / (count * count - 1.0)).sqrt();
    Succession { correlation: 1.0 - ratio / 2.0, z: (2.0 - ratio) / deviation }
}

/// Errors no larger than so many times those of the intervals are as good.
const AS_GOOD: f64 = 1.1;

/// What is off by more describes nothing.
const DESCRIBES: f64 = 0.5;

/// One more term that does for all samples together what the intervals do.
fn instead_of_intervals(
    case: &JudgedCase,
    candidates: &[CandidateTerm],
    columns: &[Option<Vec<f64>>],
) -> Option<Warning> {
    let cells = case.model.cells();
    if cells.len() < 2 {
        return None;
    }
    let rows: Vec<usize> = (0..case.sampled.len()).collect();
    let gain = best(case, &rows, columns)?;
    let split: f64 = rows.iter().map(|row| case.sampled.scaled_residual(*row).powi(2)).sum();
    let parameters = cells.iter().map(|cell| cell.fit.rank).sum::<usize>() + cells.len() - 1;
    let rank = case.sampled.fit(&rows, &[])?.rank;
    let floor = case.sampled.rounding(&rows);
    let one = information(rows.len(), gain.residual_sum.max(floor), rank + 1);
    let several = information(rows.len(), split.max(floor), parameters);
    let is_accurate = gain.rms_relative <= case.model.settings().thresholds.error;
    let own_error = rms_relative(&case.sampled.measured_s, &case.sampled.predicted_s);
    let is_as_good = gain.rms_relative <= (AS_GOOD * own_error).min(DESCRIBES);
    (one < several && is_as_good || is_accurate && several == f64::MAX).then(|| {
        Warning::TermInsteadOfIntervals {
            term: candidates[gain.candidate].text.clone(),
            cells: cells.len(),
            error: gain.rms_relative,
        }
    })
}
