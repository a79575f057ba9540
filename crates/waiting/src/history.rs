use fixedbitset::FixedBitSet;

use crate::graph::{CallPlace, Graph};
use crate::kind::WaitKind;
use crate::timeline::ProcessorTimeline;

/// A wait that was met: from when the call was entered until who was waited for had come so far.
#[derive(Debug)]
pub(crate) struct MetWait<'a> {
    pub(crate) place: CallPlace,
    /// The call that was waited for.
    pub(crate) causer: CallPlace,
    pub(crate) kind: WaitKind,
    pub(crate) waiting_ns: i64,
    /// Signed differences by step; they add up to the wait.
    pub(crate) cause: &'a [(u64, i64)],
}

/// A run as it was recorded, and its waits: what further questions are asked of.
#[derive(Debug)]
pub(crate) struct AnalysedRun {
    pub(crate) timelines: Vec<ProcessorTimeline>,
    pub(crate) graph: Graph,
    pub(crate) history: History,
    pub(crate) order: Order,
    /// The code of what lies before the first event of a processor.
    pub(crate) start_code: usize,
    /// When the first processor started.
    pub(crate) first_ns: i64,
    /// The codes of calls that are nothing but waits, of which nobody recorded for whom.
    pub(crate) unexplained: FixedBitSet,
}

/// All waits in an order in which none comes before what led to it.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) waits: Vec<KeptWait>,
    /// For each timeline its waits, in the order of its calls.
    pub(crate) of: Vec<Vec<WaitOfCall>>,
}

/// A wait of a timeline: in which call, and its number among all waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitOfCall {
    pub(crate) call: u32,
    pub(crate) wait: u32,
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
        let number = self.waits.len() as u32;
        self.of[wait.place.timeline()].push(WaitOfCall { call: wait.place.call, wait: number });
        let MetWait { place, causer, kind, waiting_ns, .. } = *wait;
        self.waits.push(KeptWait { place, causer, kind, waiting_ns });
    }

    /// The last wait of a processor before it enters a call.
    pub(crate) fn last_before(&self, place: CallPlace) -> Option<usize> {
        let all = &self.of[place.timeline()];
        let count = all.partition_point(|its| its.call < place.call);
        count.checked_sub(1).map(|last| all[last].wait as usize)
    }

    /// The waits of a timeline in its calls from this one on.
    pub(crate) fn waits_from(&self, place: CallPlace) -> WaitsInOrder<'_> {
        let all = &self.of[place.timeline()];
        let count = all.partition_point(|its| its.call < place.call);
        WaitsInOrder { waits: &self.waits, left: &all[count..] }
    }
}

/// Tells of one call after another how long it waits.
pub(crate) struct WaitsInOrder<'a> {
    waits: &'a [KeptWait],
    left: &'a [WaitOfCall],
}

impl WaitsInOrder<'_> {
    /// In nanoseconds; calls are asked for in their order.
    pub(crate) fn waited_in(&mut self, call: usize) -> i64 {
        while let Some((next, behind)) = self.left.split_first() {
            if next.call as usize > call {
                return 0;
            }
            self.left = behind;
            if next.call as usize == call {
                return self.waits[next.wait as usize].waiting_ns;
            }
        }
        0
    }
}

/// Timelines in an order in which they can enter and leave their calls, with how many of these they do in a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Order(Vec<(u32, u32)>);

impl Order {
    pub(crate) fn push(&mut self, timeline: usize) {
        match self.0.last_mut() {
            Some((last, count)) if *last as usize == timeline && *count < u32::MAX => *count += 1,
            _ => self.0.push((timeline as u32, 1)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(|(timeline, count)| std::iter::repeat_n(*timeline as usize, *count as usize))
    }
}
