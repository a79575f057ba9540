use super::evaluate::{MomentKind, Record};
use super::{Activity, Evaluation, PerProcessorArena, TaskStep};

/// A stretch of the critical chain: one processor computes or communicates, and all that follows waits for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainLink {
    /// The processor, by its number in the whole machine.
    pub processor: u32,
    /// Never waiting: where a processor waits, the chain is at the one that it waits for.
    pub activity: Activity,
    /// From when.
    pub start_s: f64,
    /// To when; the next link begins here.
    pub end_s: f64,
    /// The cost centre of the step.
    pub centre: usize,
}

impl Evaluation {
    /// The critical processor chain: from the processor that ends last back, at each synchronisation, to the processor of its Ω that
    /// was ready last; in the order of time. Its lengths add up to the total time from the start of its first processor. Where
    /// several are equally late, it stays where it is, or takes the first.
    pub fn chain(&self, arena: &mut PerProcessorArena) -> Vec<ChainLink> {
        let mut links = Vec::new();
        let last = arena.first_of_largest(self.end_s(), self.processors());
        back(&self.record, arena, last, 0, &mut links);
        links.reverse();
        links
    }
}

/// Follows the chain back through a record, from one of its processors; gives the processor at its start.
fn back(
    record: &Record,
    arena: &mut PerProcessorArena,
    from: u32,
    first: u32,
    links: &mut Vec<ChainLink>,
) -> u32 {
    let processors = record.task.processors;
    let mut processor = from;
    for (index, (step, moment)) in record.task.steps.iter().zip(&record.moments).enumerate().rev() {
        let before = record.after(index);
        let end_s = arena.at(moment.end_s, processors, processor);
        match (step, &moment.kind) {
            (TaskStep::Compute { centre, .. }, _) => {
                let start_s = arena.at(before, processors, processor);
                add(links, first + processor, Activity::Computing, (start_s, end_s), *centre);
            }
            (_, MomentKind::Parts(records)) => {
                let next = records.partition_point(|(first_of_part, _)| *first_of_part <= processor);
                let (first_of_part, part) = &records[next - 1];
                let start = back(part, arena, processor - first_of_part, first + first_of_part, links);
                processor = first_of_part + start;
            }
            (TaskStep::Synchronise(synchronisation), MomentKind::Synchronised { begin_s }) => {
                let begin_s = arena.at(*begin_s, processors, processor);
                let centre = synchronisation.centre;
                add(links, first + processor, Activity::Communicating, (begin_s, end_s), centre);
                processor = synchronisation.latest_partner(arena, processors, before, processor);
            }
            _ => {}
        }
    }
    processor
}

/// Adds a link before those known; what has no length is left out.
fn add(
    links: &mut Vec<ChainLink>,
    processor: u32,
    activity: Activity,
    (start_s, end_s): (f64, f64),
    centre: usize,
) {
    if end_s > start_s {
        links.push(ChainLink { processor, activity, start_s, end_s, centre });
    }
}
