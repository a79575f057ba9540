use super::ProbeError;
use super::levels::{Levels, ProbedLevel, loads};
use super::measured::{ProbeExperiments, fit, points};
use crate::{MemoryLevel, StridedLoad, Tlb};

/// The levels of the memory with their bandwidths and strides where they rule. The last one is the main memory, which has no size; its
/// numbers are those of the largest working sets, as of smaller ones the caches hold much.
pub fn levels(measured: &ProbeExperiments, loads: &Levels) -> Vec<MemoryLevel> {
    let found = |(index, level): (usize, &ProbedLevel)| {
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
fn bytes_per_s(measured: &ProbeExperiments, level: &ProbedLevel, bytes: f64) -> Option<f64> {
    let (_, time_s) = nearest(measured, "stream", ["bytes"], level, bytes).pop()?;
    (time_s > 0.0).then(|| 1.0 / time_s)
}

fn strides(measured: &ProbeExperiments, level: &ProbedLevel, bytes: f64) -> Vec<StridedLoad> {
    let stride = |([_, stride], time_s): ([f64; 2], f64)| StridedLoad { stride_bytes: stride as u64, time_s };
    nearest(measured, "stride", ["bytes", "stride"], level, bytes).into_iter().map(stride).collect()
}

/// What was measured of the working set on the level that is nearest to this one by its factor: values of these columns, the first of
/// which is the working set, and the time in seconds of one of what a measurement consists of.
fn nearest<const N: usize>(
    measured: &ProbeExperiments,
    name: &'static str,
    columns: [&str; N],
    level: &ProbedLevel,
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

/// The accesses of the probe are so far apart where they lie side by side.
const SLOT_BYTES: f64 = 64.0;

const MOST_INTERVALS: usize = 8;

/// A table ends where what an access takes longer grows by more than this factor. Less is noise, or the caches' share of the longer time.
const END_OF_TABLE: f64 = 1.5;

/// Pages from the first to the last of an interval, and what an access takes longer there.
struct PagesInterval {
    last_pages: f64,
    longer_s: f64,
}

/// The table of address translations shows in a chase with one access on each page: it takes longer than one through as many lines that
/// lie side by side. This is the first table, which ends where accesses become slower. Where a second one ends, and where even what the pages are found in no longer
/// fits into the caches, is told in remarks: the longer walks differ from one run to the next.
pub fn tlb(
    measured: &ProbeExperiments,
    levels: &Levels,
    remarks: &mut Vec<String>,
) -> Result<Option<Tlb>, ProbeError> {
    let Some(experiment) = measured.experiment("page") else { return Ok(None) };
    let points = points(experiment, ["page_bytes", "bytes"]);
    let Some(([page_bytes, _], _)) = points.first().copied() else { return Ok(None) };
    let model = fit(experiment, MOST_INTERVALS)?;
    let Some(position) = model.formula().variables().iter().position(|name| name.name() == "bytes") else {
        return Err(ProbeError::NotTheProbe { experiment: "page" });
    };
    let accesses = loads(&model);
    let mut intervals: Vec<PagesInterval> = Vec::new();
    for cell in model.cells() {
        let interval = cell.intervals[position];
        let inside =
            points.iter().filter(|([_, bytes], _)| interval.lower < *bytes && *bytes <= interval.upper);
        let of_point = |([_, bytes], time_s): &([f64; 2], f64)| {
            let pages = bytes / page_bytes;
            (pages, (time_s / accesses - levels.time_s(pages * SLOT_BYTES)).max(0.0))
        };
        let inside: Vec<(f64, f64)> = inside.map(of_point).collect();
        let Some((last_pages, _)) = inside.last() else { continue };
        let longer_s = inside.iter().map(|(_, longer_s)| longer_s).sum::<f64>() / inside.len() as f64;
        intervals.push(PagesInterval { last_pages: *last_pages, longer_s });
    }
    // What an access of the first level takes is the grain: less is not seen.
    let grain_s = levels.levels.first().map_or(0.0, |level| level.time_s);
    let growth = |pair: &[PagesInterval]| (pair[1].longer_s + grain_s) / (pair[0].longer_s + grain_s);
    let mut ends = intervals.windows(2).filter(|pair| growth(pair) > END_OF_TABLE);
    let Some([PagesInterval { last_pages: entries, .. }, PagesInterval { longer_s, .. }]) = ends.next()
    else {
        return Ok(None);
    };
    for pair in ends {
        remarks.push(format!(
            "address translations: beyond {} pages a load takes {:.2} ns longer",
            pair[0].last_pages,
            pair[1].longer_s * 1e9
        ));
    }
    Ok(Some(Tlb {
        entries: Some(*entries as u64),
        reach_bytes: Some((entries * page_bytes) as u64),
        page_bytes: Some(page_bytes as u64),
        miss_time_s: Some(*longer_s),
    }))
}
