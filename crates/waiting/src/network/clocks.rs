use super::MessageNetwork;
use super::collective::Operations;
use super::course::{Course, follow, recorded_course};
use super::links::Links;
use super::retimed::RetimedTimelines;
use crate::calls::{CallSequence, Stretches};
use crate::graph::Graph;
use crate::timeline::ProcessorTimeline;

/// Who was moved, as clocks of several computers are never exactly the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Corrected {
    /// How often something had come before it left.
    pub(crate) waits: usize,
    /// By how much at most, in nanoseconds.
    pub(crate) most_ns: i64,
}

/// By this share computing may seem to be shorter, until a processor that was moved has the time again that was recorded.
const SHORTER: f64 = 0.01;

/// Moves times so that nothing comes before it leaves: a call that needs something ends when that is there at the earliest, and what follows comes
/// later, too (the controlled logical clock: D. Becker, R. Rabenseifner, F. Wolf, *Timestamp synchronization for event traces of large-scale
/// message-passing applications*, 2007, forwards). Where processors wait for each other in a circle nothing is moved.
pub(crate) fn correct(timelines: &mut Vec<ProcessorTimeline>, graph: &Graph) -> Corrected {
    let at_once = MessageNetwork { latency_s: 0.0, bandwidth_bytes_per_s: f64::INFINITY };
    let operations = Operations::default();
    let links = || Links::new(&at_once, graph, &operations);
    let Ok(own_ns) = recorded_course(timelines, &mut links(), usize::MAX) else {
        return Corrected::default();
    };
    let before = own_ns.iter().flatten().filter(|its_ns| **its_ns < 0);
    let found = before.fold(Corrected::default(), |found, its_ns| Corrected {
        waits: found.waits + 1,
        most_ns: found.most_ns.max(-its_ns),
    });
    if found.waits > 0 {
        let mut course = MovedCourse { recorded: timelines, own_ns, moved: RetimedTimelines::new(timelines) };
        if follow(timelines, &mut links(), &mut course, usize::MAX).is_ok() {
            *timelines = course.moved.finish();
        }
    }
    found
}

struct MovedCourse<'a> {
    recorded: &'a [ProcessorTimeline],
    /// By timeline and call what it takes when all that it needs has come; less than nothing where it ended before.
    own_ns: Vec<Vec<i64>>,
    moved: RetimedTimelines<'a>,
}

impl MovedCourse<'_> {
    /// From when the processor goes on at `from_ns` until the call, or its end: how long that takes, which is what it computes.
    fn computed_ns(&mut self, timeline: usize, call: usize, from_ns: i64) -> i64 {
        let its = &self.recorded[timeline];
        let left_ns = call.checked_sub(1).map_or(its.start_ns, |before| its.calls.at(before).leave_ns);
        let until_ns = its.calls.get(call).map_or(its.end_ns, |call| call.enter_ns);
        let recorded_ns = until_ns - left_ns;
        let shorter_ns = ((recorded_ns as f64 * SHORTER) as i64).min(from_ns - left_ns).max(0);
        shorten(its.calls.stretches_before(call), recorded_ns, shorter_ns, &mut self.moved.calls[timeline]);
        recorded_ns - shorter_ns
    }
}

/// Takes it off stretches of computing, in proportion, and adds them to calls.
fn shorten(stretches: Stretches, all_ns: i64, shorter_ns: i64, calls: &mut CallSequence) {
    let (mut passed_ns, mut taken_ns) = (0, 0);
    for stretch in stretches {
        passed_ns += stretch.time_ns;
        let until_here_ns = match shorter_ns {
            0 => 0,
            _ => (shorter_ns as f64 * passed_ns as f64 / all_ns as f64).round() as i64,
        };
        calls.compute(stretch.code, stretch.time_ns - (until_here_ns - taken_ns));
        taken_ns = until_here_ns;
    }
}

impl Course for MovedCourse<'_> {
    fn enter(&mut self, timeline: usize, call: usize, from_ns: i64) -> i64 {
        let enter_ns = from_ns + self.computed_ns(timeline, call, from_ns);
        self.moved.enter(timeline, call, enter_ns);
        enter_ns
    }

    fn leave(&mut self, timeline: usize, call: usize, come_ns: i64) -> i64 {
        let own_ns = self.own_ns[timeline][call].max(0);
        self.moved.leave(timeline, |enter_ns| enter_ns.max(come_ns) + own_ns)
    }

    fn end(&mut self, timeline: usize, from_ns: i64) {
        let calls = self.recorded[timeline].calls.len();
        self.moved.ends_ns[timeline] = from_ns + self.computed_ns(timeline, calls, from_ns);
    }
}
