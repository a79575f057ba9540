use crate::calls::Stretches;
use crate::history::AnalysedRun;
use crate::replay::{Durations, ends};
use crate::step::State;

/// What a run takes when only a share of some steps' time is left: the time of these steps on its longest path, and of all else there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunTimeParts {
    /// What the steps took on that path in the recording, in nanoseconds.
    pub steps_ns: i64,
    /// What all else takes.
    pub others_ns: i64,
}

impl RunTimeParts {
    /// With this share of the steps: the run time, in nanoseconds.
    pub fn run_time_ns(&self, share: f64) -> f64 {
        self.others_ns as f64 + share * self.steps_ns as f64
    }

    fn plus(self, other: RunTimeParts) -> RunTimeParts {
        RunTimeParts { steps_ns: self.steps_ns + other.steps_ns, others_ns: self.others_ns + other.others_ns }
    }
}

/// The run time where of each of these steps this share is left.
pub(crate) fn run_time_parts(run: &AnalysedRun, steps: &[(usize, State)], share: f64) -> RunTimeParts {
    let codes = steps.iter().map(|(code, _)| code + 1).max().unwrap_or(0);
    let mut is_step = vec![[false; 2]; codes];
    steps.iter().for_each(|(code, state)| is_step[*code][state.bit()] = true);
    let mut shares = Shares { is_step, share };
    let start = shares.recorded(run.first_ns);
    let last =
        ends(run, &mut shares, |_, _, _| {}).into_iter().reduce(|left, right| shares.later(left, right));
    let last = last.unwrap_or(start);
    RunTimeParts { others_ns: last.others_ns - start.others_ns, ..last }
}

/// A replay that counts the time of some steps apart.
struct Shares {
    /// By code and state.
    is_step: Vec<[bool; 2]>,
    share: f64,
}

impl Shares {
    fn part(&self, code: usize, state: State, time_ns: i64) -> RunTimeParts {
        match self.is_step.get(code).is_some_and(|states| states[state.bit()]) {
            true => RunTimeParts { steps_ns: time_ns, others_ns: 0 },
            false => self.recorded(time_ns),
        }
    }
}

impl Durations for Shares {
    type Time = RunTimeParts;

    fn recorded(&self, at_ns: i64) -> RunTimeParts {
        RunTimeParts { steps_ns: 0, others_ns: at_ns }
    }

    fn computing(&mut self, _: usize, stretches: Stretches) -> RunTimeParts {
        let parts = stretches.map(|its| self.part(its.code as usize, State::Computing, its.time_ns));
        parts.fold(self.recorded(0), RunTimeParts::plus)
    }

    fn own(&self, code: usize, recorded_ns: i64) -> RunTimeParts {
        match recorded_ns > 0 {
            true => self.part(code, State::Communicating, recorded_ns),
            false => self.recorded(recorded_ns),
        }
    }

    fn sum(&self, left: RunTimeParts, right: RunTimeParts) -> RunTimeParts {
        left.plus(right)
    }

    /// Of equally late ones the one with less of the steps: it is the later one when still less of them is left.
    fn later(&self, left: RunTimeParts, right: RunTimeParts) -> RunTimeParts {
        let [left_ns, right_ns] = [left, right].map(|parts| parts.run_time_ns(self.share));
        let is_left = left_ns > right_ns || left_ns == right_ns && left.steps_ns < right.steps_ns;
        if is_left { left } else { right }
    }
}
