use call_trace::CollectiveOperation;
use hashbrown::HashMap;

use crate::kind::WaitKind;

/// A call of a processor: places among all timelines and in the calls of that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CallPlace {
    pub(crate) timeline: u32,
    pub(crate) call: u32,
}

impl CallPlace {
    pub(crate) fn new(timeline: usize, call: usize) -> CallPlace {
        CallPlace { timeline: timeline as u32, call: call as u32 }
    }

    pub(crate) fn timeline(self) -> usize {
        self.timeline as usize
    }

    pub(crate) fn call(self) -> usize {
        self.call as usize
    }
}

/// Which calls wait for which: releases, calls of which each must be entered before others can return; the last one that is releases them.
/// By timeline it is told what its calls have to do with them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) releases: ReleaseList,
    /// What must have been released before a release, too.
    pub(crate) after: HashMap<u32, u32>,
    /// A number of those who all come together in a release, if they do: the same for all such releases of a communicator.
    pub(crate) group: HashMap<u32, u32>,
    pub(crate) gives: Vec<Vec<Give>>,
    pub(crate) needs: Vec<Vec<Need>>,
    /// Where it is asked for.
    pub(crate) carried: Option<Carried>,
    pub(crate) undecided: Undecided,
}

/// Messages of which the recording does not show whether they would wait for receivers that come later.
#[derive(Debug, Clone, Default)]
pub(crate) struct Undecided {
    /// Calls that found that one had gone, each with the call of its receiver that had asked for it before.
    pub(crate) messages: Vec<(CallPlace, CallPlace)>,
    /// There are more than are kept, and none is.
    pub(crate) are_too_many: bool,
    /// Those of so many bytes are known to wait for nobody.
    pub(crate) going_to_bytes: f32,
}

/// What networks have to carry for a graph.
#[derive(Debug, Clone, Default)]
pub(crate) struct Carried {
    /// By release.
    pub(crate) payloads: Vec<Payload>,
    /// Those that were received.
    pub(crate) messages: Vec<CarriedMessage>,
    /// Those in which some need others and not all need all.
    pub(crate) operations: Vec<CarriedOperation>,
    /// What is waited for inside of these, as the recording tells it.
    pub(crate) inner_waits: Vec<WaitInside>,
}

/// An operation of so many processors with so many bytes.
pub(crate) type SizedOperation = (CollectiveOperation, u32, u64);

/// A call that waits inside of an operation for a processor that this does not make it wait for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitInside {
    pub(crate) operation: SizedOperation,
    pub(crate) causer: CallPlace,
    pub(crate) waiting: CallPlace,
}

/// A collective operation.
#[derive(Debug, Clone)]
pub(crate) struct CarriedOperation {
    pub(crate) operation: CollectiveOperation,
    pub(crate) bytes: u64,
    /// Whether processors stay in the call.
    pub(crate) is_blocking: bool,
    /// The rank of the root.
    pub(crate) root: Option<usize>,
    /// By rank, the calls that began its part and that found out that it had ended.
    pub(crate) parts: Vec<(CallPlace, Option<CallPlace>)>,
}

/// What is under way from when the last call of a release is entered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Payload {
    Message {
        sender: u32,
        receiver: u32,
        bytes: f32,
    },
    /// `is_blocking` if processors stay in the call.
    Together {
        operation: CollectiveOperation,
        processors: u32,
        bytes: u64,
        is_blocking: bool,
    },
    /// What comes behind one who was waited for inside of such an operation, as latencies and bytes through a link.
    Inside {
        latencies: f32,
        bytes: f32,
    },
}

/// A message, from when it may leave until the call that found out that it had come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CarriedMessage {
    pub(crate) release: u32,
    pub(crate) bytes: f32,
    /// By whom it was sent, and in which call its receiver asked for it.
    pub(crate) sent: CallPlace,
    pub(crate) asked: CallPlace,
    /// Which calls found that it had gone, and that it had come.
    pub(crate) gone: Option<CallPlace>,
    pub(crate) come: CallPlace,
    pub(crate) is_synchronous: bool,
}

/// How many calls release, and how many need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) by: u32,
    pub(crate) users: u32,
}

/// A call takes part in a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Give {
    pub(crate) call: u32,
    pub(crate) release: u32,
}

/// A call needs a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Need {
    pub(crate) call: u32,
    pub(crate) release: u32,
    pub(crate) kind: WaitKind,
}

/// What releases are, by their numbers. Of most one call releases another one, which takes a byte.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReleaseList {
    is_single: Vec<bool>,
    others: HashMap<u32, Release>,
}

impl ReleaseList {
    const SINGLE: Release = Release { by: 1, users: 1 };

    pub(crate) fn len(&self) -> usize {
        self.is_single.len()
    }

    /// For so many more of most.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.is_single.reserve_exact(count);
    }

    /// The release with this number, which there must be.
    #[inline]
    pub(crate) fn at(&self, release: u32) -> Release {
        if self.is_single[release as usize] { ReleaseList::SINGLE } else { self.others[&release] }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Release> {
        (0..self.len() as u32).map(|release| self.at(release))
    }

    fn push(&mut self, its: Release) {
        let release = self.len() as u32;
        self.is_single.push(true);
        self.set(release, its);
    }

    fn set(&mut self, release: u32, its: Release) {
        let is_single = its == ReleaseList::SINGLE;
        self.is_single[release as usize] = is_single;
        if !is_single {
            self.others.insert(release, its);
        }
    }

    fn shrink_to_fit(&mut self) {
        self.is_single.shrink_to_fit();
        self.others.shrink_to_fit();
    }
}

impl CarriedOperation {
    pub(crate) fn sized(&self) -> SizedOperation {
        (self.operation, self.parts.len() as u32, self.bytes)
    }
}

impl CarriedMessage {
    /// A processor sends it to itself.
    pub(crate) fn is_own(&self) -> bool {
        self.sent.timeline == self.come.timeline
    }
}

impl Graph {
    pub(crate) fn new(timelines: usize) -> Graph {
        Graph { gives: vec![Vec::new(); timelines], needs: vec![Vec::new(); timelines], ..Graph::default() }
    }

    /// Adds a release of these calls; returns its number.
    pub(crate) fn release(
        &mut self,
        by: impl IntoIterator<Item = CallPlace>,
        waiting: impl IntoIterator<Item = (CallPlace, WaitKind)>,
    ) -> u32 {
        let release = self.releases.len() as u32;
        let mut counts = Release { by: 0, users: 0 };
        for place in by {
            self.gives[place.timeline()].push(Give { call: place.call, release });
            counts.by += 1;
        }
        for (place, kind) in waiting {
            self.needs[place.timeline()].push(Need { call: place.call, release, kind });
            counts.users += 1;
        }
        self.releases.push(counts);
        release
    }

    /// One more call has to be entered before this release, and one more needs it.
    pub(crate) fn join(&mut self, release: u32, by: CallPlace, (waiting, kind): (CallPlace, WaitKind)) {
        self.gives[by.timeline()].push(Give { call: by.call, release });
        self.needs[waiting.timeline()].push(Need { call: waiting.call, release, kind });
        let Release { by, users } = self.releases.at(release);
        self.releases.set(release, Release { by: by + 1, users: users + 1 });
    }

    /// Of each release that is made of one timeline's calls, the one that came to it first, until they are sorted.
    pub(crate) fn first_calls(&self) -> Vec<CallPlace> {
        let none = CallPlace { timeline: u32::MAX, call: u32::MAX };
        let mut first = vec![none; self.releases.len()];
        for (timeline, gives) in self.gives.iter().enumerate() {
            for give in gives {
                let its = &mut first[give.release as usize];
                if *its == none {
                    *its = CallPlace { timeline: timeline as u32, call: give.call };
                }
            }
        }
        first
    }

    /// As if undecided messages waited for their receivers.
    pub(crate) fn with_undecided(&self) -> Graph {
        let mut graph = self.clone();
        for (sending, asking) in std::mem::take(&mut graph.undecided).messages {
            graph.release([asking], [(sending, WaitKind::LateReceiver)]);
        }
        graph.sort();
        graph
    }

    pub(crate) fn payload(&self, release: u32) -> Option<Payload> {
        self.carried.as_ref()?.payloads.get(release as usize).copied()
    }

    /// What the release that is made next carries.
    pub(crate) fn carry(&mut self, payload: Payload) {
        if let Some(carried) = &mut self.carried {
            carried.payloads.push(payload);
        }
    }

    /// Puts what calls have to do into their order. Each channel's are in order, which the stable sort makes use of.
    pub(crate) fn sort(&mut self) {
        for gives in &mut self.gives {
            gives.sort();
            gives.shrink_to_fit();
        }
        for needs in &mut self.needs {
            needs.sort();
            needs.shrink_to_fit();
        }
        self.releases.shrink_to_fit();
    }
}
