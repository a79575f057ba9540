use fixedbitset::FixedBitSet;
use hashbrown::HashMap;

use crate::clock::RunEnds;
use crate::parts::ProcessorTimes;
use crate::path::Path;
use crate::step::{State, Step};
use crate::timeline::ProcessorTimeline;

/// A part of the critical path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CriticalStep {
    /// Who does what.
    pub step: Step,
    /// How much of it lies on the path.
    pub time_ns: i64,
    /// By how much that is more than what a processor spends with this code on average: what would be gained at most if all did alike.
    pub imbalance_ns: f64,
}

/// Parallel efficiency as a product, as POP defines it: computing is useful, all else is not.
///
/// `parallel` = mean of computing / run time = `load_balance` × `serialisation` × `transfer`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Efficiency {
    /// From the first start to the last end.
    pub run_time_ns: i64,
    /// The share of computing in the time of all processors.
    pub parallel: f64,
    /// Mean of computing / its maximum.
    pub load_balance: f64,
    /// Maximum of computing / run time if calls took no time but for waiting.
    pub serialisation: f64,
    /// That run time / run time.
    pub transfer: f64,
    /// The share of the time of all processors in which they waited.
    pub waiting: f64,
}

/// Adds to `spent_ns` by code what the processor computes. In calls of the codes `unexplained` it waits, beyond `waiting_ns`.
pub(crate) fn times_of(
    timeline: &ProcessorTimeline,
    waiting_ns: i64,
    unexplained: &FixedBitSet,
    first_ns: i64,
    spent_ns: &mut [i64],
) -> ProcessorTimes {
    let (mut computing_ns, mut calls_ns, mut waiting_ns) = (0, 0, waiting_ns);
    for (stretches, call) in timeline.calls.walk_from(0) {
        for computing in stretches {
            computing_ns += computing.time_ns;
            let sum_ns = &mut spent_ns[computing.code as usize];
            *sum_ns = sum_ns.saturating_add(computing.time_ns);
        }
        if let Some(call) = call {
            calls_ns += call.leave_ns - call.enter_ns;
            if unexplained.contains(call.code as usize) {
                waiting_ns += call.leave_ns - call.enter_ns;
            }
        }
    }
    let waiting_for_start_ns = timeline.start_ns - first_ns;
    ProcessorTimes {
        computing_ns,
        waiting_ns,
        communicating_ns: calls_ns - waiting_ns + waiting_for_start_ns,
    }
}

pub(crate) fn efficiency(
    timelines: &[ProcessorTimeline],
    times: &[ProcessorTimes],
    ends: &RunEnds,
    first_ns: i64,
) -> Efficiency {
    let count = timelines.len() as f64;
    let run_time_ns = timelines.iter().map(|timeline| timeline.end_ns - first_ns).max().unwrap_or(0);
    let mean = times.iter().map(|its| its.computing_ns as f64).sum::<f64>() / count;
    let maximum = times.iter().map(|its| its.computing_ns).max().unwrap_or(0) as f64;
    let ideal = ends.ideal_ns.iter().copied().max().unwrap_or(0) as f64;
    let waiting = times.iter().map(|its| its.waiting_ns as f64).sum::<f64>() / count;
    // Of nothing everything is well used.
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
    Efficiency {
        run_time_ns,
        parallel: share(mean, run_time_ns as f64),
        load_balance: share(mean, maximum),
        serialisation: share(maximum, ideal),
        transfer: share(ideal, run_time_ns as f64),
        waiting: if run_time_ns > 0 { waiting / run_time_ns as f64 } else { 0.0 },
    }
}

/// `spent_ns` is what all processors compute, by code.
pub(crate) fn critical_path(
    timelines: &[ProcessorTimeline],
    ends: &RunEnds,
    spent_ns: &[i64],
) -> Vec<CriticalStep> {
    let Some(last) =
        (0..timelines.len()).max_by_key(|number| (timelines[*number].end_ns, std::cmp::Reverse(*number)))
    else {
        return Vec::new();
    };
    let on_path = ends.paths[last].minus(&Path::default()).into_iter().map(|(number, time_ns)| {
        let whose = timelines[ends.steps.timeline(number)].processor;
        (ends.steps.step(number, whose), time_ns)
    });
    let on_path: Vec<(Step, i64)> = on_path.collect();
    let mut of_code_ns: HashMap<usize, i64> = HashMap::new();
    for (step, time_ns) in on_path.iter().filter(|(step, _)| step.state == State::Computing) {
        *of_code_ns.entry(step.code).or_default() += time_ns;
    }
    let mut found: Vec<CriticalStep> = on_path
        .into_iter()
        .map(|(step, time_ns)| {
            // The imbalance of the code, divided among the processors that the path comes by.
            let path_ns = of_code_ns.get(&step.code).copied().unwrap_or(0) as f64;
            let mean_ns = spent_ns[step.code] as f64 / timelines.len() as f64;
            let share = if path_ns > 0.0 { time_ns as f64 / path_ns } else { 0.0 };
            let imbalance_ns = if step.state == State::Computing { share * (path_ns - mean_ns) } else { 0.0 };
            CriticalStep { step, time_ns, imbalance_ns }
        })
        .collect();
    found.sort_by_key(|part| (std::cmp::Reverse(part.time_ns), part.step));
    found
}
