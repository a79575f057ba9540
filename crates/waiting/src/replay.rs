use hashbrown::HashMap;

use crate::calls::{Call, CallSequence, CallWalk, Stretches};
use crate::graph::CallPlace;
use crate::history::AnalysedRun;
use crate::mean::{divided, visits};
use crate::released::Releases;
use crate::step::State;
use crate::timeline::ProcessorTimeline;

/// Steps that take another time than was recorded. Who waits for whom stays as it was, and what a call takes beyond its wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepChange {
    rules: HashMap<(usize, State), Rule>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// The time is divided by this.
    Faster(f64),
    /// No processor spends more time than the mean of all.
    AtMostMean,
}

impl StepChange {
    /// Nothing is changed yet.
    pub fn new() -> StepChange {
        StepChange::default()
    }

    /// A step, by its index into [`Waits::codes`](crate::Waits::codes), takes its time divided by a positive factor, on all processors.
    #[must_use]
    pub fn faster(mut self, code: usize, state: State, factor: f64) -> StepChange {
        self.rules.insert((code, state), Rule::Faster(factor));
        self
    }

    /// No processor computes longer there than all do on average. If all that do it do it equally often, that holds of each time, else of the sum.
    #[must_use]
    pub fn at_most_mean(mut self, code: usize) -> StepChange {
        self.rules.insert((code, State::Computing), Rule::AtMostMean);
        self
    }
}

/// How long the run would take, in nanoseconds.
pub(crate) fn run_time_ns(run: &AnalysedRun, change: &StepChange) -> i64 {
    ends(run, &mut ChangedTimes::new(&run.timelines, change), |_, _, _| {})
        .into_iter()
        .max()
        .map_or(0, |end_ns| end_ns - run.first_ns)
}

/// What the processors would do when.
pub(crate) fn timelines(run: &AnalysedRun, change: &StepChange) -> Vec<ProcessorTimeline> {
    let mut durations = ChangedTimes::new(&run.timelines, change);
    let mut times_ns: Vec<Vec<(i64, i64)>> = vec![Vec::new(); run.timelines.len()];
    let ends_ns = ends(run, &mut durations, |place, enter_ns, leave_ns| {
        times_ns[place.timeline()].push((enter_ns, leave_ns));
    });
    let changed = run.timelines.iter().zip(times_ns).zip(ends_ns).enumerate();
    let changed = changed.map(|(number, ((timeline, times_ns), end_ns))| {
        let mut calls = CallSequence::from(timeline.start_ns);
        let mut times_ns = times_ns.into_iter();
        for (before, call) in timeline.calls.walk_from(0) {
            durations.put(number, before, &mut calls);
            if let Some((call, (enter_ns, leave_ns))) = call.zip(times_ns.next()) {
                calls.enter(call.code, enter_ns);
                calls.leave(leave_ns);
            }
        }
        calls.finish();
        ProcessorTimeline { end_ns, ..timeline.with_calls(calls) }
    });
    changed.collect()
}

/// How long things take in a replay, and what its times are.
pub(crate) trait Durations {
    type Time: Copy;

    /// A moment that was recorded.
    fn recorded(&self, at_ns: i64) -> Self::Time;

    /// Stretches of computing of a timeline, which are asked for in their order.
    fn computing(&mut self, timeline: usize, stretches: Stretches) -> Self::Time;

    /// What a call takes beyond its wait.
    fn own(&self, code: usize, recorded_ns: i64) -> Self::Time;

    fn sum(&self, left: Self::Time, right: Self::Time) -> Self::Time;

    fn later(&self, left: Self::Time, right: Self::Time) -> Self::Time;
}

/// What steps take then.
pub(crate) struct ChangedTimes<'a> {
    /// Stretches of computing by timeline.
    pub(crate) computing_ns: Vec<Vec<i64>>,
    change: &'a StepChange,
}

impl<'a> ChangedTimes<'a> {
    pub(crate) fn new(timelines: &[ProcessorTimeline], change: &'a StepChange) -> ChangedTimes<'a> {
        ChangedTimes { computing_ns: computing(timelines, change), change }
    }

    /// Adds stretches of a timeline, with their changed times, to calls.
    pub(crate) fn put(&self, timeline: usize, stretches: Stretches, calls: &mut CallSequence) {
        let times_ns = &self.computing_ns[timeline][stretches.numbers()];
        stretches.zip(times_ns).for_each(|(computing, time_ns)| calls.compute(computing.code, *time_ns));
    }
}

impl Durations for ChangedTimes<'_> {
    type Time = i64;

    fn recorded(&self, at_ns: i64) -> i64 {
        at_ns
    }

    fn computing(&mut self, timeline: usize, stretches: Stretches) -> i64 {
        self.computing_ns[timeline][stretches.numbers()].iter().sum()
    }

    fn own(&self, code: usize, recorded_ns: i64) -> i64 {
        match self.change.rules.get(&(code, State::Communicating)) {
            Some(Rule::Faster(factor)) if recorded_ns > 0 => divided(recorded_ns, *factor),
            _ => recorded_ns,
        }
    }

    fn sum(&self, left: i64, right: i64) -> i64 {
        left + right
    }

    fn later(&self, left: i64, right: i64) -> i64 {
        left.max(right)
    }
}

/// When each processor would have ended, by (max,+), in the order in which the calls were entered and left; `left` gets each call, with when it
/// would have been entered and left.
pub(crate) fn ends<D: Durations>(
    run: &AnalysedRun,
    durations: &mut D,
    mut left: impl FnMut(CallPlace, D::Time, D::Time),
) -> Vec<D::Time> {
    let AnalysedRun { timelines, graph, order, .. } = run;
    let mut now: Vec<D::Time> =
        timelines.iter().map(|timeline| durations.recorded(timeline.start_ns)).collect();
    let mut places: Vec<ReplayPosition> = timelines.iter().map(ReplayPosition::new).collect();
    let mut releases = Releases::new(graph, durations.recorded(i64::MIN));
    order.iter().for_each(|number| {
        let place = &mut places[number];
        let Some(Call { code, enter_ns, leave_ns }) = place.entered.take() else {
            let Some((before, Some(next))) = place.walk.next() else { return };
            let computed = durations.computing(number, before);
            now[number] = durations.sum(now[number], computed);
            place.entered = Some(next);
            let gives = graph.gives[number][place.given..].iter();
            for give in gives.take_while(|give| give.call as usize == place.call) {
                place.given += 1;
                if let Some(its) = releases.given(give.release) {
                    its.recorded_ns = its.recorded_ns.max(next.enter_ns);
                    its.changed = durations.later(its.changed, now[number]);
                }
            }
            return;
        };
        let entered = now[number];
        let (mut recorded_ns, mut changed) = (enter_ns, entered);
        let needs = graph.needs[number][place.needed..].iter();
        for need in needs.take_while(|need| need.call as usize == place.call) {
            place.needed += 1;
            let mut looked = Some(need.release);
            while let Some(release) = looked {
                if let Some(its) = releases.complete(release) {
                    recorded_ns = recorded_ns.max(its.recorded_ns);
                    changed = durations.later(changed, its.changed);
                }
                looked = if graph.after.is_empty() { None } else { graph.after.get(&release).copied() };
            }
            releases.needed(need.release);
        }
        let own = durations.own(code as usize, leave_ns - recorded_ns);
        // Where clocks differ, a call ends before what it waited for.
        now[number] = durations.later(durations.sum(changed, own), entered);
        left(CallPlace::new(number, place.call), entered, now[number]);
        place.call += 1;
    });
    for (number, (place, now)) in places.iter_mut().zip(&mut now).enumerate() {
        if let Some((behind, _)) = place.walk.next() {
            let computed = durations.computing(number, behind);
            *now = durations.sum(*now, computed);
        }
    }
    now
}

/// Where a processor has come to.
#[derive(Debug, Clone)]
struct ReplayPosition<'a> {
    call: usize,
    walk: CallWalk<'a>,
    /// The next call, once it has been entered.
    entered: Option<Call>,
    given: usize,
    needed: usize,
}

impl<'a> ReplayPosition<'a> {
    fn new(timeline: &'a ProcessorTimeline) -> ReplayPosition<'a> {
        ReplayPosition { call: 0, walk: timeline.calls.walk_from(0), entered: None, given: 0, needed: 0 }
    }
}

/// How long each stretch of computing of each timeline takes.
fn computing(timelines: &[ProcessorTimeline], change: &StepChange) -> Vec<Vec<i64>> {
    let mut found: Vec<Vec<i64>> = timelines.iter().map(recorded).collect();
    for ((code, state), rule) in &change.rules {
        if *state != State::Computing {
            continue;
        }
        let its_visits = visits(timelines, &[*code]);
        for (number, (timeline, times_ns)) in timelines.iter().zip(&mut found).enumerate() {
            let all = timeline.calls.stretches().zip(times_ns);
            let there = all.filter(|(computing, _)| computing.code as usize == *code);
            for (visit, (_, time_ns)) in there.enumerate() {
                *time_ns = match rule {
                    Rule::Faster(factor) => divided(*time_ns, *factor),
                    Rule::AtMostMean => its_visits[0].at_most_mean_ns(number, visit, *time_ns),
                };
            }
        }
    }
    found
}

fn recorded(timeline: &ProcessorTimeline) -> Vec<i64> {
    timeline.calls.stretches().map(|computing| computing.time_ns).collect()
}
