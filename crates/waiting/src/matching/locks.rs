//! Who waits for a lock, and who holds it meanwhile.

use std::collections::BTreeMap;

use super::Messages;
use crate::graph::CallPlace;
use crate::kind::WaitKind;
use crate::timeline::{Exchanged, Hold, Lock};

impl Messages<'_> {
    /// MPI may wait for a lock in any call from `MPI_Win_lock` to `MPI_Win_unlock`: as what is done under it cannot be complete before, it is the first access
    /// among them that lasts until the last other one that excludes it gives it back.
    pub(super) fn match_locks(&mut self, exchanged: &[Exchanged]) {
        let mut holds: BTreeMap<Lock, Vec<(usize, Hold)>> = BTreeMap::new();
        for (timeline, its) in exchanged.iter().enumerate() {
            its.holds.iter().for_each(|hold| holds.entry(hold.lock).or_default().push((timeline, *hold)));
        }
        for of_lock in holds.into_values() {
            let of_lock = self.in_order(of_lock);
            self.match_holds(&of_lock);
        }
    }

    /// Who holds a lock before whom: as they have given it back, but that to come back from `MPI_Win_unlock` may take longer than the next one holds it.
    fn in_order(&self, mut holds: Vec<(usize, Hold)>) -> Vec<(usize, Hold)> {
        let back =
            |(timeline, hold): &(usize, Hold)| self.timelines[*timeline].calls.at(hold.unlocked_in as usize);
        holds.sort_by_key(|hold| back(hold).leave_ns);
        for end in 1..holds.len() {
            for place in (1..=end).rev() {
                let [before, own] = [&holds[place - 1], &holds[place]];
                let own_ns = back(own).enter_ns;
                if own_ns >= back(before).enter_ns || self.waits_until(before, own_ns).is_none() {
                    break;
                }
                holds.swap(place - 1, place);
            }
        }
        holds
    }

    fn match_holds(&mut self, holds: &[(usize, Hold)]) {
        // When the last one gave it back of those whom all wait for, and of those whom only an exclusive one does.
        let (mut for_all, mut for_exclusive) = (None::<(i64, CallPlace)>, None::<(i64, CallPlace)>);
        for own in holds {
            let (timeline, hold) = own;
            let before = if hold.is_exclusive { for_exclusive } else { for_all };
            if let Some((back_ns, by)) = before
                && by.timeline() != *timeline
                && let Some(waiting) = self.waits_until(own, back_ns)
            {
                self.release(by, (waiting, WaitKind::Lock), 0.0);
            }
            let back = CallPlace { timeline: *timeline as u32, call: hold.unlocked_in };
            for_exclusive = for_exclusive.max(Some((self.entered_ns(back), back)));
            if hold.is_exclusive {
                for_all = for_exclusive;
            }
        }
    }

    /// The call of a hold that lasted until this moment, if one did.
    fn waits_until(&self, (timeline, hold): &(usize, Hold), at_ns: i64) -> Option<CallPlace> {
        let call = self.access(*timeline, hold.locked_in, hold.unlocked_in, at_ns);
        let lasted = self.timelines[*timeline].calls.at(call as usize);
        let waits = lasted.enter_ns < at_ns && at_ns <= lasted.leave_ns;
        waits.then_some(CallPlace { timeline: *timeline as u32, call })
    }
}
