use call_trace::{BspMachine, CallSite};

use crate::obsp::Waits;

/// The supersteps of a run, machine by machine.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) root: Machine,
    /// ξ of each processor in seconds after the first one; 0 if their clocks have nothing in common.
    pub(super) start_s: Vec<f64>,
    pub(super) has_common_clock: bool,
    pub(super) places: Vec<CallSite>,
    /// `None` if the trace does not have their times.
    pub(super) experiments: Option<Vec<String>>,
    /// The supersteps of all machines; the cost centres of the tasks are numbers of these.
    pub(super) centres: Vec<Centre>,
}

/// A superstep of a machine.
#[derive(Debug, Clone)]
pub(super) struct Centre {
    pub machine: BspMachine,
    pub superstep: u64,
    /// Where it ends on each processor, as numbers of [`Program::places`].
    pub places: Vec<usize>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub processors: u32,
    pub supersteps: Vec<MachineStep>,
}

#[derive(Debug, Clone)]
pub(super) struct MachineStep {
    pub centre: usize,
    /// Times in which parts were open. They come one after another for each processor; one that is in none has a part of its own in
    /// which nothing happens.
    pub rounds: Vec<Round>,
    /// For each processor what it computes behind the last part.
    pub last: Vec<Computing>,
    /// For each processor what it recorded before the superstep; not the program's own.
    pub recording_s: Vec<f64>,
    /// For each processor.
    pub inside: Vec<Inside>,
    /// `None` where the machine ends, or a report comes between.
    pub end: Option<Exchange>,
    /// For each processor the moment in which it ends, by the clock of the run.
    pub end_s: Vec<f64>,
}

/// How much of the computing outside of parts lay inside experiments.
#[derive(Debug, Clone, Default)]
pub(super) struct Inside {
    /// All of it.
    pub own_s: f64,
    /// Experiments with their shares.
    pub shares: Vec<(usize, f64)>,
}

#[derive(Debug, Clone)]
pub(super) struct Round {
    pub before: Vec<Computing>,
    pub parts: Vec<Machine>,
}

/// A stretch of a processor outside of parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Computing {
    pub computing_s: f64,
    /// With what recording and waiting took in it.
    pub passed_s: f64,
}

/// The end of a superstep with a synchronisation.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub waits: Waits,
    pub in_bytes: Vec<f64>,
    pub out_bytes: Vec<f64>,
    /// What it took each processor when all that it needs was there.
    pub cost_s: Vec<f64>,
}

impl Program {
    /// Number of processors.
    pub fn processors(&self) -> u32 {
        self.root.processors
    }

    /// Whether the times of all processors count from the same moment.
    pub fn has_common_clock(&self) -> bool {
        self.has_common_clock
    }

    /// The experiments inside which supersteps computed; `None` if the trace does not tell.
    pub fn experiments(&self) -> Option<&[String]> {
        self.experiments.as_deref()
    }

    /// From where supersteps were ended; [`WaitChange::place`](super::WaitChange) and others are numbers of these.
    pub fn places(&self) -> &[CallSite] {
        &self.places
    }

    /// From the first start to the last end of the recording, with what recording took. Where clocks have nothing in common, the
    /// longest time of a processor.
    pub fn recorded_s(&self) -> f64 {
        let ends = self.root.supersteps.last().map_or(&[][..], |last| &last.end_s);
        ends.iter().copied().fold(0.0, f64::max)
    }
}
