//! Runs that were killed, and files whose end is missing: who waits for whom is known only as long as all processors recorded.

use std::collections::BTreeSet;

use call_trace::ProcessorEvents;

use crate::remark::{RecordingRemark, RemarkKind};
use crate::threads::are_threads;

/// What the recordings that were cut leave of a run, and what is to be said of it.
pub(crate) struct CutRecordings {
    /// When the first of them ends.
    pub(crate) until_ns: u64,
    pub(crate) remarks: Vec<RecordingRemark>,
}

impl CutRecordings {
    /// Of processors in their order. Threads record nothing while nothing is shared with them, so of them the last event says nothing.
    pub(crate) fn of(recorded: &[&ProcessorEvents]) -> CutRecordings {
        let is_whole = recorded.iter().all(|its| !its.is_cut);
        if is_whole || recorded.iter().any(|its| are_threads(std::slice::from_ref(its))) {
            return CutRecordings { until_ns: u64::MAX, remarks: Vec::new() };
        }
        let remark = |processor: u32, kind: RemarkKind| RecordingRemark { processor, kind };
        let mut remarks: Vec<RecordingRemark> =
            silent(recorded).into_iter().map(|its| remark(its, RemarkKind::RecordedNothing)).collect();
        let ends = || recorded.iter().filter_map(|its| Some((its.events.last_ns()?, *its)));
        let Some((until_ns, first)) = ends().filter(|(_, its)| its.is_cut).min_by_key(|(end_ns, _)| *end_ns)
        else {
            return CutRecordings { until_ns: u64::MAX, remarks };
        };
        let start_ns = recorded.iter().filter_map(|its| Some(its.events.iter().next()?.at_ns)).min();
        let longer_ns = ends().map(|(end_ns, _)| end_ns - until_ns.min(end_ns)).max().unwrap_or(0);
        // A signal ends all of them at nearly the same time.
        if longer_ns > 0 && !recorded.iter().all(|its| is_ended_by_signal(its)) {
            let after_ns = until_ns - start_ns.unwrap_or(until_ns).min(until_ns);
            remarks.push(remark(first.processor, RemarkKind::RecordedLess { after_ns, longer_ns }));
        }
        CutRecordings { until_ns, remarks }
    }
}

/// What ended a program stands as a call in which its recording ends.
const SIGNALS: &[&str] = &["SIGINT", "SIGTERM"];

pub(crate) fn is_ended_by_signal(recorded: &ProcessorEvents) -> bool {
    recorded.is_cut && recorded.regions.iter().any(|site| SIGNALS.contains(&site.call.as_str()))
}

/// Processors that are there, or that others share a communicator with, and of which no event is.
fn silent(recorded: &[&ProcessorEvents]) -> BTreeSet<u32> {
    let communicators = recorded.iter().flat_map(|its| &its.communicators);
    let mut silent: BTreeSet<u32> = communicators.flat_map(|its| its.processors.iter().copied()).collect();
    silent.extend(recorded.iter().map(|its| its.processor));
    for its in recorded.iter().filter(|its| !its.events.is_empty()) {
        silent.remove(&its.processor);
    }
    silent
}
