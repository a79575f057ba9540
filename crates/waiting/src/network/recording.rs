use call_trace::{CallSite, CollectiveOperation, EventKind, ProcessorEvents};

use super::clocks::correct;
use super::collective::{HiddenAlgorithm, Operations};
use super::course::{Course, Stuck, follow, recorded_course};
use super::error::NetworkError;
use super::fitted::{eager_bytes, fitted};
use super::inside::{with_inner_waits, with_told_waits};
use super::links::Links;
use super::retimed::RetimedTimelines;
use super::{FittedNetwork, MessageNetwork};
use crate::graph::Graph;
use crate::matching::{Rendezvous, match_carried};
use crate::prepared::{NoWaits, PreparedRun};
use crate::replay::{ChangedTimes, Durations, StepChange};
use crate::step::Code;
use crate::timeline::{ProcessorTimeline, is_of_library};
use crate::waits::Waits;

/// What a recording does not show of its collective operations, and how long a run may take on another network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkDoubt {
    /// Operations, each of so many processors.
    pub operations: Vec<(CollectiveOperation, u32)>,
    /// With the algorithm of each of them that is the quickest one.
    pub least_ns: i64,
    /// With the slowest one.
    pub most_ns: i64,
}

/// The events of a run, to be replayed as if messages went through another network.
pub struct NetworkRecording<'a> {
    prepared: PreparedRun<'a>,
    start_code: usize,
    /// As if no message waited for its receiver but those that are sent so.
    graph: Graph,
}

impl<'a> NetworkRecording<'a> {
    /// Of what the processors of one run recorded, in any order.
    ///
    /// # Errors
    /// As those of [`Waits::of_events`].
    pub fn of_events(recorded: &'a [ProcessorEvents]) -> Result<NetworkRecording<'a>, NoWaits> {
        let mut prepared = PreparedRun::of(recorded, is_of_library)?;
        let start_code = prepared.names.codes.number(&Code::Start);
        let graph = match_carried(&prepared, Rendezvous::Above(f64::INFINITY));
        if prepared.clock_uncertainty_ns > 0 {
            correct(&mut prepared.timelines, &graph);
        }
        Ok(NetworkRecording { prepared, start_code, graph })
    }

    /// Latency and bandwidth of the network that the run had, from how long messages take that processors wait for.
    ///
    /// # Errors
    /// Where there are none, or all are alike.
    pub fn fitted(&self) -> Result<FittedNetwork, NetworkError> {
        fitted(&self.prepared, &self.graph)
    }

    /// The size above which messages waited for their receivers on that network, as far as the recording shows any that did; below 0 if all did.
    pub fn eager_bytes(&self, on: &MessageNetwork) -> Option<f64> {
        eager_bytes(&self.prepared.timelines, &self.graph, on)
    }

    /// How many accesses to the memory of other processors there are, whose data no replay carries.
    pub fn remote_accesses(&self) -> usize {
        let events = self.prepared.recorded.iter().flat_map(|its| its.events.iter());
        events.filter(|event| matches!(event.kind, EventKind::RemoteAccess { .. })).count()
    }

    /// The run as it would be, had it not been recorded `on` that network but on another one, with steps changed; codes are those of
    /// [`Waits::codes`]. Messages of more bytes than `eager_bytes` wait for their receivers; without it, more than [`NetworkRecording::eager_bytes`] that
    /// had not gone before their receivers asked for them.
    ///
    /// What calls took beyond what the network explains they take again, in collective operations longer by the ratio of what these take on
    /// both networks. On the same network, nothing changed, the run is the recorded one.
    ///
    /// # Errors
    /// If processors would wait for each other for ever.
    pub fn replay(
        &self,
        on: &MessageNetwork,
        then: &MessageNetwork,
        eager_bytes: Option<f64>,
        change: &StepChange,
    ) -> Result<Waits, NetworkError> {
        self.replayed([on, then], eager_bytes, change, HiddenAlgorithm::Likely)
    }

    /// How long the run would take at least and at most, by the algorithms that libraries have for collective operations that do not show in the
    /// recording: processors came to all of them one after the other, or nobody stayed in them. `None` if there are no such operations.
    ///
    /// # Errors
    /// As those of [`NetworkRecording::replay`].
    pub fn doubt(
        &self,
        on: &MessageNetwork,
        then: &MessageNetwork,
        eager_bytes: Option<f64>,
        change: &StepChange,
    ) -> Result<Option<NetworkDoubt>, NetworkError> {
        let operations = Operations::of(&self.prepared.timelines, &self.graph, on, HiddenAlgorithm::Likely);
        let operations = operations.hidden();
        if operations.is_empty() {
            return Ok(None);
        }
        let run_time_ns = |hidden| {
            let waits = self.replayed([on, then], eager_bytes, change, hidden)?;
            Ok(waits.efficiency.run_time_ns)
        };
        let times_ns = [run_time_ns(HiddenAlgorithm::Quickest)?, run_time_ns(HiddenAlgorithm::Slowest)?];
        let [least_ns, most_ns] = [times_ns[0].min(times_ns[1]), times_ns[0].max(times_ns[1])];
        Ok(Some(NetworkDoubt { operations, least_ns, most_ns }))
    }

    fn replayed(
        &self,
        [on, then]: [&MessageNetwork; 2],
        eager_bytes: Option<f64>,
        change: &StepChange,
        hidden: HiddenAlgorithm,
    ) -> Result<Waits, NetworkError> {
        let recorded_bytes = self.eager_bytes(on);
        let recorded_graph = match recorded_bytes {
            Some(bytes) => match_carried(&self.prepared, Rendezvous::RecordedAbove(bytes)),
            None => self.graph.clone(),
        };
        let recorded = &self.prepared.timelines;
        let operations = Operations::of(recorded, &recorded_graph, on, hidden);
        let inner_waits = operations.inner_waits(recorded, &recorded_graph, on);
        let own_graph = with_inner_waits(&recorded_graph, &inner_waits);
        let own_ns = recorded_course(recorded, &mut Links::new(on, &own_graph, &operations), usize::MAX);
        let mut own_ns = own_ns.map_err(|_| NetworkError::Contradicts)?;
        operations.rescale(&mut own_ns, &own_graph, [on, then]);
        drop(own_graph);
        let graph = match eager_bytes {
            Some(bytes) if eager_bytes != recorded_bytes => {
                match_carried(&self.prepared, Rendezvous::Above(bytes))
            }
            _ => recorded_graph,
        };
        let changed = ChangedTimes::new(recorded, change);
        let mut replayed =
            ReplayedCourse { recorded, changed, own_ns, replayed: RetimedTimelines::new(recorded) };
        let codes = &self.prepared.names.codes.things;
        let then_graph = with_inner_waits(&graph, &inner_waits);
        follow(recorded, &mut Links::new(then, &then_graph, &operations), &mut replayed, usize::MAX)
            .map_err(|Stuck(waiting)| {
                let in_call = |(timeline, call): (usize, usize)| {
                    let site = match &codes[recorded[timeline].calls.at(call).code as usize] {
                        Code::Region(site) => site.clone(),
                        _ => CallSite::default(),
                    };
                    (recorded[timeline].processor, site)
                };
                NetworkError::Stuck(waiting.into_iter().map(in_call).collect())
            })?;
        drop(then_graph);
        // What is waited for inside of operations is told as it is of what was recorded.
        let graph = with_told_waits(&graph).into_owned();
        Ok(Waits::of_timelines(replayed.replayed.finish(), graph, codes.clone(), self.start_code, Vec::new()))
    }
}

/// As it would be.
struct ReplayedCourse<'a> {
    recorded: &'a [ProcessorTimeline],
    changed: ChangedTimes<'a>,
    own_ns: Vec<Vec<i64>>,
    replayed: RetimedTimelines<'a>,
}

impl ReplayedCourse<'_> {
    fn computed(&mut self, timeline: usize, call: usize, from_ns: i64) -> i64 {
        let stretches = self.recorded[timeline].calls.stretches_before(call);
        self.changed.put(timeline, stretches.clone(), &mut self.replayed.calls[timeline]);
        from_ns.saturating_add(self.changed.computing(timeline, stretches))
    }
}

impl Course for ReplayedCourse<'_> {
    fn enter(&mut self, timeline: usize, call: usize, from_ns: i64) -> i64 {
        let enter_ns = self.computed(timeline, call, from_ns);
        self.replayed.enter(timeline, call, enter_ns);
        enter_ns
    }

    fn leave(&mut self, timeline: usize, call: usize, come_ns: i64) -> i64 {
        let code = self.recorded[timeline].calls.at(call).code;
        let own_ns = self.changed.own(code as usize, self.own_ns[timeline][call]);
        self.replayed.leave(timeline, |enter_ns| enter_ns.max(come_ns).saturating_add(own_ns).max(enter_ns))
    }

    fn end(&mut self, timeline: usize, from_ns: i64) {
        let calls = self.recorded[timeline].calls.len();
        self.replayed.ends_ns[timeline] = self.computed(timeline, calls, from_ns);
    }
}
