use super::grid::Grid;
use super::line::Line;
use super::{Fixed, NoAnswer, Numbers, Span};
use crate::{Forecast, Forecaster};

/// The largest value of a variable whose predicted time stays within a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Largest {
    /// The value.
    pub value: f64,
    /// What is predicted there.
    pub forecast: Forecast,
    /// Whether the value is the end of the range that was given, so that a larger one might do as well.
    pub is_end: bool,
    /// The smallest value in the range that takes longer than the limit, if it is below the answer: the model jumps or falls.
    pub longer_from: Option<f64>,
    /// The largest value for which even the upper end of the interval stays within the limit, if there is one.
    pub safe: Option<f64>,
}

/// Without a range, search this many times beyond the largest sampled value.
const REACH: f64 = 1e6;

/// The largest value of a variable whose predicted time is at most `limit_s`, the other variables having fixed values. Without a
/// range the search goes from the smallest sampled value, or from 1, to a million times the largest.
///
/// # Errors
/// Unknown or missing variables; if no value stays within the limit; without a range, if all do.
pub fn largest(
    forecaster: &Forecaster,
    variable: &str,
    fixed: &[Fixed],
    limit_s: f64,
    numbers: Numbers,
    range: Option<Span>,
    level: f64,
) -> Result<Largest, NoAnswer> {
    let line = Line::new(forecaster, &[variable], fixed)?;
    if !limit_s.is_finite() {
        return Err(NoAnswer::NotFinite { name: "limit".to_owned(), value: limit_s });
    }
    let sampled = line.sampled(0).unwrap_or((1.0, 1.0));
    let span = range.unwrap_or(Span { lowest: sampled.0.min(1.0), highest: REACH * sampled.1.max(1.0) });
    let grid = Grid::new(span, &line.borders(0), numbers)?;
    // A negative time is none, and NaN is not below anything.
    let fits = |value: f64| (0.0..=limit_s).contains(&line.time_s(&[value]));
    let name = || variable.to_owned();
    let Some((value, is_end)) = grid.last_where(fits) else {
        let value = grid.values[0];
        let highest = span.highest;
        return Err(NoAnswer::TooLong {
            variable: name(),
            value,
            time_s: line.time_s(&[value]),
            limit_s,
            highest,
        });
    };
    if is_end && range.is_none() {
        return Err(NoAnswer::NoLimit { variable: name(), value, time_s: line.time_s(&[value]), limit_s });
    }
    let longer_from =
        grid.first_where(|value| line.time_s(&[value]) > limit_s).filter(|longer| *longer < value);
    let below = Grid::new(Span { highest: value, ..span }, &line.borders(0), numbers)?;
    let is_safe = |value: f64| fits(value) && line.forecast(&[value], level).upper_s <= limit_s;
    Ok(Largest {
        value,
        forecast: line.forecast(&[value], level),
        is_end,
        longer_from,
        safe: below.last_where(is_safe).map(|(safe, _)| safe),
    })
}
