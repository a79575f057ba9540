//! Writes blocks as call-runtime/FORMAT.md has them.

/// A row: numbers, ticks, and the eight bytes of each variable and counter.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub experiment: u32,
    pub processor: u32,
    pub machine: u32,
    pub ticks: u64,
    pub values: Vec<[u8; 8]>,
}

/// A block of these rows.
pub fn block(nanoseconds_per_tick: f64, subtracted_ns: u64, rows: &[Row]) -> Vec<u8> {
    let mut bytes = b"CLLBLOCK\0\0\0\0\0\0\0\0".to_vec();
    bytes.extend((rows.len() as u64).to_le_bytes());
    bytes.extend(nanoseconds_per_tick.to_le_bytes());
    bytes.extend(subtracted_ns.to_le_bytes());
    for number in [|row: &Row| row.experiment, |row: &Row| row.processor, |row: &Row| row.machine] {
        bytes.extend(rows.iter().flat_map(|row| number(row).to_le_bytes()));
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(rows.iter().flat_map(|row| row.ticks.to_le_bytes()));
    let mut experiments: Vec<u32> = rows.iter().map(|row| row.experiment).collect();
    experiments.sort_unstable();
    experiments.dedup();
    for experiment in experiments {
        let own = || rows.iter().filter(|row| row.experiment == experiment);
        for column in 0..own().next().map_or(0, |row| row.values.len()) {
            bytes.extend(own().flat_map(|row| row.values[column]));
        }
    }
    let length = bytes.len() as u64;
    bytes[8..16].copy_from_slice(&length.to_le_bytes());
    bytes
}
