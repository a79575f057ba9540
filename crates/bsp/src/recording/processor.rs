//! The supersteps of one processor, each with the machines that were open in it.

use std::collections::{HashMap, VecDeque};

use call_trace::{BspMachine, ProcessorSupersteps, Superstep, SuperstepEnd};

use super::RecordingError;
use super::run::{ComputingStretch, OwnComputing};

/// A machine on a processor.
#[derive(Debug)]
pub(super) struct OnProcessor<'a> {
    pub machine: BspMachine,
    /// In their order.
    pub supersteps: Vec<Nested<'a>>,
}

/// A superstep on a processor.
#[derive(Debug)]
pub(super) struct Nested<'a> {
    pub recorded: &'a Superstep,
    /// Machines that were opened and closed in it.
    pub inside: Vec<OnProcessor<'a>>,
}

/// Partitions halve a machine, so even a million processors are 20 machines deep.
const MOST_DEPTH: usize = 100;

/// The machine of all processors, on one of them; `None` if it recorded nothing.
pub(super) fn nest(section: &ProcessorSupersteps) -> Result<Option<OnProcessor<'_>>, RecordingError> {
    let processor = section.processor;
    // For each depth the machines whose superstep around has not ended.
    let mut open: Vec<Vec<OnProcessor>> = Vec::new();
    let mut last_of_machine: HashMap<BspMachine, (u64, SuperstepEnd)> = HashMap::new();
    for recorded in &section.supersteps {
        let (machine, superstep) = (recorded.machine, recorded.number);
        let depth = recorded.depth as usize;
        if depth >= MOST_DEPTH {
            return Err(RecordingError::TooDeep { processor, most: MOST_DEPTH });
        }
        let end = section.places[recorded.place].superstep_end();
        let follows = match last_of_machine.insert(machine, (superstep, end)) {
            None => true,
            Some((before, SuperstepEnd::Nothing)) => superstep == before,
            Some((before, _)) => before.checked_add(1) == Some(superstep),
        };
        if !follows {
            return Err(RecordingError::Order { processor, machine, superstep });
        }
        if open.len() < depth + 2 {
            open.resize_with(depth + 2, Vec::new);
        }
        if open[depth + 2..].iter().any(|machines| !machines.is_empty()) {
            return Err(RecordingError::Order { processor, machine, superstep });
        }
        let inside = std::mem::take(&mut open[depth + 1]);
        for part in &inside {
            let (inner, outer) = (part.machine.processors, machine.processors);
            if inner.first < outer.first || inner.last > outer.last {
                return Err(RecordingError::Outside { processor, inner: part.machine, outer: machine });
            }
        }
        let nested = Nested { recorded, inside };
        match open[depth].last_mut() {
            Some(known) if known.machine == machine => known.supersteps.push(nested),
            _ => open[depth].push(OnProcessor { machine, supersteps: vec![nested] }),
        }
    }
    outermost(processor, open)
}

/// The only machine that lies in no other.
fn outermost(processor: u32, open: Vec<Vec<OnProcessor>>) -> Result<Option<OnProcessor>, RecordingError> {
    let mut depths = open.into_iter();
    let mut roots = depths.next().unwrap_or_default();
    let deeper = depths.flatten().next();
    let second = (roots.len() > 1).then(|| roots.pop()).flatten();
    let unclaimed = deeper.or(second);
    if let Some(unclaimed) = unclaimed {
        let superstep = unclaimed.supersteps.last().map_or(0, |last| last.recorded.number);
        return Err(RecordingError::Cut { processor, machine: unclaimed.machine, superstep });
    }
    Ok(roots.pop())
}

/// A superstep of one processor without what lies in parts.
pub(super) struct OwnSuperstep {
    /// Before each part and behind the last one.
    pub stretches: VecDeque<ComputingStretch>,
    pub computing: OwnComputing,
    pub start_s: f64,
    /// When it has computed.
    pub ready_s: f64,
    /// When the synchronisation is over.
    pub end_s: f64,
    /// In the synchronisation.
    pub waiting_at_end_s: f64,
    /// Likewise.
    pub communicating_at_end_s: f64,
}

impl OwnSuperstep {
    /// The processor counts from `origin_s`; `experiments` are the numbers in the run for its own.
    pub fn of(nested: &Nested, end: SuperstepEnd, origin_s: f64, experiments: &[usize]) -> OwnSuperstep {
        let recorded = nested.recorded;
        let lines = || nested.inside.iter().flat_map(|part| &part.supersteps).map(|its| its.recorded);
        let in_parts_s: f64 = lines().map(|its| its.computing_s + its.waiting_s + its.communicating_s).sum();
        let recording_s: f64 = lines().map(|its| its.recording_s).sum();
        let start_s = recorded.start_s - origin_s;
        let recording_s = recording_s.min(recorded.recording_s);
        let inner_waiting_s = match end {
            SuperstepEnd::Nothing => recorded.waiting_s,
            _ => recorded.inner_waiting_s.unwrap_or(0.0).min(recorded.waiting_s),
        };
        let inner_communicating_s = recorded.inner_communicating_s.min(recorded.communicating_s);
        let ready_s = start_s + recorded.computing_s + inner_waiting_s + inner_communicating_s + recording_s;
        let end_s =
            start_s + recorded.computing_s + recorded.waiting_s + recorded.communicating_s + recording_s;
        let mut passed = Vec::with_capacity(nested.inside.len() + 1);
        let mut at_s = start_s;
        for part in &nested.inside {
            if let (Some(begin), Some(last)) = (part.supersteps.first(), part.supersteps.last()) {
                let last = last.recorded;
                passed.push((begin.recorded.start_s - origin_s - at_s).max(0.0));
                at_s = last.start_s + last.computing_s + last.waiting_s + last.communicating_s - origin_s;
            }
        }
        passed.push((ready_s - at_s).max(0.0));
        let own_s = (recorded.computing_s - in_parts_s).max(0.0);
        let all_s: f64 = passed.iter().sum();
        let mut stretches: VecDeque<ComputingStretch> = passed
            .iter()
            .map(|passed_s| ComputingStretch { computing_s: own_s * (passed_s / all_s), passed_s: *passed_s })
            .collect();
        if all_s <= 0.0 {
            stretches.iter_mut().for_each(|its| its.computing_s = 0.0);
            if let Some(last) = stretches.back_mut() {
                last.computing_s = own_s;
            }
        }
        let inside = recorded.experiments.iter().filter_map(|its| {
            let of_parts = lines().flat_map(|part| &part.experiments);
            let in_parts_s: f64 =
                of_parts.filter(|part| part.experiment == its.experiment).map(|part| part.inside_s).sum();
            let inside_s = (its.inside_s - in_parts_s).min(own_s);
            (inside_s > 0.0).then(|| (experiments[its.experiment], inside_s / own_s))
        });
        OwnSuperstep {
            computing: OwnComputing { own_s, shares: inside.collect() },
            stretches,
            start_s,
            ready_s,
            end_s,
            waiting_at_end_s: recorded.waiting_s - inner_waiting_s,
            communicating_at_end_s: recorded.communicating_s - inner_communicating_s,
        }
    }
}
