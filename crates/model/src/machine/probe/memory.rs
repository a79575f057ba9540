use super::ProbeError;
use super::levels::{Level, Levels, loads};
use super::measured::{Measured, fit, points};
use crate::Model;
use crate::machine::{MemoryLevel, Stride};

/// The bandwidth falls at other sizes than the access time, as processors fetch ahead.
const MOST_INTERVALS: usize = 8;

/// The levels of the memory with their bandwidths and strides. The last one is the main memory, which has no size.
pub fn levels(measured: &Measured, loads: &Levels) -> Result<Vec<MemoryLevel>, ProbeError> {
    let bandwidth = match measured.experiment("stream") {
        Some(experiment) => Some(fit(experiment, MOST_INTERVALS)?),
        None => None,
    };
    let mut before_bytes = 0.0;
    let mut found = Vec::new();
    for (index, level) in loads.levels.iter().enumerate() {
        let is_last = index + 1 == loads.levels.len();
        found.push(MemoryLevel {
            name: if is_last { "main".to_owned() } else { format!("L{}", index + 1) },
            size_bytes: (!is_last).then_some(level.last_bytes as u64),
            time_s: Some(level.time_s),
            standard_error_s: level.standard_error_s,
            bandwidth_bytes_per_s: bandwidth.as_ref().and_then(|model| bytes_per_s(model, level, is_last)),
            strides: strides(measured, before_bytes, level.last_bytes),
        });
        before_bytes = level.last_bytes;
    }
    Ok(found)
}

/// In the middle of the level, of the main memory at its end: near the caches they hold much of the working set.
fn bytes_per_s(stream: &Model, level: &Level, is_last: bool) -> Option<f64> {
    if stream.formula().variables().len() != 1 {
        return None; // of another program
    }
    let middle = (level.first_bytes * level.last_bytes).sqrt();
    let bytes = if is_last { level.last_bytes } else { middle };
    let time_s = stream.predict(&[bytes]).time_s;
    (time_s > 0.0).then(|| loads(stream) / time_s)
}

/// The times of the largest working set on the level.
fn strides(measured: &Measured, before_bytes: f64, last_bytes: f64) -> Vec<Stride> {
    let Some(experiment) = measured.experiment("stride") else { return Vec::new() };
    let Ok(model) = fit(experiment, 1) else { return Vec::new() };
    let points = points(experiment, ["bytes", "stride"]);
    let on_level = points.iter().map(|([bytes, _], _)| *bytes);
    let on_level = on_level.filter(|bytes| before_bytes < *bytes && *bytes <= last_bytes);
    let Some(largest) = on_level.reduce(f64::max) else { return Vec::new() };
    let of_largest = points.iter().filter(|([bytes, _], _)| *bytes == largest);
    of_largest
        .map(|([_, stride], time_s)| Stride { stride_bytes: *stride as u64, time_s: time_s / loads(&model) })
        .collect()
}
