use call_fit::group;

use crate::judgement::smape_percent;
use crate::model::columns;
use crate::{Error, Forecaster, Model, Prepared};

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
    /// Sets predictions beside the samples of an experiment, a row for each distinct point in ascending order. They should be
    /// prepared by the [`settings`](Model::settings) of the model.
    ///
    /// # Errors
    /// If the samples lack a variable of the formula.
    pub fn compare(&self, measured: &Prepared) -> Result<Vec<Comparison>, Error> {
        let samples = measured.samples();
        let variables = columns(&self.formula, &samples.names, &samples.columns)?;
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

/// A comparison with the interval of the prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The times.
    pub comparison: Comparison,
    /// Lower end of the interval.
    pub lower_s: f64,
    /// Upper end.
    pub upper_s: f64,
    /// Whether the measured time lies in it.
    pub is_inside: bool,
    /// Largest factor by which a variable is beyond the samples of the fit; 1 within them.
    pub extrapolation: f64,
}

/// Predictions beside measurements, and how well they agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// A row for each distinct point in ascending order.
    pub rows: Vec<Checked>,
    /// The level of the intervals.
    pub level: f64,
    /// Rows whose measured time lies in its interval. About the share `level` of all should.
    pub inside: usize,
    /// 100 mean of 2 |measured - predicted| / (|measured| + |predicted|).
    pub smape_percent: f64,
    /// Mean of |error|, in percent of the measured times.
    pub mean_percent: f64,
    /// Largest |error|, likewise; 0 without rows.
    pub worst_percent: f64,
}

impl Forecaster<'_> {
    /// Sets predictions and their intervals beside the samples of an experiment, as [`Model::compare`] does.
    ///
    /// # Errors
    /// If the samples lack a variable of the formula.
    pub fn compare(&self, measured: &Prepared, level: f64) -> Result<Check, Error> {
        let comparisons = self.model().compare(measured)?;
        let rows: Vec<Checked> = comparisons
            .into_iter()
            .map(|comparison| {
                let forecast = self.forecast(&comparison.point, level);
                let (lower_s, upper_s) = (forecast.lower_s, forecast.upper_s);
                let is_inside = (lower_s..=upper_s).contains(&comparison.measured_s);
                Checked { comparison, lower_s, upper_s, is_inside, extrapolation: forecast.extrapolation() }
            })
            .collect();
        let of =
            |time: fn(&Comparison) -> f64| rows.iter().map(|row| time(&row.comparison)).collect::<Vec<f64>>();
        let (measured_s, predicted_s) = (of(|row| row.measured_s), of(|row| row.predicted_s));
        let errors = of(|row| row.error_percent.abs());
        Ok(Check {
            level,
            inside: rows.iter().filter(|row| row.is_inside).count(),
            smape_percent: smape_percent(&measured_s, &predicted_s),
            mean_percent: errors.iter().sum::<f64>() / errors.len().max(1) as f64,
            worst_percent: errors.iter().copied().fold(0.0, f64::max),
            rows,
        })
    }
}
