use std::ops::Range;

use super::{CALLS_OF_BLOCK, Call, CallSequence, Computing, IS_WIDE, KeptCall, NARROW_WORDS, StretchPlace};

/// Where a walk from call to call has come to.
#[derive(Debug, Clone)]
pub(crate) struct CallWalk<'a> {
    calls: &'a CallSequence,
    call: usize,
    left_ns: i64,
    /// Of the stretches from here on.
    codes: &'a [u32],
    times_ns: &'a [i64],
    /// The words of the next calls if they are narrow, after this moment.
    narrow: &'a [u32],
    from_ns: i64,
}

impl<'a> CallWalk<'a> {
    /// From this call on, before which stretches come to that place, and the processor leaves the one before at that time.
    pub(super) fn new(
        calls: &'a CallSequence,
        call: usize,
        place: StretchPlace,
        left_ns: i64,
    ) -> CallWalk<'a> {
        let (codes, times_ns) = (&calls.codes[place.code as usize..], &calls.times_ns[place.time as usize..]);
        CallWalk { calls, call, left_ns, codes, times_ns, narrow: &[], from_ns: 0 }
    }

    /// The next call where none of its block is known to be narrow; `None` behind the last one.
    fn kept(&mut self) -> Option<KeptCall> {
        if self.call >= self.calls.len() {
            return None;
        }
        self.narrow = self.next_narrow();
        Some(self.narrow().unwrap_or_else(|| self.calls.kept(self.call)))
    }

    #[inline]
    fn narrow(&mut self) -> Option<KeptCall> {
        let (words, behind) = self.narrow.split_first_chunk()?;
        self.narrow = behind;
        Some(KeptCall::of_narrow(self.from_ns, *words))
    }

    /// Those of the next call and the ones behind it in its block.
    fn next_narrow(&mut self) -> &'a [u32] {
        let block = self.calls.blocks.get(self.call / CALLS_OF_BLOCK);
        let Some(block) = block.filter(|block| block.words & IS_WIDE == 0) else { return &[] };
        self.from_ns = block.enter_ns;
        let words = &self.calls.words[block.words as usize..][..NARROW_WORDS * CALLS_OF_BLOCK];
        &words[NARROW_WORDS * (self.call % CALLS_OF_BLOCK)..]
    }

    /// What is computed behind the last call, once.
    fn behind(&mut self) -> Option<Stretches<'a>> {
        let is_behind = self.call == self.calls.len();
        self.call += 1;
        is_behind.then(|| self.stretches(self.codes, self.times_ns, 0))
    }

    #[inline]
    fn stretches(&self, codes: &'a [u32], times_ns: &'a [i64], only_ns: i64) -> Stretches<'a> {
        Stretches { number: self.calls.codes.len() - self.codes.len(), codes, times_ns, only_ns }
    }
}

impl<'a> Iterator for CallWalk<'a> {
    type Item = (Stretches<'a>, Option<Call>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let Some(KeptCall { call, stretches, has_times }) = self.narrow().or_else(|| self.kept()) else {
            return self.behind().map(|stretches| (stretches, None));
        };
        let (codes, codes_behind) = self.codes.split_at(stretches as usize);
        let times = if has_times { codes.len() } else { 0 };
        let (times_ns, times_behind) = self.times_ns.split_at(times);
        let stretches = self.stretches(codes, times_ns, call.enter_ns.wrapping_sub(self.left_ns));
        (self.call, self.left_ns) = (self.call + 1, call.leave_ns);
        (self.codes, self.times_ns) = (codes_behind, times_behind);
        Some((stretches, Some(call)))
    }
}

/// Stretches of computing without a call between.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stretches<'a> {
    /// Of the first one, among all of the timeline.
    number: usize,
    codes: &'a [u32],
    /// Nothing where there is one, which takes `only_ns`.
    times_ns: &'a [i64],
    only_ns: i64,
}

impl Stretches<'_> {
    /// Their numbers among all of the timeline.
    pub(crate) fn numbers(&self) -> Range<usize> {
        self.number..self.number + self.codes.len()
    }
}

impl Iterator for Stretches<'_> {
    type Item = Computing;

    #[inline]
    fn next(&mut self) -> Option<Computing> {
        let (code, codes) = self.codes.split_first()?;
        let time_ns = match self.times_ns.split_first() {
            None => self.only_ns,
            Some((time_ns, behind)) => {
                self.times_ns = behind;
                *time_ns
            }
        };
        self.number += 1;
        self.codes = codes;
        Some(Computing { code: *code, time_ns })
    }
}
