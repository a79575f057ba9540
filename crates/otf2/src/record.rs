use std::collections::BTreeMap;

/// A reference of an archive to one of its definitions; those of each kind have numbers of their own, with any gaps.
pub(crate) type DefinitionReference = u64;

/// What OTF2 has in the place of a reference that leads to nothing.
pub(crate) const UNDEFINED: DefinitionReference = u32::MAX as DefinitionReference;

/// What the events of an archive speak of. Definitions may refer to later ones; of two with the same number the last one counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ArchiveDefinitions {
    /// Who has written the archive; may be empty.
    pub(crate) creator: String,
    pub(crate) clock: Option<ArchiveClock>,
    pub(crate) texts: BTreeMap<DefinitionReference, String>,
    /// Names of what events may have beside their fields; texts only.
    pub(crate) attributes: BTreeMap<DefinitionReference, DefinitionReference>,
    pub(crate) location_groups: BTreeMap<DefinitionReference, LocationGroup>,
    pub(crate) locations: BTreeMap<DefinitionReference, Location>,
    pub(crate) regions: BTreeMap<DefinitionReference, RegionDefinition>,
    /// By number and kind: EZTrace gives one number to groups of two kinds.
    pub(crate) groups: BTreeMap<(DefinitionReference, u64), GroupDefinition>,
    pub(crate) communicators: BTreeMap<DefinitionReference, ArchiveCommunicator>,
    /// The two groups of each.
    pub(crate) intercommunicators: BTreeMap<DefinitionReference, [DefinitionReference; 2]>,
    pub(crate) windows: BTreeMap<DefinitionReference, ArchiveWindow>,
    /// Names of what is told of a call beside its events; texts only.
    pub(crate) parameters: BTreeMap<DefinitionReference, DefinitionReference>,
}

impl ArchiveDefinitions {
    /// The text with this number; empty if there is none.
    pub(crate) fn text(&self, text: DefinitionReference) -> &str {
        self.texts.get(&text).map_or("", String::as_str)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchiveClock {
    pub(crate) ticks_per_second: u64,
    pub(crate) origin_ticks: u64,
    pub(crate) length_ticks: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocationGroup {
    pub(crate) name: DefinitionReference,
    pub(crate) kind: u64,
}

/// A thread, or something else with events of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) name: DefinitionReference,
    pub(crate) kind: u64,
    pub(crate) events: u64,
    pub(crate) group: DefinitionReference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RegionDefinition {
    pub(crate) name: DefinitionReference,
    pub(crate) description: DefinitionReference,
    pub(crate) role: u64,
    pub(crate) paradigm: u64,
    pub(crate) source_file: DefinitionReference,
    pub(crate) first_line: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GroupDefinition {
    pub(crate) name: DefinitionReference,
    pub(crate) paradigm: u64,
    pub(crate) flags: u64,
    pub(crate) members: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchiveCommunicator {
    pub(crate) name: DefinitionReference,
    pub(crate) group: DefinitionReference,
}

/// Memory of the processors of a communicator that the others of them may access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ArchiveWindow {
    pub(crate) name: DefinitionReference,
    pub(crate) communicator: DefinitionReference,
}

/// Numbers that OTF2 gives to kinds of things.
pub(crate) mod number {
    pub(crate) const PROCESS: u64 = 1;
    pub(crate) const CPU_THREAD: u64 = 1;
    pub(crate) const PARADIGM_USER: u64 = 1;
    pub(crate) const PARADIGM_COMPILER: u64 = 2;
    pub(crate) const PARADIGM_OPENMP: u64 = 3;
    pub(crate) const PARADIGM_MPI: u64 = 4;
    pub(crate) const BARRIER: u64 = 15;
    pub(crate) const IMPLICIT_BARRIER: u64 = 16;
    /// The locations of all processes, by their ranks.
    pub(crate) const COMM_LOCATIONS: u64 = 4;
    /// Some of them, by their places in the one above.
    pub(crate) const COMM_GROUP: u64 = 5;
    /// Each process for itself.
    pub(crate) const COMM_SELF: u64 = 6;
    /// Events have ranks among all processes, not in the group.
    pub(crate) const GLOBAL_MEMBERS: u64 = 1;
    pub(crate) const NO_ROOT: u64 = u32::MAX as u64;
    pub(crate) const RECORDING_OFF: u64 = 2;
}

/// What happened on a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchiveEvent {
    pub(crate) ticks: u64,
    pub(crate) happening: Happening,
    /// Attributes with their texts.
    pub(crate) attributes: [Option<(DefinitionReference, DefinitionReference)>; 2],
}

/// Ranks are those of the communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    Enter {
        region: DefinitionReference,
    },
    Leave {
        region: DefinitionReference,
    },
    Send(ArchiveMessage),
    SendRequest {
        message: ArchiveMessage,
        request: u64,
    },
    SendComplete {
        request: u64,
    },
    Receive(ArchiveMessage),
    ReceiveRequest {
        request: u64,
    },
    ReceiveComplete {
        message: ArchiveMessage,
        request: u64,
    },
    Cancelled {
        request: u64,
    },
    CollectiveBegin,
    CollectiveEnd(CollectiveRecord),
    CollectiveRequest {
        request: u64,
    },
    CollectiveComplete {
        together: CollectiveRecord,
        request: u64,
    },
    /// The communicator is the number of a window.
    WindowCollective(CollectiveRecord),
    ProgramBegin {
        name: DefinitionReference,
    },
    ProgramEnd,
    BufferFlush {
        end_ticks: u64,
    },
    Recording {
        mode: u64,
    },
    /// A call that was recorded in another way, with all that called it.
    CallingContext,
    /// What hardware counters had, or another measurement.
    Counters {
        values: u64,
    },
    /// What is told of the call that is open.
    ParameterText {
        parameter: DefinitionReference,
        text: DefinitionReference,
    },
    RemoteAccess(AccessRecord),
    /// The call synchronises accesses with all processors of the group.
    GroupSync {
        group: DefinitionReference,
        window: DefinitionReference,
    },
    Lock {
        rank: u64,
        window: DefinitionReference,
        is_shared: bool,
    },
    Unlock {
        rank: u64,
        window: DefinitionReference,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchiveMessage {
    pub(crate) rank: u64,
    pub(crate) communicator: DefinitionReference,
    pub(crate) tag: u32,
    pub(crate) bytes: u64,
}

/// The rank is that of the window's communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AccessRecord {
    pub(crate) rank: u64,
    pub(crate) window: DefinitionReference,
    pub(crate) is_accumulation: bool,
    pub(crate) sent_bytes: u64,
    pub(crate) received_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CollectiveRecord {
    pub(crate) operation: u64,
    pub(crate) communicator: DefinitionReference,
    pub(crate) root: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) received_bytes: u64,
}
