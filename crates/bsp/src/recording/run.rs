use std::ops::RangeInclusive;

use call_trace::{BspMachine, CallSite};

use crate::obsp::{ExchangedBytes, PerProcessorArena, Synchronisation, SynchronisationCost, WaitRelation};

/// The supersteps of a run, machine by machine.
#[derive(Debug, Clone)]
pub struct RecordedRun {
    pub(super) root: RecordedMachine,
    pub(super) start_s: Vec<f64>,
    pub(super) has_common_clock: bool,
    pub(super) has_network: bool,
    pub(super) call_sites: Vec<CallSite>,
    pub(super) experiments: Option<Vec<String>>,
    pub(super) superstep_names: Vec<SuperstepName>,
}

/// Which superstep it is. The cost centres of tasks are numbers of [`RecordedRun::superstep_names`].
#[derive(Debug, Clone)]
pub struct SuperstepName {
    /// The machine.
    pub machine: BspMachine,
    /// Its number in the machine, from 1. A report in the middle divides a superstep into two of the same number.
    pub superstep: u64,
    /// Where each processor of the machine ends it, as numbers of [`RecordedRun::call_sites`].
    pub call_sites: Vec<usize>,
}

/// What a machine does.
#[derive(Debug, Clone, Default)]
pub struct RecordedMachine {
    /// How many it has.
    pub processors: u32,
    /// In their order.
    pub supersteps: Vec<RecordedSuperstep>,
}

/// A superstep of all processors of a machine. Each vector has an entry for each of them. Seconds of moments count from the first
/// start of a processor; where clocks have nothing in common, each processor counts from its own.
#[derive(Debug, Clone)]
pub struct RecordedSuperstep {
    /// Number of [`RecordedRun::superstep_names`].
    pub centre: usize,
    /// When it begins.
    pub start_s: Vec<f64>,
    /// When it ends.
    pub end_s: Vec<f64>,
    /// Waiting, without that in parts: in collectives, and for the partners at the end.
    pub waiting_s: Vec<f64>,
    /// The rest of the synchronisation, as the trace tells it.
    pub communicating_s: Vec<f64>,
    /// What was recorded before the superstep; not the program's own.
    pub recording_s: Vec<f64>,
    /// Computing outside of parts, and how much of it lay inside experiments.
    pub computing: Vec<OwnComputing>,
    /// Times in which parts were open. They come one after another for each processor; one that is in none has a part of its own in
    /// which nothing happens.
    pub rounds: Vec<PartsRound>,
    /// What is computed behind the last part.
    pub last: Vec<ComputingStretch>,
    /// `None` where the machine ends, or a report comes between.
    pub synchronisation: Option<RecordedSynchronisation>,
}

/// Computing of a processor in a superstep outside of parts.
#[derive(Debug, Clone, Default)]
pub struct OwnComputing {
    /// All of it.
    pub own_s: f64,
    /// Numbers of [`RecordedRun::experiments`] with their shares, from 0 to 1. Experiments inside each other count both.
    pub shares: Vec<(usize, f64)>,
}

/// Parts that are open at a time.
#[derive(Debug, Clone)]
pub struct PartsRound {
    /// What each processor of the machine computes before it.
    pub before: Vec<ComputingStretch>,
    /// They follow each other without gaps and together have all processors.
    pub parts: Vec<RecordedMachine>,
}

/// A stretch of a processor outside of parts.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComputingStretch {
    /// Without what recording and waiting took.
    pub computing_s: f64,
    /// With both.
    pub passed_s: f64,
}

/// The end of a superstep with a synchronisation. Each vector has an entry for each processor of the machine.
#[derive(Debug, Clone)]
pub struct RecordedSynchronisation {
    /// Who waits for whom.
    pub waits: WaitRelation,
    /// Bytes that came from other processors.
    pub in_bytes: Vec<f64>,
    /// Bytes that went to other processors.
    pub out_bytes: Vec<f64>,
    /// What it took when all that the processor needs was there: where all processors have one clock, from the moment in which its
    /// last partner was ready; else what the trace calls communicating.
    pub cost_s: Vec<f64>,
    /// How much of what the trace calls waiting that is: data on their way through a network, or a processor that wakes up. Zeros where
    /// clocks have nothing in common.
    pub waiting_when_ready_s: Vec<f64>,
}

impl RecordedRun {
    /// Number of processors.
    pub fn processors(&self) -> u32 {
        self.root.processors
    }

    /// The number of the first processor in the run, which is not 0 where a part of the processors recorded.
    pub fn first_processor(&self) -> u32 {
        self.superstep_names.first().map_or(0, |name| name.machine.processors.first)
    }

    /// The machine of all processors, which has all others in it.
    pub fn machine(&self) -> &RecordedMachine {
        &self.root
    }

    /// Which supersteps there are: those of all machines, by [`RecordedSuperstep::centre`].
    pub fn superstep_names(&self) -> &[SuperstepName] {
        &self.superstep_names
    }

    /// When each processor starts (ξ), in seconds after the first one; 0 if their clocks have nothing in common.
    pub fn start_s(&self) -> &[f64] {
        &self.start_s
    }

    /// Whether the times of all processors count from the same moment.
    pub fn has_common_clock(&self) -> bool {
        self.has_common_clock
    }

    /// Says that messages went through a network while their receivers were waiting, as they do over MPI.
    pub fn over_network(mut self) -> RecordedRun {
        self.has_network = true;
        self
    }

    /// For how long each processor waited in a superstep after all that it waits for had come, seconds: its data were on their way through a
    /// network. `None` where there is no network, or no clock that all processors have.
    pub fn in_transit_s<'a>(&self, step: &'a RecordedSuperstep) -> Option<&'a [f64]> {
        let is_known = self.has_network && self.has_common_clock;
        let synchronisation = step.synchronisation.as_ref().filter(|_| is_known)?;
        Some(&synchronisation.waiting_when_ready_s)
    }

    /// The experiments inside which supersteps computed; `None` if the trace does not tell.
    pub fn experiments(&self) -> Option<&[String]> {
        self.experiments.as_deref()
    }

    /// From where supersteps were ended.
    pub fn call_sites(&self) -> &[CallSite] {
        &self.call_sites
    }

    /// From the first start to the last end of the recording, with what recording took. Where clocks have nothing in common, the
    /// longest time of a processor.
    pub fn recorded_s(&self) -> f64 {
        let ends = self.root.supersteps.last().map_or(&[][..], |last| &last.end_s);
        ends.iter().copied().fold(0.0, f64::max)
    }
}

impl RecordedMachine {
    /// Calls a function with each superstep and its machine, those of parts before the superstep that they are in.
    pub fn each_superstep<'a>(&'a self, found: &mut dyn FnMut(&'a RecordedMachine, &'a RecordedSuperstep)) {
        for step in &self.supersteps {
            for part in step.rounds.iter().flat_map(|round| &round.parts) {
                part.each_superstep(found);
            }
            found(self, step);
        }
    }
}

impl RecordedSynchronisation {
    /// Those that a processor waited for, as ranges of their numbers in the machine, without itself; `None` at a barrier: for all.
    pub fn partners(&self, processor: u32) -> Option<&[RangeInclusive<u32>]> {
        match &self.waits {
            WaitRelation::Partners(partners) => partners.get(processor as usize).map(AsRef::as_ref),
            WaitRelation::Barrier | WaitRelation::Oblivious => None,
        }
    }

    /// As a step of a task.
    pub fn synchronisation(
        &self,
        arena: &mut PerProcessorArena,
        cost: SynchronisationCost,
        centre: usize,
    ) -> Synchronisation {
        let exchanged = ExchangedBytes {
            in_bytes: arena.of_slice(&self.in_bytes),
            out_bytes: arena.of_slice(&self.out_bytes),
        };
        let (waits, exchanged) = (self.waits.clone(), Some(exchanged));
        Synchronisation { waits, sends: Vec::new(), exchanged, cost, centre }
    }

    /// When what each processor waits for was there, if they were ready at these moments.
    pub fn begins_s(&self, ready_s: &[f64]) -> Vec<f64> {
        let mut arena = PerProcessorArena::new();
        let processors = ready_s.len() as u32;
        let ready_s = arena.of_slice(ready_s);
        let cost = SynchronisationCost::Given(arena.same(0.0));
        let synchronisation = self.synchronisation(&mut arena, cost, 0);
        let begins_s = synchronisation.over_partners(&mut arena, processors, ready_s);
        arena.values(begins_s, processors)
    }
}
