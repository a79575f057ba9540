use std::fmt;

/// What one processor of a BSP program recorded of its supersteps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProcessorSupersteps {
    /// Its number in the whole run.
    pub processor: u32,
    /// Whether the start times of all processors count from the same moment; else this one counts from its own start.
    pub has_common_clock: bool,
    /// From where its supersteps were ended.
    pub places: Vec<CallSite>,
    /// The experiments whose times its supersteps have, in the order of their first mention; `None` if the runtime that wrote the
    /// trace did not record them.
    pub experiments: Option<Vec<String>>,
    /// In the order of their ends. A superstep of a machine stands behind those of the parts that were open in it.
    pub supersteps: Vec<Superstep>,
}

/// From where supersteps were ended: a cost centre of the program.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct CallSite {
    /// Function of the library, or `report`; [`CallSite::superstep_end`] tells what it does.
    pub call: String,
    /// Where the call stands in the source; `None` if the function was called by its address.
    pub position: Option<SourcePosition>,
    /// Functions that were being executed, the one with the call first, `main` last. Functions that the compiler has merged into
    /// others are missing.
    pub call_stack: Vec<String>,
}

/// How a superstep ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuperstepEnd {
    /// All processors of its machine synchronise, in `bsp_sync` or a collective function of BSPlib such as `bsp_bcast` or `bsp_sumI`.
    Barrier,
    /// In `bsp_oblsync`: a processor waits for those whose messages it gets.
    Oblivious,
    /// The machine ends, or a report comes between: `bsp_begin` (for who has no part in it), `bsp_end`, `bsp_done`, `bsplib_done`, `report`.
    Nothing,
}

impl CallSite {
    /// How the superstep ends that was ended from here.
    pub fn superstep_end(&self) -> SuperstepEnd {
        match self.call.as_str() {
            "bsp_oblsync" => SuperstepEnd::Oblivious,
            "bsp_begin" | "bsp_end" | "bsp_done" | "bsplib_done" | "report" => SuperstepEnd::Nothing,
            _ => SuperstepEnd::Barrier,
        }
    }
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SourcePosition {
    pub file: String,
    pub line: u32,
}

/// A superstep of a processor. Its four times add up to the start of the next one of its machine, but for reports between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Superstep {
    /// Number in its machine, from 1. A report in the middle divides a superstep into two of the same number.
    pub number: u64,
    /// The machine that it is a superstep of.
    pub machine: BspMachine,
    /// Number of machines that are open around that machine.
    pub depth: u32,
    /// Index into [`ProcessorSupersteps::places`].
    pub place: usize,
    /// Start of the superstep.
    pub start_s: f64,
    /// From the start to the call that ends it, without waiting; with the supersteps of parts that were open in it.
    pub computing_s: f64,
    /// Time in which what other processors had to send was not there.
    pub waiting_s: f64,
    /// How much of it came before the call that ends the superstep; `None` if the runtime did not record that.
    pub inner_waiting_s: Option<f64>,
    /// The rest of the synchronisation, and what collectives of PUB move before it.
    pub communicating_s: f64,
    /// How much of it came before the call that ends the superstep; 0 if the runtime did not record that.
    pub inner_communicating_s: f64,
    /// What the record itself took, after the synchronisation.
    pub recording_s: f64,
    /// Bytes of messages, puts and answers to gets that went to other processors.
    pub out_bytes: u64,
    /// Bytes that came from other processors.
    pub in_bytes: u64,
    /// Number of those that went.
    pub out_messages: u64,
    /// Number of those that came.
    pub in_messages: u64,
    /// Other processors, by their numbers in the run, whose data came in; ascending.
    pub partners: Vec<ContiguousProcessors>,
    /// How much of [`Superstep::computing_s`] lay inside measurements, each experiment once; without those that have no part in it.
    pub experiments: Vec<ExperimentTime>,
}

/// Computing of a superstep inside the measurements of an experiment, also of parts that were open in it, but without what those
/// waited and communicated. Experiments inside each other count both, one that lies inside itself once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExperimentTime {
    /// Index into [`ProcessorSupersteps::experiments`].
    pub experiment: usize,
    /// So much of the computing.
    pub inside_s: f64,
}

/// A BSP machine. All its processors know it by the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BspMachine {
    /// Its processors, by their numbers in the run.
    pub processors: ContiguousProcessors,
    /// Tells machines of the same processors apart, from 0.
    pub number: u32,
}

/// Processors from first to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ContiguousProcessors {
    pub first: u32,
    pub last: u32,
}

impl fmt::Display for BspMachine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}-{}.{}", self.processors.first, self.processors.last, self.number)
    }
}
