use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use thiserror::Error;

use super::{InOut, PerProcessor, PerProcessorArena, Synchronisation, SynchronisationCost, Task, TaskStep};

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
    pub start_s: PerProcessor,
    /// One for each step of the task.
    pub moments: Vec<Moment>,
}

/// How a step went.
#[derive(Debug)]
pub(super) struct Moment {
    /// When each processor had done it.
    pub end_s: PerProcessor,
    pub kind: MomentKind,
}

#[derive(Debug)]
pub(super) enum MomentKind {
    Computed,
    /// One record for each part, behind the number of its first processor in the machine.
    Parts(Vec<(u32, Rc<Record>)>),
    /// When all that a processor waits for was there, and its communication began.
    Synchronised {
        begin_s: PerProcessor,
    },
}

impl Record {
    /// When each processor had done so many steps.
    pub fn after(&self, steps: usize) -> PerProcessor {
        steps.checked_sub(1).map_or(self.start_s, |last| self.moments[last].end_s)
    }

    pub fn end_s(&self) -> PerProcessor {
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

impl TaskError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            TaskError::Parts { .. } => "wrong-parts",
            TaskError::NoProcessor => "no-processor",
            TaskError::TooDifferent => "too-different-processors",
            TaskError::TooLong => "too-large-time",
            TaskError::Time { .. } => "wrong-time",
        }
    }
}

/// A superstep of the machine as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FinishedSuperstep {
    /// s, from 1.
    pub superstep: usize,
    /// The cost centre of its synchronisation; `None` of a last superstep without communication.
    pub centre: Option<usize>,
    /// When each processor had computed and called the synchronisation.
    pub ready_s: PerProcessor,
    /// When each processor had what it waits for.
    pub begin_s: PerProcessor,
    /// Φ, when each processor had finished the superstep.
    pub end_s: PerProcessor,
}

/// Evaluates equations (1) to (3): when each processor finishes each superstep, if it joins at `start_s` (ξ).
///
/// Parts that do the same from the same moments on are evaluated once.
///
/// # Errors
/// Machines without processors, parts that are not the processors of their machine, times that are none.
pub fn evaluate(
    arena: &mut PerProcessorArena,
    task: &Rc<Task>,
    start_s: PerProcessor,
    in_out: InOut,
) -> Result<Evaluation, TaskError> {
    let mut evaluator = Evaluator { arena, in_out, known: HashMap::new(), times: HashSet::new() };
    let record = evaluator.record(task, start_s)?;
    // Times only grow: what is infinite on the way is so at the end.
    match arena.largest(record.end_s()).is_finite() {
        true => Ok(Evaluation { record }),
        false => Err(TaskError::TooLong),
    }
}

struct Evaluator<'a> {
    arena: &'a mut PerProcessorArena,
    in_out: InOut,
    /// By the address of the task, which the record keeps alive.
    known: HashMap<(*const Task, PerProcessor), Rc<Record>>,
    /// Vectors that were looked through: all numbers in them are times.
    times: HashSet<PerProcessor>,
}

impl Evaluator<'_> {
    fn record(&mut self, task: &Rc<Task>, start_s: PerProcessor) -> Result<Rc<Record>, TaskError> {
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
            if self.arena.is_full() {
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

    fn step(&mut self, task: &Task, step: &TaskStep, now_s: PerProcessor) -> Result<Moment, TaskError> {
        match step {
            TaskStep::Compute { time_s, centre } => {
                self.check_times(*time_s, *centre)?;
                let end_s = self.arena.add(now_s, *time_s);
                Ok(Moment { end_s, kind: MomentKind::Computed })
            }
            TaskStep::Parts(parts) => {
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
                    let start_s = self.arena.slice(now_s, task.processors, first, part.processors);
                    let record = self.record(part, start_s)?;
                    ends.push((record.end_s(), part.processors));
                    records.push((first, record));
                    first += part.processors;
                }
                Ok(Moment { end_s: self.arena.join(&ends), kind: MomentKind::Parts(records) })
            }
            TaskStep::Synchronise(synchronisation) => {
                let begin_s = synchronisation.over_partners(self.arena, task.processors, now_s);
                let cost = synchronisation.cost_s(self.arena, task.processors, self.in_out);
                self.check_times(cost, synchronisation.centre)?;
                let end_s = self.arena.add(begin_s, cost);
                Ok(Moment { end_s, kind: MomentKind::Synchronised { begin_s } })
            }
        }
    }

    fn check_times(&mut self, time_s: PerProcessor, centre: usize) -> Result<(), TaskError> {
        if !self.times.insert(time_s) {
            return Ok(());
        }
        match self.arena.first_that(time_s, |time_s| !(time_s.is_finite() && time_s >= 0.0)) {
            Some(time_s) => Err(TaskError::Time { time_s, centre }),
            None => Ok(()),
        }
    }
}

impl Synchronisation {
    /// Seconds of the communication at each processor: g h + L of equation (2), or what is given.
    fn cost_s(&self, arena: &mut PerProcessorArena, processors: u32, in_out: InOut) -> PerProcessor {
        match self.cost {
            SynchronisationCost::Given(time_s) => time_s,
            SynchronisationCost::Linear(network) => {
                let h = self.h_relation(arena, processors, in_out);
                arena.map(h, |h| network.time_s(h))
            }
        }
    }

    /// Seconds of the communication in plain BSP, where all have what the largest h-relation, or the largest cost that is given, takes.
    pub(super) fn bsp_cost_s(&self, arena: &mut PerProcessorArena, processors: u32, in_out: InOut) -> f64 {
        match self.cost {
            SynchronisationCost::Given(time_s) => arena.largest(time_s),
            SynchronisationCost::Linear(network) => {
                let h = self.h_relation(arena, processors, in_out);
                network.time_s(arena.largest(h))
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
    pub fn end_s(&self) -> PerProcessor {
        self.record.end_s()
    }

    /// When the last processor has done everything.
    pub fn total_s(&self, arena: &mut PerProcessorArena) -> f64 {
        arena.largest(self.end_s())
    }

    /// The supersteps of the machine; those of its parts count as computing.
    pub fn supersteps(&self) -> Vec<FinishedSuperstep> {
        let record = &self.record;
        let mut found: Vec<FinishedSuperstep> = Vec::new();
        let mut computed = false;
        for (index, (moment, step)) in record.moments.iter().zip(&record.task.steps).enumerate() {
            match (&moment.kind, step) {
                (MomentKind::Synchronised { begin_s }, TaskStep::Synchronise(synchronisation)) => {
                    found.push(FinishedSuperstep {
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
            found.push(FinishedSuperstep {
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
        let mut arena = PerProcessorArena::new();
        let steps = (0..20).map(|step| {
            let times_s: Vec<f64> = (0..6400).map(|processor| f64::from(processor * step)).collect();
            TaskStep::Compute { time_s: arena.of_slice(&times_s), centre: 0 }
        });
        let task = Rc::new(Task { processors: 6400, steps: steps.collect() });
        let start_s = arena.same(0.0);
        let error = evaluate(&mut arena, &task, start_s, InOut::Sum).expect_err("too many parts");
        assert_eq!(error, TaskError::TooDifferent);
    }
}
