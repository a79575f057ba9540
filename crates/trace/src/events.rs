/// Something that happened on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// When, in nanoseconds since the clock's origin.
    pub at_ns: u64,
    /// What.
    pub kind: EventKind,
}

/// What happened. A region, an experiment and a communicator are indices into the lists of [`ProcessorEvents`](crate::ProcessorEvents); processors have their
/// numbers in the run; a request has a number that this processor gives to no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum EventKind {
    /// The first moment that was recorded, and the last one.
    ProgramBegin,
    ProgramEnd,
    /// A call, or a procedure, begins.
    Enter {
        region: u32,
    },
    /// The region that was entered last ends.
    Leave,
    /// A measurement begins.
    ExperimentBegin {
        experiment: u32,
    },
    /// The measurement of this experiment that began last ends.
    ExperimentEnd {
        experiment: u32,
    },
    /// A message leaves, in a call that returns when its memory may be used again, and with `is_synchronous` when it is being received.
    Send {
        message: Message,
        is_synchronous: bool,
    },
    /// A message may leave from now on.
    SendRequest {
        message: Message,
        request: u64,
        is_synchronous: bool,
    },
    /// Its memory may be used again: the last call that was entered found that out.
    SendComplete {
        request: u64,
    },
    /// A message has come, in a call that waited for it. `message.partner` has sent it, whatever was asked for.
    Receive {
        message: Message,
    },
    /// A message may come from now on; messages of one sender, communicator and tag come in the order of their requests.
    ReceiveRequest {
        request: u64,
    },
    /// It has come.
    ReceiveComplete {
        message: Message,
        request: u64,
    },
    /// A message is there, and has not been received: `MPI_Probe`, or `MPI_Iprobe` that says yes.
    Probed {
        message: Message,
    },
    /// The request will not be completed.
    Cancelled {
        request: u64,
    },
    /// All processors of the communicator do this together; the call of it has been entered last, and this stands before its end.
    Collective {
        collective: Collective,
    },
    /// The same without waiting for it.
    CollectiveRequest {
        collective: Collective,
        request: u64,
    },
    /// It has been waited for.
    CollectiveComplete {
        request: u64,
    },
    /// Data goes to the memory of another processor or comes from it, in a call that this one does alone: `MPI_Put`, `MPI_Get`.
    RemoteAccess {
        access: RemoteAccess,
    },
    /// What this processor does to synchronise accesses to memory with one other processor, in a call that may do it with several.
    WindowEpoch {
        epoch: WindowEpoch,
    },
}

/// One side of a synchronisation between two processors, of which one accesses the memory of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct WindowEpoch {
    pub step: EpochStep,
    pub partner: u32,
    /// That of the window.
    pub communicator: u32,
    /// How many windows of this communicator were made before.
    pub window: u32,
}

impl WindowEpoch {
    /// Whether it is of a lock.
    pub fn is_of_lock(&self) -> bool {
        matches!(self.step, EpochStep::LockExclusive | EpochStep::LockShared | EpochStep::Unlock)
    }
}

/// The functions of MPI that do it. An access waits for the `Post` of the other processor from `Start` on, and `Wait` for its `Complete`. From a lock until
/// `Unlock` the memory of the partner is locked, or waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of MPI")]
pub enum EpochStep {
    Post,
    Start,
    Complete,
    Wait,
    LockExclusive,
    LockShared,
    Unlock,
}

/// A message between two processors; bytes of its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Message {
    /// Who receives it, or of one that has come, who has sent it.
    pub partner: u32,
    pub communicator: u32,
    pub tag: i32,
    pub bytes: u64,
}

/// What one processor does with another one's memory; bytes of its own data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct RemoteAccess {
    /// Whose memory it is.
    pub partner: u32,
    /// That of the window.
    pub communicator: u32,
    pub sent_bytes: u64,
    pub received_bytes: u64,
}

/// What one processor does of a collective operation. The n-th ones of a communicator on all its processors belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Collective {
    pub operation: CollectiveOperation,
    pub communicator: u32,
    /// The root's number in the run, of operations that have one.
    pub root: Option<u32>,
    /// What this processor sends to others, and what it receives from others.
    pub sent_bytes: u64,
    pub received_bytes: u64,
}

/// By who needs whom: each processor all others (barrier, n to n), all others the root (1 to n), the root all others (n to 1), each
/// processor those of lower ranks (scans).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of MPI")]
pub enum CollectiveOperation {
    Barrier,
    Broadcast,
    Scatter,
    Gather,
    Reduce,
    Allgather,
    Allreduce,
    Alltoall,
    ReduceScatter,
    Scan,
    Exscan,
    /// `MPI_Win_fence`, on the communicator of the window.
    Fence,
    /// `MPI_Init`: the clocks of its end are as good as those of a barrier.
    Initialise,
    Finalise,
    /// Communicators and windows are made, and windows freed: MPI may wait for all, and need not.
    Make,
}
