//! Collective operations: the n-th one of a communicator is that of all its processors.

use std::collections::BTreeMap;

use call_trace::{CollectiveOperation, CommunicatorName, ProcessorEvents};
use hashbrown::HashMap;

use crate::graph::{CallPlace, CarriedOperation, Graph, Payload};
use crate::inside::InnerWaits;
use crate::kind::WaitKind;
use crate::remark::{RecordingRemark, RemarkKind};
use crate::timeline::{Exchanged, ProcessorTimeline};

/// One processor's part of a collective operation.
#[derive(Debug, Clone, Copy)]
struct CollectivePart {
    operation: CollectiveOperation,
    root: Option<u32>,
    entered: CallPlace,
    completed: Option<CallPlace>,
    bytes: u64,
}

/// Who waits for whom in what the processors of a communicator do together.
pub(super) fn match_collectives(
    recorded: &[&ProcessorEvents],
    timelines: &[ProcessorTimeline],
    exchanged: &[Exchanged],
    timeline_of: &HashMap<u32, usize>,
    graph: &mut Graph,
    remarks: &mut Vec<RecordingRemark>,
) {
    // By communicator and processor, in order.
    let mut parts: BTreeMap<CommunicatorName, BTreeMap<usize, Vec<CollectivePart>>> = BTreeMap::new();
    let mut members: HashMap<CommunicatorName, &[u32]> = HashMap::new();
    for (number, its) in exchanged.iter().enumerate() {
        for together in &its.collectives {
            let communicator = &recorded[number].communicators[together.communicator as usize];
            members.entry(communicator.name).or_insert(&communicator.processors);
            let place = |call| CallPlace { timeline: number as u32, call };
            parts.entry(communicator.name).or_default().entry(number).or_default().push(CollectivePart {
                operation: together.operation,
                root: together.root,
                entered: place(together.call),
                completed: together.completed_in.get().map(place),
                bytes: together.bytes,
            });
        }
    }
    let mut inner_waits = InnerWaits::default();
    let uncertainty_ns = recorded.iter().map(|its| its.clock_uncertainty_ns).max().unwrap_or(0);
    // By timeline how often it went on before all had come, and by how much.
    let mut went_on: BTreeMap<usize, (usize, i64)> = BTreeMap::new();
    for (group, (name, by_timeline)) in parts.into_iter().enumerate() {
        let ranks: Vec<usize> =
            members[&name].iter().filter_map(|processor| timeline_of.get(processor).copied()).collect();
        let count = |timeline: &usize| by_timeline.get(timeline).map_or(0, Vec::len);
        let common = ranks.iter().map(count).min().unwrap_or(0);
        let most = ranks.iter().max_by_key(|timeline| count(timeline));
        if let Some(most) = most.filter(|most| count(most) > common) {
            let operations = count(most) - common;
            remarks.push(RecordingRemark {
                processor: timelines[*most].processor,
                kind: RemarkKind::NotTogether { operations },
            });
        }
        if common > 0 && ranks.len() < members[&name].len() {
            let processor = timelines[*by_timeline.keys().next().unwrap_or(&0)].processor;
            remarks.push(RecordingRemark { processor, kind: RemarkKind::NotTogether { operations: common } });
        }
        let of_rank: Vec<&[CollectivePart]> =
            ranks.iter().filter_map(|timeline| by_timeline.get(timeline)).map(Vec::as_slice).collect();
        for number in 0..common {
            let together: Vec<CollectivePart> = of_rank.iter().map(|parts| parts[number]).collect();
            match together
                .iter()
                .find(|part| (part.operation, part.root) != (together[0].operation, together[0].root))
            {
                None => {
                    let gone = release_together(
                        group,
                        &together,
                        timelines,
                        graph,
                        uncertainty_ns,
                        &mut inner_waits,
                    );
                    for (timeline, early_ns) in gone {
                        let (operations, most_ns) = went_on.entry(timeline).or_default();
                        (*operations, *most_ns) = (*operations + 1, early_ns.max(*most_ns));
                    }
                }
                Some(part) => remarks.push(RecordingRemark {
                    processor: timelines[part.entered.timeline()].processor,
                    kind: RemarkKind::Differs { number },
                }),
            }
        }
    }
    if let Some(first) = went_on.keys().next() {
        let operations = went_on.values().map(|its| its.0).sum();
        let most_ns = went_on.values().map(|its| its.1).max().unwrap_or(0);
        let kind = RemarkKind::WentOn { operations, others: went_on.len() - 1, most_ns };
        remarks.push(RecordingRemark { processor: timelines[*first].processor, kind });
    }
    for its in inner_waits.found() {
        match &mut graph.carried {
            Some(carried) => carried.inner_waits.push(its),
            None => _ = graph.release([its.causer], [(its.waiting, WaitKind::Inside)]),
        }
    }
}

/// By how much a processor has to be earlier than the last one to have gone on without it; `None`: nobody goes on.
fn early_ns(operation: CollectiveOperation, is_blocking: bool, uncertainty_ns: u64) -> Option<i64> {
    match operation {
        // Each of two clocks may be so much off.
        CollectiveOperation::Make => Some(2 * uncertainty_ns.min(LONGEST_UNCERTAINTY_NS) as i64),
        // While processors stay in the call nobody does, unless clocks differ.
        _ => (!is_blocking && uncertainty_ns == 0).then_some(0),
    }
}

const LONGEST_UNCERTAINTY_NS: u64 = 1 << 52;

/// The parts in the order of their ranks. Returns the timelines that completed it before all had come where they should not, and by how much.
fn release_together(
    group: usize,
    parts: &[CollectivePart],
    timelines: &[ProcessorTimeline],
    graph: &mut Graph,
    uncertainty_ns: u64,
    inner_waits: &mut InnerWaits,
) -> Vec<(usize, i64)> {
    use CollectiveOperation::*;
    let is_root = |part: &&CollectivePart| Some(timelines[part.entered.timeline()].processor) == part.root;
    let entered = |part: &CollectivePart| part.entered;
    let waiting = |kind| move |part: &CollectivePart| Some((part.completed?, kind));
    let (roots, others) = (|| parts.iter().filter(is_root), || parts.iter().filter(|part| !is_root(part)));
    let bytes = parts.iter().map(|part| part.bytes).max().unwrap_or(0);
    let operation = parts[0].operation;
    let is_blocking = parts.iter().all(|part| part.completed == Some(part.entered));
    let payload = Payload::Together { operation, processors: parts.len() as u32, bytes, is_blocking };
    if matches!(operation, Broadcast | Scatter | Reduce | Gather | Scan | Exscan) {
        let root = parts.iter().position(|part| is_root(&part));
        let parts = parts.iter().map(|part| (part.entered, part.completed)).collect();
        let its = CarriedOperation { operation, bytes, is_blocking, root, parts };
        if is_blocking {
            inner_waits.add(&its, timelines);
        }
        if let Some(carried) = &mut graph.carried {
            carried.operations.push(its);
        }
    }
    let leave_ns = |call: CallPlace| timelines[call.timeline()].calls.at(call.call()).leave_ns;
    let entered_ns =
        |part: &CollectivePart| timelines[part.entered.timeline()].calls.at(part.entered.call()).enter_ns;
    let early_ns = early_ns(operation, is_blocking, uncertainty_ns);
    let last_ns =
        early_ns.and_then(|early_ns| Some(parts.iter().map(entered_ns).max()?.saturating_sub(early_ns)));
    let went_on = |part: &CollectivePart| {
        let completed = part.completed?;
        last_ns.is_some_and(|last_ns| leave_ns(completed) < last_ns).then_some(completed)
    };
    let mut gone = Vec::new();
    let mut all = |kind| {
        graph.carry(payload);
        let waits = parts.iter().filter(|part| went_on(part).is_none());
        let release = graph.release(parts.iter().map(entered), waits.filter_map(waiting(kind)));
        graph.group.insert(release, group as u32);
        let Some(last_ns) = last_ns else { return };
        for completed in parts.iter().filter_map(went_on) {
            let gone_ns = leave_ns(completed);
            let had_come = parts.iter().filter(|its| entered_ns(its) <= gone_ns).map(entered);
            graph.carry(payload);
            graph.release(had_come, [(completed, kind)]);
            if operation != Make {
                gone.push((completed.timeline(), last_ns - gone_ns));
            }
        }
    };
    match operation {
        Barrier | Fence | Make | Initialise | Finalise => all(WaitKind::Barrier),
        Allgather | Allreduce | Alltoall | ReduceScatter => all(WaitKind::AllToAll),
        Broadcast | Scatter => {
            graph.carry(payload);
            graph.release(roots().map(entered), others().filter_map(waiting(WaitKind::LateBroadcast)));
        }
        Reduce | Gather => {
            graph.carry(payload);
            graph.release(others().map(entered), roots().filter_map(waiting(WaitKind::EarlyReduce)));
        }
        Scan | Exscan => {
            let mut after = None;
            for pair in parts.windows(2) {
                let waiting = pair[1].completed.map(|call| (call, WaitKind::Scan));
                graph.carry(payload);
                let release = graph.release([pair[0].entered], waiting);
                after.into_iter().for_each(|before| _ = graph.after.insert(release, before));
                after = Some(release);
            }
        }
    }
    gone
}
