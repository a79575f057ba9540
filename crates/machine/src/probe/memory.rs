use super::levels::{Level, Levels, loads};
use super::measured::{Measured, fit, points};
use crate::{MemoryLevel, Stride};

/// The levels of the memory with their bandwidths and strides where they rule. The last one is the main memory, which has no size; its
/// numbers are those of the largest working sets, as of smaller ones the caches hold much.
pub fn levels(measured: &Measured, loads: &Levels) -> Vec<MemoryLevel> {
    let found = |(index, level): (usize, &Level)| {
        let is_main = index + 1 == loads.levels.len();
        let bytes = if is_main { level.served_bytes.1 } else { level.middle_bytes() };
        MemoryLevel {
            name: level.name.clone(),
            size_bytes: (!is_main).then_some(level.size_bytes as u64),
            served_bytes: (!is_main).then_some(level.served_bytes.1 as u64),
            time_s: Some(level.time_s),
            standard_error_s: level.standard_error_s,
            bandwidth_bytes_per_s: bytes_per_s(measured, level, bytes),
            strides: strides(measured, level, bytes),
        }
    };
    loads.levels.iter().enumerate().map(found).collect()
}

/// What a stream carries.
fn bytes_per_s(measured: &Measured, level: &Level, bytes: f64) -> Option<f64> {
    let (_, time_s) = nearest(measured, "stream", ["bytes"], level, bytes).pop()?;
    (time_s > 0.0).then(|| 1.0 / time_s)
}

fn strides(measured: &Measured, level: &Level, bytes: f64) -> Vec<Stride> {
    let stride = |([_, stride], time_s): ([f64; 2], f64)| Stride { stride_bytes: stride as u64, time_s };
    nearest(measured, "stride", ["bytes", "stride"], level, bytes).into_iter().map(stride).collect()
}

/// What was measured of the working set on the level that is nearest to this one by its factor: values of these columns, the first of
/// which is the working set, and the time in seconds of one of what a measurement consists of.
fn nearest<const N: usize>(
    measured: &Measured,
    name: &'static str,
    columns: [&str; N],
    level: &Level,
    bytes: f64,
) -> Vec<([f64; N], f64)> {
    let Some(experiment) = measured.experiment(name) else { return Vec::new() };
    let Ok(model) = fit(experiment, 1) else { return Vec::new() };
    let points = points(experiment, columns);
    let distance = |set: f64| (set / bytes).ln().abs();
    let sets = points.iter().map(|(values, _)| values[0]).filter(|set| level.serves(*set));
    let nearest = sets.min_by(|one, other| distance(*one).total_cmp(&distance(*other)));
    let of_nearest = points.into_iter().filter(|(values, _)| Some(values[0]) == nearest);
    of_nearest.map(|(values, time_s)| (values, time_s / loads(&model))).collect()
}
