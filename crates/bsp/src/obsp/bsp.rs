use std::collections::HashMap;

use super::{InOut, PerProcessorArena, Task, TaskStep};

/// The plain BSP cost of a task: every superstep ends when the slowest processor has computed, and the largest h-relation is
/// delivered, Σ max w + g max h + L. A partition begins and ends for all processors of a part at once. Never less than the OBSP* time
/// of a start at the same moment (Fig. 1: 6w against 5w).
pub fn bsp_cost_s(arena: &mut PerProcessorArena, task: &Task, in_out: InOut) -> f64 {
    cost_s(arena, task, in_out, &mut HashMap::new())
}

fn cost_s(
    arena: &mut PerProcessorArena,
    task: &Task,
    in_out: InOut,
    known: &mut HashMap<*const Task, f64>,
) -> f64 {
    if let Some(known) = known.get(&std::ptr::from_ref(task)) {
        return *known;
    }
    let processors = task.processors;
    let nothing = arena.same(0.0);
    let mut work_s = nothing;
    let mut total_s = 0.0;
    for step in &task.steps {
        match step {
            TaskStep::Compute { time_s, .. } => work_s = arena.add(work_s, *time_s),
            TaskStep::Parts(parts) => {
                let mut first = 0;
                let mut ends = Vec::with_capacity(parts.len());
                for part in parts {
                    let before = arena.slice(work_s, processors, first, part.processors);
                    let end_s = arena.largest(before) + cost_s(arena, part, in_out, known);
                    ends.push((arena.same(end_s), part.processors));
                    first += part.processors;
                }
                work_s = arena.join(&ends);
            }
            TaskStep::Synchronise(synchronisation) => {
                total_s += arena.largest(work_s) + synchronisation.bsp_cost_s(arena, processors, in_out);
                work_s = nothing;
            }
        }
    }
    total_s += arena.largest(work_s);
    known.insert(std::ptr::from_ref(task), total_s);
    total_s
}
