use crate::clock::MetWait;
use crate::graph::Graph;
use crate::kind::WaitKind;
use crate::matching::CallPlace;
use crate::timeline::Timeline;

/// A run as it was recorded, and its waits: what further questions are asked of.
#[derive(Debug)]
pub(crate) struct AnalysedRun {
    pub(crate) timelines: Vec<Timeline>,
    pub(crate) graph: Graph,
    pub(crate) history: History,
    /// Timelines in an order in which they can enter and leave their calls.
    pub(crate) order: Vec<u32>,
    /// The code of what lies before the first event of a processor.
    pub(crate) start_code: usize,
    /// When the first processor started.
    pub(crate) first_ns: i64,
}

/// All waits in an order in which none comes before what led to it.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) waits: Vec<KeptWait>,
    /// For each timeline its waits, in the order of its calls.
    pub(crate) of: Vec<Vec<usize>>,
}

/// A wait without its causes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptWait {
    pub(crate) place: CallPlace,
    /// The call that was waited for: the wait ends when it is entered.
    pub(crate) causer: CallPlace,
    pub(crate) kind: WaitKind,
    pub(crate) waiting_ns: i64,
}

impl History {
    pub(crate) fn new(timelines: usize) -> History {
        History { waits: Vec::new(), of: vec![Vec::new(); timelines] }
    }

    pub(crate) fn add(&mut self, wait: &MetWait) {
        self.of[wait.place.timeline].push(self.waits.len());
        let MetWait { place, causer, kind, waiting_ns, .. } = *wait;
        self.waits.push(KeptWait { place, causer, kind, waiting_ns });
    }

    /// The last wait of a processor before it enters a call.
    pub(crate) fn last_before(&self, place: CallPlace) -> Option<usize> {
        let all = &self.of[place.timeline];
        let count = all.partition_point(|wait| self.waits[*wait].place.call < place.call);
        count.checked_sub(1).map(|last| all[last])
    }

    /// How long a processor waits in a call, in nanoseconds.
    pub(crate) fn waited_in(&self, place: CallPlace) -> i64 {
        let wait =
            self.last_before(CallPlace { call: place.call + 1, ..place }).map(|wait| &self.waits[wait]);
        wait.filter(|wait| wait.place == place).map_or(0, |wait| wait.waiting_ns)
    }
}
