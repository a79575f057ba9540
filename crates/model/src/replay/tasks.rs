//! The tasks of OBSP* that a program is.

use std::rc::Rc;

use super::Error;
use super::program::{Computing, Exchange, Inside, Machine, MachineStep, Messages};
use super::scenario::Costs;
use crate::obsp::{Cost, Exchanged, NONE, Part, Profiles, Send, Step, Synchronisation, Target, Task};

/// Whether what recording took is part of the times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recording {
    LeftOut,
    Kept,
}

/// Makes the tasks of a program.
pub(super) struct Tasks<'a> {
    pub profiles: &'a mut Profiles,
    pub costs: Costs,
    pub factors: &'a [(usize, f64)],
    pub recording: Recording,
}

impl Tasks<'_> {
    pub fn machine(&mut self, machine: &Machine) -> Result<Task, Error> {
        let mut steps = Vec::new();
        for step in &machine.supersteps {
            if self.recording == Recording::Kept {
                let time_s = self.profiles.of_slice(&step.recording_s);
                steps.push(Step::Compute { time_s, centre: step.centre });
            }
            for round in &step.rounds {
                steps.push(self.computing(step, &round.before));
                let part = |its: &Machine| Ok(Part { task: Rc::new(self.machine(its)?) });
                steps.push(Step::Parts(round.parts.iter().map(part).collect::<Result<_, Error>>()?));
            }
            steps.push(self.computing(step, &step.last));
            if let Some(end) = &step.end {
                let cost = match self.costs {
                    Costs::Linear { g_s_per_byte, latency_s } if machine.processors > 1 => {
                        Cost::Linear { g_s_per_byte, latency_s }
                    }
                    Costs::Linear { .. } => Cost::Given(self.profiles.same(0.0)),
                    Costs::Recorded => Cost::Given(self.profiles.of_slice(&end.cost_s)),
                };
                steps.push(Step::Synchronise(step.synchronisation(self.profiles, end, cost)));
            }
        }
        Ok(Task { processors: machine.processors, steps })
    }

    fn computing(&mut self, step: &MachineStep, stretches: &[Computing]) -> Step {
        let time = |(stretch, inside): (&Computing, &Inside)| match self.recording {
            Recording::Kept => stretch.passed_s,
            Recording::LeftOut => stretch.computing_s * inside.remaining(self.factors),
        };
        let times_s: Vec<f64> = stretches.iter().zip(&step.inside).map(time).collect();
        Step::Compute { time_s: self.profiles.of_slice(&times_s), centre: step.centre }
    }
}

impl MachineStep {
    pub(super) fn synchronisation(
        &self,
        profiles: &mut Profiles,
        end: &Exchange,
        cost: Cost,
    ) -> Synchronisation {
        let none = profiles.same(0.0);
        let sends = match &end.sends {
            Messages::ToAll => vec![Send { bytes: none, target: Target::All }],
            Messages::Rows(rows) => {
                let own = |row: &Rc<[u32]>| -> Vec<f64> {
                    (0..).zip(row.iter()).map(|(from, to)| if from == *to { NONE } else { 0.0 }).collect()
                };
                rows.iter()
                    .map(|row| Send {
                        bytes: profiles.of_slice(&own(row)),
                        target: Target::Each(Rc::clone(row)),
                    })
                    .collect()
            }
        };
        let exchanged = Exchanged {
            in_bytes: profiles.of_slice(&end.in_bytes),
            out_bytes: profiles.of_slice(&end.out_bytes),
        };
        Synchronisation { waits: end.waits, sends, exchanged: Some(exchanged), cost, centre: self.centre }
    }
}
