use call_fit::group;

use crate::model::columns;
use crate::{Error, Model};

/// A measured and a predicted time at one point (paper, Table 3).
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The values of the formula's variables.
    pub point: Vec<f64>,
    /// The measured time: repetitions folded as for the fit, the mean of what is left.
    pub measured_s: f64,
    /// The predicted time.
    pub predicted_s: f64,
    /// (measured - predicted) / measured, in percent: the sign of the paper's Table 3.
    pub error_percent: f64,
}

impl Model {
    /// Sets predictions beside the samples of an experiment, a row for each distinct point in ascending order. Processors are joined and
    /// repetitions folded as for the fit.
    ///
    /// # Errors
    /// If the samples lack a variable of the formula.
    pub fn compare(&self, measured: &call_trace::Experiment) -> Result<Vec<Comparison>, Error> {
        let samples = self.settings().prepare(measured);
        let variables = columns(&self.formula, &samples)?;
        let grouped = group(&variables, &samples.time_s);
        let rows = (0..grouped.mean.len()).map(|index| {
            let point: Vec<f64> = grouped.variables.iter().map(|column| column[index]).collect();
            let measured_s = grouped.mean[index];
            let predicted_s = self.predict(&point).time_s;
            let error_percent = 100.0 * (measured_s - predicted_s) / measured_s;
            Comparison { point, measured_s, predicted_s, error_percent }
        });
        Ok(rows.collect())
    }
}
