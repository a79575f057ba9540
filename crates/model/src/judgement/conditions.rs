use call_trace::{Folding, SourceCounts, SummedUp, Unit, WALL_TIME};

use crate::sampled::Sampled;
use crate::{Prepared, Warning};

/// What traces say of how their times were measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeasuringConditions {
    /// Smallest step of the clock.
    pub resolution_s: Option<f64>,
    /// What an empty pair of directives records, if that was not taken off the times.
    pub empty_pair_s: Option<f64>,
    /// For each run that tells, the part of their time that others had the processors while its processes were ready to run.
    pub taken_shares: Vec<f64>,
    /// How often the statements run, where the traces know all variables of the formula.
    pub source_counts: Option<SourceCounts>,
}

/// A step or a cost of more than this share of a time is too much of it.
const SHARE: f64 = 0.02;

/// Others may have so much of the time of a run.
const TAKEN: f64 = 0.05;

/// So much of the time of the processor may pass beside it.
const BESIDE: f64 = 0.1;

/// Nanoseconds of the processor, among the counters.
const PROCESSOR_CLOCKS: [&str; 2] = ["task-clock", "cpu-clock"];

/// Tells where the thread was not on a processor for a good part of the time on the wall.
pub(super) fn outside_processor(prepared: &Prepared) -> Option<Warning> {
    let samples = prepared.samples();
    let position = |name: &&str| samples.counter_names.iter().position(|its| its == name);
    let (counter, column) = PROCESSOR_CLOCKS.iter().find_map(|name| Some((name, position(name)?)))?;
    let busy_s = samples.counters[column].iter().map(|value| Unit::Nanoseconds.to_base(*value));
    let both = samples.time_s.iter().copied().zip(busy_s).filter(|(_, busy_s)| busy_s.is_finite());
    let (time_s, busy_s) = both.fold((0.0, 0.0), |sums, (time_s, busy_s)| (sums.0 + time_s, sums.1 + busy_s));
    let share = time_s / busy_s - 1.0;
    (is_wall(prepared) && share.is_finite() && share > BESIDE)
        .then(|| Warning::OutsideProcessor { counter: (*counter).to_owned(), share })
}

/// Tells what a fit asks of measurements that sums of them do not say.
pub(super) fn summed_up(prepared: &Prepared) -> Option<Warning> {
    let SummedUp { measurements, kept, joins_sums } = prepared.summed_up()?;
    let repetitions = match prepared.settings().folding {
        Folding::Median => Some("medians"),
        Folding::Each => Some("the samples"),
        Folding::Mean | Folding::Minimum => None,
    };
    let repetitions = repetitions.map(str::to_owned);
    (repetitions.is_some() || joins_sums).then_some(Warning::SummedUp {
        measurements,
        kept,
        repetitions,
        joins_sums,
    })
}

/// Whether times are those of the wall, which pass also while others have the processors.
fn is_wall(prepared: &Prepared) -> bool {
    let is_wall_kept = prepared.samples().counter_names.iter().any(|name| name == WALL_TIME);
    prepared.unit() == &Unit::Seconds && !is_wall_kept
}

impl MeasuringConditions {
    /// Times that passed while others had the processors.
    pub(super) fn disturbed(&self, prepared: &Prepared) -> Option<Warning> {
        let disturbed = self.taken_shares.iter().copied().filter(|share| *share > TAKEN);
        let (count, most) = disturbed.fold((0, 0.0), |(count, most), share| (count + 1, share.max(most)));
        let all = self.taken_shares.len();
        (count > 0 && is_wall(prepared)).then_some(Warning::Disturbed { runs: count, all, most })
    }

    pub(super) fn warnings(&self, sampled: &Sampled) -> Vec<Warning> {
        let shortest_s = sampled.measured_s.iter().copied().fold(f64::INFINITY, f64::min);
        let below = |unit_s: f64| {
            let samples = sampled.measured_s.iter().filter(|time| **time * SHARE < unit_s).count();
            (samples > 0).then_some(samples)
        };
        let total = sampled.len();
        let step = self.resolution_s.and_then(|resolution_s| {
            let samples = below(resolution_s)?;
            Some(Warning::NearResolution { samples, total, shortest_s, resolution_s })
        });
        let pair = self.empty_pair_s.and_then(|empty_pair_s| {
            let samples = below(empty_pair_s)?;
            Some(Warning::NearEmptyPair { samples, total, shortest_s, empty_pair_s })
        });
        step.into_iter().chain(pair).collect()
    }
}
