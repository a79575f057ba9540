use crate::{CallSite, EventList};

/// What one processor of a parallel program did, one after another; between its calls it computes. The model is that of OTF2.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProcessorEvents {
    /// Its number in the whole run; with MPI its rank in `MPI_COMM_WORLD`.
    pub processor: u32,
    /// Whether the times of all processors count from the same moment; else this one counts from its own start.
    pub has_common_clock: bool,
    /// How far times may be off that were recorded by the clock of another computer than that of processor 0, in nanoseconds; 0 of the same clock.
    pub clock_uncertainty_ns: u64,
    /// What [`EventKind::Enter`](crate::EventKind::Enter) speaks of: calls of the library with their places in the program, procedures where others recorded them.
    pub regions: Vec<CallSite>,
    /// What messages and collectives go through, as this processor knows them.
    pub communicators: Vec<Communicator>,
    /// Names of the experiments that were measured meanwhile.
    pub experiments: Vec<String>,
    /// Times never go back.
    pub events: EventList,
    /// Whether the processor may have done more: its run was killed, or the end of the file is missing.
    pub is_cut: bool,
    /// What the call waited for that the processor was in when a signal ended the program.
    pub awaits: Vec<Awaited>,
}

/// What has not happened; `None`: of any processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Awaited {
    /// A message of this processor.
    Message(Option<u32>),
    /// That this processor receives a message.
    Receiver(Option<u32>),
}

/// Processors that exchange messages with each other and do collectives together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Communicator {
    /// The same on all its processors, another for each communicator of the run.
    pub name: CommunicatorName,
    /// Their numbers in the run, by their ranks in the communicator.
    pub processors: Vec<u32>,
}

/// Tells communicators apart: who has made it, and how many this one had made before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub struct CommunicatorName {
    pub maker: u32,
    pub number: u32,
}
