use super::{Machine, MemoryLevel, Stride};

/// The time of a load, and the level that serves it.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessTime {
    /// The time of each load.
    pub time_s: f64,
    /// Name of the level.
    pub level: String,
}

impl Machine {
    /// The level that holds a working set: the first that serves it.
    pub fn memory_level(&self, working_set_bytes: f64) -> Option<&MemoryLevel> {
        let served = |level: &MemoryLevel| level.served_bytes.or(level.size_bytes);
        self.memory.iter().find(|level| served(level).is_none_or(|bytes| working_set_bytes <= bytes as f64))
    }

    /// The time of a load in a working set of that size. With a stride, that of one among many at this distance, between two
    /// measured distances linear in the logarithm of the distance, beyond them as at the nearest; without, that of a load
    /// which waits for the one before.
    ///
    /// `None` if no level is large enough or the level that is has no such time.
    pub fn access_time(&self, working_set_bytes: f64, stride_bytes: Option<u64>) -> Option<AccessTime> {
        let level = self.memory_level(working_set_bytes)?;
        let time_s = match stride_bytes {
            None => level.time_s?,
            Some(stride_bytes) => at_stride(&level.strides, stride_bytes)?,
        };
        Some(AccessTime { time_s, level: level.name.clone() })
    }
}

fn at_stride(strides: &[Stride], stride_bytes: u64) -> Option<f64> {
    let (first, last) = (strides.first()?, strides.last()?);
    let Some(above) = strides.iter().position(|stride| stride.stride_bytes >= stride_bytes) else {
        return Some(last.time_s);
    };
    let Some(lower) = above.checked_sub(1).map(|below| strides[below]) else { return Some(first.time_s) };
    let upper = strides[above];
    let distance = |from: u64, to: u64| (to as f64 / from as f64).ln();
    let share = distance(lower.stride_bytes, stride_bytes) / distance(lower.stride_bytes, upper.stride_bytes);
    Some(lower.time_s + share * (upper.time_s - lower.time_s))
}
