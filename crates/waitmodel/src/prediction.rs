use call_search::Finding;
use call_waiting::State;

use crate::error::NoModel;
use crate::model::{CallModel, WaitModel};
use crate::sampled::SampledRun;
use crate::sum::Sum;

/// A predicted time and its interval, seconds. Ends of a sum are the sums of the ends of its parts, so intervals are rather too wide.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Ends {
    pub value_s: f64,
    pub low_s: f64,
    pub high_s: f64,
}

/// What the processors of a role do in a predicted run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictedRole {
    /// How many there are, if that is known.
    pub processors: Option<f64>,
    /// The steps of each on average.
    pub steps: Ends,
    /// Those outside of the library, with what is too short for a step, seconds.
    pub computing_s: f64,
    /// What each waits on average.
    pub waiting: Ends,
}

/// A predicted run.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedRun {
    /// From the first start to the last end.
    pub time: Ends,
    /// Which of the model's sums it is.
    pub sum: usize,
    /// By role of the model.
    pub roles: Vec<PredictedRole>,
    /// For each of the model's calls what a processor of its role waits there, seconds.
    pub waiting_s: Vec<f64>,
    /// The run time that the role makes whose steps and waits are longest, seconds: the same time in another way, which tells how far the model can be
    /// trusted.
    pub by_roles_s: f64,
    /// Mean of computing / run time, if the numbers of all processors are known.
    pub efficiency: Option<f64>,
    /// Variables that lie outside of what was run, as indices.
    pub beyond: Vec<usize>,
}

const NOTHING: Ends = Ends { value_s: 0.0, low_s: 0.0, high_s: 0.0 };

impl WaitModel {
    /// The run at a point, each time with an interval of this probability.
    pub fn predict(&self, point: &[f64], level: f64) -> PredictedRun {
        let steps: Vec<Ends> = self.steps.iter().map(|step| found(&step.finding, point, level)).collect();
        let (sum, time) = maximum(&self.time, &steps, point, level);
        let waits = |call: &CallModel| match &call.law {
            Some(law) => found(law, point, level),
            None => maximum(&call.sums, &steps, point, level).1,
        };
        let calls: Vec<Ends> = self.calls.iter().map(|call| at_least_nothing(waits(call))).collect();
        let roles: Vec<PredictedRole> =
            (0..self.roles.len()).map(|role| self.predict_role(role, point, &steps, &calls)).collect();
        let is_there = |role: &&PredictedRole| role.processors != Some(0.0);
        let by_roles_s = roles
            .iter()
            .filter(is_there)
            .map(|role| role.steps.value_s + role.waiting.value_s)
            .fold(0.0, f64::max);
        PredictedRun {
            efficiency: efficiency(&roles, time.value_s),
            waiting_s: calls.iter().map(|call| call.value_s).collect(),
            beyond: self.beyond(point),
            time,
            sum,
            roles,
            by_roles_s,
        }
    }

    fn predict_role(&self, role: usize, point: &[f64], steps: &[Ends], calls: &[Ends]) -> PredictedRole {
        let rest = 1.0 + self.rest[role];
        let own = self.steps.iter().zip(steps).filter(|(step, _)| step.role == role);
        let (mut all, mut computing_s) = (NOTHING, 0.0);
        for (step, ends) in own {
            all = plus(all, rest, *ends);
            if step.state == State::Computing {
                computing_s += rest * ends.value_s;
            }
        }
        let waits = self.calls.iter().zip(calls).filter(|(call, _)| call.role == role);
        let waiting = waits.fold(NOTHING, |sum, (_, ends)| plus(sum, 1.0, *ends));
        let processors = self.roles[role].processors(point);
        PredictedRole { processors, steps: all, computing_s, waiting }
    }

    fn beyond(&self, point: &[f64]) -> Vec<usize> {
        let is_beyond = |variable: &usize| {
            let values = || self.points.iter().map(|point| point[*variable]);
            let (lowest, highest) =
                (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            point.get(*variable).is_some_and(|value| *value < lowest || *value > highest)
        };
        (0..self.variables.len()).filter(is_beyond).collect()
    }
}

/// For each run the run time that the model of all runs at other points predicts, seconds.
///
/// # Errors
/// As those of [`WaitModel::fit`], if the others are too few.
pub fn left_out_s(variables: &[String], runs: &[SampledRun]) -> Result<Vec<f64>, NoModel> {
    let predicted = runs.iter().map(|out| {
        let others: Vec<SampledRun> = runs.iter().filter(|run| run.point != out.point).cloned().collect();
        Ok(WaitModel::fit(variables, &others)?.predict(&out.point, 0.5).time.value_s)
    });
    predicted.collect()
}

fn found(finding: &Finding, point: &[f64], level: f64) -> Ends {
    let found = finding.predict(point, level);
    Ends { value_s: found.value, low_s: found.low, high_s: found.high }
}

fn plus(sum: Ends, times: f64, part: Ends) -> Ends {
    let (low_s, high_s) = if times < 0.0 { (part.high_s, part.low_s) } else { (part.low_s, part.high_s) };
    Ends {
        value_s: sum.value_s + times * part.value_s,
        low_s: sum.low_s + times * low_s,
        high_s: sum.high_s + times * high_s,
    }
}

/// Which sum is the largest, and the ends of the maximum.
fn maximum(sums: &[Sum], steps: &[Ends], point: &[f64], level: f64) -> (usize, Ends) {
    let nowhere = f64::NEG_INFINITY;
    let (mut largest, mut ends) = (0, Ends { value_s: nowhere, low_s: nowhere, high_s: nowhere });
    for (number, sum) in sums.iter().enumerate() {
        let its = value(sum, steps, point, level);
        if its.value_s > ends.value_s {
            (largest, ends.value_s) = (number, its.value_s);
        }
        ends.low_s = ends.low_s.max(its.low_s);
        ends.high_s = ends.high_s.max(its.high_s);
    }
    (largest, ends)
}

fn value(sum: &Sum, steps: &[Ends], point: &[f64], level: f64) -> Ends {
    let (mut its, mut size_s) = (NOTHING, 0.0);
    for term in &sum.terms {
        its = plus(its, term.times, steps[term.step]);
        size_s += (term.times * steps[term.step].value_s).abs();
    }
    let rest_s = sum.rest * size_s;
    let [value_s, low_s, high_s] = [its.value_s, its.low_s, its.high_s].map(|time_s| time_s + rest_s);
    let Some(law) = &sum.law else { return Ends { value_s, low_s, high_s } };
    let scale = law.predict(point, level);
    let ends_s = [low_s * scale.low, low_s * scale.high, high_s * scale.low, high_s * scale.high];
    Ends {
        value_s: value_s * scale.value,
        low_s: ends_s.into_iter().fold(f64::INFINITY, f64::min),
        high_s: ends_s.into_iter().fold(f64::NEG_INFINITY, f64::max),
    }
}

fn at_least_nothing(ends: Ends) -> Ends {
    Ends { value_s: ends.value_s.max(0.0), low_s: ends.low_s.max(0.0), high_s: ends.high_s.max(0.0) }
}

fn efficiency(roles: &[PredictedRole], time_s: f64) -> Option<f64> {
    let (mut computing_s, mut processors) = (0.0, 0.0);
    for role in roles {
        let count = role.processors?;
        processors += count;
        if count > 0.0 {
            computing_s += count * role.computing_s;
        }
    }
    let share = computing_s / (processors * time_s);
    share.is_finite().then_some(share)
}
