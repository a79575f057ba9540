use call_fit::Fit;

use super::JudgedCase;
use crate::Warning;
use crate::student::{chance_of_ratio, student_reach};
use crate::warning::{Cure, Needed};

/// Constants whose errors are correlated like this can be exchanged for each other.
const ALIKE: f64 = 0.95;

/// Terms that the samples of a cell cannot tell apart: not at all, or not within the noise.
pub(super) fn warnings(case: &JudgedCase) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let name = |term: usize| {
        format!("{}[{}]", case.model.formula.experiment(), case.model.formula.terms()[term].coefficient.0)
    };
    for (index, cell) in case.model.cells().iter().enumerate() {
        let undetermined = cell.fit.undetermined();
        if !undetermined.is_empty() {
            let constants = undetermined.iter().map(|term| name(*term)).collect();
            let cure = Some(cure(case, index, |fit| fit.null_directions.is_empty()));
            warnings.push(Warning::Undetermined { constants, cell: case.model.describe(cell), cure });
        }
        for (a, b, correlation) in confused(case, index) {
            let now =
                fit_with(case, &case.sampled.rows_of(index), &[]).map_or(f64::INFINITY, |fit| fit.condition);
            let cure = Some(cure(case, index, |fit| fit.condition < now / 3.0));
            let constants = vec![name(a), name(b)];
            let cell = case.model.describe(cell);
            warnings.push(Warning::Confused { constants, correlation, cell, cure });
        }
    }
    warnings
}

/// Pairs of terms with constants that each may be zero, but not both, and the correlation of their errors. A bound that holds one
/// of them at 0 would hide that, so it goes by a fit without; but not of a cell alone that shares constants with others, which
/// know of them what it does not.
pub(super) fn confused(case: &JudgedCase, index: usize) -> Vec<(usize, usize, f64)> {
    let shares = |sets: &Vec<usize>| sets.iter().filter(|set| **set == sets[index]).count() > 1;
    let fit = match case.model.segmentation.sets.iter().any(shares) {
        true => Some(case.model.cells()[index].fit.clone()),
        false => case.sampled.fit(&case.sampled.rows_of(index), &[]),
    };
    let Some(fit) = fit else { return Vec::new() };
    let freedom = fit.degrees_of_freedom as f64;
    let reach = student_reach(0.95, freedom);
    let terms = fit.coefficients.len();
    let may_be_zero = |term: usize| {
        let error = fit.standard_errors[term];
        error.is_finite() && fit.coefficients[term].abs() <= reach * error
    };
    let mut pairs = Vec::new();
    for b in 0..terms {
        for a in 0..b {
            if !may_be_zero(a) || !may_be_zero(b) {
                continue;
            }
            let covariance = |i: usize, j: usize| fit.covariance[i * terms + j];
            let correlation =
                (covariance(a, b) / covariance(a, a).sqrt() / covariance(b, b).sqrt()).clamp(-1.0, 1.0);
            if correlation.abs() > ALIKE && is_needed(case, index, &[a, b]) {
                pairs.push((a, b, correlation));
            }
        }
    }
    pairs
}

/// Whether the fit is much worse without these terms.
fn is_needed(case: &JudgedCase, index: usize, without: &[usize]) -> bool {
    let rows = case.sampled.rows_of(index);
    let kept = case.sampled.basis.iter().enumerate().filter(|(term, _)| !without.contains(term));
    let basis: Vec<&[f64]> = kept.map(|(_, column)| column.as_slice()).collect();
    let Some(whole) = case.sampled.fit(&rows, &[]) else { return false };
    // Without any other term there is nothing left to fit.
    let Some(part) = case.sampled.fit_columns(&rows, &basis) else { return true };
    let freedom = whole.samples_used.saturating_sub(whole.rank) as f64;
    let dropped = without.len() as f64;
    let more = (part.residual_sum_of_squares - whole.residual_sum_of_squares) / dropped;
    chance_of_ratio(more / (whole.residual_sum_of_squares / freedom), dropped, freedom) < 0.01
}

/// The fewest variables that have to be varied so that the terms of a cell come apart.
fn cure(case: &JudgedCase, index: usize, is_enough: impl Fn(&Fit) -> bool) -> Cure {
    let variables = case.model.formula.variables();
    let rows = case.sampled.rows_of(index);
    let comes_apart = |added: &[Vec<f64>]| fit_with(case, &rows, added).is_some_and(|fit| is_enough(&fit));
    let needed = |varied: &[usize]| -> Vec<Needed> {
        let needed = varied.iter().map(|&variable| Needed {
            variable: variables[variable].name().to_owned(),
            values: new_values(case, &rows, variable),
        });
        needed.collect()
    };
    let count = variables.len();
    let singles = (0..count).map(|v| vec![v]);
    let pairs = (0..count).flat_map(|v| (0..v).map(move |u| vec![u, v]));
    if let Some(varied) = singles.chain(pairs).find(|varied| comes_apart(&additions(case, &rows, varied))) {
        return Cure::Measure(needed(&varied));
    }
    let one_by_one = |varied: &[usize]| {
        let added: Vec<Vec<f64>> = varied.iter().flat_map(|v| additions(case, &rows, &[*v])).collect();
        comes_apart(&added)
    };
    let mut varied: Vec<usize> = (0..count).collect();
    if count < 3 || !one_by_one(&varied) {
        return Cure::RemoveOne;
    }
    for variable in 0..count {
        let fewer: Vec<usize> = varied.iter().copied().filter(|other| *other != variable).collect();
        if one_by_one(&fewer) {
            varied = fewer;
        }
    }
    Cure::MeasureEach(needed(&varied))
}

/// Twice and four times the largest sampled value.
fn new_values(case: &JudgedCase, rows: &[usize], variable: usize) -> Vec<f64> {
    let largest = case.sampled.values(variable, rows).last().copied().unwrap_or(1.0);
    if largest > 0.0 { vec![2.0 * largest, 4.0 * largest] } else { vec![1.0, 2.0] }
}

/// New points: the first, the middle and the last sampled one, with some variables at new values.
fn additions(case: &JudgedCase, rows: &[usize], varied: &[usize]) -> Vec<Vec<f64>> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    let mut points: Vec<Vec<f64>> =
        [*first, rows[rows.len() / 2], *last].iter().map(|row| case.sampled.point(*row)).collect();
    for variable in varied {
        let values = new_values(case, rows, *variable);
        let moved = points.iter().flat_map(|point| {
            values.iter().map(|value| {
                let mut point = point.clone();
                point[*variable] = *value;
                point
            })
        });
        points = moved.collect();
    }
    points
}

/// A fit of the points of a cell and of new ones; only what it says about the terms has a meaning.
fn fit_with(case: &JudgedCase, rows: &[usize], added: &[Vec<f64>]) -> Option<Fit> {
    let terms = case.model.formula.terms();
    let basis: Vec<Vec<f64>> = terms
        .iter()
        .zip(&case.sampled.basis)
        .map(|(term, column)| {
            let old = rows.iter().map(|row| column[*row]);
            old.chain(added.iter().map(|point| term.basis.evaluate(point))).collect()
        })
        .collect();
    let scale_at = |point: &Vec<f64>| {
        let predicted = case.model.predict(point).time_s;
        case.model.noise_scale_s(predicted, f64::MIN_POSITIVE)
    };
    let scales = rows.iter().map(|row| case.sampled.scale_s[*row]).chain(added.iter().map(scale_at));
    let observed: Vec<f64> = scales.collect();
    let weights: Vec<f64> = observed.iter().map(|scale| scale.powi(-2)).collect();
    let basis = basis.iter().map(Vec::as_slice).collect();
    call_fit::least_squares(&call_fit::FitSamples { basis, observed: &observed, weights: &weights }).ok()
}
