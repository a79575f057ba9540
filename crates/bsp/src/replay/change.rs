//! Where a gain goes: two replays of a run side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::Replay;
use super::replayed::{ActivityTimes, At};
use crate::recording::RecordedRun;

/// The waiting at a call site.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    /// Number of [`RecordedRun::call_sites`].
    pub call_site: usize,
    /// The supersteps, by their numbers in their machines, ascending.
    pub supersteps: Vec<u64>,
    /// The processors that wait, by their numbers in the run, ascending.
    pub processors: Vec<u32>,
    /// All that processors wait there.
    pub waiting_s: f64,
}

/// How the waiting at a call site changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WaitChange {
    /// Number of [`RecordedRun::call_sites`].
    pub call_site: usize,
    /// The supersteps in which it does, by their numbers in their machines, ascending.
    pub supersteps: Vec<u64>,
    /// The processors that wait longer or shorter, by their numbers in the run, ascending.
    pub processors: Vec<u32>,
    /// All that these processors wait there.
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
    /// Call site and seconds of the wait that grows most on it, if one does.
    pub absorbing: Option<(usize, f64)>,
}

/// Less is no change: sums of that many times differ so much.
const SMALLEST_S: f64 = 1e-12;

/// The waits that are other than before, the largest change first. Processors that wait longer at a call site and those that wait
/// shorter are told apart.
pub fn changes(run: &RecordedRun, before: &Replay, after: &Replay) -> Vec<WaitChange> {
    let both = both(before, after);
    let mut grown_s: BTreeMap<(usize, u32), f64> = BTreeMap::new();
    for (at, (old, new)) in &both {
        *grown_s.entry((at.call_site, at.processor)).or_default() += new.waiting_s - old.waiting_s;
    }
    let mut found: BTreeMap<(usize, bool), (Met, WaitChange)> = BTreeMap::new();
    for (at, (old, new)) in both {
        let grown_s = grown_s.get(&(at.call_site, at.processor)).copied().unwrap_or(0.0);
        if grown_s.abs() <= SMALLEST_S {
            continue;
        }
        let change = WaitChange { call_site: at.call_site, ..WaitChange::default() };
        let (met, change) =
            found.entry((at.call_site, grown_s > 0.0)).or_insert_with(|| (Met::default(), change));
        change.before_s += old.waiting_s;
        change.after_s += new.waiting_s;
        if (new.waiting_s - old.waiting_s).abs() > SMALLEST_S {
            met.add(run, at);
        }
    }
    let listed = |(met, change): (Met, WaitChange)| {
        let (supersteps, processors) = met.listed();
        WaitChange { supersteps, processors, ..change }
    };
    let mut changes: Vec<WaitChange> = found.into_values().map(listed).collect();
    let size = |change: &WaitChange| (change.after_s - change.before_s).abs();
    changes.sort_by(|left, right| size(right).total_cmp(&size(left)));
    changes
}

/// All waits, the longest first.
pub fn waits(run: &RecordedRun, replay: &Replay) -> Vec<Wait> {
    let mut found: BTreeMap<usize, (Met, f64)> = BTreeMap::new();
    for (at, times) in replay.times().into_iter().filter(|(_, times)| times.waiting_s > 0.0) {
        let (met, waiting_s) = found.entry(at.call_site).or_default();
        *waiting_s += times.waiting_s;
        met.add(run, at);
    }
    let wait = |(call_site, (met, waiting_s)): (usize, (Met, f64))| {
        let (supersteps, processors) = met.listed();
        Wait { call_site, supersteps, processors, waiting_s }
    };
    let mut waits: Vec<Wait> = found.into_iter().map(wait).collect();
    waits.sort_by(|left, right| right.waiting_s.total_cmp(&left.waiting_s));
    waits
}

/// In which supersteps and on which processors something was met.
#[derive(Default)]
struct Met {
    supersteps: BTreeSet<u64>,
    processors: BTreeSet<u32>,
}

impl Met {
    fn add(&mut self, run: &RecordedRun, at: At) {
        self.supersteps.insert(run.superstep_names()[at.centre].superstep);
        self.processors.insert(at.processor);
    }

    fn listed(self) -> (Vec<u64>, Vec<u32>) {
        (self.supersteps.into_iter().collect(), self.processors.into_iter().collect())
    }
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
        *waits.entry((at.processor, at.call_site)).or_default() += new.waiting_s - old.waiting_s;
    }
    for ((processor, call_site), grown_s) in waits {
        let absorbing = &mut found[(processor - before.first_processor()) as usize].absorbing;
        if grown_s > absorbing.map_or(SMALLEST_S, |(_, known_s)| known_s) {
            *absorbing = Some((call_site, grown_s));
        }
    }
    found
}

fn both(before: &Replay, after: &Replay) -> BTreeMap<At, (ActivityTimes, ActivityTimes)> {
    let mut both: BTreeMap<At, (ActivityTimes, ActivityTimes)> = BTreeMap::new();
    for (at, times) in before.times() {
        both.entry(at).or_default().0 = times;
    }
    for (at, times) in after.times() {
        both.entry(at).or_default().1 = times;
    }
    both
}
