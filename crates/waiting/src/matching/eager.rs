//! From which size on messages wait for their receivers, as far as a recording shows it, and those of which it does not.

use std::collections::BTreeMap;

use super::Messages;
use super::late::Late;
use super::progress::LEAST_BYTES;

/// So many messages are kept that a recording does not decide about.
const MOST_UNDECIDED: usize = 1 << 20;

/// What messages of libraries' own choice tell of their sizes.
#[derive(Debug, Default)]
pub(super) struct SizesSeen {
    /// By the bits of the size, which have its order: how many went before their receivers asked for them, and how many waited for these.
    by_size: BTreeMap<u32, (u64, u64)>,
    /// That neither shows, as their receivers had asked before.
    open: Vec<Late>,
    are_too_many: bool,
}

/// Messages of at least `waiting_from` bytes wait for their receivers, those of more than `going_to` may.
#[derive(Debug, Clone, Copy, PartialEq)]
struct EagerLimits {
    going_to: f32,
    waiting_from: f32,
}

impl SizesSeen {
    pub(super) fn goes(&mut self, its: &Late) {
        self.of(its).0 += 1;
    }

    pub(super) fn stays(&mut self, its: &Late) {
        self.of(its).1 += 1;
    }

    fn of(&mut self, its: &Late) -> &mut (u64, u64) {
        self.by_size.entry(its.bytes.to_bits()).or_default()
    }

    pub(super) fn shows_nothing(&mut self, its: Late) {
        if its.bytes < LEAST_BYTES || self.are_too_many {
            return;
        }
        self.open.push(its);
        if self.open.len() > MOST_UNDECIDED {
            (self.open, self.are_too_many) = (Vec::new(), true);
        }
    }

    /// Such that as few messages as possible contradict; of several such limits the sizes between them are open.
    fn limits(&self) -> EagerLimits {
        // Below all sizes, those that go contradict; with each size its own change sides.
        let mut wrong: i64 = self.by_size.values().map(|(goes, _)| *goes as i64).sum();
        let (mut least, mut first, mut last) = (wrong, 0.0, 0.0);
        for (bits, (goes, stays)) in &self.by_size {
            wrong += *stays as i64 - *goes as i64;
            if wrong <= least {
                last = f32::from_bits(*bits);
                first = if wrong < least { last } else { first };
                least = wrong;
            }
        }
        let above = self.by_size.keys().map(|bits| f32::from_bits(*bits)).find(|bytes| *bytes > last);
        EagerLimits { going_to: first, waiting_from: above.unwrap_or(f32::INFINITY) }
    }
}

impl Messages<'_> {
    /// Whether a message waits for a receiver that comes later only those of its size tell, where its own had asked for it before: of that
    /// size on they do in a replay, too.
    pub(super) fn push_open(&mut self) {
        let seen = std::mem::take(&mut self.sizes);
        let EagerLimits { going_to, waiting_from } = seen.limits();
        for its in seen.open {
            if its.bytes >= waiting_from {
                self.late_receiver(its, None);
            } else if its.bytes > going_to {
                self.graph.undecided.messages.push((its.sending, its.asking));
            }
        }
        self.graph.undecided.going_to_bytes = going_to;
        self.graph.undecided.are_too_many = seen.are_too_many;
    }
}

#[cfg(test)]
mod tests {
    use super::{EagerLimits, SizesSeen};

    fn limits(seen: &[(f32, u64, u64)]) -> EagerLimits {
        let by_size = seen.iter().map(|(bytes, goes, stays)| (bytes.to_bits(), (*goes, *stays))).collect();
        SizesSeen { by_size, ..SizesSeen::default() }.limits()
    }

    fn between(going_to: f32, waiting_from: f32) -> EagerLimits {
        EagerLimits { going_to, waiting_from }
    }

    #[test]
    fn sizes_that_least_messages_contradict() {
        assert_eq!(limits(&[]), between(0.0, f32::INFINITY));
        assert_eq!(limits(&[(1000.0, 3, 0), (5000.0, 1, 0)]), between(5000.0, f32::INFINITY));
        assert_eq!(limits(&[(70_000.0, 0, 2)]), between(0.0, 70_000.0));
        assert_eq!(limits(&[(4000.0, 5, 0), (70_000.0, 0, 2)]), between(4000.0, 70_000.0));
        // A library that has no room left lets some wait.
        assert_eq!(limits(&[(4000.0, 5, 1), (70_000.0, 0, 2)]), between(4000.0, 70_000.0));
        // Neither is more likely.
        assert_eq!(limits(&[(4000.0, 1, 1), (70_000.0, 0, 2)]), between(0.0, 70_000.0));
    }
}
