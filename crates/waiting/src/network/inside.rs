//! Who is waited for inside of collective operations.

use std::borrow::Cow;

use crate::graph::{CallPlace, Graph, Payload, WaitInside};
use crate::kind::WaitKind;

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

/// A graph that has those of its operations that the recording tells.
pub(super) fn with_told_waits(graph: &Graph) -> Cow<'_, Graph> {
    let told = graph.carried.iter().flat_map(|carried| &carried.inner_waits);
    let of_recording = |its: &WaitInside| RelayedWait {
        causer: its.causer,
        waiting: its.waiting,
        latencies: 0.0,
        bytes: 0.0,
    };
    with_inner_waits(graph, &told.map(of_recording).collect::<Vec<RelayedWait>>())
}

/// A graph of the same calls that has them, too.
pub(super) fn with_inner_waits<'a>(graph: &'a Graph, waits: &[RelayedWait]) -> Cow<'a, Graph> {
    if waits.is_empty() {
        return Cow::Borrowed(graph);
    }
    let mut graph = graph.clone();
    for RelayedWait { causer, waiting, latencies, bytes } in waits.iter().copied() {
        graph.carry(Payload::Inside { latencies, bytes });
        graph.release([causer], [(waiting, WaitKind::Inside)]);
    }
    graph.sort();
    Cow::Owned(graph)
}
