use super::{NoAnswer, Slice, ValueRange};
use crate::Forecast;

/// What is to be small, or large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// The time.
    Time,
    /// The value times the time: what processors cost.
    ProcessorSeconds,
    /// The predicted value is a rate, and is to be large.
    Rate,
}

/// The cheapest of several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// The value; the first of equals.
    pub value: f64,
    /// Seconds, or processor-seconds; of a rate the rate.
    pub cost: f64,
    /// The predicted time.
    pub forecast: Forecast,
    /// Whether it is the smallest or the largest of several values, so that others might be better still.
    pub is_end: bool,
    /// From which to which value the predicted cost is at most a tenth more: what is worth knowing about a flat minimum. Values
    /// between them can be dearer.
    pub nearly: ValueRange,
}

/// A cost of a tenth more is nearly the best.
const NEARLY: f64 = 1.1;

/// The value along a slice of one name with the smallest predicted time or processor-seconds, or with the largest rate. Values without a positive time are
/// passed over.
///
/// # Errors
/// No finite value; no value with a positive predicted time.
pub fn best(slice: &Slice, values: &[f64], objective: Objective, level: f64) -> Result<Best, NoAnswer> {
    let mut values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    if values.is_empty() {
        return Err(NoAnswer::NoValues);
    }
    let cost = |value: f64| {
        let time_s = slice.time_s(&[value]);
        let cost = match objective {
            Objective::Time => time_s,
            Objective::ProcessorSeconds => value * time_s,
            Objective::Rate => 1.0 / time_s,
        };
        (time_s > 0.0 && cost.is_finite()).then_some(cost)
    };
    let costed: Vec<(f64, f64)> = values.iter().filter_map(|value| Some((*value, cost(*value)?))).collect();
    let Some(&(value, least)) = costed.iter().min_by(|one, other| one.1.total_cmp(&other.1)) else {
        return Err(slice.failure().map_or(NoAnswer::NoTime, NoAnswer::from));
    };
    let mut forecast = slice.forecast(&[value], level)?;
    // In gaps between intervals other values may be better.
    for (other, _) in costed.iter().filter(|(other, _)| *other != value && slice.is_in_gap(&[*other])) {
        let its = slice.forecast(&[*other], level)?;
        let possible = match objective {
            Objective::Time => its.lower_s,
            Objective::ProcessorSeconds => *other * its.lower_s,
            Objective::Rate => 1.0 / its.upper_s,
        };
        if possible < least {
            forecast.remarks.extend(slice.gap_remarks(&[*other], level));
        }
    }
    let nearly = || costed.iter().filter(|(_, cost)| *cost <= NEARLY * least).map(|(value, _)| *value);
    Ok(Best {
        value,
        cost: if objective == Objective::Rate { 1.0 / least } else { least },
        forecast,
        is_end: values.len() > 1 && [values.first(), values.last()].contains(&Some(&value)),
        nearly: ValueRange {
            lowest: nearly().next().unwrap_or(value),
            highest: nearly().next_back().unwrap_or(value),
        },
    })
}
