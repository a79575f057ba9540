use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::obsp::{Activity, ChainLink, Diagram, Evaluation, InOut, PerProcessorArena, Task, bsp_cost_s};
use crate::recording::{RecordedMachine, RecordedRun, RecordedSuperstep};

/// A run that was evaluated.
#[derive(Debug)]
pub struct Replay {
    arena: PerProcessorArena,
    task: Rc<Task>,
    evaluation: Evaluation,
    in_out: InOut,
    total_s: f64,
    latest_start_s: f64,
    /// For each cost centre the call site of each processor of its machine, and the first of these.
    centres: Rc<[(u32, Vec<usize>)]>,
    first: u32,
}

/// A share of the critical chain: what it has of a call site on a processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainShare {
    /// Number of [`RecordedRun::call_sites`]: where the supersteps end.
    pub call_site: usize,
    /// The processor, by its number in the run.
    pub processor: u32,
    /// Computing of these supersteps.
    pub computing_s: f64,
    /// Their synchronisations.
    pub communicating_s: f64,
}

/// What a processor does in the supersteps that end at a call site.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct ActivityTimes {
    pub computing_s: f64,
    pub waiting_s: f64,
    pub communicating_s: f64,
}

/// The waiting of a processor at the end of a superstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub call_site: usize,
    pub centre: usize,
    pub processor: u32,
}

impl Replay {
    pub(super) fn new(
        run: &RecordedRun,
        mut arena: PerProcessorArena,
        task: Rc<Task>,
        evaluation: Evaluation,
        in_out: InOut,
    ) -> Replay {
        let total_s = evaluation.total_s(&mut arena);
        let centres =
            run.superstep_names().iter().map(|its| (its.machine.processors.first, its.call_sites.clone()));
        let first = run.first_processor();
        let latest_start_s = run.start_s().iter().copied().fold(0.0, f64::max);
        let centres = centres.collect();
        Replay { arena, task, evaluation, in_out, total_s, latest_start_s, centres, first }
    }

    /// The supersteps as a task of OBSP*.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// When the last processor has done everything, from the first start on.
    pub fn total_s(&self) -> f64 {
        self.total_s
    }

    /// When the same supersteps end by plain BSP: as if all processors started with the last one, and those of a machine waited for each
    /// other at each end.
    pub fn bsp_cost_s(&mut self) -> f64 {
        self.latest_start_s + bsp_cost_s(&mut self.arena, &self.task, self.in_out)
    }

    /// The critical chain by processors and call sites, the largest share first.
    pub fn chain(&mut self) -> Vec<ChainShare> {
        let mut shares: BTreeMap<(usize, u32), (f64, f64)> = BTreeMap::new();
        for link in self.links() {
            let processor = self.first + link.processor;
            let share = shares.entry((self.call_site(link.centre, processor), processor)).or_default();
            match link.activity {
                Activity::Communicating => share.1 += link.end_s - link.start_s,
                _ => share.0 += link.end_s - link.start_s,
            }
        }
        let share = |((call_site, processor), (computing_s, communicating_s))| ChainShare {
            call_site,
            processor,
            computing_s,
            communicating_s,
        };
        let mut shares: Vec<ChainShare> = shares.into_iter().map(share).collect();
        shares.sort_by(|left, right| {
            (right.computing_s + right.communicating_s).total_cmp(&(left.computing_s + left.communicating_s))
        });
        shares
    }

    /// What all processors do when. The rows, and the processors of the links of [`Replay::links`], count from the first processor of
    /// the run.
    pub fn diagram(&mut self) -> Diagram {
        self.evaluation.diagram(&mut self.arena)
    }

    /// The critical chain in the order of time.
    pub fn links(&mut self) -> Vec<ChainLink> {
        self.evaluation.chain(&mut self.arena)
    }

    /// The number of the first processor in the run, which is not 0 where a part of the processors recorded.
    pub fn first_processor(&self) -> u32 {
        self.first
    }

    /// Where a processor ends a superstep.
    fn call_site(&self, centre: usize, processor: u32) -> usize {
        let (first, call_sites) = &self.centres[centre];
        call_sites[(processor - first) as usize]
    }

    /// Φ of the last superstep of each processor.
    pub(super) fn ends_s(&self) -> Vec<f64> {
        self.arena.values(self.evaluation.end_s(), self.evaluation.processors())
    }

    /// What each processor does at the ends of its supersteps.
    pub(super) fn times(&self) -> BTreeMap<At, ActivityTimes> {
        let mut found: BTreeMap<At, ActivityTimes> = BTreeMap::new();
        self.evaluation.stretches(&self.arena, &mut |number, stretch| {
            let processor = self.first + number;
            let call_site = self.call_site(stretch.centre, processor);
            let times = found.entry(At { call_site, centre: stretch.centre, processor }).or_default();
            let length_s = stretch.end_s - stretch.start_s;
            match stretch.activity {
                Activity::Computing => times.computing_s += length_s,
                Activity::Waiting => times.waiting_s += length_s,
                Activity::Communicating => times.communicating_s += length_s,
            }
        });
        found
    }

    /// The supersteps of the outermost machine with the moments in which its processors had finished them.
    pub(super) fn ends_of_supersteps<'a>(
        &self,
        root: &'a RecordedMachine,
    ) -> Vec<(&'a RecordedSuperstep, Vec<f64>)> {
        let finished = self.evaluation.supersteps();
        let synchronised: HashMap<usize, &RecordedSuperstep> =
            root.supersteps.iter().map(|step| (step.centre, step)).collect();
        let step_of = |centre: Option<usize>| match centre {
            Some(centre) => synchronised.get(&centre).copied(),
            None => root.supersteps.last(),
        };
        let ends = finished.iter().filter_map(|its| {
            let ends_s = self.arena.values(its.end_s, self.evaluation.processors());
            Some((step_of(its.centre)?, ends_s))
        });
        ends.collect()
    }
}
