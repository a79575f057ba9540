//! Tests that find nothing until another one does. No event tells what those asked for.

use std::collections::BTreeMap;

use call_trace::{EventKind, ProcessorEvents};

/// What asks whether something has come, and returns at once.
const TESTING: &[&str] = &[
    "MPI_Test",
    "MPI_Testany",
    "MPI_Testall",
    "MPI_Testsome",
    "MPI_Iprobe",
    "MPI_Improbe",
    "MPI_Request_get_status",
];

/// The tests of a processor, call by call.
#[derive(Debug)]
pub(super) struct Polls {
    /// Of each region, whether it is a call that tests.
    are_tests: Vec<bool>,
    /// Since the first of the tests that have found nothing, if nothing else was waited for.
    polling: Option<Polling>,
    /// By code of the first test, how many found nothing before one did, and what was computed meanwhile, in nanoseconds.
    pub(super) polled: BTreeMap<u32, (u64, i64)>,
}

#[derive(Debug, Clone, Copy)]
struct Polling {
    code: u32,
    tests: u64,
    computed_ns: i64,
}

impl Polls {
    pub(super) fn of(recorded: &ProcessorEvents) -> Polls {
        let are_tests = recorded.regions.iter().map(|region| TESTING.contains(&region.call.as_str()));
        Polls { are_tests: are_tests.collect(), polling: None, polled: BTreeMap::new() }
    }

    /// It computes between calls.
    pub(super) fn compute(&mut self, time_ns: i64) {
        if let Some(polling) = &mut self.polling {
            polling.computed_ns = polling.computed_ns.saturating_add(time_ns);
        }
    }

    /// A call of this region and code has ended, in which something came or nothing.
    pub(super) fn leave(&mut self, region: u32, code: u32, is_complete: bool) {
        match (self.are_tests[region as usize], is_complete) {
            (true, false) => {
                self.polling.get_or_insert(Polling { code, tests: 0, computed_ns: 0 }).tests += 1;
            }
            (true, true) => {
                if let Some(Polling { code, tests, computed_ns }) = self.polling.take() {
                    let sum = self.polled.entry(code).or_default();
                    *sum = (sum.0 + tests, sum.1.saturating_add(computed_ns));
                }
            }
            (false, true) => self.polling = None,
            (false, false) => {}
        }
    }
}

/// Whether an event says that something was there, or done together, for which a call may have waited.
pub(super) fn completes(kind: EventKind) -> bool {
    if let EventKind::WindowEpoch { epoch } = kind {
        return !epoch.is_of_lock();
    }
    matches!(
        kind,
        EventKind::Receive { .. }
            | EventKind::Collective { .. }
            | EventKind::SendComplete { .. }
            | EventKind::ReceiveComplete { .. }
            | EventKind::CollectiveComplete { .. }
            | EventKind::Probed { .. }
    )
}
