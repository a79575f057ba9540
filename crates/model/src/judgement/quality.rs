use call_grammar::CoefficientId;

use super::leave_one_out::{Errors, LeaveOneOut};
use super::trend::LEAST_SAMPLES;
use super::{HeldOut, JudgedCase};
use crate::Warning;
use crate::accuracy::{relative_errors, rms_relative, smape_percent};
use crate::model::scatter_of_repetitions;
use crate::student::{chance_of_ratio, student_reach};

/// How well a model agrees with its samples. Sums run over the n samples of the fit, y measured and f predicted, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct FitQuality {
    /// Samples, n.
    pub samples: usize,
    /// Different points among them.
    pub points: usize,
    /// R² = 1 - sum (y - f)² / sum (y - mean y)²: the share of the variation of the times that the model explains, 1 at best and
    /// negative if the mean would do better. Long times rule it. `None` if all times are equal: there is nothing to explain.
    pub r_squared: Option<f64>,
    /// SMAPE = 100 mean of 2 |y - f| / (|y| + |f|), from 0 to 200 %; what is 0 and predicted to be 0 has no error.
    pub smape_percent: f64,
    /// Root of the mean of ((y - f) / y)² over the samples with y other than 0; 0.05 is 5 %.
    pub rms_relative: f64,
    /// Largest |y - f| / |y| of them.
    pub worst_relative: f64,
    /// Standard deviation of the noise, as a share of the time, from the residuals of all cells with their degrees of freedom. NaN
    /// if there are no more samples than constants.
    pub noise_relative: f64,
    /// The same figures where each sample is predicted from all others; `None` if a cell has no more samples than constants.
    pub leave_one_out: Option<LeaveOneOut>,
    /// For each variable, how the largest values are predicted from the smaller ones; variables with too few values have none.
    pub held_out: Vec<HeldOut>,
    /// Each constant in each cell, cell by cell.
    pub constants: Vec<Estimate>,
}

/// A constant in one cell, and how well it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The constant.
    pub coefficient: CoefficientId,
    /// Position of the cell in [`Model::cells`](crate::Model::cells).
    pub cell: usize,
    /// Its value, in seconds per unit of the term's basis.
    pub value: f64,
    /// Standard error; infinite if the samples do not determine the constant, NaN without degrees of freedom.
    pub standard_error: f64,
    /// Ends of the confidence interval: value -+ standard error times the quantile of Student's t with the degrees of freedom of
    /// the cell. It may reach below 0. Infinite where nothing is known.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// A sample with what the model says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Residual {
    /// The values of the formula's variables.
    pub point: Vec<f64>,
    /// Position of the cell.
    pub cell: usize,
    /// Measured time.
    pub measured_s: f64,
    /// Predicted time.
    pub predicted_s: f64,
    /// (measured - predicted) / measured; 0 if both are 0, infinite if only the measured time is.
    pub relative: f64,
    /// Residual over its standard deviation, that of a residual at this point: beyond -+3 is an outlier. 0 for an exact fit, NaN
    /// where nothing is known.
    pub standardised: f64,
    /// Measured time minus the prediction from all other samples; NaN where the others do not determine it.
    pub left_out_s: f64,
}

pub(super) fn quality(
    case: &JudgedCase,
    left_out: Option<&Errors>,
    held_out: Vec<HeldOut>,
    level: f64,
) -> FitQuality {
    let sampled = case.sampled;
    let rows: Vec<usize> = (0..sampled.len()).collect();
    let (measured, predicted) = (&sampled.measured_s, &sampled.predicted_s);
    FitQuality {
        samples: sampled.len(),
        points: sampled.distinct_points(&rows),
        r_squared: r_squared(measured, predicted),
        smape_percent: smape_percent(measured, predicted),
        rms_relative: rms_relative(measured, predicted),
        worst_relative: relative_errors(measured, predicted).fold(0.0, f64::max),
        noise_relative: noise_relative(case),
        leave_one_out: left_out.map(|errors| errors.figures(case)),
        held_out,
        constants: estimates(case, level),
    }
}

fn estimates(case: &JudgedCase, level: f64) -> Vec<Estimate> {
    let mut estimates = Vec::new();
    for (index, cell) in case.model.cells().iter().enumerate() {
        let freedom = cell.fit.degrees_of_freedom as f64;
        let reach = student_reach(level, freedom);
        for (term, formula_term) in case.model.formula.terms().iter().enumerate() {
            let (value, error) = (cell.fit.coefficients[term], cell.fit.standard_errors[term]);
            let half = if error.is_finite() && reach.is_finite() { reach * error } else { f64::INFINITY };
            estimates.push(Estimate {
                coefficient: formula_term.coefficient,
                cell: index,
                value,
                standard_error: error,
                lower: value - half,
                upper: value + half,
            });
        }
    }
    estimates
}

pub(super) fn residuals(case: &JudgedCase, left_out: Option<&Errors>) -> Vec<Residual> {
    let sampled = case.sampled;
    (0..sampled.len())
        .map(|row| Residual {
            point: sampled.point(row),
            cell: sampled.cell[row],
            measured_s: sampled.measured_s[row],
            predicted_s: sampled.predicted_s[row],
            relative: relative(sampled.residual_s(row), sampled.measured_s[row]),
            standardised: standardised(case, left_out, row),
            left_out_s: left_out.map_or(f64::NAN, |errors| errors.error_s[row]),
        })
        .collect()
}

fn relative(residual_s: f64, measured_s: f64) -> f64 {
    if residual_s == 0.0 { 0.0 } else { residual_s / measured_s }
}

fn standardised(case: &JudgedCase, left_out: Option<&Errors>, row: usize) -> f64 {
    let variance = case.noise[case.sampled.cell[row]].variance;
    let leverage = left_out.map_or(0.0, |errors| errors.leverage[row]);
    let scaled = case.sampled.scaled_residual(row);
    if scaled == 0.0 || variance == 0.0 { 0.0 } else { scaled / (variance * (1.0 - leverage)).sqrt() }
}

/// None if the times are equal but for rounding.
fn r_squared(measured: &[f64], predicted: &[f64]) -> Option<f64> {
    let count = measured.len() as f64;
    let mean = measured.iter().map(|time| time / count).sum::<f64>();
    let about_mean: f64 = measured.iter().map(|time| (time - mean).powi(2)).sum();
    let left: f64 =
        measured.iter().zip(predicted).map(|(measured, predicted)| (measured - predicted).powi(2)).sum();
    let rounding = count * (4.0 * f64::EPSILON * mean).powi(2);
    (about_mean > rounding).then(|| 1.0 - left / about_mean)
}

/// Root of the sum of squared relative errors over the degrees of freedom of all cells.
fn noise_relative(case: &JudgedCase) -> f64 {
    let sampled = case.sampled;
    let rank: usize = case.model.cells().iter().map(|cell| cell.fit.rank).sum();
    match sampled.len().checked_sub(rank) {
        None | Some(0) => f64::NAN,
        Some(freedom) => {
            let rms = rms_relative(&sampled.measured_s, &sampled.predicted_s);
            rms * (sampled.len() as f64 / freedom as f64).sqrt()
        }
    }
}

/// Usual noise; much more is worth a warning: intervals of predictions reach a quarter up and down.
const USUAL: f64 = 0.1;
const NOISY: f64 = 0.15;

/// For a formula whose residuals have no trend. A few samples may look noisy by chance, so the noise has to be more than usual
/// beyond doubt.
pub(super) fn noise_warning(case: &JudgedCase) -> Option<Warning> {
    let noise = noise_relative(case);
    let rank: usize = case.model.cells().iter().map(|cell| cell.fit.rank).sum();
    let freedom = case.sampled.len().saturating_sub(rank) as f64;
    let is_certain = chance_of_ratio((noise / USUAL).powi(2), freedom, f64::MAX) < 0.01;
    let too_few = Some(case.sampled.len()).filter(|samples| *samples < LEAST_SAMPLES);
    (noise > NOISY && is_certain).then(|| Warning::Noisy {
        noise,
        too_few,
        repetitions: uncertain_by_repetitions(case, noise, freedom),
    })
}

/// What repetitions leave uncertain of the samples, as a share of them, if the samples are off by so much more that this is no noise of theirs.
fn uncertain_by_repetitions(case: &JudgedCase, noise: f64, freedom: f64) -> Option<f64> {
    let relative: Vec<f64> = case.prepared.samples().time_s.iter().map(|time_s| time_s.powi(-2)).collect();
    let known = scatter_of_repetitions(case.prepared, &relative)?;
    let chance = chance_of_ratio(noise.powi(2) / known.variance, freedom, known.freedom as f64);
    Some(known.variance.sqrt()).filter(|uncertain| chance < 0.01 && noise > MUCH_MORE * uncertain)
}

/// Repetitions of one run are more alike than sizes that were measured one after the other.
const MUCH_MORE: f64 = 3.0;
