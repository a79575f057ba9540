use super::{Guess, Reuse, Unguessable, Workload, guess};
use crate::{Lacking, Machine, MemoryLevel};

/// So many sizes are tried between the ends, each a bit larger than the last.
const SIZES: usize = 400;

/// A border lies between two such sizes, and is sought by so many halvings.
const HALVINGS: u32 = 40;

/// Values that differ by less are one.
const SAME: f64 = 1.1;

/// What is known of the statements along one variable.
pub struct Along<'a> {
    /// What they do at a size.
    pub workloads: &'a dyn Fn(f64) -> Result<Vec<Workload>, Unguessable>,
    /// What multiplies their constant there.
    pub basis: &'a dyn Fn(f64) -> f64,
    /// How many lines each level of the machine was counted to miss there.
    pub counted: &'a dyn Fn(f64) -> Vec<Option<f64>>,
}

/// An interval of sizes in which a constant has one value: a part of a guessed ℵ.
#[derive(Debug, Clone, PartialEq)]
pub struct GuessedInterval {
    /// The smallest and the largest size; a border belongs to the lower interval.
    pub from: f64,
    /// The largest.
    pub to: f64,
    /// The geometric mean of both.
    pub middle: f64,
    /// The guess there.
    pub guess: Guess,
    /// Seconds for each unit of the basis there.
    pub constant_s: f64,
}

/// The intervals of one variable from `lowest` to `highest` between which loops stop to fit into a level of the memory, or
/// conditions let other statements run.
///
/// # Errors
/// What is not known of the statements, or of the machine.
pub fn along(
    machine: &Machine,
    [lowest, highest]: [f64; 2],
    known: &Along,
) -> Result<Vec<GuessedInterval>, Unguessable> {
    let workloads = known.workloads;
    let ratio = (highest / lowest).powf(1.0 / SIZES as f64);
    let mut borders = vec![lowest];
    let mut before = (lowest, fitting(machine, &workloads(lowest)?)?);
    for number in 1..=SIZES {
        let size = lowest * ratio.powi(number as i32);
        let here = fitting(machine, &workloads(size)?)?;
        if here != before.1 {
            borders.push(border(machine, [before.0, size], &before.1, workloads)?);
        }
        before = (size, here);
    }
    borders.push(highest);
    let mut found: Vec<GuessedInterval> = Vec::new();
    for ends in borders.windows(2) {
        let interval = interval(machine, [ends[0], ends[1]], known)?;
        match found.last().map(|last| interval.constant_s / last.constant_s) {
            Some(growth) if growth < SAME && growth > 1.0 / SAME => {
                let from = found.pop().map_or(ends[0], |last| last.from);
                found.push(self::interval(machine, [from, ends[1]], known)?);
            }
            _ => found.push(interval),
        }
    }
    Ok(found)
}

/// Where between two sizes what fits ends.
fn border(
    machine: &Machine,
    [mut below, mut above]: [f64; 2],
    fits: &[usize],
    workloads: &dyn Fn(f64) -> Result<Vec<Workload>, Unguessable>,
) -> Result<f64, Unguessable> {
    for _ in 0..HALVINGS {
        let middle = (below + above) / 2.0;
        let end = if fitting(machine, &workloads(middle)?)? == fits { &mut below } else { &mut above };
        *end = middle;
    }
    Ok(below)
}

fn interval(machine: &Machine, [from, to]: [f64; 2], known: &Along) -> Result<GuessedInterval, Unguessable> {
    let middle = (from * to).sqrt();
    let guess = guess(machine, &(known.workloads)(middle)?, &(known.counted)(middle))?;
    let constant_s = guess.time_s / (known.basis)(middle);
    Ok(GuessedInterval { from, to, middle, guess, constant_s })
}

/// For each stream and level how many loops fit, behind which statements run.
fn fitting(machine: &Machine, workloads: &[Workload]) -> Result<Vec<usize>, Lacking> {
    let reuse = Reuse::of(workloads);
    let sizes: Vec<f64> = machine.memory.iter().filter_map(MemoryLevel::holds_bytes).collect();
    if sizes.is_empty() {
        return Err(Lacking::MainMemory { machine: machine.name.clone() });
    }
    let streams = workloads.iter().flat_map(|its| &its.streams);
    let fit = streams
        .flat_map(|stream| sizes.iter().map(|bytes| reuse.fitting(stream, *bytes)).collect::<Vec<_>>());
    Ok(workloads.iter().flat_map(|its| its.running.iter().copied()).chain(fit).collect())
}
