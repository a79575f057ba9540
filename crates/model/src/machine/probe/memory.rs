use super::ProbeError;
use super::levels::{Level, Levels, loads};
use super::measured::{Measured, fit, points};
use crate::Model;
use crate::machine::{MemoryLevel, Stride};

/// The bandwidth falls at other sizes than the access time, as processors fetch ahead.
const MOST_INTERVALS: usize = 8;

/// The levels of the memory with their bandwidths and strides in the middle of the level. The last one is the main memory, which has no
/// size; its numbers are those of the largest working sets, as of smaller ones the caches hold much.
///
/// Of a level that is a cache of the system, the size is that of the cache: how much of it the probe saw depends on who else uses it.
pub fn levels(
    measured: &Measured,
    loads: &Levels,
    caches_bytes: &[u64],
) -> Result<Vec<MemoryLevel>, ProbeError> {
    let bandwidth = match measured.experiment("stream") {
        Some(experiment) => Some(fit(experiment, MOST_INTERVALS)?),
        None => None,
    };
    let found = |(index, level): (usize, &Level)| {
        let is_main = index + 1 == loads.levels.len();
        let bytes = if is_main { level.last_bytes } else { level.middle_bytes() };
        let served_bytes = level.last_bytes as u64;
        let next_served_bytes = loads.caches().get(index + 1).map(|next| next.last_bytes as u64);
        let size_bytes = size(served_bytes, next_served_bytes, caches_bytes);
        MemoryLevel {
            name: if is_main { "main".to_owned() } else { format!("L{}", index + 1) },
            size_bytes: (!is_main).then_some(size_bytes),
            served_bytes: (!is_main).then_some(served_bytes),
            time_s: Some(level.time_s),
            standard_error_s: level.standard_error_s,
            bandwidth_bytes_per_s: bandwidth.as_ref().and_then(|model| bytes_per_s(model, bytes)),
            strides: strides(measured, level, bytes),
        }
    };
    Ok(loads.levels.iter().enumerate().map(found).collect())
}

/// The size of a level that serves so many bytes: that of the smallest cache that is not smaller, if the next level has another one;
/// else what it serves.
fn size(served_bytes: u64, next_served_bytes: Option<u64>, caches_bytes: &[u64]) -> u64 {
    let cache = |served: u64| caches_bytes.iter().copied().filter(|size| *size >= served).min();
    let own = cache(served_bytes).filter(|own| next_served_bytes.and_then(cache) != Some(*own));
    own.unwrap_or(served_bytes)
}

fn bytes_per_s(stream: &Model, bytes: f64) -> Option<f64> {
    if stream.formula().variables().len() != 1 {
        return None; // of another program
    }
    let time_s = stream.predict(&[bytes]).time_s;
    (time_s > 0.0).then(|| loads(stream) / time_s)
}

/// The times of the working set on the level that is nearest to this one by its factor.
fn strides(measured: &Measured, level: &Level, bytes: f64) -> Vec<Stride> {
    let Some(experiment) = measured.experiment("stride") else { return Vec::new() };
    let Ok(model) = fit(experiment, 1) else { return Vec::new() };
    let points = points(experiment, ["bytes", "stride"]);
    let distance = |set: f64| (set / bytes).ln().abs();
    let sets = points.iter().map(|([set, _], _)| *set).filter(|set| level.serves(*set));
    let Some(nearest) = sets.min_by(|one, other| distance(*one).total_cmp(&distance(*other))) else {
        return Vec::new();
    };
    let of_nearest = points.iter().filter(|([set, _], _)| *set == nearest);
    of_nearest
        .map(|([_, stride], time_s)| Stride { stride_bytes: *stride as u64, time_s: time_s / loads(&model) })
        .collect()
}
