//! s, g and L for each number of processors, and messages between two of them.

use call_grammar::CoefficientId;

use super::ProbeError;
use super::measured::{Measured, fit, fit_long, fit_to, known, points, select};
use crate::machine::{BspEntry, Message};
use crate::{Model, Segment, Thresholds};

/// Of the time of an exchange over h. Messages often travel in two ways, by their size, and what is 4 % of a long exchange would be 10 %
/// of g.
const THRESHOLDS: Thresholds = Thresholds { intervals: 4, error: 0.01 };

/// From so many different h on beyond the interval of L these alone say what g is.
const LEAST_LONG: usize = 6;

/// The BSP table.
pub fn bsp_table(measured: &Measured, remarks: &mut Vec<String>) -> Result<Vec<BspEntry>, ProbeError> {
    let processors = measured.processors("exchange");
    if processors.is_empty() {
        return Err(ProbeError::NotTheProbe { experiment: "exchange" });
    }
    processors.into_iter().map(|processors| entry(measured, processors, remarks)).collect()
}

/// L is the constant of the shortest exchanges, and g the time a byte of those beyond, among which the longest count most: each where
/// it rules.
fn entry(measured: &Measured, processors: u64, remarks: &mut Vec<String>) -> Result<BspEntry, ProbeError> {
    let (flop_s, flop_error_s) = flop(measured, processors)?;
    let exchange = measured.on("exchange", processors)?;
    let model = fit_to(&exchange, THRESHOLDS)?;
    let missing = || ProbeError::NotTheProbe { experiment: "exchange" };
    let latency = segments(&model, 0).into_iter().next().ok_or_else(missing)?;
    let border = latency.ranges.first().map_or(f64::INFINITY, |range| range.upper);
    let long = select(&exchange, "h", |h| h > border);
    let gap_of = |exchanges| segments(&fit_long(exchanges).ok()?, 1).pop();
    let is_enough = points(&long, ["h"]).len() >= LEAST_LONG;
    let beyond = is_enough.then(|| gap_of(&long)).flatten().filter(|gap| gap.value > 0.0);
    if beyond.is_some() {
        remarks.push(format!("P = {processors}: L holds for h up to {border} bytes, g beyond"));
    }
    // Where noise hides it there, or has put the border near the end, all exchanges say more.
    let gap = beyond.or_else(|| gap_of(&exchange)).ok_or_else(missing)?;
    let cost = |what, value: f64| match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(ProbeError::NoCost { what, processors, value }),
    };
    let rate_flop_per_s = 1.0 / cost("the time of an operation", flop_s)?;
    Ok(BspEntry {
        processors,
        rate_flop_per_s,
        g_s_per_byte: cost("g", gap.value)?,
        latency_s: cost("L", latency.value)?,
        // First order: of 1/x it is that of x over x squared.
        rate_standard_error_flop_per_s: flop_error_s.map(|error| error * rate_flop_per_s * rate_flop_per_s),
        g_standard_error_s_per_byte: known(gap.standard_error),
        latency_standard_error_s: known(latency.standard_error),
    })
}

/// `rate[1]`, the time of an operation beside the start of each loop.
fn flop(measured: &Measured, processors: u64) -> Result<(f64, Option<f64>), ProbeError> {
    let model = fit(&measured.on("rate", processors)?, 1)?;
    let fit = &model.cells()[0].fit;
    match (fit.coefficients.get(1), fit.standard_errors.get(1)) {
        (Some(time_s), Some(error)) => Ok((*time_s, known(*error))),
        _ => Err(ProbeError::NotTheProbe { experiment: "rate" }),
    }
}

/// Where a constant of a fit has which values.
fn segments(model: &Model, index: u32) -> Vec<Segment> {
    model.aleph(CoefficientId(index)).map_or(Vec::new(), |aleph| aleph.segments)
}

/// One-way times between processor 0 and the last one, for the largest number of processors.
pub fn messages(measured: &Measured, remarks: &mut Vec<String>) -> Vec<Message> {
    let Some(processors) = measured.processors("message").pop() else { return Vec::new() };
    let Ok(experiment) = measured.on("message", processors) else { return Vec::new() };
    remarks.push(format!("messages: between the first and the last of {processors} processors"));
    let message = |([bytes, trips], time_s): &([f64; 2], f64)| Message {
        bytes: *bytes as u64,
        time_s: time_s / (2.0 * trips),
    };
    points(&experiment, ["bytes", "trips"]).iter().map(message).collect()
}
