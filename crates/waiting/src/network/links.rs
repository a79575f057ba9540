use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use hashbrown::HashMap;

use super::MessageNetwork;
use super::collective::Operations;
use crate::graph::{Graph, Need, Payload, Release};

/// What is under way between processors. From one to another messages go one after the other. In each direction a link is shared alike by those on it, and each is as quick as the slower one of its
/// two links lets it; what has gone through is there after the latency. Whoever asks has to go on in the order of time.
pub(super) struct Links<'a> {
    network: &'a MessageNetwork,
    graph: &'a Graph,
    operations: &'a Operations,
    flights: Vec<Flight>,
    /// From a sender to a receiver, messages in their order with their bytes: the first one is on the links.
    behind: HashMap<[usize; 2], VecDeque<(u32, f64)>>,
    /// Messages on the links, by release.
    flows: HashMap<u32, Flow>,
    /// Of each timeline, the releases on its link outwards, and inwards.
    out: Vec<Vec<u32>>,
    into: Vec<Vec<u32>>,
    /// When messages are through, if nothing comes between; those with another version have changed since.
    through: BinaryHeap<Reverse<(i64, u32, u32)>>,
    /// By timeline, how many of its parts in releases it has given.
    given: Vec<usize>,
}

/// What goes with a release.
#[derive(Debug, Clone, Copy)]
struct Flight {
    /// So many calls have to be entered before it leaves.
    missing: u32,
    come_ns: Option<i64>,
}

/// What never comes is not waited for.
const NEVER: i64 = i64::MIN;

#[derive(Debug)]
struct Flow {
    sender: usize,
    receiver: usize,
    /// At this time so much was left, and went on so quickly.
    at_ns: i64,
    left_bytes: f64,
    bytes_per_ns: f64,
    version: u32,
}

impl<'a> Links<'a> {
    pub(super) fn new(
        network: &'a MessageNetwork,
        graph: &'a Graph,
        operations: &'a Operations,
    ) -> Links<'a> {
        let timelines = graph.gives.len();
        let mut left: Vec<u32> = graph.releases.iter().map(|release| release.by).collect();
        for give in graph.gives.iter().flatten() {
            left[give.release as usize] = left[give.release as usize].saturating_sub(1);
        }
        // What never leaves, as who should send it was not recorded, is not waited for.
        let flight = |(release, left): (Release, &u32)| Flight {
            missing: release.by,
            come_ns: (*left > 0).then_some(NEVER),
        };
        Links {
            network,
            graph,
            operations,
            flights: graph.releases.iter().zip(&left).map(flight).collect(),
            behind: HashMap::new(),
            flows: HashMap::new(),
            out: vec![Vec::new(); timelines],
            into: vec![Vec::new(); timelines],
            through: BinaryHeap::new(),
            given: vec![0; timelines],
        }
    }

    /// A call is entered; `come` gets the releases that this was the last one for, if no link is between.
    pub(super) fn enter(&mut self, timeline: usize, call: usize, at_ns: i64, mut come: impl FnMut(u32)) {
        let graph = self.graph;
        let gives = graph.gives[timeline][self.given[timeline]..].iter();
        for give in gives.take_while(|give| give.call as usize == call) {
            self.given[timeline] += 1;
            let flight = &mut self.flights[give.release as usize];
            flight.missing = flight.missing.saturating_sub(1);
            if flight.missing > 0 || flight.come_ns.is_some() {
                continue;
            }
            let come_ns = match self.graph.payload(give.release) {
                Some(Payload::Message { sender, receiver, .. }) if sender == receiver => at_ns,
                Some(Payload::Message { sender, receiver, bytes }) if bytes > 0.0 => {
                    self.carry(give.release, at_ns, [sender as usize, receiver as usize], f64::from(bytes));
                    continue;
                }
                Some(Payload::Message { .. }) => at_ns.saturating_add(self.network.latency_ns()),
                Some(payload) => at_ns.saturating_add(self.operations.way_ns(payload, self.network)),
                None => at_ns,
            };
            self.flights[give.release as usize].come_ns = Some(come_ns);
            come(give.release);
        }
    }

    fn carry(&mut self, release: u32, at_ns: i64, [sender, receiver]: [usize; 2], left_bytes: f64) {
        let behind = self.behind.entry([sender, receiver]).or_default();
        behind.push_back((release, left_bytes));
        if behind.len() == 1 {
            self.start(release, at_ns, [sender, receiver], left_bytes);
        }
    }

    fn start(&mut self, release: u32, at_ns: i64, [sender, receiver]: [usize; 2], left_bytes: f64) {
        let flow = Flow { sender, receiver, at_ns, left_bytes, bytes_per_ns: 0.0, version: 0 };
        self.flows.insert(release, flow);
        self.out[sender].push(release);
        self.into[receiver].push(release);
        self.share(sender, receiver, at_ns);
    }

    /// What is on these links goes on with another share from now on.
    fn share(&mut self, sender: usize, receiver: usize, at_ns: i64) {
        let Links { flows, out, into, through, .. } = self;
        let link_bytes_per_ns = 1e-9 * self.network.bandwidth_bytes_per_s;
        for release in out[sender].iter().chain(&into[receiver]) {
            let Some(flow) = flows.get_mut(release) else { continue };
            let shared = out[flow.sender].len().max(into[flow.receiver].len());
            let bytes_per_ns = link_bytes_per_ns / shared as f64;
            if bytes_per_ns == flow.bytes_per_ns {
                continue;
            }
            flow.left_bytes -= flow.bytes_per_ns * (at_ns - flow.at_ns) as f64;
            (flow.at_ns, flow.bytes_per_ns) = (at_ns, bytes_per_ns);
            flow.version += 1;
            let left_ns = (flow.left_bytes / bytes_per_ns).max(0.0).round() as i64;
            through.push(Reverse((at_ns.saturating_add(left_ns), *release, flow.version)));
        }
    }

    /// When the next message is through.
    pub(super) fn next_ns(&mut self) -> Option<i64> {
        loop {
            let Reverse((at_ns, release, version)) = *self.through.peek()?;
            if self.flows.get(&release).is_some_and(|flow| flow.version == version) {
                return Some(at_ns);
            }
            self.through.pop();
        }
    }

    /// That message is through.
    pub(super) fn next(&mut self) -> Option<u32> {
        let at_ns = self.next_ns()?;
        let Reverse((_, release, _)) = self.through.pop()?;
        let Flow { sender, receiver, .. } = self.flows.remove(&release)?;
        self.out[sender].retain(|other| *other != release);
        self.into[receiver].retain(|other| *other != release);
        self.share(sender, receiver, at_ns);
        self.flights[release as usize].come_ns = Some(at_ns.saturating_add(self.network.latency_ns()));
        let behind = self.behind.entry([sender, receiver]).or_default();
        behind.pop_front();
        match behind.front().copied() {
            Some((next, bytes)) => self.start(next, at_ns, [sender, receiver], bytes),
            None => _ = self.behind.remove(&[sender, receiver]),
        }
        Some(release)
    }

    /// What the calls of a timeline need.
    pub(super) fn needs(&self, timeline: usize) -> &'a [Need] {
        &self.graph.needs[timeline]
    }

    /// By release, when it has come, if it has.
    pub(super) fn all_come_ns(&self) -> Vec<Option<i64>> {
        self.flights.iter().map(|flight| flight.come_ns).collect()
    }

    /// When all that a call needs has come, or a release that is missing still.
    pub(super) fn come_ns(&self, needs: &[Need]) -> Result<i64, u32> {
        let mut latest_ns = NEVER;
        for need in needs {
            let mut looked = Some(need.release);
            while let Some(release) = looked {
                latest_ns = latest_ns.max(self.flights[release as usize].come_ns.ok_or(release)?);
                looked = self.graph.after.get(&release).copied();
            }
        }
        Ok(latest_ns)
    }
}
