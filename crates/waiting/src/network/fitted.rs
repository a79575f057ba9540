use std::collections::{BTreeMap, BTreeSet, HashMap};

use call_fit::{FitSamples, Loss, non_negative_least_squares, robust_least_squares};

use super::MessageNetwork;
use super::collective::Operations;
use super::course::recorded_course;
use super::error::NetworkError;
use super::links::Links;
use crate::calls::Call;
use crate::graph::{CallPlace, CarriedMessage, Graph};
use crate::matching::{Rendezvous, match_carried, may_wait};
use crate::prepared::PreparedRun;
use crate::timeline::ProcessorTimeline;

/// What a recording itself shows of its network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedNetwork {
    /// Latency and bandwidth.
    pub network: MessageNetwork,
    /// How many calls that waited for messages tell it.
    pub waits: usize,
    /// By how much they take another time than the network says, as a share of that: the median.
    pub relative_error: f64,
}

/// So often a network is found anew, with what its messages wait for; it is found when it changes by so little.
const MOST_ROUNDS: usize = 12;
const TOLERANCE: f64 = 1e-5;
/// So often with other messages that wait for their receivers.
const MOST_LIMITS: usize = 4;

/// What calls take that wait for messages, by robust least squares of relative errors, and which messages wait for their receivers on such a network.
/// `graph` is that in which none does.
pub(super) fn fitted(run: &PreparedRun, graph: &Graph) -> Result<FittedNetwork, NetworkError> {
    let mut eager = f64::INFINITY;
    let mut found = fitted_above(run, graph, eager)?;
    for _ in 0..MOST_LIMITS {
        let then = eager_bytes(&run.timelines, graph, &found.network).unwrap_or(f64::INFINITY);
        if then == eager {
            break;
        }
        // With another limit nothing may tell it any more.
        let graph = match_carried(run, Rendezvous::RecordedAbove(then));
        let Ok(next) = fitted_above(run, &graph, then) else { break };
        (eager, found) = (then, next);
    }
    Ok(found)
}

/// Latency, and the bytes that go through the links from when a message leaves. Calls that wait for one message only tell it best; others count
/// where there are too few of these.
fn fitted_above(run: &PreparedRun, graph: &Graph, eager_bytes: f64) -> Result<FittedNetwork, NetworkError> {
    let waited = Waited::of(&run.timelines, graph, eager_bytes)?;
    let last = |call: &WaitingCall| waited.last(call);
    let mut bytes: Vec<f64> = waited.calls.iter().map(last).map(|its| f64::from(its.bytes)).collect();
    let mut taken_s: Vec<f64> = waited.calls.iter().map(|call| waited.taken_s(call, last(call))).collect();
    let mut found: Option<(MessageNetwork, f64)> = None;
    for _ in 0..MOST_ROUNDS {
        let (network, relative_error) = line(&bytes, &taken_s, found.map(|(network, _)| network))?;
        let is_same = found.is_some_and(|(before, _)| is_near(&before, &network));
        found = Some((network, relative_error));
        if is_same {
            break;
        }
        let come_ns = come_ns(&run.timelines, graph, &network)?;
        let has_come =
            |call: &&WaitingCall| waited.of_call(call).all(|its| come_ns[its.release as usize].is_some());
        let latest = |call: &WaitingCall| {
            let latest = waited.of_call(call).max_by_key(|its| come_ns[its.release as usize]);
            latest.unwrap_or_else(|| waited.last(call))
        };
        let carried = |its: &CarriedMessage| {
            let way_ns =
                come_ns[its.release as usize].unwrap_or(i64::MIN).saturating_sub(waited.left_ns(its));
            let link_s = 1e-9 * way_ns as f64 - network.latency_s;
            (link_s * network.bandwidth_bytes_per_s).max(f64::from(its.bytes))
        };
        let calls = || waited.calls.iter().filter(has_come);
        taken_s = calls().map(|call| waited.taken_s(call, latest(call))).collect();
        bytes = calls().map(latest).map(carried).collect();
    }
    let (network, relative_error) = found.ok_or(NetworkError::NoMessages)?;
    Ok(FittedNetwork { network, waits: waited.calls.len(), relative_error })
}

fn is_near(one: &MessageNetwork, other: &MessageNetwork) -> bool {
    let near = |left: f64, right: f64| (left - right).abs() <= TOLERANCE * left.abs().max(right.abs());
    near(one.latency_s, other.latency_s) && near(one.bandwidth_bytes_per_s, other.bandwidth_bytes_per_s)
}

/// So many calls of a run tell what its network is.
const MOST_CALLS: usize = 50_000;

/// When what belongs to each release has come, with times as recorded; of the first calls.
fn come_ns(
    timelines: &[ProcessorTimeline],
    graph: &Graph,
    network: &MessageNetwork,
) -> Result<Vec<Option<i64>>, NetworkError> {
    let operations = Operations::default();
    let mut links = Links::new(network, graph, &operations);
    recorded_course(timelines, &mut links, MOST_CALLS).map_err(|_| NetworkError::Contradicts)?;
    Ok(links.all_come_ns())
}

/// Seconds as latency and bytes; and the median of relative errors. Errors count in proportion to what was found before.
fn line(
    bytes: &[f64],
    taken_s: &[f64],
    before: Option<MessageNetwork>,
) -> Result<(MessageNetwork, f64), NetworkError> {
    let weight = |(bytes, taken_s): (&f64, &f64)| {
        before.map_or(*taken_s, |its| its.latency_s + bytes / its.bandwidth_bytes_per_s).powi(-2)
    };
    let weights: Vec<f64> = bytes.iter().zip(taken_s).map(weight).collect();
    let ones = vec![1.0; bytes.len()];
    let samples = FitSamples { basis: vec![bytes, &ones], observed: taken_s, weights: &weights };
    let robust = robust_least_squares(&samples, Loss::Huber, None).map(|its| its.fit);
    let is_possible = |fit: &call_fit::Fit| fit.coefficients.iter().all(|its| *its >= 0.0);
    let fit = robust.ok().filter(is_possible).map_or_else(|| non_negative_least_squares(&samples), Ok);
    let fit = fit.map_err(|_| NetworkError::NotGrowing)?;
    let [per_byte_s, latency_s] = fit.coefficients[..] else { return Err(NetworkError::NotGrowing) };
    // Less than that no link takes.
    if per_byte_s < 1e-18 {
        return Err(NetworkError::NotGrowing);
    }
    let network = MessageNetwork { latency_s, bandwidth_bytes_per_s: 1.0 / per_byte_s };
    let mut errors: Vec<f64> = bytes
        .iter()
        .zip(taken_s)
        .map(|(bytes, taken_s)| (latency_s + per_byte_s * bytes) / taken_s)
        .map(|ratio| (1.0 / ratio - 1.0).abs())
        .collect();
    Ok((network, call_fit::median(&mut errors)))
}

/// Calls that waited for messages from when they were entered.
struct Waited<'a> {
    timelines: &'a [ProcessorTimeline],
    messages: &'a [CarriedMessage],
    eager_bytes: f64,
    calls: Vec<WaitingCall>,
}

struct WaitingCall {
    place: CallPlace,
    /// Indices of its messages: those that come in it, and those that go in it and wait for their receivers.
    messages: Vec<u32>,
}

impl<'a> Waited<'a> {
    fn of(
        timelines: &'a [ProcessorTimeline],
        graph: &'a Graph,
        eager_bytes: f64,
    ) -> Result<Waited<'a>, NetworkError> {
        let messages = messages_of(graph);
        let mut waited = Waited { timelines, messages, eager_bytes, calls: Vec::new() };
        let mut by_call: BTreeMap<CallPlace, Vec<u32>> = BTreeMap::new();
        for (number, its) in messages.iter().enumerate().filter(|(_, its)| !its.is_own()) {
            by_call.entry(its.come).or_default().push(number as u32);
            if let Some(gone) = its.gone.filter(|_| waited.is_rendezvous(its)) {
                by_call.entry(gone).or_default().push(number as u32);
            }
        }
        let mut calls: Vec<WaitingCall> =
            by_call.into_iter().map(|(place, messages)| WaitingCall { place, messages }).collect();
        calls.retain(|call| {
            let Call { enter_ns, leave_ns, .. } = waited.call(call.place);
            (enter_ns..leave_ns).contains(&waited.left_ns(waited.last(call)))
        });
        let is_alone = |call: &WaitingCall| call.messages.len() == 1;
        if waited.sizes(calls.iter().filter(|call| is_alone(call))).len() > 1 {
            calls.retain(is_alone);
        }
        let sizes = waited.sizes(calls.iter());
        match sizes.iter().next() {
            None => return Err(NetworkError::NoMessages),
            Some(bits) if sizes.len() == 1 => {
                return Err(NetworkError::OneSize { bytes: f64::from(f32::from_bits(*bits)) });
            }
            Some(_) => waited.calls = calls,
        }
        Ok(waited)
    }

    fn sizes<'b>(&self, calls: impl Iterator<Item = &'b WaitingCall>) -> BTreeSet<u32> {
        calls.map(|call| self.last(call).bytes.to_bits()).collect()
    }

    fn call(&self, place: CallPlace) -> Call {
        self.timelines[place.timeline()].calls.at(place.call())
    }

    fn is_rendezvous(&self, message: &CarriedMessage) -> bool {
        let may_wait = |gone| may_wait(self.timelines, gone, message.asked);
        message.is_synchronous
            || f64::from(message.bytes) > self.eager_bytes && message.gone.is_some_and(may_wait)
    }

    fn left_ns(&self, message: &CarriedMessage) -> i64 {
        let sent_ns = self.call(message.sent).enter_ns;
        if self.is_rendezvous(message) { sent_ns.max(self.call(message.asked).enter_ns) } else { sent_ns }
    }

    fn of_call<'b>(&'b self, call: &'b WaitingCall) -> impl Iterator<Item = &'a CarriedMessage> + 'b {
        call.messages.iter().map(|number| &self.messages[*number as usize])
    }

    /// The one that left last; a call has at least one.
    fn last(&self, call: &WaitingCall) -> &'a CarriedMessage {
        let last = self.of_call(call).max_by_key(|its| self.left_ns(its));
        last.unwrap_or(&self.messages[call.messages[0] as usize])
    }

    /// How long a call lasts, from when this message of it leaves.
    fn taken_s(&self, call: &WaitingCall, message: &CarriedMessage) -> f64 {
        1e-9 * (self.call(call.place).leave_ns - self.left_ns(message)) as f64
    }
}

fn messages_of(graph: &Graph) -> &[CarriedMessage] {
    graph.carried.as_ref().map_or(&[], |carried| &carried.messages)
}

/// A message takes at least this share of what its network says, whatever the noise.
const SURE_SHARE: f64 = 0.9;

/// The size above which messages wait for their receivers: the one that least messages contradict. They do by going before they can have come, or by being
/// waited for until they have. `None` if no message is waited for so.
pub(super) fn eager_bytes(
    timelines: &[ProcessorTimeline],
    graph: &Graph,
    network: &MessageNetwork,
) -> Option<f64> {
    let of = |place: CallPlace| timelines[place.timeline()].calls.at(place.call());
    let messages = || messages_of(graph).iter().filter(|its| !its.is_own());
    // A call that waits for what comes later lasts so long anyway.
    let mut later_ns: HashMap<CallPlace, i64> = HashMap::new();
    for its in messages() {
        let later_ns = later_ns.entry(its.come).or_insert(i64::MIN);
        *later_ns = of(its.sent).enter_ns.max(*later_ns);
    }
    // By size how many go before they have come, and how many stay so long.
    let mut by_size: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for its in messages().filter(|its| !its.is_synchronous) {
        let Some((place, gone)) = its.gone.map(|place| (place, of(place))) else { continue };
        let begin_ns = of(its.sent).enter_ns.max(of(its.asked).enter_ns);
        // It took no longer than until its receiver had it.
        let way_ns = network.latency_ns() + network.link_ns(f64::from(its.bytes));
        let way_ns = way_ns.min(of(its.come).leave_ns - begin_ns);
        let sure_ns = begin_ns + (SURE_SHARE * way_ns as f64) as i64;
        // Sizes are not negative, so their bits have their order.
        let (goes, stays) = by_size.entry(its.bytes.to_bits()).or_default();
        if gone.leave_ns < sure_ns {
            *goes += 1;
        } else if gone.enter_ns < sure_ns && later_ns.get(&place).is_none_or(|later_ns| *later_ns <= begin_ns)
        {
            *stays += 1;
        }
    }
    let all_going: u64 = by_size.values().map(|(goes, _)| goes).sum();
    // Below all sizes, those that go contradict; with each size its own change sides.
    let mut wrong = all_going as i64;
    let mut best = (wrong, -1.0);
    for (bits, (goes, stays)) in &by_size {
        wrong += *stays as i64 - *goes as i64;
        if wrong <= best.0 {
            best = (wrong, f64::from(f32::from_bits(*bits)));
        }
    }
    let is_any_above =
        by_size.iter().any(|(bits, (_, stays))| f64::from(f32::from_bits(*bits)) > best.1 && *stays > 0);
    is_any_above.then_some(best.1)
}
