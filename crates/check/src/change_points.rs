//! What a history is asked for, and what it shows.

use std::ops::Range;

/// What is asked of a history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistoryRequest {
    /// How often a history without a change may give one, 0.01 for 1 %.
    pub alarms: f64,
    /// The share of intervals that hold, 0.9 for 90 %.
    pub level: f64,
    /// Whether all runs measured the same points; see [`TwoGroups::same_design`](crate::TwoGroups::same_design).
    pub same_design: bool,
}

/// What a history shows.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHistory {
    /// Where it changes, in their order.
    pub changes: Vec<ChangePoint>,
    /// What holds between changes: one more than there are changes, none of an empty history.
    pub levels: Vec<SteadyValue>,
    /// Runs that are far from all others of their level: spikes, which are no changes.
    pub outlying: Vec<usize>,
    /// What may be a change, and so few runs cannot tell.
    pub untold: Vec<Untold>,
}

impl RunHistory {
    /// Whether it shows neither a change nor a drift, and nothing that may be one.
    pub fn is_constant(&self) -> bool {
        let drifts = self.levels.iter().any(|level| level.drift.is_some());
        self.changes.is_empty() && self.untold.is_empty() && !drifts
    }
}

/// Runs at another level than those beside them, which are too few for any values to pass for a change, or scatter too much.
#[derive(Debug, Clone, PartialEq)]
pub struct Untold {
    /// The runs.
    pub runs: Range<usize>,
    /// The value before them, or behind them if they are the first.
    pub before: f64,
    /// Their own value.
    pub after: f64,
    /// How many further runs as the last ones are would tell; none if a hundred would not, or if the level has ended.
    pub more: Option<usize>,
}

/// A change. Runs are counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangePoint {
    /// The first run behind it, most likely.
    pub first: usize,
    /// That run is not before this one,
    pub earliest: usize,
    /// and not behind this one, as probable as the request's level says.
    pub latest: usize,
    /// The value before.
    pub before: f64,
    /// The value behind.
    pub after: f64,
    /// The lower end of the interval of the difference.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// How probable it is that a history without a change shows one as clear as this.
    pub chance: f64,
}

/// The value between two changes.
#[derive(Debug, Clone, PartialEq)]
pub struct SteadyValue {
    /// The runs.
    pub runs: Range<usize>,
    /// Their mean, spikes cut off.
    pub value: f64,
    /// How they grow or shrink steadily, if they surely do.
    pub drift: Option<Drift>,
}

/// A straight line that runs follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// The line at the first run.
    pub first: f64,
    /// The line at the last run.
    pub last: f64,
    /// The lower end of the interval of the difference.
    pub lower: f64,
    /// Its upper end.
    pub upper: f64,
    /// How probable it is that a history without a change shows one as clear as this.
    pub chance: f64,
}
