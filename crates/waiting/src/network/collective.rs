use std::collections::BTreeMap;

use call_fit::{FitSamples, median, non_negative_least_squares};
use call_trace::CollectiveOperation;
use hashbrown::HashMap;

use super::MessageNetwork;
use super::inside::RelayedWait;
use crate::calls::Call;
use crate::graph::{Graph, Need, Payload, SizedOperation};
use crate::inside::{EnterAndLeaveTimes, Taken};
use crate::kind::WaitKind;
use crate::timeline::ProcessorTimeline;

/// An algorithm of a collective operation: what it takes from when the last processor comes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Way {
    latencies: f64,
    /// That go through one link.
    bytes: f64,
}

impl Way {
    fn time_ns(&self, network: &MessageNetwork) -> f64 {
        1e9 * (self.latencies * network.latency_s + self.bytes / network.bandwidth_bytes_per_s)
    }
}

/// What libraries have (R. Thakur, R. Rabenseifner, W. Gropp, *Optimization of collective communication operations in MPICH*, 2005; J. Pješivac-Grbović et
/// al., *Performance analysis of MPI collective operations*, 2005). `bytes` are what one processor sends to all others, or receives from them,
/// at most.
fn ways(operation: CollectiveOperation, processors: u32, bytes: u64) -> Vec<Way> {
    use CollectiveOperation::*;
    let others = f64::from(processors.saturating_sub(1).max(1));
    let rounds = f64::from(processors).log2().ceil();
    let part = others / f64::from(processors.max(1));
    let all = bytes as f64;
    let one = all / others;
    let ways: &[(f64, f64)] = match operation {
        // Programs start and end, and things are made, as long as the computer takes for it.
        Initialise | Finalise | Make => &[],
        Barrier | Fence => &[(rounds, 0.0), (2.0 * rounds, 0.0), (2.0, 0.0), (others, 0.0)],
        // A tree; scattered and gathered; one after the other; a chain of parts.
        Broadcast | Reduce => {
            &[(rounds, rounds * one), (rounds + others, 2.0 * part * one), (1.0, all), (others, one)]
        }
        // Doubling; halving and doubling; a ring; reduced and broadcast.
        Allreduce => &[
            (rounds, rounds * one),
            (2.0 * rounds, 2.0 * part * one),
            (2.0 * others, 2.0 * part * one),
            (2.0 * rounds, 2.0 * rounds * one),
        ],
        Scatter | Gather => &[(rounds, all), (1.0, all)],
        Allgather | ReduceScatter => &[(rounds, all), (others, all), (1.0, all)],
        Alltoall => &[(rounds, rounds * all / 2.0), (others, all), (1.0, all)],
        Scan | Exscan => &[(rounds, rounds * one), (others, all), (1.0, one)],
    };
    ways.iter().map(|(latencies, bytes)| Way { latencies: *latencies, bytes: *bytes }).collect()
}

/// What collective operations of a run consist of.
#[derive(Debug, Default)]
pub(super) struct Operations {
    ways: HashMap<SizedOperation, Way>,
    /// Those that no run of them shows.
    hidden: Vec<(CollectiveOperation, u32)>,
}

/// Which algorithm an operation has that shows in none of its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HiddenAlgorithm {
    /// The quickest one that does not contradict what is known.
    Likely,
    Quickest,
    Slowest,
}

/// What an operation of one size took, in nanoseconds.
#[derive(Debug, Default)]
struct OperationTimes {
    taken_ns: Vec<f64>,
    /// Where others came meanwhile, so that no more than the least time is known.
    least_ns: Vec<f64>,
}

/// A call that takes so much more than its operation does waited for somebody.
const EXPLAINED: f64 = 1.5;

/// An operation takes no less than this share of what was seen of it.
const SURE_SHARE: f64 = 0.9;

/// What an operation takes is known if others came in no more than this share of it.
const MEANWHILE: f64 = 0.1;

impl Operations {
    /// From what they took, from when the last processor came that was waited for to when the last one left: latencies and bytes by least squares of
    /// relative errors over the sizes that an operation was done with. Of a single size they are those of the algorithm that is nearest, and of what
    /// nobody stayed for those of the quickest one. Where others came meanwhile whom a library may have waited for, too, only what it took behind the last
    /// of them is sure: a bound from below, which the algorithm of a size that is hidden otherwise keeps.
    pub(super) fn of(
        timelines: &[ProcessorTimeline],
        graph: &Graph,
        on: &MessageNetwork,
        hidden: HiddenAlgorithm,
    ) -> Operations {
        let mut seen: HashMap<(CollectiveOperation, u32), BTreeMap<u64, OperationTimes>> = HashMap::new();
        let taken = taken_by_release(timelines, graph);
        for (payload, taken_ns) in graph.carried.iter().flat_map(|its| &its.payloads).zip(&taken) {
            if let Payload::Together { operation, processors, bytes, is_blocking } = payload
                && !ways(*operation, *processors, *bytes).is_empty()
            {
                let of_size = seen.entry((*operation, *processors)).or_default().entry(*bytes).or_default();
                if *is_blocking && !is_inside(*operation) {
                    of_size.taken_ns.extend(taken_ns.map(|its_ns| its_ns as f64));
                }
            }
        }
        for its in graph.carried.iter().flat_map(|its| &its.operations).filter(|its| its.is_blocking) {
            let Some(Taken { most_ns, least_ns, spread_ns }) = EnterAndLeaveTimes::of(its, timelines).taken()
            else {
                continue;
            };
            let processors = its.parts.len() as u32;
            let slowest = ways(its.operation, processors, its.bytes)
                .iter()
                .map(|way| way.time_ns(on))
                .fold(0.0, f64::max);
            let [most_ns, least_ns] = [most_ns, least_ns].map(|its_ns| its_ns as f64);
            let of_size = seen.entry((its.operation, processors)).or_default().entry(its.bytes).or_default();
            let is_together = spread_ns as f64 <= most_ns;
            match is_together && (least_ns >= (1.0 - MEANWHILE) * most_ns || most_ns <= slowest) {
                true => of_size.taken_ns.push(most_ns),
                false => of_size.least_ns.push(least_ns),
            }
        }
        let mut operations = Operations::default();
        for ((operation, processors), sizes) in seen {
            if sizes.values().all(|seen| seen.taken_ns.is_empty()) {
                operations.hidden.push((operation, processors));
            }
            for (bytes, way) in ways_taken((operation, processors), sizes, on, hidden) {
                operations.ways.insert((operation, processors, bytes), way);
            }
        }
        operations.hidden.sort_by_key(|(operation, processors)| (*operation as u8, *processors));
        operations
    }

    /// Operations of so many processors that none of their runs shows: processors came one after the other, or nobody stayed.
    pub(super) fn hidden(self) -> Vec<(CollectiveOperation, u32)> {
        self.hidden
    }

    /// Who waited inside of operations for whom. Unlike [`InnerWaits`](crate::inside::InnerWaits), which has the recording alone, this
    /// knows what operations take on the network.
    pub(super) fn inner_waits(
        &self,
        timelines: &[ProcessorTimeline],
        graph: &Graph,
        on: &MessageNetwork,
    ) -> Vec<RelayedWait> {
        let mut waits = Vec::new();
        for its in graph.carried.iter().flat_map(|its| &its.operations).filter(|its| its.is_blocking) {
            let Some(way) = self.ways.get(&its.sized()) else { continue };
            let way_ns = way.time_ns(on);
            // Of a network that is not known nothing is.
            if way_ns <= 0.0 {
                continue;
            }
            let times = EnterAndLeaveTimes::of(its, timelines);
            for (rank, (_, completed)) in its.parts.iter().enumerate() {
                let (Some(waiting), Some(leave_ns)) = (*completed, times.leave_ns(rank)) else { continue };
                if (leave_ns - times.needed_ns(rank)) as f64 <= EXPLAINED * way_ns {
                    continue;
                }
                let Some(causer) = times.last_until(rank, leave_ns - on.latency_ns().max(1)) else {
                    continue;
                };
                let share = (leave_ns - times.enter_ns(causer)) as f64 / way_ns;
                let [latencies, bytes] = [way.latencies * share, way.bytes * share].map(|its| its as f32);
                waits.push(RelayedWait { causer: its.parts[causer].0, waiting, latencies, bytes });
            }
        }
        waits
    }

    /// How long something is under way from one to others or from others to one, or that nobody stays for; nothing of what calls last for.
    pub(super) fn way_ns(&self, payload: Payload, network: &MessageNetwork) -> i64 {
        use CollectiveOperation::*;
        match payload {
            Payload::Inside { latencies, bytes } => {
                let way = Way { latencies: f64::from(latencies), bytes: f64::from(bytes) };
                way.time_ns(network).round() as i64
            }
            Payload::Together { operation, is_blocking: true, .. }
                if !matches!(operation, Broadcast | Scatter | Reduce | Gather) =>
            {
                0
            }
            _ => self.of_payload(payload).map_or(0, |way| way.time_ns(network).round() as i64),
        }
    }

    fn of_payload(&self, payload: Payload) -> Option<&Way> {
        match payload {
            Payload::Together { operation, processors, bytes, .. } => {
                self.ways.get(&(operation, processors, bytes))
            }
            Payload::Message { .. } | Payload::Inside { .. } => None,
        }
    }

    /// Makes calls that last as long as an operation longer, by the ratio of what it takes on both networks.
    pub(super) fn rescale(&self, own_ns: &mut [Vec<i64>], graph: &Graph, [on, then]: [&MessageNetwork; 2]) {
        for (timeline, own_ns) in own_ns.iter_mut().enumerate() {
            let gives = graph.gives[timeline].iter().map(|give| (give.call, give.release));
            let mut calls: Vec<(u32, u32)> = gives.collect();
            // The last one of a scan lets nobody go on.
            let of_scan = |need: &&Need| need.kind == WaitKind::Scan;
            calls.extend(graph.needs[timeline].iter().filter(of_scan).map(|need| (need.call, need.release)));
            calls.sort_unstable();
            calls.dedup_by_key(|(call, _)| *call);
            for (call, release) in calls {
                let Some(payload @ Payload::Together { is_blocking: true, .. }) = graph.payload(release)
                else {
                    continue;
                };
                if let Some(way) = self.of_payload(payload).filter(|way| way.time_ns(on) > 0.0) {
                    let its_ns = &mut own_ns[call as usize];
                    *its_ns = (*its_ns as f64 * way.time_ns(then) / way.time_ns(on)).round() as i64;
                }
            }
        }
    }
}

/// By release, from when the last call was entered that it waited for to when the last one that had waited was left.
fn taken_by_release(timelines: &[ProcessorTimeline], graph: &Graph) -> Vec<Option<i64>> {
    let mut left_ns = vec![i64::MIN; graph.releases.len()];
    for (timeline, gives) in timelines.iter().zip(&graph.gives) {
        for give in gives {
            let its_ns = &mut left_ns[give.release as usize];
            *its_ns = timeline.calls.at(give.call as usize).enter_ns.max(*its_ns);
        }
    }
    let mut taken_ns = vec![None; graph.releases.len()];
    for (timeline, needs) in timelines.iter().zip(&graph.needs) {
        for need in needs {
            let Call { enter_ns, leave_ns, .. } = timeline.calls.at(need.call as usize);
            let its_ns = left_ns[need.release as usize];
            if enter_ns <= its_ns {
                let taken_ns = &mut taken_ns[need.release as usize];
                *taken_ns = (*taken_ns).max(Some(leave_ns - its_ns));
            }
        }
    }
    taken_ns
}

/// Whether some need others and not all need all.
fn is_inside(operation: CollectiveOperation) -> bool {
    use CollectiveOperation::*;
    matches!(operation, Broadcast | Scatter | Reduce | Gather | Scan | Exscan)
}

/// For each size what it consists of.
fn ways_taken(
    (operation, processors): (CollectiveOperation, u32),
    sizes: BTreeMap<u64, OperationTimes>,
    on: &MessageNetwork,
    hidden: HiddenAlgorithm,
) -> Vec<(u64, Way)> {
    let median_of = |(bytes, mut seen): (u64, OperationTimes)| {
        let median_ns = (!seen.taken_ns.is_empty()).then(|| median(&mut seen.taken_ns));
        (bytes, median_ns, seen.least_ns.into_iter().fold(0.0, f64::max))
    };
    let medians_ns: Vec<(u64, Option<f64>, f64)> = sizes.into_iter().map(median_of).collect();
    let known: Vec<(u64, f64)> = medians_ns
        .iter()
        .filter_map(|(bytes, median_ns, _)| Some((*bytes, median_ns.filter(|its_ns| *its_ns > 0.0)?)))
        .collect();
    let fitted = fitted_way(&known, on);
    let way = |(bytes, median_ns, least_ns): &(u64, Option<f64>, f64)| {
        let own = fitted.map(|(latencies, each)| Way { latencies, bytes: each * *bytes as f64 });
        let off = |way: &Way| match median_ns {
            Some(median_ns) => (way.time_ns(on) / median_ns).ln().abs(),
            None => match hidden {
                HiddenAlgorithm::Likely if way.time_ns(on) < SURE_SHARE * least_ns => f64::INFINITY,
                HiddenAlgorithm::Likely | HiddenAlgorithm::Quickest => way.time_ns(on),
                HiddenAlgorithm::Slowest => -way.time_ns(on),
            },
        };
        let ways = ways(operation, processors, *bytes).into_iter();
        let nearest = ways.min_by(|left, right| off(left).total_cmp(&off(right)));
        own.or(nearest).map(|way| (*bytes, way))
    };
    medians_ns.iter().filter_map(way).collect()
}

/// Latencies, and how often each byte goes through a link.
fn fitted_way(medians_ns: &[(u64, f64)], on: &MessageNetwork) -> Option<(f64, f64)> {
    if medians_ns.len() < 2 {
        return None;
    }
    let bytes: Vec<f64> =
        medians_ns.iter().map(|(bytes, _)| 1e9 * *bytes as f64 / on.bandwidth_bytes_per_s).collect();
    let latency = vec![1e9 * on.latency_s; medians_ns.len()];
    let observed: Vec<f64> = medians_ns.iter().map(|(_, median_ns)| *median_ns).collect();
    let weights: Vec<f64> = observed.iter().map(|its_ns| its_ns.powi(-2)).collect();
    let samples = FitSamples { basis: vec![&latency, &bytes], observed: &observed, weights: &weights };
    let fit = non_negative_least_squares(&samples).ok()?;
    match fit.coefficients[..] {
        [latencies, each] if latencies.is_finite() && each.is_finite() => Some((latencies, each)),
        _ => None,
    }
}
