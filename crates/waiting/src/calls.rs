//! The calls of a processor and what it computes between them. There are many of both, so those of a block share what they have in common:
//! a call takes 14 bytes and a stretch of computing 4 where calls of a block begin and end within four seconds, and nothing takes more than 30.

use std::ops::Range;

pub(crate) use walk::{CallWalk, Stretches};

mod walk;

/// A call of the library.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    /// The code of its region.
    pub(crate) code: u32,
    pub(crate) enter_ns: i64,
    pub(crate) leave_ns: i64,
}

/// A stretch of computing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Computing {
    pub(crate) code: u32,
    pub(crate) time_ns: i64,
}

/// Calls in their order, with the stretches of computing before each and behind the last one.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallSequence {
    start_ns: i64,
    blocks: Vec<CallBlock>,
    /// Of the calls in blocks.
    words: Vec<u32>,
    /// Behind all blocks.
    open: Vec<KeptCall>,
    /// Of the stretches before calls, and at the end of those behind the last one.
    codes: Vec<u32>,
    /// Of those that their call does not tell.
    times_ns: Vec<i64>,
    /// Behind the last call, while calls come.
    behind: Vec<Computing>,
}

const CALLS_OF_BLOCK: usize = 16;

/// What the calls of a block have in common.
#[derive(Debug, Clone, Copy)]
struct CallBlock {
    /// When its first call is entered.
    enter_ns: i64,
    /// Where its words begin, with `IS_WIDE`.
    words: u64,
    /// How many stretches there are before it, and how many of them with times.
    before: StretchPlace,
}

/// Calls have all bits of their numbers.
const IS_WIDE: u64 = 1 << 63;
const NARROW_WORDS: usize = 3;
const WIDE_WORDS: usize = 6;

/// The last word of a call: code, number of stretches before it, whether these have times.
const CODE_BITS: u32 = 24;
const STRETCH_BITS: u32 = 7;
const HAS_TIMES: u32 = 1 << 31;

/// A call, with how many stretches are before it, and whether their times are kept: the time of a single one is what lies between the calls.
#[derive(Debug, Clone, Copy)]
struct KeptCall {
    call: Call,
    stretches: u32,
    has_times: bool,
}

/// Places among the codes and the times of stretches.
#[derive(Debug, Clone, Copy, Default)]
struct StretchPlace {
    code: u32,
    time: u32,
}

impl CallSequence {
    /// None yet, of a processor that starts then.
    pub(crate) fn from(start_ns: i64) -> CallSequence {
        CallSequence { start_ns, ..CallSequence::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.len() * CALLS_OF_BLOCK + self.open.len()
    }

    /// Whether there is neither a call nor a stretch of computing.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0 && self.codes.is_empty() && self.behind.is_empty()
    }

    /// Computes, behind all calls so far.
    pub(crate) fn compute(&mut self, code: u32, time_ns: i64) {
        match self.behind.last_mut() {
            Some(last) if last.code == code => last.time_ns += time_ns,
            _ => self.behind.push(Computing { code, time_ns }),
        }
    }

    /// A call begins; until it is left it takes no time.
    pub(crate) fn enter(&mut self, code: u32, enter_ns: i64) {
        let left_ns = self.last().map_or(self.start_ns, |last| last.leave_ns);
        let has_times = match self.behind[..] {
            [] => false,
            [only] => only.time_ns != enter_ns.wrapping_sub(left_ns),
            _ => true,
        };
        let stretches = self.behind.len() as u32;
        self.keep_behind(has_times);
        if self.open.len() == CALLS_OF_BLOCK {
            self.close();
        }
        let call = Call { code, enter_ns, leave_ns: enter_ns };
        self.open.push(KeptCall { call, stretches, has_times });
    }

    /// The last call ends.
    pub(crate) fn leave(&mut self, leave_ns: i64) {
        if let Some(last) = self.open.last_mut() {
            last.call.leave_ns = leave_ns;
        }
    }

    /// Nothing comes behind.
    pub(crate) fn finish(&mut self) {
        self.keep_behind(true);
        self.behind = Vec::new();
        self.words.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.codes.shrink_to_fit();
        self.times_ns.shrink_to_fit();
    }

    fn keep_behind(&mut self, has_times: bool) {
        for computing in self.behind.drain(..) {
            self.codes.push(computing.code);
            if has_times {
                self.times_ns.push(computing.time_ns);
            }
        }
    }

    /// Those that are open become a block.
    fn close(&mut self) {
        let enter_ns = self.open[0].call.enter_ns;
        let words = self.words.len() as u64;
        let before = self.stretches_through(self.blocks.len());
        let mut narrow = [[0; NARROW_WORDS]; CALLS_OF_BLOCK];
        let mut is_wide = false;
        for (kept, narrow) in self.open.iter().zip(&mut narrow) {
            match kept.narrow(enter_ns) {
                Some(its) => *narrow = its,
                None => is_wide = true,
            }
        }
        match is_wide {
            true => self.open.iter().for_each(|kept| self.words.extend_from_slice(&kept.wide())),
            false => self.words.extend_from_slice(narrow.as_flattened()),
        }
        self.blocks.push(CallBlock { enter_ns, words: words | if is_wide { IS_WIDE } else { 0 }, before });
        self.open.clear();
    }

    /// Those before a block.
    fn stretches_through(&self, block: usize) -> StretchPlace {
        match block.checked_sub(1) {
            None => StretchPlace::default(),
            Some(last) => {
                let calls = last * CALLS_OF_BLOCK..block * CALLS_OF_BLOCK;
                self.blocks[last].before.behind(calls.map(|call| self.kept_stretches(call)))
            }
        }
    }

    /// The last one so far.
    pub(crate) fn last(&self) -> Option<Call> {
        self.open.last().map(|kept| kept.call)
    }

    /// The call with this number, if there is one.
    pub(crate) fn get(&self, call: usize) -> Option<Call> {
        (call < self.len()).then(|| self.at(call))
    }

    /// The call with this number, which there must be.
    #[inline]
    pub(crate) fn at(&self, call: usize) -> Call {
        self.kept(call).call
    }

    /// Of these calls the first one of which this holds, as it does of all behind it; else the end.
    pub(crate) fn first_in(&self, calls: Range<usize>, holds: impl Fn(Call) -> bool) -> usize {
        let (mut first, mut end) = (calls.start, calls.end);
        while first < end {
            let middle = first + (end - first) / 2;
            match holds(self.at(middle)) {
                true => end = middle,
                false => first = middle + 1,
            }
        }
        first
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Call> {
        (0..self.len()).map(|call| self.at(call))
    }

    #[inline]
    fn kept(&self, call: usize) -> KeptCall {
        let place = call % CALLS_OF_BLOCK;
        let Some(block) = self.blocks.get(call / CALLS_OF_BLOCK) else { return self.open[place] };
        let first = (block.words & !IS_WIDE) as usize;
        if block.words & IS_WIDE == 0 {
            KeptCall::of_narrow(block.enter_ns, words(&self.words, first + NARROW_WORDS * place))
        } else {
            let [enter_low, enter_high, leave_low, leave_high, code, rest] =
                words(&self.words, first + WIDE_WORDS * place);
            KeptCall {
                call: Call {
                    code,
                    enter_ns: joined(enter_low, enter_high),
                    leave_ns: joined(leave_low, leave_high),
                },
                stretches: rest & !HAS_TIMES,
                has_times: rest & HAS_TIMES != 0,
            }
        }
    }

    /// How many stretches are before a call, and whether they have times.
    #[inline]
    fn kept_stretches(&self, call: usize) -> (u32, bool) {
        let place = call % CALLS_OF_BLOCK;
        match self.blocks.get(call / CALLS_OF_BLOCK) {
            Some(block) if block.words & IS_WIDE == 0 => {
                let rest = self.words[block.words as usize + NARROW_WORDS * place + NARROW_WORDS - 1];
                (rest >> CODE_BITS & ((1 << STRETCH_BITS) - 1), rest & HAS_TIMES != 0)
            }
            _ => {
                let KeptCall { stretches, has_times, .. } = self.kept(call);
                (stretches, has_times)
            }
        }
    }

    /// What was computed between a call and the one before it, or behind the last one.
    pub(crate) fn stretches_before(&self, call: usize) -> Stretches<'_> {
        self.walk_from(call).next().map_or_else(Stretches::default, |(stretches, _)| stretches)
    }

    /// All stretches of computing, in order.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = Computing> {
        self.walk_from(0).flat_map(|(stretches, _)| stretches)
    }

    /// Walks from call to call: what is computed before each, and the call; at last what is computed behind all of them.
    pub(crate) fn walk_from(&self, call: usize) -> CallWalk<'_> {
        let block = (call / CALLS_OF_BLOCK).min(self.blocks.len());
        let before = match self.blocks.get(block) {
            Some(block) => block.before,
            None => self.stretches_through(block),
        };
        let place = before.behind((block * CALLS_OF_BLOCK..call).map(|call| self.kept_stretches(call)));
        let left_ns = call.checked_sub(1).map_or(self.start_ns, |before| self.at(before).leave_ns);
        CallWalk::new(self, call, place, left_ns)
    }
}

impl KeptCall {
    /// In few bits, if they suffice, after a moment.
    fn narrow(&self, from_ns: i64) -> Option<[u32; NARROW_WORDS]> {
        let Call { code, enter_ns, leave_ns } = self.call;
        let difference = |from_ns: i64, until_ns: i64| u32::try_from(until_ns.checked_sub(from_ns)?).ok();
        let suffice = code < 1 << CODE_BITS && self.stretches < 1 << STRETCH_BITS;
        let rest = code | self.stretches << CODE_BITS | if self.has_times { HAS_TIMES } else { 0 };
        let (enter, lasts) = (difference(from_ns, enter_ns)?, difference(enter_ns, leave_ns)?);
        suffice.then_some([enter, lasts, rest])
    }

    /// What was narrow after a moment.
    #[inline]
    fn of_narrow(from_ns: i64, [enter, lasts, rest]: [u32; NARROW_WORDS]) -> KeptCall {
        let code = rest & ((1 << CODE_BITS) - 1);
        let enter_ns = from_ns + i64::from(enter);
        let stretches = rest >> CODE_BITS & ((1 << STRETCH_BITS) - 1);
        let call = Call { code, enter_ns, leave_ns: enter_ns + i64::from(lasts) };
        KeptCall { call, stretches, has_times: rest & HAS_TIMES != 0 }
    }

    fn wide(&self) -> [u32; WIDE_WORDS] {
        let Call { code, enter_ns, leave_ns } = self.call;
        let parts = |time_ns: i64| [time_ns as u32, (time_ns >> 32) as u32];
        let ([enter_low, enter_high], [leave_low, leave_high]) = (parts(enter_ns), parts(leave_ns));
        let rest = self.stretches | if self.has_times { HAS_TIMES } else { 0 };
        [enter_low, enter_high, leave_low, leave_high, code, rest]
    }
}

#[inline]
fn words<const COUNT: usize>(words: &[u32], first: usize) -> [u32; COUNT] {
    let its = &words[first..][..COUNT];
    std::array::from_fn(|place| its[place])
}

fn joined(low: u32, high: u32) -> i64 {
    (u64::from(high) << 32 | u64::from(low)).cast_signed()
}

impl StretchPlace {
    /// Behind the stretches of these calls.
    fn behind(self, calls: impl Iterator<Item = (u32, bool)>) -> StretchPlace {
        calls.fold(self, StretchPlace::behind_one)
    }

    #[inline]
    fn behind_one(self, (stretches, has_times): (u32, bool)) -> StretchPlace {
        let times = if has_times { stretches } else { 0 };
        StretchPlace { code: self.code + stretches, time: self.time + times }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against lists of all, whatever the times and the numbers of stretches are.
        #[test]
        fn calls_are_those_that_came(
            parts in prop::collection::vec(
                (
                    prop::collection::vec((0_u32..3, prop_oneof![0_i64..100, 0_i64..1 << 40]), 0..4),
                    prop_oneof![0_u32..9, 0_u32..1 << 30],
                    prop_oneof![0_i64..100, 0_i64..1 << 34],
                    prop_oneof![9 => Just(0_i64), 1 => -50_i64..50],
                    prop_oneof![20 => Just(1_usize), 1 => Just(90_usize)],
                ),
                0..60,
            ),
            start_ns in prop_oneof![Just(0), Just(i64::MIN / 2), Just(1_i64 << 52)],
        ) {
            let (mut calls, mut now_ns) = (CallSequence::from(start_ns), start_ns);
            let (mut expected, mut stretches) = (Vec::new(), Vec::new());
            for (computed, code, lasts_ns, off_ns, times) in parts {
                let mut before: Vec<(u32, i64)> = Vec::new();
                for (code, time_ns) in (0..times).flat_map(|_| computed.iter().copied()) {
                    calls.compute(code, time_ns);
                    now_ns += time_ns;
                    match before.last_mut() {
                        Some(last) if last.0 == code => last.1 += time_ns,
                        _ => before.push((code, time_ns)),
                    }
                }
                let enter_ns = now_ns + off_ns;
                calls.enter(code, enter_ns);
                now_ns = enter_ns + lasts_ns;
                calls.leave(now_ns);
                expected.push((code, enter_ns, now_ns));
                stretches.push(before);
            }
            calls.compute(7, 5);
            calls.finish();
            stretches.push(vec![(7, 5)]);
            let told = |call: Call| (call.code, call.enter_ns, call.leave_ns);
            prop_assert_eq!(calls.len(), expected.len());
            prop_assert_eq!(calls.iter().map(told).collect::<Vec<_>>(), expected.clone());
            let pairs = |its: Stretches| its.map(|its| (its.code, its.time_ns)).collect::<Vec<_>>();
            for (call, its) in stretches.iter().enumerate() {
                prop_assert_eq!(&pairs(calls.stretches_before(call)), its);
                let walked = calls.walk_from(call).map(|(its, _)| pairs(its)).collect::<Vec<_>>();
                prop_assert_eq!(&walked[..], &stretches[call..]);
            }
            let first: usize = stretches.iter().rev().skip(1).map(Vec::len).sum();
            prop_assert_eq!(calls.stretches_before(expected.len()).numbers(), first..first + 1);
            prop_assert!(calls.get(expected.len()).is_none());
        }
    }
}
