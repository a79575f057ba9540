use call_fit::group;

use crate::accuracy::smape_percent;
use crate::{Forecast, NoPrediction, Predictor, Prepared, Slice};

/// A measured and a predicted time at one point (paper, Table 3).
#[derive(Debug, Clone, PartialEq)]
pub struct PointComparison {
    /// The values of [`Check::names`].
    pub point: Vec<f64>,
    /// The measured time: repetitions folded as for the fit, the mean of what is left.
    pub measured_s: f64,
    /// The predicted time.
    pub predicted_s: f64,
    /// (measured - predicted) / measured, in percent: the sign of the paper's Table 3.
    pub error_percent: f64,
    /// Lower end of the interval of the prediction.
    pub lower_s: f64,
    /// Upper end.
    pub upper_s: f64,
    /// What the interval is for, a single measurement or what repetitions were folded to: so many were measured here,
    pub measurements: usize,
    /// and so many of them lie in it.
    pub inside: usize,
    /// Largest factor by which a variable is beyond the samples of the fit; 1 within them.
    pub extrapolation: f64,
}

/// Predictions beside measurements, and how well they agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The names that the points have values for: variables of the predictor that the samples have, or what others are computed from.
    pub names: Vec<String>,
    /// A row for each distinct point in ascending order.
    pub rows: Vec<PointComparison>,
    /// The level of the intervals.
    pub level: f64,
    /// What intervals are for, at all points.
    pub measurements: usize,
    /// How many of these lie in theirs. About the share `level` should.
    pub inside: usize,
    /// 100 mean, over the rows with a prediction, of 2 |measured - predicted| / (|measured| + |predicted|).
    pub smape_percent: f64,
    /// Mean of |error|, in percent of the measured times.
    pub mean_percent: f64,
    /// Largest |error|, likewise; 0 without rows.
    pub worst_percent: f64,
}

/// Sets predictions and their intervals beside the samples of an experiment, a row for each distinct point. They should be prepared
/// as those of the fit were.
///
/// # Errors
/// If the samples lack a variable or have another unit; if a program cannot be evaluated.
pub fn compare(predictor: &dyn Predictor, measured: &Prepared, level: f64) -> Result<Check, NoPrediction> {
    let (unit, of_samples) = (predictor.unit(), measured.unit());
    if unit != of_samples {
        let (name, experiment) = (predictor.name(), measured.experiment());
        return Err(NoPrediction::new(format!(
            "`{name}` predicts in {unit}, and `{experiment}` is measured in {of_samples}"
        ))
        .help("compare what has one unit"));
    }
    let samples = measured.samples();
    let is_known = |name: &str| samples.column(name).is_some();
    let mut names: Vec<String> = Vec::new();
    for variable in predictor.variables() {
        let own = std::slice::from_ref(variable);
        let inputs = match is_known(variable) {
            // What samples have of the machine that they are from says nothing of another one.
            _ if predictor.is_of_another_machine(variable) => {
                let has_to_be = |name: &str| predictor.is_of_another_machine(name);
                predictor.definitions().computed_inputs(variable, &has_to_be)
            }
            true => vec![variable.as_str()],
            false => predictor.definitions().inputs(own, &[], &is_known),
        };
        let unknown = |name: &str| !names.iter().any(|known| known == name);
        let new: Vec<String> = inputs.into_iter().filter(|name| unknown(name)).map(str::to_owned).collect();
        names.extend(new);
    }
    let column = |name: &String| {
        samples.column(name).ok_or_else(|| {
            NoPrediction::new(format!("the samples of `{}` have no variable `{name}`", measured.experiment()))
        })
    };
    let columns: Vec<&[f64]> = names.iter().map(column).collect::<Result<_, _>>()?;
    let grouped = group(&columns, &samples.time_s);
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let slice = Slice::new(predictor, &borrowed, &[]);
    let repetitions = measured.repetitions().filter(|_| measured.settings().is_interval_of_single());
    let times: Vec<&[f64]> = match repetitions.filter(|all| all.ends.len() == samples.len()) {
        Some(all) => all.times().collect(),
        None => samples.time_s.chunks(1).collect(),
    };
    let members = grouped.members();
    let row = |index: usize| {
        let point: Vec<f64> = grouped.variables.iter().map(|column| column[index]).collect();
        // One point where a formula does not hold takes nothing away from the others; a program that is wrong does.
        let forecast = match slice.forecast(&point, level) {
            Err(failure) if failure.place.is_none() => Forecast::of_time(f64::NAN, level),
            forecast => forecast?,
        };
        let (measured_s, predicted_s) = (grouped.mean[index], forecast.prediction.time_s);
        let (lower_s, upper_s) = (forecast.lower_s, forecast.upper_s);
        let measurements =
            || members[index].iter().flat_map(|sample| times[*sample]).filter(|time_s| !time_s.is_nan());
        Ok(PointComparison {
            point,
            measured_s,
            predicted_s,
            error_percent: 100.0 * (measured_s - predicted_s) / measured_s,
            lower_s,
            upper_s,
            measurements: measurements().count(),
            inside: measurements().filter(|time_s| (lower_s..=upper_s).contains(*time_s)).count(),
            extrapolation: forecast.extrapolation(),
        })
    };
    let rows: Vec<PointComparison> = (0..grouped.mean.len()).map(row).collect::<Result<_, NoPrediction>>()?;
    let predicted = || rows.iter().filter(|row| row.predicted_s.is_finite());
    let of = |value: fn(&PointComparison) -> f64| predicted().map(value).collect::<Vec<f64>>();
    let errors = of(|row| row.error_percent.abs());
    Ok(Check {
        level,
        measurements: rows.iter().map(|row| row.measurements).sum(),
        inside: rows.iter().map(|row| row.inside).sum(),
        smape_percent: smape_percent(&of(|row| row.measured_s), &of(|row| row.predicted_s)),
        mean_percent: errors.iter().sum::<f64>() / errors.len().max(1) as f64,
        worst_percent: errors.iter().copied().fold(0.0, f64::max),
        names,
        rows,
    })
}
