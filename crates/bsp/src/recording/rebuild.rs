//! The supersteps of all processors, put together.

use std::collections::{HashMap, VecDeque};
use std::ops::RangeInclusive;

use call_trace::{BspMachine, CallSite, ProcessorSupersteps, Superstep, SuperstepEnd};

use super::RecordingError;
use super::processor::{Nested, OnProcessor, OwnSuperstep, nest};
use super::run::{
    ComputingStretch, PartsRound, RecordedMachine, RecordedRun, RecordedSuperstep, RecordedSynchronisation,
    SuperstepName,
};
use crate::obsp::WaitRelation;

impl RecordedRun {
    /// Puts the supersteps of all processors of a run together.
    ///
    /// # Errors
    /// Supersteps that are missing or contradict each other.
    pub fn rebuild(sections: &[ProcessorSupersteps]) -> Result<RecordedRun, RecordingError> {
        let mut sorted: Vec<&ProcessorSupersteps> = sections.iter().collect();
        sorted.sort_by_key(|section| section.processor);
        let mut known = Vec::new();
        for section in sorted {
            if let Some(outermost) = nest(section)? {
                known.push((section, outermost));
            }
        }
        let Some((first, outermost)) = known.first() else { return Err(RecordingError::NoSupersteps) };
        let machine = outermost.machine;
        let has_common_clock = first.has_common_clock;
        check_processors(&known, machine)?;
        if known.iter().any(|(section, _)| section.has_common_clock != has_common_clock) {
            return Err(RecordingError::Clocks);
        }
        let mut builder = RunBuilder::new(&known, has_common_clock);
        let outermost = known.into_iter().map(|(_, outermost)| outermost).collect();
        let root = builder.machine(outermost)?;
        let RunBuilder { call_sites, experiments, superstep_names, processors, .. } = builder;
        let start_s = processors.iter().map(|its| its.first_s - its.origin_s).collect();
        Ok(RecordedRun {
            root,
            start_s,
            has_common_clock,
            has_network: false,
            call_sites,
            experiments,
            superstep_names,
        })
    }
}

/// Each processor of the machine has supersteps, and nobody else does.
fn check_processors(
    known: &[(&ProcessorSupersteps, OnProcessor)],
    machine: BspMachine,
) -> Result<(), RecordingError> {
    let mut expected = Some(machine.processors.first);
    for (section, outermost) in known {
        let processor = section.processor;
        if outermost.machine != machine {
            return Err(RecordingError::ForeignProcessor { processor, machine });
        }
        match expected {
            Some(expected) if expected == processor => {}
            _ => {
                return Err(RecordingError::MissingProcessor {
                    processor: expected.unwrap_or(processor),
                    machine,
                });
            }
        }
        expected = processor.checked_add(1).filter(|next| *next <= machine.processors.last);
    }
    match expected {
        Some(processor) => Err(RecordingError::MissingProcessor { processor, machine }),
        None => Ok(()),
    }
}

/// What a processor calls things, and when it started.
struct Processor<'a> {
    recorded_places: &'a [CallSite],
    /// Numbers in the run for its own.
    places: Vec<usize>,
    experiments: Vec<usize>,
    first_s: f64,
    /// What counts as 0.
    origin_s: f64,
}

/// Stretches between parts in a superstep. A partition is a matter of all processors, so there are hardly more than lines.
const MOST_STRETCHES: usize = 1 << 24;

struct RunBuilder<'a> {
    /// Number of the first processor.
    first: u32,
    processors: Vec<Processor<'a>>,
    has_common_clock: bool,
    call_sites: Vec<CallSite>,
    experiments: Option<Vec<String>>,
    superstep_names: Vec<SuperstepName>,
}

impl<'a> RunBuilder<'a> {
    fn new(known: &[(&'a ProcessorSupersteps, OnProcessor)], has_common_clock: bool) -> RunBuilder<'a> {
        let first_s =
            |outermost: &OnProcessor| outermost.supersteps.first().map_or(0.0, |its| its.recorded.start_s);
        let starts_s = known.iter().map(|(_, outermost)| first_s(outermost));
        let earliest_s = starts_s.fold(f64::INFINITY, f64::min);
        let mut numbers: HashMap<&CallSite, usize> = HashMap::new();
        let mut experiment_numbers: HashMap<&str, usize> = HashMap::new();
        let mut call_sites = Vec::new();
        let mut experiments = Vec::new();
        let mut processors = Vec::new();
        for (section, outermost) in known {
            let place = |place| {
                *numbers.entry(place).or_insert_with(|| {
                    call_sites.push(place.clone());
                    call_sites.len() - 1
                })
            };
            let of_places = section.places.iter().map(place).collect();
            let experiment = |name| {
                *experiment_numbers.entry(name).or_insert_with(|| {
                    experiments.push(name.to_owned());
                    experiments.len() - 1
                })
            };
            let names = section.experiments.iter().flatten().map(String::as_str);
            let first_s = first_s(outermost);
            processors.push(Processor {
                recorded_places: &section.places,
                places: of_places,
                experiments: names.map(experiment).collect(),
                first_s,
                origin_s: if has_common_clock { earliest_s } else { first_s },
            });
        }
        let are_known = known.iter().all(|(section, _)| section.experiments.is_some());
        RunBuilder {
            first: known.first().map_or(0, |(section, _)| section.processor),
            processors,
            has_common_clock,
            call_sites,
            experiments: are_known.then_some(experiments),
            superstep_names: Vec::new(),
        }
    }

    fn processor(&self, number: u32) -> &Processor<'a> {
        &self.processors[(number - self.first) as usize]
    }

    fn place(&self, processor: u32, recorded: &Superstep) -> &CallSite {
        &self.processor(processor).recorded_places[recorded.place]
    }

    /// A machine, as all its processors have it.
    fn machine(&mut self, of_processors: Vec<OnProcessor>) -> Result<RecordedMachine, RecordingError> {
        let Some(one) = of_processors.first() else { return Ok(RecordedMachine::default()) };
        let machine = one.machine;
        let first = machine.processors.first;
        let count = one.supersteps.len();
        for (right, other) in (first..).zip(&of_processors) {
            let right_count = other.supersteps.len();
            if right_count != count {
                return Err(RecordingError::Unequal {
                    machine,
                    left: first,
                    left_count: count,
                    right,
                    right_count,
                });
            }
        }
        let processors = u32::try_from(of_processors.len()).unwrap_or(u32::MAX);
        let mut columns: Vec<_> = of_processors.into_iter().map(|its| its.supersteps.into_iter()).collect();
        let mut supersteps = Vec::with_capacity(count);
        let mut ends_s: Option<Vec<f64>> = None;
        for _ in 0..count {
            let row: Vec<Nested> = columns.iter_mut().filter_map(Iterator::next).collect();
            let step = self.superstep(machine, row, ends_s.as_deref())?;
            ends_s = Some(step.end_s.clone());
            supersteps.push(step);
        }
        Ok(RecordedMachine { processors, supersteps })
    }

    fn superstep(
        &mut self,
        machine: BspMachine,
        row: Vec<Nested>,
        before_s: Option<&[f64]>,
    ) -> Result<RecordedSuperstep, RecordingError> {
        let first = machine.processors.first;
        let end = self.common_end(machine, &row)?;
        let superstep = row.first().map_or(0, |its| its.recorded.number);
        let mut own: Vec<OwnSuperstep> =
            (first..).zip(&row).map(|(processor, its)| self.own(processor, its, end)).collect();
        let recorded: Vec<&Superstep> = row.iter().map(|its| its.recorded).collect();
        let start_s: Vec<f64> = own.iter().map(|its| its.start_s).collect();
        let recording_s = match before_s {
            Some(before_s) => {
                start_s.iter().zip(before_s).map(|(start, before)| (start - before).max(0.0)).collect()
            }
            None => vec![0.0; row.len()],
        };
        let centre = self.superstep_names.len();
        let places = (first..).zip(&recorded).map(|(number, its)| self.processor(number).places[its.place]);
        self.superstep_names.push(SuperstepName { machine, superstep, call_sites: places.collect() });
        let waiting_s = recorded.iter().map(|its| its.waiting_s).collect();
        let communicating_s = recorded.iter().map(|its| its.communicating_s).collect();
        let synchronisation = match end {
            SuperstepEnd::Barrier => Some(self.synchronisation(WaitRelation::Barrier, &recorded, &own)),
            SuperstepEnd::Oblivious => {
                Some(self.synchronisation(partners(machine, &recorded), &recorded, &own))
            }
            SuperstepEnd::Nothing => None,
        };
        let rounds = self.rounds(machine, superstep, row, &mut own)?;
        Ok(RecordedSuperstep {
            centre,
            start_s,
            end_s: own.iter().map(|its| its.end_s).collect(),
            waiting_s,
            communicating_s,
            recording_s,
            rounds,
            last: own.iter_mut().map(|its| its.stretches.pop_front().unwrap_or_default()).collect(),
            computing: own.into_iter().map(|its| its.computing).collect(),
            synchronisation,
        })
    }

    fn synchronisation(
        &self,
        waits: WaitRelation,
        recorded: &[&Superstep],
        own: &[OwnSuperstep],
    ) -> RecordedSynchronisation {
        let mut synchronisation = RecordedSynchronisation {
            waits,
            in_bytes: recorded.iter().map(|its| its.in_bytes as f64).collect(),
            out_bytes: recorded.iter().map(|its| its.out_bytes as f64).collect(),
            cost_s: recorded.iter().map(|its| its.communicating_s).collect(),
            waiting_when_ready_s: vec![0.0; own.len()],
        };
        if self.has_common_clock {
            let ready_s: Vec<f64> = own.iter().map(|its| its.ready_s).collect();
            let begins_s = synchronisation.begins_s(&ready_s);
            let waits = synchronisation.cost_s.iter_mut().zip(&mut synchronisation.waiting_when_ready_s);
            for ((its, begin_s), (cost_s, waiting_s)) in own.iter().zip(begins_s).zip(waits) {
                *cost_s = (its.end_s - begin_s).max(0.0);
                *waiting_s = (*cost_s - its.communicating_at_end_s).clamp(0.0, its.waiting_at_end_s);
            }
        }
        synchronisation
    }

    /// How all processors end the superstep.
    fn common_end(&self, machine: BspMachine, row: &[Nested]) -> Result<SuperstepEnd, RecordingError> {
        let first = machine.processors.first;
        let Some(one) = row.first() else { return Ok(SuperstepEnd::Nothing) };
        let superstep = one.recorded.number;
        let left = self.place(first, one.recorded);
        for (processor, its) in (first..).zip(row) {
            if its.recorded.number != superstep {
                return Err(RecordingError::Order { processor, machine, superstep: its.recorded.number });
            }
            let right = self.place(processor, its.recorded);
            if left.superstep_end() != right.superstep_end() {
                let (left_call, right_call) = (left.call.clone(), right.call.clone());
                return Err(RecordingError::Ends {
                    machine,
                    superstep,
                    left: first,
                    left_call,
                    right: processor,
                    right_call,
                });
            }
        }
        Ok(left.superstep_end())
    }

    fn own(&self, processor: u32, nested: &Nested, end: SuperstepEnd) -> OwnSuperstep {
        let Processor { origin_s, experiments, .. } = self.processor(processor);
        OwnSuperstep::of(nested, end, *origin_s, experiments)
    }

    /// Puts together the parts that were open in a superstep.
    fn rounds(
        &mut self,
        machine: BspMachine,
        superstep: u64,
        row: Vec<Nested>,
        own: &mut [OwnSuperstep],
    ) -> Result<Vec<PartsRound>, RecordingError> {
        let first = machine.processors.first;
        let mut waiting: Vec<VecDeque<OnProcessor>> = row.into_iter().map(|its| its.inside.into()).collect();
        let mut rounds = Vec::new();
        while waiting.iter().any(|parts| !parts.is_empty()) {
            let mut before = vec![ComputingStretch::default(); waiting.len()];
            let mut parts = Vec::new();
            let mut is_stuck = true;
            let mut at = 0;
            while at < waiting.len() {
                let count = ready_part(&waiting, first, at);
                if count == 0 {
                    parts.push(RecordedMachine { processors: 1, supersteps: Vec::new() });
                    at += 1;
                    continue;
                }
                is_stuck = false;
                let next = at + count;
                let of_processors = waiting[at..next].iter_mut().filter_map(VecDeque::pop_front).collect();
                for processor in at..next {
                    before[processor] = own[processor].stretches.pop_front().unwrap_or_default();
                }
                parts.push(self.machine(of_processors)?);
                at = next;
            }
            if is_stuck || (rounds.len() + 1).saturating_mul(waiting.len()) > MOST_STRETCHES {
                return Err(RecordingError::Parts { machine, superstep });
            }
            rounds.push(PartsRound { before, parts });
        }
        Ok(rounds)
    }
}

/// How many processors, from one on, have the same part before them, which is all of it; 0 if there is none.
fn ready_part(waiting: &[VecDeque<OnProcessor>], first: u32, at: usize) -> usize {
    let Some(part) = waiting[at].front() else { return 0 };
    let range = part.machine.processors;
    let count = (range.last - range.first) as usize + 1;
    let starts_here = (range.first - first) as usize == at && at + count <= waiting.len();
    let is_next = |its: &VecDeque<OnProcessor>| its.front().is_some_and(|its| its.machine == part.machine);
    if starts_here && waiting[at..at + count].iter().all(is_next) { count } else { 0 }
}

/// The partners of all processors of a machine, by their numbers in it.
fn partners(machine: BspMachine, recorded: &[&Superstep]) -> WaitRelation {
    let first = machine.processors.first;
    let ranges = |its: &&Superstep| -> Box<[RangeInclusive<u32>]> {
        its.partners.iter().map(|range| range.first - first..=range.last - first).collect()
    };
    WaitRelation::Partners(recorded.iter().map(ranges).collect())
}
