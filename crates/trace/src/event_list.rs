use crate::Event;
use crate::event_encoding::{EventCursor, PutEvent};

/// Events in their order, a few bytes each: runs have many of them. Whoever wants to change some collects them into a `Vec`, and back.
#[derive(Clone, Default)]
pub struct EventList {
    bytes: Vec<u8>,
    count: usize,
    last_ns: u64,
}

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
    #[inline]
    pub fn push(&mut self, event: Event) {
        let place = self.bytes.len();
        self.push_time(event.at_ns, 0);
        self.bytes[place] = self.bytes.kind(event.kind);
    }

    /// The same of an event that stands like this in a trace.
    #[inline]
    pub(crate) fn push_encoded(&mut self, at_ns: u64, code: u8, fields: &[u8]) {
        self.push_time(at_ns, code);
        self.bytes.extend_from_slice(fields);
    }

    #[inline]
    fn push_time(&mut self, at_ns: u64, code: u8) {
        let difference_ns = at_ns.wrapping_sub(self.last_ns).cast_signed();
        self.last_ns = at_ns;
        self.count += 1;
        self.bytes.push(code);
        // The lowest bit is the sign.
        self.bytes.natural((difference_ns << 1 ^ difference_ns >> 63).cast_unsigned());
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

/// A trace may write a number with more bytes than it needs, so bytes tell nothing.
impl PartialEq for EventList {
    fn eq(&self, other: &EventList) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for EventList {}

/// The events of an [`EventList`].
#[derive(Debug, Clone)]
pub struct EventIter<'a> {
    cursor: EventCursor<'a>,
    at_ns: u64,
    left: usize,
}

impl Iterator for EventIter<'_> {
    type Item = Event;

    #[inline(always)]
    fn next(&mut self) -> Option<Event> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let code = self.cursor.byte()?;
        let bits = self.cursor.natural()?;
        let difference_ns = (bits >> 1) ^ (bits & 1).wrapping_neg();
        self.at_ns = self.at_ns.wrapping_add(difference_ns);
        let kind = self.cursor.kind_in_list(code)?;
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
