use std::rc::Rc;

use call_trace::{BspMachine, Place};

use super::Error;
use super::evaluated::Replay;
use crate::obsp::{
    Cost, Exchanged, InOut, NONE, Part, Profiles, Send, Step, Synchronisation, Target, Task, Waits, evaluate,
};

/// The supersteps of a run, machine by machine.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) root: Machine,
    /// ξ of each processor in seconds after the first one; 0 if their clocks have nothing in common.
    pub(super) start_s: Vec<f64>,
    pub(super) has_common_clock: bool,
    pub(super) places: Vec<Place>,
    /// `None` if the trace does not have their times.
    pub(super) experiments: Option<Vec<String>>,
    /// The supersteps of all machines; the cost centres of the tasks are numbers of these.
    pub(super) centres: Vec<Centre>,
}

/// A superstep of a machine.
#[derive(Debug, Clone)]
pub(super) struct Centre {
    pub machine: BspMachine,
    pub superstep: u64,
    /// Where it ends on each processor, as numbers of [`Program::places`].
    pub places: Vec<usize>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub processors: u32,
    pub supersteps: Vec<MachineStep>,
}

#[derive(Debug, Clone)]
pub(super) struct MachineStep {
    pub centre: usize,
    /// Times in which parts were open. They come one after another for each processor; one that is in none has a part of its own in
    /// which nothing happens.
    pub rounds: Vec<Round>,
    /// For each processor what it computes behind the last part.
    pub last: Vec<Computing>,
    /// For each processor what it recorded before the superstep; not the program's own.
    pub recording_s: Vec<f64>,
    /// For each processor.
    pub inside: Vec<Inside>,
    /// `None` where the machine ends, or a report comes between.
    pub end: Option<Exchange>,
    /// For each processor the moment in which it ends, by the clock of the run.
    pub end_s: Vec<f64>,
}

/// How much of the computing outside of parts lay inside experiments.
#[derive(Debug, Clone, Default)]
pub(super) struct Inside {
    /// All of it.
    pub own_s: f64,
    /// Experiments with their shares.
    pub shares: Vec<(usize, f64)>,
}

#[derive(Debug, Clone)]
pub(super) struct Round {
    pub before: Vec<Computing>,
    pub parts: Vec<Machine>,
}

/// A stretch of a processor outside of parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Computing {
    pub computing_s: f64,
    /// With what recording and waiting took in it.
    pub passed_s: f64,
}

/// The end of a superstep with a synchronisation.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub waits: Waits,
    pub sends: Messages,
    pub in_bytes: Vec<f64>,
    pub out_bytes: Vec<f64>,
    /// What it took each processor when all that it needs was there.
    pub cost_s: Vec<f64>,
}

/// Who sent something to whom.
#[derive(Debug, Clone)]
pub(super) enum Messages {
    ToAll,
    /// In each row the receiver of each processor; itself: it sends nothing.
    Rows(Vec<Rc<[u32]>>),
}

/// What synchronisations cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Costs {
    /// What they cost in the recording: where all processors have one clock, what passed from the moment in which the last partner
    /// was ready; else what the trace calls communicating.
    #[default]
    Recorded,
    /// g h + L of equation (2); nothing in machines of one processor.
    Linear {
        /// g.
        g_s_per_byte: f64,
        /// L.
        latency_s: f64,
    },
}

/// What is other than in the recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scenario {
    /// What synchronisations cost.
    pub costs: Costs,
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

/// Whether what recording took is part of the times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recording {
    LeftOut,
    Kept,
}

impl Program {
    /// Number of processors.
    pub fn processors(&self) -> u32 {
        self.root.processors
    }

    /// Whether the times of all processors count from the same moment.
    pub fn has_common_clock(&self) -> bool {
        self.has_common_clock
    }

    /// The experiments inside which supersteps computed; `None` if the trace does not tell.
    pub fn experiments(&self) -> Option<&[String]> {
        self.experiments.as_deref()
    }

    /// From where supersteps were ended; [`WaitChange::place`](super::WaitChange) and others are numbers of these.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// From the first start to the last end of the recording, with what recording took. Where clocks have nothing in common, the
    /// longest time of a processor.
    pub fn recorded_s(&self) -> f64 {
        let ends = self.root.supersteps.last().map_or(&[][..], |last| &last.end_s);
        ends.iter().copied().fold(0.0, f64::max)
    }

    /// Evaluates the program.
    ///
    /// # Errors
    /// Experiments that are not known, lie inside each other, or factors and costs that are none.
    pub fn replay(&self, scenario: &Scenario) -> Result<Replay, Error> {
        let factors = self.factors(&scenario.faster)?;
        if let Costs::Linear { g_s_per_byte, latency_s } = scenario.costs {
            check_cost("g", g_s_per_byte)?;
            check_cost("L", latency_s)?;
        }
        self.evaluated(scenario.costs, scenario.in_out, &factors, Recording::LeftOut)
    }

    /// Evaluates what was recorded, with the time that recording took, and compares.
    ///
    /// # Errors
    /// Times that are none.
    pub fn fidelity(&self) -> Result<Fidelity, Error> {
        let replay = self.evaluated(Costs::Recorded, InOut::Sum, &[], Recording::Kept)?;
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
        costs: Costs,
        in_out: InOut,
        factors: &[(usize, f64)],
        recording: Recording,
    ) -> Result<Replay, Error> {
        let mut profiles = Profiles::new();
        let mut tasks = Tasks { profiles: &mut profiles, costs, factors, recording };
        let task = Rc::new(tasks.machine(&self.root)?);
        let start_s = profiles.of_slice(&self.start_s);
        let evaluation = evaluate(&mut profiles, &task, start_s, in_out).map_err(Error::Task)?;
        Ok(Replay::new(self, profiles, task, evaluation, in_out))
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
    fn remaining(&self, factors: &[(usize, f64)]) -> f64 {
        let saved =
            factors.iter().map(|(experiment, factor)| self.share(*experiment) * (1.0 - factor.recip()));
        (1.0 - saved.sum::<f64>()).max(0.0)
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

/// Makes the tasks of a program.
struct Tasks<'a> {
    profiles: &'a mut Profiles,
    costs: Costs,
    factors: &'a [(usize, f64)],
    recording: Recording,
}

impl Tasks<'_> {
    fn machine(&mut self, machine: &Machine) -> Result<Task, Error> {
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
