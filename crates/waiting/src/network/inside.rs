//! Who is waited for inside of collective operations.

use std::borrow::Cow;

use call_trace::CollectiveOperation;

use crate::graph::{CallPlace, CarriedOperation, Graph, Payload};
use crate::kind::WaitKind;
use crate::timeline::ProcessorTimeline;

/// A call that waited for another processor, which is none of those that the operation itself makes it wait for: libraries pass on from one to the next,
/// and messages wait for their receivers.
#[derive(Debug, Clone, Copy)]
pub(super) struct RelayedWait {
    pub(super) causer: CallPlace,
    pub(super) waiting: CallPlace,
    /// What comes behind it.
    pub(super) latencies: f32,
    pub(super) bytes: f32,
}

/// A graph of the same calls that has them, too.
pub(super) fn with_inner_waits<'a>(graph: &'a Graph, waits: &[RelayedWait]) -> Cow<'a, Graph> {
    if waits.is_empty() {
        return Cow::Borrowed(graph);
    }
    let mut graph = graph.clone();
    for RelayedWait { causer, waiting, latencies, bytes } in waits.iter().copied() {
        graph.carry(Payload::Inside { latencies, bytes });
        graph.release([causer], [(waiting, WaitKind::LateSender)]);
    }
    graph.sort();
    Cow::Owned(graph)
}

/// When processors came to an operation and left it, by their ranks.
pub(super) struct EnterAndLeaveTimes {
    enter_ns: Vec<i64>,
    leave_ns: Vec<Option<i64>>,
    /// When the last one came of those that a rank needs in any case, if there are some.
    others_ns: Vec<Option<i64>>,
    spread_ns: i64,
}

/// How long an operation took, from when the last one came that was waited for to when the last one left that had waited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Taken {
    pub(super) most_ns: i64,
    /// From when the last one came at all: less, where libraries may have waited for one who came meanwhile.
    pub(super) least_ns: i64,
    /// By how much those who carry something came one after the other.
    pub(super) spread_ns: i64,
}

impl EnterAndLeaveTimes {
    pub(super) fn of(operation: &CarriedOperation, timelines: &[ProcessorTimeline]) -> EnterAndLeaveTimes {
        use CollectiveOperation::*;
        let parts = &operation.parts;
        let call = |place: CallPlace| timelines[place.timeline()].calls.at(place.call());
        let enter_ns: Vec<i64> = parts.iter().map(|(entered, _)| call(*entered).enter_ns).collect();
        let leave_ns = parts.iter().map(|(_, completed)| Some(call((*completed)?).leave_ns)).collect();
        let mut others_ns = vec![None; parts.len()];
        let mut spread_ns = 0;
        match (operation.operation, operation.root) {
            (Broadcast | Scatter, Some(root)) => {
                others_ns.fill(Some(enter_ns[root]));
                others_ns[root] = None;
                spread_ns = enter_ns.iter().max().map_or(0, |last_ns| last_ns - enter_ns[root]);
            }
            (Reduce | Gather, Some(root)) => {
                let others = || {
                    enter_ns.iter().enumerate().filter(|(rank, _)| *rank != root).map(|(_, its_ns)| *its_ns)
                };
                others_ns[root] = others().max();
                spread_ns =
                    others().max().zip(others().min()).map_or(0, |(last_ns, first_ns)| last_ns - first_ns);
            }
            (Scan | Exscan, _) => {
                spread_ns = enter_ns
                    .iter()
                    .max()
                    .zip(enter_ns.iter().min())
                    .map_or(0, |(last_ns, first_ns)| last_ns - first_ns);
                for rank in 1..parts.len() {
                    others_ns[rank] = others_ns[rank - 1].max(Some(enter_ns[rank - 1]));
                }
            }
            _ => {}
        }
        EnterAndLeaveTimes { enter_ns, leave_ns, others_ns, spread_ns }
    }

    /// When a rank had all that it needs in any case, itself among it.
    pub(super) fn needed_ns(&self, rank: usize) -> i64 {
        self.others_ns[rank].map_or(self.enter_ns[rank], |its_ns| its_ns.max(self.enter_ns[rank]))
    }

    pub(super) fn enter_ns(&self, rank: usize) -> i64 {
        self.enter_ns[rank]
    }

    pub(super) fn leave_ns(&self, rank: usize) -> Option<i64> {
        self.leave_ns[rank]
    }

    /// Who came last until a moment, after a rank had all that it needs.
    pub(super) fn last_until(&self, rank: usize, until_ns: i64) -> Option<usize> {
        let needed_ns = self.needed_ns(rank);
        let comes = |other: &usize| (needed_ns + 1..=until_ns).contains(&self.enter_ns[*other]);
        (0..self.enter_ns.len()).filter(comes).max_by_key(|other| self.enter_ns[*other])
    }

    /// `None` if nobody waited.
    pub(super) fn taken(&self) -> Option<Taken> {
        let of_rank = |rank: usize| {
            let leave_ns = self.leave_ns[rank]?;
            let others_ns = self.others_ns[rank].filter(|its_ns| self.enter_ns[rank] <= *its_ns)?;
            let last_ns = self.last_until(rank, leave_ns).map_or(others_ns, |other| self.enter_ns[other]);
            Some((leave_ns - others_ns, leave_ns - last_ns))
        };
        let taken = || (0..self.enter_ns.len()).filter_map(of_rank);
        let most_ns = taken().map(|(most_ns, _)| most_ns).max()?;
        let least_ns = taken().map(|(_, least_ns)| least_ns).max()?;
        Some(Taken { most_ns, least_ns, spread_ns: self.spread_ns })
    }
}
