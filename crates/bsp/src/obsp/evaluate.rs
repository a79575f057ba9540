use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use thiserror::Error;

use super::{Cost, InOut, Profile, Profiles, Step, Synchronisation, Task};

/// When each processor was where: a task that was evaluated.
#[derive(Debug, Clone)]
pub struct Evaluation {
    pub(super) record: Rc<Record>,
}

/// A task from certain start times on.
#[derive(Debug)]
pub(super) struct Record {
    pub task: Rc<Task>,
    /// ξ.
    pub start_s: Profile,
    /// One for each step of the task.
    pub moments: Vec<Moment>,
}

/// How a step went.
#[derive(Debug)]
pub(super) struct Moment {
    /// When each processor had done it.
    pub end_s: Profile,
    pub kind: MomentKind,
}

#[derive(Debug)]
pub(super) enum MomentKind {
    Computed,
    /// One record for each part, behind the number of its first processor in the machine.
    Parts(Vec<(u32, Rc<Record>)>),
    /// When all that a processor waits for was there, and its communication began.
    Synchronised {
        begin_s: Profile,
    },
}

impl Record {
    /// When each processor had done so many steps.
    pub fn after(&self, steps: usize) -> Profile {
        steps.checked_sub(1).map_or(self.start_s, |last| self.moments[last].end_s)
    }

    pub fn end_s(&self) -> Profile {
        self.after(self.moments.len())
    }
}

/// Why a task has no times.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TaskError {
    /// A partition leaves processors out, or has too many.
    #[error("the parts have {parts} processors together, their machine has {processors}")]
    Parts {
        /// All processors of the parts.
        parts: u64,
        /// Processors of the machine.
        processors: u32,
    },
    /// A machine without processors.
    #[error("a machine or part has no processor")]
    NoProcessor,
    /// Too many numbers would have to be kept.
    #[error("too many processors differ in too many steps: their times do not fit into memory")]
    TooDifferent,
    /// All steps have times, but their sum is beyond all numbers.
    #[error("the time of all steps together is too large for a number")]
    TooLong,
    /// A computation or communication takes a time that is none.
    #[error("a step takes {time_s} s; times are finite and not negative")]
    Time {
        /// The time.
        time_s: f64,
        /// The cost centre of the step.
        centre: usize,
    },
}

/// A superstep of the machine as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finished {
    /// s, from 1.
    pub superstep: usize,
    /// The cost centre of its synchronisation; `None` of a last superstep without communication.
    pub centre: Option<usize>,
    /// When each processor had computed and called the synchronisation.
    pub ready_s: Profile,
    /// When each processor had what it waits for.
    pub begin_s: Profile,
    /// Φ, when each processor had finished the superstep.
    pub end_s: Profile,
}

/// Evaluates equations (1) to (3): when each processor finishes each superstep, if it joins at `start_s` (ξ).
///
/// Parts that do the same from the same moments on are evaluated once.
///
/// # Errors
/// Machines without processors, parts that are not the processors of their machine, times that are none.
pub fn evaluate(
    profiles: &mut Profiles,
    task: &Rc<Task>,
    start_s: Profile,
    in_out: InOut,
) -> Result<Evaluation, TaskError> {
    let mut evaluator = Evaluator { profiles, in_out, known: HashMap::new(), times: HashSet::new() };
    let record = evaluator.record(task, start_s)?;
    // Times only grow: what is infinite on the way is so at the end.
    match profiles.largest(record.end_s()).is_finite() {
        true => Ok(Evaluation { record }),
        false => Err(TaskError::TooLong),
    }
}

struct Evaluator<'a> {
    profiles: &'a mut Profiles,
    in_out: InOut,
    /// By the address of the task, which the record keeps alive.
    known: HashMap<(*const Task, Profile), Rc<Record>>,
    /// Profiles that were looked through: all numbers in them are times.
    times: HashSet<Profile>,
}

impl Evaluator<'_> {
    fn record(&mut self, task: &Rc<Task>, start_s: Profile) -> Result<Rc<Record>, TaskError> {
        let key = (Rc::as_ptr(task), start_s);
        if let Some(known) = self.known.get(&key) {
            return Ok(Rc::clone(known));
        }
        if task.processors == 0 {
            return Err(TaskError::NoProcessor);
        }
        let mut moments = Vec::with_capacity(task.steps.len());
        let mut now_s = start_s;
        for step in &task.steps {
            if self.profiles.is_full() {
                return Err(TaskError::TooDifferent);
            }
            let moment = self.step(task, step, now_s)?;
            now_s = moment.end_s;
            moments.push(moment);
        }
        let record = Rc::new(Record { task: Rc::clone(task), start_s, moments });
        self.known.insert(key, Rc::clone(&record));
        Ok(record)
    }

    fn step(&mut self, task: &Task, step: &Step, now_s: Profile) -> Result<Moment, TaskError> {
        match step {
            Step::Compute { time_s, centre } => {
                self.check_times(*time_s, *centre)?;
                let end_s = self.profiles.add(now_s, *time_s);
                Ok(Moment { end_s, kind: MomentKind::Computed })
            }
            Step::Parts(parts) => {
                let counts = parts.iter().map(|part| u64::from(part.processors));
                let together: u64 = counts.sum();
                if together != u64::from(task.processors) {
                    return Err(TaskError::Parts { parts: together, processors: task.processors });
                }
                let mut first = 0;
                let mut records = Vec::with_capacity(parts.len());
                let mut ends = Vec::with_capacity(parts.len());
                for part in parts {
                    if part.processors == 0 {
                        return Err(TaskError::NoProcessor);
                    }
                    let start_s = self.profiles.slice(now_s, task.processors, first, part.processors);
                    let record = self.record(part, start_s)?;
                    ends.push((record.end_s(), part.processors));
                    records.push((first, record));
                    first += part.processors;
                }
                Ok(Moment { end_s: self.profiles.join(&ends), kind: MomentKind::Parts(records) })
            }
            Step::Synchronise(synchronisation) => {
                let begin_s = synchronisation.over_partners(self.profiles, task.processors, now_s);
                let cost = synchronisation.cost_s(self.profiles, task.processors, self.in_out);
                self.check_times(cost, synchronisation.centre)?;
                let end_s = self.profiles.add(begin_s, cost);
                Ok(Moment { end_s, kind: MomentKind::Synchronised { begin_s } })
            }
        }
    }

    fn check_times(&mut self, time_s: Profile, centre: usize) -> Result<(), TaskError> {
        if !self.times.insert(time_s) {
            return Ok(());
        }
        match self.profiles.first_that(time_s, |time_s| !(time_s.is_finite() && time_s >= 0.0)) {
            Some(time_s) => Err(TaskError::Time { time_s, centre }),
            None => Ok(()),
        }
    }
}

impl Synchronisation {
    /// Seconds of the communication at each processor: g h + L of equation (2), or what is given.
    fn cost_s(&self, profiles: &mut Profiles, processors: u32, in_out: InOut) -> Profile {
        match self.cost {
            Cost::Given(time_s) => time_s,
            Cost::Linear(network) => {
                let h = self.h_relation(profiles, processors, in_out);
                profiles.map(h, |h| network.time_s(h))
            }
        }
    }

    /// Seconds of the communication in plain BSP, where all have what the largest h-relation, or the largest cost that is given, takes.
    pub(super) fn bsp_cost_s(&self, profiles: &mut Profiles, processors: u32, in_out: InOut) -> f64 {
        match self.cost {
            Cost::Given(time_s) => profiles.largest(time_s),
            Cost::Linear(network) => {
                let h = self.h_relation(profiles, processors, in_out);
                network.time_s(profiles.largest(h))
            }
        }
    }
}

impl Evaluation {
    /// Processors of the machine.
    pub fn processors(&self) -> u32 {
        self.record.task.processors
    }

    /// Φ of the last superstep: when each processor has done everything.
    pub fn end_s(&self) -> Profile {
        self.record.end_s()
    }

    /// When the last processor has done everything.
    pub fn total_s(&self, profiles: &mut Profiles) -> f64 {
        profiles.largest(self.end_s())
    }

    /// The supersteps of the machine; those of its parts count as computing.
    pub fn supersteps(&self) -> Vec<Finished> {
        let record = &self.record;
        let mut found: Vec<Finished> = Vec::new();
        let mut computed = false;
        for (index, (moment, step)) in record.moments.iter().zip(&record.task.steps).enumerate() {
            match (&moment.kind, step) {
                (MomentKind::Synchronised { begin_s }, Step::Synchronise(synchronisation)) => {
                    found.push(Finished {
                        superstep: found.len() + 1,
                        centre: Some(synchronisation.centre),
                        ready_s: record.after(index),
                        begin_s: *begin_s,
                        end_s: moment.end_s,
                    });
                    computed = false;
                }
                _ => computed = true,
            }
        }
        if computed {
            let end_s = self.end_s();
            found.push(Finished {
                superstep: found.len() + 1,
                centre: None,
                ready_s: end_s,
                begin_s: end_s,
                end_s,
            });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_do_not_fit_into_memory_are_refused() {
        let mut profiles = Profiles::new();
        let steps = (0..20).map(|step| {
            let times_s: Vec<f64> = (0..6400).map(|processor| f64::from(processor * step)).collect();
            Step::Compute { time_s: profiles.of_slice(&times_s), centre: 0 }
        });
        let task = Rc::new(Task { processors: 6400, steps: steps.collect() });
        let start_s = profiles.same(0.0);
        let error = evaluate(&mut profiles, &task, start_s, InOut::Sum).expect_err("too many parts");
        assert_eq!(error, TaskError::TooDifferent);
    }
}
