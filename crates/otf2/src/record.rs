use std::collections::BTreeMap;

/// A reference of an archive to one of its definitions; those of each kind have numbers of their own, with any gaps.
pub(crate) type Reference = u64;

/// What OTF2 has in the place of a reference that leads to nothing.
pub(crate) const UNDEFINED: Reference = u32::MAX as Reference;

/// What the events of an archive speak of. Definitions may refer to later ones; of two with the same number the last one counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Definitions {
    /// Who has written the archive; may be empty.
    pub(crate) creator: String,
    pub(crate) clock: Option<ArchiveClock>,
    pub(crate) texts: BTreeMap<Reference, String>,
    /// Names of what events may have beside their fields; texts only.
    pub(crate) attributes: BTreeMap<Reference, Reference>,
    pub(crate) location_groups: BTreeMap<Reference, LocationGroup>,
    pub(crate) locations: BTreeMap<Reference, Location>,
    pub(crate) regions: BTreeMap<Reference, Region>,
    /// By number and kind: EZTrace gives one number to groups of two kinds.
    pub(crate) groups: BTreeMap<(Reference, u64), Group>,
    pub(crate) communicators: BTreeMap<Reference, ArchiveCommunicator>,
    /// The two groups of each.
    pub(crate) intercommunicators: BTreeMap<Reference, [Reference; 2]>,
    /// Their communicators.
    pub(crate) windows: BTreeMap<Reference, Reference>,
}

impl Definitions {
    /// The text with this number; empty if there is none.
    pub(crate) fn text(&self, text: Reference) -> &str {
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
    pub(crate) name: Reference,
    pub(crate) kind: u64,
}

/// A thread, or something else with events of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) name: Reference,
    pub(crate) kind: u64,
    pub(crate) events: u64,
    pub(crate) group: Reference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Region {
    pub(crate) name: Reference,
    pub(crate) description: Reference,
    pub(crate) role: u64,
    pub(crate) paradigm: u64,
    pub(crate) source_file: Reference,
    pub(crate) first_line: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: Reference,
    pub(crate) paradigm: u64,
    pub(crate) flags: u64,
    pub(crate) members: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchiveCommunicator {
    pub(crate) name: Reference,
    pub(crate) group: Reference,
}

/// Numbers that OTF2 gives to kinds of things.
pub(crate) mod number {
    pub(crate) const PROCESS: u64 = 1;
    pub(crate) const CPU_THREAD: u64 = 1;
    pub(crate) const PARADIGM_USER: u64 = 1;
    pub(crate) const PARADIGM_COMPILER: u64 = 2;
    pub(crate) const PARADIGM_MPI: u64 = 4;
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
    pub(crate) attributes: [Option<(Reference, Reference)>; 2],
}

/// Ranks are those of the communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    Enter {
        region: Reference,
    },
    Leave {
        region: Reference,
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
    CollectiveEnd(Together),
    CollectiveRequest {
        request: u64,
    },
    CollectiveComplete {
        together: Together,
        request: u64,
    },
    /// The communicator is the number of a window.
    WindowCollective(Together),
    ProgramBegin {
        name: Reference,
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ArchiveMessage {
    pub(crate) rank: u64,
    pub(crate) communicator: Reference,
    pub(crate) tag: u32,
    pub(crate) bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Together {
    pub(crate) operation: u64,
    pub(crate) communicator: Reference,
    pub(crate) root: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) received_bytes: u64,
}
