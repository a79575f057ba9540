use super::grid::QuestionGrid;
use super::root::{last_with_room, strictly};
use super::{NoAnswer, NumberDomain, Slice, ValueRange};
use crate::Forecast;
use crate::columns::ascending;

/// Where one model becomes faster than another.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// The value of the variable; with a jump the last one before it.
    pub value: f64,
    /// Whether the models change places by a jump at the border of an interval, without being equal anywhere.
    pub is_jump: bool,
    /// Whether the first model is the faster one above.
    pub first_is_faster_above: bool,
    /// What the two predict at the value.
    pub forecasts: [Forecast; 2],
}

/// All crossings of two models in a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossings {
    /// Whether the first model is the faster one at the start of the range.
    pub first_is_faster_at_start: bool,
    /// In ascending order; empty if the same model is faster everywhere.
    pub crossings: Vec<Crossing>,
}

/// The values along two slices at which their models change places as the faster one. Where the models touch without changing
/// places there is no crossing.
///
/// # Errors
/// An empty range; if the models do not differ anywhere.
pub fn crossings(slices: [&Slice; 2], range: ValueRange, level: f64) -> Result<Crossings, NoAnswer> {
    let borders = ascending(slices.map(|slice| slice.borders(range, |value| vec![value])).concat());
    let grid = QuestionGrid::new(range, &borders, NumberDomain::Real)?;
    let difference = |value: f64| slices[0].time_s(&[value]) - slices[1].time_s(&[value]);
    // Where models are equal, or not defined, the last decision stands.
    let decided: Vec<(f64, f64)> = grid
        .values
        .iter()
        .map(|value| (*value, difference(*value)))
        .filter(|(_, difference)| *difference != 0.0 && !difference.is_nan())
        .collect();
    let Some((_, first)) = decided.first() else {
        if let Some(failure) = slices.iter().find_map(|slice| slice.failure()) {
            return Err(failure.into());
        }
        return Err(NoAnswer::Alike { lowest: range.lowest, highest: range.highest });
    };
    let crossing = |low: f64, high: f64, before: f64| {
        let lead = |value: f64| strictly(difference(value) * before.signum());
        let is_before = |value: f64| lead(value) > 0.0;
        // A border between the two may be the place, and then the search must not end beside it.
        let border = borders.iter().copied().find(|border| (low..high).contains(border));
        let at_border = border.filter(|border| is_before(*border) && !is_before(border.next_up()));
        let (low, high) = match border {
            Some(border) if is_before(border) => (border.next_up(), high),
            Some(border) => (low, border),
            None => (low, high),
        };
        let value = at_border.unwrap_or_else(|| last_with_room(low, high, NumberDomain::Real, lead));
        let is_jump = at_border.is_some_and(|border| difference(border.next_up()) != 0.0);
        let forecast = |slice: &Slice| {
            let mut forecast = slice.forecast(&[value], level)?;
            // The jump may be anywhere before the next sample.
            forecast.remarks.extend(match is_jump {
                true => slice.gap_remarks(&[value.next_up()], level),
                false => Vec::new(),
            });
            Ok::<Forecast, NoAnswer>(forecast)
        };
        Ok(Crossing {
            value,
            is_jump,
            first_is_faster_above: before > 0.0,
            forecasts: [forecast(slices[0])?, forecast(slices[1])?],
        })
    };
    let changes = decided.windows(2).filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0));
    let crossings = changes.map(|pair| crossing(pair[0].0, pair[1].0, pair[0].1));
    Ok(Crossings {
        first_is_faster_at_start: *first < 0.0,
        crossings: crossings.collect::<Result<_, NoAnswer>>()?,
    })
}
