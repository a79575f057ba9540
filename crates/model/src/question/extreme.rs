use super::grid::QuestionGrid;
use super::root::strictly;
use super::{NoAnswer, NumberDomain, Slice, ValueRange};
use crate::Forecast;
use crate::columns::ascending;

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
    /// A more extreme value for which the better end of the interval stays within the limit, if it is in a gap where one interval
    /// ends and the next begins, nobody knows where. The forecast's remarks name the gap.
    pub possible: Option<f64>,
}

/// What has to be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// A time that is not exceeded.
    AtMost(f64),
    /// A rate that is reached.
    AtLeast(f64),
}

impl Limit {
    fn value(self) -> f64 {
        match self {
            Limit::AtMost(limit) | Limit::AtLeast(limit) => limit,
        }
    }

    /// At least 0 where the value keeps the limit. A negative time is none, and NaN is not below anything.
    fn room(self, value: f64) -> f64 {
        match self {
            Limit::AtMost(_) if value < 0.0 => value,
            Limit::AtMost(limit) => limit - value,
            Limit::AtLeast(limit) => value - limit,
        }
    }

    fn excess(self, value: f64) -> f64 {
        match self {
            Limit::AtMost(limit) => strictly(value - limit),
            Limit::AtLeast(limit) => strictly(limit - value),
        }
    }

    /// The room of the better end of an interval.
    fn possible_room(self, forecast: &Forecast) -> f64 {
        match self {
            Limit::AtMost(limit) => limit - forecast.lower_s,
            Limit::AtLeast(limit) => forecast.upper_s - limit,
        }
    }

    /// The room of the worse end of an interval.
    fn safe_room(self, forecast: &Forecast) -> f64 {
        match self {
            Limit::AtMost(limit) => limit - forecast.upper_s,
            Limit::AtLeast(limit) => forecast.lower_s - limit,
        }
    }
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

    fn is_beyond(self, value: f64, other: f64) -> bool {
        match self {
            ExtremeEnd::Largest => value > other,
            ExtremeEnd::Smallest => value < other,
        }
    }

    /// The part of a span where values are extremer than one, with it.
    fn beyond(self, value: f64, span: ValueRange) -> ValueRange {
        match self {
            ExtremeEnd::Largest => ValueRange { lowest: value, ..span },
            ExtremeEnd::Smallest => ValueRange { highest: value, ..span },
        }
    }

    /// The same grid with so many whole numbers next to its extreme end.
    fn closely(self, grid: QuestionGrid, span: ValueRange, most: usize) -> QuestionGrid {
        match self {
            ExtremeEnd::Largest => grid.closely(span.highest - most as f64, most),
            ExtremeEnd::Smallest => grid.closely(span.lowest, most),
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

/// A forecast with its interval takes as long as so many times.
const FORECASTS: usize = 100;

/// The largest or smallest value in a range along a slice of one name whose prediction keeps a limit.
///
/// # Errors
/// If no value stays within the limit; an empty range; a predictor without times.
pub fn extreme(
    slice: &Slice,
    end: ExtremeEnd,
    limit: Limit,
    numbers: NumberDomain,
    span: ValueRange,
    level: f64,
) -> Result<Extreme, NoAnswer> {
    if !limit.value().is_finite() {
        return Err(NoAnswer::Limit { limit_s: limit.value() });
    }
    let borders = slice.borders(span, |value| vec![value]);
    let most = slice.single_values();
    let mut grid = QuestionGrid::new(span, &borders, numbers)?.closely(span.lowest, most);
    let room = |value: f64| limit.room(slice.time_s(&[value]));
    let has_all = |grid: &QuestionGrid, value: f64| {
        most == 0 || (numbers == NumberDomain::Whole && grid.has_wholes(end.beyond(value, span)))
    };
    let mut found = end.of(&grid, room);
    // Extremer ones are most likely beside it.
    let half = most as f64 / 2.0;
    let beside = |value: f64| ValueRange {
        lowest: span.lowest.max(value - half),
        highest: span.highest.min(value + half),
    };
    let is_alone = |value: f64| most > 0 && !grid.has_wholes(beside(value));
    if let Some((value, _)) = found.filter(|(value, _)| is_alone(*value)) {
        grid = grid.closely(value - half, most);
        found = end.of(&grid, room);
    }
    let Some((value, is_end)) = found else {
        let value = grid.values[0];
        let highest = span.highest;
        if let Some(failure) = slice.failure().filter(|_| slice.time_s(&[value]).is_nan()) {
            return Err(failure.into());
        }
        let (variable, reached) = (slice.name(0).to_owned(), slice.time_s(&[value]));
        return Err(match limit {
            Limit::AtMost(limit_s) => {
                NoAnswer::TooLong { variable, value, time_s: reached, limit_s, highest }
            }
            Limit::AtLeast(limit) => NoAnswer::TooLittle { variable, value, reached, limit, highest },
        });
    };
    let inside_span = end.inside(value, span);
    let jumps = ascending([borders.as_slice(), &slice.gap_ends(span, |value| vec![value])].concat());
    let inside = end.closely(QuestionGrid::new(inside_span, &jumps, numbers)?, inside_span, most / FORECASTS);
    let longer_grid = if end == ExtremeEnd::Largest { &grid } else { &inside };
    let excess = |value: f64| limit.excess(slice.time_s(&[value]));
    let safe_room = |value: f64| {
        let safe = || slice.forecast(&[value], level).map_or(f64::NAN, |forecast| limit.safe_room(&forecast));
        if room(value) >= 0.0 { safe() } else { room(value) }
    };
    let possible_room = |value: f64| match slice.is_in_gap(&[value]) {
        true => slice.forecast(&[value], level).map_or(f64::NAN, |its| limit.possible_room(&its)),
        false => room(value),
    };
    let possible = match jumps == borders {
        true => None,
        false => end.of(&QuestionGrid::new(span, &jumps, numbers)?, possible_room).map(|(value, _)| value),
    };
    let possible = possible.filter(|possible| end.is_beyond(*possible, value));
    let mut forecast = slice.forecast(&[value], level)?;
    forecast.remarks.extend((!has_all(&grid, value)).then(|| slice.not_all(0, numbers)));
    forecast.remarks.extend(possible.map_or(Vec::new(), |possible| slice.gap_remarks(&[possible], level)));
    Ok(Extreme {
        value,
        forecast,
        possible,
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
    numbers: NumberDomain,
    span: ValueRange,
    level: f64,
) -> Result<Extreme, NoAnswer> {
    extreme(slice, ExtremeEnd::Largest, Limit::AtMost(limit_s), numbers, span, level)
}
