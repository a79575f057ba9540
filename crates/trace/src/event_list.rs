use crate::event_encoding::{EventCursor, PutEvent};
use crate::{EpochStep, Event, EventKind};

/// Events in their order, a few bytes each: runs have many of them. Whoever wants to change some collects them into a `Vec`, and back.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct EventList {
    bytes: Vec<u8>,
    count: usize,
    last_ns: u64,
}

/// The first and the last moment are in no trace, so their codes are free.
const PROGRAM_BEGIN: u8 = 254;
const PROGRAM_END: u8 = 255;

impl EventList {
    /// No events yet.
    pub fn new() -> EventList {
        EventList::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// When the last one happened, if there is one.
    pub fn last_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.last_ns)
    }

    /// Adds one behind all others.
    pub fn push(&mut self, event: Event) {
        let difference_ns = event.at_ns.wrapping_sub(self.last_ns).cast_signed();
        self.last_ns = event.at_ns;
        self.count += 1;
        let bytes = &mut self.bytes;
        let place = bytes.len();
        bytes.push(0);
        // The lowest bit is the sign.
        bytes.natural((difference_ns << 1 ^ difference_ns >> 63).cast_unsigned());
        bytes[place] = put(bytes, event.kind);
    }

    /// Gives back memory that was taken for more of them.
    pub fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// All of them, in order.
    pub fn iter(&self) -> EventIter<'_> {
        EventIter { cursor: EventCursor { bytes: &self.bytes, at: 0 }, at_ns: 0, left: self.count }
    }
}

/// Puts what an event holds behind the bytes; returns the code of its kind.
fn put(bytes: &mut Vec<u8>, kind: EventKind) -> u8 {
    match kind {
        EventKind::Enter { region } => bytes.natural(region.into()),
        EventKind::ExperimentBegin { experiment } | EventKind::ExperimentEnd { experiment } => {
            bytes.natural(experiment.into());
        }
        EventKind::Send { message, .. } | EventKind::Receive { message } | EventKind::Probed { message } => {
            bytes.message(message);
        }
        EventKind::SendRequest { message, request, .. } | EventKind::ReceiveComplete { message, request } => {
            bytes.message(message);
            bytes.natural(request);
        }
        EventKind::SendComplete { request }
        | EventKind::ReceiveRequest { request }
        | EventKind::Cancelled { request }
        | EventKind::CollectiveComplete { request } => bytes.natural(request),
        EventKind::Collective { collective } => bytes.collective(collective),
        EventKind::CollectiveRequest { collective, request } => {
            bytes.collective(collective);
            bytes.natural(request);
        }
        EventKind::RemoteAccess { access } => {
            let numbers = [
                u64::from(access.partner),
                access.communicator.into(),
                access.sent_bytes,
                access.received_bytes,
            ];
            numbers.into_iter().for_each(|number| bytes.natural(number));
        }
        EventKind::WindowEpoch { epoch } => {
            let numbers = [epoch.partner, epoch.communicator, epoch.window];
            numbers.into_iter().for_each(|number| bytes.natural(number.into()));
        }
        EventKind::Leave | EventKind::ProgramBegin | EventKind::ProgramEnd => {}
    }
    match kind {
        EventKind::Enter { .. } => 0,
        EventKind::Leave => 1,
        EventKind::ExperimentBegin { .. } => 2,
        EventKind::ExperimentEnd { .. } => 3,
        EventKind::Send { is_synchronous, .. } => 4 + u8::from(is_synchronous),
        EventKind::SendRequest { is_synchronous, .. } => 6 + u8::from(is_synchronous),
        EventKind::SendComplete { .. } => 8,
        EventKind::Receive { .. } => 9,
        EventKind::ReceiveRequest { .. } => 10,
        EventKind::ReceiveComplete { .. } => 11,
        EventKind::Probed { .. } => 12,
        EventKind::Cancelled { .. } => 13,
        EventKind::Collective { .. } => 14,
        EventKind::CollectiveRequest { .. } => 15,
        EventKind::CollectiveComplete { .. } => 16,
        EventKind::RemoteAccess { .. } => 17,
        EventKind::WindowEpoch { epoch } => match epoch.step {
            EpochStep::Post => 18,
            EpochStep::Start => 19,
            EpochStep::Complete => 20,
            EpochStep::Wait => 21,
        },
        EventKind::ProgramBegin => PROGRAM_BEGIN,
        EventKind::ProgramEnd => PROGRAM_END,
    }
}

/// The events of an [`EventList`].
#[derive(Debug, Clone)]
pub struct EventIter<'a> {
    cursor: EventCursor<'a>,
    at_ns: u64,
    left: usize,
}

impl Iterator for EventIter<'_> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let code = self.cursor.byte()?;
        let bits = self.cursor.natural()?;
        let difference_ns = (bits >> 1) ^ (bits & 1).wrapping_neg();
        self.at_ns = self.at_ns.wrapping_add(difference_ns);
        let kind = match code {
            PROGRAM_BEGIN => EventKind::ProgramBegin,
            PROGRAM_END => EventKind::ProgramEnd,
            code => self.cursor.kind(code)?,
        };
        Some(Event { at_ns: self.at_ns, kind })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for EventIter<'_> {}

impl<'a> IntoIterator for &'a EventList {
    type Item = Event;
    type IntoIter = EventIter<'a>;

    fn into_iter(self) -> EventIter<'a> {
        self.iter()
    }
}

impl Extend<Event> for EventList {
    fn extend<Events: IntoIterator<Item = Event>>(&mut self, events: Events) {
        events.into_iter().for_each(|event| self.push(event));
    }
}

impl FromIterator<Event> for EventList {
    fn from_iter<Events: IntoIterator<Item = Event>>(events: Events) -> EventList {
        let mut made = EventList::new();
        made.extend(events);
        made
    }
}

impl From<Vec<Event>> for EventList {
    fn from(events: Vec<Event>) -> EventList {
        events.into_iter().collect()
    }
}

impl std::fmt::Debug for EventList {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self).finish()
    }
}
