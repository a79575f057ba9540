mod running;
mod state;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use call_grammar::{Formula, Variable};
use call_machine::Machine;
use call_model::{Forecaster, Judgement, MeasuringConditions, Model, Prepared, Settings};
use call_search::{AveragedFormulas, FoundFormulas, Measurements, Siblings, find};
use call_trace::{Experiment, Folding, Header, SourceCounts, Unit};

use crate::data::DataSet;
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{Error, Workspace};
use state::SessionState;

/// The state between commands: what was loaded, what was done to it, how it is fitted, and the models.
///
/// A clone is cheap and independent; it shares the samples.
#[derive(Clone)]
pub struct Session {
    pub(crate) workspace: Arc<dyn Workspace>,
    state: SessionState,
    /// The states before the commands that changed something, with the lines of those.
    past: Vec<(SessionState, String)>,
    /// States that were undone, the last one first, with the lines that lead to them.
    undone: Vec<(SessionState, String)>,
    /// What was made of the present state.
    cache: AnalysisCache,
    /// How many scripts are running inside of each other.
    pub(crate) depth: usize,
}

/// What was made of a state, by the [`key`] of the experiment.
#[derive(Clone, Default)]
struct AnalysisCache {
    prepared: BTreeMap<String, Arc<Prepared>>,
    models: BTreeMap<String, Arc<Model>>,
    forecasters: BTreeMap<String, Arc<Forecaster>>,
    averaged: BTreeMap<String, Arc<AveragedFormulas>>,
    /// The experiments that inform each other, and which of them this is.
    families: BTreeMap<String, (Arc<Family>, usize)>,
}

/// Experiments with the same variables and unit, and what is found for them together, once that is asked for.
struct Family {
    members: Vec<Measurements>,
    siblings: OnceLock<Arc<Siblings>>,
}

/// Experiments of one name in different sets differ in their samples.
fn key(experiment: &Experiment) -> String {
    format!("{:p} {}", experiment, experiment.name)
}

impl Session {
    /// An empty session.
    pub fn new(workspace: Box<dyn Workspace>) -> Session {
        Session {
            workspace: Arc::from(workspace),
            state: SessionState::new(),
            past: Vec::new(),
            undone: Vec::new(),
            cache: AnalysisCache::default(),
            depth: 0,
        }
    }

    /// The state as it is.
    pub(crate) fn state(&self) -> &SessionState {
        &self.state
    }

    /// The state, which is going to change; what was made of it is made anew.
    pub(crate) fn change(&mut self) -> &mut SessionState {
        self.cache = AnalysisCache::default();
        self.state.revision += 1;
        &mut self.state
    }

    fn set_state(&mut self, state: SessionState) {
        if state.revision != self.state.revision {
            self.cache = AnalysisCache::default();
        }
        self.state = state;
    }

    /// Takes the last change back and tells its line.
    pub(crate) fn undo(&mut self) -> Option<String> {
        let (state, line) = self.past.pop()?;
        self.undone.push((self.state.clone(), line.clone()));
        self.set_state(state);
        Some(line)
    }

    /// Takes the last `undo` back and tells the line that is done again.
    pub(crate) fn redo(&mut self) -> Option<String> {
        let (state, line) = self.undone.pop()?;
        self.past.push((self.state.clone(), line.clone()));
        self.set_state(state);
        Some(line)
    }

    /// The lines that make the present state.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.past.iter().map(|(_, line)| line.as_str())
    }

    /// The samples of an experiment as fits see them, prepared now if they were not before.
    pub(crate) fn prepared(&mut self, experiment: &Experiment) -> Arc<Prepared> {
        let settings = &self.state.settings;
        let prepare = || Arc::new(settings.prepare(experiment));
        Arc::clone(self.cache.prepared.entry(key(experiment)).or_insert_with(prepare))
    }

    /// The same, with every repetition known.
    pub(crate) fn prepared_for_outliers(&mut self, experiment: &Experiment) -> Arc<Prepared> {
        let settings = self.settings().for_outliers();
        let is_the_same =
            (settings.joining, settings.folding) == (self.settings().joining, self.settings().folding);
        if is_the_same { self.prepared(experiment) } else { Arc::new(settings.prepare(experiment)) }
    }

    /// The model of an experiment, fitted now if it was not before.
    pub(crate) fn model(&mut self, experiment: &Experiment) -> Result<Arc<Model>, Error> {
        if let Some(model) = self.cache.models.get(&key(experiment)) {
            return Ok(Arc::clone(model));
        }
        let model = Model::fit(&self.prepared(experiment))?;
        let model = Arc::new(model);
        self.cache.models.insert(key(experiment), Arc::clone(&model));
        Ok(model)
    }

    /// The model of an experiment as it predicts with intervals, made now if it was not before.
    pub(crate) fn forecaster(&mut self, found: &SessionExperiment) -> Result<Arc<Forecaster>, Error> {
        let experiment = found.experiment();
        let key = format!("{} {}", key(experiment), found.name);
        if let Some(forecaster) = self.cache.forecasters.get(&key) {
            return Ok(Arc::clone(forecaster));
        }
        let model = self.model(experiment)?;
        let forecaster = Forecaster::new(model, &self.prepared(experiment))?;
        let forecaster = match self.source_counts(found, forecaster.model().formula()) {
            Some(counts) => forecaster.reaching(&counts, caches_of(found)),
            None => forecaster,
        };
        let forecaster = Arc::new(forecaster.known_as(&found.name, found.definitions()));
        self.cache.forecasters.insert(key, Arc::clone(&forecaster));
        Ok(forecaster)
    }

    /// What was found for an experiment without a formula, searched now if it was not before.
    pub(crate) fn averaged(&mut self, found: &SessionExperiment) -> Result<Arc<AveragedFormulas>, Error> {
        let key = format!("{} {}", key(found.experiment()), found.name);
        if let Some(averaged) = self.cache.averaged.get(&key) {
            return Ok(Arc::clone(averaged));
        }
        self.check_samples(found)?;
        let siblings = self.siblings(found);
        let finding = match &siblings {
            Some((siblings, member)) => siblings.finding(*member).clone(),
            None => self.finding(found)?,
        };
        let sampled = self.prepared(found.experiment()).ranges();
        let unit = found.experiment().unit.clone();
        let definitions = found.definitions();
        let averaged = AveragedFormulas::new(&found.name, finding, unit, definitions, sampled);
        let averaged = match siblings {
            Some((siblings, member)) => averaged.among(siblings, member),
            None => averaged,
        };
        let averaged = Arc::new(averaged);
        self.cache.averaged.insert(key, Arc::clone(&averaged));
        Ok(averaged)
    }

    /// Judges a model by the samples of its fit, and by what their traces say of how they were measured.
    pub(crate) fn judgement(&mut self, found: &SessionExperiment, model: &Model) -> Result<Judgement, Error> {
        let headers = found.runs().iter().map(|run| &run.header);
        let largest = |values: &mut dyn Iterator<Item = f64>| values.reduce(f64::max).map(|ns| ns * 1e-9);
        // Only times are few steps of a clock.
        let is_time = model.unit().is_time();
        let largest = |values: &mut dyn Iterator<Item = f64>| largest(values).filter(|_| is_time);
        let conditions = MeasuringConditions {
            source_counts: self.source_counts(found, model.formula()),
            taken_shares: headers.clone().filter_map(Header::taken_share).collect(),
            resolution_s: largest(&mut headers.clone().filter_map(|header| header.clock_resolution_ns)),
            // What was taken off does not matter any more.
            empty_pair_s: largest(
                &mut headers
                    .filter(|header| header.subtracted_ns.is_none())
                    .filter_map(|header| header.empty_pair_ns),
            ),
        };
        Ok(model.judge(&self.prepared(found.experiment()), &conditions, self.level())?)
    }

    /// How often the statements of an experiment run, unless the source is not to be looked at, or the formula has variables that the
    /// translator did not know.
    pub(crate) fn source_counts(&self, found: &SessionExperiment, formula: &Formula) -> Option<SourceCounts> {
        let is_known = |variable: &Variable| found.was_loaded_with(variable.name());
        let counts = found.experiment().source_counts.clone().filter(|_| self.state.source);
        counts.filter(|_| formula.variables().iter().all(is_known))
    }

    /// The plausible formulas of an experiment's samples, over the variables that vary.
    pub(crate) fn finding(&mut self, found: &SessionExperiment) -> Result<FoundFormulas, Error> {
        self.finding_over(found, |_| true)
    }

    /// The experiments of its data set with the same variables and unit, which are the program's, and which of them it is; none if it
    /// is the only one, or shall know of no others.
    fn siblings(&mut self, found: &SessionExperiment) -> Option<(Arc<Siblings>, usize)> {
        if !self.state.siblings {
            return None;
        }
        let key = key(found.experiment());
        if !self.cache.families.contains_key(&key) {
            self.find_families(found.set());
        }
        let (family, member) =
            self.cache.families.get(&key).filter(|(family, _)| family.members.len() > 1)?;
        let find = || Arc::new(Siblings::new(family.members.clone()));
        Some((Arc::clone(family.siblings.get_or_init(find)), *member))
    }

    /// Finds out which experiments of a set inform each other. Those without samples say nothing.
    fn find_families(&mut self, set: &DataSet) {
        let mut families: HashMap<(&Unit, Vec<String>), Vec<_>> = HashMap::new();
        for experiment in set.experiments() {
            let measurements = self.measurements(experiment, |_| true);
            if !measurements.is_empty() {
                let family = (&experiment.unit, measurements.variables().to_vec());
                families.entry(family).or_default().push((key(experiment), measurements));
            }
        }
        for family in families.into_values() {
            let (keys, members): (Vec<String>, Vec<Measurements>) = family.into_iter().unzip();
            let family = Arc::new(Family { members, siblings: OnceLock::new() });
            let numbered = keys.into_iter().enumerate();
            self.cache.families.extend(numbered.map(|(member, key)| (key, (Arc::clone(&family), member))));
        }
    }

    /// The samples of an experiment over the variables that vary, of those that are chosen.
    fn measurements(&mut self, experiment: &Experiment, is_chosen: impl Fn(&str) -> bool) -> Measurements {
        let prepared = self.prepared(experiment);
        let samples = prepared.samples();
        let varies = |column: &&Vec<f64>| column.windows(2).any(|pair| pair[0] != pair[1]);
        let varying = samples
            .names
            .iter()
            .zip(&samples.columns)
            .filter(|(name, column)| is_chosen(name) && varies(column));
        let (names, columns): (Vec<String>, Vec<&[f64]>) =
            varying.map(|(name, column)| (name.clone(), column.as_slice())).unzip();
        let measurements = Measurements::new(&names, &columns, &samples.time_s);
        let measurements = match prepared.repetitions() {
            Some(folded) if self.state.settings.folding == Folding::Median => {
                measurements.of_medians(folded.times())
            }
            Some(folded) => measurements.folded_from(folded.times()),
            None => measurements,
        };
        let settings = &self.state.settings;
        let measurements = match settings.is_interval_of_single() || settings.folding == Folding::Each {
            true => measurements.for_single(),
            false => measurements,
        };
        match experiment.source_counts.as_ref().filter(|_| self.state.source) {
            Some(counts) => measurements.of_source(counts),
            None => measurements,
        }
    }

    /// The same over those of them that are chosen.
    pub(crate) fn finding_over(
        &mut self,
        found: &SessionExperiment,
        is_chosen: impl Fn(&str) -> bool,
    ) -> Result<FoundFormulas, Error> {
        self.check_samples(found)?;
        Ok(find(&self.measurements(found.experiment(), is_chosen)))
    }

    fn check_samples(&mut self, found: &SessionExperiment) -> Result<(), Error> {
        match self.prepared(found.experiment()).samples().is_empty() {
            true => Err(Error::new(code::NO_SAMPLES, format!("experiment `{}` has no samples", found.name))),
            false => Ok(()),
        }
    }

    /// Writes the file that a word of the command line names.
    pub(crate) fn write(&self, file: &Word, contents: &[u8]) -> Result<(), Error> {
        self.workspace
            .write(&file.text, contents)
            .map_err(|error| file.error(code::CANNOT_WRITE, format!("cannot write {}: {error}", file.text)))
    }

    /// The machine in use, on which samples were measured.
    pub(crate) fn machine_in_use(&self) -> Option<&Arc<Machine>> {
        self.state.data().machine()
    }

    /// How models are made.
    pub(crate) fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// The share of measurements that intervals hold.
    pub(crate) fn level(&self) -> f64 {
        self.state.level
    }

    /// Whether what the source says of formulas counts.
    pub(crate) fn source_is_used(&self) -> bool {
        self.state.source
    }

    /// Whether the experiments of a program inform each other where formulas are found.
    pub(crate) fn siblings_are_used(&self) -> bool {
        self.state.siblings
    }
}

/// Sizes of the caches, from the first level on, beside which all runs of an experiment were made; none where runs differ, or caches were simulated.
fn caches_of(found: &SessionExperiment) -> &[u64] {
    let headers = || found.runs().iter().map(|run| &run.header);
    let caches_bytes = headers().next().map_or(&[][..], |first| &first.caches_bytes);
    let is_alike = |its: &Header| its.simulated_caches.is_empty() && its.caches_bytes == caches_bytes;
    if headers().all(is_alike) { caches_bytes } else { &[] }
}
