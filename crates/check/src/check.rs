use call_model::{Model, PlacedConstant};

use crate::difference::Difference;
use crate::needed::runs_needed;
use crate::report::{
    CheckReport, ComparisonSubject, CostChange, Finding, Missing, OutlyingRun, RequirementFinding,
};
use crate::runs::{DISTURBED, clipped, median, middle, run_values, terms_of_constant};
use crate::verdict::ComparedNumber;
use crate::weighing_points::weighing_points;
use crate::{CheckRequest, MeasuredRun, NumberComparison, Requirement, RunValue, TwoGroups, Verdict, holm};

/// A constant is told from 0 if it is so many of its standard errors away.
const TOLD_FROM_ZERO: f64 = 3.0;

/// Sets new runs beside those of a baseline, whose formula and cells the model has.
///
/// Constants are compared one by one: a test for each, all together alarming at the rate that the request says ([`holm`]). What is worse is so
/// significantly and by more than the tolerance; what is fine is surely not worse by more than it, or so small that no sampled time changes by more;
/// all else cannot be told.
pub fn check(
    model: &Model,
    baseline: &[MeasuredRun],
    new: &[MeasuredRun],
    request: &CheckRequest,
) -> CheckReport {
    let first = baseline.first().and_then(|run| run.fit.design);
    let same_design = first.is_some() && baseline.iter().chain(new).all(|run| run.fit.design == first);
    let placed = model.placed_constants();
    let points = weighing_points(model).iter().map(|point| model.placed_terms(point)).collect();
    let case = CheckInput { model, baseline, new, request, same_design, points };
    let usual: Vec<f64> = (0..placed.len()).map(|index| case.usual(index)).collect();
    let mut rows: Vec<NumberToCompare> =
        placed.iter().enumerate().map(|(index, constant)| case.constant(index, constant, &usual)).collect();
    rows.extend(request.targets.iter().map(|target| case.target(target)));
    let tests = rows.iter().filter(|row| row.is_judged).count() + request.requirements.len();
    let alarm = request.alarms / tests.max(1) as f64;
    let comparisons: Vec<Option<NumberComparison>> =
        rows.iter().map(|row| NumberComparison::of(&row.compared, request.level)).collect();
    let limits: Vec<LimitTest> = request.requirements.iter().map(|its| case.limit(its)).collect();
    let chance =
        |comparison: &Option<NumberComparison>| comparison.as_ref().map_or(1.0, |it| it.chance_worse);
    let judged = rows.iter().zip(&comparisons).filter(|(row, _)| row.is_judged);
    let mut chances: Vec<f64> = judged.map(|(_, comparison)| chance(comparison)).collect();
    chances.extend(limits.iter().map(|test| test.chance));
    let mut significant = holm(&chances, request.alarms).into_iter();
    let mut judged = 0;
    let outlying = case.outlying(&rows);
    let mut findings = Vec::new();
    for (row, mut comparison) in rows.into_iter().zip(comparisons) {
        let place = row.is_judged.then_some(judged);
        judged += usize::from(row.is_judged);
        // Beside the others as they are.
        let would_be_significant = |it: &NumberComparison| match place {
            Some(place) => {
                let mut with_it = chances.clone();
                with_it[place] = it.chance_worse;
                holm(&with_it, request.alarms)[place].1
            }
            None => it.chance_worse <= alarm,
        };
        let alone = (chance(&comparison), chance(&comparison) <= alarm);
        let (chance, is_significant) =
            if row.is_judged { significant.next().unwrap_or(alone) } else { alone };
        if let Some(it) = comparison.as_mut().filter(|it| it.verdict(is_significant) == Verdict::CannotTell) {
            let exact = row.compared.unrounded();
            it.is_hidden_by_rounding = NumberComparison::of(&exact, request.level)
                .is_some_and(|it| it.verdict(would_be_significant(&it)) != Verdict::CannotTell);
            it.needed = runs_needed(&row.compared, (request.level, would_be_significant));
        }
        findings.push(row.finding(comparison, chance, is_significant, alarm));
    }
    let requirements: Vec<RequirementFinding> = limits
        .into_iter()
        .zip(significant)
        .map(|(test, (_, is_broken))| RequirementFinding {
            verdict: match (is_broken, test.is_kept) {
                (true, _) => Verdict::Worse,
                (false, true) => Verdict::Fine,
                (false, false) => Verdict::CannotTell,
            },
            requirement: test.requirement,
            time_s: test.time_s,
            holds: test.holds,
        })
        .collect();
    let of_findings = findings.iter().filter(|finding| finding.is_judged).map(|finding| finding.verdict);
    let verdict = of_findings.chain(requirements.iter().map(|kept| kept.verdict)).max();
    CheckReport {
        verdict: verdict.unwrap_or(Verdict::CannotTell),
        findings,
        requirements,
        outlying,
        other_machines: case.other_machines(),
        runs: (baseline.len(), new.len()),
        same_design,
    }
}

/// What is asked.
struct CheckInput<'a> {
    model: &'a Model,
    baseline: &'a [MeasuredRun],
    new: &'a [MeasuredRun],
    request: &'a CheckRequest,
    same_design: bool,
    /// What each constant is multiplied with at points of what was sampled.
    points: Vec<Vec<f64>>,
}

/// A number before it is compared.
struct NumberToCompare {
    subject: ComparisonSubject,
    compared: ComparedNumber,
    is_determined: bool,
    is_determined_after: bool,
    weight: f64,
    share: f64,
    is_judged: bool,
    /// Whether its values are turned round, for less of it costs more.
    is_turned: bool,
}

/// A limit as a test.
struct LimitTest {
    requirement: Requirement,
    time_s: f64,
    /// How probable it is that the limit holds.
    holds: f64,
    chance: f64,
    is_kept: bool,
}

impl CheckInput<'_> {
    /// The number that a row of terms makes of the runs, turned round if less of it costs more.
    fn values(&self, terms: &[f64], is_turned: bool) -> [Vec<RunValue>; 2] {
        let sign = if is_turned { -1.0 } else { 1.0 };
        [self.baseline, self.new].map(|runs| {
            let known = run_values(runs.iter().map(|run| &run.fit), terms).into_iter().flatten();
            known.map(|run| RunValue { value: sign * run.value, ..run }).collect()
        })
    }

    fn constant(&self, index: usize, constant: &PlacedConstant, usual: &[f64]) -> NumberToCompare {
        let is_turned = self.is_subtracted(index) != self.request.more_is_better;
        let terms = terms_of_constant(index, usual.len());
        let [before, after] = self.values(&terms, is_turned);
        let level = median(before.iter().map(|run| run.value));
        let weight = self.weight(index, usual);
        let tolerance = &self.request.tolerance;
        let share = tolerance.of_term(constant.term);
        let is_determined = is_told_from_zero(&before);
        let is_determined_after = is_told_from_zero(&after);
        let negligible = if weight > 0.0 { share / weight } else { 0.0 };
        let is_judged = self.request.targets.is_empty() || tolerance.own(constant.term).is_some();
        NumberToCompare {
            subject: ComparisonSubject::Constant(constant.clone()),
            compared: ComparedNumber {
                before,
                after,
                same_design: self.same_design,
                tolerance: if is_determined { share * level.abs() } else { negligible },
                negligible,
            },
            is_determined,
            is_determined_after,
            weight,
            share,
            is_judged,
            is_turned,
        }
    }

    fn target(&self, target: &crate::TargetPoint) -> NumberToCompare {
        let terms = self.model.placed_terms(&target.point);
        let is_turned = self.request.more_is_better;
        let [before, after] = self.values(&terms, is_turned);
        let level = median(before.iter().map(|run| run.value)).abs();
        NumberToCompare {
            subject: ComparisonSubject::Target(target.clone()),
            compared: ComparedNumber {
                before,
                after,
                same_design: self.same_design,
                tolerance: self.request.tolerance.usual * level,
                negligible: 0.0,
            },
            is_determined: level > 0.0,
            is_determined_after: true,
            weight: 1.0 / level,
            share: self.request.tolerance.usual,
            is_judged: true,
            is_turned,
        }
    }

    /// Whether the term makes times shorter wherever it was sampled.
    fn is_subtracted(&self, index: usize) -> bool {
        let terms = || self.points.iter().map(|terms| terms[index]);
        terms().all(|term| term <= 0.0) && terms().any(|term| term < 0.0)
    }

    /// A constant as the runs of the baseline have it.
    fn usual(&self, index: usize) -> f64 {
        median(self.baseline.iter().filter_map(|run| Some(run.fit.constant(index)?.0)))
    }

    /// By which share the time changes for each 1 that a constant does, where that is most among the points.
    fn weight(&self, index: usize, usual: &[f64]) -> f64 {
        let weight = |terms: &Vec<f64>| {
            let held = terms.iter().zip(usual).filter(|(term, _)| **term != 0.0);
            let time: f64 = held.map(|(term, constant)| term * constant).sum();
            (terms[index] / time).abs()
        };
        self.points.iter().map(weight).filter(|it| it.is_finite()).fold(0.0, f64::max)
    }

    fn limit(&self, requirement: &Requirement) -> LimitTest {
        let terms = self.model.placed_terms(&requirement.point);
        let [before, after] = self.values(&terms, false);
        let before = clipped(&before);
        let groups = TwoGroups { before: &before, after: &after, same_design: self.same_design };
        let time_s = after.iter().map(|run| run.value).sum::<f64>() / after.len() as f64;
        // How probable it is that the mean is really on the right side of the limit, or on the wrong one.
        let below = Difference::of(&groups).map(|found| found.after_below(requirement.limit));
        let right = below.map(|below| if requirement.is_upper { below } else { 1.0 - below });
        LimitTest {
            requirement: requirement.clone(),
            time_s,
            holds: right.unwrap_or(f64::NAN),
            chance: right.unwrap_or(1.0),
            is_kept: right.is_some_and(|right| right > 0.5 + self.request.level / 2.0),
        }
    }

    /// Runs that are far from the others of their group, each in what it is farthest in.
    fn outlying(&self, rows: &[NumberToCompare]) -> Vec<OutlyingRun> {
        let mut found: Vec<OutlyingRun> = Vec::new();
        for (runs, is_new) in [(self.baseline, false), (self.new, true)] {
            for (position, run) in runs.iter().enumerate() {
                let far = rows.iter().filter_map(|row| {
                    let group = if is_new { &row.compared.after } else { &row.compared.before };
                    let (_, scale) = middle(&row.compared.before)?;
                    let value =
                        group.get(position).filter(|_| group.len() == runs.len() && group.len() >= 3)?;
                    let center = median(group.iter().map(|run| run.value));
                    let distance = (value.value - center) / scale;
                    let by = (value.value - center) / center.abs();
                    (distance.abs() > DISTURBED).then_some((distance.abs(), by, &row.subject))
                });
                if let Some((_, by, subject)) = far.max_by(|a, b| a.0.total_cmp(&b.0)) {
                    found.push(OutlyingRun {
                        run: run.name.clone(),
                        machine: run.machine.clone(),
                        is_new,
                        subject: subject.clone(),
                        by,
                    });
                }
            }
        }
        found
    }

    fn other_machines(&self) -> Vec<String> {
        let known = |machine: &str| self.baseline.iter().any(|run| run.machine == machine);
        let mut others: Vec<String> = Vec::new();
        if known("") {
            return others;
        }
        for run in self.new.iter().filter(|run| !run.machine.is_empty() && !known(&run.machine)) {
            if !others.contains(&run.machine) {
                others.push(run.machine.clone());
            }
        }
        others
    }
}

impl NumberToCompare {
    fn finding(
        self,
        comparison: Option<NumberComparison>,
        chance: f64,
        is_significant: bool,
        alarm: f64,
    ) -> Finding {
        let verdict = comparison.as_ref().map_or(Verdict::CannotTell, |it| it.verdict(is_significant));
        let tolerance = self.compared.tolerance;
        let change = match &comparison {
            Some(_) if verdict == Verdict::Worse => CostChange::Rose,
            Some(it) if it.chance_better <= alarm && it.change() < 0.0 => CostChange::Fell,
            Some(it) if it.chance_worse <= alarm && it.change() > 0.0 => CostChange::Rose,
            Some(it) if it.upper < tolerance && it.lower > -tolerance => CostChange::Unchanged,
            _ => CostChange::Unknown,
        };
        let missing = match (&comparison, self.compared.before.len(), self.compared.after.len()) {
            (Some(_), ..) => None,
            (None, 0, _) => Some(Missing::InBaseline),
            (None, _, 0) => Some(Missing::InNewRuns),
            _ => Some(Missing::Scatter),
        };
        Finding {
            subject: self.subject,
            comparison: if self.is_turned { comparison.map(NumberComparison::turned) } else { comparison },
            missing,
            is_determined: self.is_determined,
            is_determined_after: self.is_determined_after,
            tolerance,
            tolerance_share: self.share,
            weight: self.weight,
            chance,
            change,
            verdict,
            is_judged: self.is_judged,
            is_turned: self.is_turned,
        }
    }
}

fn is_told_from_zero(runs: &[RunValue]) -> bool {
    let mean = runs.iter().map(|run| run.value).sum::<f64>() / runs.len() as f64;
    mean.abs() > TOLD_FROM_ZERO * error_of_mean(runs)
}

/// The standard error of the mean of runs, by the scatter of its runs, or of a single one by its noise.
fn error_of_mean(runs: &[RunValue]) -> f64 {
    let count = runs.len() as f64;
    let within = runs.iter().map(|run| run.variance.max(0.0)).sum::<f64>() / count;
    let mean = runs.iter().map(|run| run.value).sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (run.value - mean).powi(2)).sum();
    let variance = if runs.len() < 3 { within } else { squares / (count - 1.0) };
    if variance.is_finite() { (variance / count).sqrt() } else { 0.0 }
}
