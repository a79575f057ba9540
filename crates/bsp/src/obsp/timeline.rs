use super::evaluate::{MomentKind, Record};
use super::{Evaluation, PerProcessorArena, TaskStep};

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
    pub(crate) fn stretches(&self, arena: &PerProcessorArena, found: &mut dyn FnMut(u32, Stretch)) {
        self.record.stretches(arena, 0, found);
    }
}

impl Record {
    fn stretches(&self, arena: &PerProcessorArena, first: u32, found: &mut dyn FnMut(u32, Stretch)) {
        for (index, moment) in self.moments.iter().enumerate() {
            match &moment.kind {
                MomentKind::Parts(parts) => {
                    for (first_of_part, part) in parts {
                        part.stretches(arena, first + first_of_part, found);
                    }
                }
                _ => self.step_stretches(arena, index, first, found),
            }
        }
    }

    /// What the processors of the machine, counted from `first`, do in a step that is no partition.
    pub(super) fn step_stretches(
        &self,
        arena: &PerProcessorArena,
        index: usize,
        first: u32,
        found: &mut dyn FnMut(u32, Stretch),
    ) {
        let (step, moment) = (&self.task.steps[index], &self.moments[index]);
        let (centre, ends) = match (step, &moment.kind) {
            (TaskStep::Compute { centre, .. }, _) => (*centre, vec![(Activity::Computing, moment.end_s)]),
            (TaskStep::Synchronise(synchronisation), MomentKind::Synchronised { begin_s }) => {
                let ends = vec![(Activity::Waiting, *begin_s), (Activity::Communicating, moment.end_s)];
                (synchronisation.centre, ends)
            }
            _ => return,
        };
        let processors = self.task.processors;
        let before = self.after(index);
        for processor in 0..processors {
            let mut start_s = arena.at(before, processors, processor);
            for (activity, end_s) in &ends {
                let end_s = arena.at(*end_s, processors, processor);
                if end_s > start_s {
                    found(first + processor, Stretch { activity: *activity, start_s, end_s, centre });
                }
                start_s = end_s;
            }
        }
    }
}
