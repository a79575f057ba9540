use super::evaluate::{MomentKind, Record};
use super::{Activity, Evaluation, Profile, Profiles};

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
    pub fn diagram(&self, profiles: &mut Profiles) -> Diagram {
        let mut diagram =
            Diagram { rows: vec![Vec::new(); self.processors() as usize], ..Diagram::default() };
        add(&self.record, profiles, 0, "", &mut diagram);
        diagram
    }
}

fn add(record: &Record, profiles: &mut Profiles, first: u32, outer: &str, diagram: &mut Diagram) {
    let processors = record.task.processors;
    let mut number = 1;
    let mut name = format!("{outer}{number}");
    diagram.supersteps.push(name.clone());
    let mut superstep = diagram.supersteps.len() - 1;
    for (index, moment) in record.moments.iter().enumerate() {
        match &moment.kind {
            MomentKind::Computed => {
                let ends = [(Activity::Computing, moment.end_s)];
                bars(diagram, profiles, (first, processors), record.after(index), &ends, superstep);
            }
            MomentKind::Parts(records) => {
                let mut first = first;
                for record in records {
                    let submachine = Submachine {
                        first,
                        processors: record.task.processors,
                        start_s: profiles.smallest(record.start_s),
                        end_s: profiles.largest(record.end_s()),
                    };
                    diagram.parts.push(submachine);
                    add(record, profiles, first, &format!("{name}."), diagram);
                    first += record.task.processors;
                }
            }
            MomentKind::Synchronised { begin_s } => {
                let ends = [(Activity::Waiting, *begin_s), (Activity::Communicating, moment.end_s)];
                bars(diagram, profiles, (first, processors), record.after(index), &ends, superstep);
                if index + 1 < record.moments.len() {
                    number += 1;
                    name = format!("{outer}{number}");
                    diagram.supersteps.push(name.clone());
                    superstep = diagram.supersteps.len() - 1;
                }
            }
        }
    }
}

/// Adds to each processor what it does up to these moments, one after the other.
fn bars(
    diagram: &mut Diagram,
    profiles: &Profiles,
    (first, processors): (u32, u32),
    start_s: Profile,
    ends: &[(Activity, Profile)],
    superstep: usize,
) {
    for processor in 0..processors {
        let row = &mut diagram.rows[(first + processor) as usize];
        let mut start_s = profiles.at(start_s, processors, processor);
        for (activity, end_s) in ends {
            let end_s = profiles.at(*end_s, processors, processor);
            if end_s > start_s {
                row.push(Bar { activity: *activity, start_s, end_s, superstep });
            }
            start_s = end_s;
        }
    }
}
