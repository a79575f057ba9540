use crate::graph::CallPlace;
use crate::history::AnalysedRun;

/// Parts of a processor's time from the first start to its own end, nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ProcessorTimes {
    pub computing_ns: i64,
    pub waiting_ns: i64,
    /// In calls, without what it waited for others.
    pub communicating_ns: i64,
}

/// What each processor does in each of so many equal parts of the run; all times of a processor together are those from its start to its end.
pub(crate) fn parts(run: &AnalysedRun, run_time_ns: i64, count: usize) -> Vec<Vec<ProcessorTimes>> {
    let of_processor = |number: usize| {
        let timeline = &run.timelines[number];
        let mut parts = EqualParts { run_time_ns, times: vec![ProcessorTimes::default(); count] };
        let mut now_ns = timeline.start_ns - run.first_ns;
        let mut waits = run.history.waits_from(CallPlace::new(number, 0));
        for (call, its) in timeline.calls.iter().enumerate() {
            let (enter_ns, leave_ns) = (its.enter_ns - run.first_ns, its.leave_ns - run.first_ns);
            let waited_ns = match run.unexplained.contains(its.code as usize) {
                true => leave_ns - enter_ns,
                false => waits.waited_in(call),
            };
            parts.add(now_ns, enter_ns, |times| &mut times.computing_ns);
            parts.add(enter_ns, enter_ns + waited_ns, |times| &mut times.waiting_ns);
            parts.add(enter_ns + waited_ns, leave_ns, |times| &mut times.communicating_ns);
            now_ns = leave_ns;
        }
        parts.add(now_ns, timeline.end_ns - run.first_ns, |times| &mut times.computing_ns);
        parts.times
    };
    (0..run.timelines.len()).map(of_processor).collect()
}

struct EqualParts {
    run_time_ns: i64,
    times: Vec<ProcessorTimes>,
}

impl EqualParts {
    fn add(&mut self, from_ns: i64, to_ns: i64, time_ns: impl Fn(&mut ProcessorTimes) -> &mut i64) {
        let mut from_ns = from_ns.max(0);
        while from_ns < to_ns.min(self.run_time_ns) {
            let part = self.part_of(from_ns);
            let until_ns = to_ns.min(self.end_ns(part));
            *time_ns(&mut self.times[part]) += until_ns - from_ns;
            from_ns = until_ns;
        }
    }

    /// The part that holds a moment before the end of the run.
    fn part_of(&self, at_ns: i64) -> usize {
        let guess = (i128::from(at_ns) * self.times.len() as i128 / i128::from(self.run_time_ns)) as usize;
        // Of a run with fewer nanoseconds than parts several are empty.
        (guess..).find(|part| self.end_ns(*part) > at_ns).unwrap_or(guess)
    }

    fn end_ns(&self, part: usize) -> i64 {
        (i128::from(self.run_time_ns) * (part as i128 + 1) / self.times.len() as i128) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_may_have_fewer_nanoseconds_than_parts() {
        for (run_time_ns, count) in [(1, 3), (2, 7), (7, 3), (100, 100), (3, 1000)] {
            let mut parts = EqualParts { run_time_ns, times: vec![ProcessorTimes::default(); count] };
            parts.add(0, run_time_ns, |times| &mut times.computing_ns);
            let all_ns: i64 = parts.times.iter().map(|times| times.computing_ns).sum();
            assert_eq!(all_ns, run_time_ns);
        }
    }
}
