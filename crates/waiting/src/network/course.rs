use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;

use super::links::Links;
use crate::calls::Call;
use crate::timeline::ProcessorTimeline;

/// When processors enter and leave their calls.
pub(super) trait Course {
    /// The call is entered by who goes on from then.
    fn enter(&mut self, timeline: usize, call: usize, from_ns: i64) -> i64;

    /// It is left, if what it needs has come then.
    fn leave(&mut self, timeline: usize, call: usize, come_ns: i64) -> i64;

    /// The processor goes on to its end.
    fn end(&mut self, timeline: usize, from_ns: i64);
}

/// Why a course has no end: processors wait for each other for ever, by timeline each in its call.
pub(super) struct Stuck(pub(super) Vec<(usize, usize)>);

/// Follows a course in the order of time, until so many calls have been entered at most.
pub(super) fn follow<C: Course>(
    timelines: &[ProcessorTimeline],
    links: &mut Links,
    course: &mut C,
    most_calls: usize,
) -> Result<(), Stuck> {
    let left = vec![(0, 0); timelines.len()];
    let (next, parked) = Default::default();
    let mut follower = Follower { timelines, links, course, left, next, parked };
    if !follower.run(most_calls) {
        return Ok(());
    }
    let calls = follower.left.iter().zip(timelines).enumerate();
    let unfinished = calls.filter(|(_, ((calls, _), its))| *calls < its.calls.len());
    let waiting: Vec<(usize, usize)> =
        unfinished.map(|(timeline, ((call, _), _))| (timeline, *call)).collect();
    if waiting.is_empty() { Ok(()) } else { Err(Stuck(waiting)) }
}

struct Follower<'a, 'b, C> {
    timelines: &'a [ProcessorTimeline],
    links: &'a mut Links<'b>,
    course: &'a mut C,
    /// By timeline, the calls that it has left, and those of its needs that these were.
    left: Vec<(usize, usize)>,
    /// When timelines enter their next calls.
    next: BinaryHeap<Reverse<(i64, u32)>>,
    /// Who waits, by what is missing.
    parked: HashMap<u32, Vec<u32>>,
}

impl<C: Course> Follower<'_, '_, C> {
    /// Whether it came to the end.
    fn run(&mut self, most_calls: usize) -> bool {
        for (timeline, its) in self.timelines.iter().enumerate() {
            self.go_on(timeline, its.start_ns);
        }
        let mut come = Vec::new();
        let mut entered = 0;
        loop {
            let enter_ns = self.next.peek().map(|Reverse((at_ns, _))| *at_ns);
            let through_ns = self.links.next_ns();
            if through_ns.is_some_and(|at_ns| enter_ns.is_none_or(|enter_ns| at_ns <= enter_ns)) {
                come.extend(self.links.next());
            } else if let Some(Reverse((at_ns, timeline))) = self.next.pop() {
                let timeline = timeline as usize;
                self.links.enter(timeline, self.left[timeline].0, at_ns, |release| come.push(release));
                self.leave(timeline);
                entered += 1;
                if entered >= most_calls {
                    return false;
                }
            } else {
                return true;
            }
            for release in come.drain(..) {
                for waiting in self.parked.remove(&release).unwrap_or_default() {
                    self.leave(waiting as usize);
                }
            }
        }
    }

    /// The call that was entered ends, if all that it needs has come.
    fn leave(&mut self, timeline: usize) {
        let (call, needed) = self.left[timeline];
        let needs = &self.links.needs(timeline)[needed..];
        let its = needs.iter().take_while(|need| need.call as usize == call).count();
        match self.links.come_ns(&needs[..its]) {
            Err(missing) => self.parked.entry(missing).or_default().push(timeline as u32),
            Ok(come_ns) => {
                let left_ns = self.course.leave(timeline, call, come_ns);
                self.left[timeline] = (call + 1, needed + its);
                self.go_on(timeline, left_ns);
            }
        }
    }

    fn go_on(&mut self, timeline: usize, from_ns: i64) {
        let call = self.left[timeline].0;
        if call < self.timelines[timeline].calls.len() {
            let enter_ns = self.course.enter(timeline, call, from_ns);
            self.next.push(Reverse((enter_ns, timeline as u32)));
        } else {
            self.course.end(timeline, from_ns);
        }
    }
}

/// Follows what was recorded; what each call takes when all that it needs has come.
pub(super) fn recorded_course(
    timelines: &[ProcessorTimeline],
    links: &mut Links,
    most_calls: usize,
) -> Result<Vec<Vec<i64>>, Stuck> {
    let own_ns = timelines.iter().map(|its| Vec::with_capacity(its.calls.len())).collect();
    let mut recorded = RecordedCourse { timelines, own_ns };
    follow(timelines, links, &mut recorded, most_calls)?;
    Ok(recorded.own_ns)
}

/// All as it was.
struct RecordedCourse<'a> {
    timelines: &'a [ProcessorTimeline],
    own_ns: Vec<Vec<i64>>,
}

impl Course for RecordedCourse<'_> {
    fn enter(&mut self, timeline: usize, call: usize, _: i64) -> i64 {
        self.timelines[timeline].calls.at(call).enter_ns
    }

    fn leave(&mut self, timeline: usize, call: usize, come_ns: i64) -> i64 {
        let Call { enter_ns, leave_ns, .. } = self.timelines[timeline].calls.at(call);
        self.own_ns[timeline].push(leave_ns - enter_ns.max(come_ns));
        leave_ns
    }

    fn end(&mut self, _: usize, _: i64) {}
}
