use std::collections::BTreeMap;

use call_trace::{CollectiveOperation, CommunicatorName};

use crate::calls::{Call, CallSequence, Computing};
use crate::step::{Code, Numbering};

mod making;
mod polling;

pub(crate) use making::{is_of_library, timeline};

/// What a processor did, as stretches of computing between calls of its library, and what each call has to do with others. There are many of
/// all these, so numbers have 32 bits; [`Waits::of_events`](crate::Waits::of_events) sees that they suffice.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProcessorTimeline {
    pub(crate) processor: u32,
    pub(crate) start_ns: i64,
    pub(crate) end_ns: i64,
    pub(crate) calls: CallSequence,
    pub(crate) exchanged: Exchanged,
    /// By code, how many calls hold nothing that says who waits for whom, and how long they take together.
    pub(crate) untold: BTreeMap<u32, (u64, i64)>,
    /// By code of tests, how many found nothing before one did, and what was computed meanwhile.
    pub(crate) polled: BTreeMap<u32, (u64, i64)>,
}

/// What is known of messages and collective operations until it is matched with that of others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchanged {
    pub(crate) sends: Vec<SentMessage>,
    /// In the order in which they were asked for, which is the one in which messages come.
    pub(crate) receives: Vec<Receive>,
    pub(crate) probes: Vec<Probe>,
    /// In the order in which they were begun.
    pub(crate) collectives: Vec<CollectiveCall>,
    /// Locks that were held, in the order in which they were given back.
    pub(crate) holds: Vec<Hold>,
}

/// The memory of a processor in a window, which can be locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lock {
    pub(crate) communicator: CommunicatorName,
    pub(crate) window: u32,
    pub(crate) target: u32,
}

/// A processor held a lock, or waited for it, from one call to another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold {
    pub(crate) lock: Lock,
    pub(crate) is_exclusive: bool,
    pub(crate) locked_in: u32,
    pub(crate) unlocked_in: u32,
}

impl ProcessorTimeline {
    /// All that it did, in order.
    pub(crate) fn activities(&self) -> impl Iterator<Item = CallOrStretch> {
        self.activities_between(None, self.calls.len())
    }

    /// What it did from a call on, or from the start, until it entered another one, or to its end.
    pub(crate) fn activities_between(
        &self,
        from: Option<usize>,
        until: usize,
    ) -> impl Iterator<Item = CallOrStretch> {
        let first = from.unwrap_or(0);
        let computing =
            |its: Computing| CallOrStretch::Computing { code: its.code as usize, time_ns: its.time_ns };
        (first..=until).zip(self.calls.walk_from(first)).flat_map(move |(number, (before, call))| {
            let before = Some(before).filter(|_| Some(number) != from);
            let call = call.filter(|_| number < until).map(CallOrStretch::Call);
            before.into_iter().flatten().map(computing).chain(call)
        })
    }

    /// The same processor with other calls, and what it computes between them; what it exchanged is left out.
    pub(crate) fn with_calls(&self, calls: CallSequence) -> ProcessorTimeline {
        let ProcessorTimeline { processor, start_ns, end_ns, ref untold, ref polled, .. } = *self;
        let (untold, polled) = (untold.clone(), polled.clone());
        ProcessorTimeline {
            processor,
            start_ns,
            end_ns,
            calls,
            untold,
            polled,
            exchanged: Exchanged::default(),
        }
    }

    /// Whether nothing is known of it.
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.start_ns == self.end_ns
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum CallOrStretch {
    Computing { code: usize, time_ns: i64 },
    Call(Call),
}

/// The call that found out that something was complete; there may be none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MaybeCall(u32);

impl MaybeCall {
    pub(crate) const NONE: MaybeCall = MaybeCall(u32::MAX);

    pub(crate) fn get(self) -> Option<u32> {
        (self != MaybeCall::NONE).then_some(self.0)
    }
}

/// A number below 2^31, as there are no more events, with a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marked(u32);

impl Marked {
    const MARK: u32 = 1 << 31;

    pub(crate) fn new(number: u32, is_marked: bool) -> Marked {
        Marked(number | if is_marked { Marked::MARK } else { 0 })
    }

    pub(crate) fn number(self) -> u32 {
        self.0 & !Marked::MARK
    }

    pub(crate) fn is_marked(self) -> bool {
        self.0 & Marked::MARK != 0
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct SentMessage {
    /// Its number among all channels of the run; marked if the send was cancelled.
    pub(crate) channel: Marked,
    /// Marked if the send is synchronous.
    pub(crate) call: Marked,
    /// The call that found out that the message has gone; the first one for a blocking send.
    pub(crate) completed_in: MaybeCall,
    /// Only times are made of it, which seven digits suffice for; messages are many.
    pub(crate) bytes: f32,
}

impl SentMessage {
    pub(crate) fn is_synchronous(&self) -> bool {
        self.call.is_marked()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.channel.is_marked()
    }
}

impl Receive {
    pub(crate) fn is_taken_before(&self) -> bool {
        self.call.is_marked()
    }
}

/// A message was there; the call may have waited for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub(crate) channel: u32,
    pub(crate) call: u32,
    /// As `MPI_Mprobe`: no other receive gets it.
    pub(crate) takes: bool,
    /// How many receives had been asked for.
    pub(crate) receives_before: usize,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Receive {
    /// Means nothing while nothing has come.
    pub(crate) channel: u32,
    /// Marked if a probe takes the message before.
    pub(crate) call: Marked,
    /// None while nothing has come.
    pub(crate) completed_in: MaybeCall,
}

/// A collective operation, as one processor does it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CollectiveCall {
    pub(crate) operation: CollectiveOperation,
    pub(crate) communicator: u32,
    pub(crate) root: Option<u32>,
    pub(crate) call: u32,
    pub(crate) completed_in: MaybeCall,
    /// What this processor sends to others or receives from them, whichever is more.
    pub(crate) bytes: u64,
}

/// What messages go through, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Channel {
    pub(crate) what: Sent,
    pub(crate) communicator: CommunicatorName,
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Of messages; else the number of the window.
    pub(crate) tag: i32,
}

/// What goes through a channel: messages, or what lets the other processor go on that synchronises accesses to memory with this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sent {
    Message,
    Post,
    Complete,
}

/// What all timelines speak of.
#[derive(Debug, Default)]
pub(crate) struct CodesAndChannels {
    pub(crate) codes: Numbering<Code>,
    pub(crate) channels: Numbering<Channel>,
}
