//! s, g and L for each number of processors, and messages between two of them.

use call_grammar::CoefficientId;

use super::ProbeError;
use super::measured::{Measured, fit, fit_to, known, points};
use crate::machine::{BspEntry, Message};
use crate::{Aleph, Segment, Thresholds};

/// Of the time of an exchange over h. Messages often travel in two ways, by their size, and what is 4 % of a long exchange would be 10 %
/// of g.
const THRESHOLDS: Thresholds = Thresholds { intervals: 4, error: 0.01 };

/// The BSP table.
pub fn bsp_table(measured: &Measured, remarks: &mut Vec<String>) -> Result<Vec<BspEntry>, ProbeError> {
    let processors = measured.processors("exchange");
    if processors.is_empty() {
        return Err(ProbeError::NotTheProbe { experiment: "exchange" });
    }
    processors.into_iter().map(|processors| entry(measured, processors, remarks)).collect()
}

/// L is the constant of the shortest exchanges, and g the time a byte of the longest: each where it rules.
fn entry(measured: &Measured, processors: u64, remarks: &mut Vec<String>) -> Result<BspEntry, ProbeError> {
    let (flop_s, flop_error_s) = flop(measured, processors)?;
    let model = fit_to(&measured.on("exchange", processors)?, THRESHOLDS)?;
    let segments =
        |index: u32| model.aleph(CoefficientId(index)).map_or(Vec::new(), |aleph: Aleph| aleph.segments);
    let (latencies, gaps) = (segments(0), segments(1));
    let (Some(latency), Some(gap)) = (latencies.first(), gaps.last()) else {
        return Err(ProbeError::NotTheProbe { experiment: "exchange" });
    };
    let cost = |what, value: f64| match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(ProbeError::NoCost { what, processors, value }),
    };
    if model.cells().len() > 1 {
        remarks.push(where_they_hold(processors, latency, gap));
    }
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

fn where_they_hold(processors: u64, latency: &Segment, gap: &Segment) -> String {
    let upper = latency.ranges.first().map_or(f64::INFINITY, |range| range.upper);
    let lower = gap.ranges.first().map_or(0.0, |range| range.lower);
    let up_to = if upper.is_finite() { format!("h up to {upper} bytes") } else { "all h".to_owned() };
    format!("P = {processors}: L holds for {up_to}, g from h = {lower} bytes on")
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
