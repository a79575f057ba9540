use fixedbitset::FixedBitSet;

use crate::calls::{Call, CallWalk, Stretches};
use crate::graph::{CallPlace, Give, Graph, Need};
use crate::history::{MetWait, Order};
use crate::kind::WaitKind;
use crate::path::Path;
use crate::remark::{RecordingRemark, RemarkKind};
use crate::step::{State, StepNumbers};
use crate::timeline::ProcessorTimeline;
use arrivals::{Arrivals, late_gives};

mod arrivals;

/// Where all processors have come to at their ends.
#[derive(Debug)]
pub(crate) struct RunEnds {
    pub(crate) steps: StepNumbers,
    /// The path of each processor: of the longest chain that leads to its end.
    pub(crate) paths: Vec<Path>,
    /// When each would have ended, after the first start, if calls took no time but for waiting.
    pub(crate) ideal_ns: Vec<i64>,
    pub(crate) order: Order,
}

/// The vector-valued (max,+) clock: each processor has a path, nanoseconds by step that add up to its time. Who waits goes on with the
/// path of whom it waited for, so the difference of both is the cause (Meira, LeBlanc, Poulos, SPDT'96).
pub(crate) struct Clock<'a> {
    timelines: &'a [ProcessorTimeline],
    graph: &'a Graph,
    arrivals: Arrivals<'a>,
    late_gives: Vec<FixedBitSet>,
    processors: Vec<ProcessorClock<'a>>,
    steps: StepNumbers,
    remarks: &'a mut Vec<RecordingRemark>,
    order: Order,
    /// Of the wait that is met: room for one suffices for the next.
    cause: Vec<(u64, i64)>,
}

#[derive(Debug)]
struct ProcessorClock<'a> {
    path: Path,
    /// What it did behind the path: few steps, which are added together.
    behind: Vec<(u64, i64)>,
    ideal_ns: i64,
    /// How many calls it has left.
    call: usize,
    /// What is behind those, but for the next one if it has been entered, which is this.
    walk: CallWalk<'a>,
    entered: Option<Call>,
    /// The next one has been entered.
    is_entered: bool,
    given: usize,
    needed: usize,
    /// Releases that it no longer waits for, since all wait in a circle.
    gives_up: bool,
    caused_later: (usize, i64),
}

impl<'a> ProcessorClock<'a> {
    fn new(timeline: &'a ProcessorTimeline) -> ProcessorClock<'a> {
        ProcessorClock {
            path: Path::default(),
            behind: Vec::with_capacity(MOST_BEHIND),
            ideal_ns: 0,
            call: 0,
            walk: timeline.calls.walk_from(0),
            entered: None,
            is_entered: false,
            given: 0,
            needed: 0,
            gives_up: false,
            caused_later: (0, 0),
        }
    }

    #[inline]
    fn spend(&mut self, step: u64, time_ns: i64) {
        if self.behind.len() == MOST_BEHIND {
            self.complete_path();
        }
        self.behind.push((step, time_ns));
    }

    /// The path as it is now.
    fn complete_path(&mut self) -> &Path {
        self.path.add_all(&self.behind);
        self.behind.clear();
        &self.path
    }
}

/// So many steps go into a path at once.
const MOST_BEHIND: usize = 32;

impl<'a> Clock<'a> {
    /// `start` is, of so many codes, that of what lies before the first event of a processor.
    pub(crate) fn new(
        timelines: &'a [ProcessorTimeline],
        graph: &'a Graph,
        codes: usize,
        start: usize,
        remarks: &'a mut Vec<RecordingRemark>,
    ) -> Clock<'a> {
        let mut steps = StepNumbers::new(codes);
        let first_ns = timelines.iter().map(|timeline| timeline.start_ns).min().unwrap_or(0);
        let processors = timelines
            .iter()
            .enumerate()
            .map(|(number, timeline)| {
                let mut processor = ProcessorClock::new(timeline);
                let step = steps.number(number, start, State::Computing);
                processor.spend(step, timeline.start_ns - first_ns);
                processor.ideal_ns = timeline.start_ns - first_ns;
                processor
            })
            .collect();
        let (arrivals, late_gives) = (Arrivals::new(graph), late_gives(timelines, graph));
        let (order, cause) = (Order::default(), Vec::new());
        Clock { timelines, graph, arrivals, late_gives, processors, steps, remarks, order, cause }
    }

    /// Runs all processors to their ends.
    pub(crate) fn run(mut self, mut met: impl FnMut(MetWait, &StepNumbers)) -> RunEnds {
        let mut runnable: Vec<u32> = (0..self.timelines.len() as u32).rev().collect();
        loop {
            while let Some(number) = runnable.pop() {
                self.go_on(number as usize, &mut runnable, &mut met);
            }
            let Some(stuck) = self.first_stuck() else { break };
            self.processors[stuck].gives_up = true;
            runnable.push(stuck as u32);
        }
        for (timeline, processor) in self.timelines.iter().zip(&self.processors) {
            let (waits, most_ns) = processor.caused_later;
            if waits > 0 {
                let kind = RemarkKind::CausedLater { waits, most_ns };
                self.remarks.push(RecordingRemark { processor: timeline.processor, kind });
            }
        }
        for processor in &mut self.processors {
            processor.complete_path();
        }
        let (paths, ideal_ns) =
            self.processors.into_iter().map(|processor| (processor.path, processor.ideal_ns)).unzip();
        RunEnds { steps: self.steps, paths, ideal_ns, order: self.order }
    }

    /// Of those that wait in a circle the one that came first.
    fn first_stuck(&mut self) -> Option<usize> {
        let stuck = (0..self.timelines.len())
            .filter(|number| self.processors[*number].call < self.timelines[*number].calls.len())
            .min_by_key(|number| self.entered_ns(*number))?;
        let kind = RemarkKind::Circle { at_ns: self.entered_ns(stuck) };
        self.remarks.push(RecordingRemark { processor: self.timelines[stuck].processor, kind });
        Some(stuck)
    }

    fn entered_ns(&self, number: usize) -> i64 {
        let timeline = &self.timelines[number];
        self.processors[number].entered.map_or(timeline.end_ns, |call| call.enter_ns)
    }

    fn step(&mut self, number: usize, code: usize, state: State, time_ns: i64) {
        let step = self.steps.number(number, code, state);
        self.processors[number].spend(step, time_ns);
    }

    /// Until the processor has to wait for one that has not come so far.
    fn go_on(&mut self, number: usize, runnable: &mut Vec<u32>, met: &mut impl FnMut(MetWait, &StepNumbers)) {
        loop {
            let call = self.processors[number].call;
            if !self.processors[number].is_entered {
                let Some((before, next)) = self.processors[number].walk.next() else { return };
                self.compute(number, before);
                self.processors[number].is_entered = true;
                self.processors[number].entered = next;
                if let Some(next) = next {
                    self.enter(number, call, next.enter_ns, runnable);
                }
            }
            let Some(entered) = self.processors[number].entered else { return };
            if !self.is_released(number, call) {
                return;
            }
            self.leave(number, call, entered, met);
            self.processors[number].call += 1;
            self.processors[number].is_entered = false;
        }
    }

    /// What lies before a call, or behind the last one.
    fn compute(&mut self, number: usize, stretches: Stretches) {
        for computing in stretches {
            self.step(number, computing.code as usize, State::Computing, computing.time_ns);
            self.processors[number].ideal_ns += computing.time_ns;
        }
    }

    fn enter(&mut self, number: usize, call: usize, enter_ns: i64, runnable: &mut Vec<u32>) {
        self.order.push(number);
        let place = CallPlace::new(number, call);
        let graph = self.graph;
        let gives = &graph.gives[number][self.processors[number].given..];
        for Give { release, .. } in gives.iter().take_while(|give| give.call == place.call) {
            let is_late = self.late_gives[number].contains(self.processors[number].given);
            self.processors[number].given += 1;
            if !self.arrivals.is_of_use(*release) {
                continue;
            }
            let ideal_ns = self.processors[number].ideal_ns;
            let arrived = self.arrivals.of(*release);
            arrived.missing -= 1;
            let is_complete = arrived.missing == 0;
            if arrived.users == 0 {
                if is_complete && arrived.parked.is_empty() {
                    self.arrivals.forget(*release);
                }
                continue;
            }
            arrived.ideal_ns = arrived.ideal_ns.max(ideal_ns);
            let is_later =
                |(last, last_ns, _): &(CallPlace, i64, Path)| (enter_ns, *last) > (*last_ns, place);
            // A path less that must stay as it is.
            if is_late && arrived.last.as_ref().is_none_or(is_later) {
                arrived.last = Some((place, enter_ns, self.processors[number].complete_path().clone()));
            }
            if is_complete {
                runnable.append(&mut arrived.parked);
            }
        }
    }

    /// Whether all that the call needs has come; else the processor is parked where it will be found.
    fn is_released(&mut self, number: usize, call: usize) -> bool {
        let processor = &self.processors[number];
        if processor.gives_up {
            return true;
        }
        let graph = self.graph;
        let needs = &graph.needs[number][processor.needed..];
        for need in needs.iter().take_while(|need| need.call as usize == call) {
            let mut looked = Some(need.release);
            while let Some(release) = looked {
                let arrived = self.arrivals.of(release);
                if arrived.missing > 0 {
                    arrived.parked.push(number as u32);
                    return false;
                }
                looked = self.before(release);
            }
        }
        true
    }

    /// What must have been released, too.
    fn before(&self, release: u32) -> Option<u32> {
        if self.graph.after.is_empty() { None } else { self.graph.after.get(&release).copied() }
    }

    /// The last of a release and those before it: who, when, with which path; and when it would have been in the ideal run.
    fn last_of(&self, release: u32) -> (Option<(CallPlace, i64, &Path)>, i64) {
        let (mut latest, mut ideal_ns, mut looked) = (None, 0, Some(release));
        while let Some(release) = looked {
            if let Some(arrived) = self.arrivals.get(release) {
                ideal_ns = ideal_ns.max(arrived.ideal_ns);
                if let Some((place, at_ns, path)) = &arrived.last
                    && arrived.missing == 0
                    && latest.is_none_or(|(_, latest_ns, _)| *at_ns >= latest_ns)
                {
                    latest = Some((*place, *at_ns, path));
                }
            }
            looked = self.before(release);
        }
        (latest, ideal_ns)
    }

    fn leave(
        &mut self,
        number: usize,
        call: usize,
        entered: Call,
        met: &mut impl FnMut(MetWait, &StepNumbers),
    ) {
        self.order.push(number);
        let Call { code, enter_ns, leave_ns } = entered;
        let code = code as usize;
        let first = self.processors[number].needed;
        let graph = self.graph;
        let needs = &graph.needs[number][first..];
        let count = needs.iter().take_while(|need| need.call as usize == call).count();
        let needs = &needs[..count];
        let mut latest: Option<(CallPlace, i64, &Path, WaitKind)> = None;
        let mut ideal_ns = 0;
        for Need { release, kind, .. } in needs {
            let (last, its_ideal_ns) = self.last_of(*release);
            // Those who come together have been together as much as those who wait for the last one.
            let is_together = |place: CallPlace, at_ns: i64| {
                at_ns == enter_ns && place.timeline() != number && kind.is_of_all_with_all()
            };
            if let Some((place, at_ns, path)) = last
                && (at_ns > enter_ns || is_together(place, at_ns))
                && latest.is_none_or(|(_, latest_ns, _, _)| at_ns > latest_ns)
            {
                latest = Some((place, at_ns, path, *kind));
            }
            ideal_ns = ideal_ns.max(its_ideal_ns);
        }
        let latest = latest.map(|(place, at_ns, path, kind)| (place, at_ns, path.clone(), kind));
        let processor = &mut self.processors[number];
        processor.ideal_ns = processor.ideal_ns.max(ideal_ns);
        match latest {
            None => self.step(number, code, State::Communicating, leave_ns - enter_ns),
            Some((place, at_ns, mut path, kind)) => {
                let step = self.steps.number(number, code, State::Communicating);
                let processor = &mut self.processors[number];
                let released_ns = at_ns.min(leave_ns);
                if at_ns > leave_ns {
                    let (waits, most_ns) = processor.caused_later;
                    processor.caused_later = (waits + 1, most_ns.max(at_ns - leave_ns));
                    path.add(step, leave_ns - at_ns);
                }
                if at_ns > enter_ns {
                    self.cause.clear();
                    path.differences(processor.complete_path(), &mut self.cause);
                    let waiting_ns = released_ns - enter_ns;
                    debug_assert_eq!(self.cause.iter().map(|(_, time_ns)| time_ns).sum::<i64>(), waiting_ns);
                    let (causer, place, cause) = (place, CallPlace::new(number, call), &self.cause);
                    met(MetWait { place, causer, kind, waiting_ns, cause }, &self.steps);
                }
                processor.behind.clear();
                processor.path = path;
                processor.spend(step, leave_ns - released_ns);
            }
        }
        needs.iter().for_each(|need| self.forget(need.release));
        let processor = &mut self.processors[number];
        processor.needed += count;
        processor.gives_up = false;
    }

    /// One less needs what was kept of the release.
    fn forget(&mut self, release: u32) {
        let arrived = self.arrivals.of(release);
        arrived.users -= 1;
        if arrived.users > 0 {
            return;
        }
        let is_complete = arrived.missing == 0;
        if is_complete {
            self.arrivals.forget(release);
        } else if arrived.parked.is_empty() {
            (arrived.last, arrived.ideal_ns) = (None, 0);
        }
        if is_complete && let Some(before) = self.before(release) {
            self.forget(before);
        }
    }
}
