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
pub struct Stretch {
    /// What it does.
    pub activity: Activity,
    /// From when.
    pub start_s: f64,
    /// To when; stretches of no length are left out.
    pub end_s: f64,
    /// The cost centre of the step.
    pub centre: usize,
    /// Number of the superstep in its machine, from 1.
    pub superstep: usize,
    /// How many partitions the machine lies in.
    pub depth: usize,
}

impl Evaluation {
    /// What a processor does from its start to its end, in the order of time.
    pub fn timeline(&self, profiles: &Profiles, processor: u32) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        follow(&self.record, profiles, processor, 0, &mut stretches);
        stretches
    }
}

fn follow(record: &Record, profiles: &Profiles, processor: u32, depth: usize, stretches: &mut Vec<Stretch>) {
    let at = |profile| profiles.at(profile, record.task.processors, processor);
    let mut superstep = 1;
    let add = |activity, start_s: f64, end_s: f64, centre, superstep, stretches: &mut Vec<Stretch>| {
        if end_s > start_s {
            stretches.push(Stretch { activity, start_s, end_s, centre, superstep, depth });
        }
    };
    for (index, (step, moment)) in record.task.steps.iter().zip(&record.moments).enumerate() {
        let (start_s, end_s) = (at(record.after(index)), at(moment.end_s));
        match (step, &moment.kind) {
            (Step::Compute { centre, .. }, _) => {
                add(Activity::Computing, start_s, end_s, *centre, superstep, stretches);
            }
            (_, MomentKind::Parts(records)) => {
                let (record, first) = part_of(records, processor);
                follow(record, profiles, processor - first, depth + 1, stretches);
            }
            (Step::Synchronise(synchronisation), MomentKind::Synchronised { begin_s }) => {
                let (begin_s, centre) = (at(*begin_s), synchronisation.centre);
                add(Activity::Waiting, start_s, begin_s, centre, superstep, stretches);
                add(Activity::Communicating, begin_s, end_s, centre, superstep, stretches);
                superstep += 1;
            }
            _ => {}
        }
    }
}

/// The record of the part in which a processor is, and the first processor of that part.
pub(super) fn part_of(records: &[std::rc::Rc<Record>], processor: u32) -> (&Record, u32) {
    let mut first = 0;
    for record in records {
        if processor - first < record.task.processors {
            return (record, first);
        }
        first += record.task.processors;
    }
    unreachable!("the parts have all processors: `evaluate` has checked that")
}
