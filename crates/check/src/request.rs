use call_model::RunFit;

use crate::Tolerance;

/// A run, with what it made of the constants.
#[derive(Debug, Clone)]
pub struct MeasuredRun {
    /// What people call it: the name of its file.
    pub name: String,
    /// The machine that it ran on, as its trace has it; empty if that is not known.
    pub machine: String,
    /// Its constants, in the cells of the baseline.
    pub fit: RunFit,
}

/// A point whose time matters.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetPoint {
    /// The point as people write it: `N = 1000000, P = 64`.
    pub name: String,
    /// A value for each variable of the formula.
    pub point: Vec<f64>,
}

/// A limit that the time at a point has to keep.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// The requirement as it was written.
    pub text: String,
    /// A value for each variable of the formula.
    pub point: Vec<f64>,
    /// The limit.
    pub limit: f64,
    /// Whether the time has to be below; above if not.
    pub is_upper: bool,
}

/// What is to be checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRequest {
    /// What does not matter.
    pub tolerance: Tolerance,
    /// If there are any, the times at these points are judged, and constants only where they have a tolerance of their own.
    pub targets: Vec<TargetPoint>,
    /// Limits.
    pub requirements: Vec<Requirement>,
    /// The share of intervals that hold, 0.9 for 90 %.
    pub level: f64,
    /// Whether what was measured is a rate: more of it is better.
    pub more_is_better: bool,
    /// How often all tests together may alarm although nothing has changed, 0.01 for 1 %.
    pub alarms: f64,
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            tolerance: Tolerance::default(),
            targets: Vec::new(),
            requirements: Vec::new(),
            level: 0.9,
            more_is_better: false,
            alarms: 0.01,
        }
    }
}

impl CheckRequest {
    /// The same at one of so many looks at runs that become more: the rate of alarms, and what intervals may miss, are shared among the looks
    /// (Bonferroni), so that they hold for all of them together.
    pub fn among_looks(self, looks: u32) -> CheckRequest {
        let share = 1.0 / f64::from(looks.max(1));
        CheckRequest { alarms: self.alarms * share, level: 1.0 - (1.0 - self.level) * share, ..self }
    }
}
