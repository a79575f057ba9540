use call_fit::{PureError, single_above_folded};
use call_trace::Repetitions;

use crate::model::scatter_of_repetitions;
use crate::sampled::Sampled;
use crate::{Model, Prepared, Weighting};

/// How much other cells count for the noise of one, in degrees of freedom: the noise of a machine is much the same everywhere,
/// and a cell with one sample more than constants knows next to nothing about its own.
const BORROWED_FREEDOM: f64 = 4.0;

/// The noise of the samples in one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CellNoise {
    /// Variance of a residual over its [`Model::noise_scale_s`]; NaN if nothing is known.
    pub(crate) variance: f64,
    /// Degrees of freedom that the variance is known with.
    pub(crate) freedom: f64,
    /// Makes the fit's covariance one for the variance 1; 0 where the fit is exact and its covariance is 0.
    pub(crate) unit_factor: f64,
}

impl CellNoise {
    /// The noise in each cell: that of its own residuals, and of the other cells' with at most four degrees of freedom.
    pub(crate) fn of_cells(model: &Model, sampled: &Sampled) -> Vec<CellNoise> {
        let mut own = vec![(0.0, 0.0); model.cells().len()];
        for row in 0..sampled.len() {
            let (sum, count) = &mut own[sampled.cell[row]];
            *sum += sampled.scaled_residual(row).powi(2);
            *count += 1.0;
        }
        let sums: Vec<f64> = own.iter().map(|(sum, _)| *sum).collect();
        let freedoms: Vec<f64> = own
            .iter()
            .zip(model.cells())
            .map(|((_, count), cell)| f64::max(count - cell.fit.rank as f64, 0.0))
            .collect();
        let all_sums: f64 = sums.iter().sum();
        let all_freedoms: f64 = freedoms.iter().sum();
        let cells = model.cells().iter().zip(sums.iter().zip(&freedoms));
        cells
            .map(|(cell, (sum, freedom))| {
                let others = all_freedoms - freedom;
                let borrowed = others.min(BORROWED_FREEDOM);
                let lent = if others > 0.0 { (all_sums - sum).max(0.0) / others * borrowed } else { 0.0 };
                let total = freedom + borrowed;
                let variance = if total > 0.0 { (sum + lent) / total } else { f64::NAN };
                // The fit's weights may have another unit than our scales.
                let unit = if *sum > 0.0 { cell.fit.residual_sum_of_squares / sum } else { 1.0 };
                let fit_variance = cell.fit.residual_standard_error.powi(2);
                let unit_factor = if fit_variance == 0.0 { 0.0 } else { unit / fit_variance };
                CellNoise { variance, freedom: total, unit_factor }
            })
            .collect()
    }

    /// The noise of the only cell where residuals say nothing of it, from the repetitions of its samples.
    pub(crate) fn of_repetitions(model: &Model, prepared: &Prepared, shortest_s: f64) -> Option<CellNoise> {
        let time_s = prepared.samples().time_s.iter();
        let weights: Vec<f64> =
            time_s.map(|time_s| model.noise_scale_s(*time_s, shortest_s).powi(-2)).collect();
        let PureError { variance, freedom } = scatter_of_repetitions(prepared, &weights)?;
        let unit_factor = if variance == 0.0 { 0.0 } else { 1.0 / variance };
        Some(CellNoise { variance, freedom: freedom as f64, unit_factor })
    }

    /// x' (A' W A)^-1 x of the cell's fit, with the weights 1 / [`Model::noise_scale_s`]².
    pub(crate) fn unit_variance(&self, covariance: &[f64], basis: &[f64]) -> f64 {
        // Rounding can leave a variance of zero slightly negative.
        let variance = self.unit_factor * quadratic(covariance, basis);
        if variance.is_nan() { f64::NAN } else { variance.max(0.0) }
    }
}

/// By how much the variance of a single measurement exceeds that of what repetitions were folded to, over [`Model::noise_scale_s`]²; 0
/// where intervals are not for single ones.
pub(crate) fn of_single(model: &Model, prepared: &Prepared) -> f64 {
    let settings = prepared.settings();
    if !settings.is_interval_of_single() {
        return 0.0;
    }
    let is_relative = model.weighting.0 != Weighting::Absolute;
    prepared.repetitions().map_or(0.0, |all: &Repetitions| single_above_folded(all.times(), is_relative))
}

/// x' C x.
pub(crate) fn quadratic(covariance: &[f64], x: &[f64]) -> f64 {
    let count = x.len();
    covariance.iter().enumerate().map(|(index, entry)| x[index / count] * entry * x[index % count]).sum()
}
