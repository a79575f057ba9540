use std::collections::HashMap;

use super::{InOut, Profiles, Step, Task};

/// The plain BSP cost of a task: every superstep ends when the slowest processor has computed, and the largest h-relation is
/// delivered, Σ max w + g max h + L. A partition begins and ends for all processors of a part at once. Never less than the OBSP* time
/// of a start at the same moment (Fig. 1: 6w against 5w).
pub fn bsp_cost_s(profiles: &mut Profiles, task: &Task, in_out: InOut) -> f64 {
    cost_s(profiles, task, in_out, &mut HashMap::new())
}

fn cost_s(profiles: &mut Profiles, task: &Task, in_out: InOut, known: &mut HashMap<*const Task, f64>) -> f64 {
    if let Some(known) = known.get(&std::ptr::from_ref(task)) {
        return *known;
    }
    let processors = task.processors;
    let nothing = profiles.same(0.0);
    let mut work_s = nothing;
    let mut total_s = 0.0;
    for step in &task.steps {
        match step {
            Step::Compute { time_s, .. } => work_s = profiles.add(work_s, *time_s),
            Step::Parts(parts) => {
                let mut first = 0;
                let mut ends = Vec::with_capacity(parts.len());
                for part in parts {
                    let before = profiles.slice(work_s, processors, first, part.processors);
                    let end_s = profiles.largest(before) + cost_s(profiles, part, in_out, known);
                    ends.push((profiles.same(end_s), part.processors));
                    first += part.processors;
                }
                work_s = profiles.join(&ends);
            }
            Step::Synchronise(synchronisation) => {
                total_s +=
                    profiles.largest(work_s) + synchronisation.bsp_cost_s(profiles, processors, in_out);
                work_s = nothing;
            }
        }
    }
    total_s += profiles.largest(work_s);
    known.insert(std::ptr::from_ref(task), total_s);
    total_s
}
