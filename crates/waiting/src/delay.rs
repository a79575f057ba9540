use std::collections::{BTreeMap, HashMap};

use crate::graph::Graph;
use crate::history::AnalysedRun;
use crate::matching::CallPlace;
use crate::step::State;
use crate::timeline::{Activity, Timeline};

/// Costs of delays, as D. Böhme et al. define them (*Identifying the root causes of wait states in large-scale parallel applications*,
/// ICPP 2010; Scalasca shows them): a wait is divided among what the processor that was waited for did longer than the waiting one since
/// both had synchronised last, and what it waited itself in that interval. The latter part is indirect: it is handed on to what caused
/// those waits. Unlike [`Cause`](crate::Cause)s these shares are never negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Delays {
    /// By processor and step, the most expensive first. All costs together are the waits, but for those that nothing explains.
    pub costs: Vec<DelayCost>,
    /// By site, in the order of [`Waits::sites`](crate::Waits::sites).
    pub sites: Vec<WaitStates>,
}

/// What it costs others that a processor spends longer with a step than they do, in nanoseconds of waiting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DelayCost {
    /// Position in [`Waits::processors`](crate::Waits::processors).
    pub processor: usize,
    /// Index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// How the time is spent there.
    pub state: State,
    /// Of those that wait for this processor.
    pub short_term_ns: f64,
    /// Of those that wait for others who had waited for it.
    pub long_term_ns: f64,
}

/// Waits of a site by where they come from and where they lead to, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WaitStates {
    /// Caused by what the one that was waited for did.
    pub direct_ns: f64,
    /// Caused by what that one had waited itself.
    pub indirect_ns: f64,
    /// Waits that made others wait; the remaining ones are terminal.
    pub propagating_ns: f64,
    /// Those, with what they cost others, where the one that was waited for neither spends anything longer nor waits.
    pub unexplained_ns: f64,
}

/// How a wait is divided.
#[derive(Debug, Default)]
struct Division {
    /// Step, and by how much it is longer.
    delays: Vec<(usize, State, i64)>,
    /// Waits of the one that was waited for.
    waits: Vec<usize>,
    sum_ns: f64,
}

pub(crate) fn delays(run: &AnalysedRun, site_codes: &[usize]) -> Delays {
    let divisions = Divider::new(run).divide();
    let waits = &run.history.waits;
    let site_of: HashMap<usize, usize> =
        site_codes.iter().enumerate().map(|(site, code)| (*code, site)).collect();
    let mut sites = vec![WaitStates::default(); site_codes.len()];
    let mut costs: BTreeMap<(usize, usize, State), (f64, f64)> = BTreeMap::new();
    // What each wait costs others: all that it leads to comes later.
    let mut handed_on = vec![0.0; waits.len()];
    for (number, (wait, division)) in waits.iter().zip(&divisions).enumerate().rev() {
        let waiting_ns = wait.waiting_ns as f64;
        let caused_ns: f64 = handed_on[number];
        let code = run.timelines[wait.place.timeline].calls[wait.place.call].code;
        let Some(site) = site_of.get(&code).map(|site| &mut sites[*site]) else { continue };
        if caused_ns > 0.0 {
            site.propagating_ns += waiting_ns;
        }
        if division.sum_ns <= 0.0 {
            site.unexplained_ns += waiting_ns + caused_ns;
            continue;
        }
        let share = |time_ns: i64| time_ns as f64 / division.sum_ns;
        for (code, state, time_ns) in &division.delays {
            let cost = costs.entry((wait.causer.timeline, *code, *state)).or_default();
            cost.0 += share(*time_ns) * waiting_ns;
            cost.1 += share(*time_ns) * caused_ns;
            site.direct_ns += share(*time_ns) * waiting_ns;
        }
        for earlier in &division.waits {
            let part = share(waits[*earlier].waiting_ns);
            handed_on[*earlier] += part * (waiting_ns + caused_ns);
            site.indirect_ns += part * waiting_ns;
        }
    }
    let mut costs: Vec<DelayCost> = costs
        .into_iter()
        .map(|((processor, code, state), (short_term_ns, long_term_ns))| DelayCost {
            processor,
            code,
            state,
            short_term_ns,
            long_term_ns,
        })
        .collect();
    let size = |cost: &DelayCost| cost.short_term_ns + cost.long_term_ns;
    costs.sort_by(|left, right| size(right).total_cmp(&size(left)));
    Delays { costs, sites }
}

/// Where an interval begins: in the last call of a processor in which it synchronised with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Synchronised {
    call: usize,
    /// It was waited for, so the interval begins with the call and has its wait; else it begins behind the wait.
    was_waited_for: bool,
}

struct Divider<'a> {
    run: &'a AnalysedRun,
    /// By processor, its activity of each call.
    activities: Vec<Vec<usize>>,
    /// By processor and group the calls in which all of the group came together, in order.
    common: Vec<BTreeMap<usize, Vec<usize>>>,
    /// By two processors, the lower one first, their calls of the last wait of one for the other.
    last: HashMap<(usize, usize), (Synchronised, Synchronised)>,
}

impl<'a> Divider<'a> {
    fn new(run: &'a AnalysedRun) -> Divider<'a> {
        Divider {
            run,
            activities: run.timelines.iter().map(Timeline::activities_of_calls).collect(),
            common: common(&run.graph, run.timelines.len()),
            last: HashMap::new(),
        }
    }

    /// In the order of the waits.
    fn divide(mut self) -> Vec<Division> {
        let waits = &self.run.history.waits;
        let mut found = Vec::with_capacity(waits.len());
        for wait in waits {
            let (waiting, causing) = (wait.place, wait.causer);
            let since = self.synchronised(waiting, causing);
            let (waiting_since, causing_since) = since.unzip();
            found.push(self.division((waiting, waiting_since), (causing, causing_since)));
            let calls = (
                Synchronised { call: waiting.call, was_waited_for: false },
                Synchronised { call: causing.call, was_waited_for: true },
            );
            let is_lower = waiting.timeline < causing.timeline;
            self.last.insert(pair(waiting, causing), if is_lower { calls } else { (calls.1, calls.0) });
        }
        found
    }

    /// The calls in which both synchronised last, before these ones.
    fn synchronised(&self, waiting: CallPlace, causing: CallPlace) -> Option<(Synchronised, Synchronised)> {
        let is_lower = waiting.timeline < causing.timeline;
        let last = self.last.get(&pair(waiting, causing));
        let mut latest =
            last.map(|(lower, upper)| if is_lower { (*lower, *upper) } else { (*upper, *lower) });
        for (group, calls) in &self.common[waiting.timeline] {
            let Some(others) = self.common[causing.timeline].get(group) else { continue };
            let before = |calls: &[usize], call: usize| calls.partition_point(|its| *its < call);
            let count = before(calls, waiting.call).min(before(others, causing.call));
            let behind = |call| Synchronised { call, was_waited_for: false };
            let both = count.checked_sub(1).map(|number| (behind(calls[number]), behind(others[number])));
            latest = latest.max(both);
        }
        latest
    }

    fn division(
        &self,
        waiting: (CallPlace, Option<Synchronised>),
        (place, since): (CallPlace, Option<Synchronised>),
    ) -> Division {
        let mut more_ns = BTreeMap::new();
        self.spend(place, since, 1, &mut more_ns);
        self.spend(waiting.0, waiting.1, -1, &mut more_ns);
        let history = &self.run.history;
        let of = &history.of[place.timeline];
        let call_of = |wait: &usize| history.waits[*wait].place.call;
        let is_before = |wait: &usize, since: Synchronised| {
            call_of(wait) < since.call || call_of(wait) == since.call && !since.was_waited_for
        };
        let first = since.map_or(0, |since| of.partition_point(|wait| is_before(wait, since)));
        let end = of.partition_point(|wait| call_of(wait) < place.call);
        let waits: Vec<usize> = of.get(first..end).unwrap_or_default().to_vec();
        let delays: Vec<(usize, State, i64)> = more_ns
            .into_iter()
            .filter(|(_, time_ns)| *time_ns > 0)
            .map(|((code, state), time_ns)| (code, state, time_ns))
            .collect();
        let waited_ns: f64 = waits.iter().map(|wait| history.waits[*wait].waiting_ns as f64).sum();
        let delayed_ns: f64 = delays.iter().map(|(_, _, time_ns)| *time_ns as f64).sum();
        Division { delays, waits, sum_ns: waited_ns + delayed_ns }
    }

    /// Adds what a processor does in an interval, without its waits, until it enters the call.
    fn spend(
        &self,
        place: CallPlace,
        since: Option<Synchronised>,
        sign: i64,
        sums: &mut BTreeMap<(usize, State), i64>,
    ) {
        let timeline = &self.run.timelines[place.timeline];
        let activities = &self.activities[place.timeline];
        let first = match since {
            // Waits are left out below, so the time of both begins when the last one had come.
            Some(since) => activities[since.call],
            None => {
                let start_ns = timeline.start_ns - self.run.first_ns;
                *sums.entry((self.run.start_code, State::Computing)).or_default() += sign * start_ns;
                0
            }
        };
        for activity in timeline.activities.get(first..activities[place.call]).unwrap_or_default() {
            let (code, state, time_ns) = match *activity {
                Activity::Computing { code, time_ns } => (code, State::Computing, time_ns),
                Activity::Call(number) => {
                    let call = &timeline.calls[number];
                    let waited_ns =
                        self.run.history.waited_in(CallPlace { timeline: place.timeline, call: number });
                    (call.code, State::Communicating, call.leave_ns - call.enter_ns - waited_ns)
                }
            };
            *sums.entry((code, state)).or_default() += sign * time_ns;
        }
    }
}

/// The lower one first.
fn pair(one: CallPlace, other: CallPlace) -> (usize, usize) {
    (one.timeline.min(other.timeline), one.timeline.max(other.timeline))
}

/// Of each timeline, by group, the calls that ended when all of the group had come.
fn common(graph: &Graph, timelines: usize) -> Vec<BTreeMap<usize, Vec<usize>>> {
    let mut found = vec![BTreeMap::<usize, Vec<usize>>::new(); timelines];
    for release in &graph.releases {
        let Some(group) = release.group else { continue };
        for (place, _) in &release.waiting {
            found[place.timeline].entry(group).or_default().push(place.call);
        }
    }
    found
}
