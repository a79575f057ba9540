use super::JudgedCase;
use crate::Warning;
use crate::accuracy::{rms_relative, smape_percent};

/// How well each sample is predicted by a fit of all others, the cells staying as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeaveOneOut {
    /// Root of the mean square of the relative errors.
    pub rms_relative: f64,
    /// SMAPE of the predictions.
    pub smape_percent: f64,
}

/// Warn if left-out samples are predicted so many times worse than fitted ones.
const MUCH_WORSE: f64 = 2.0;

/// Errors below this share of the time need no warning.
const SMALL: f64 = 0.02;

/// A sample that alone determines a constant has leverage 1 but for rounding: without it there is no prediction.
const ALONE: f64 = 1.0 - 1e-9;

/// Errors of the samples when they are left out, without any further fit: r / (1 - h), with r the residual and h the leverage, the
/// sample's entry in the diagonal of the hat matrix A (A' W A)^-1 A' W (Cook and Weisberg 1982, section 2.2).
pub(super) struct Errors {
    pub(super) leverage: Vec<f64>,
    /// NaN where the other samples do not determine the prediction.
    pub(super) error_s: Vec<f64>,
}

impl Errors {
    /// None if a cell has no degree of freedom.
    pub(super) fn of(case: &JudgedCase) -> Option<Errors> {
        let sampled = case.sampled;
        let mut errors = Errors { leverage: Vec::new(), error_s: Vec::new() };
        let mut basis = vec![0.0; sampled.basis.len()];
        for row in 0..sampled.len() {
            let cell = sampled.cell[row];
            for (value, column) in basis.iter_mut().zip(&sampled.basis) {
                *value = column[row];
            }
            let covariance = &case.model.cells()[cell].fit.covariance;
            let leverage = case.noise[cell].unit_variance(covariance, &basis) / sampled.scale_s[row].powi(2);
            if leverage.is_nan() {
                return None;
            }
            errors.leverage.push(leverage.min(1.0));
            let error_s = sampled.residual_s(row) / (1.0 - leverage);
            errors.error_s.push(if leverage > ALONE { f64::NAN } else { error_s });
        }
        Some(errors)
    }

    /// Measured times and predictions without them, where there are any.
    fn predictions(&self, case: &JudgedCase) -> (Vec<f64>, Vec<f64>) {
        let rows = case.sampled.measured_s.iter().zip(&self.error_s).filter(|(_, error)| !error.is_nan());
        rows.map(|(measured, error)| (*measured, measured - error)).unzip()
    }

    pub(super) fn figures(&self, case: &JudgedCase) -> LeaveOneOut {
        let (measured, predicted) = self.predictions(case);
        LeaveOneOut {
            rms_relative: rms_relative(&measured, &predicted),
            smape_percent: smape_percent(&measured, &predicted),
        }
    }

    pub(super) fn warning(&self, case: &JudgedCase) -> Option<Warning> {
        let sampled = case.sampled;
        let fitted = rms_relative(&sampled.measured_s, &sampled.predicted_s);
        let left_out = self.figures(case).rms_relative;
        if left_out <= SMALL || left_out <= MUCH_WORSE * fitted {
            return None;
        }
        let worst = (0..sampled.len()).max_by(|a, b| self.leverage[*a].total_cmp(&self.leverage[*b]))?;
        let names = case.model.formula.variables().iter().map(|variable| variable.name().to_owned());
        let point = names.zip(sampled.point(worst)).collect();
        Some(Warning::LeftOut { fitted, left_out, point })
    }
}
