use std::rc::Rc;

use super::Error;
use super::evaluated::Replay;
use super::program::{Inside, Machine, Program};
use super::tasks::{Recording, Tasks};
use crate::obsp::{InOut, Network, PerProcessorArena, evaluate};

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

impl Program {
    /// Evaluates the program.
    ///
    /// # Errors
    /// Experiments that are not known, lie inside each other, or factors and costs that are none.
    pub fn replay(&self, scenario: &Scenario) -> Result<Replay, Error> {
        let factors = self.factors(&scenario.faster)?;
        if let NetworkCosts::Linear(network) = scenario.costs {
            check_cost("g", network.g_s_per_byte)?;
            check_cost("L", network.latency_s)?;
        }
        self.evaluated(scenario.costs, scenario.in_out, &factors, Recording::LeftOut)
    }

    /// Evaluates what was recorded, with the time that recording took, and compares.
    ///
    /// # Errors
    /// Times that are none.
    pub fn fidelity(&self) -> Result<Fidelity, Error> {
        let replay = self.evaluated(NetworkCosts::Recorded, InOut::Sum, &[], Recording::Kept)?;
        let mut largest_s = 0.0_f64;
        for (step, replayed) in replay.ends_of_supersteps(&self.root) {
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
        recording: Recording,
    ) -> Result<Replay, Error> {
        let mut arena = PerProcessorArena::new();
        let mut tasks = Tasks { arena: &mut arena, costs, factors, recording };
        let task = Rc::new(tasks.machine(&self.root)?);
        let start_s = arena.of_slice(&self.start_s);
        let evaluation = evaluate(&mut arena, &task, start_s, in_out).map_err(Error::Task)?;
        Ok(Replay::new(self, arena, task, evaluation, in_out))
    }

    /// By their numbers.
    fn factors(&self, faster: &[(String, f64)]) -> Result<Vec<(usize, f64)>, Error> {
        let known = match &self.experiments {
            Some(known) => known,
            None if faster.is_empty() => return Ok(Vec::new()),
            None => return Err(Error::NoExperiments),
        };
        let number = |(experiment, factor): &(String, f64)| {
            if !(factor.is_finite() && *factor > 0.0) {
                return Err(Error::Factor { experiment: experiment.clone(), factor: *factor });
            }
            let position = known.iter().position(|its| its == experiment);
            let unknown =
                || Error::UnknownExperiment { experiment: experiment.clone(), known: known.clone() };
            Ok((position.ok_or_else(unknown)?, *factor))
        };
        let factors: Vec<(usize, f64)> = faster.iter().map(number).collect::<Result<_, _>>()?;
        if factors.len() > 1 && self.root.has_overlap(&factors) {
            return Err(Error::Overlap {
                experiments: faster.iter().map(|(name, _)| name.clone()).collect(),
            });
        }
        Ok(factors)
    }
}

fn check_cost(name: &'static str, value: f64) -> Result<(), Error> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(Error::Cost { name, value }) }
}

/// Times are written with nine decimals, and those of parts are taken off.
const ROUNDING_S: f64 = 1e-8;

impl Machine {
    /// Whether somewhere the experiments take more than all.
    fn has_overlap(&self, factors: &[(usize, f64)]) -> bool {
        self.supersteps.iter().any(|step| {
            step.inside.iter().any(|its| its.own_s * (its.chosen(factors) - 1.0) > ROUNDING_S)
                || step.rounds.iter().any(|round| round.parts.iter().any(|part| part.has_overlap(factors)))
        })
    }
}

impl Inside {
    fn share(&self, experiment: usize) -> f64 {
        self.shares.iter().filter(|(its, _)| *its == experiment).map(|(_, share)| share).sum()
    }

    /// The share of experiments that are made faster.
    fn chosen(&self, factors: &[(usize, f64)]) -> f64 {
        factors.iter().map(|(experiment, _)| self.share(*experiment)).sum()
    }

    /// The share that is left when they are.
    pub(super) fn remaining(&self, factors: &[(usize, f64)]) -> f64 {
        let saved =
            factors.iter().map(|(experiment, factor)| self.share(*experiment) * (1.0 - factor.recip()));
        (1.0 - saved.sum::<f64>()).max(0.0)
    }
}
