//! What measuring cost a run, and the experiments that are too fine to be measured each time.

use std::fmt::Write as _;

use call_report::number;
use call_trace::{Experiment, Trace};

/// A measurement that takes more than this share of what it measures is too dear, where measuring counts at all.
const DEAR: f64 = 0.1;
/// Shares of the run time below this one do not count.
const COUNTS: f64 = 0.01;
/// A budget is missed if measuring took so many times of it.
const MISSED: f64 = 1.25;
/// So many experiments are named.
const FEW: usize = 5;

/// An experiment whose measurements cost much of the run.
struct TooFine<'a> {
    name: &'a str,
    mean_s: f64,
    /// Of the time of the run, what its measurements take.
    share: f64,
}

/// The share of the time that measuring took, and what is to be said of it; nothing if that was little or kept the budget.
pub fn of_trace(trace: &Trace) -> Option<(f64, String)> {
    let header = &trace.header;
    let share =
        header.measuring_share.filter(|share| *share > COUNTS && header.simulated_caches.is_empty())?;
    let percent = |share: f64| number::significant(100.0 * share, 2);
    let mut text = match header.budget {
        Some(budget) if share <= MISSED * budget => return None,
        Some(budget) => format!(
            "measuring took {} % of the time, more than the budget of {} %: looking at each execution takes time, too, and supersteps, \
             events and counters are recorded in full",
            percent(share),
            percent(budget)
        ),
        None => format!("measuring took {} % of the time", percent(share)),
    };
    let fine = too_fine(trace, share);
    if !fine.is_empty() {
        let times = |its: &TooFine| format!("{} ({} ns)", its.name, number::significant(1e9 * its.mean_s, 2));
        let named: Vec<String> = fine.iter().take(FEW).map(times).collect();
        let more = fine.len().saturating_sub(FEW);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = write!(text, "; too fine for it: {}{more}", named.join(", "));
    }
    let cure = match header.budget {
        Some(_) => "measure coarser blocks",
        None => {
            "measure coarser blocks, or run it with `CALL_BUDGET=1%`, which measures a part of their executions"
        }
    };
    // Where no block is too fine, it is files, counters, events or a busy computer that took the time.
    Some((share, if fine.is_empty() { text } else { format!("{text}: {cure}") }))
}

/// Those whose measurements cost most first.
fn too_fine(trace: &Trace, share: f64) -> Vec<TooFine<'_>> {
    let header = &trace.header;
    let Some(pair_s) = header.pair_cost_ns.map(|cost| 1e-9 * cost) else { return Vec::new() };
    // What the measurement itself records is no time of the block.
    let own_s = 1e-9 * header.subtracted_ns.map_or(header.empty_pair_ns, |_| None).unwrap_or(0.0);
    let executions: f64 = trace.experiments.iter().map(|its| times(its).0).sum();
    let mut fine: Vec<TooFine> = Vec::new();
    for experiment in &trace.experiments {
        let (count, sum_s) = times(experiment);
        let its_share = share * count / executions;
        let mean_s = (sum_s / count - own_s).max(0.0);
        if experiment.unit.is_time() && pair_s > DEAR * mean_s && its_share > COUNTS {
            fine.push(TooFine { name: &experiment.name, mean_s, share: its_share });
        }
    }
    fine.sort_by(|left, right| right.share.total_cmp(&left.share));
    fine
}

/// Number and sum of the times of all executions, seconds.
fn times(experiment: &Experiment) -> (f64, f64) {
    let (samples, summaries) = (&experiment.samples, &experiment.summaries);
    if !summaries.is_empty() {
        return (summaries.points.executions() as f64, summaries.sum_s.iter().sum());
    }
    let weighted = (0..samples.len()).map(|index| samples.count_of(index) as f64 * samples.time_s[index]);
    (samples.executions() as f64, weighted.sum())
}
