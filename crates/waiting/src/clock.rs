use std::collections::HashMap;

use crate::graph::Graph;
use crate::kind::WaitKind;
use crate::matching::CallPlace;
use crate::path::Path;
use crate::remark::{Remark, RemarkKind};
use crate::step::{Numbering, State, Step};
use crate::timeline::{Activity, Call, Timeline};

/// A wait that was met: from when the call was entered until who was waited for had come so far.
#[derive(Debug)]
pub(crate) struct MetWait {
    pub(crate) place: CallPlace,
    /// The call that was waited for.
    pub(crate) causer: CallPlace,
    pub(crate) kind: WaitKind,
    pub(crate) waiting_ns: i64,
    /// Signed differences by step; they add up to the wait.
    pub(crate) cause: Vec<(u32, i64)>,
}

/// Where all processors have come to at their ends.
#[derive(Debug)]
pub(crate) struct Ends {
    pub(crate) steps: Vec<Step>,
    /// The path of each processor: of the longest chain that leads to its end.
    pub(crate) paths: Vec<Path>,
    /// When each would have ended, after the first start, if calls took no time but for waiting.
    pub(crate) ideal_ns: Vec<i64>,
    /// Timelines in an order in which they can enter and leave their calls.
    pub(crate) order: Vec<u32>,
}

/// What came to a release so far.
#[derive(Debug)]
struct Pending {
    missing: usize,
    users: usize,
    /// The last one that was entered, when, and its path then.
    last: Option<(CallPlace, i64, Path)>,
    ideal_ns: i64,
    parked: Vec<usize>,
}

/// The vector-valued (max,+) clock: each processor has a path, nanoseconds by step that add up to its time. Who waits goes on with the
/// path of whom it waited for, so the difference of both is the cause (Meira, LeBlanc, Poulos, SPDT'96).
pub(crate) struct Clock<'a> {
    timelines: &'a [Timeline],
    graph: &'a Graph,
    pending: Vec<Pending>,
    processors: Vec<Processor>,
    steps: Numbering<Step>,
    remarks: &'a mut Vec<Remark>,
    order: Vec<u32>,
}

#[derive(Debug, Default)]
struct Processor {
    path: Path,
    ideal_ns: i64,
    activity: usize,
    /// The call of that activity has been entered.
    is_entered: bool,
    given: usize,
    needed: usize,
    /// Releases that it no longer waits for, since all wait in a circle.
    gives_up: bool,
    caused_later: (usize, i64),
}

impl<'a> Clock<'a> {
    /// `start` is the code of what lies before the first event of a processor.
    pub(crate) fn new(
        timelines: &'a [Timeline],
        graph: &'a Graph,
        start: usize,
        remarks: &'a mut Vec<Remark>,
    ) -> Clock<'a> {
        let mut pending: Vec<Pending> = graph
            .releases
            .iter()
            .map(|release| Pending {
                missing: release.by.len(),
                users: release.waiting.len(),
                last: None,
                ideal_ns: 0,
                parked: Vec::new(),
            })
            .collect();
        for before in graph.releases.iter().filter_map(|release| release.after) {
            pending[before].users += 1;
        }
        let mut steps = Numbering::default();
        let first_ns = timelines.iter().map(|timeline| timeline.start_ns).min().unwrap_or(0);
        let processors = timelines
            .iter()
            .map(|timeline| {
                let mut processor = Processor::default();
                let step = Step { processor: timeline.processor, code: start, state: State::Computing };
                processor.path.add(steps.number(&step) as u32, timeline.start_ns - first_ns);
                processor.ideal_ns = timeline.start_ns - first_ns;
                processor
            })
            .collect();
        Clock { timelines, graph, pending, processors, steps, remarks, order: Vec::new() }
    }

    /// Runs all processors to their ends.
    pub(crate) fn run(mut self, mut met: impl FnMut(MetWait, &[Step])) -> Ends {
        let mut runnable: Vec<usize> = (0..self.timelines.len()).rev().collect();
        loop {
            while let Some(number) = runnable.pop() {
                self.go_on(number, &mut runnable, &mut met);
            }
            let Some(stuck) = self.first_stuck() else { break };
            self.processors[stuck].gives_up = true;
            runnable.push(stuck);
        }
        for (timeline, processor) in self.timelines.iter().zip(&self.processors) {
            let (waits, most_ns) = processor.caused_later;
            if waits > 0 {
                let kind = RemarkKind::CausedLater { waits, most_ns };
                self.remarks.push(Remark { processor: timeline.processor, kind });
            }
        }
        let (paths, ideal_ns) =
            self.processors.into_iter().map(|processor| (processor.path, processor.ideal_ns)).unzip();
        Ends { steps: self.steps.things, paths, ideal_ns, order: self.order }
    }

    /// Of those that wait in a circle the one that came first.
    fn first_stuck(&mut self) -> Option<usize> {
        let stuck = (0..self.timelines.len())
            .filter(|number| self.processors[*number].activity < self.timelines[*number].activities.len())
            .min_by_key(|number| self.entered_ns(*number))?;
        let kind = RemarkKind::Circle { at_ns: self.entered_ns(stuck) };
        self.remarks.push(Remark { processor: self.timelines[stuck].processor, kind });
        Some(stuck)
    }

    fn entered_ns(&self, number: usize) -> i64 {
        let timeline = &self.timelines[number];
        match timeline.activities.get(self.processors[number].activity) {
            Some(Activity::Call(call)) => timeline.calls[*call].enter_ns,
            _ => timeline.end_ns,
        }
    }

    fn step(&mut self, number: usize, code: usize, state: State, time_ns: i64) {
        let step = Step { processor: self.timelines[number].processor, code, state };
        let step = self.steps.number(&step) as u32;
        self.processors[number].path.add(step, time_ns);
    }

    /// Until the processor has to wait for one that has not come so far.
    fn go_on(&mut self, number: usize, runnable: &mut Vec<usize>, met: &mut impl FnMut(MetWait, &[Step])) {
        let timelines = self.timelines;
        while let Some(activity) = timelines[number].activities.get(self.processors[number].activity) {
            match *activity {
                Activity::Computing { code, time_ns } => {
                    self.step(number, code, State::Computing, time_ns);
                    self.processors[number].ideal_ns += time_ns;
                }
                Activity::Call(call) => {
                    if !self.processors[number].is_entered {
                        self.enter(number, call, runnable);
                    }
                    if !self.is_released(number, call) {
                        return;
                    }
                    self.leave(number, call, met);
                }
            }
            self.processors[number].activity += 1;
            self.processors[number].is_entered = false;
        }
    }

    fn enter(&mut self, number: usize, call: usize, runnable: &mut Vec<usize>) {
        self.processors[number].is_entered = true;
        self.order.push(number as u32);
        while let Some((_, release)) = self.graph.gives[number]
            .get(self.processors[number].given)
            .copied()
            .filter(|(given, _)| *given == call)
        {
            self.processors[number].given += 1;
            let place = CallPlace { timeline: number, call };
            let enter_ns = self.timelines[number].calls[call].enter_ns;
            let (path, ideal_ns) = (&self.processors[number].path, self.processors[number].ideal_ns);
            let pending = &mut self.pending[release];
            pending.missing -= 1;
            pending.ideal_ns = pending.ideal_ns.max(ideal_ns);
            let is_later =
                |(last, last_ns, _): &(CallPlace, i64, Path)| (enter_ns, *last) > (*last_ns, place);
            if pending.last.as_ref().is_none_or(is_later) {
                pending.last = Some((place, enter_ns, path.clone()));
            }
            if pending.missing == 0 {
                runnable.append(&mut pending.parked);
            }
        }
    }

    /// Whether all that the call needs has come; else the processor is parked where it will be found.
    fn is_released(&mut self, number: usize, call: usize) -> bool {
        let processor = &self.processors[number];
        if processor.gives_up {
            return true;
        }
        let needs = self.graph.needs[number][processor.needed..].iter().take_while(|(of, _, _)| *of == call);
        for (_, release, _) in needs {
            let mut looked = Some(*release);
            while let Some(release) = looked {
                if self.pending[release].missing > 0 {
                    self.pending[release].parked.push(number);
                    return false;
                }
                looked = self.graph.releases[release].after;
            }
        }
        true
    }

    /// The last of a release and those before it: who, when, with which path; and when it would have been in the ideal run.
    fn last_of(&self, release: usize) -> (Option<(CallPlace, i64, &Path)>, i64) {
        let (mut latest, mut ideal_ns, mut looked) = (None, 0, Some(release));
        while let Some(release) = looked {
            let pending = &self.pending[release];
            ideal_ns = ideal_ns.max(pending.ideal_ns);
            if let Some((place, at_ns, path)) = &pending.last
                && pending.missing == 0
                && latest.is_none_or(|(_, latest_ns, _)| *at_ns >= latest_ns)
            {
                latest = Some((*place, *at_ns, path));
            }
            looked = self.graph.releases[release].after;
        }
        (latest, ideal_ns)
    }

    fn leave(&mut self, number: usize, call: usize, met: &mut impl FnMut(MetWait, &[Step])) {
        self.order.push(number as u32);
        let Call { code, enter_ns, leave_ns } = self.timelines[number].calls[call];
        let first = self.processors[number].needed;
        let needed: Vec<(usize, WaitKind)> = self.graph.needs[number][first..]
            .iter()
            .take_while(|(of, _, _)| *of == call)
            .map(|(_, release, kind)| (*release, *kind))
            .collect();
        let mut latest: Option<(CallPlace, i64, Path, WaitKind)> = None;
        for (release, kind) in &needed {
            let (last, ideal_ns) = self.last_of(*release);
            if let Some((place, at_ns, path)) = last
                && at_ns > enter_ns
                && latest.as_ref().is_none_or(|(_, latest_ns, _, _)| at_ns > *latest_ns)
            {
                latest = Some((place, at_ns, path.clone(), *kind));
            }
            let processor = &mut self.processors[number];
            processor.ideal_ns = processor.ideal_ns.max(ideal_ns);
        }
        match latest {
            None => self.step(number, code, State::Communicating, leave_ns - enter_ns),
            Some((place, at_ns, mut path, kind)) => {
                let step =
                    Step { processor: self.timelines[number].processor, code, state: State::Communicating };
                let step = self.steps.number(&step) as u32;
                let processor = &mut self.processors[number];
                let released_ns = at_ns.min(leave_ns);
                if at_ns > leave_ns {
                    let (waits, most_ns) = processor.caused_later;
                    processor.caused_later = (waits + 1, most_ns.max(at_ns - leave_ns));
                    path.add(step, leave_ns - at_ns);
                }
                let cause = path.minus(&processor.path);
                let waiting_ns = released_ns - enter_ns;
                debug_assert_eq!(cause.iter().map(|(_, time_ns)| time_ns).sum::<i64>(), waiting_ns);
                path.add(step, leave_ns - released_ns);
                processor.path = path;
                let wait = MetWait {
                    place: CallPlace { timeline: number, call },
                    causer: place,
                    kind,
                    waiting_ns,
                    cause,
                };
                met(wait, &self.steps.things);
            }
        }
        for (release, _) in &needed {
            self.forget(*release);
        }
        let processor = &mut self.processors[number];
        processor.needed += needed.len();
        processor.gives_up = false;
    }

    /// One less needs what was kept of the release.
    fn forget(&mut self, release: usize) {
        let pending = &mut self.pending[release];
        pending.users -= 1;
        if pending.users == 0 && pending.missing == 0 {
            pending.last = None;
            if let Some(before) = self.graph.releases[release].after {
                self.forget(before);
            }
        }
    }
}

/// The paths of all ends by processor, for those who want the numbers behind their steps.
pub(crate) fn by_step(path: &Path, steps: &[Step]) -> HashMap<Step, i64> {
    path.minus(&Path::default()).into_iter().map(|(step, time_ns)| (steps[step as usize], time_ns)).collect()
}
