//! What has come to releases.

use crate::graph::CallPlace;
use crate::path::Path;

/// What has not come to a release so far, and who has not asked for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    pub(super) missing: u32,
    pub(super) users: u32,
    /// Place of what has come.
    pub(super) arrived: u32,
    /// Who needs it waits for what comes later than that.
    pub(super) needed_ns: i64,
}

pub(super) const NOTHING: u32 = u32::MAX;

/// What has come to a release that somebody needs still.
#[derive(Debug, Default)]
pub(super) struct Arrived {
    /// The last one that was entered, when, and its path then.
    pub(super) last: Option<(CallPlace, i64, Path)>,
    pub(super) ideal_ns: i64,
    pub(super) parked: Vec<u32>,
}

/// Those of all releases that are under way; others get their places.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    pub(super) places: Vec<Arrived>,
    free: Vec<u32>,
}

impl Arrivals {
    pub(super) fn of(&mut self, pending: &mut Pending) -> &mut Arrived {
        if pending.arrived == NOTHING {
            pending.arrived = self.free.pop().unwrap_or_else(|| {
                self.places.push(Arrived::default());
                self.places.len() as u32 - 1
            });
        }
        &mut self.places[pending.arrived as usize]
    }

    pub(super) fn get(&self, pending: Pending) -> Option<&Arrived> {
        self.places.get(pending.arrived as usize)
    }

    pub(super) fn forget(&mut self, pending: &mut Pending) {
        if let Some(arrived) = self.places.get_mut(pending.arrived as usize) {
            (arrived.last, arrived.ideal_ns) = (None, 0);
            self.free.push(pending.arrived);
            pending.arrived = NOTHING;
        }
    }
}
