use call_model::PlacedConstant;

use crate::{NumberComparison, Requirement, TargetPoint, Verdict};

/// What is compared.
#[derive(Debug, Clone, PartialEq)]
pub enum ComparisonSubject {
    /// A constant where it has one value.
    Constant(PlacedConstant),
    /// The time at a point.
    Target(TargetPoint),
}

/// What became of the cost that a number stands for: of a constant whose term is subtracted it falls where the constant rises, and so it does of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CostChange {
    Rose,
    Fell,
    /// It is surely within the tolerance.
    Unchanged,
    Unknown,
}

/// What a comparison has shown of one number.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Whose number.
    pub subject: ComparisonSubject,
    /// The comparison; none where nothing tells how runs scatter, or the runs do not determine the number.
    pub comparison: Option<NumberComparison>,
    /// Why there is none.
    pub missing: Option<Missing>,
    /// Whether the number is told from 0 in the baseline: if not, a change has no size relative to it.
    pub is_determined: bool,
    /// Whether it is in the new runs.
    pub is_determined_after: bool,
    /// The rise that does not matter, in the unit of the number.
    pub tolerance: f64,
    /// The tolerance as it was asked for.
    pub tolerance_share: f64,
    /// How much a change of 1 changes the time, as a share of it, where it does most among what was sampled.
    pub weight: f64,
    /// How probable it is that chance alone makes it this much worse, as if this were the only test.
    pub chance: f64,
    /// Where it went.
    pub change: CostChange,
    /// What it is worth; of constants beside targets, what it would be.
    pub verdict: Verdict,
    /// Whether the verdict counts.
    pub is_judged: bool,
    /// Whether less of the number is worse: of a constant whose term is subtracted, or of a rate.
    pub is_turned: bool,
}

/// Why two groups of runs cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// No run of the baseline determines the number.
    InBaseline,
    /// No new run does.
    InNewRuns,
    /// There is one run of each, and nothing tells how runs scatter.
    Scatter,
}

impl Finding {
    /// The change as a share of the value of the baseline; none if that is not told from 0.
    pub fn relative(&self) -> Option<f64> {
        self.share(|it| it.change())
    }

    /// The ends of its interval.
    pub fn relative_interval(&self) -> Option<(f64, f64)> {
        Some((self.share(|it| it.lower)?, self.share(|it| it.upper)?))
    }

    /// Whether its term, of which the baseline shows nothing, is there now.
    pub fn has_appeared(&self) -> bool {
        self.change == CostChange::Rose && !self.is_determined && self.is_determined_after
    }

    /// Whether nothing shows its term any more: it is not told from 0, or what it fell by may be all of it.
    pub fn has_vanished(&self) -> bool {
        let may_be_all =
            || self.relative_interval().is_some_and(|(lower, upper)| lower <= -1.0 && upper >= -1.0);
        self.change == CostChange::Fell && self.is_determined && (!self.is_determined_after || may_be_all())
    }

    /// By which share of it the time changes where the number matters most among what was sampled.
    pub fn effect(&self) -> Option<f64> {
        Some(self.comparison.as_ref()?.change() * self.weight)
    }

    fn share(&self, of: impl Fn(&NumberComparison) -> f64) -> Option<f64> {
        let comparison = self.comparison.as_ref().filter(|_| self.is_determined)?;
        Some(of(comparison) / comparison.before.abs())
    }
}

/// Whether a limit is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementFinding {
    /// The limit.
    pub requirement: Requirement,
    /// The time at its point by the mean of the new runs; NaN if they do not determine it.
    pub time_s: f64,
    /// How probable it is that the mean of the new runs is really on the right side of the limit; NaN if that is not known.
    pub holds: f64,
    /// Whether it is kept.
    pub verdict: Verdict,
}

/// A run that is far from the others of its group.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlyingRun {
    /// Name of the run.
    pub run: String,
    /// Its machine; empty if that is not known.
    pub machine: String,
    /// Whether it is one of the new ones.
    pub is_new: bool,
    /// In what it is far from the others.
    pub subject: ComparisonSubject,
    /// By which share of their median; NaN where that is 0.
    pub by: f64,
}

/// What a check comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// The worst of what is judged.
    pub verdict: Verdict,
    /// Constants, in the order of the terms, then targets.
    pub findings: Vec<Finding>,
    /// Limits.
    pub requirements: Vec<RequirementFinding>,
    /// Runs that do not belong to the others.
    pub outlying: Vec<OutlyingRun>,
    /// Machines of new runs that no run of the baseline was on, if those of the baseline are known.
    pub other_machines: Vec<String>,
    /// How many runs the baseline and the new program have.
    pub runs: (usize, usize),
    /// Whether all of them measured the same points.
    pub same_design: bool,
}
