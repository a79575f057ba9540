use super::grid::QuestionGrid;
use super::root::{last_with_room, strictly};
use super::{NoAnswer, NumberDomain, Slice, ValueRange};
use crate::columns::ascending;
use crate::{Forecast, Remark};

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
    /// The first value of the range at which both predict a time and these differ.
    pub start: f64,
    /// Whether the first model is the faster one there.
    pub first_is_faster_at_start: bool,
    /// In ascending order; empty if the same model is faster everywhere.
    pub crossings: Vec<Crossing>,
    /// So many follow behind them.
    pub more: usize,
    /// From where to where the intervals of both overlap, so that nobody knows which is faster.
    pub undecided: Vec<ValueRange>,
    /// What there is to say where no crossing was found.
    pub remarks: Vec<Remark>,
}

/// At so many values it is looked whether intervals overlap; a forecast takes longer than a time.
const COMPARED: usize = 64;

/// Models that cross more often are in the end told apart by their pictures.
const MOST: usize = 100;

/// The values along two slices at which their models change places as the faster one. Where the models touch without changing
/// places there is no crossing.
///
/// # Errors
/// An empty range; if the models do not differ anywhere.
pub fn crossings(slices: [&Slice; 2], range: ValueRange, level: f64) -> Result<Crossings, NoAnswer> {
    let borders = ascending(slices.map(|slice| slice.borders(range, |value| vec![value])).concat());
    let [one, other] = slices;
    let closest = if one.single_values() > other.single_values() { one } else { other };
    let most = closest.single_values();
    let grid = QuestionGrid::new(range, &borders, NumberDomain::Real)?.closely(range.lowest, most);
    let difference = |value: f64| slices[0].time_s(&[value]) - slices[1].time_s(&[value]);
    // Where models are equal, or not defined, the last decision stands.
    let decided: Vec<(f64, f64)> = grid
        .values
        .iter()
        .map(|value| (*value, difference(*value)))
        .filter(|(_, difference)| *difference != 0.0 && difference.is_finite())
        .collect();
    let Some((start, first)) = decided.first() else {
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
    let values: Vec<f64> = decided.iter().map(|(value, _)| *value).collect();
    let undecided = overlaps(slices, &values, level)?;
    let changes: Vec<&[(f64, f64)]> =
        decided.windows(2).filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0)).collect();
    let crossings = changes.iter().take(MOST).map(|pair| crossing(pair[0].0, pair[1].0, pair[0].1));
    let has_all = most == 0 || grid.has_wholes(range);
    let not_all = (!has_all).then(|| closest.not_all(0, NumberDomain::Whole));
    Ok(Crossings {
        start: *start,
        more: changes.len().saturating_sub(MOST),
        undecided,
        remarks: not_all.into_iter().collect(),
        first_is_faster_at_start: *first < 0.0,
        crossings: crossings.collect::<Result<_, NoAnswer>>()?,
    })
}

/// From which to which of these values the intervals of both overlap.
fn overlaps(slices: [&Slice; 2], values: &[f64], level: f64) -> Result<Vec<ValueRange>, NoAnswer> {
    let mut found: Vec<ValueRange> = Vec::new();
    let mut was_overlapping = false;
    let last = values.len().saturating_sub(1);
    let places = values.iter().enumerate();
    let step = values.len().div_ceil(COMPARED).max(1);
    for (_, value) in places.filter(|(place, _)| place % step == 0 || *place == last) {
        let [one, other] = [slices[0].forecast(&[*value], level)?, slices[1].forecast(&[*value], level)?];
        let is_overlapping = one.lower_s <= other.upper_s && other.lower_s <= one.upper_s;
        match found.last_mut().filter(|_| was_overlapping) {
            Some(open) if is_overlapping => open.highest = *value,
            _ if is_overlapping => found.push(ValueRange { lowest: *value, highest: *value }),
            _ => {}
        }
        was_overlapping = is_overlapping;
    }
    Ok(found)
}
