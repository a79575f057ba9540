/// Why a call waits, by the names of Scalasca where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WaitKind {
    /// A receive, the wait for one, or a probe, until its message is sent.
    LateSender,
    /// A send that does not return before its message is asked for.
    LateReceiver,
    /// A barrier, `bsp_sync`, a fence, the start or the end of MPI, what makes communicators and windows, until the last processor has come.
    Barrier,
    /// An access to the memory of another processor, from `MPI_Win_start` to `MPI_Win_complete`, until that one allows it.
    LatePost,
    /// `MPI_Win_wait`, until the last access from another processor is complete.
    EarlyWait,
    /// An access to memory, from `MPI_Win_lock` to `MPI_Win_unlock`, until another processor gives the lock back.
    Lock,
    /// Operations of all with all, likewise.
    AllToAll,
    /// Those who get something of the root, until it has come.
    LateBroadcast,
    /// The root, until the last of those who give it something has come.
    EarlyReduce,
    /// A processor, until the last of those with lower ranks has come.
    Scan,
    /// In an operation with a root or of lower ranks, behind all that it needs in any case: until the last other one has come before the call is left.
    Inside,
}

impl WaitKind {
    /// Whether everybody waits for everybody.
    pub(crate) fn is_of_all_with_all(self) -> bool {
        matches!(self, WaitKind::Barrier | WaitKind::AllToAll)
    }

    /// As it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            WaitKind::LateSender => "late sender",
            WaitKind::LateReceiver => "late receiver",
            WaitKind::Barrier => "wait at barrier",
            WaitKind::LatePost => "late post",
            WaitKind::EarlyWait => "early wait",
            WaitKind::Lock => "lock contention",
            WaitKind::AllToAll => "wait at N×N",
            WaitKind::LateBroadcast => "late broadcast",
            WaitKind::EarlyReduce => "early reduce",
            WaitKind::Scan => "early scan",
            WaitKind::Inside => "wait inside",
        }
    }
}
