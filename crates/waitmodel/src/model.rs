use std::collections::{BTreeMap, HashMap};

use call_search::{FormulaFinder, FoundFormulas, FoundModel};
use call_waiting::{Code, State, Step};

use crate::ends::StepAt;
use crate::error::NoModel;
use crate::grouping::{RecordedSum, RunPlaces, distinct};
use crate::law::law;
use crate::role::{Role, Roles};
use crate::sampled::RunAtPoint;
use crate::step_model::StepModel;
use crate::sum::{Sum, are_common, maximum};

/// A call in which processors of a role wait.
#[derive(Debug, Clone)]
pub struct CallModel {
    /// The call.
    pub code: Code,
    /// Who waits, an index into the roles.
    pub role: usize,
    /// What its waits are made of: the maximum of these, and of 0. Empty if nearly each run has waits of its own kind: then the waits themselves are
    /// modelled.
    pub sums: Vec<Sum>,
    /// The mean of the role's processors in each run, seconds; NaN in runs without the role.
    pub waiting_s: Vec<f64>,
    pub(crate) law: Option<FoundFormulas>,
}

impl CallModel {
    /// The most plausible formula of the waits, if no sums are.
    pub fn formula(&self, name: &str) -> Option<FoundModel> {
        self.law.as_ref()?.ranked(name).into_iter().next()
    }
}

/// Run time and waits of a program as they depend on variables.
#[derive(Debug, Clone)]
pub struct WaitModel {
    /// The variables; points have a value for each.
    pub variables: Vec<String>,
    /// Where the runs lie.
    pub points: Vec<Vec<f64>>,
    /// How long they took, seconds.
    pub run_time_s: Vec<f64>,
    /// Processors that do the same.
    pub roles: Vec<Role>,
    /// The steps that take long enough to be seen.
    pub steps: Vec<StepModel>,
    /// The run time: the maximum of these.
    pub time: Vec<Sum>,
    /// Whether most runs have a sum that others have, too: else those sums tell little of further runs.
    pub is_common: bool,
    /// The calls in which is waited, the longest waiting first.
    pub calls: Vec<CallModel>,
    /// How long each run took / how long the model says, ascending.
    pub(crate) ratios: Vec<f64>,
    /// Of each role what shorter steps add to its time, as a share of those that are steps of the model.
    pub(crate) rest: Vec<f64>,
}

/// Steps that make this share of the run time of some run are modelled by themselves.
const SEEN: f64 = 0.005;

/// Waits that are shorter in all runs are none.
const NO_WAIT: f64 = 0.001;

/// So many runs at different points are needed.
const FEWEST_POINTS: usize = 4;

/// Whose, what and how, the code by its number over all runs.
type StepKey = (usize, usize, State);

impl WaitModel {
    /// Fits steps to runs, and finds what run times and waits are made of in them. Each variable should differ in some of them.
    ///
    /// # Errors
    /// If nothing varies, or too few points were run.
    pub fn fit(variables: &[String], runs: &[RunAtPoint]) -> Result<WaitModel, NoModel> {
        let points: Vec<Vec<f64>> = runs.iter().map(|run| run.point.clone()).collect();
        let mut distinct_points = points.clone();
        distinct_points.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
        distinct_points.dedup();
        if variables.is_empty() || (distinct_points.len() == 1 && runs.len() > 1) {
            return Err(NoModel::NothingVaries);
        }
        if distinct_points.len() < FEWEST_POINTS {
            return Err(NoModel::TooFew { count: distinct_points.len() });
        }
        let roles = Roles::of_runs(runs, variables.len());
        let sums = StepSums::of(runs, &roles);
        let mut finder = FormulaFinder::new();
        let steps: Vec<StepModel> = sums
            .seen
            .iter()
            .map(|key| {
                let (role, code, state) = *key;
                let step = (role, sums.codes[code].clone(), state);
                StepModel::fit(step, sums.mean_s(key), variables, &points, &mut finder)
            })
            .collect();
        let mean_s: Vec<Vec<f64>> = steps.iter().map(|step| step.mean_s.clone()).collect();
        let role_of: Vec<&Role> = steps.iter().map(|step| &roles.roles[step.role]).collect();
        let places = RunPlaces { variables, points: &points, mean_s: &mean_s, role_of: &role_of };
        let time = distinct(&sums.paths(runs, &roles), &places, &mut finder);
        let mut calls = sums.calls(runs, &roles, |recorded| distinct(recorded, &places, &mut finder));
        for call in calls.iter_mut().filter(|call| !are_common(&call.sums)) {
            call.sums.clear();
            let points = points.iter().map(Vec::as_slice);
            call.law = Some(law(variables, points, &call.waiting_s, &mut finder));
        }
        let run_time_s: Vec<f64> = runs.iter().map(run_time_s).collect();
        Ok(WaitModel {
            variables: variables.to_vec(),
            ratios: ratios(&points, &run_time_s, &roles.roles, &steps, &time),
            run_time_s,
            is_common: are_common(&time),
            time,
            calls,
            rest: sums.rests(roles.roles.len()),
            roles: roles.roles,
            points,
            steps,
        })
    }
}

fn ratios(
    points: &[Vec<f64>],
    run_time_s: &[f64],
    roles: &[Role],
    steps: &[StepModel],
    time: &[Sum],
) -> Vec<f64> {
    let ratio = |(point, run_time_s): (&Vec<f64>, &f64)| {
        let steps: Vec<StepAt> = steps.iter().map(|step| step.at(roles, point, 0.5)).collect();
        run_time_s / maximum(time, &steps, point, 0.5).1.value_s
    };
    let mut ratios: Vec<f64> =
        points.iter().zip(run_time_s).map(ratio).filter(|its| its.is_finite()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}

fn run_time_s(run: &RunAtPoint) -> f64 {
    run.account.waits.efficiency.run_time_ns as f64 * 1e-9
}

/// What the steps of all runs add up to.
struct StepSums {
    codes: Vec<Code>,
    numbers: HashMap<Code, usize>,
    /// For each step its mean in each run.
    means_s: BTreeMap<StepKey, Vec<f64>>,
    /// The steps that are modelled.
    seen: Vec<StepKey>,
}

impl StepSums {
    fn of(runs: &[RunAtPoint], roles: &Roles) -> StepSums {
        let (codes, numbers) = (Vec::new(), HashMap::new());
        let mut sums = StepSums { codes, numbers, means_s: BTreeMap::new(), seen: Vec::new() };
        for (run, sampled) in runs.iter().enumerate() {
            for (step, time_ns) in &sampled.account.steps {
                let Some(key) = sums.key(sampled, roles, run, step) else { continue };
                let means_s = sums.means_s.entry(key).or_insert_with(|| roles.roles[key.0].nothing());
                means_s[run] += *time_ns as f64 * 1e-9 / roles.roles[key.0].counts[run] as f64;
            }
        }
        let is_seen = |means_s: &Vec<f64>| {
            means_s.iter().zip(runs).any(|(mean_s, run)| *mean_s > SEEN * run_time_s(run))
        };
        sums.seen =
            sums.means_s.iter().filter(|(_, means_s)| is_seen(means_s)).map(|(key, _)| *key).collect();
        sums
    }

    fn key(&mut self, sampled: &RunAtPoint, roles: &Roles, run: usize, step: &Step) -> Option<StepKey> {
        let role = *roles.of[run].get(&step.processor)?;
        Some((role, self.number(&sampled.account.waits.codes[step.code]), step.state))
    }

    fn number(&mut self, code: &Code) -> usize {
        if let Some(number) = self.numbers.get(code) {
            return *number;
        }
        self.codes.push(code.clone());
        self.numbers.insert(code.clone(), self.codes.len() - 1);
        self.codes.len() - 1
    }

    fn mean_s(&self, key: &StepKey) -> Vec<f64> {
        self.means_s.get(key).cloned().unwrap_or_default()
    }

    /// Steps of a run as a sum of the model's.
    fn recorded<'a>(
        &self,
        runs: &[RunAtPoint],
        roles: &Roles,
        run: usize,
        steps: impl Iterator<Item = (&'a Step, f64)>,
    ) -> RecordedSum {
        let mut sum = RecordedSum { run, by_step_s: vec![0.0; self.seen.len()], rest_s: 0.0 };
        for (step, time_s) in steps {
            let code = &runs[run].account.waits.codes[step.code];
            let key = roles.of[run]
                .get(&step.processor)
                .zip(self.numbers.get(code))
                .map(|(role, code)| (*role, *code, step.state));
            let place = key.and_then(|key| self.seen.binary_search(&key).ok());
            match place.filter(|place| self.means_s[&self.seen[*place]][run] > 0.0) {
                Some(place) => sum.by_step_s[place] += time_s,
                None => sum.rest_s += time_s,
            }
        }
        sum
    }

    fn paths(&self, runs: &[RunAtPoint], roles: &Roles) -> Vec<RecordedSum> {
        let path = |run: usize| {
            let path = runs[run].account.waits.critical_path.iter();
            let steps = path.map(|part| (&part.step, part.time_ns as f64 * 1e-9));
            self.recorded(runs, roles, run, steps)
        };
        (0..runs.len()).map(path).collect()
    }

    fn calls(
        &self,
        runs: &[RunAtPoint],
        roles: &Roles,
        mut distinct: impl FnMut(&[RecordedSum]) -> Vec<Sum>,
    ) -> Vec<CallModel> {
        let mut found: BTreeMap<(usize, usize), (Vec<f64>, Vec<RecordedSum>)> = BTreeMap::new();
        for (run, sampled) in runs.iter().enumerate() {
            for call in &sampled.account.calls {
                let code = self.numbers.get(&sampled.account.waits.codes[call.code]);
                let Some((role, code)) = roles.of[run].get(&call.processor).zip(code) else { continue };
                let count = roles.roles[*role].counts[run] as f64;
                let (waiting_s, sums) =
                    found.entry((*code, *role)).or_insert_with(|| (roles.roles[*role].nothing(), Vec::new()));
                waiting_s[run] += call.waiting_ns as f64 * 1e-9 / count;
                let steps = call.causes.iter().map(|(step, ns)| (step, *ns as f64 * 1e-9 / count));
                let more = self.recorded(runs, roles, run, steps);
                match sums.last_mut().filter(|last| last.run == run) {
                    Some(last) => {
                        last.rest_s += more.rest_s;
                        last.by_step_s.iter_mut().zip(more.by_step_s).for_each(|(sum, more)| *sum += more);
                    }
                    None => sums.push(more),
                }
            }
        }
        let mut calls = Vec::new();
        for ((code, role), (waiting_s, mut sums)) in found {
            sums.retain(|sum| waiting_s[sum.run] > NO_WAIT * run_time_s(&runs[sum.run]));
            if !sums.is_empty() {
                let sums = distinct(&sums);
                calls.push(CallModel { code: self.codes[code].clone(), role, sums, waiting_s, law: None });
            }
        }
        let all_s = |call: &CallModel| call.waiting_s.iter().filter(|its_s| its_s.is_finite()).sum::<f64>();
        calls.sort_by(|left, right| all_s(right).total_cmp(&all_s(left)));
        calls
    }

    /// Of each role what is not modelled, as a share of what is.
    fn rests(&self, roles: usize) -> Vec<f64> {
        let mut sums_s = vec![(0.0, 0.0); roles];
        for (key, means_s) in &self.means_s {
            let all_s: f64 = means_s.iter().filter(|mean_s| mean_s.is_finite()).sum();
            match self.seen.binary_search(key) {
                Ok(_) => sums_s[key.0].0 += all_s,
                Err(_) => sums_s[key.0].1 += all_s,
            }
        }
        sums_s.into_iter().map(|(seen_s, rest_s)| if seen_s > 0.0 { rest_s / seen_s } else { 0.0 }).collect()
    }
}
