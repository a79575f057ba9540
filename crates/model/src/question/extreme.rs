use super::grid::QuestionGrid;
use super::root::strictly;
use super::{NoAnswer, Numbers, Slice, ValueRange};
use crate::Forecast;

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

/// The largest value in a range along a slice of one name whose predicted time is at most `limit_s`.
///
/// # Errors
/// If no value stays within the limit; an empty range; a predictor without times.
pub fn largest(
    slice: &Slice,
    limit_s: f64,
    numbers: Numbers,
    span: ValueRange,
    level: f64,
) -> Result<Largest, NoAnswer> {
    if !limit_s.is_finite() {
        return Err(NoAnswer::Limit { limit_s });
    }
    let borders = slice.borders(span, |value| vec![value]);
    let grid = QuestionGrid::new(span, &borders, numbers)?;
    // A negative time is none, and NaN is not below anything.
    let room = |value: f64| {
        let time_s = slice.time_s(&[value]);
        if time_s < 0.0 { time_s } else { limit_s - time_s }
    };
    let Some((value, is_end)) = grid.last_with_room(room) else {
        let value = grid.values[0];
        let highest = span.highest;
        if let Some(failure) = slice.failure().filter(|_| slice.time_s(&[value]).is_nan()) {
            return Err(failure.into());
        }
        return Err(NoAnswer::TooLong {
            variable: slice.name(0).to_owned(),
            value,
            time_s: slice.time_s(&[value]),
            limit_s,
            highest,
        });
    };
    let excess = |value: f64| strictly(slice.time_s(&[value]) - limit_s);
    let longer_from = grid.first_with_room(excess).filter(|longer| *longer < value);
    let below = QuestionGrid::new(ValueRange { highest: value, ..span }, &borders, numbers)?;
    let safe_room = |value: f64| {
        let upper_s = slice.forecast(&[value], level).map_or(f64::NAN, |forecast| forecast.upper_s);
        if room(value) >= 0.0 { limit_s - upper_s } else { room(value) }
    };
    Ok(Largest {
        value,
        forecast: slice.forecast(&[value], level)?,
        is_end,
        longer_from,
        safe: below.last_with_room(safe_room).map(|(safe, _)| safe),
    })
}
