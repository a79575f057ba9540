use std::collections::{BTreeMap, BTreeSet, HashMap};

use call_waiting::{Code, State};

use crate::sampled::RunAtPoint;

/// Processors that do the same calls and experiments, in all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Role {
    /// What they compute longest; `None` if they compute nothing.
    pub main: Option<Code>,
    /// How many there are in each run.
    pub counts: Vec<usize>,
    /// The variable that is their number in all runs, as an index.
    pub variable: Option<usize>,
    /// So many fewer there are than that, as where one of a group does something else.
    pub fewer: usize,
}

impl Role {
    /// 0 in each run that has the role, else NaN.
    pub(crate) fn nothing(&self) -> Vec<f64> {
        self.counts.iter().map(|count| if *count == 0 { f64::NAN } else { 0.0 }).collect()
    }

    /// How many there are at a point; `None` if that is not known.
    pub fn processors(&self, point: &[f64]) -> Option<f64> {
        match self.variable {
            Some(variable) => point.get(variable).map(|value| (value - self.fewer as f64).max(0.0)),
            None => {
                let first = *self.counts.first()?;
                self.counts.iter().all(|count| *count == first).then_some(first as f64)
            }
        }
    }
}

/// What makes a role. What is computed before a call may take no time that a clock sees; the call is there all the same.
#[derive(PartialEq, Eq, Hash)]
enum Deed<'a> {
    Call(&'a Code),
    Experiment(&'a str),
}

impl Deed<'_> {
    fn of(code: &Code, state: State) -> Option<Deed<'_>> {
        match (code, state) {
            (_, State::Communicating) => Some(Deed::Call(code)),
            (Code::Experiment { name, .. }, State::Computing) => Some(Deed::Experiment(name)),
            _ => None,
        }
    }
}

/// The roles of some runs, and who has which.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roles {
    pub(crate) roles: Vec<Role>,
    /// For each run the role of each processor.
    pub(crate) of: Vec<HashMap<u32, usize>>,
}

impl Roles {
    pub(crate) fn of_runs(runs: &[RunAtPoint], variables: usize) -> Roles {
        let mut numbers: HashMap<Deed, usize> = HashMap::new();
        let mut known: Vec<BTreeSet<usize>> = Vec::new();
        let mut found = Roles::default();
        for (run, sampled) in runs.iter().enumerate() {
            let account = sampled.account;
            let mut does: BTreeMap<u32, BTreeSet<usize>> =
                account.waits.processors.iter().map(|processor| (*processor, BTreeSet::new())).collect();
            for step in account.steps.keys() {
                if let Some(deed) = Deed::of(&account.waits.codes[step.code], step.state) {
                    let next = numbers.len();
                    let number = *numbers.entry(deed).or_insert(next);
                    does.entry(step.processor).or_default().insert(number);
                }
            }
            let mut of = HashMap::new();
            for (processor, its) in does {
                let role = known.iter().position(|known| *known == its).unwrap_or_else(|| {
                    known.push(its);
                    let counts = vec![0; runs.len()];
                    found.roles.push(Role { main: None, counts, variable: None, fewer: 0 });
                    known.len() - 1
                });
                found.roles[role].counts[run] += 1;
                of.insert(processor, role);
            }
            found.of.push(of);
        }
        found.name(runs);
        found.find_variables(runs, variables);
        found
    }

    /// By what takes longest, all runs together.
    fn name(&mut self, runs: &[RunAtPoint]) {
        let mut times_ns: Vec<HashMap<&Code, i64>> = vec![HashMap::new(); self.roles.len()];
        let mut order: Vec<&Code> = Vec::new();
        for (sampled, of) in runs.iter().zip(&self.of) {
            for (step, time_ns) in &sampled.account.steps {
                let code = &sampled.account.waits.codes[step.code];
                if let Some(role) = of.get(&step.processor).filter(|_| step.state == State::Computing) {
                    let sum_ns = times_ns[*role].entry(code).or_insert_with(|| {
                        order.push(code);
                        0
                    });
                    *sum_ns = sum_ns.saturating_add(*time_ns);
                }
            }
        }
        for (role, times_ns) in self.roles.iter_mut().zip(&times_ns) {
            // Of equal ones the first, for the same name each time.
            let longest = order.iter().rev().max_by_key(|code| times_ns.get(**code).copied().unwrap_or(-1));
            role.main = longest.filter(|code| times_ns.contains_key(**code)).map(|code| (*code).clone());
        }
    }

    /// A variable belongs to one role only, the first one whose number it is; else to one with always as many fewer. A number that is the same in all
    /// runs needs none.
    fn find_variables(&mut self, runs: &[RunAtPoint], variables: usize) {
        let mut is_taken = vec![false; variables];
        for is_exact in [true, false] {
            for role in &mut self.roles {
                if role.variable.is_some() || role.counts.windows(2).all(|pair| pair[0] == pair[1]) {
                    continue;
                }
                let fewer = |variable: &usize| {
                    let pairs = runs.iter().zip(&role.counts);
                    let mut fewer = pairs.map(|(run, count)| {
                        run.point.get(*variable).map_or(f64::NAN, |value| value - *count as f64)
                    });
                    let first = fewer.next().filter(|first| *first >= 0.0 && first.fract() == 0.0)?;
                    (fewer.all(|its| its == first) && is_exact == (first == 0.0)).then_some(first as usize)
                };
                let free = (0..variables).filter(|variable| !is_taken[*variable]);
                if let Some((variable, fewer)) = free.filter_map(|its| Some((its, fewer(&its)?))).next() {
                    (role.variable, role.fewer) = (Some(variable), fewer);
                    is_taken[variable] = true;
                }
            }
        }
    }
}
