use std::rc::Rc;

use super::ReplayError;
use super::replayed::Replay;
use crate::obsp::{InOut, Network, PerProcessorArena, SynchronisationCost, Task, TaskStep, evaluate};
use crate::recording::{ComputingStretch, OwnComputing, RecordedMachine, RecordedRun, RecordedSuperstep};

/// What synchronisations cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum NetworkCosts {
    /// What they cost in the recording: where all processors have one clock, what passed from the moment in which the last partner
    /// was ready; else what the trace calls communicating.
    #[default]
    Recorded,
    /// g h + L of equation (2); nothing in machines of one processor.
    Linear(Network),
}

/// What is other than in the recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// What synchronisations cost.
    pub costs: NetworkCosts,
    /// The operation `@` of equation (3); the recorded costs have it in them.
    pub in_out: InOut,
    /// Experiments and how many times as fast they are. Several must not lie inside each other.
    pub faster: Vec<(String, f64)>,
}

/// How near a replay with everything as it was comes to the recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fidelity {
    /// The largest distance between replayed and recorded end of a superstep of the outermost machine on a processor.
    pub largest_s: f64,
    /// Replayed less recorded total time.
    pub total_s: f64,
}

impl RecordedRun {
    /// Evaluates the run.
    ///
    /// # Errors
    /// Experiments that are not known, lie inside each other, or factors and costs that are none.
    pub fn replay(&self, scenario: &Scenario) -> Result<Replay, ReplayError> {
        let factors = self.factors(&scenario.faster)?;
        if let NetworkCosts::Linear(network) = scenario.costs {
            check_cost("g", network.g_s_per_byte)?;
            check_cost("L", network.latency_s)?;
        }
        self.evaluated(scenario.costs, scenario.in_out, &factors, RecordingCost::LeftOut)
    }

    /// Evaluates what was recorded, with the time that recording took, and compares.
    ///
    /// # Errors
    /// Times that are none.
    pub fn fidelity(&self) -> Result<Fidelity, ReplayError> {
        let replay = self.evaluated(NetworkCosts::Recorded, InOut::Sum, &[], RecordingCost::Kept)?;
        let mut largest_s = 0.0_f64;
        for (step, replayed) in replay.ends_of_supersteps(self.machine()) {
            let distances =
                step.end_s.iter().zip(replayed).map(|(recorded, replayed)| (recorded - replayed).abs());
            largest_s = distances.fold(largest_s, f64::max);
        }
        Ok(Fidelity { largest_s, total_s: replay.total_s() - self.recorded_s() })
    }

    fn evaluated(
        &self,
        costs: NetworkCosts,
        in_out: InOut,
        factors: &[(usize, f64)],
        recording: RecordingCost,
    ) -> Result<Replay, ReplayError> {
        let mut arena = PerProcessorArena::of_differing();
        let mut tasks = Tasks { arena: &mut arena, costs, factors, recording };
        let task = Rc::new(tasks.machine(self.machine())?);
        let start_s = arena.of_slice(self.start_s());
        let evaluation = evaluate(&mut arena, &task, start_s, in_out).map_err(ReplayError::Task)?;
        Ok(Replay::new(self, arena, task, evaluation, in_out))
    }

    /// By their numbers.
    fn factors(&self, faster: &[(String, f64)]) -> Result<Vec<(usize, f64)>, ReplayError> {
        let known = match self.experiments() {
            Some(known) => known,
            None if faster.is_empty() => return Ok(Vec::new()),
            None => return Err(ReplayError::NoExperiments),
        };
        let number = |(experiment, factor): &(String, f64)| {
            if !(factor.is_finite() && *factor > 0.0) {
                return Err(ReplayError::Factor { experiment: experiment.clone(), factor: *factor });
            }
            let position = known.iter().position(|its| its == experiment);
            let unknown =
                || ReplayError::UnknownExperiment { experiment: experiment.clone(), known: known.to_vec() };
            Ok((position.ok_or_else(unknown)?, *factor))
        };
        let factors: Vec<(usize, f64)> = faster.iter().map(number).collect::<Result<_, _>>()?;
        if factors.len() > 1 && has_overlap(self.machine(), &factors) {
            return Err(ReplayError::Overlap {
                experiments: faster.iter().map(|(name, _)| name.clone()).collect(),
            });
        }
        Ok(factors)
    }
}

fn check_cost(name: &'static str, value: f64) -> Result<(), ReplayError> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(ReplayError::Cost { name, value }) }
}

/// Times are written with nine decimals, and those of parts are taken off.
const ROUNDING_S: f64 = 1e-8;

/// Whether somewhere the experiments take more than all.
fn has_overlap(machine: &RecordedMachine, factors: &[(usize, f64)]) -> bool {
    let mut found = false;
    machine.each_superstep(&mut |_, step| {
        found |= step.computing.iter().any(|own| own.own_s * (chosen(own, factors) - 1.0) > ROUNDING_S);
    });
    found
}

fn share(own: &OwnComputing, experiment: usize) -> f64 {
    own.shares.iter().filter(|(its, _)| *its == experiment).map(|(_, share)| share).sum()
}

/// The share of experiments that are made faster.
fn chosen(own: &OwnComputing, factors: &[(usize, f64)]) -> f64 {
    factors.iter().map(|(experiment, _)| share(own, *experiment)).sum()
}

/// The share that is left when they are.
fn remaining(own: &OwnComputing, factors: &[(usize, f64)]) -> f64 {
    let saved = factors.iter().map(|(experiment, factor)| share(own, *experiment) * (1.0 - factor.recip()));
    (1.0 - saved.sum::<f64>()).max(0.0)
}

/// Whether what recording took is part of the times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordingCost {
    LeftOut,
    Kept,
}

/// Makes the tasks of OBSP* that a run is.
struct Tasks<'a> {
    arena: &'a mut PerProcessorArena,
    costs: NetworkCosts,
    factors: &'a [(usize, f64)],
    recording: RecordingCost,
}

impl Tasks<'_> {
    fn machine(&mut self, machine: &RecordedMachine) -> Result<Task, ReplayError> {
        let mut steps = Vec::new();
        for step in &machine.supersteps {
            if self.recording == RecordingCost::Kept {
                let time_s = self.arena.of_slice(&step.recording_s);
                steps.push(TaskStep::Compute { time_s, centre: step.centre });
            }
            for round in &step.rounds {
                steps.push(self.computing(step, &round.before));
                let part = |its: &RecordedMachine| Ok(Rc::new(self.machine(its)?));
                steps
                    .push(TaskStep::Parts(round.parts.iter().map(part).collect::<Result<_, ReplayError>>()?));
            }
            steps.push(self.computing(step, &step.last));
            if let Some(end) = &step.synchronisation {
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

    fn computing(&mut self, step: &RecordedSuperstep, stretches: &[ComputingStretch]) -> TaskStep {
        let time = |(stretch, own): (&ComputingStretch, &OwnComputing)| match self.recording {
            RecordingCost::Kept => stretch.passed_s,
            RecordingCost::LeftOut => stretch.computing_s * remaining(own, self.factors),
        };
        let times_s: Vec<f64> = stretches.iter().zip(&step.computing).map(time).collect();
        TaskStep::Compute { time_s: self.arena.of_slice(&times_s), centre: step.centre }
    }
}
