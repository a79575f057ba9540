use std::collections::BTreeMap;

use crate::history::AnalysedRun;
use crate::replay::{Change, is_done_together, run_time_ns};
use crate::site::Site;
use crate::step::State;
use crate::timeline::Timeline;

/// What a run would gain if a step took no processor longer than it takes on average, by replay: see [`Change::at_most_mean`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saving {
    /// The step: computing of this code, an index into [`Waits::codes`](crate::Waits::codes).
    pub code: usize,
    /// Who spends most time with it, as a position in [`Waits::processors`](crate::Waits::processors).
    pub longest: usize,
    /// How much that is.
    pub longest_ns: i64,
    /// The mean of all processors.
    pub mean_ns: f64,
    /// Whether each time was compared with the mean of that time; else the sums were.
    pub is_each_time: bool,
    /// How long the run would take.
    pub run_time_ns: i64,
}

/// Of the steps that cause most waiting, so many; what saves most comes first.
pub(crate) fn savings(run: &AnalysedRun, sites: &[Site], most: usize) -> Vec<Saving> {
    let mut caused_ns: BTreeMap<usize, i64> = BTreeMap::new();
    for reason in sites.iter().flat_map(|site| &site.classes).flat_map(|class| class.main_reasons()) {
        if reason.state == State::Computing && reason.code != run.start_code && reason.time_ns > 0 {
            let sum_ns = caused_ns.entry(reason.code).or_default();
            *sum_ns = sum_ns.saturating_add(reason.time_ns);
        }
    }
    let mut largest: Vec<(usize, i64)> = caused_ns.into_iter().collect();
    largest.sort_by_key(|(code, time_ns)| (std::cmp::Reverse(*time_ns), *code));
    let mut found: Vec<Saving> = largest.iter().take(most).map(|(code, _)| saving(run, *code)).collect();
    found.sort_by_key(|saving| saving.run_time_ns);
    found
}

fn saving(run: &AnalysedRun, code: usize) -> Saving {
    let times_ns: Vec<i64> = run.timelines.iter().map(|timeline| time_in(timeline, code)).collect();
    let (longest, longest_ns) = times_ns
        .iter()
        .enumerate()
        .max_by_key(|(number, time_ns)| (**time_ns, std::cmp::Reverse(*number)))
        .map_or((0, 0), |(number, time_ns)| (number, *time_ns));
    Saving {
        code,
        longest,
        longest_ns,
        mean_ns: times_ns.iter().map(|time_ns| *time_ns as f64).sum::<f64>() / times_ns.len() as f64,
        is_each_time: is_done_together(&run.timelines, code),
        run_time_ns: run_time_ns(run, &Change::new().at_most_mean(code)),
    }
}

fn time_in(timeline: &Timeline, wanted: usize) -> i64 {
    let times = timeline.computing.iter().filter(|computing| computing.code as usize == wanted);
    times.fold(0, |sum_ns: i64, computing| sum_ns.saturating_add(computing.time_ns))
}
