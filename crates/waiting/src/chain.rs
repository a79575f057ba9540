use std::collections::BTreeMap;

use crate::graph::CallPlace;
use crate::history::AnalysedRun;
use crate::kind::WaitKind;
use crate::step::State;
use crate::timeline::CallOrStretch;

/// One wait, and how it came about: what those did who were waited for, back to where the waiting processor had been with them, and what
/// it did itself meanwhile. The times of `causing` less those of `own` are the wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Who waits, as a position in [`Waits::processors`](crate::Waits::processors).
    pub waiting: usize,
    /// The call, as an index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// The name of the wait.
    pub kind: WaitKind,
    /// When it begins, after the first start.
    pub from_ns: i64,
    /// How long it lasts.
    pub waiting_ns: i64,
    /// What was waited for, the latest first: each link did its part after it had waited for the next one.
    pub causing: Vec<ChainSection>,
    /// What the waiting processor did since then, likewise; links of others if it had waited for them.
    pub own: Vec<ChainSection>,
    /// Where both were together last; `None` if they had not been since the start.
    pub together: Option<CommonCall>,
}

/// What one processor did in a chain, between two waits.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainSection {
    /// Position in [`Waits::processors`](crate::Waits::processors).
    pub processor: usize,
    /// When it ends, after the first start: then the one before it goes on.
    pub until_ns: i64,
    /// How long it lasts: all of `spent`.
    pub time_ns: i64,
    /// What was done, the longest first.
    pub spent: Vec<Spent>,
    /// The wait before it; `None` if there was none, or if it lies before both were together.
    pub waited: Option<LinkWait>,
}

/// Time of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in a step")]
pub struct Spent {
    pub code: usize,
    pub state: State,
    pub time_ns: i64,
}

/// A wait on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkWait {
    /// The call, as an index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// Its name.
    pub kind: WaitKind,
    /// How long.
    pub waiting_ns: i64,
}

/// The call of a processor from which both sides of a chain come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommonCall {
    /// Position in [`Waits::processors`](crate::Waits::processors).
    pub processor: usize,
    /// The call, as an index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
}

/// A moment of a processor's history: when it enters a call, having waited last in `last`.
#[derive(Debug, Clone, Copy)]
struct CallEntry {
    place: CallPlace,
    last: Option<usize>,
}

/// Of the wait with this number.
pub(crate) fn chain(run: &AnalysedRun, wait: usize) -> Chain {
    let walk = ChainWalk { run };
    let AnalysedRun { timelines, history, first_ns, .. } = run;
    let met = &history.waits[wait];
    let [mut their, mut our] = [met.causer, met.place].map(|place| walk.moment(place));
    let (mut causing, mut own) = (Vec::new(), Vec::new());
    // What leads to a wait was met before it, so the later one of both never is an ancestor of the other.
    let order = |moment: &CallEntry| moment.last.map_or(0, |wait| wait + 1);
    while order(&their) != order(&our) {
        let (moment, links) = match order(&their) > order(&our) {
            true => (&mut their, &mut causing),
            false => (&mut our, &mut own),
        };
        links.push(walk.link(*moment));
        if let Some(wait) = moment.last {
            *moment = walk.moment(history.waits[wait].causer);
        }
    }
    let mut together = None;
    if their.place.timeline != our.place.timeline {
        causing.push(walk.link(their));
        own.push(walk.link(our));
    } else {
        let earlier = their.place.call().min(our.place.call());
        for (moment, links) in [(their, &mut causing), (our, &mut own)] {
            let part = walk.part(moment.place, earlier);
            if !part.spent.is_empty() {
                links.push(part);
            }
        }
        let timeline = their.place.timeline();
        let code = timelines[timeline].calls.at(earlier).code as usize;
        together = Some(CommonCall { processor: timeline, code });
    }
    let call = timelines[met.place.timeline()].calls.at(met.place.call());
    Chain {
        waiting: met.place.timeline(),
        code: call.code as usize,
        kind: met.kind,
        from_ns: call.enter_ns - first_ns,
        waiting_ns: met.waiting_ns,
        causing,
        own,
        together,
    }
}

struct ChainWalk<'a> {
    run: &'a AnalysedRun,
}

impl ChainWalk<'_> {
    fn moment(&self, place: CallPlace) -> CallEntry {
        CallEntry { place, last: self.run.history.last_before(place) }
    }

    /// From the last wait, or the start, until the call is entered.
    fn link(&self, moment: CallEntry) -> ChainSection {
        let timeline = &self.run.timelines[moment.place.timeline()];
        let mut sums = BTreeMap::new();
        let mut waited = None;
        let from = match moment.last.map(|wait| &self.run.history.waits[wait]) {
            None => {
                let start = (self.run.start_code, State::Computing);
                sums.insert(start, timeline.start_ns - self.run.first_ns);
                None
            }
            Some(wait) => {
                let before = timeline.calls.at(wait.place.call());
                let released = self.run.timelines[wait.causer.timeline()].calls.at(wait.causer.call());
                let code = before.code as usize;
                sums.insert((code, State::Communicating), before.leave_ns - released.enter_ns);
                waited = Some(LinkWait { code, kind: wait.kind, waiting_ns: wait.waiting_ns });
                Some(wait.place.call())
            }
        };
        // The call of the wait is told already, without it.
        let activities =
            timeline.activities_between(from, moment.place.call()).skip(usize::from(from.is_some()));
        self.finish(moment.place, sums, activities, waited)
    }

    /// From one call until another one is entered, without a wait between.
    fn part(&self, place: CallPlace, from_call: usize) -> ChainSection {
        let timeline = &self.run.timelines[place.timeline()];
        let activities = timeline.activities_between(Some(from_call), place.call());
        self.finish(place, BTreeMap::new(), activities, None)
    }

    fn finish(
        &self,
        place: CallPlace,
        mut sums: BTreeMap<(usize, State), i64>,
        activities: impl Iterator<Item = CallOrStretch>,
        waited: Option<LinkWait>,
    ) -> ChainSection {
        let timeline = &self.run.timelines[place.timeline()];
        for activity in activities {
            let (code, state, time_ns) = match activity {
                CallOrStretch::Computing { code, time_ns } => (code, State::Computing, time_ns),
                CallOrStretch::Call(call) => {
                    (call.code as usize, State::Communicating, call.leave_ns - call.enter_ns)
                }
            };
            *sums.entry((code, state)).or_default() += time_ns;
        }
        let mut spent: Vec<Spent> = sums
            .into_iter()
            .filter(|(_, time_ns)| *time_ns != 0)
            .map(|((code, state), time_ns)| Spent { code, state, time_ns })
            .collect();
        spent.sort_by_key(|part| (std::cmp::Reverse(part.time_ns), part.code, part.state));
        ChainSection {
            processor: place.timeline(),
            until_ns: timeline.calls.at(place.call()).enter_ns - self.run.first_ns,
            time_ns: spent.iter().map(|part| part.time_ns).sum(),
            spent,
            waited,
        }
    }
}
