/// Something that is wrong with what was recorded, or missing; the rest is analysed all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("processor {processor}: {kind}")]
pub struct RecordingRemark {
    /// Whose recording it is.
    pub processor: u32,
    /// What it is.
    pub kind: RemarkKind,
}

fn seconds(time_ns: u64) -> String {
    format!("{:.3} s", time_ns as f64 * 1e-9)
}

fn moved(waits: usize, most_ns: i64) -> String {
    match waits {
        0 => "nothing had come before it left".to_owned(),
        _ => format!(
            "{} something had come before it left, by up to {most_ns} ns: what follows is later than recorded",
            if waits == 1 { "once".to_owned() } else { format!("{waits} times") }
        ),
    }
}

/// What is wrong. Events count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RemarkKind {
    #[error("event {event} lies {by_ns} ns before the one that it follows: the clock went back")]
    TimeGoesBack { event: usize, by_ns: i64 },
    #[error("event {event} fits to none before it: it was left out")]
    Unfounded { event: usize },
    #[error("it ended within a call")]
    Unfinished,
    #[error("nothing that it recorded is there: it is left out, and who waited for it is not explained")]
    RecordedNothing,
    #[error(
        "its recording ends {} after the start of the run, others go on for up to {}: what came later is left out",
        seconds(*after_ns), seconds(*longer_ns)
    )]
    RecordedLess { after_ns: u64, longer_ns: u64 },
    #[error("{requests} requests were not completed")]
    OpenRequests { requests: usize },
    #[error(
        "{messages} messages that it received from processor {sender} were sent by nobody that was recorded"
    )]
    NeverSent { sender: u32, messages: usize },
    #[error("{messages} messages that it sent to processor {receiver} were not received")]
    NeverReceived { receiver: u32, messages: usize },
    #[error("{operations} collective operations of a communicator were not done by all its processors")]
    NotTogether { operations: usize },
    #[error("collective operation {number} of a communicator is not the one that others did")]
    Differs { number: usize },
    #[error(
        "{waits} times what it waited for came before it was there, by up to {most_ns} ns: clocks differ"
    )]
    CausedLater { waits: usize, most_ns: i64 },
    #[error("its clock was compared with those of other computers, to within {uncertainty_ns} ns; {}", moved(*waits, *most_ns))]
    ClocksCompared { uncertainty_ns: u64, waits: usize, most_ns: i64 },
    #[error("it waits in a circle: the call at {at_ns} ns is taken to wait for nobody")]
    Circle { at_ns: i64 },
}
