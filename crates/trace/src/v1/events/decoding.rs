//! From the bytes of a block to events, one at a time, so that a reader need not hold them all.

use crate::event_encoding::EventCursor;
use crate::lines::excerpt;
use crate::{Event, EventProblem};

const MAGIC: &[u8; 8] = b"CLLEVENT";
pub(super) const FIRST_BYTE: u8 = MAGIC[0];
const HEAD_BYTES: usize = 48;

/// How many bytes what starts like this needs to be a head, or a whole block.
pub(in crate::v1) fn length(open: &[u8]) -> u64 {
    let head = open.first_chunk::<HEAD_BYTES>();
    head.map_or(HEAD_BYTES as u64, |head| word(head, 1).max(HEAD_BYTES as u64))
}

fn word(head: &[u8; HEAD_BYTES], at: usize) -> u64 {
    u64::from_le_bytes(head.as_chunks::<8>().0[at])
}

/// A whole block.
pub(super) struct EventBlock<'a> {
    count: u64,
    clock: EventClock,
    start_ticks: u64,
    bytes: &'a [u8],
}

#[derive(Debug, Clone, Copy)]
struct EventClock {
    nanoseconds_per_tick: f64,
    shift_ns: i64,
}

impl EventClock {
    fn nanoseconds(self, ticks: u64) -> u64 {
        let exact = self.nanoseconds_per_tick == 1.0;
        let time_ns = if exact { ticks } else { rounded(ticks as f64 * self.nanoseconds_per_tick) };
        time_ns.saturating_add_signed(self.shift_ns)
    }
}

/// The nearest number, of two the larger one; as `round` of what is not negative, which calls the library of C.
fn rounded(time_ns: f64) -> u64 {
    let whole = time_ns as u64;
    whole.saturating_add(u64::from(time_ns - whole as f64 >= 0.5))
}

impl<'a> EventBlock<'a> {
    /// The block at the start of `rest`; `None` if its end is missing.
    pub(super) fn first(rest: &'a [u8]) -> Result<Option<EventBlock<'a>>, EventProblem> {
        let magic = &rest[..rest.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(EventProblem::Magic { text: excerpt(magic) });
        }
        let Some(head) = rest.first_chunk::<HEAD_BYTES>() else { return Ok(None) };
        let (bytes, count) = (word(head, 1), word(head, 2));
        let nanoseconds_per_tick = f64::from_bits(word(head, 3));
        // An event has two bytes at least.
        if bytes < HEAD_BYTES as u64 || count > (bytes - HEAD_BYTES as u64) / 2 {
            return Err(EventProblem::Size { bytes, events: count });
        }
        if !(nanoseconds_per_tick.is_finite() && nanoseconds_per_tick > 0.0) {
            return Err(EventProblem::NanosecondsPerTick { found: nanoseconds_per_tick.to_string() });
        }
        let inside = usize::try_from(bytes).ok().and_then(|bytes| rest.get(HEAD_BYTES..bytes));
        let clock = EventClock { nanoseconds_per_tick, shift_ns: word(head, 5).cast_signed() };
        Ok(inside.map(|bytes| EventBlock { count, clock, start_ticks: word(head, 4), bytes }))
    }

    pub(super) fn length(&self) -> usize {
        HEAD_BYTES + self.bytes.len()
    }

    /// Its events, in which a region is the number of its place.
    pub(super) fn events(&self) -> Events<'a> {
        let cursor = EventCursor { bytes: self.bytes, at: 0 };
        Events { left: self.count, clock: self.clock, ticks: self.start_ticks, number: 0, cursor }
    }
}

/// An event, and what it holds as it stands in its block.
pub(super) struct EncodedEvent<'a> {
    pub(super) event: Event,
    pub(super) code: u8,
    pub(super) fields: &'a [u8],
}

pub(super) struct Events<'a> {
    left: u64,
    clock: EventClock,
    ticks: u64,
    /// Of the event in its block.
    number: u64,
    cursor: EventCursor<'a>,
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<EncodedEvent<'a>, EventProblem>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            let behind = self.cursor.bytes.len() - self.cursor.at;
            self.cursor.at = self.cursor.bytes.len();
            return (behind > 0).then_some(Err(EventProblem::Behind { events: self.number, bytes: behind }));
        }
        let Some(event) = self.event() else {
            self.left = 0;
            self.cursor.at = self.cursor.bytes.len();
            return Some(Err(EventProblem::Event { number: self.number }));
        };
        self.left -= 1;
        self.number += 1;
        Some(Ok(event))
    }
}

impl<'a> Events<'a> {
    #[inline(always)]
    fn event(&mut self) -> Option<EncodedEvent<'a>> {
        let code = self.cursor.byte()?;
        self.ticks = self.ticks.checked_add(self.cursor.natural()?)?;
        let first = self.cursor.at;
        let event = Event { kind: self.cursor.kind(code)?, at_ns: self.clock.nanoseconds(self.ticks) };
        Some(EncodedEvent { event, code, fields: &self.cursor.bytes[first..self.cursor.at] })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn times_are_rounded_as_the_standard_does(
            time_ns in prop_oneof![0.0..9.0_f64, 0.0..1e30, (0_u64..1 << 60).prop_map(|halves| halves as f64 / 2.0)],
        ) {
            for time_ns in [time_ns, time_ns.next_down().max(0.0), time_ns.next_up(), 0.5_f64.next_down(), 4_503_599_627_370_497.5] {
                prop_assert_eq!(rounded(time_ns), time_ns.round() as u64);
            }
        }
    }
}
