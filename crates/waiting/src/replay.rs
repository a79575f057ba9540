use std::collections::HashMap;

use crate::history::AnalysedRun;
use crate::step::State;
use crate::timeline::{Activity, Call, Timeline};

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

/// When each call would have been entered and left, and each processor would have ended.
struct Times {
    calls_ns: Vec<Vec<(i64, i64)>>,
    /// By timeline and activity; of calls 0.
    computing_ns: Vec<Vec<i64>>,
    ends_ns: Vec<i64>,
}

/// How long the run would take, in nanoseconds.
pub(crate) fn run_time_ns(run: &AnalysedRun, change: &Change) -> i64 {
    times(run, change).ends_ns.iter().max().map_or(0, |end_ns| end_ns - run.first_ns)
}

/// What the processors would do when.
pub(crate) fn timelines(run: &AnalysedRun, change: &Change) -> Vec<Timeline> {
    let times = times(run, change);
    let mut changed = run.timelines.clone();
    for (number, timeline) in changed.iter_mut().enumerate() {
        for (call, (enter_ns, leave_ns)) in timeline.calls.iter_mut().zip(&times.calls_ns[number]) {
            (call.enter_ns, call.leave_ns) = (*enter_ns, *leave_ns);
        }
        for (activity, changed_ns) in timeline.activities.iter_mut().zip(&times.computing_ns[number]) {
            if let Activity::Computing { time_ns, .. } = activity {
                *time_ns = *changed_ns;
            }
        }
        timeline.end_ns = times.ends_ns[number];
    }
    changed
}

/// By (max,+), in the order in which the calls were entered and left.
fn times(run: &AnalysedRun, change: &Change) -> Times {
    let AnalysedRun { timelines, graph, order, .. } = run;
    let computing_ns = computing(timelines, change);
    let mut calls_ns: Vec<Vec<(i64, i64)>> =
        timelines.iter().map(|timeline| Vec::with_capacity(timeline.calls.len())).collect();
    let mut now_ns: Vec<i64> = timelines.iter().map(|timeline| timeline.start_ns).collect();
    let mut places = vec![Place::default(); timelines.len()];
    let mut releases: Vec<Released> = graph
        .releases
        .iter()
        .map(|release| Released { missing: release.by.len(), ..Released::NEVER })
        .collect();
    let compute = |number: usize, place: &mut Place, now_ns: &mut i64| {
        while let Some(Activity::Computing { .. }) = timelines[number].activities.get(place.activity) {
            *now_ns += computing_ns[number][place.activity];
            place.activity += 1;
        }
    };
    for number in order.iter().map(|number| *number as usize) {
        let place = &mut places[number];
        let call_number = calls_ns[number].len();
        if !place.is_entered {
            compute(number, place, &mut now_ns[number]);
            place.is_entered = true;
            let given =
                graph.gives[number][place.given..].iter().take_while(|(call, _)| *call == call_number);
            for (_, release) in given {
                place.given += 1;
                let recorded_ns = timelines[number].calls[call_number].enter_ns;
                releases[*release].enter(recorded_ns, now_ns[number]);
            }
            continue;
        }
        let Call { code, enter_ns, leave_ns } = timelines[number].calls[call_number];
        let entered_ns = now_ns[number];
        let (mut recorded_ns, mut changed_ns) = (enter_ns, entered_ns);
        let needed =
            graph.needs[number][place.needed..].iter().take_while(|(call, _, _)| *call == call_number);
        for (_, release, _) in needed {
            place.needed += 1;
            let mut looked = Some(*release);
            while let Some(release) = looked {
                // What was not there when this one gave up waiting counts for nothing.
                if releases[release].missing == 0 {
                    recorded_ns = recorded_ns.max(releases[release].recorded_ns);
                    changed_ns = changed_ns.max(releases[release].changed_ns);
                }
                looked = graph.releases[release].after;
            }
        }
        let own_ns = match change.rules.get(&(code, State::Communicating)) {
            Some(Rule::Faster(factor)) if leave_ns > recorded_ns => divided(leave_ns - recorded_ns, *factor),
            _ => leave_ns - recorded_ns,
        };
        // Where clocks differ, a call ends before what it waited for.
        now_ns[number] = (changed_ns + own_ns).max(entered_ns);
        calls_ns[number].push((entered_ns, now_ns[number]));
        place.activity += 1;
        place.is_entered = false;
    }
    for (number, place) in places.iter_mut().enumerate() {
        compute(number, place, &mut now_ns[number]);
    }
    Times { calls_ns, computing_ns, ends_ns: now_ns }
}

/// Where a processor has come to.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    activity: usize,
    is_entered: bool,
    given: usize,
    needed: usize,
}

/// When the last call of a release was entered, as it was recorded and as it would be.
#[derive(Debug, Clone, Copy)]
struct Released {
    missing: usize,
    recorded_ns: i64,
    changed_ns: i64,
}

impl Released {
    const NEVER: Released = Released { missing: 0, recorded_ns: i64::MIN, changed_ns: i64::MIN };

    fn enter(&mut self, recorded_ns: i64, changed_ns: i64) {
        self.missing = self.missing.saturating_sub(1);
        self.recorded_ns = self.recorded_ns.max(recorded_ns);
        self.changed_ns = self.changed_ns.max(changed_ns);
    }
}

fn divided(time_ns: i64, factor: f64) -> i64 {
    (time_ns as f64 / factor).round() as i64
}

/// How long each activity of each timeline computes.
fn computing(timelines: &[Timeline], change: &Change) -> Vec<Vec<i64>> {
    let mut found: Vec<Vec<i64>> = timelines.iter().map(recorded).collect();
    for ((code, state), rule) in &change.rules {
        if *state != State::Computing {
            continue;
        }
        let visits: Vec<Vec<usize>> = timelines.iter().map(|timeline| visits(timeline, *code)).collect();
        match rule {
            Rule::Faster(factor) => {
                for (times_ns, visits) in found.iter_mut().zip(&visits) {
                    visits.iter().for_each(|visit| times_ns[*visit] = divided(times_ns[*visit], *factor));
                }
            }
            Rule::AtMostMean => to_mean(&mut found, &visits),
        }
    }
    found
}

fn recorded(timeline: &Timeline) -> Vec<i64> {
    let time = |activity: &Activity| match activity {
        Activity::Computing { time_ns, .. } => *time_ns,
        Activity::Call(_) => 0,
    };
    timeline.activities.iter().map(time).collect()
}

/// The activities that compute there.
fn visits(timeline: &Timeline, wanted: usize) -> Vec<usize> {
    let is_it = |activity: &Activity| matches!(activity, Activity::Computing { code, .. } if *code == wanted);
    let all = timeline.activities.iter().enumerate();
    all.filter(|(_, activity)| is_it(activity)).map(|(number, _)| number).collect()
}

/// Whether all that compute there do it equally often.
pub(crate) fn is_done_together(timelines: &[Timeline], code: usize) -> bool {
    is_together(&timelines.iter().map(|timeline| visits(timeline, code)).collect::<Vec<_>>())
}

fn is_together(visits: &[Vec<usize>]) -> bool {
    let most = visits.iter().map(Vec::len).max().unwrap_or(0);
    visits.iter().all(|its| its.is_empty() || its.len() == most)
}

fn to_mean(times_ns: &mut [Vec<i64>], visits: &[Vec<usize>]) {
    let count = times_ns.len() as f64;
    if is_together(visits) {
        for visit in 0..visits.iter().map(Vec::len).max().unwrap_or(0) {
            let sum_ns: f64 = visits
                .iter()
                .zip(times_ns.iter())
                .filter_map(|(its, times_ns)| Some(times_ns[*its.get(visit)?] as f64))
                .sum();
            let mean_ns = (sum_ns / count).round() as i64;
            for (its, times_ns) in visits.iter().zip(times_ns.iter_mut()) {
                if let Some(activity) = its.get(visit) {
                    times_ns[*activity] = times_ns[*activity].min(mean_ns);
                }
            }
        }
        return;
    }
    let sums: Vec<f64> = visits
        .iter()
        .zip(times_ns.iter())
        .map(|(its, times_ns)| its.iter().map(|activity| times_ns[*activity] as f64).sum())
        .collect();
    let mean = sums.iter().sum::<f64>() / count;
    for ((its, times_ns), sum) in visits.iter().zip(times_ns).zip(sums) {
        if sum > mean {
            its.iter().for_each(|activity| times_ns[*activity] = divided(times_ns[*activity], sum / mean));
        }
    }
}
