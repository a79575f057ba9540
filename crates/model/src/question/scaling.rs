use super::NoAnswer;
use super::line::Line;
use crate::Forecast;

/// Speed-up and efficiency over the number of processors.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// The number of processors that the others are compared with.
    pub base: f64,
    /// The time there; see [`Forecast::extrapolation`] for whether the samples reach so far.
    pub base_forecast: Forecast,
    /// A row for each number of processors, in the order given.
    pub rows: Vec<ScalingRow>,
}

/// One number of processors.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalingRow {
    /// Number of processors.
    pub processors: f64,
    /// Its predicted time.
    pub forecast: Forecast,
    /// base T(base) / T(processors): with base 1 how many times as fast as one processor. NaN where the model predicts no positive
    /// time.
    pub speedup: f64,
    /// Speed-up over processors; 1 at the base.
    pub efficiency: f64,
}

/// Speed-up and efficiency along `variable`, which counts processors, relative to `base` of them (usually 1).
///
/// # Errors
/// Numbers of processors that are not positive; no positive time at the base.
pub fn scaling(
    line: &Line,
    variable: &str,
    processors: &[f64],
    base: f64,
    level: f64,
) -> Result<Scaling, NoAnswer> {
    if !processors.iter().chain([&base]).all(|value| *value > 0.0 && value.is_finite()) {
        return Err(NoAnswer::NotPositive { name: variable.to_owned() });
    }
    let base_forecast = line.forecast(&[base], level);
    let base_s = base_forecast.prediction.time_s;
    if !base_s.is_finite() || base_s <= 0.0 {
        return Err(NoAnswer::NoTime);
    }
    let rows = processors.iter().map(|processors| {
        let forecast = line.forecast(&[*processors], level);
        let time_s = forecast.prediction.time_s;
        let speedup = if time_s > 0.0 { base * base_s / time_s } else { f64::NAN };
        ScalingRow { processors: *processors, forecast, speedup, efficiency: speedup / processors }
    });
    Ok(Scaling { base, rows: rows.collect(), base_forecast })
}
