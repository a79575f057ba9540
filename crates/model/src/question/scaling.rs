use super::{NoAnswer, Slice};
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

/// Speed-up and efficiency along a slice of the number of processors relative to `base` of them (usually 1).
///
/// # Errors
/// Numbers of processors that are not positive; no positive time at the base, no finite one elsewhere.
pub fn scaling(slice: &Slice, processors: &[f64], base: f64, level: f64) -> Result<Scaling, NoAnswer> {
    if !processors.iter().chain([&base]).all(|value| *value > 0.0 && value.is_finite()) {
        return Err(NoAnswer::NotPositive { name: slice.name(0).to_owned() });
    }
    let base_forecast = slice.forecast(&[base], level)?;
    let base_s = base_forecast.prediction.time_s;
    if !base_s.is_finite() || base_s <= 0.0 {
        return Err(NoAnswer::NoTime);
    }
    let rows = processors.iter().map(|processors| {
        let forecast = slice.forecast(&[*processors], level)?;
        let time_s = forecast.prediction.time_s;
        let speedup = if time_s > 0.0 { base * base_s / time_s } else { f64::NAN };
        Ok(ScalingRow { processors: *processors, forecast, speedup, efficiency: speedup / processors })
    });
    Ok(Scaling { base, rows: rows.collect::<Result<_, NoAnswer>>()?, base_forecast })
}

/// [`scaling`] relative to a base or, where none is chosen, to the fewest processors that were measured, usually one. Without samples it is relative to one processor or,
/// where nothing is predicted for one, to the smallest of the numbers.
///
/// # Errors
/// As [`scaling`] has, relative to that number.
pub fn speedup(
    slice: &Slice,
    processors: &[f64],
    base: Option<f64>,
    level: f64,
) -> Result<Scaling, NoAnswer> {
    let base = base.unwrap_or_else(|| base_of(slice, processors, |base| slice.time_s(&[base])));
    scaling(slice, processors, base, level)
}

/// The number of processors that others are compared with where none is chosen.
pub(super) fn base_of(slice: &Slice, processors: &[f64], time_s: impl Fn(f64) -> f64) -> f64 {
    let sampled = slice.predictor().sampled(slice.name(0)).map(|range| range.lowest);
    let first = sampled.filter(|lowest| *lowest > 1.0).unwrap_or(1.0);
    let smallest = processors.iter().copied().fold(f64::INFINITY, f64::min);
    if time_s(first) > 0.0 { first } else { smallest }
}
