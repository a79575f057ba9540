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

/// What all processors do when.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diagram {
    /// For each processor its stretches of time, in their order.
    pub rows: Vec<Vec<Bar>>,
    /// The numbers of the supersteps by [`Bar::superstep`], as `2` of the machine and `2.1` of a part in its second superstep.
    pub supersteps: Vec<String>,
    /// The parts, each behind the one that it lies in.
    pub parts: Vec<Submachine>,
}

/// A stretch of time of a processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// What it does.
    pub activity: Activity,
    /// From when.
    pub start_s: f64,
    /// To when.
    pub end_s: f64,
    /// Index into [`Diagram::supersteps`]; supersteps of different machines have different ones.
    pub superstep: usize,
}

/// A part of a machine, while it is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Submachine {
    /// Its first processor, by its number in the whole machine.
    pub first: u32,
    /// How many it has.
    pub processors: u32,
    /// When its first processor joins it.
    pub start_s: f64,
    /// When its last one leaves it.
    pub end_s: f64,
}

impl Evaluation {
    /// What all processors do when. It grows with the number of processors, even where they do the same.
    pub fn diagram(&self, arena: &mut PerProcessorArena) -> Diagram {
        let mut diagram =
            Diagram { rows: vec![Vec::new(); self.processors() as usize], ..Diagram::default() };
        add(&self.record, arena, 0, "", &mut diagram);
        diagram
    }
}

fn add(record: &Record, arena: &mut PerProcessorArena, first: u32, outer: &str, diagram: &mut Diagram) {
    let mut number = 1;
    let mut name = format!("{outer}{number}");
    diagram.supersteps.push(name.clone());
    let mut superstep = diagram.supersteps.len() - 1;
    for (index, moment) in record.moments.iter().enumerate() {
        if let MomentKind::Parts(parts) = &moment.kind {
            for (first_of_part, part) in parts {
                let first = first + first_of_part;
                let submachine = Submachine {
                    first,
                    processors: part.task.processors,
                    start_s: arena.smallest(part.start_s),
                    end_s: arena.largest(part.end_s()),
                };
                diagram.parts.push(submachine);
                add(part, arena, first, &format!("{name}."), diagram);
            }
            continue;
        }
        record.step_stretches(arena, index, first, &mut |processor, stretch| {
            let Stretch { activity, start_s, end_s, .. } = stretch;
            diagram.rows[processor as usize].push(Bar { activity, start_s, end_s, superstep });
        });
        let is_end = matches!(moment.kind, MomentKind::Synchronised { .. });
        if is_end && index + 1 < record.moments.len() {
            number += 1;
            name = format!("{outer}{number}");
            diagram.supersteps.push(name.clone());
            superstep = diagram.supersteps.len() - 1;
        }
    }
}
