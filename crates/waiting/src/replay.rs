use std::ops::Range;

use hashbrown::HashMap;

use crate::graph::CallPlace;
use crate::history::AnalysedRun;
use crate::mean::{divided, visits};
use crate::released::Releases;
use crate::step::State;
use crate::timeline::{Call, Timeline};

/// Steps that take another time than was recorded. Who waits for whom stays as it was, and what a call takes beyond its wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    rules: HashMap<(usize, State), Rule>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// The time is divided by this.
    Faster(f64),
    /// No processor spends more time than the mean of all.
    AtMostMean,
}

impl Change {
    /// Nothing is changed yet.
    pub fn new() -> Change {
        Change::default()
    }

    /// A step, by its index into [`Waits::codes`](crate::Waits::codes), takes its time divided by a positive factor, on all processors.
    #[must_use]
    pub fn faster(mut self, code: usize, state: State, factor: f64) -> Change {
        self.rules.insert((code, state), Rule::Faster(factor));
        self
    }

    /// No processor computes longer there than all do on average. If all that do it do it equally often, that holds of each time, else of the sum.
    #[must_use]
    pub fn at_most_mean(mut self, code: usize) -> Change {
        self.rules.insert((code, State::Computing), Rule::AtMostMean);
        self
    }
}

/// How long the run would take, in nanoseconds.
pub(crate) fn run_time_ns(run: &AnalysedRun, change: &Change) -> i64 {
    ends(run, &mut Changed::new(&run.timelines, change), |_, _, _| {})
        .into_iter()
        .max()
        .map_or(0, |end_ns| end_ns - run.first_ns)
}

/// What the processors would do when.
pub(crate) fn timelines(run: &AnalysedRun, change: &Change) -> Vec<Timeline> {
    let mut durations = Changed::new(&run.timelines, change);
    let mut changed = run.timelines.clone();
    let ends_ns = ends(run, &mut durations, |place, enter_ns, leave_ns| {
        let call = &mut changed[place.timeline()].calls[place.call()];
        (call.enter_ns, call.leave_ns) = (enter_ns, leave_ns);
    });
    durations.put_into(&mut changed);
    for (timeline, end_ns) in changed.iter_mut().zip(ends_ns) {
        timeline.end_ns = end_ns;
    }
    changed
}

/// How long things take in a replay, and what its times are.
pub(crate) trait Durations {
    type Time: Copy;

    /// A moment that was recorded.
    fn recorded(&self, at_ns: i64) -> Self::Time;

    /// Stretches of computing of a timeline, which are asked for in their order.
    fn computing(&mut self, timeline: usize, stretches: Range<usize>) -> Self::Time;

    /// What a call takes beyond its wait.
    fn own(&self, code: usize, recorded_ns: i64) -> Self::Time;

    fn sum(&self, left: Self::Time, right: Self::Time) -> Self::Time;

    fn later(&self, left: Self::Time, right: Self::Time) -> Self::Time;
}

/// What steps take then.
pub(crate) struct Changed<'a> {
    /// Stretches of computing by timeline.
    pub(crate) computing_ns: Vec<Vec<i64>>,
    change: &'a Change,
}

impl<'a> Changed<'a> {
    pub(crate) fn new(timelines: &[Timeline], change: &'a Change) -> Changed<'a> {
        Changed { computing_ns: computing(timelines, change), change }
    }

    /// Stretches of computing take the changed times.
    pub(crate) fn put_into(&self, timelines: &mut [Timeline]) {
        for (timeline, times_ns) in timelines.iter_mut().zip(&self.computing_ns) {
            for (computing, changed_ns) in timeline.computing.iter_mut().zip(times_ns) {
                computing.time_ns = *changed_ns;
            }
        }
    }
}

impl Durations for Changed<'_> {
    type Time = i64;

    fn recorded(&self, at_ns: i64) -> i64 {
        at_ns
    }

    fn computing(&mut self, timeline: usize, stretches: Range<usize>) -> i64 {
        self.computing_ns[timeline][stretches].iter().sum()
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
    let mut places = vec![Place::default(); timelines.len()];
    let mut releases = Releases::new(graph, durations.recorded(i64::MIN));
    order.iter().for_each(|number| {
        let place = &mut places[number];
        let Call { code, computed, enter_ns, leave_ns } = timelines[number].calls[place.call];
        if !place.is_entered {
            let until = computed as usize;
            let computed = durations.computing(number, place.computed..until);
            now[number] = durations.sum(now[number], computed);
            (place.computed, place.is_entered) = (until, true);
            let gives = graph.gives[number][place.given..].iter();
            for give in gives.take_while(|give| give.call as usize == place.call) {
                place.given += 1;
                if let Some(its) = releases.given(give.release) {
                    its.recorded_ns = its.recorded_ns.max(enter_ns);
                    its.changed = durations.later(its.changed, now[number]);
                }
            }
            return;
        }
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
        place.is_entered = false;
    });
    for (number, (place, now)) in places.iter().zip(&mut now).enumerate() {
        let behind = place.computed..timelines[number].computing.len();
        let computed = durations.computing(number, behind);
        *now = durations.sum(*now, computed);
    }
    now
}

/// Where a processor has come to.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    call: usize,
    /// How many stretches of computing it has left.
    computed: usize,
    is_entered: bool,
    given: usize,
    needed: usize,
}

/// How long each stretch of computing of each timeline takes.
fn computing(timelines: &[Timeline], change: &Change) -> Vec<Vec<i64>> {
    let mut found: Vec<Vec<i64>> = timelines.iter().map(recorded).collect();
    for ((code, state), rule) in &change.rules {
        if *state != State::Computing {
            continue;
        }
        let its_visits = visits(timelines, &[*code]);
        for (number, (timeline, times_ns)) in timelines.iter().zip(&mut found).enumerate() {
            let all = timeline.computing.iter().zip(times_ns);
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

fn recorded(timeline: &Timeline) -> Vec<i64> {
    timeline.computing.iter().map(|computing| computing.time_ns).collect()
}
