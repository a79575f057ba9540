use call_waiting::State;

use crate::ends::{Ends, NOTHING, StepAt, found, plus};
use crate::error::NoModel;
use crate::model::{CallModel, WaitModel};
use crate::sampled::RunAtPoint;
use crate::sum::maximum;

/// What the processors of a role do in a predicted run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PredictedRole {
    /// How many there are, if that is known.
    pub processors: Option<f64>,
    /// The steps of each on average.
    pub steps: Ends,
    /// Those outside of the library, with what is too short for a step, seconds.
    pub computing_s: f64,
    /// What each waits on average: at most what the run has beside its steps.
    pub waiting: Ends,
    /// By how much the waits of the model's calls add up to more than that, seconds: so much is not believed.
    pub excess_s: f64,
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
    /// For each of the model's calls what a processor of its role waits there, seconds; together no more than the role waits.
    pub waiting_s: Vec<f64>,
    /// The run time that the role makes whose steps and waits are longest, seconds: the same time in another way, which tells how far the model can be
    /// trusted.
    pub by_roles_s: f64,
    /// Mean of computing / run time, if the numbers of all processors are known.
    pub efficiency: Option<f64>,
    /// Variables that lie outside of what was run, as indices.
    pub beyond: Vec<usize>,
}

impl PredictedRole {
    /// Nobody waits for longer than the run lasts beside what he does. Sums of waits that were fitted one by one know nothing of that.
    fn wait_within(&mut self, time: Ends) {
        let Ends { value_s, low_s, high_s } = self.waiting;
        let left_s = (time.value_s - self.steps.value_s).max(0.0);
        let most_s = (time.high_s - self.steps.low_s).max(left_s);
        if value_s > left_s {
            self.excess_s = value_s - left_s;
            self.waiting.value_s = left_s;
            self.waiting.low_s = low_s.min(left_s);
        }
        if high_s > most_s {
            self.waiting.high_s = most_s.max(self.waiting.value_s);
        }
    }
}

impl WaitModel {
    /// The run at a point, each time with an interval of this probability.
    pub fn predict(&self, point: &[f64], level: f64) -> PredictedRun {
        let steps: Vec<StepAt> = self.steps.iter().map(|step| step.at(&self.roles, point, level)).collect();
        let (sum, time) = maximum(&self.time, &steps, point, level);
        let time = self.with_misfit(time, level);
        let waits = |call: &CallModel| match &call.law {
            Some(law) => found(law, point, level),
            None => maximum(&call.sums, &steps, point, level).1,
        };
        let calls: Vec<Ends> = self.calls.iter().map(|call| at_least_nothing(waits(call))).collect();
        let mut roles: Vec<PredictedRole> =
            (0..self.roles.len()).map(|role| self.predict_role(role, point, &steps, &calls)).collect();
        let is_there = |role: &&PredictedRole| role.processors != Some(0.0);
        let by_roles_s = roles
            .iter()
            .filter(is_there)
            .map(|role| role.steps.value_s + role.waiting.value_s)
            .fold(0.0, f64::max);
        let mut waiting_s: Vec<f64> = calls.iter().map(|call| call.value_s).collect();
        for (number, role) in roles.iter_mut().enumerate() {
            let sum_s = role.waiting.value_s;
            role.wait_within(time);
            let of_role = self.calls.iter().zip(&mut waiting_s).filter(|(call, _)| call.role == number);
            if role.excess_s > 0.0 {
                of_role.for_each(|(_, its_s)| *its_s *= role.waiting.value_s / sum_s);
            }
        }
        PredictedRun {
            efficiency: efficiency(&roles, time.value_s),
            waiting_s,
            beyond: self.beyond(point),
            time,
            sum,
            roles,
            by_roles_s,
        }
    }

    /// As far off as the model's own runs are.
    fn with_misfit(&self, time: Ends, level: f64) -> Ends {
        let last = self.ratios.len().saturating_sub(1) as f64;
        let ratio = |share: f64| self.ratios.get((share * last).round() as usize).copied().unwrap_or(1.0);
        Ends {
            low_s: time.low_s * ratio((1.0 - level) / 2.0).min(1.0),
            high_s: time.high_s * ratio((1.0 + level) / 2.0).max(1.0),
            ..time
        }
    }

    fn predict_role(&self, role: usize, point: &[f64], steps: &[StepAt], calls: &[Ends]) -> PredictedRole {
        let rest = 1.0 + self.rest[role];
        let own = self.steps.iter().zip(steps).filter(|(step, _)| step.role == role);
        let (mut all, mut computing_s) = (NOTHING, 0.0);
        for (step, StepAt { ends, .. }) in own {
            all = plus(all, rest, *ends);
            if step.state == State::Computing {
                computing_s += rest * ends.value_s;
            }
        }
        let waits = self.calls.iter().zip(calls).filter(|(call, _)| call.role == role);
        let waiting = waits.fold(NOTHING, |sum, (_, ends)| plus(sum, 1.0, *ends));
        let processors = self.roles[role].processors(point);
        PredictedRole { processors, steps: all, computing_s, waiting, excess_s: 0.0 }
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
pub fn left_out_s(variables: &[String], runs: &[RunAtPoint]) -> Result<Vec<f64>, NoModel> {
    let predicted = runs.iter().map(|out| {
        let others: Vec<RunAtPoint> = runs.iter().filter(|run| run.point != out.point).cloned().collect();
        Ok(WaitModel::fit(variables, &others)?.predict(&out.point, 0.5).time.value_s)
    });
    predicted.collect()
}

fn at_least_nothing(ends: Ends) -> Ends {
    if ends.value_s.is_nan() {
        return ends;
    }
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
