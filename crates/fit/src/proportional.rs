//! Fits where noise is in proportion to the time.
//!
//! Weights of 1 / measured² count a sample the more the more noise has lowered it, which bends the whole fit down: by 2 % with 10 % of
//! noise, by more than a fourth with 30 %. The noise of a sample is in proportion to its time without noise, for which the fitted one
//! stands: fit and weights take turns (Wedderburn, Biometrika 61, 1974).

use rayon::prelude::*;

use crate::relative::relative;
use crate::{Error, Fit, FitSamples, SegmentOptions, Segmentation, least_squares, locate, segment};

/// Turns that fit and weights take at most, and the change of a fitted time from which on they have settled.
const TURNS: usize = 12;
const SETTLED: f64 = 1e-10;

/// So many samples say what weights all of them have.
const ENOUGH: usize = 2048;

/// A fitted time below this share of a measured one is a mistake of the formula, no scale of noise.
const LEAST_SHARE: f64 = 0.25;

/// What the noise of a sample is in proportion to, given its fitted time and the mean of what was measured at its point.
pub fn proportional_scale(fitted: f64, measured: f64) -> f64 {
    fitted.max(LEAST_SHARE * measured)
}

/// [`segment()`] with weights in proportion to 1 / fitted². Those of `samples` are the weights to begin with, 1 / measured².
///
/// # Errors
///
/// Those of [`segment()`].
pub fn segment_in_proportion(
    samples: &FitSamples,
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Result<Segmentation, Error> {
    let rows = some_rows(samples.len());
    if rows.len() == samples.len() {
        return in_turns(samples, variables, options);
    }
    let few = samples.select(&rows);
    let few_variables: Vec<Vec<f64>> =
        variables.iter().map(|column| rows.iter().map(|&row| column[row]).collect()).collect();
    let few_variables: Vec<&[f64]> = few_variables.iter().map(Vec::as_slice).collect();
    let found = in_turns(&few.borrow(), &few_variables, options)?;
    let weights = weights(samples, |row, point| fitted_time(&found, samples, variables, row, point));
    segment(&FitSamples { weights: &weights, ..samples.clone() }, variables, options)
}

fn in_turns(
    samples: &FitSamples,
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Result<Segmentation, Error> {
    let mut found = segment(samples, variables, options)?;
    let mut fitted = fitted_times(&found, samples, variables);
    for _ in 0..TURNS {
        let weights = weights(samples, |row, _| fitted[row]);
        found = segment(&FitSamples { weights: &weights, ..samples.clone() }, variables, options)?;
        let next = fitted_times(&found, samples, variables);
        let is_settled = fitted.iter().zip(&next).all(|(a, b)| (a - b).abs() <= SETTLED * a.abs());
        fitted = next;
        if is_settled {
            break;
        }
    }
    Ok(found)
}

/// The fitted time of each sample.
fn fitted_times(found: &Segmentation, samples: &FitSamples, variables: &[&[f64]]) -> Vec<f64> {
    let fitted = |point: &mut Vec<f64>, row| fitted_time(found, samples, variables, row, point);
    (0..samples.len()).into_par_iter().map_init(Vec::new, fitted).collect()
}

/// The fitted time of a sample; NaN if it belongs to no cell. `point` is room for its variables.
fn fitted_time(
    found: &Segmentation,
    samples: &FitSamples,
    variables: &[&[f64]],
    row: usize,
    point: &mut Vec<f64>,
) -> f64 {
    point.clear();
    point.extend(variables.iter().map(|column| column[row]));
    let Some(cell) = locate(&found.cells, point) else { return f64::NAN };
    let terms = found.cells[cell].fit.coefficients.iter().zip(&samples.basis);
    terms.map(|(coefficient, column)| coefficient * column[row]).sum()
}

/// A fit of everything with such weights, and the weights; none where there is no fit.
pub(crate) fn fit_in_proportion(samples: &FitSamples) -> Option<(Fit, Vec<f64>)> {
    let first = relative(samples.observed);
    let first = FitSamples { weights: &first, ..samples.clone() };
    let mut fit = least_squares(&first).ok()?;
    let mut weights = first.weights.to_vec();
    for _ in 0..TURNS {
        weights = self::weights(&first, |row, _| samples.observed[row] - fit.residuals[row]);
        fit = least_squares(&FitSamples { weights: &weights, ..samples.clone() }).ok()?;
    }
    Some((fit, weights))
}

/// Weights of samples whose weights are 1 / measured² by their fitted times. What has no weight gets none.
fn weights(samples: &FitSamples, fitted: impl Fn(usize, &mut Vec<f64>) -> f64 + Sync) -> Vec<f64> {
    let weight = |point: &mut Vec<f64>, row: usize| {
        proportional_scale(fitted(row, point), samples.root_weight(row).recip()).powi(-2)
    };
    (0..samples.len()).into_par_iter().map_init(Vec::new, weight).collect()
}

/// Rows that stand for all, in no step with any order that these have.
pub(crate) fn some_rows(count: usize) -> Vec<usize> {
    if count <= ENOUGH {
        return (0..count).collect();
    }
    // Multiples of the golden ratio, modulo 1, are spread evenly.
    let share = ENOUGH as f64 / count as f64 * 2f64.powi(64);
    (0..count).filter(|row| ((*row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as f64) < share).collect()
}
