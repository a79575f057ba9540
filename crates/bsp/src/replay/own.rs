use std::collections::VecDeque;

use super::nesting::{End, Nested};
use super::program::{Computing, Inside};

/// A superstep of one processor without what lies in parts.
pub(super) struct Own {
    /// Before each part and behind the last one.
    pub stretches: VecDeque<Computing>,
    pub inside: Inside,
    /// When it has computed.
    pub ready_s: f64,
    /// When the synchronisation is over.
    pub end_s: f64,
}

impl Own {
    /// The processor counts from `origin_s`; `experiments` are the numbers in the program for its own.
    pub fn of(nested: &Nested, end: End, origin_s: f64, experiments: &[usize]) -> Own {
        let recorded = nested.recorded;
        let lines = || nested.inside.iter().flat_map(|part| &part.supersteps).map(|its| its.recorded);
        let in_parts_s: f64 = lines().map(|its| its.computing_s + its.waiting_s + its.communicating_s).sum();
        let recording_s: f64 = lines().map(|its| its.recording_s).sum();
        let start_s = recorded.start_s - origin_s;
        let recording_s = recording_s.min(recorded.recording_s);
        let inner_waiting_s = match end {
            End::Nothing => recorded.waiting_s,
            _ => recorded.inner_waiting_s.unwrap_or(0.0).min(recorded.waiting_s),
        };
        let ready_s = start_s + recorded.computing_s + inner_waiting_s + recording_s;
        let end_s =
            start_s + recorded.computing_s + recorded.waiting_s + recorded.communicating_s + recording_s;
        let mut passed = Vec::with_capacity(nested.inside.len() + 1);
        let mut at_s = start_s;
        for part in &nested.inside {
            if let (Some(begin), Some(last)) = (part.supersteps.first(), part.supersteps.last()) {
                let last = last.recorded;
                passed.push((begin.recorded.start_s - origin_s - at_s).max(0.0));
                at_s = last.start_s + last.computing_s + last.waiting_s + last.communicating_s - origin_s;
            }
        }
        passed.push((ready_s - at_s).max(0.0));
        let own_s = (recorded.computing_s - in_parts_s).max(0.0);
        let all_s: f64 = passed.iter().sum();
        let mut stretches: VecDeque<Computing> = passed
            .iter()
            .map(|passed_s| Computing { computing_s: own_s * (passed_s / all_s), passed_s: *passed_s })
            .collect();
        if all_s <= 0.0 {
            stretches.iter_mut().for_each(|its| its.computing_s = 0.0);
            if let Some(last) = stretches.back_mut() {
                last.computing_s = own_s;
            }
        }
        let inside = recorded.experiments.iter().filter_map(|its| {
            let of_parts = lines().flat_map(|part| &part.experiments);
            let in_parts_s: f64 =
                of_parts.filter(|part| part.experiment == its.experiment).map(|part| part.inside_s).sum();
            let inside_s = (its.inside_s - in_parts_s).min(own_s);
            (inside_s > 0.0).then(|| (experiments[its.experiment], inside_s / own_s))
        });
        Own { inside: Inside { own_s, shares: inside.collect() }, stretches, ready_s, end_s }
    }
}
