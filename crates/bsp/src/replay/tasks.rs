//! The tasks of OBSP* that a program is.

use std::rc::Rc;

use super::Error;
use super::program::{Computing, Inside, Machine, MachineStep};
use super::scenario::NetworkCosts;
use crate::obsp::{PerProcessorArena, SynchronisationCost, Task, TaskStep};

/// Whether what recording took is part of the times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recording {
    LeftOut,
    Kept,
}

/// Makes the tasks of a program.
pub(super) struct Tasks<'a> {
    pub arena: &'a mut PerProcessorArena,
    pub costs: NetworkCosts,
    pub factors: &'a [(usize, f64)],
    pub recording: Recording,
}

impl Tasks<'_> {
    pub fn machine(&mut self, machine: &Machine) -> Result<Task, Error> {
        let mut steps = Vec::new();
        for step in &machine.supersteps {
            if self.recording == Recording::Kept {
                let time_s = self.arena.of_slice(&step.recording_s);
                steps.push(TaskStep::Compute { time_s, centre: step.centre });
            }
            for round in &step.rounds {
                steps.push(self.computing(step, &round.before));
                let part = |its: &Machine| Ok(Rc::new(self.machine(its)?));
                steps.push(TaskStep::Parts(round.parts.iter().map(part).collect::<Result<_, Error>>()?));
            }
            steps.push(self.computing(step, &step.last));
            if let Some(end) = &step.end {
                let cost = match self.costs {
                    NetworkCosts::Linear(network) if machine.processors > 1 => {
                        SynchronisationCost::Linear(network)
                    }
                    NetworkCosts::Linear(_) => SynchronisationCost::Given(self.arena.same(0.0)),
                    NetworkCosts::Recorded => SynchronisationCost::Given(self.arena.of_slice(&end.cost_s)),
                };
                steps.push(TaskStep::Synchronise(end.synchronisation(self.arena, cost, step.centre)));
            }
        }
        Ok(Task { processors: machine.processors, steps })
    }

    fn computing(&mut self, step: &MachineStep, stretches: &[Computing]) -> TaskStep {
        let time = |(stretch, inside): (&Computing, &Inside)| match self.recording {
            Recording::Kept => stretch.passed_s,
            Recording::LeftOut => stretch.computing_s * inside.remaining(self.factors),
        };
        let times_s: Vec<f64> = stretches.iter().zip(&step.inside).map(time).collect();
        TaskStep::Compute { time_s: self.arena.of_slice(&times_s), centre: step.centre }
    }
}
