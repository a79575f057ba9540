use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::graph::{CallPlace, Carried, CarriedMessage, Graph, Payload};
use crate::kind::WaitKind;
use crate::prepared::PreparedRun;
use crate::remark::{RecordingRemark, RemarkKind};
use crate::step::Code;
use crate::timeline::{Channel, Exchanged, ProcessorTimeline, Receive, Sent, SentMessage};
use crate::traffic::{Taker, Traffic};
use collectives::match_collectives;
use eager::SizesSeen;
use late::Late;
use progress::{MessageSort, Progress};

mod collectives;
mod eager;
mod late;
mod locks;
mod progress;

/// Which messages wait for their receivers, of those that are not sent synchronously.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rendezvous {
    /// Those that did, and of as many bytes.
    Recorded,
    /// Those of more bytes that may have waited: not those that had gone before their receivers asked for them.
    RecordedAbove(f64),
    /// All of more bytes.
    Above(f64),
}

/// Who needs whom, of all that the timelines have in common.
pub(crate) fn match_all(run: &PreparedRun, remarks: &mut Vec<RecordingRemark>) -> Graph {
    match_onto(Graph::new(run.timelines.len()), run, Rendezvous::Recorded, remarks)
}

/// The same with what networks carry. Messages that wait for their receivers leave when both are there.
pub(crate) fn match_carried(run: &PreparedRun, rendezvous: Rendezvous) -> Graph {
    let graph = Graph { carried: Some(Carried::default()), ..Graph::new(run.timelines.len()) };
    match_onto(graph, run, rendezvous, &mut Vec::new())
}

fn match_onto(
    mut graph: Graph,
    PreparedRun { recorded, timelines, exchanged, names, .. }: &PreparedRun,
    rendezvous: Rendezvous,
    remarks: &mut Vec<RecordingRemark>,
) -> Graph {
    let timeline_of: HashMap<u32, usize> =
        timelines.iter().enumerate().map(|(number, timeline)| (timeline.processor, number)).collect();
    let of_codes = |holds: fn(&Code) -> bool| names.codes.things.iter().map(holds).collect();
    let messages = Messages {
        timelines,
        accesses: of_codes(is_access),
        buffered: of_codes(is_buffered),
        sizes: SizesSeen::default(),
        late: Vec::new(),
        progress: Progress::default(),
        rendezvous,
        graph: &mut graph,
    };
    messages.match_all(exchanged, &names.channels.things, &timeline_of, remarks);
    match_collectives(recorded, timelines, exchanged, &timeline_of, &mut graph, remarks);
    graph.sort();
    graph
}

/// Whether this is a call in which processors access the memory of others, or synchronise that.
fn is_access(code: &Code) -> bool {
    const FAMILIES: [&str; 9] = [
        "MPI_Win_",
        "MPI_Put",
        "MPI_Get",
        "MPI_Accumulate",
        "MPI_Rput",
        "MPI_Rget",
        "MPI_Raccumulate",
        "MPI_Fetch_and_op",
        "MPI_Compare_and_swap",
    ];
    matches!(code, Code::Region(site) if FAMILIES.iter().any(|family| site.call.starts_with(family)))
}

/// Whether messages of this call are copied, and wait for nobody.
fn is_buffered(code: &Code) -> bool {
    matches!(code, Code::Region(site) if ["MPI_Bsend", "MPI_Ibsend"].iter().any(|call| site.call.starts_with(call)))
}

/// Whether a call in which a message was found to be gone lasted until its receiver had asked for it.
pub(crate) fn may_wait(timelines: &[ProcessorTimeline], sending: CallPlace, asking: CallPlace) -> bool {
    let of = |place: CallPlace| timelines[place.timeline()].calls.at(place.call());
    of(sending).leave_ns > of(asking).enter_ns
}

struct Messages<'a> {
    timelines: &'a [ProcessorTimeline],
    /// By code, whether it is a call that may wait for a post.
    accesses: Vec<bool>,
    /// By code, whether it is a call whose messages are copied.
    buffered: Vec<bool>,
    sizes: SizesSeen,
    late: Vec<Late>,
    progress: Progress,
    rendezvous: Rendezvous,
    graph: &'a mut Graph,
}

impl Messages<'_> {
    fn match_all(
        mut self,
        exchanged: &[Exchanged],
        channels: &[Channel],
        timeline_of: &HashMap<u32, usize>,
        remarks: &mut Vec<RecordingRemark>,
    ) {
        let traffic = Traffic::new(exchanged, channels.len());
        let mut unmatched: BTreeMap<(u32, u32, bool), usize> = BTreeMap::new();
        let mut order: Vec<usize> = (0..channels.len()).collect();
        order.sort_unstable_by_key(|channel| channels[*channel]);
        self.make_room(&traffic, channels, timeline_of);
        for channel in order {
            let Channel { from, to, .. } = channels[channel];
            let [sender, receiver] = [from, to].map(|processor| timeline_of.get(&processor).copied());
            let sends = traffic.sends(channel).len();
            let taken = receiver.map_or(0, |receiver| traffic.taken(channel, receiver).len());
            // Who was not recorded cannot have sent; that is one remark, not one for each message.
            if taken > sends {
                *unmatched.entry((to, from, true)).or_default() += taken - sends;
            } else if sends > taken && receiver.is_some() {
                *unmatched.entry((from, to, false)).or_default() += sends - taken;
            }
            if let (Some(sender), Some(receiver)) = (sender, receiver) {
                let sends = traffic.sends(channel);
                let sends = || sends.iter().map(|place| (sender, exchanged[sender].sends[*place as usize]));
                match channels[channel].what {
                    Sent::Message => self.match_channel(&traffic, channel, sends, receiver),
                    what => self.match_epochs(&traffic, channel, what, sends, receiver),
                }
            }
        }
        drop(traffic);
        self.push_late();
        self.push_open();
        self.match_locks(exchanged);
        remarks.extend(unmatched.into_iter().map(|((processor, partner, is_receive), messages)| {
            RecordingRemark {
                processor,
                kind: match is_receive {
                    true => RemarkKind::NeverSent { sender: partner, messages },
                    false => RemarkKind::NeverReceived { receiver: partner, messages },
                },
            }
        }));
    }

    /// For all messages that are received, exactly: there may be many.
    fn make_room(&mut self, traffic: &Traffic, channels: &[Channel], timeline_of: &HashMap<u32, usize>) {
        let mut counts = vec![(0, 0); self.timelines.len()];
        let mut messages = 0;
        for (channel, Channel { from, to, .. }) in channels.iter().enumerate() {
            if let (Some(sender), Some(receiver)) = (timeline_of.get(from), timeline_of.get(to)) {
                let count = traffic.sends(channel).len().min(traffic.taken(channel, *receiver).len());
                counts[*sender].0 += count;
                counts[*receiver].1 += count;
                messages += count;
            }
        }
        self.graph.releases.reserve(messages);
        for (timeline, (gives, needs)) in counts.into_iter().enumerate() {
            self.graph.gives[timeline].reserve_exact(gives);
            self.graph.needs[timeline].reserve_exact(needs);
        }
    }

    fn match_channel<Sends: ExactSizeIterator<Item = (usize, SentMessage)>>(
        &mut self,
        traffic: &Traffic,
        channel: usize,
        sends: impl Fn() -> Sends,
        receiver: usize,
    ) {
        for (sent, taken) in sends().zip(traffic.taken(channel, receiver)) {
            match taken {
                Taker::Receive(receive) => self.match_message(sent, (receiver, receive)),
                Taker::Probe(probe) => {
                    self.probed(sent, CallPlace { timeline: receiver as u32, call: probe.call })
                }
            }
        }
        for (number, probe) in traffic.seen(channel) {
            if let Some(sent) = sends().nth(*number) {
                self.probed(sent, CallPlace { timeline: receiver as u32, call: probe.call });
            }
        }
        // What a probe took is there when it is received, but its sender may have waited for that.
        let probed = traffic.taken(channel, receiver).zip(sends());
        let probed = probed.filter(|(taken, _)| matches!(taken, Taker::Probe(_)));
        for ((_, sent), received) in probed.zip(traffic.taken_before(channel)) {
            self.match_message(sent, (receiver, received));
        }
    }

    /// A post, or the end of an access, lets the other processor go on.
    fn match_epochs<Sends: ExactSizeIterator<Item = (usize, SentMessage)>>(
        &mut self,
        traffic: &Traffic,
        channel: usize,
        what: Sent,
        sends: impl Fn() -> Sends,
        receiver: usize,
    ) {
        for ((sender, send), taken) in sends().zip(traffic.taken(channel, receiver)) {
            let Taker::Receive(Receive { call, completed_in, .. }) = taken else { continue };
            let Some(last) = completed_in.get() else { continue };
            let by = CallPlace { timeline: sender as u32, call: send.call.number() };
            let (call, kind) = match what {
                Sent::Post => {
                    (self.access(receiver, call.number(), last, self.entered_ns(by)), WaitKind::LatePost)
                }
                _ => (last, WaitKind::EarlyWait),
            };
            self.release(by, (CallPlace { timeline: receiver as u32, call }, kind), 0.0);
        }
    }

    /// One processor lets another one go on, by something of so many bytes.
    fn release(&mut self, by: CallPlace, waiting: (CallPlace, WaitKind), bytes: f32) -> u32 {
        self.graph.carry(Payload::Message { sender: by.timeline, receiver: waiting.0.timeline, bytes });
        self.graph.release([by], [waiting])
    }

    /// MPI may wait for a post in `MPI_Win_start`, in an access or in `MPI_Win_complete`: it was the first of them that lasted until then.
    fn access(&self, timeline: usize, first: u32, last: u32, posted_ns: i64) -> u32 {
        let calls = &self.timelines[timeline].calls;
        let over = calls.first_in(first as usize..last as usize + 1, |call| call.leave_ns >= posted_ns);
        let waits = (over as u32..=last).find(|call| self.accesses[calls.at(*call as usize).code as usize]);
        waits.unwrap_or(last)
    }

    fn late_sender(&mut self, (sender, send): (usize, SentMessage), waiting: CallPlace, bytes: f32) -> u32 {
        let by = CallPlace { timeline: sender as u32, call: send.call.number() };
        self.release(by, (waiting, WaitKind::LateSender), bytes)
    }

    /// A probe knows of a message before its data are there.
    fn probed(&mut self, sent: (usize, SentMessage), waiting: CallPlace) {
        self.late_sender(sent, waiting, 0.0);
    }

    fn match_message(
        &mut self,
        (sender, send): (usize, SentMessage),
        (receiver, receive): (usize, &Receive),
    ) {
        let of_receiver = |call| CallPlace { timeline: receiver as u32, call };
        let release = receive.completed_in.get().map(|call| {
            let release = self.late_sender((sender, send), of_receiver(call), send.bytes);
            if let Some(carried) = &mut self.graph.carried {
                let of_sender = |call| CallPlace { timeline: sender as u32, call };
                carried.messages.push(CarriedMessage {
                    release,
                    bytes: send.bytes,
                    sent: of_sender(send.call.number()),
                    asked: of_receiver(receive.call.number()),
                    gone: send.completed_in.get().map(of_sender),
                    come: of_receiver(call),
                    is_synchronous: send.is_synchronous(),
                });
            }
            release
        });
        let Some(call) = send.completed_in.get() else { return };
        let late = Late {
            sending: CallPlace { timeline: sender as u32, call },
            asking: of_receiver(receive.call.number()),
            bytes: send.bytes,
        };
        if let (Rendezvous::Recorded, Some(come)) = (self.rendezvous, receive.completed_in.get()) {
            self.add_progress((sender, send), late, of_receiver(come));
        }
        // A message that was taken over by the library lets its sender go on.
        match self.rendezvous {
            _ if send.is_synchronous() => self.late_receiver(late, release),
            Rendezvous::Above(bytes) | Rendezvous::RecordedAbove(bytes) if f64::from(send.bytes) <= bytes => {
            }
            Rendezvous::Above(_) => self.late_receiver(late, release),
            Rendezvous::RecordedAbove(_) => {
                if may_wait(self.timelines, late.sending, late.asking) {
                    self.late_receiver(late, release);
                }
            }
            Rendezvous::Recorded => self.recorded((sender, send), late),
        }
    }

    /// As its calls show it.
    fn recorded(&mut self, (sender, send): (usize, SentMessage), late: Late) {
        let calls = &self.timelines[sender].calls;
        let call = calls.at(late.sending.call());
        let asked_ns = self.entered_ns(late.asking);
        if call.enter_ns < asked_ns && asked_ns < call.leave_ns {
            self.late.push(late);
        } else if late.asking.timeline() == sender
            || self.buffered[calls.at(send.call.number() as usize).code as usize]
        {
            // Its size tells nothing.
        } else if call.leave_ns <= asked_ns {
            self.sizes.goes(&late);
        } else {
            self.sizes.shows_nothing(late);
        }
    }

    /// Either side may have waited for the other one to call the library again.
    fn add_progress(&mut self, (sender, send): (usize, SentMessage), late: Late, come: CallPlace) {
        let Late { sending, asking, .. } = late;
        let sent = CallPlace { timeline: sender as u32, call: send.call.number() };
        let sides = [
            (WaitKind::LateReceiver, sending, [asking, come]),
            (WaitKind::LateSender, come, [sent, sending]),
        ];
        for (kind, waiting, other) in sides {
            if let Some(message) = MessageSort::of(send.bytes, send.is_synchronous(), kind) {
                self.progress.add(self.timelines, message, waiting, other);
            }
        }
    }

    /// Where it matters when the data leave, both processors wait for both, which is the receiver's `release` then.
    fn late_receiver(&mut self, Late { sending, asking, .. }: Late, release: Option<u32>) {
        let waiting = (sending, WaitKind::LateReceiver);
        match release.filter(|_| self.graph.carried.is_some()) {
            Some(release) => self.graph.join(release, asking, waiting),
            None => _ = self.release(asking, waiting, 0.0),
        }
    }

    fn entered_ns(&self, place: CallPlace) -> i64 {
        self.timelines[place.timeline()].calls.at(place.call()).enter_ns
    }
}
