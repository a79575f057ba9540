use super::evaluate::{MomentKind, Record};
use super::{Evaluation, Profiles, Step};

/// What a processor does for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Activity {
    Computing,
    /// For messages, or at a barrier.
    Waiting,
    Communicating,
}

/// A stretch of time of one processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretch {
    pub activity: Activity,
    pub start_s: f64,
    pub end_s: f64,
    /// The cost centre of the step.
    pub centre: usize,
}

impl Evaluation {
    /// Calls a function with what the processors do, each by its number: step after step, so for each in the order of time. Stretches
    /// of no length are left out.
    pub(crate) fn stretches(&self, profiles: &Profiles, found: &mut dyn FnMut(u32, Stretch)) {
        self.record.stretches(profiles, 0, found);
    }
}

impl Record {
    fn stretches(&self, profiles: &Profiles, first: u32, found: &mut dyn FnMut(u32, Stretch)) {
        for (index, moment) in self.moments.iter().enumerate() {
            match &moment.kind {
                MomentKind::Parts(parts) => {
                    for (first_of_part, part) in parts {
                        part.stretches(profiles, first + first_of_part, found);
                    }
                }
                _ => self.step_stretches(profiles, index, first, found),
            }
        }
    }

    /// What the processors of the machine, counted from `first`, do in a step that is no partition.
    pub(super) fn step_stretches(
        &self,
        profiles: &Profiles,
        index: usize,
        first: u32,
        found: &mut dyn FnMut(u32, Stretch),
    ) {
        let (step, moment) = (&self.task.steps[index], &self.moments[index]);
        let (centre, ends) = match (step, &moment.kind) {
            (Step::Compute { centre, .. }, _) => (*centre, vec![(Activity::Computing, moment.end_s)]),
            (Step::Synchronise(synchronisation), MomentKind::Synchronised { begin_s }) => {
                let ends = vec![(Activity::Waiting, *begin_s), (Activity::Communicating, moment.end_s)];
                (synchronisation.centre, ends)
            }
            _ => return,
        };
        let processors = self.task.processors;
        let before = self.after(index);
        for processor in 0..processors {
            let mut start_s = profiles.at(before, processors, processor);
            for (activity, end_s) in &ends {
                let end_s = profiles.at(*end_s, processors, processor);
                if end_s > start_s {
                    found(first + processor, Stretch { activity: *activity, start_s, end_s, centre });
                }
                start_s = end_s;
            }
        }
    }
}
