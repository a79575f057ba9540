//! Which calls waited for another processor, of those that need not have.

use fixedbitset::FixedBitSet;

use super::Messages;
use crate::graph::CallPlace;
use crate::kind::WaitKind;

/// A send that need not have waited for its receiver, and seems to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    pub(super) sending: CallPlace,
    pub(super) asking: CallPlace,
    pub(super) bytes: f32,
}

impl Messages<'_> {
    /// Of messages that need not be waited for, those that seem to be; that a call lasts as it receives something that comes later, too, tells nothing.
    pub(super) fn push_late(&mut self) {
        let (late, progress) = (std::mem::take(&mut self.late), std::mem::take(&mut self.progress));
        let stays = progress.stays().iter().map(|its| (its.waiting, its.by));
        let pairs: Vec<(CallPlace, CallPlace)> =
            late.iter().map(|its| (its.sending, its.asking)).chain(stays).collect();
        if pairs.is_empty() {
            return;
        }
        let waits = self.unexplained(&pairs);
        drop(pairs);
        let found = progress.found(|stay| waits[late.len() + stay]);
        for (number, its) in late.into_iter().enumerate() {
            if waits[number] {
                self.sizes.stays(&its);
                self.late_receiver(its, None);
            } else {
                self.sizes.shows_nothing(its);
            }
        }
        found.into_iter().for_each(|its| _ = self.release(its.by, (its.waiting, its.kind), 0.0));
    }

    /// Of calls and those that they may have waited for, which received nothing that was sent later.
    fn unexplained(&self, pairs: &[(CallPlace, CallPlace)]) -> FixedBitSet {
        let mut of_timeline = vec![Vec::new(); self.timelines.len()];
        for (number, (waiting, _)) in pairs.iter().enumerate() {
            of_timeline[waiting.timeline()].push(number as u32);
        }
        let sent_by = self.graph.first_calls();
        let mut waits = FixedBitSet::with_capacity(pairs.len());
        for (timeline, its) in of_timeline.into_iter().enumerate().filter(|(_, its)| !its.is_empty()) {
            let latest_ns = self.latest_ns(timeline, &sent_by);
            for number in its {
                let (waiting, by) = pairs[number as usize];
                waits.set(number as usize, latest_ns[waiting.call()] < self.entered_ns(by));
            }
        }
        waits
    }

    /// By call of a timeline, when the last message left that it receives; long before all if there is none.
    fn latest_ns(&self, timeline: usize, sent_by: &[CallPlace]) -> Vec<i64> {
        let mut latest_ns = vec![i64::MIN; self.timelines[timeline].calls.len()];
        for need in self.graph.needs[timeline].iter().filter(|need| need.kind == WaitKind::LateSender) {
            let its_ns = &mut latest_ns[need.call as usize];
            *its_ns = self.entered_ns(sent_by[need.release as usize]).max(*its_ns);
        }
        latest_ns
    }
}
