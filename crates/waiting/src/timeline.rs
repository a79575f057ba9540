use std::collections::HashMap;

use call_trace::{Collective, EventKind, Message, ProcessorEvents};

use crate::remark::{Remark, RemarkKind};
use crate::step::{Code, Numbering};
use crate::supersteps::{OBLIVIOUS, SYNCHRONISATION};

/// What a processor did, as stretches of computing between calls of its library, and what each call has to do with others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline {
    pub(crate) processor: u32,
    pub(crate) start_ns: i64,
    pub(crate) end_ns: i64,
    pub(crate) activities: Vec<Activity>,
    pub(crate) calls: Vec<Call>,
    pub(crate) sends: Vec<Send>,
    /// In the order in which they were asked for, which is the one in which messages come.
    pub(crate) receives: Vec<Receive>,
    pub(crate) probes: Vec<Probe>,
    /// In the order in which they were begun.
    pub(crate) collectives: Vec<Together>,
}

impl Timeline {
    /// Where among the activities each call stands.
    pub(crate) fn activities_of_calls(&self) -> Vec<usize> {
        let all = self.activities.iter().enumerate();
        all.filter(|(_, activity)| matches!(activity, Activity::Call(_))).map(|(at, _)| at).collect()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Activity {
    Computing {
        code: usize,
        time_ns: i64,
    },
    /// Index into the calls of the timeline.
    Call(usize),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    /// The code of its region.
    pub(crate) code: usize,
    pub(crate) enter_ns: i64,
    pub(crate) leave_ns: i64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Send {
    pub(crate) message: Message,
    pub(crate) is_synchronous: bool,
    pub(crate) call: usize,
    /// The call that found out that the message has gone; the first one for a blocking send.
    pub(crate) completed_in: Option<usize>,
    pub(crate) is_cancelled: bool,
}

/// A message was there; the call may have waited for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub(crate) message: Message,
    pub(crate) call: usize,
    /// As `MPI_Mprobe`: no other receive gets it.
    pub(crate) takes: bool,
    /// How many receives had been asked for.
    pub(crate) receives_before: usize,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Receive {
    /// `None` while nothing has come.
    pub(crate) message: Option<Message>,
    pub(crate) call: usize,
    pub(crate) completed_in: Option<usize>,
    /// By a probe.
    pub(crate) is_taken_before: bool,
}

/// A collective operation, as one processor does it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Together {
    pub(crate) collective: Collective,
    pub(crate) call: usize,
    pub(crate) completed_in: Option<usize>,
}

/// What a request will be known by.
#[derive(Debug, Clone, Copy)]
enum Begun {
    Send(usize),
    Receive(usize),
    Collective(usize),
}

/// What is open: a procedure or an experiment, with its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Procedure(u32),
    Experiment(u32),
}

/// Whether time in this function is not the program's own; a program may call its procedures `bspline`.
fn is_of_library(call: &str) -> bool {
    call.starts_with("MPI_") || [SYNCHRONISATION, OBLIVIOUS].contains(&call)
}

/// Probes that take the message for a receive of their own, and these receives.
const TAKING: &[&str] = &["MPI_Mprobe", "MPI_Improbe"];
const TAKEN_BEFORE: &[&str] = &["MPI_Mrecv", "MPI_Imrecv"];
const FREEING: &[&str] = &["MPI_Request_free"];

pub(crate) fn timeline(
    recorded: &ProcessorEvents,
    codes: &mut Numbering<Code>,
    remarks: &mut Vec<Remark>,
) -> Timeline {
    let mut maker = Maker {
        recorded,
        codes,
        remarks,
        made: Timeline { processor: recorded.processor, ..Timeline::default() },
        frames: Vec::new(),
        depth_in_library: 0,
        last_ns: 0,
        nowhere_ns: 0,
        requests: HashMap::new(),
    };
    if let Some(first) = recorded.events.first() {
        maker.last_ns = signed(first.at_ns);
        maker.made.start_ns = maker.last_ns;
    }
    for (number, event) in recorded.events.iter().enumerate() {
        maker.take(number, signed(event.at_ns), event.kind);
    }
    maker.finish()
}

/// No run takes so long; what is added up over processors stays a number.
const LATEST_NS: u64 = 1 << 52;

fn signed(time_ns: u64) -> i64 {
    time_ns.min(LATEST_NS) as i64
}

struct Maker<'a> {
    recorded: &'a ProcessorEvents,
    codes: &'a mut Numbering<Code>,
    remarks: &'a mut Vec<Remark>,
    made: Timeline,
    frames: Vec<Frame>,
    depth_in_library: usize,
    last_ns: i64,
    /// Computing in no frame, up to the next call.
    nowhere_ns: i64,
    requests: HashMap<u64, Begun>,
}

impl Maker<'_> {
    fn remark(&mut self, kind: RemarkKind) {
        self.remarks.push(Remark { processor: self.made.processor, kind });
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
        if self.happen(at_ns, kind).is_none() {
            self.remark(RemarkKind::Unfounded { event: number });
        }
    }

    /// In a call time is what its activity says.
    fn spend(&mut self, time_ns: i64) {
        if self.depth_in_library > 0 || time_ns == 0 {
            return;
        }
        let code = match self.frames.last() {
            None => {
                self.nowhere_ns += time_ns;
                return;
            }
            Some(Frame::Procedure(region)) => Code::Region(self.recorded.regions[*region as usize].clone()),
            Some(Frame::Experiment(number)) => {
                Code::Experiment(self.recorded.experiments[*number as usize].clone())
            }
        };
        let code = self.codes.number(&code);
        self.compute(code, time_ns);
    }

    fn compute(&mut self, code: usize, time_ns: i64) {
        match self.made.activities.last_mut() {
            Some(Activity::Computing { code: last, time_ns: sum_ns }) if *last == code => *sum_ns += time_ns,
            _ => self.made.activities.push(Activity::Computing { code, time_ns }),
        }
    }

    /// `None` if nothing that went before leads to this event.
    fn happen(&mut self, at_ns: i64, kind: EventKind) -> Option<()> {
        match kind {
            EventKind::Enter { region } => self.enter(at_ns, region),
            EventKind::Leave => self.leave(at_ns),
            EventKind::ExperimentBegin { experiment } => {
                self.recorded.experiments.get(experiment as usize)?;
                self.frames.push(Frame::Experiment(experiment));
                Some(())
            }
            EventKind::ExperimentEnd { experiment } => {
                let open = self.frames.iter().rposition(|frame| *frame == Frame::Experiment(experiment))?;
                self.frames.remove(open);
                Some(())
            }
            EventKind::Send { message, is_synchronous } => {
                self.known(message)?;
                let call = self.open_call()?;
                let completed_in = Some(call);
                self.made.sends.push(Send {
                    message,
                    is_synchronous,
                    call,
                    completed_in,
                    is_cancelled: false,
                });
                Some(())
            }
            EventKind::Receive { message } => {
                self.known(message)?;
                let call = self.open_call()?;
                let is_taken_before = self.is_in(TAKEN_BEFORE);
                let completed_in = Some(call);
                self.made.receives.push(Receive {
                    message: Some(message),
                    call,
                    completed_in,
                    is_taken_before,
                });
                Some(())
            }
            EventKind::Collective { collective } => {
                self.recorded.communicators.get(collective.communicator as usize)?;
                let call = self.open_call()?;
                self.made.collectives.push(Together { collective, call, completed_in: Some(call) });
                Some(())
            }
            EventKind::SendRequest { message, request, is_synchronous } => {
                self.known(message)?;
                let call = self.open_call()?;
                self.begin(request, Begun::Send(self.made.sends.len()))?;
                let completed_in = None;
                self.made.sends.push(Send {
                    message,
                    is_synchronous,
                    call,
                    completed_in,
                    is_cancelled: false,
                });
                Some(())
            }
            EventKind::ReceiveRequest { request } => {
                let call = self.open_call()?;
                self.begin(request, Begun::Receive(self.made.receives.len()))?;
                let is_taken_before = self.is_in(TAKEN_BEFORE);
                self.made.receives.push(Receive { message: None, call, completed_in: None, is_taken_before });
                Some(())
            }
            EventKind::CollectiveRequest { collective, request } => {
                self.recorded.communicators.get(collective.communicator as usize)?;
                let call = self.open_call()?;
                self.begin(request, Begun::Collective(self.made.collectives.len()))?;
                self.made.collectives.push(Together { collective, call, completed_in: None });
                Some(())
            }
            EventKind::SendComplete { request } => self.complete(request, None),
            EventKind::ReceiveComplete { message, request } => {
                self.known(message)?;
                self.complete(request, Some(message))
            }
            EventKind::CollectiveComplete { request } => self.complete(request, None),
            // Who waits in these is not told.
            EventKind::RemoteAccess { .. } => self.open_call().map(|_| ()),
            EventKind::Probed { message } => {
                self.known(message)?;
                let (takes, receives_before) = (self.is_in(TAKING), self.made.receives.len());
                let call = self.open_call()?;
                self.made.probes.push(Probe { message, call, takes, receives_before });
                Some(())
            }
            EventKind::ProgramBegin | EventKind::ProgramEnd => Some(()),
            EventKind::Cancelled { request } => {
                // What was freed goes all the same.
                if let Begun::Send(number) = self.requests.remove(&request)?
                    && !self.is_in(FREEING)
                {
                    self.made.sends[number].is_cancelled = true;
                }
                Some(())
            }
        }
    }

    fn known(&self, message: Message) -> Option<()> {
        self.recorded.communicators.get(message.communicator as usize).map(|_| ())
    }

    fn open_call(&self) -> Option<usize> {
        (self.depth_in_library > 0).then(|| self.made.calls.len() - 1)
    }

    /// Whether the open call is one of these.
    fn is_in(&self, names: &[&str]) -> bool {
        let open = self.made.calls.last().filter(|_| self.depth_in_library > 0);
        open.is_some_and(|call| match &self.codes.things[call.code] {
            Code::Region(site) => names.contains(&site.call.as_str()),
            _ => false,
        })
    }

    fn begin(&mut self, request: u64, begun: Begun) -> Option<()> {
        let is_new = !self.requests.contains_key(&request);
        is_new.then(|| _ = self.requests.insert(request, begun))
    }

    fn complete(&mut self, request: u64, message: Option<Message>) -> Option<()> {
        let call = self.open_call()?;
        match (self.requests.remove(&request)?, message) {
            (Begun::Send(number), None) => self.made.sends[number].completed_in = Some(call),
            (Begun::Receive(number), Some(message)) => {
                let receive = &mut self.made.receives[number];
                (receive.message, receive.completed_in) = (Some(message), Some(call));
            }
            (Begun::Collective(number), None) => self.made.collectives[number].completed_in = Some(call),
            _ => return None,
        }
        Some(())
    }

    fn enter(&mut self, at_ns: i64, region: u32) -> Option<()> {
        let site = self.recorded.regions.get(region as usize)?;
        if self.depth_in_library > 0 {
            self.depth_in_library += 1;
        } else if is_of_library(&site.call) {
            self.nowhere(Code::Before(site.clone()));
            let code = self.codes.number(&Code::Region(site.clone()));
            self.made.activities.push(Activity::Call(self.made.calls.len()));
            self.made.calls.push(Call { code, enter_ns: at_ns, leave_ns: at_ns });
            self.depth_in_library = 1;
        } else {
            self.frames.push(Frame::Procedure(region));
        }
        Some(())
    }

    fn leave(&mut self, at_ns: i64) -> Option<()> {
        if self.depth_in_library > 0 {
            self.depth_in_library -= 1;
            if self.depth_in_library == 0 {
                self.made.calls.last_mut()?.leave_ns = at_ns;
            }
            return Some(());
        }
        let open = self.frames.iter().rposition(|frame| matches!(frame, Frame::Procedure(_)))?;
        self.frames.remove(open);
        Some(())
    }

    fn nowhere(&mut self, code: Code) {
        let time_ns = std::mem::take(&mut self.nowhere_ns);
        if time_ns > 0 {
            let code = self.codes.number(&code);
            self.compute(code, time_ns);
        }
    }

    fn finish(mut self) -> Timeline {
        if self.depth_in_library > 0 {
            // Nobody knows what it would have waited for.
            let open = &mut self.made.calls
                [self.made.activities.iter().filter(|one| matches!(one, Activity::Call(_))).count() - 1];
            open.leave_ns = self.last_ns;
            self.remark(RemarkKind::Unfinished);
        }
        self.nowhere(Code::End);
        if !self.requests.is_empty() {
            let requests = self.requests.len();
            self.remark(RemarkKind::OpenRequests { requests });
        }
        self.made.end_ns = self.last_ns;
        self.made
    }
}
