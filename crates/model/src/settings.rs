use call_fit::{Loss, Method, PureError, SegmentOptions, SignConstraint, Thresholds, Weighting};
use call_trace::{Folding, Joining};

/// What an interval holds a share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IntervalOf {
    /// Single measurements, with processors joined.
    #[default]
    Measurement,
    /// What repetitions of a point are folded to, as many as there were on average: their median, which varies less. Minima, and samples
    /// that are not folded, have these intervals always.
    Repetitions,
}

/// How a model is made from samples.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Which errors the fit makes small. The default leaves it to the data: [`Model::weighting`](crate::Model::weighting)
    /// tells what they chose, and why.
    pub weighting: Weighting,
    /// Whether constants may be negative. The default leaves it to the data: [`Model::sign`](crate::Model::sign).
    pub sign: SignConstraint,
    /// How much outliers count. The default is least squares: as much as others.
    pub loss: Loss,
    /// How the intervals are found.
    pub method: Method,
    /// Whether a constant may have one value in several cells, so that each constant has its own set ℵ.
    pub sharing: bool,
    /// How the samples of several processors become one. The default is the maximum: a program takes as long as its slowest
    /// processor (the Φ of the paper's equation (2) at the end of the last superstep).
    pub joining: Joining,
    /// How repetitions of one point become one. The default is the median, which a few disturbed repetitions do not change.
    pub folding: Folding,
    /// What the intervals of forecasts are for.
    pub interval: IntervalOf,
    /// When the recursive splitting stops.
    pub thresholds: Thresholds,
}

impl Settings {
    /// Whether intervals are for single measurements although samples are what several were folded to.
    pub fn is_interval_of_single(&self) -> bool {
        let is_folded = matches!(self.folding, Folding::Median | Folding::Mean);
        is_folded && self.interval == IntervalOf::Measurement
    }

    /// What the fit is told.
    pub(crate) fn options(&self, pure_error: Option<PureError>) -> SegmentOptions {
        SegmentOptions {
            thresholds: self.thresholds,
            method: self.method,
            sign: self.sign,
            loss: self.loss,
            sharing: self.sharing,
            pure_error,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            weighting: Weighting::default(),
            sign: SignConstraint::default(),
            loss: Loss::default(),
            method: Method::default(),
            sharing: true,
            joining: Joining::Maximum,
            folding: Folding::Median,
            interval: IntervalOf::default(),
            thresholds: Thresholds::default(),
        }
    }
}
