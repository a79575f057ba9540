use std::ops::Range;

use super::{CALLS_OF_BLOCK, Call, Calls, Computing, IS_WIDE, KeptCall, NARROW_WORDS, StretchPlace};

/// Where a walk from call to call has come to.
#[derive(Debug, Clone)]
pub(crate) struct Walk<'a> {
    calls: &'a Calls,
    call: usize,
    place: StretchPlace,
    left_ns: i64,
    /// The words of the next calls if they are narrow, after this moment.
    narrow: &'a [u32],
    from_ns: i64,
}

impl<'a> Walk<'a> {
    /// From this call on, before which stretches come to that place, and the processor leaves the one before at that time.
    pub(super) fn new(calls: &'a Calls, call: usize, place: StretchPlace, left_ns: i64) -> Walk<'a> {
        Walk { calls, call, place, left_ns, narrow: &[], from_ns: 0 }
    }

    #[inline]
    fn kept(&mut self) -> KeptCall {
        if self.narrow.is_empty() {
            self.narrow = self.next_narrow();
        }
        match self.narrow.split_first_chunk() {
            Some((words, behind)) => {
                self.narrow = behind;
                KeptCall::of_narrow(self.from_ns, *words)
            }
            None => self.calls.kept(self.call),
        }
    }

    /// Those of the next call and the ones behind it in its block.
    fn next_narrow(&mut self) -> &'a [u32] {
        let block = self.calls.blocks.get(self.call / CALLS_OF_BLOCK);
        let Some(block) = block.filter(|block| block.words & IS_WIDE == 0) else { return &[] };
        self.from_ns = block.enter_ns;
        let words = &self.calls.words[block.words as usize..][..NARROW_WORDS * CALLS_OF_BLOCK];
        &words[NARROW_WORDS * (self.call % CALLS_OF_BLOCK)..]
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = (Stretches<'a>, Option<Call>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let Calls { codes, times_ns, .. } = self.calls;
        let (code, time) = (self.place.code as usize, self.place.time as usize);
        if self.call >= self.calls.len() {
            let is_behind = self.call == self.calls.len();
            self.call += 1;
            let stretches =
                Stretches { number: code, codes: &codes[code..], times_ns: &times_ns[time..], only_ns: 0 };
            return is_behind.then_some((stretches, None));
        }
        let kept = self.kept();
        let next = self.place.behind_one((kept.stretches, kept.has_times));
        let stretches = Stretches {
            number: code,
            codes: &codes[code..next.code as usize],
            times_ns: &times_ns[time..next.time as usize],
            only_ns: kept.call.enter_ns.wrapping_sub(self.left_ns),
        };
        (self.call, self.place, self.left_ns) = (self.call + 1, next, kept.call.leave_ns);
        Some((stretches, Some(kept.call)))
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
