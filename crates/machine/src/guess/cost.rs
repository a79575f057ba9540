use std::collections::BTreeMap;
use std::fmt;

use call_model::LINE_BYTES;

use super::{Reuse, Stream, Workload};
use crate::{Lacking, Machine, MemoryLevel};

/// Compilers load and store so many bytes at once where nothing else is said; the probe's streams do.
const VECTOR_BYTES: f64 = 16.0;

/// Lines that are so far apart are not fetched ahead, and still share pages.
const APART_BYTES: u64 = 512;

/// What the statements behind a constant take on a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// If computing and memory overlap as far as they can: the longer of both.
    pub time_s: f64,
    /// If they do not: their sum.
    pub without_overlap_s: f64,
    /// What the longer of both is.
    pub limit: Bottleneck,
}

/// What takes the longest.
#[derive(Debug, Clone, PartialEq)]
pub enum Bottleneck {
    /// Operations of one kind, `f64 add`, as many as can be done at once.
    Operations(String),
    /// Operations of one kind that wait for each other.
    Chain(String),
    /// Reading and writing what is in the first level.
    LoadsAndStores,
    /// Counting the iterations of loops.
    Iterations,
    /// Lines from this level, which takes most of the time of all.
    Memory(String),
}

impl fmt::Display for Bottleneck {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bottleneck::Operations(name) => out.write_str(name),
            Bottleneck::Chain(name) => write!(out, "{name}, each after the last"),
            Bottleneck::LoadsAndStores => out.write_str("loads and stores"),
            Bottleneck::Iterations => out.write_str("iterations"),
            Bottleneck::Memory(level) => write!(out, "lines from {level}"),
        }
    }
}

/// What some statements take on a machine.
///
/// Operations of different kinds, loads and stores, and chains of operations that wait for each other overlap: the longest counts.
/// Operations of unknown type count as floating-point, logic as additions, arithmetic in subscripts, calls and conversions as nothing.
/// Memory takes a time for each line from each level, other times where lines follow each other than where they are apart; misses of
/// address translation and what other cores take away are neglected. A statement that only moves neighbouring elements takes what the
/// bandwidth says, as compilers make block operations of such loops.
///
/// Where it was counted how many lines a level misses, in the order of the machine's levels, all lines of that level are scaled to it.
///
/// # Errors
/// What the machine lacks.
pub fn guess(machine: &Machine, workloads: &[Workload], counted: &[Option<f64>]) -> Result<Guess, Lacking> {
    let missed = MissedLines::of(machine, workloads, counted);
    let (mut core_s, mut memory_s) = (0.0, 0.0);
    let mut limits: Vec<(f64, Bottleneck)> = Vec::new();
    for workload in workloads {
        let (its_s, limit) = core(machine, workload)?;
        core_s += its_s;
        limits.push((its_s, limit));
        for (level_s, name) in lines_by_level(machine, workload, &missed)? {
            memory_s += level_s;
            limits.push((level_s, Bottleneck::Memory(name)));
        }
    }
    let is_memory = |limit: &Bottleneck| matches!(limit, Bottleneck::Memory(_));
    let of_longer = limits.into_iter().filter(|(_, limit)| is_memory(limit) == (memory_s > core_s));
    let longest = of_longer.max_by(|one, other| one.0.total_cmp(&other.0));
    let limit = longest.map_or(Bottleneck::Iterations, |(_, limit)| limit);
    Ok(Guess { time_s: f64::max(core_s, memory_s), without_overlap_s: core_s + memory_s, limit })
}

/// The time of the processor if all is in the first level.
fn core(machine: &Machine, workload: &Workload) -> Result<(f64, Bottleneck), Lacking> {
    let bytes_per_s = bandwidth(machine, first_level(machine)?)?;
    if is_move(workload) {
        let stores: f64 = workload.streams.iter().map(|its| its.stores * its.element_bytes).sum();
        return Ok((stores / bytes_per_s, Bottleneck::LoadsAndStores));
    }
    let mut found: Vec<(f64, Bottleneck)> = Vec::new();
    for (name, count) in by_name(&workload.operations) {
        found.push((count * operation_s(machine, name, false)?, Bottleneck::Operations(name.to_owned())));
    }
    for (name, count) in by_name(&workload.chained) {
        // Compilers take sums of whole numbers apart.
        if name.starts_with('f') {
            found.push((count * operation_s(machine, name, true)?, Bottleneck::Chain(name.to_owned())));
        }
    }
    let count = |kind: &str| workload.operations.get(kind).copied().unwrap_or(0.0);
    let staying = workload.streams.iter().filter(|its| its.innermost_stride_bytes() == 0.0);
    let moved = count("load") + count("store") - staying.map(|its| its.loads + its.stores).sum::<f64>();
    found.push((moved * VECTOR_BYTES / bytes_per_s, Bottleneck::LoadsAndStores));
    let iterations = workload.streams.iter().map(Stream::iterations).fold(0.0, f64::max);
    if iterations > 1.0 {
        found.push((iterations * operation_s(machine, "i64 add", true)?, Bottleneck::Iterations));
    }
    let longest = found.into_iter().max_by(|one, other| one.0.total_cmp(&other.0));
    Ok(longest.unwrap_or((0.0, Bottleneck::Iterations)))
}

/// Whether statements do nothing but move neighbouring elements.
fn is_move(workload: &Workload) -> bool {
    let moves = ["load", "store", "subscript"];
    let (loads, stores) = workload
        .streams
        .iter()
        .fold((0.0, 0.0), |(loads, stores), its| (loads + its.loads, stores + its.stores));
    stores > 0.0
        && loads <= stores
        && workload.operations.keys().all(|kind| moves.contains(&&**kind))
        && workload.streams.iter().all(|its| its.innermost_stride_bytes() == its.element_bytes)
}

/// How many lines of a stream each level of a machine misses.
struct MissedLines {
    reuse: Reuse,
    levels: Vec<MissesOfLevel>,
}

/// What a level holds, and how what loops reach becomes what was counted.
#[derive(Clone, Copy)]
struct MissesOfLevel {
    holds_bytes: Option<f64>,
    factor: f64,
    /// Where nothing was expected.
    lines_per_access: f64,
}

impl MissedLines {
    fn of(machine: &Machine, workloads: &[Workload], counted: &[Option<f64>]) -> MissedLines {
        let reuse = Reuse::of(workloads);
        let streams = || workloads.iter().flat_map(|its| &its.streams);
        let accesses: f64 = streams().map(|its| its.loads + its.stores).sum();
        let levels = machine.memory.iter().enumerate().map(|(place, level)| {
            let holds_bytes = level.holds_bytes();
            let missed = |bytes: f64| streams().map(|its| reuse.missed_lines(its, bytes)).sum::<f64>();
            let expected = holds_bytes.map_or(0.0, missed);
            let (factor, lines_per_access) = match counted.get(place).copied().flatten() {
                None => (1.0, 0.0),
                Some(lines) if expected > 0.0 => (lines / expected, 0.0),
                Some(lines) => (0.0, if accesses > 0.0 { lines / accesses } else { 0.0 }),
            };
            MissesOfLevel { holds_bytes, factor, lines_per_access }
        });
        MissedLines { levels: levels.collect(), reuse }
    }

    fn at(&self, level: usize, stream: &Stream) -> f64 {
        let MissesOfLevel { holds_bytes, factor, lines_per_access } = self.levels[level];
        let expected = holds_bytes.map_or(0.0, |bytes| self.reuse.missed_lines(stream, bytes));
        factor * expected + lines_per_access * (stream.loads + stream.stores)
    }
}

/// Seconds for the lines that come from each level beyond the first.
fn lines_by_level(
    machine: &Machine,
    workload: &Workload,
    missed: &MissedLines,
) -> Result<Vec<(f64, String)>, Lacking> {
    let is_move = is_move(workload);
    let mut found = Vec::new();
    for (place, level) in machine.memory.iter().enumerate().skip(1) {
        let mut time_s = 0.0;
        for stream in &workload.streams {
            let lines = f64::max(missed.at(place - 1, stream) - missed.at(place, stream), 0.0);
            if lines > 0.0 {
                time_s += lines
                    * if is_move {
                        LINE_BYTES / bandwidth(machine, level)?
                    } else {
                        line_s(machine, level, stream)?
                    };
            }
        }
        if time_s > 0.0 {
            found.push((time_s, level.name.clone()));
        }
    }
    Ok(found)
}

/// What a line costs that comes from a level.
fn line_s(machine: &Machine, level: &MemoryLevel, stream: &Stream) -> Result<f64, Lacking> {
    let follows = stream.innermost_stride_bytes() <= LINE_BYTES;
    let wanted = if follows { LINE_BYTES as u64 } else { APART_BYTES };
    let near = level.strides.iter().min_by_key(|stride| stride.stride_bytes.abs_diff(wanted));
    near.map(|stride| stride.time_s)
        .ok_or_else(|| Lacking::Level { machine: machine.name.clone(), name: level.name.clone() })
}

fn first_level(machine: &Machine) -> Result<&MemoryLevel, Lacking> {
    machine.memory.first().ok_or_else(|| Lacking::MainMemory { machine: machine.name.clone() })
}

fn bandwidth(machine: &Machine, level: &MemoryLevel) -> Result<f64, Lacking> {
    level
        .bandwidth_bytes_per_s
        .ok_or_else(|| Lacking::Bandwidth { machine: machine.name.clone(), name: level.name.clone() })
}

fn operation_s(machine: &Machine, name: &str, waits: bool) -> Result<f64, Lacking> {
    let lacking = || Lacking::Operation { machine: machine.name.clone(), name: name.to_owned() };
    let operation = machine.operations.iter().find(|operation| operation.name == name).ok_or_else(lacking)?;
    if waits { operation.dependent_time_s.ok_or_else(lacking) } else { Ok(operation.time_s) }
}

/// Kinds of operations of the source as machines name them.
fn by_name(operations: &BTreeMap<String, f64>) -> BTreeMap<&'static str, f64> {
    let mut found = BTreeMap::new();
    for (kind, count) in operations {
        let name = match &**kind {
            "float-add" | "unknown-add" => "f64 add",
            "float-multiply" | "unknown-multiply" => "f64 multiply",
            "float-divide" | "unknown-divide" => "f64 divide",
            "integer-add" | "logic" => "i64 add",
            "integer-multiply" => "i64 multiply",
            "integer-divide" => "i64 divide",
            _ => continue,
        };
        *found.entry(name).or_insert(0.0) += count;
    }
    found
}
