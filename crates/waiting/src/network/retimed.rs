use crate::calls::CallSequence;
use crate::timeline::ProcessorTimeline;

/// Timelines as they were recorded, with other times, made while a course is followed.
pub(super) struct RetimedTimelines<'a> {
    recorded: &'a [ProcessorTimeline],
    /// By timeline, those that were entered so far.
    pub(super) calls: Vec<CallSequence>,
    pub(super) ends_ns: Vec<i64>,
}

impl<'a> RetimedTimelines<'a> {
    /// Nothing has been done so far.
    pub(super) fn new(recorded: &'a [ProcessorTimeline]) -> RetimedTimelines<'a> {
        let calls = recorded.iter().map(|its| CallSequence::from(its.start_ns)).collect();
        let ends_ns = recorded.iter().map(|its| its.end_ns).collect();
        RetimedTimelines { recorded, calls, ends_ns }
    }

    pub(super) fn enter(&mut self, timeline: usize, call: usize, enter_ns: i64) {
        let code = self.recorded[timeline].calls.at(call).code;
        self.calls[timeline].enter(code, enter_ns);
    }

    /// The call that was entered last is left, which depends on when that was; returns when it is.
    pub(super) fn leave(&mut self, timeline: usize, leave_ns: impl Fn(i64) -> i64) -> i64 {
        let calls = &mut self.calls[timeline];
        let leave_ns = leave_ns(calls.last().map_or(0, |call| call.enter_ns));
        calls.leave(leave_ns);
        leave_ns
    }

    /// All has been done.
    pub(super) fn finish(self) -> Vec<ProcessorTimeline> {
        let all = self.recorded.iter().zip(self.calls).zip(self.ends_ns);
        let timelines = all.map(|((recorded, mut calls), end_ns)| {
            calls.finish();
            ProcessorTimeline { end_ns, ..recorded.with_calls(calls) }
        });
        timelines.collect()
    }
}
