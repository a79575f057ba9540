/// What is to be said of an archive that was read or written all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ArchiveRemark {
    #[error("{locations} threads, devices and counters are no processes of MPI: what they did is left out")]
    OtherLocations { locations: usize },
    #[error("{values} values of counters stand among what processes of MPI did: they are left out")]
    Counters { values: u64 },
    #[error(
        "processes are in barriers of their threads, {processors} of them for {} s in all: who waits there is not analysed, it counts as computing",
        *time_ns as f64 * 1e-9
    )]
    ThreadBarriers { processors: usize, time_ns: u64 },
    #[error(
        "the archive does not say which processes MPI had: they are numbered in the order of their locations"
    )]
    NoRanks,
    #[error("processor {processor} has no events that can be read: {problem}")]
    Missing { processor: u32, problem: String },
    #[error("the events of processor {processor} end after {events}: {problem}")]
    Cut { processor: u32, events: u64, problem: String },
    #[error("processor {processor}: {events} events of messages are in no call of MPI: they are left out")]
    OutsideCalls { processor: u32, events: usize },
    #[error(
        "processor {processor}: {events} events speak of what the archive does not define: they are left out"
    )]
    Undefined { processor: u32, events: usize },
    #[error("processor {processor}: {events} events of intercommunicators are left out")]
    Intercommunicators { processor: u32, events: usize },
    #[error("processor {processor}: {events} ends of regions are not those of the ones that began last")]
    NotNested { processor: u32, events: usize },
    #[error("processor {processor}: {events} events are of requests that nothing began: they are left out")]
    UnknownRequests { processor: u32, events: usize },
    #[error(
        "processor {processor}: {events} collective operations were begun and never completed: they are left out"
    )]
    OpenCollectives { processor: u32, events: usize },
    #[error("processor {processor}: recording was off {times} times; what happened then counts as computing")]
    RecordingOff { processor: u32, times: usize },
    #[error("processor {processor} spent {time_ns} ns writing its events, which counts as what it did then")]
    Flushed { processor: u32, time_ns: u64 },
    #[error(
        "processor {processor}: {events} calls were recorded with all that called them: they are left out"
    )]
    CallingContexts { processor: u32, events: usize },
    #[error(
        "processor {processor}: {events} times lie before the start of the archive's clock: they are that start"
    )]
    BeforeClock { processor: u32, events: usize },
    #[error("processor {processor}: the clock went back {events} times; in the archive it stands still then")]
    ClockWentBack { processor: u32, events: usize },
    #[error(
        "processor {processor} ended within {regions} regions, which have no end in the archive: other tools may refuse it"
    )]
    OpenRegions { processor: u32, regions: usize },
}
