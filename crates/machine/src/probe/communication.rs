//! s, g and L for each number of processors, and messages between two of them.

use super::ProbeError;
use super::measured::{ProbeExperiments, constant, fit, fit_long, points, select};
use crate::{BspEntry, MessageTime, OperationCost};

/// So many times shorter than the half-performance length, and an exchange takes little but L.
const SHORTER: f64 = 4.0;

/// Long exchanges are as long as the longest or so many times shorter: on the way there libraries send messages in other ways.
const LONG: f64 = 8.0;

/// With fewer different h all exchanges say more than the short or the long ones.
const LEAST_POINTS: usize = 4;

/// The BSP table.
pub fn bsp_table(
    measured: &ProbeExperiments,
    remarks: &mut Vec<String>,
) -> Result<Vec<BspEntry>, ProbeError> {
    let processors = measured.processors("exchange");
    if processors.is_empty() {
        return Err(ProbeError::NotTheProbe { experiment: "exchange" });
    }
    processors.into_iter().map(|processors| entry(measured, processors, remarks)).collect()
}

/// L is the constant of the short exchanges and g the time a byte of the long ones, among which the longest count most: each where it
/// rules. Between them lies the half-performance length L/g of all exchanges (n½ of R. Hockney and C. Jesshope, "Parallel Computers",
/// 1981).
fn entry(
    measured: &ProbeExperiments,
    processors: u64,
    remarks: &mut Vec<String>,
) -> Result<BspEntry, ProbeError> {
    let (flop_s, flop_error_s) = constant(&fit(&measured.on("rate", processors)?, 1)?, 1, "rate")?;
    let exchange = measured.on("exchange", processors)?;
    let whole = fit(&exchange, 1)?;
    let half_bytes = constant(&whole, 0, "exchange")?.0 / constant(&whole, 1, "exchange")?.0;
    let short = select(&exchange, "h", |h| h <= half_bytes / SHORTER);
    let longest_bytes = points(&exchange, ["h"]).last().map_or(0.0, |([h], _)| *h);
    let long_bytes = half_bytes.max(longest_bytes / LONG);
    let long = select(&exchange, "h", |h| h >= long_bytes);
    let is_enough = |part| points(part, ["h"]).len() >= LEAST_POINTS;
    let latency_model = if is_enough(&short) { fit(&short, 1)? } else { whole };
    let mut gap_model = fit_long(if is_enough(&long) { &long } else { &exchange })?;
    if constant(&gap_model, 1, "exchange")?.0 <= 0.0 {
        // Noise hides it there.
        gap_model = fit_long(&exchange)?;
    }
    let (latency_s, latency_error_s) = constant(&latency_model, 0, "exchange")?;
    let (gap_s, gap_error_s) = constant(&gap_model, 1, "exchange")?;
    if half_bytes.is_finite() {
        remarks.push(format!("P = {processors}: L/g of all exchanges is {half_bytes:.0} bytes"));
    }
    let cost = |what, value: f64| match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(ProbeError::NoCost { what, processors, value }),
    };
    let rate_flop_per_s = 1.0 / cost("the time of an operation", flop_s)?;
    Ok(BspEntry {
        processors,
        rate_flop_per_s,
        g_s_per_byte: cost("g", gap_s)?,
        latency_s: cost("L", latency_s)?,
        // First order: of 1/x it is that of x over x squared.
        rate_standard_error_flop_per_s: flop_error_s.map(|error| error * rate_flop_per_s * rate_flop_per_s),
        g_standard_error_s_per_byte: gap_error_s,
        latency_standard_error_s: latency_error_s,
    })
}

/// One-way times between processor 0 and the last one, for the largest number of processors.
pub fn messages(measured: &ProbeExperiments, remarks: &mut Vec<String>) -> Vec<MessageTime> {
    let Some(processors) = measured.processors("message").pop() else { return Vec::new() };
    let Ok(experiment) = measured.on("message", processors) else { return Vec::new() };
    remarks.push(format!("messages: between the first and the last of {processors} processors"));
    let message = |([bytes, trips], time_s): &([f64; 2], f64)| MessageTime {
        bytes: *bytes as u64,
        time_s: time_s / (2.0 * trips),
    };
    points(&experiment, ["bytes", "trips"]).iter().map(message).collect()
}

/// The operations that the probe may measure, in the order of the file: the experiment of those that do not wait for each other, and the
/// name in files. Those that wait are in an experiment with `_dependent` behind its name.
const OPERATIONS: [(&str, &str); 7] = [
    ("f64_add", "f64 add"),
    ("f64_multiply", "f64 multiply"),
    ("f64_fma", "f64 fused multiply-add"),
    ("f64_divide", "f64 divide"),
    ("i64_add", "i64 add"),
    ("i64_multiply", "i64 multiply"),
    ("i64_divide", "i64 divide"),
];

/// Those that were measured and took a time.
pub fn operations(measured: &ProbeExperiments) -> Vec<OperationCost> {
    let operation = |(experiment, name): &(&'static str, &str)| {
        let cost = |name: &str| {
            let model = fit(measured.experiment(name)?, 1).ok()?;
            constant(&model, 0, experiment).ok().filter(|(time_s, _)| *time_s > 0.0)
        };
        let (time_s, standard_error_s) = cost(experiment)?;
        let dependent_time_s = cost(&format!("{experiment}_dependent")).map(|(time_s, _)| time_s);
        Some(OperationCost { name: (*name).to_owned(), time_s, standard_error_s, dependent_time_s })
    };
    OPERATIONS.iter().filter_map(operation).collect()
}
