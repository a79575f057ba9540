use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::calls::Stretches;
use crate::graph::{CallPlace, Graph, Need};
use crate::history::{AnalysedRun, KeptWait, WaitOfCall};
use crate::step::State;

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
#[derive(Debug)]
struct DividedWait<'a> {
    /// Step, and by how much it is longer, in the order of codes.
    delays: &'a [(usize, State, i64)],
    /// Waits of the one that was waited for.
    waits: &'a [WaitOfCall],
    sum_ns: f64,
}

/// Of so many codes, at the sites of these.
pub(crate) fn delays(run: &AnalysedRun, codes: usize, site_codes: &[usize]) -> Delays {
    let intervals = intervals(run);
    let mut divider = Divider::new(run, codes);
    let waits = &run.history.waits;
    let site_of: HashMap<usize, usize> =
        site_codes.iter().enumerate().map(|(site, code)| (*code, site)).collect();
    let mut sites = vec![WaitStates::default(); site_codes.len()];
    let mut costs: HashMap<(usize, usize, State), (f64, f64)> = HashMap::new();
    // What each wait costs others: all that it leads to comes later.
    let mut handed_on = vec![0.0; waits.len()];
    for (number, (wait, since)) in waits.iter().zip(&intervals).enumerate().rev() {
        let waiting_ns = wait.waiting_ns as f64;
        let caused_ns: f64 = handed_on[number];
        let code = run.timelines[wait.place.timeline()].calls.at(wait.place.call()).code as usize;
        let Some(site) = site_of.get(&code).map(|site| &mut sites[*site]) else { continue };
        let division = divider.division(wait, *since);
        if caused_ns > 0.0 {
            site.propagating_ns += waiting_ns;
        }
        if division.sum_ns <= 0.0 {
            site.unexplained_ns += waiting_ns + caused_ns;
            continue;
        }
        let share = |time_ns: i64| time_ns as f64 / division.sum_ns;
        for (code, state, time_ns) in division.delays {
            let cost = costs.entry((wait.causer.timeline(), *code, *state)).or_default();
            cost.0 += share(*time_ns) * waiting_ns;
            cost.1 += share(*time_ns) * caused_ns;
            site.direct_ns += share(*time_ns) * waiting_ns;
        }
        for earlier in division.waits.iter().map(|earlier| earlier.wait as usize) {
            let part = share(waits[earlier].waiting_ns);
            handed_on[earlier] += part * (waiting_ns + caused_ns);
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
    let step = |cost: &DelayCost| (cost.processor, cost.code, cost.state);
    costs.sort_unstable_by(|left, right| {
        size(right).total_cmp(&size(left)).then_with(|| step(left).cmp(&step(right)))
    });
    Delays { costs, sites }
}

/// Where an interval begins: in the last call of a processor in which it synchronised with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Synchronised {
    call: u32,
    /// It was waited for, so the interval begins with the call and has its wait; else it begins behind the wait.
    was_waited_for: bool,
}

/// Where both synchronised last: the waiting processor and the one that it waits for.
type Since = Option<(Synchronised, Synchronised)>;

/// Where each wait's interval begins.
fn intervals(run: &AnalysedRun) -> Vec<Since> {
    let common = common(&run.graph);
    // By two processors, the lower one first, their calls of the last wait of one for the other.
    let mut last: HashMap<(u32, u32), (Synchronised, Synchronised)> = HashMap::new();
    let interval = |wait: &KeptWait| {
        let (waiting, causing) = (wait.place, wait.causer);
        let since = synchronised(&common, &last, waiting, causing);
        let calls = (
            Synchronised { call: waiting.call, was_waited_for: false },
            Synchronised { call: causing.call, was_waited_for: true },
        );
        let is_lower = waiting.timeline < causing.timeline;
        last.insert(pair(waiting, causing), if is_lower { calls } else { (calls.1, calls.0) });
        since
    };
    run.history.waits.iter().map(interval).collect()
}

/// The calls in which both synchronised last, before these ones.
fn synchronised(
    common: &[BTreeMap<u32, Vec<u32>>],
    last: &HashMap<(u32, u32), (Synchronised, Synchronised)>,
    waiting: CallPlace,
    causing: CallPlace,
) -> Since {
    let is_lower = waiting.timeline < causing.timeline;
    let last = last.get(&pair(waiting, causing));
    let mut latest = last.map(|(lower, upper)| if is_lower { (*lower, *upper) } else { (*upper, *lower) });
    for (group, calls) in &common[waiting.timeline()] {
        let Some(others) = common[causing.timeline()].get(group) else { continue };
        let before = |calls: &[u32], call: u32| calls.partition_point(|its| *its < call);
        let count = before(calls, waiting.call).min(before(others, causing.call));
        let behind = |call| Synchronised { call, was_waited_for: false };
        let both = count.checked_sub(1).map(|number| (behind(calls[number]), behind(others[number])));
        latest = latest.max(both);
    }
    latest
}

struct Divider<'a> {
    run: &'a AnalysedRun,
    /// By code and state, while a wait is divided: what the one that was waited for did longer. All 0 between.
    more_ns: Vec<i64>,
    /// Those that were touched.
    met: FixedBitSet,
    /// Those that are longer, of the wait that was divided last.
    delays: Vec<(usize, State, i64)>,
}

impl<'a> Divider<'a> {
    fn new(run: &'a AnalysedRun, codes: usize) -> Divider<'a> {
        let (more_ns, met) = (vec![0; 2 * codes], FixedBitSet::with_capacity(2 * codes));
        Divider { run, more_ns, met, delays: Vec::new() }
    }

    fn division(&mut self, wait: &KeptWait, since: Since) -> DividedWait<'_> {
        let (waiting_since, causing_since) = since.unzip();
        self.spend(wait.causer, causing_since, 1);
        self.spend(wait.place, waiting_since, -1);
        let history = &self.run.history;
        let of = &history.of[wait.causer.timeline()];
        let is_before = |wait: &WaitOfCall, since: Synchronised| {
            wait.call < since.call || wait.call == since.call && !since.was_waited_for
        };
        let first = causing_since.map_or(0, |since| of.partition_point(|wait| is_before(wait, since)));
        let end = of.partition_point(|other| other.call < wait.causer.call);
        let waits = of.get(first..end).unwrap_or_default();
        let waited_ns: f64 =
            waits.iter().map(|wait| history.waits[wait.wait as usize].waiting_ns as f64).sum();
        self.find_delays();
        let delayed_ns: f64 = self.delays.iter().map(|(_, _, time_ns)| *time_ns as f64).sum();
        DividedWait { delays: &self.delays, waits, sum_ns: waited_ns + delayed_ns }
    }

    fn find_delays(&mut self) {
        self.delays.clear();
        for key in self.met.ones() {
            let time_ns = std::mem::take(&mut self.more_ns[key]);
            let state = if key % 2 == 0 { State::Computing } else { State::Communicating };
            if time_ns > 0 {
                self.delays.push((key / 2, state, time_ns));
            }
        }
        self.met.clear();
    }

    #[inline]
    fn add(&mut self, code: usize, state: State, time_ns: i64) {
        let key = 2 * code + state.bit();
        let sum_ns = &mut self.more_ns[key];
        if *sum_ns == 0 {
            self.met.insert(key);
        }
        *sum_ns += time_ns;
    }

    /// Adds what a processor does in an interval, without its waits, until it enters the call.
    fn spend(&mut self, place: CallPlace, since: Option<Synchronised>, sign: i64) {
        let run = self.run;
        let timeline = &run.timelines[place.timeline()];
        // Waits are left out below, so the time of both begins when the last one had come.
        let from = since.map(|since| since.call as usize);
        if from.is_none() {
            self.add(run.start_code, State::Computing, sign * (timeline.start_ns - run.first_ns));
        }
        let (first, until) = (from.unwrap_or(0), place.call());
        let mut waits = run.history.waits_from(CallPlace::new(place.timeline(), first));
        let mut walk = timeline.calls.walk_from(first);
        for number in first..until {
            let Some((before, Some(call))) = walk.next() else { return };
            if Some(number) != from {
                self.compute(before, sign);
            }
            let time_ns = call.leave_ns - call.enter_ns - waits.waited_in(number);
            self.add(call.code as usize, State::Communicating, sign * time_ns);
        }
        // Where clocks contradict each other, both may have synchronised last behind the call.
        if from.is_none_or(|from| from < until)
            && let Some((before, _)) = walk.next()
        {
            self.compute(before, sign);
        }
    }

    #[inline]
    fn compute(&mut self, stretches: Stretches, sign: i64) {
        stretches.for_each(|its| self.add(its.code as usize, State::Computing, sign * its.time_ns));
    }
}

/// The lower one first.
fn pair(one: CallPlace, other: CallPlace) -> (u32, u32) {
    (one.timeline.min(other.timeline), one.timeline.max(other.timeline))
}

/// Of each timeline, by group, the calls that ended when all of the group had come.
fn common(graph: &Graph) -> Vec<BTreeMap<u32, Vec<u32>>> {
    let of_timeline = |needs: &Vec<Need>| {
        let mut found = BTreeMap::<u32, Vec<u32>>::new();
        for need in needs {
            if let Some(group) = graph.group.get(&need.release) {
                found.entry(*group).or_default().push(need.call);
            }
        }
        found
    };
    graph.needs.iter().map(of_timeline).collect()
}
