use call_fit::Thresholds;
use call_trace::{Experiment, Folding, Joining, Samples};

/// Which errors a fit makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weighting {
    /// Errors relative to the measured time: small and large sizes count alike. Timings span decades and their noise grows with
    /// them, so this is the default.
    #[default]
    Relative,
    /// Errors in seconds: the longest times rule.
    Absolute,
}

/// How a model is made from samples.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Which errors the fit makes small.
    pub weighting: Weighting,
    /// How the samples of several processors become one. The default is the maximum: a program takes as long as its slowest
    /// processor (the Φ of the paper's equation (2) at the end of the last superstep).
    pub joining: Joining,
    /// How repetitions of one point become one. The default is the median, which a few disturbed repetitions do not change.
    pub folding: Folding,
    /// When the recursive splitting stops.
    pub thresholds: Thresholds,
}

impl Settings {
    /// The samples that the fit sees, with processors joined and repetitions folded.
    pub fn prepare(&self, experiment: &Experiment) -> Samples {
        experiment.condense(self.joining, self.folding)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            weighting: Weighting::default(),
            joining: Joining::Maximum,
            folding: Folding::Median,
            thresholds: Thresholds::default(),
        }
    }
}
