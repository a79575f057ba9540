use super::evaluate::{MomentKind, Record};
use super::timeline::Stretch;
use super::{Activity, Evaluation, PerProcessorArena};

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
