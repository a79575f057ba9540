use call_bsp::recording::RecordedRun;
use call_bsp::replay::Scenario;
use call_model::question::{StraightPieces, Tangent, ValueRange, straight_pieces, tangent_by_chords};
use call_trace::Run;
use call_waiting::{State, StepChange, Waits};

use crate::command::call_site_view::name_of;
use crate::command::waits::{doubts_of_change, state_name};
use crate::{Error, Message};

/// A block of a recorded run, which can be replayed with less of it.
pub enum ReplayableBlock<'a> {
    /// Steps of what processors did between calls, and in them.
    Steps { waits: &'a Waits, names: &'a [String], steps: Vec<(usize, State)> },
    /// What supersteps compute inside of an experiment.
    Experiment { run: &'a RecordedRun, name: &'a str },
}

/// What one processor does on the critical path.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPart {
    pub processor: u32,
    pub what: String,
    pub state: &'static str,
    pub time_s: f64,
}

/// All of the block, and nothing of it.
const REDUCTIONS: ValueRange = ValueRange { lowest: 0.0, highest: 1.0 };
/// So many replays find the bends, or so many parts of the run time are near enough.
const MOST_REPLAYS: usize = 64;
const ENOUGH: f64 = 1e-4;
/// Paths are looked at so far before and behind a bend, if it stands so far from others.
const BESIDE: f64 = 1e-3;

impl ReplayableBlock<'_> {
    /// The run time in seconds over the part by which the block takes less time.
    pub fn run_times(&self) -> Result<StraightPieces, Error> {
        let before_s = self.run_time(REDUCTIONS.lowest)?.value;
        straight_pieces(REDUCTIONS, MOST_REPLAYS, ENOUGH * before_s, |reduction| self.run_time(reduction))
    }

    fn run_time(&self, reduction: f64) -> Result<Tangent, Error> {
        let share = 1.0 - reduction;
        match self {
            ReplayableBlock::Steps { waits, steps, .. } => {
                let parts = waits.run_time_parts(steps, share);
                Ok(Tangent { value: 1e-9 * parts.run_time_ns(share), slope: -1e-9 * parts.steps_ns as f64 })
            }
            ReplayableBlock::Experiment { run, name } => {
                tangent_by_chords(REDUCTIONS, reduction, |reduction| {
                    Ok(run.replay(&scenario(name, 1.0 - reduction))?.total_s())
                })
            }
        }
    }

    /// What the critical path goes through that it did not before, between these two reductions of which the first one is less; most of all.
    pub fn new_on_path(&self, before: f64, behind: f64, room: [f64; 2]) -> Result<Option<PathPart>, Error> {
        let beside = room.map(|room| BESIDE.min(0.5 * room));
        let before = self.path(before - beside[0])?;
        let grown_s = |part: &PathPart| {
            let is_same = |its: &&PathPart| {
                (its.processor, &its.what, its.state) == (part.processor, &part.what, part.state)
            };
            part.time_s - before.iter().filter(is_same).map(|its| its.time_s).sum::<f64>()
        };
        let behind = self.path(behind + beside[1])?.into_iter();
        Ok(behind.filter(|part| grown_s(part) > 0.0).reduce(|most, its| {
            match grown_s(&its) > grown_s(&most) {
                true => its,
                false => most,
            }
        }))
    }

    /// What may be wrong with nothing of the block left.
    pub fn doubts(&self, of: &Run) -> Vec<Message> {
        match self {
            ReplayableBlock::Steps { waits, steps, .. } => {
                let change = change(steps, REDUCTIONS.highest);
                doubts_of_change(of, waits, &waits.replay(&change), &change)
            }
            ReplayableBlock::Experiment { .. } => Vec::new(),
        }
    }

    /// The critical path with so much less of the block, the longest part first.
    pub fn path(&self, reduction: f64) -> Result<Vec<PathPart>, Error> {
        match self {
            ReplayableBlock::Steps { waits, names, steps } => {
                let change = change(steps, reduction);
                let part = |its: &call_waiting::CriticalStep| PathPart {
                    processor: its.step.processor,
                    what: names[its.step.code].clone(),
                    state: state_name(its.step.state),
                    time_s: 1e-9 * its.time_ns as f64,
                };
                Ok(waits.replay(&change).critical_path.iter().map(part).collect())
            }
            ReplayableBlock::Experiment { run, name } => {
                let chain = run.replay(&scenario(name, 1.0 - reduction))?.chain();
                let parts = chain.into_iter().flat_map(|share| {
                    let place = name_of(&run.call_sites()[share.call_site]);
                    let part = |what, state, time_s| PathPart {
                        processor: share.processor,
                        what,
                        state: state_name(state),
                        time_s,
                    };
                    let computing = part(format!("before {place}"), State::Computing, share.computing_s);
                    [computing, part(place, State::Communicating, share.communicating_s)]
                });
                Ok(parts.filter(|part| part.time_s > 0.0).collect())
            }
        }
    }
}

fn change(steps: &[(usize, State)], reduction: f64) -> StepChange {
    steps.iter().fold(StepChange::new(), |change, (code, state)| {
        change.faster(*code, *state, factor(1.0 - reduction))
    })
}

fn scenario(name: &str, share: f64) -> Scenario {
    Scenario { faster: vec![(name.to_owned(), factor(share))], ..Scenario::default() }
}

/// How many times as fast something is of which this share is left.
fn factor(share: f64) -> f64 {
    const NOTHING_LEFT: f64 = 1e18;
    share.recip().clamp(1.0, NOTHING_LEFT)
}
