//! Programs with planted times: what each processor does, one after another, and what it would have recorded.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;

use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, Event, EventKind, Message,
    ProcessorEvents, SourcePosition,
};
use call_waiting::State;

/// Who does what in which state, by name.
pub type Key = (u32, String, State);
pub type Paths = BTreeMap<Key, i64>;

/// A wait, as a reference that copies whole paths knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceWait {
    pub site: String,
    /// Of the site, if each call has one of its own.
    pub line: Option<u32>,
    pub processor: u32,
    pub waiting_ns: i64,
    pub cause: Paths,
}

/// Operations are planted in an order in which none needs a later one.
pub struct Planted {
    pub recorded: Vec<ProcessorEvents>,
    pub now_ns: Vec<i64>,
    pub paths: Vec<Paths>,
    pub waits: Vec<ReferenceWait>,
    groups: Vec<Vec<u32>>,
    requests: u64,
    /// The line of the last call, if each has one of its own, and of each processor's.
    last_line: Option<u32>,
    lines: Vec<Option<u32>>,
}

impl Planted {
    /// Communicator 0 is of all; others of some.
    pub fn new(processors: u32, groups: &[&[u32]]) -> Planted {
        let mut all: Vec<Vec<u32>> = vec![(0..processors).collect()];
        all.extend(groups.iter().map(|group| group.to_vec()));
        let communicators: Vec<Communicator> = all
            .iter()
            .enumerate()
            .map(|(number, group)| Communicator {
                name: CommunicatorName { maker: 0, number: number as u32 },
                processors: group.clone(),
            })
            .collect();
        let recorded = (0..processors).map(|processor| ProcessorEvents {
            processor,
            has_common_clock: true,
            communicators: communicators.clone(),
            ..ProcessorEvents::default()
        });
        let recorded: Vec<ProcessorEvents> = recorded.collect();
        Planted {
            recorded,
            now_ns: vec![0; processors as usize],
            paths: vec![Paths::new(); processors as usize],
            waits: Vec::new(),
            groups: all,
            requests: 0,
            last_line: None,
            lines: vec![None; processors as usize],
        }
    }

    /// Each call stands in a line of its own, so that it is a site.
    pub fn with_lines(self) -> Planted {
        Planted { last_line: Some(0), ..self }
    }

    fn event(&mut self, processor: u32, at_ns: i64, kind: EventKind) {
        self.recorded[processor as usize].events.push(Event { at_ns: at_ns as u64, kind });
    }

    fn index<Thing: PartialEq>(list: &mut Vec<Thing>, thing: Thing) -> u32 {
        let at = list.iter().position(|one| *one == thing);
        at.unwrap_or_else(|| {
            list.push(thing);
            list.len() - 1
        }) as u32
    }

    fn add(&mut self, processor: u32, key: Key, time_ns: i64) {
        if time_ns != 0 {
            *self.paths[processor as usize].entry(key).or_default() += time_ns;
        }
    }

    /// Inside of an experiment, which is opened and closed around it.
    pub fn work(&mut self, processor: u32, experiment: &str, time_ns: i64) {
        let number = Self::index(&mut self.recorded[processor as usize].experiments, experiment.to_owned());
        let begin_ns = self.now_ns[processor as usize];
        self.event(processor, begin_ns, EventKind::ExperimentBegin { experiment: number });
        self.event(processor, begin_ns + time_ns, EventKind::ExperimentEnd { experiment: number });
        self.now_ns[processor as usize] += time_ns;
        self.add(processor, (processor, experiment.to_owned(), State::Computing), time_ns);
    }

    fn enter(&mut self, processor: u32, call: &str) -> i64 {
        self.last_line = self.last_line.map(|line| line + 1);
        self.lines[processor as usize] = self.last_line;
        let position = self.last_line.map(|line| SourcePosition { file: "planted.c".to_owned(), line });
        let site = CallSite { call: call.to_owned(), position, ..CallSite::default() };
        let region = Self::index(&mut self.recorded[processor as usize].regions, site);
        let at_ns = self.now_ns[processor as usize];
        self.event(processor, at_ns, EventKind::Enter { region });
        at_ns
    }

    /// The call ends, having needed what `latest` (who, when, with which path) did last.
    fn leave(&mut self, processor: u32, call: &str, leave_ns: i64, latest: Option<(i64, Paths)>) {
        let enter_ns = self.now_ns[processor as usize];
        match latest.filter(|(at_ns, _)| *at_ns > enter_ns) {
            None => {
                self.add(processor, (processor, call.to_owned(), State::Communicating), leave_ns - enter_ns)
            }
            Some((at_ns, mut path)) => {
                let mut cause = path.clone();
                for (key, time_ns) in &self.paths[processor as usize] {
                    *cause.entry(key.clone()).or_default() -= time_ns;
                }
                cause.retain(|_, time_ns| *time_ns != 0);
                let waiting_ns = at_ns - enter_ns;
                assert_eq!(cause.values().sum::<i64>(), waiting_ns);
                if leave_ns != at_ns {
                    *path.entry((processor, call.to_owned(), State::Communicating)).or_default() +=
                        leave_ns - at_ns;
                }
                let line = self.lines[processor as usize];
                self.waits.push(ReferenceWait { site: call.to_owned(), line, processor, waiting_ns, cause });
                self.paths[processor as usize] = path;
            }
        }
        self.event(processor, leave_ns, EventKind::Leave);
        self.now_ns[processor as usize] = leave_ns;
    }

    fn message(partner: u32, tag: i32) -> Message {
        Message { partner, communicator: 0, tag, bytes: 8 }
    }

    /// A send that returns at once, and a receive.
    pub fn eager(&mut self, from: u32, to: u32, transfer_ns: i64) {
        let sent_ns = self.enter(from, "MPI_Send");
        let path = self.paths[from as usize].clone();
        self.event(from, sent_ns, EventKind::Send { message: Self::message(to, 3), is_synchronous: false });
        self.leave(from, "MPI_Send", sent_ns, None);
        let enter_ns = self.enter(to, "MPI_Recv");
        let leave_ns = enter_ns.max(sent_ns) + transfer_ns;
        self.event(to, leave_ns, EventKind::Receive { message: Self::message(from, 3) });
        self.leave(to, "MPI_Recv", leave_ns, Some((sent_ns, path)));
    }

    /// Probed, then received; if the probe takes the message, another one of the same tag is received in between, sent `work` later.
    pub fn probed(&mut self, from: u32, to: u32, takes: bool, work_ns: i64, transfer_ns: i64) {
        let [probe, receive] = if takes { ["MPI_Mprobe", "MPI_Mrecv"] } else { ["MPI_Probe", "MPI_Recv"] };
        let sent_ns = self.enter(from, "MPI_Send");
        let path = self.paths[from as usize].clone();
        self.event(from, sent_ns, EventKind::Send { message: Self::message(to, 3), is_synchronous: false });
        self.leave(from, "MPI_Send", sent_ns, None);
        let enter_ns = self.enter(to, probe);
        let leave_ns = enter_ns.max(sent_ns) + transfer_ns;
        self.event(to, leave_ns, EventKind::Probed { message: Self::message(from, 3) });
        self.leave(to, probe, leave_ns, Some((sent_ns, path)));
        if takes {
            self.work(from, "between", work_ns);
            self.eager(from, to, transfer_ns);
        }
        let leave_ns = self.enter(to, receive) + transfer_ns;
        self.event(to, leave_ns, EventKind::Receive { message: Self::message(from, 3) });
        self.leave(to, receive, leave_ns, None);
    }

    /// A send that is cancelled, or given up by its program and goes all the same; then it is received, nobody waiting.
    pub fn given_up(&mut self, from: u32, to: u32, is_cancelled: bool) {
        self.requests += 1;
        let request = self.requests;
        let sent_ns = self.enter(from, "MPI_Isend");
        let message = Self::message(to, 3);
        self.event(from, sent_ns, EventKind::SendRequest { message, request, is_synchronous: false });
        self.leave(from, "MPI_Isend", sent_ns, None);
        let path = self.paths[from as usize].clone();
        let call = if is_cancelled { "MPI_Wait" } else { "MPI_Request_free" };
        self.enter(from, call);
        self.event(from, sent_ns, EventKind::Cancelled { request });
        self.leave(from, call, sent_ns, None);
        if !is_cancelled {
            let leave_ns = self.enter(to, "MPI_Recv").max(sent_ns);
            self.event(to, leave_ns, EventKind::Receive { message: Self::message(from, 3) });
            self.leave(to, "MPI_Recv", leave_ns, Some((sent_ns, path)));
        }
    }

    /// Both go on together.
    pub fn synchronous(&mut self, from: u32, to: u32, transfer_ns: i64) {
        let sent_ns = self.enter(from, "MPI_Ssend");
        self.event(from, sent_ns, EventKind::Send { message: Self::message(to, 4), is_synchronous: true });
        let asked_ns = self.enter(to, "MPI_Recv");
        let leave_ns = sent_ns.max(asked_ns) + transfer_ns;
        self.event(to, leave_ns, EventKind::Receive { message: Self::message(from, 4) });
        let [sender, receiver] = [from, to].map(|processor| self.paths[processor as usize].clone());
        self.leave(from, "MPI_Ssend", leave_ns, Some((asked_ns, receiver)));
        self.leave(to, "MPI_Recv", leave_ns, Some((sent_ns, sender)));
    }

    /// Asked for before `work`, waited for behind it.
    pub fn exchange(&mut self, from: u32, to: u32, work: &str, work_ns: i64, transfer_ns: i64) {
        self.requests += 2;
        let [send, receive] = [self.requests, self.requests + 1];
        let asked_ns = self.enter(to, "MPI_Irecv");
        self.event(to, asked_ns, EventKind::ReceiveRequest { request: receive });
        self.leave(to, "MPI_Irecv", asked_ns, None);
        let sent_ns = self.enter(from, "MPI_Isend");
        let path = self.paths[from as usize].clone();
        let message = Self::message(to, 5);
        self.event(from, sent_ns, EventKind::SendRequest { message, request: send, is_synchronous: false });
        self.leave(from, "MPI_Isend", sent_ns, None);
        self.work(to, work, work_ns);
        let enter_ns = self.enter(to, "MPI_Wait");
        let leave_ns = enter_ns.max(sent_ns) + transfer_ns;
        self.event(
            to,
            leave_ns,
            EventKind::ReceiveComplete { message: Self::message(from, 5), request: receive },
        );
        self.leave(to, "MPI_Wait", leave_ns, Some((sent_ns, path)));
        let gone_ns = self.enter(from, "MPI_Wait");
        self.event(from, gone_ns, EventKind::SendComplete { request: send });
        self.leave(from, "MPI_Wait", gone_ns, None);
    }

    /// Each sends to the next one and receives from the one before, in one call. It ends with what comes: one that lasted longer might
    /// wait for the receiver of what it sends, too.
    pub fn shift(&mut self) {
        let call = "MPI_Sendrecv";
        let count = self.recorded.len() as u32;
        let entered: Vec<(i64, Paths)> = (0..count)
            .map(|processor| (self.enter(processor, call), self.paths[processor as usize].clone()))
            .collect();
        for processor in 0..count {
            let [next, before] = [(processor + 1) % count, (processor + count - 1) % count];
            let (enter_ns, sent) = (entered[processor as usize].0, entered[before as usize].clone());
            let message = Self::message(next, 6);
            self.event(processor, enter_ns, EventKind::Send { message, is_synchronous: false });
            let leave_ns = enter_ns.max(sent.0);
            self.event(processor, leave_ns, EventKind::Receive { message: Self::message(before, 6) });
            self.leave(processor, call, leave_ns, Some(sent));
        }
    }

    /// Each goes on once those have come whose data it gets: of them it has a bit for each processor.
    pub fn oblivious(&mut self, needs: &[u8], transfer_ns: i64) {
        let call = "MPI_Oblivious";
        let is_needed = |by: u32, other: u32| by != other && needs[by as usize] >> other & 1 == 1;
        let count = self.recorded.len() as u32;
        let entered: Vec<(i64, Paths)> = (0..count)
            .map(|processor| (self.enter(processor, call), self.paths[processor as usize].clone()))
            .collect();
        for processor in 0..count {
            let enter_ns = entered[processor as usize].0;
            for reader in (0..count).filter(|reader| is_needed(*reader, processor)) {
                let message = Self::message(reader, 7);
                self.event(processor, enter_ns, EventKind::Send { message, is_synchronous: false });
            }
            // What others get is gone then: whoever waits, waits in a further call.
            self.leave(processor, call, enter_ns, None);
            self.enter(processor, call);
            let needed = || (0..count).filter(|other| is_needed(processor, *other));
            let latest = needed().max_by_key(|other| (entered[*other as usize].0, std::cmp::Reverse(*other)));
            let latest = latest.map(|other| entered[other as usize].clone());
            let leave_ns = latest.as_ref().map_or(0, |latest| latest.0).max(enter_ns) + transfer_ns;
            for partner in needed() {
                self.event(processor, leave_ns, EventKind::Receive { message: Self::message(partner, 7) });
            }
            self.leave(processor, call, leave_ns, latest);
        }
    }

    /// On the communicator of that number; the root is a processor of it.
    pub fn collective(
        &mut self,
        operation: CollectiveOperation,
        communicator: u32,
        root: u32,
        transfer_ns: i64,
    ) {
        use CollectiveOperation::*;
        let call = format!("MPI_{operation:?}");
        let group = self.groups[communicator as usize].clone();
        let entered: Vec<(i64, Paths)> = group
            .iter()
            .map(|processor| (self.enter(*processor, &call), self.paths[*processor as usize].clone()))
            .collect();
        let has_root = matches!(operation, Broadcast | Scatter | Reduce | Gather);
        for (rank, processor) in group.iter().enumerate() {
            let is_needed = |other: usize| match operation {
                Broadcast | Scatter => group[other] == root && *processor != root,
                Reduce | Gather => *processor == root && group[other] != root,
                Scan | Exscan => other < rank,
                _ => true,
            };
            // Of those that come at the same time the one with the smallest number.
            let needed = (0..group.len()).filter(|other| is_needed(*other));
            let latest = needed.max_by_key(|other| (entered[*other].0, std::cmp::Reverse(group[*other])));
            let latest = latest.map(|other| entered[other].clone());
            let leave_ns = latest.as_ref().map_or(0, |latest| latest.0).max(entered[rank].0) + transfer_ns;
            let collective = Collective {
                operation,
                communicator,
                root: has_root.then_some(root),
                sent_bytes: 8,
                received_bytes: 8,
            };
            self.event(*processor, leave_ns, EventKind::Collective { collective });
            let comes_with_the_last = latest.as_ref().filter(|latest| latest.0 == entered[rank].0);
            if let Some((_, path)) = comes_with_the_last
                && !has_root
                && !matches!(operation, Scan | Exscan)
            {
                // All have been together.
                self.paths[*processor as usize] = path.clone();
            }
            self.leave(*processor, &call, leave_ns, latest);
        }
    }
}
