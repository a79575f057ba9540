use std::collections::BTreeMap;

use crate::calls::Stretches;
use crate::history::AnalysedRun;
use crate::mean::{Visits, places, visits};
use crate::replay::{Durations, ends};
use crate::site::Site;
use crate::step::State;

/// What a run would gain if a step took no processor longer than it takes on average, by replay: see [`StepChange::at_most_mean`](crate::StepChange::at_most_mean).
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
    let codes: Vec<usize> = largest.iter().take(most).map(|(code, _)| *code).collect();
    let mut found: Vec<Saving> = codes.chunks(AT_ONCE).flat_map(|codes| savings_of(run, codes)).collect();
    found.sort_by_key(|saving| saving.run_time_ns);
    found
}

/// So many steps are tried in one replay.
const AT_ONCE: usize = 5;

/// Of these steps, `AT_ONCE` at most.
fn savings_of(run: &AnalysedRun, codes: &[usize]) -> Vec<Saving> {
    let visits = visits(&run.timelines, codes);
    let mut each = EachAtMostMean {
        visits: &visits,
        place_of: places(codes),
        visited: vec![[0; AT_ONCE]; run.timelines.len()],
    };
    let ends_ns = ends(run, &mut each, |_, _, _| {});
    let saving = |(place, code): (usize, &usize)| {
        let times_ns = &visits[place].times_ns;
        let (longest, longest_ns) = times_ns
            .iter()
            .enumerate()
            .max_by_key(|(number, time_ns)| (**time_ns, std::cmp::Reverse(*number)))
            .map_or((0, 0), |(number, time_ns)| (number, *time_ns));
        Saving {
            code: *code,
            longest,
            longest_ns,
            mean_ns: times_ns.iter().map(|time_ns| *time_ns as f64).sum::<f64>() / times_ns.len() as f64,
            is_each_time: visits[place].are_together,
            run_time_ns: ends_ns
                .iter()
                .map(|its_ns| its_ns[place])
                .max()
                .map_or(0, |end_ns| end_ns - run.first_ns),
        }
    };
    codes.iter().enumerate().map(saving).collect()
}

/// Several replays in one: in each another step takes no processor longer than the mean of all.
struct EachAtMostMean<'a> {
    visits: &'a [Visits],
    /// By code.
    place_of: Vec<Option<usize>>,
    /// By timeline, how often each step was done so far.
    visited: Vec<[usize; AT_ONCE]>,
}

impl Durations for EachAtMostMean<'_> {
    /// By step, nanoseconds.
    type Time = [i64; AT_ONCE];

    fn recorded(&self, at_ns: i64) -> Self::Time {
        [at_ns; AT_ONCE]
    }

    fn computing(&mut self, timeline: usize, stretches: Stretches) -> Self::Time {
        let mut times_ns = [0; AT_ONCE];
        for stretch in stretches {
            let recorded_ns = stretch.time_ns;
            times_ns.iter_mut().for_each(|time_ns| *time_ns += recorded_ns);
            if let Some(Some(place)) = self.place_of.get(stretch.code as usize) {
                let visit = &mut self.visited[timeline][*place];
                let changed_ns = self.visits[*place].at_most_mean_ns(timeline, *visit, recorded_ns);
                times_ns[*place] += changed_ns - recorded_ns;
                *visit += 1;
            }
        }
        times_ns
    }

    fn own(&self, _: usize, recorded_ns: i64) -> Self::Time {
        [recorded_ns; AT_ONCE]
    }

    fn sum(&self, left: Self::Time, right: Self::Time) -> Self::Time {
        std::array::from_fn(|place| left[place] + right[place])
    }

    fn later(&self, left: Self::Time, right: Self::Time) -> Self::Time {
        std::array::from_fn(|place| left[place].max(right[place]))
    }
}
