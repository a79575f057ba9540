use std::rc::Rc;

use super::Profile;

/// What a machine does: its supersteps, one step after another (paper, section 2). Times are those of each processor.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// P, the number of processors of the machine.
    pub processors: u32,
    /// In the order of execution. A superstep is what ends with a synchronisation; what stands behind the last one is a further
    /// superstep without communication.
    pub steps: Vec<Step>,
}

/// A step of a superstep.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Each processor computes for itself, w.
    Compute {
        /// Seconds of each processor.
        time_s: Profile,
        /// The cost centre: a number by which the caller knows the step.
        centre: usize,
    },
    /// The machine is divided into submachines with numbers of their own (section 2.2). They follow each other without gaps and together
    /// have all processors. To this machine that is computation.
    Parts(Vec<Part>),
    /// The end of a superstep.
    Synchronise(Synchronisation),
}

/// A submachine and what it does.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it does; its number of processors stands there. Parts that do the same may share it, and are evaluated once.
    pub task: Rc<Task>,
}

/// The communication at the end of a superstep.
#[derive(Debug, Clone, PartialEq)]
pub struct Synchronisation {
    /// Who waits for whom.
    pub waits: Waits,
    /// What was sent in the superstep.
    pub sends: Vec<Send>,
    /// Bytes that go in and out of each processor beside those of `sends`, whoever sent them.
    pub exchanged: Option<Exchanged>,
    /// What it takes when all is there.
    pub cost: Cost,
    /// The cost centre: a number by which the caller knows the step.
    pub centre: usize,
}

/// Who waits for whom: the sets Ω of equation (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// A global barrier: everybody for everybody.
    Barrier,
    /// An oblivious synchronisation: each processor for those that have sent it something.
    Oblivious,
}

/// Messages of a superstep that go by one rule, at most one of each processor; one with [`Target::All`] sends to each other one.
#[derive(Debug, Clone, PartialEq)]
pub struct Send {
    /// Length of the message of each processor; [`super::NONE`] if it sends none.
    pub bytes: Profile,
    /// Where it goes. What a processor sends to itself, or to a processor that does not exist, is not sent.
    pub target: Target,
}

/// Where messages go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
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
    /// From i to the i-th of these.
    Each(Rc<[u32]>),
}

/// Bytes that go in and out of each processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Exchanged {
    pub in_bytes: Profile,
    pub out_bytes: Profile,
}

/// The time of a communication, without the wait for the partners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cost {
    /// g h + L, as equation (2) has it.
    Linear {
        /// g.
        g_s_per_byte: f64,
        /// L.
        latency_s: f64,
    },
    /// Seconds of each processor.
    Given(Profile),
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
