use std::ops::RangeInclusive;
use std::rc::Rc;

use super::operation::{NONE, PairOperation};
use super::per_processor::{PerProcessor, PerProcessorArena, processor};

/// What a machine does: its supersteps, one step after another (paper, section 2). Times are those of each processor.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// P, the number of processors of the machine.
    pub processors: u32,
    /// In the order of execution. A superstep is what ends with a synchronisation; what stands behind the last one is a further
    /// superstep without communication.
    pub steps: Vec<TaskStep>,
}

/// A step of a superstep.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskStep {
    /// Each processor computes for itself, w.
    Compute {
        /// Seconds of each processor.
        time_s: PerProcessor,
        /// The cost centre: a number by which the caller knows the step.
        centre: usize,
    },
    /// The machine is divided into submachines with numbers of their own (section 2.2), each with what it does. They follow each other
    /// without gaps and together have all processors. To this machine that is computation. Parts that do the same may share a task,
    /// and are evaluated once.
    Parts(Vec<Rc<Task>>),
    /// The end of a superstep.
    Synchronise(Synchronisation),
}

/// The communication at the end of a superstep.
#[derive(Debug, Clone, PartialEq)]
pub struct Synchronisation {
    /// Who waits for whom.
    pub waits: WaitRelation,
    /// What was sent in the superstep.
    pub sends: Vec<Send>,
    /// Bytes that go in and out of each processor beside those of `sends`, whoever sent them.
    pub exchanged: Option<ExchangedBytes>,
    /// What it takes when all is there.
    pub cost: SynchronisationCost,
    /// The cost centre: a number by which the caller knows the step.
    pub centre: usize,
}

/// Who waits for whom: the sets Ω of equation (1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitRelation {
    /// A global barrier: everybody for everybody.
    Barrier,
    /// An oblivious synchronisation: each processor for those that have sent it something.
    Oblivious,
    /// An oblivious synchronisation of which the partners of each processor are known, as ranges of their numbers in the machine.
    Partners(Rc<[Box<[RangeInclusive<u32>]>]>),
}

/// Messages of a superstep that go by one rule, at most one of each processor; one with [`MessageTarget::All`] sends to each other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Send {
    /// Length of the message of each processor; [`NONE`] if it sends none.
    pub(super) bytes: PerProcessor,
    pub(super) target: MessageTarget,
}

/// Where messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MessageTarget {
    /// From each processor i to i ^ mask.
    ExclusiveOr(u32),
    /// From i to i + places.
    Shift(i64),
    /// From i to i + places, counted round the machine.
    Rotate(u32),
    /// To this one.
    One(u32),
    /// To all others.
    All,
    /// From i to the processor whose number is the i-th of these.
    Each(PerProcessor),
}

impl Send {
    /// Messages of so many bytes of each processor of a machine, [`NONE`] if it sends none. What a processor sends to itself, or to a
    /// processor that does not exist, is not sent.
    pub fn new(
        arena: &mut PerProcessorArena,
        processors: u32,
        bytes: PerProcessor,
        target: MessageTarget,
    ) -> Send {
        let none = arena.same(NONE);
        let bytes = match target {
            MessageTarget::ExclusiveOr(0) | MessageTarget::Shift(0) => none,
            MessageTarget::Rotate(places) if places % processors == 0 => none,
            MessageTarget::One(one) if one >= processors => none,
            MessageTarget::All if processors == 1 => none,
            MessageTarget::ExclusiveOr(mask) if processors.is_power_of_two() && mask < processors => bytes,
            // Away and back again: those whose target exists stay.
            MessageTarget::ExclusiveOr(mask) => {
                let away = arena.exclusive_or(bytes, processors, mask);
                arena.exclusive_or(away, processors, mask)
            }
            MessageTarget::Shift(places) => {
                let away = arena.shift(bytes, processors, places);
                arena.shift(away, processors, places.saturating_neg())
            }
            MessageTarget::One(one) => arena.with(bytes, processors, one, NONE),
            MessageTarget::Rotate(_) | MessageTarget::All => bytes,
            MessageTarget::Each(targets) => {
                let others = arena.of_ranges(processors, &mut |arena, first, last| {
                    let is_other = |target| processor(target, processors).is_some_and(|to| to != first);
                    (first == last)
                        .then(|| if is_other(arena.at(targets, processors, first)) { 0.0 } else { NONE })
                });
                arena.combine(PairOperation::Where, bytes, others)
            }
        };
        Send { bytes, target }
    }
}

/// Bytes that go in and out of each processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ExchangedBytes {
    pub in_bytes: PerProcessor,
    pub out_bytes: PerProcessor,
}

/// The time of a communication, without the wait for the partners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SynchronisationCost {
    /// g h + L, as equation (2) has it.
    Linear(Network),
    /// Seconds of each processor.
    Given(PerProcessor),
}

/// The network of a machine, as the BSP model knows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Network {
    /// g.
    pub g_s_per_byte: f64,
    /// L.
    pub latency_s: f64,
}

impl Network {
    /// g h + L of an h-relation.
    pub fn time_s(self, h_bytes: f64) -> f64 {
        self.g_s_per_byte * h_bytes + self.latency_s
    }
}

/// The operation `@` of equation (3): what in and out together are, "depending on the input/output capabilities of the network
/// interface".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InOut {
    /// Both at once: the larger of them counts.
    Maximum,
    /// One after the other: their sum counts.
    #[default]
    Sum,
}

impl InOut {
    /// That of machines with a table of g and L: BSPlib and the probe measure g for the larger of both.
    pub const OF_MACHINES: InOut = InOut::Maximum;
}
