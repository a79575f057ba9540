//! Long messages that were sent and asked for before a call waits for them, while the other processor computes: many libraries carry them in calls of both
//! only, so what the call waits for is that the other one calls the library again.

use std::collections::BTreeMap;

use crate::graph::CallPlace;
use crate::kind::WaitKind;
use crate::timeline::ProcessorTimeline;

/// No library keeps messages of fewer bytes until they are asked for.
pub(super) const LEAST_BYTES: f32 = 1024.0;

/// Who computes no longer than that is taken to be in the library.
const LEAST_NS: i64 = 10_000;

/// A call that lasts more than so many times what it takes behind the other one's call waited for it.
const LONG: i64 = 2;

/// A call lasted until the other processor called the library, and may have waited for that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stay {
    pub(super) waiting: CallPlace,
    pub(super) by: CallPlace,
    pub(super) kind: WaitKind,
    message: MessageSort,
    waited_ns: i64,
    /// From the other one's call to the end.
    behind_ns: i64,
}

/// Messages that a library is taken to treat alike: of the same size, synchronous or not, and whether it is the receiver that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MessageSort {
    byte_bits: u32,
    is_synchronous: bool,
    receiver_waits: bool,
}

impl MessageSort {
    /// `None` where no library waits.
    pub(super) fn of(bytes: f32, is_synchronous: bool, kind: WaitKind) -> Option<MessageSort> {
        let receiver_waits = kind == WaitKind::LateSender;
        let may_wait = bytes >= LEAST_BYTES || is_synchronous && !receiver_waits;
        may_wait.then_some(MessageSort { byte_bits: bytes.to_bits(), is_synchronous, receiver_waits })
    }

    fn kind(self) -> WaitKind {
        if self.receiver_waits { WaitKind::LateSender } else { WaitKind::LateReceiver }
    }
}

/// Of each sort of messages, what shows whether the library needs both.
#[derive(Debug, Default)]
pub(super) struct Progress {
    stays: Vec<Stay>,
    /// How many went while the other one computed.
    went: BTreeMap<MessageSort, usize>,
}

impl Progress {
    /// A call that found a message to be gone, or to have come; the other processor had begun its part in a call, and ended it in another one.
    pub(super) fn add(
        &mut self,
        timelines: &[ProcessorTimeline],
        message: MessageSort,
        waiting: CallPlace,
        [begun, ended]: [CallPlace; 2],
    ) {
        if begun.call >= ended.call || waiting.timeline == begun.timeline {
            return;
        }
        let calls = &timelines[begun.timeline()].calls;
        let call = timelines[waiting.timeline()].calls.at(waiting.call());
        let is_later = |enter_ns: i64| enter_ns - call.enter_ns >= LEAST_NS;
        if !is_later(calls.at(ended.call()).enter_ns) || calls.at(begun.call()).leave_ns > call.enter_ns {
            return;
        }
        let behind = begun.call() + 1..ended.call() + 1;
        let next = calls.first_in(behind, |its| its.enter_ns > call.enter_ns);
        let enter_ns = calls.at(next).enter_ns;
        if !is_later(enter_ns) || calls.at(next - 1).leave_ns > call.enter_ns {
            return;
        }
        if call.leave_ns <= enter_ns {
            *self.went.entry(message).or_default() += 1;
            return;
        }
        self.stays.push(Stay {
            waiting,
            by: CallPlace::new(begun.timeline(), next),
            kind: message.kind(),
            message,
            waited_ns: enter_ns - call.enter_ns,
            behind_ns: call.leave_ns - enter_ns,
        });
    }

    /// All that may have waited.
    pub(super) fn stays(&self) -> &[Stay] {
        &self.stays
    }

    /// Those that did, of those that nothing else explains: three of four messages of their sort did not go before, and behind the other one's call most take
    /// much less.
    pub(super) fn found(self, is_unexplained: impl Fn(usize) -> bool) -> Vec<Stay> {
        let mut stays: Vec<Stay> = self
            .stays
            .iter()
            .enumerate()
            .filter(|(number, _)| is_unexplained(*number))
            .map(|(_, its)| *its)
            .collect();
        stays.sort_by_key(|its| its.message);
        let mut found = Vec::new();
        for alike in stays.chunk_by(|left, right| left.message == right.message) {
            let went = self.went.get(&alike[0].message).copied().unwrap_or(0);
            if alike.len() < 3 * went {
                continue;
            }
            let mut behind_ns: Vec<i64> = alike.iter().map(|its| its.behind_ns).collect();
            let place = (3 * behind_ns.len()).div_ceil(4) - 1;
            let usual_ns = *behind_ns.select_nth_unstable(place).1;
            let lasted = |its: &&Stay| its.waited_ns + its.behind_ns;
            found.extend(alike.iter().filter(|its| lasted(its) > LONG * usual_ns.max(its.behind_ns)));
        }
        found
    }
}
