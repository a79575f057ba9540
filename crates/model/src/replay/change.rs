//! Where a gain goes: two replays of a program side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluated::{At, Times};
use super::{Program, Replay};

/// How the waiting at a place changes.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitChange {
    /// Number of [`Program::places`].
    pub place: usize,
    /// The supersteps in which it does, by their numbers in their machines, ascending.
    pub supersteps: Vec<u64>,
    /// The processors that wait longer or shorter, by their numbers in the run, ascending.
    pub processors: Vec<u32>,
    /// All that processors wait there.
    pub before_s: f64,
    /// The same afterwards.
    pub after_s: f64,
}

/// What a processor does before and afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessorChange {
    /// Its number in the run.
    pub processor: u32,
    /// So much less it computes.
    pub saved_s: f64,
    /// So much earlier it ends.
    pub gained_s: f64,
    /// Place and seconds of the wait that grows most on it, if one does.
    pub absorbing: Option<(usize, f64)>,
}

/// Less is no change: sums of that many times differ so much.
const SMALLEST_S: f64 = 1e-12;

/// The waits that are other than before, the largest change first.
pub fn changes(program: &Program, before: &Replay, after: &Replay) -> Vec<WaitChange> {
    let mut found: BTreeMap<usize, WaitChange> = BTreeMap::new();
    let mut supersteps: BTreeMap<usize, (BTreeSet<u64>, BTreeSet<u32>)> = BTreeMap::new();
    for (at, (old, new)) in both(before, after) {
        let change = found.entry(at.place).or_insert_with(|| WaitChange {
            place: at.place,
            supersteps: Vec::new(),
            processors: Vec::new(),
            before_s: 0.0,
            after_s: 0.0,
        });
        change.before_s += old.waiting_s;
        change.after_s += new.waiting_s;
        if (new.waiting_s - old.waiting_s).abs() > SMALLEST_S {
            let changed = supersteps.entry(at.place).or_default();
            changed.0.insert(program.centres[at.centre].superstep);
            changed.1.insert(at.processor);
        }
    }
    for (place, (numbers, processors)) in supersteps {
        if let Some(change) = found.get_mut(&place) {
            change.supersteps = numbers.into_iter().collect();
            change.processors = processors.into_iter().collect();
        }
    }
    let mut found: Vec<WaitChange> = found.into_values().filter(|its| !its.supersteps.is_empty()).collect();
    let size = |change: &WaitChange| (change.after_s - change.before_s).abs();
    found.sort_by(|left, right| size(right).total_cmp(&size(left)));
    found
}

/// Each processor, in ascending order.
pub fn processor_changes(before: &Replay, after: &Replay) -> Vec<ProcessorChange> {
    let ends = before.ends_s().into_iter().zip(after.ends_s());
    let mut found: Vec<ProcessorChange> = (before.first_processor()..)
        .zip(ends)
        .map(|(processor, (old, new))| ProcessorChange {
            processor,
            saved_s: 0.0,
            gained_s: old - new,
            absorbing: None,
        })
        .collect();
    let mut waits: BTreeMap<(u32, usize), f64> = BTreeMap::new();
    for (at, (old, new)) in both(before, after) {
        found[(at.processor - before.first_processor()) as usize].saved_s +=
            old.computing_s - new.computing_s;
        *waits.entry((at.processor, at.place)).or_default() += new.waiting_s - old.waiting_s;
    }
    for ((processor, place), grown_s) in waits {
        let absorbing = &mut found[(processor - before.first_processor()) as usize].absorbing;
        if grown_s > absorbing.map_or(SMALLEST_S, |(_, known_s)| known_s) {
            *absorbing = Some((place, grown_s));
        }
    }
    found
}

fn both(before: &Replay, after: &Replay) -> BTreeMap<At, (Times, Times)> {
    let mut both: BTreeMap<At, (Times, Times)> = BTreeMap::new();
    for (at, times) in before.times() {
        both.entry(at).or_default().0 = times;
    }
    for (at, times) in after.times() {
        both.entry(at).or_default().1 = times;
    }
    both
}
