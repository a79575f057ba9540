//! The runs that models of waiting are fitted to, with the values of the variables in them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use call_model::PROCESSORS;
use call_report::number;
use call_trace::{Experiment, Run};
use call_waiting::{Account, Code, NoWaits};
use call_waitmodel::{RunAtPoint, WaitModel};

use super::{faults_of_all, sentence};
use crate::command::recorded_runs::named_runs;
use crate::error::code;
use crate::words::Word;
use crate::{Error, Message, Session};

/// Runs of a program, of which each has one value of each variable.
pub struct SampledRuns {
    /// Name of the program.
    pub program: String,
    /// Names of the runs.
    pub labels: Vec<String>,
    /// The variables that differ between runs.
    pub variables: Vec<String>,
    /// Those that have one value in all runs.
    pub constants: Vec<(String, f64)>,
    /// How steps are called.
    pub names: HashMap<Code, String>,
    /// What is wrong with the runs, or not known of them.
    pub warnings: Vec<Message>,
    points: Vec<Vec<f64>>,
    accounts: Vec<Account>,
}

/// The value of each variable in a run; `None` if it has several.
type ValuesOfRun = BTreeMap<String, Option<f64>>;

/// Runs at the same values that differ by more than this factor differ in something else.
const UNREPEATABLE: f64 = 1.1;

impl SampledRuns {
    /// The runs of a set or trace, or of all that is loaded, that recorded what is needed.
    pub fn of(session: &Session, word: Option<&Word>) -> Result<SampledRuns, Error> {
        let meant: Vec<&Run> = named_runs(session, word)?;
        let state = session.state();
        let set = word.and_then(|word| state.sets().get(&word.text)).unwrap_or(state.data());
        let values = values_of_runs(set.experiments(), set.runs().len());
        let is_recorded = |run: &&Run| !run.events.is_empty() || !run.supersteps.is_empty();
        let meant: Vec<(&Run, &ValuesOfRun)> = set
            .runs()
            .iter()
            .zip(&values)
            .filter(|(run, _)| meant.iter().any(|one| std::ptr::eq(*one, *run)) && is_recorded(run))
            .collect();
        let Some((first, _)) = meant.first() else { return Err(NoWaits::Nothing.into()) };
        if let Some((other, _)) = meant.iter().find(|(run, _)| run.header.program != first.header.program) {
            let message = format!(
                "{} is a run of {}, {} one of {}",
                first.label(),
                first.header.program,
                other.label(),
                other.header.program
            );
            return Err(Error::new(code::NOT_APPLICABLE, message).help("load the runs of one program"));
        }
        let mut found = SampledRuns {
            program: first.header.program.clone(),
            labels: meant.iter().map(|(run, _)| run.label().to_owned()).collect(),
            variables: Vec::new(),
            constants: Vec::new(),
            names: HashMap::new(),
            warnings: Vec::new(),
            points: vec![Vec::new(); meant.len()],
            accounts: Vec::new(),
        };
        for (run, _) in &meant {
            found.add_account(run)?;
        }
        let accounts = meant.iter().zip(&found.accounts);
        found.warnings = faults_of_all(accounts.map(|((run, _), account)| (*run, &account.waits)));
        found.add_variables(&meant.iter().map(|(_, values)| *values).collect::<Vec<_>>());
        found.warn_of_repetitions();
        Ok(found)
    }

    fn add_account(&mut self, run: &Run) -> Result<(), Error> {
        let account = match run.events.is_empty() {
            true => Account::of_supersteps(&run.supersteps),
            false => Account::of_events(&run.events),
        };
        let account = account.map_err(|error| Error::from(error).of(run.label()))?;
        for (code, name) in account.waits.codes.iter().zip(sentence::code_names(&account.waits)) {
            self.names.entry(code.clone()).or_insert(name);
        }
        self.accounts.push(account);
        Ok(())
    }

    /// The number of processors is a variable only where the others do not tell it.
    fn add_variables(&mut self, values: &[&ValuesOfRun]) {
        let names = values.iter().flat_map(|values| values.keys()).filter(|name| *name != PROCESSORS);
        let names: BTreeSet<&String> = names.collect();
        for name in names {
            let own: Vec<Option<f64>> =
                values.iter().map(|values| values.get(name).copied().flatten()).collect();
            match own.iter().copied().collect::<Option<Vec<f64>>>() {
                Some(own) => self.add_variable(name, &own),
                None => self.warnings.push(Message::new(
                    "left-out",
                    format!("`{name}` has several values in a run, or none: nothing is said of how times depend on it"),
                )),
            }
        }
        let counts: Vec<f64> =
            self.accounts.iter().map(|account| account.waits.processors.len() as f64).collect();
        let is_told = (0..counts.len()).all(|one| {
            (0..one).all(|other| self.points[one] != self.points[other] || counts[one] == counts[other])
        });
        if !is_told {
            self.add_variable(PROCESSORS, &counts);
        }
    }

    fn add_variable(&mut self, name: &str, own: &[f64]) {
        if own.windows(2).all(|pair| pair[0] == pair[1]) {
            self.constants.push((name.to_owned(), own[0]));
            return;
        }
        self.variables.push(name.to_owned());
        self.points.iter_mut().zip(own).for_each(|(point, value)| point.push(*value));
    }

    /// What no variable tells, such as a size that stands in no formula, would be taken for noise.
    fn warn_of_repetitions(&mut self) {
        let time_s = |run: usize| self.accounts[run].waits.efficiency.run_time_ns as f64 * 1e-9;
        let pairs = (0..self.points.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
        let apart = |(one, other): &(usize, usize)| {
            let ratio = time_s(*one) / time_s(*other);
            self.points[*one] == self.points[*other] && !(1.0 / UNREPEATABLE..=UNREPEATABLE).contains(&ratio)
        };
        if let Some((one, other)) = pairs.into_iter().find(apart) {
            let text = format!(
                "{} takes {}, {} {} at the same values: what differs between them is in no formula, or the computer was busy",
                self.labels[one],
                number::seconds(time_s(one)),
                self.labels[other],
                number::seconds(time_s(other))
            );
            self.warnings.push(Message::new("unrepeatable", text));
        }
    }

    /// The runs as models take them.
    pub fn sampled(&self) -> Vec<RunAtPoint<'_>> {
        let runs = self.points.iter().zip(&self.accounts);
        runs.map(|(point, account)| RunAtPoint { point: point.clone(), account }).collect()
    }

    /// Their model.
    pub fn model(&self) -> Result<WaitModel, Error> {
        WaitModel::fit(&self.variables, &self.sampled()).map_err(Error::from)
    }
}

fn values_of_runs(experiments: &[Experiment], runs: usize) -> Vec<ValuesOfRun> {
    let mut values = vec![ValuesOfRun::new(); runs];
    for samples in experiments.iter().flat_map(|its| [&its.samples, &its.summaries.points]) {
        for (name, column) in samples.names.iter().zip(&samples.columns) {
            for (run, value) in samples.run.iter().zip(column) {
                let Some(values) = values.get_mut(*run as usize) else { continue };
                let known = values.entry(name.clone()).or_insert(Some(*value));
                if *known != Some(*value) {
                    *known = None;
                }
            }
        }
    }
    values
}
