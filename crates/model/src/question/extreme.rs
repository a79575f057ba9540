use super::grid::QuestionGrid;
use super::root::strictly;
use super::{NoAnswer, Numbers, Slice, ValueRange};
use crate::Forecast;

/// The largest or the smallest value of a variable whose predicted time stays within a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// The value.
    pub value: f64,
    /// What is predicted there.
    pub forecast: Forecast,
    /// Whether the value is the end of the range that was given, so that one beyond it might do as well.
    pub is_end: bool,
    /// The smallest value in the range that takes longer than the limit although it is on the side of the answer where others do not:
    /// below the largest, above the smallest. The model jumps, falls or rises again.
    pub longer_from: Option<f64>,
    /// The extreme value for which even the upper end of the interval stays within the limit, if there is one.
    pub safe: Option<f64>,
}

/// Which end of the values within a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ExtremeEnd {
    Largest,
    Smallest,
}

impl ExtremeEnd {
    /// The extreme value of a grid that has room (at least 0), and whether it is the end of the grid.
    fn of(self, grid: &QuestionGrid, room: impl Fn(f64) -> f64) -> Option<(f64, bool)> {
        match self {
            ExtremeEnd::Largest => grid.last_with_room(room),
            ExtremeEnd::Smallest => grid.first_with_room(room),
        }
    }

    /// The part of a span from a value on to where extremer values are none.
    fn inside(self, value: f64, span: ValueRange) -> ValueRange {
        match self {
            ExtremeEnd::Largest => ValueRange { highest: value, ..span },
            ExtremeEnd::Smallest => ValueRange { lowest: value, ..span },
        }
    }
}

/// The largest or smallest value in a range along a slice of one name whose predicted time is at most `limit_s`.
///
/// # Errors
/// If no value stays within the limit; an empty range; a predictor without times.
pub fn extreme(
    slice: &Slice,
    end: ExtremeEnd,
    limit_s: f64,
    numbers: Numbers,
    span: ValueRange,
    level: f64,
) -> Result<Extreme, NoAnswer> {
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
    let Some((value, is_end)) = end.of(&grid, room) else {
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
    let inside_span = end.inside(value, span);
    let inside = QuestionGrid::new(inside_span, &borders, numbers)?;
    let longer_grid = if end == ExtremeEnd::Largest { &grid } else { &inside };
    let excess = |value: f64| strictly(slice.time_s(&[value]) - limit_s);
    let safe_room = |value: f64| {
        let upper_s = slice.forecast(&[value], level).map_or(f64::NAN, |forecast| forecast.upper_s);
        if room(value) >= 0.0 { limit_s - upper_s } else { room(value) }
    };
    Ok(Extreme {
        value,
        forecast: slice.forecast(&[value], level)?,
        is_end,
        longer_from: longer_grid
            .first_with_room(excess)
            .map(|(longer, _)| longer)
            .filter(|longer| (inside_span.lowest..=inside_span.highest).contains(longer)),
        safe: end.of(&inside, safe_room).map(|(safe, _)| safe),
    })
}

/// The largest value in a range along a slice of one name whose predicted time is at most `limit_s`.
///
/// # Errors
/// Those of [`extreme`].
pub fn largest(
    slice: &Slice,
    limit_s: f64,
    numbers: Numbers,
    span: ValueRange,
    level: f64,
) -> Result<Extreme, NoAnswer> {
    extreme(slice, ExtremeEnd::Largest, limit_s, numbers, span, level)
}
