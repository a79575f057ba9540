use crate::Warning;
use crate::sampled::Sampled;

/// What is known of the clock that measured, from the header of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clock {
    /// Smallest step of the clock.
    pub resolution_s: Option<f64>,
    /// What an empty pair of directives records, if that was not taken off the times.
    pub empty_pair_s: Option<f64>,
}

/// A step or a cost of more than this share of a time is too much of it.
const SHARE: f64 = 0.02;

impl Clock {
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
