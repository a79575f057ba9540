//! Who is waited for inside of collective operations: libraries pass on from one processor to the next, so one that nobody needs by what the operation
//! does keeps others waiting.

use call_trace::CollectiveOperation;
use hashbrown::HashMap;

use crate::graph::{CallPlace, CarriedOperation, SizedOperation, WaitInside};
use crate::timeline::ProcessorTimeline;

/// A call that takes more than so many times what is seen of its operation waited for somebody: libraries pass on along trees, and who comes last may
/// show one of their levels only.
fn long(processors: u32) -> i64 {
    1 + i64::from(processors.max(2).next_power_of_two().ilog2())
}

/// What may have been waited for inside of operations, until it is known what these take.
#[derive(Debug, Default)]
pub(crate) struct InnerWaits {
    /// Of each time that an operation was done, the longest time that a processor stayed when nobody came any more.
    stayed_ns: HashMap<SizedOperation, Vec<i64>>,
    /// With how long these calls lasted when all was there that they need in any case.
    possible: Vec<(WaitInside, i64)>,
}

impl InnerWaits {
    /// Adds one time that processors do such an operation together and stay in the call.
    pub(crate) fn add(&mut self, its: &CarriedOperation, timelines: &[ProcessorTimeline]) {
        let times = EnterAndLeaveTimes::of(its, timelines);
        let operation = its.sized();
        let first = self.possible.len();
        let mut most_ns = 0;
        for (rank, (_, completed)) in its.parts.iter().enumerate() {
            let (Some(waiting), Some(leave_ns)) = (*completed, times.leave_ns(rank)) else { continue };
            let needed_ns = times.needed_ns(rank);
            let causer = times.last_until(rank, leave_ns - 1);
            let last_ns = causer.map_or(needed_ns, |causer| times.enter_ns(causer));
            most_ns = most_ns.max(leave_ns - last_ns);
            if let Some(causer) = causer {
                let wait = WaitInside { operation, causer: its.parts[causer].0, waiting };
                self.possible.push((wait, leave_ns - needed_ns));
            }
        }
        self.stayed_ns.entry(operation).or_default().push(most_ns);
        let kept = self.possible.split_off(first);
        self.possible.extend(kept.into_iter().filter(|(_, time_ns)| is_long(*time_ns, most_ns, operation)));
    }

    /// Those that lasted long, compared with what their operation takes this time, and three of four times.
    pub(crate) fn found(self) -> impl Iterator<Item = WaitInside> {
        let usual = |(operation, mut stayed_ns): (SizedOperation, Vec<i64>)| {
            let place = (3 * stayed_ns.len()).div_ceil(4) - 1;
            (operation, *stayed_ns.select_nth_unstable(place).1)
        };
        let usual_ns: HashMap<SizedOperation, i64> = self.stayed_ns.into_iter().map(usual).collect();
        let possible = self.possible.into_iter();
        possible
            .filter(move |(its, time_ns)| is_long(*time_ns, usual_ns[&its.operation], its.operation))
            .map(|(its, _)| its)
    }
}

fn is_long(time_ns: i64, usual_ns: i64, (_, processors, _): SizedOperation) -> bool {
    time_ns > usual_ns.saturating_mul(long(processors))
}

/// When processors came to an operation and left it, by their ranks.
pub(crate) struct EnterAndLeaveTimes {
    /// Ranks by when they came.
    order: Vec<(i64, usize)>,
    enter_ns: Vec<i64>,
    leave_ns: Vec<Option<i64>>,
    /// When the last one came of those that a rank needs in any case, if there are some.
    others_ns: Vec<Option<i64>>,
    spread_ns: i64,
}

/// How long an operation took, from when the last one came that was waited for to when the last one left that had waited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Taken {
    pub(crate) most_ns: i64,
    /// From when the last one came at all: less, where libraries may have waited for one who came meanwhile.
    pub(crate) least_ns: i64,
    /// By how much those who carry something came one after the other.
    pub(crate) spread_ns: i64,
}

impl EnterAndLeaveTimes {
    pub(crate) fn of(operation: &CarriedOperation, timelines: &[ProcessorTimeline]) -> EnterAndLeaveTimes {
        use CollectiveOperation::*;
        let parts = &operation.parts;
        let call = |place: CallPlace| timelines[place.timeline()].calls.at(place.call());
        let enter_ns: Vec<i64> = parts.iter().map(|(entered, _)| call(*entered).enter_ns).collect();
        let leave_ns = parts.iter().map(|(_, completed)| Some(call((*completed)?).leave_ns)).collect();
        let mut others_ns = vec![None; parts.len()];
        let mut spread_ns = 0;
        match (operation.operation, operation.root) {
            (Broadcast | Scatter, Some(root)) => {
                others_ns.fill(Some(enter_ns[root]));
                others_ns[root] = None;
                spread_ns = enter_ns.iter().max().map_or(0, |last_ns| last_ns - enter_ns[root]);
            }
            (Reduce | Gather, Some(root)) => {
                let others = || {
                    enter_ns.iter().enumerate().filter(|(rank, _)| *rank != root).map(|(_, its_ns)| *its_ns)
                };
                others_ns[root] = others().max();
                spread_ns =
                    others().max().zip(others().min()).map_or(0, |(last_ns, first_ns)| last_ns - first_ns);
            }
            (Scan | Exscan, _) => {
                spread_ns = enter_ns
                    .iter()
                    .max()
                    .zip(enter_ns.iter().min())
                    .map_or(0, |(last_ns, first_ns)| last_ns - first_ns);
                for rank in 1..parts.len() {
                    others_ns[rank] = others_ns[rank - 1].max(Some(enter_ns[rank - 1]));
                }
            }
            _ => {}
        }
        let mut order: Vec<(i64, usize)> =
            enter_ns.iter().enumerate().map(|(rank, its_ns)| (*its_ns, rank)).collect();
        order.sort_unstable();
        EnterAndLeaveTimes { order, enter_ns, leave_ns, others_ns, spread_ns }
    }

    /// When a rank had all that it needs in any case, itself among it.
    pub(crate) fn needed_ns(&self, rank: usize) -> i64 {
        self.others_ns[rank].map_or(self.enter_ns[rank], |its_ns| its_ns.max(self.enter_ns[rank]))
    }

    pub(crate) fn enter_ns(&self, rank: usize) -> i64 {
        self.enter_ns[rank]
    }

    pub(crate) fn leave_ns(&self, rank: usize) -> Option<i64> {
        self.leave_ns[rank]
    }

    /// Who came last until a moment, after a rank had all that it needs.
    pub(crate) fn last_until(&self, rank: usize, until_ns: i64) -> Option<usize> {
        let count = self.order.partition_point(|(its_ns, _)| *its_ns <= until_ns);
        let (last_ns, last) = self.order[..count].last()?;
        (*last_ns > self.needed_ns(rank)).then_some(*last)
    }

    /// `None` if nobody waited.
    pub(crate) fn taken(&self) -> Option<Taken> {
        let of_rank = |rank: usize| {
            let leave_ns = self.leave_ns[rank]?;
            let others_ns = self.others_ns[rank].filter(|its_ns| self.enter_ns[rank] <= *its_ns)?;
            let last_ns = self.last_until(rank, leave_ns).map_or(others_ns, |other| self.enter_ns[other]);
            Some((leave_ns - others_ns, leave_ns - last_ns))
        };
        let taken = || (0..self.enter_ns.len()).filter_map(of_rank);
        let most_ns = taken().map(|(most_ns, _)| most_ns).max()?;
        let least_ns = taken().map(|(_, least_ns)| least_ns).max()?;
        Some(Taken { most_ns, least_ns, spread_ns: self.spread_ns })
    }
}
