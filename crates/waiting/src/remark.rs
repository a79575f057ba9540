use call_trace::Awaited;

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

/// So many places are told.
const TOLD_PLACES: usize = 3;

fn open_requests(requests: usize, others: usize, places: &[String]) -> String {
    let begun = match requests {
        1 => "a request".to_owned(),
        _ => format!("{requests} requests"),
    };
    let others = match others {
        0 => String::new(),
        1 => ", together with 1 other processor,".to_owned(),
        _ => format!(", together with {others} other processors,"),
    };
    let more = match places.len().saturating_sub(TOLD_PLACES) {
        0 => String::new(),
        1 => ", and at 1 more place".to_owned(),
        more => format!(", and at {more} more places"),
    };
    let places = places.iter().take(TOLD_PLACES).map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("it did not complete{others} {begun}, begun at {places}{more}")
}

fn went_on(operations: usize, others: usize, most_ns: i64) -> String {
    let and_others = match others {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        _ => format!(" and {others} others"),
    };
    let completed = match operations {
        1 => "an operation of several processors".to_owned(),
        _ => format!("{operations} operations of several processors"),
    };
    format!(
        "it{and_others} completed {completed} before all of these had come, by up to {}: nobody is said to wait for those \
         who came later than that, as in an `MPI_Ibarrier` that SMPI simulates; or clocks differ",
        seconds(most_ns.max(0) as u64)
    )
}

/// A call in which the recording of a processor ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCall {
    /// Whose it is.
    pub processor: u32,
    /// As in `MPI_Recv ring.c:12 in exchange`; `None`: the program computed, and a signal ended it.
    pub place: Option<String>,
    /// How long it had lasted.
    pub time_ns: i64,
    /// For what, where it is known.
    pub awaits: Vec<Awaited>,
}

impl OpenCall {
    /// Of every processor alone where they are few.
    fn text(&self) -> String {
        let Some(place) = &self.place else { return "outside of all calls".to_owned() };
        let awaited: Vec<String> = self.awaits.iter().take(TOLD_PLACES).map(awaited).collect();
        let more = if self.awaits.len() > TOLD_PLACES { ", …" } else { "" };
        let awaited = match awaited.is_empty() {
            true => String::new(),
            false => format!(" and waits for {}{more}", awaited.join(", ")),
        };
        format!("within {place}, where it is for {}{awaited}", seconds(self.time_ns.max(0) as u64))
    }
}

fn awaited(awaited: &Awaited) -> String {
    let of =
        |processor: Option<u32>| processor.map_or("anybody".to_owned(), |its| format!("processor {its}"));
    match awaited {
        Awaited::Message(from) => format!("a message of {}", of(*from)),
        Awaited::Receiver(to) => format!("{} to receive", of(*to)),
    }
}

/// So many processors are told by themselves.
const TOLD_PROCESSORS: usize = 8;

fn open_calls(open: &[OpenCall]) -> String {
    let mut text = String::from("its recording ends ");
    text.push_str(&open.first().map(OpenCall::text).unwrap_or_default());
    let others = open.get(1..).unwrap_or_default();
    if open.len() <= TOLD_PROCESSORS {
        for its in others {
            text.push_str(&format!("; that of processor {} {}", its.processor, its.text()));
        }
        return text;
    }
    let mut places: Vec<(&str, u64)> = Vec::new();
    for its in others {
        let place = its.place.as_deref().unwrap_or("no call");
        match places.iter_mut().find(|known| known.0 == place) {
            Some(known) => known.1 += 1,
            None => places.push((place, 1)),
        }
    }
    let told: Vec<String> =
        places.iter().take(TOLD_PROCESSORS).map(|(place, count)| format!("{count} within {place}")).collect();
    let more = if places.len() > TOLD_PROCESSORS { ", …" } else { "" };
    format!("{text}; those of {} other processors: {}{more}", others.len(), told.join(", "))
}

/// What all leave open is one remark for each kind, that of the first processor.
pub(crate) fn join(remarks: &mut Vec<RecordingRemark>) {
    let mut kept: Vec<RecordingRemark> = Vec::with_capacity(remarks.len());
    let (mut open_calls, mut open_requests): (Option<usize>, Option<usize>) = (None, None);
    for remark in remarks.drain(..) {
        let mut alone = None;
        let first = match &remark.kind {
            RemarkKind::Unfinished { .. } => &mut open_calls,
            RemarkKind::OpenRequests { .. } => &mut open_requests,
            _ => &mut alone,
        };
        match (first.map(|first| &mut kept[first].kind), remark.kind) {
            (Some(RemarkKind::Unfinished { open }), RemarkKind::Unfinished { open: its }) => open.extend(its),
            (
                Some(RemarkKind::OpenRequests { requests, others, places }),
                RemarkKind::OpenRequests { requests: its, places: at, .. },
            ) => {
                (*requests, *others) = (*requests + its, *others + 1);
                for place in at {
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
            (_, kind) => {
                *first = Some(kept.len());
                kept.push(RecordingRemark { processor: remark.processor, kind });
            }
        }
    }
    *remarks = kept;
}

/// What is wrong. Events count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RemarkKind {
    #[error("event {event} lies {by_ns} ns before the one that it follows: the clock went back")]
    TimeGoesBack { event: usize, by_ns: i64 },
    #[error("event {event} fits to none before it: it was left out")]
    Unfounded { event: usize },
    #[error("{}", open_calls(open))]
    Unfinished { open: Vec<OpenCall> },
    #[error("nothing that it recorded is there: it is left out, and who waited for it is not explained")]
    RecordedNothing,
    #[error(
        "its recording ends {} after the start of the run, others go on for up to {}: what came later is left out",
        seconds(*after_ns), seconds(*longer_ns)
    )]
    RecordedLess { after_ns: u64, longer_ns: u64 },
    #[error("{}", open_requests(*requests, *others, places))]
    OpenRequests { requests: usize, others: usize, places: Vec<String> },
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
    #[error("{}", went_on(*operations, *others, *most_ns))]
    WentOn { operations: usize, others: usize, most_ns: i64 },
    #[error("its clock was compared with those of other computers, to within {uncertainty_ns} ns; {}", moved(*waits, *most_ns))]
    ClocksCompared { uncertainty_ns: u64, waits: usize, most_ns: i64 },
    #[error("it waits in a circle: the call at {at_ns} ns is taken to wait for nobody")]
    Circle { at_ns: i64 },
}
