//! From the events of a processor to its timeline.

use std::collections::BTreeSet;

use call_trace::{
    CallSite, Collective, CommunicatorName, EpochStep, EventKind, Message, ProcessorEvents, WindowEpoch,
};
use hashbrown::HashMap;

use super::polling::{Polls, completes};
use super::{
    Channel, CodesAndChannels, CollectiveCall, Hold, Lock, Marked, MaybeCall, Probe, ProcessorTimeline,
    Receive, Sent, SentMessage,
};
use crate::calls::CallSequence;
use crate::cut::is_ended_by_signal;
use crate::remark::{OpenCall, RecordingRemark, RemarkKind};
use crate::step::Code;
use crate::supersteps::waits_before;
use crate::threads::is_of_threads;

/// What a request will be known by.
#[derive(Debug, Clone, Copy)]
enum Begun {
    Send(usize),
    Receive(usize),
    Collective(usize),
}

/// What is open: a procedure or an experiment, with its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenScope {
    Procedure(u32),
    Experiment(u32),
}

/// Whether time in this function is not the program's own; a program may call its procedures `bspline`.
pub(crate) fn is_of_library(call: &str) -> bool {
    call.starts_with("MPI_") || ["bsp_sync", "bsp_oblsync"].contains(&call) || is_of_threads(call)
}

/// Probes that take the message for a receive of their own, and these receives.
const TAKING: &[&str] = &["MPI_Mprobe", "MPI_Improbe"];
const TAKEN_BEFORE: &[&str] = &["MPI_Mrecv", "MPI_Imrecv"];
const FREEING: &[&str] = &["MPI_Request_free"];

/// `is_call` tells which regions are calls of the library; the others are procedures. What came later than `until_ns` is left out.
pub(crate) fn timeline(
    recorded: &ProcessorEvents,
    until_ns: u64,
    is_call: fn(&str) -> bool,
    names: &mut CodesAndChannels,
    remarks: &mut Vec<RecordingRemark>,
) -> ProcessorTimeline {
    let mut maker = TimelineMaker {
        recorded,
        is_call,
        names,
        code_of_region: vec![None; recorded.regions.len()],
        code_before_region: vec![None; recorded.regions.len()],
        code_in_experiment: HashMap::new(),
        remarks,
        made: ProcessorTimeline { processor: recorded.processor, ..ProcessorTimeline::default() },
        frames: Vec::new(),
        depth_in_library: 0,
        last_ns: 0,
        nowhere_ns: 0,
        in_experiment_ns: 0,
        requests: HashMap::new(),
        accessing: HashMap::new(),
        locking: HashMap::new(),
        is_told: false,
        is_complete: false,
        open_region: 0,
        polls: Polls::of(recorded),
        taken: 0,
    };
    for (number, event) in recorded.events.iter().take_while(|event| event.at_ns <= until_ns).enumerate() {
        let at_ns = signed(event.at_ns);
        if number == 0 {
            (maker.made.start_ns, maker.last_ns) = (at_ns, at_ns);
            maker.made.calls = CallSequence::from(at_ns);
        }
        maker.take(number, at_ns, event.kind);
        maker.taken = number + 1;
    }
    if maker.taken > 0 && maker.taken < recorded.events.len() {
        maker.go_on_until(signed(until_ns));
    }
    maker.finish()
}

/// Whether an event says who may wait for whom in the call that it stands in.
fn tells(kind: EventKind) -> bool {
    // Whether a lock is waited for only those show who hold it.
    if let EventKind::WindowEpoch { epoch } = kind {
        return !epoch.is_of_lock();
    }
    !matches!(
        kind,
        EventKind::Enter { .. }
            | EventKind::Leave
            | EventKind::ExperimentBegin { .. }
            | EventKind::ExperimentEnd { .. }
            | EventKind::RemoteAccess { .. }
            | EventKind::ProgramBegin
            | EventKind::ProgramEnd
    )
}

/// What computing before a call is named by.
fn leads_to(site: &CallSite) -> CallSite {
    waits_before(site).unwrap_or_else(|| site.clone())
}

/// No run takes so long; what is added up over processors stays a number.
const LATEST_NS: u64 = 1 << 52;

fn signed(time_ns: u64) -> i64 {
    time_ns.min(LATEST_NS) as i64
}

struct TimelineMaker<'a> {
    recorded: &'a ProcessorEvents,
    is_call: fn(&str) -> bool,
    names: &'a mut CodesAndChannels,
    code_of_region: Vec<Option<u32>>,
    code_before_region: Vec<Option<u32>>,
    /// By the experiment and the region of the call that a step of it leads to, if it leads to one.
    code_in_experiment: HashMap<(u32, Option<u32>), u32>,
    remarks: &'a mut Vec<RecordingRemark>,
    made: ProcessorTimeline,
    frames: Vec<OpenScope>,
    depth_in_library: usize,
    last_ns: i64,
    /// Computing in no frame, up to the next call.
    nowhere_ns: i64,
    /// Computing in the innermost frame, an experiment, up to the next call or the next frame.
    in_experiment_ns: i64,
    requests: HashMap<u64, Begun>,
    /// Places among the receives of what accesses to the memory of a partner, through a window, wait for.
    accessing: HashMap<(CommunicatorName, u32, u32), usize>,
    /// What is locked, by the lock: whether exclusively, and in which call.
    locking: HashMap<Lock, (bool, u32)>,
    /// Whether the open call holds an event that says who may wait for whom.
    is_told: bool,
    /// Whether something has come, or was done together, in the open call.
    is_complete: bool,
    /// The region of the open call.
    open_region: u32,
    polls: Polls,
    /// How many events.
    taken: usize,
}

impl TimelineMaker<'_> {
    fn remark(&mut self, kind: RemarkKind) {
        self.remarks.push(RecordingRemark { processor: self.made.processor, kind });
    }

    fn take(&mut self, number: usize, at_ns: i64, kind: EventKind) {
        let at_ns = if at_ns < self.last_ns {
            self.remark(RemarkKind::TimeGoesBack { event: number, by_ns: self.last_ns - at_ns });
            self.last_ns
        } else {
            at_ns
        };
        self.spend(at_ns - self.last_ns);
        self.last_ns = at_ns;
        self.is_told |= tells(kind);
        self.is_complete |= completes(kind);
        if self.happen(at_ns, kind).is_none() {
            self.remark(RemarkKind::Unfounded { event: number });
        }
    }

    /// In a call time is what its activity says.
    fn spend(&mut self, time_ns: i64) {
        if self.depth_in_library > 0 || time_ns == 0 {
            return;
        }
        self.polls.compute(time_ns);
        let code = match self.frames.last().copied() {
            None => {
                self.nowhere_ns += time_ns;
                return;
            }
            Some(OpenScope::Procedure(region)) => self.code_of_region(region),
            Some(OpenScope::Experiment(_)) => {
                self.in_experiment_ns += time_ns;
                return;
            }
        };
        self.made.calls.compute(code, time_ns);
    }

    /// The region is one that is there.
    fn code_of_region(&mut self, region: u32) -> u32 {
        let site = &self.recorded.regions[region as usize];
        let known = &mut self.code_of_region[region as usize];
        *known.get_or_insert_with(|| self.names.codes.number(&Code::Region(site.clone())) as u32)
    }

    /// `None` if nothing that went before leads to this event.
    fn happen(&mut self, at_ns: i64, kind: EventKind) -> Option<()> {
        match kind {
            EventKind::Enter { region } => self.enter(at_ns, region),
            EventKind::Leave => self.leave(at_ns),
            EventKind::ExperimentBegin { experiment } => {
                self.recorded.experiments.get(experiment as usize)?;
                self.compute_in_experiment(None);
                self.frames.push(OpenScope::Experiment(experiment));
                Some(())
            }
            EventKind::ExperimentEnd { experiment } => {
                self.compute_in_experiment(None);
                let open =
                    self.frames.iter().rposition(|frame| *frame == OpenScope::Experiment(experiment))?;
                self.frames.remove(open);
                Some(())
            }
            EventKind::Send { message, is_synchronous } => {
                let call = self.open_call()?;
                self.send(message, is_synchronous, MaybeCall(call))
            }
            EventKind::Receive { message } => {
                let channel = self.incoming(message)?;
                let call = self.open_call()?;
                let completed_in = MaybeCall(call);
                let call = Marked::new(call, self.is_in(TAKEN_BEFORE));
                self.made.exchanged.receives.push(Receive { channel, call, completed_in });
                Some(())
            }
            EventKind::Collective { collective } => {
                let call = self.open_call()?;
                self.together(collective, MaybeCall(call))
            }
            EventKind::SendRequest { message, request, is_synchronous } => {
                self.known(message)?;
                self.open_call()?;
                self.begin(request, Begun::Send(self.made.exchanged.sends.len()))?;
                self.send(message, is_synchronous, MaybeCall::NONE)
            }
            EventKind::ReceiveRequest { request } => {
                let call = self.open_call()?;
                self.begin(request, Begun::Receive(self.made.exchanged.receives.len()))?;
                let (call, completed_in) = (Marked::new(call, self.is_in(TAKEN_BEFORE)), MaybeCall::NONE);
                self.made.exchanged.receives.push(Receive { channel: 0, call, completed_in });
                Some(())
            }
            EventKind::CollectiveRequest { collective, request } => {
                self.recorded.communicators.get(collective.communicator as usize)?;
                self.open_call()?;
                self.begin(request, Begun::Collective(self.made.exchanged.collectives.len()))?;
                self.together(collective, MaybeCall::NONE)
            }
            EventKind::SendComplete { request } => self.complete(request, None),
            EventKind::ReceiveComplete { message, request } => {
                let channel = self.incoming(message)?;
                self.complete(request, Some(channel))
            }
            EventKind::CollectiveComplete { request } => self.complete(request, None),
            EventKind::WindowEpoch { epoch } => self.epoch(epoch),
            // Who waits in these is not told.
            EventKind::RemoteAccess { .. } => self.open_call().map(|_| ()),
            EventKind::Probed { message } => {
                let channel = self.incoming(message)?;
                let (takes, receives_before) = (self.is_in(TAKING), self.made.exchanged.receives.len());
                let call = self.open_call()?;
                self.made.exchanged.probes.push(Probe { channel, call, takes, receives_before });
                Some(())
            }
            EventKind::ProgramBegin | EventKind::ProgramEnd => Some(()),
            EventKind::Cancelled { request } => {
                // What was freed goes all the same.
                if let Begun::Send(number) = self.requests.remove(&request)?
                    && !self.is_in(FREEING)
                {
                    let channel = &mut self.made.exchanged.sends[number].channel;
                    *channel = Marked::new(channel.number(), true);
                }
                Some(())
            }
        }
    }

    fn send(&mut self, message: Message, is_synchronous: bool, completed_in: MaybeCall) -> Option<()> {
        let communicator = self.known(message)?;
        let (from, to, tag) = (self.made.processor, message.partner, message.tag);
        let channel = Channel { what: Sent::Message, communicator, from, to, tag };
        self.send_through(channel, message.bytes, is_synchronous, completed_in)
    }

    fn send_through(
        &mut self,
        channel: Channel,
        bytes: u64,
        is_synchronous: bool,
        completed_in: MaybeCall,
    ) -> Option<()> {
        let call = self.open_call()?;
        let channel = self.names.channels.number(&channel) as u32;
        self.made.exchanged.sends.push(SentMessage {
            channel: Marked::new(channel, false),
            call: Marked::new(call, is_synchronous),
            completed_in,
            bytes: bytes as f32,
        });
        Some(())
    }

    /// What a post and a complete let go on is known as a message of theirs; who sends it waits for nobody.
    fn epoch(&mut self, WindowEpoch { step, partner, communicator, window }: WindowEpoch) -> Option<()> {
        let communicator = self.recorded.communicators.get(communicator as usize)?.name;
        let call = self.open_call()?;
        let channel = |what, from, to| Channel { what, communicator, from, to, tag: window.cast_signed() };
        let own = self.made.processor;
        match step {
            EpochStep::Post => {
                self.send_through(channel(Sent::Post, own, partner), 0, false, MaybeCall::NONE)
            }
            EpochStep::Start => {
                let place = self.receive_through(channel(Sent::Post, partner, own), call, MaybeCall::NONE);
                self.accessing.insert((communicator, window, partner), place).is_none().then_some(())
            }
            EpochStep::Complete => {
                let place = self.accessing.remove(&(communicator, window, partner))?;
                self.made.exchanged.receives[place].completed_in = MaybeCall(call);
                self.send_through(channel(Sent::Complete, own, partner), 0, false, MaybeCall::NONE)
            }
            EpochStep::Wait => {
                self.receive_through(channel(Sent::Complete, partner, own), call, MaybeCall(call));
                Some(())
            }
            EpochStep::LockExclusive | EpochStep::LockShared => {
                let lock = Lock { communicator, window, target: partner };
                let is_exclusive = step == EpochStep::LockExclusive;
                self.locking.insert(lock, (is_exclusive, call)).is_none().then_some(())
            }
            EpochStep::Unlock => {
                let lock = Lock { communicator, window, target: partner };
                let (is_exclusive, locked_in) = self.locking.remove(&lock)?;
                self.made.exchanged.holds.push(Hold { lock, is_exclusive, locked_in, unlocked_in: call });
                Some(())
            }
        }
    }

    /// Its place among the receives.
    fn receive_through(&mut self, channel: Channel, call: u32, completed_in: MaybeCall) -> usize {
        let channel = self.names.channels.number(&channel) as u32;
        let receives = &mut self.made.exchanged.receives;
        receives.push(Receive { channel, call: Marked::new(call, false), completed_in });
        receives.len() - 1
    }

    fn together(&mut self, its: Collective, completed_in: MaybeCall) -> Option<()> {
        let Collective { operation, communicator, root, sent_bytes, received_bytes } = its;
        let bytes = sent_bytes.max(received_bytes);
        self.recorded.communicators.get(communicator as usize)?;
        let call = self.open_call()?;
        self.made.exchanged.collectives.push(CollectiveCall {
            operation,
            communicator,
            root,
            call,
            completed_in,
            bytes,
        });
        Some(())
    }

    fn known(&self, message: Message) -> Option<CommunicatorName> {
        self.recorded.communicators.get(message.communicator as usize).map(|its| its.name)
    }

    /// The channel that a message has come through.
    fn incoming(&mut self, message: Message) -> Option<u32> {
        let communicator = self.known(message)?;
        let (from, to) = (message.partner, self.made.processor);
        let channel = Channel { what: Sent::Message, communicator, from, to, tag: message.tag };
        Some(self.names.channels.number(&channel) as u32)
    }

    fn open_call(&self) -> Option<u32> {
        (self.depth_in_library > 0).then(|| self.made.calls.len() as u32 - 1)
    }

    /// Whether the open call is one of these.
    fn is_in(&self, names: &[&str]) -> bool {
        let open = self.made.calls.last().filter(|_| self.depth_in_library > 0);
        open.is_some_and(|call| match &self.names.codes.things[call.code as usize] {
            Code::Region(site) => names.contains(&site.call.as_str()),
            _ => false,
        })
    }

    fn begin(&mut self, request: u64, begun: Begun) -> Option<()> {
        let is_new = !self.requests.contains_key(&request);
        is_new.then(|| _ = self.requests.insert(request, begun))
    }

    fn complete(&mut self, request: u64, channel: Option<u32>) -> Option<()> {
        let completed_in = MaybeCall(self.open_call()?);
        let exchanged = &mut self.made.exchanged;
        match (self.requests.remove(&request)?, channel) {
            (Begun::Send(number), None) => exchanged.sends[number].completed_in = completed_in,
            (Begun::Receive(number), Some(channel)) => {
                let receive = &mut exchanged.receives[number];
                (receive.channel, receive.completed_in) = (channel, completed_in);
            }
            (Begun::Collective(number), None) => exchanged.collectives[number].completed_in = completed_in,
            _ => return None,
        }
        Some(())
    }

    fn enter(&mut self, at_ns: i64, region: u32) -> Option<()> {
        let site = self.recorded.regions.get(region as usize)?;
        if self.depth_in_library > 0 {
            self.depth_in_library += 1;
        } else if (self.is_call)(&site.call) {
            self.compute_in_experiment(Some(region));
            if self.nowhere_ns > 0 {
                let known = &mut self.code_before_region[region as usize];
                let code = || self.names.codes.number(&Code::Before(leads_to(site))) as u32;
                let code = *known.get_or_insert_with(code);
                self.compute_nowhere(code);
            }
            let code = self.code_of_region(region);
            self.made.calls.enter(code, at_ns);
            self.depth_in_library = 1;
            (self.is_told, self.is_complete, self.open_region) = (false, false, region);
        } else {
            self.compute_in_experiment(None);
            self.frames.push(OpenScope::Procedure(region));
        }
        Some(())
    }

    fn leave(&mut self, at_ns: i64) -> Option<()> {
        if self.depth_in_library > 0 {
            self.depth_in_library -= 1;
            if self.depth_in_library == 0 {
                self.made.calls.leave(at_ns);
                let call = self.made.calls.last()?;
                self.polls.leave(self.open_region, call.code, self.is_complete);
                if !self.is_told {
                    let (calls, time_ns) = self.made.untold.entry(call.code).or_default();
                    (*calls, *time_ns) = (*calls + 1, time_ns.saturating_add(at_ns - call.enter_ns));
                }
            }
            return Some(());
        }
        self.compute_in_experiment(None);
        let open = self.frames.iter().rposition(|frame| matches!(frame, OpenScope::Procedure(_)))?;
        self.frames.remove(open);
        Some(())
    }

    /// What was computed in the innermost frame, if that is an experiment, led to this call.
    fn compute_in_experiment(&mut self, region: Option<u32>) {
        let Some(OpenScope::Experiment(number)) = self.frames.last().copied() else { return };
        let time_ns = std::mem::take(&mut self.in_experiment_ns);
        if time_ns == 0 {
            return;
        }
        let (recorded, names) = (self.recorded, &mut self.names.codes);
        let code = *self.code_in_experiment.entry((number, region)).or_insert_with(|| {
            let name = recorded.experiments[number as usize].clone();
            let before = region.map(|region| leads_to(&recorded.regions[region as usize]));
            names.number(&Code::Experiment { name, before }) as u32
        });
        self.made.calls.compute(code, time_ns);
    }

    fn compute_nowhere(&mut self, code: u32) {
        let time_ns = std::mem::take(&mut self.nowhere_ns);
        self.made.calls.compute(code, time_ns);
    }

    /// As in `MPI_Irecv ring.c:12 in exchange`.
    fn place_of_call(&self, code: u32) -> Option<String> {
        let Code::Region(site) = &self.names.codes.things[code as usize] else { return None };
        let position = site.position.as_ref().map(|its| format!(" {}:{}", its.file, its.line));
        let function = site.call_stack.first().map(|function| format!(" in {function}"));
        Some(format!("{}{}{}", site.call, position.unwrap_or_default(), function.unwrap_or_default()))
    }

    /// What comes next is left out, and until then it did the same.
    fn go_on_until(&mut self, until_ns: i64) {
        self.spend((until_ns - self.last_ns).max(0));
        self.last_ns = self.last_ns.max(until_ns);
    }

    fn open_call_at_end(&mut self) {
        let Some(call) = self.made.calls.last() else { return };
        let open = OpenCall {
            processor: self.made.processor,
            place: self.place_of_call(call.code),
            time_ns: self.last_ns - call.enter_ns,
            // The signal itself may be too late.
            awaits: match self.taken + 1 >= self.recorded.events.len() {
                true => self.recorded.awaits.clone(),
                false => Vec::new(),
            },
        };
        self.remark(RemarkKind::Unfinished { open: vec![open] });
    }

    /// Where requests that are open were begun, in the order of their calls.
    fn places_of_requests(&self) -> Vec<String> {
        let exchanged = &self.made.exchanged;
        let calls: BTreeSet<u32> = self
            .requests
            .values()
            .map(|begun| match *begun {
                Begun::Send(number) => exchanged.sends[number].call.number(),
                Begun::Receive(number) => exchanged.receives[number].call.number(),
                Begun::Collective(number) => exchanged.collectives[number].call,
            })
            .collect();
        let mut codes: Vec<u32> = Vec::new();
        for code in calls.into_iter().map(|call| self.made.calls.at(call as usize).code) {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        codes.into_iter().filter_map(|code| self.place_of_call(code)).collect()
    }

    fn finish(mut self) -> ProcessorTimeline {
        if self.depth_in_library > 0 {
            // Nobody knows what it would have waited for.
            self.made.calls.leave(self.last_ns);
            self.open_call_at_end();
        } else if is_ended_by_signal(self.recorded) {
            let open =
                OpenCall { processor: self.made.processor, place: None, time_ns: 0, awaits: Vec::new() };
            self.remark(RemarkKind::Unfinished { open: vec![open] });
        }
        self.compute_in_experiment(None);
        if self.nowhere_ns > 0 {
            let code = self.names.codes.number(&Code::End) as u32;
            self.compute_nowhere(code);
        }
        if !self.requests.is_empty() {
            let (requests, places) = (self.requests.len(), self.places_of_requests());
            self.remark(RemarkKind::OpenRequests { requests, others: 0, places });
        }
        let ProcessorTimeline { calls, exchanged, .. } = &mut self.made;
        calls.finish();
        exchanged.sends.shrink_to_fit();
        exchanged.receives.shrink_to_fit();
        self.made.end_ns = self.last_ns;
        self.made.polled = self.polls.polled;
        self.made
    }
}
