use std::collections::BTreeMap;
use std::sync::Arc;

use call_bsp::program::ProgramFile;
use call_model::{Clock, Forecaster, Judgement, Model, Prepared, Settings};
use call_search::{AveragedFormulas, Finding, Measurements, find};
use call_trace::Experiment;

use crate::command::{self, Arguments, Clauses, Command};
use crate::data::DataSet;
use crate::experiments::Found;
use crate::line::Line;
use crate::loaded_model::LoadedModel;
use crate::words::{Word, joined};
use crate::{Error, Message, Outcome, Workspace};

/// The state between commands: what was loaded, what was done to it, how it is fitted, and the models.
///
/// A clone is cheap and independent; it shares the samples.
#[derive(Clone)]
pub struct Session {
    pub(crate) workspace: Arc<dyn Workspace>,
    state: State,
    /// The states before the commands that changed something, with the lines of those.
    past: Vec<(State, String)>,
    /// States that were undone, the last one first, with the lines that lead to them.
    undone: Vec<(State, String)>,
    /// What was made of the present state.
    made: Made,
    /// How many scripts are running inside of each other.
    pub(crate) depth: usize,
}

/// What was made of a state, by the [`key`] of the experiment.
#[derive(Clone, Default)]
struct Made {
    prepared: BTreeMap<String, Arc<Prepared>>,
    models: BTreeMap<String, Arc<Model>>,
    forecasters: BTreeMap<String, Arc<Forecaster>>,
    averaged: BTreeMap<String, Arc<AveragedFormulas>>,
}

/// Experiments of one name in different sets differ in their samples.
fn key(experiment: &Experiment) -> String {
    format!("{:p} {}", experiment, experiment.name)
}

/// What commands change, and `undo` brings back.
#[derive(Debug, Clone)]
pub(crate) struct State {
    sets: BTreeMap<String, DataSet>,
    current: String,
    /// Model programs by their names.
    programs: BTreeMap<String, Arc<ProgramFile>>,
    /// Models from files by their names.
    models: BTreeMap<String, Arc<LoadedModel>>,
    settings: Settings,
    /// The share of measurements that intervals hold, 0.9 for 90 %.
    level: f64,
    /// Counts changes.
    revision: usize,
}

/// Longer command lines are not meant.
const MOST_BYTES: usize = 4 << 20;

/// The name of the data set at the start.
const FIRST_SET: &str = "data";

impl Session {
    /// An empty session.
    pub fn new(workspace: Box<dyn Workspace>) -> Session {
        let state = State {
            sets: BTreeMap::from([(FIRST_SET.to_owned(), DataSet::default())]),
            current: FIRST_SET.to_owned(),
            programs: BTreeMap::new(),
            models: BTreeMap::new(),
            settings: Settings::default(),
            level: 0.9,
            revision: 0,
        };
        Session {
            workspace: Arc::from(workspace),
            state,
            past: Vec::new(),
            undone: Vec::new(),
            made: Made::default(),
            depth: 0,
        }
    }

    /// Runs one command line. An empty line or a comment does nothing. A backslash before a line feed joins lines, and so do open brackets.
    ///
    /// # Errors
    /// What is wrong and where in the line; the session is then as before.
    pub fn run(&mut self, line: &str) -> Result<Outcome, Error> {
        if line.len() > MOST_BYTES {
            let message = format!("the line has {} bytes, more than {MOST_BYTES}", line.len());
            return Err(Error::new(message).help("give long lists as a table to `load`"));
        }
        let joined = joined(line);
        let has_clauses =
            |name: &str| command::find(name).is_some_and(|command| command.clauses() != Clauses::None);
        let Some(line) = Line::parse(&joined, has_clauses)? else { return Ok(Outcome::default()) };
        let command = command::named(&line.command)?;
        let before = self.state.clone();
        let hidden_before = before.hidden();
        let mut outcome = self.run_command(command, line);
        if command.is_about_history() {
            // It has seen to the states itself.
        } else if outcome.is_err() {
            self.set_state(before);
        } else if self.state.revision != before.revision {
            self.past.push((before, joined));
            self.undone.clear();
        }
        if let Ok(outcome) = &mut outcome {
            let hidden = self.state.hidden().into_iter().filter(|one| !hidden_before.contains(one));
            outcome.warnings.extend(hidden.map(|(name, what)| {
                let text = format!(
                    "`{name}` means the experiment from now on, and no longer the {what}: rename one of them"
                );
                Message::new("hidden-name", text)
            }));
        }
        outcome
    }

    fn run_command(&mut self, command: &dyn Command, mut line: Line) -> Result<Outcome, Error> {
        let into = line.into.take();
        let arguments = Arguments::new(line);
        let outcome = match arguments.condition() {
            Some(condition) if command.clauses() == Clauses::Samples => {
                let mut chosen = self.where_condition(condition, &arguments)?;
                command.run(&mut chosen, &arguments)?
            }
            _ => command.run(self, &arguments)?,
        };
        match into {
            None => Ok(outcome),
            Some(file) => command::write_into(self, outcome, &file),
        }
    }

    /// The state as it is.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The state, which is going to change; what was made of it is made anew.
    pub(crate) fn change(&mut self) -> &mut State {
        self.made = Made::default();
        self.state.revision += 1;
        &mut self.state
    }

    fn set_state(&mut self, state: State) {
        if state.revision != self.state.revision {
            self.made = Made::default();
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
        Arc::clone(self.made.prepared.entry(key(experiment)).or_insert_with(prepare))
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
        if let Some(model) = self.made.models.get(&key(experiment)) {
            return Ok(Arc::clone(model));
        }
        let model = Model::fit(&self.prepared(experiment)).map_err(command::model_error)?;
        let model = Arc::new(model);
        self.made.models.insert(key(experiment), Arc::clone(&model));
        Ok(model)
    }

    /// The model of an experiment as it predicts with intervals, made now if it was not before.
    pub(crate) fn forecaster(&mut self, found: &Found) -> Result<Arc<Forecaster>, Error> {
        let experiment = found.experiment();
        let key = format!("{} {}", key(experiment), found.name);
        if let Some(forecaster) = self.made.forecasters.get(&key) {
            return Ok(Arc::clone(forecaster));
        }
        let model = self.model(experiment)?;
        let forecaster = Forecaster::new(model, &self.prepared(experiment)).map_err(command::model_error)?;
        let forecaster = Arc::new(forecaster.known_as(&found.name, command::definitions(found)));
        self.made.forecasters.insert(key, Arc::clone(&forecaster));
        Ok(forecaster)
    }

    /// What was found for an experiment without a formula, searched now if it was not before.
    pub(crate) fn averaged(&mut self, found: &Found) -> Result<Arc<AveragedFormulas>, Error> {
        let key = format!("{} {}", key(found.experiment()), found.name);
        if let Some(averaged) = self.made.averaged.get(&key) {
            return Ok(Arc::clone(averaged));
        }
        let finding = self.finding(found)?;
        let sampled = self.prepared(found.experiment()).ranges();
        let unit = found.experiment().unit.clone();
        let definitions = command::definitions(found);
        let averaged = Arc::new(AveragedFormulas::new(&found.name, finding, unit, definitions, sampled));
        self.made.averaged.insert(key, Arc::clone(&averaged));
        Ok(averaged)
    }

    /// Judges a model by the samples of its fit, and by what their traces say about the clock.
    pub(crate) fn judgement(&mut self, found: &Found, model: &Model) -> Result<Judgement, Error> {
        let headers = found.runs().iter().map(|run| &run.header);
        let largest = |values: &mut dyn Iterator<Item = f64>| values.reduce(f64::max).map(|ns| ns * 1e-9);
        // Only times are few steps of a clock.
        let is_time = model.unit().is_time();
        let largest = |values: &mut dyn Iterator<Item = f64>| largest(values).filter(|_| is_time);
        let clock = Clock {
            resolution_s: largest(&mut headers.clone().filter_map(|header| header.clock_resolution_ns)),
            // What was taken off does not matter any more.
            empty_pair_s: largest(
                &mut headers
                    .filter(|header| header.subtracted_ns.is_none())
                    .filter_map(|header| header.empty_pair_ns),
            ),
        };
        model.judge(&self.prepared(found.experiment()), clock, self.level()).map_err(command::model_error)
    }

    /// The plausible formulas of an experiment's samples, over the variables that vary.
    pub(crate) fn finding(&mut self, found: &Found) -> Result<Finding, Error> {
        self.finding_over(found, |_| true)
    }

    /// The same over those of them that are chosen.
    pub(crate) fn finding_over(
        &mut self,
        found: &Found,
        is_chosen: impl Fn(&str) -> bool,
    ) -> Result<Finding, Error> {
        let prepared = self.prepared(found.experiment());
        let samples = prepared.samples();
        if samples.is_empty() {
            return Err(Error::new(format!("experiment `{}` has no samples", found.name)));
        }
        let varies = |column: &&Vec<f64>| column.windows(2).any(|pair| pair[0] != pair[1]);
        let varying = samples
            .names
            .iter()
            .zip(&samples.columns)
            .filter(|(name, column)| is_chosen(name) && varies(column));
        let (names, columns): (Vec<String>, Vec<&[f64]>) =
            varying.map(|(name, column)| (name.clone(), column.as_slice())).unzip();
        Ok(find(&Measurements::new(&names, &columns, &samples.time_s)))
    }

    /// Writes the file that a word of the command line names.
    pub(crate) fn write(&self, file: &Word, contents: &[u8]) -> Result<(), Error> {
        self.workspace.write(&file.text, contents).map_err(|error| {
            Error::at(file.span.clone(), format!("cannot write {}: {error}", file.text)).coded("cannot-write")
        })
    }

    /// How models are made.
    pub(crate) fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// The share of measurements that intervals hold.
    pub(crate) fn level(&self) -> f64 {
        self.state.level
    }
}

impl State {
    /// The settings, to be changed.
    pub(crate) fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The level of intervals, to be changed.
    pub(crate) fn level_mut(&mut self) -> &mut f64 {
        &mut self.level
    }

    /// The data set that names without a set mean.
    pub(crate) fn data(&self) -> &DataSet {
        // It exists: `use_set` makes sets, and none goes away.
        static NONE: std::sync::OnceLock<DataSet> = std::sync::OnceLock::new();
        self.sets.get(&self.current).unwrap_or_else(|| NONE.get_or_init(DataSet::default))
    }

    /// Replaces the current data set.
    pub(crate) fn set_data(&mut self, data: DataSet) {
        self.sets.insert(self.current.clone(), data);
    }

    /// Replaces the data set that an experiment is from.
    pub(crate) fn set_data_of(&mut self, found: &Found, data: DataSet) {
        self.sets.insert(found.set_name.clone(), data);
    }

    /// The data sets by their names.
    pub(crate) fn sets(&self) -> &BTreeMap<String, DataSet> {
        &self.sets
    }

    /// Name of the current data set.
    pub(crate) fn current(&self) -> &str {
        &self.current
    }

    /// The model programs, by their names.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Arc<ProgramFile>> {
        self.programs.values()
    }

    /// The names of programs and loaded models that mean experiments, so that those cannot be asked for.
    fn hidden(&self) -> Vec<(String, &'static str)> {
        let is_experiment = |name: &str| self.data().experiments().iter().any(|known| known.name == name);
        let programs = self.programs().map(|loaded| (loaded.program().name(), "program"));
        let models = self.models().map(|loaded| (loaded.name.as_str(), "loaded model"));
        let hidden = programs.chain(models).filter(|(name, _)| is_experiment(name));
        hidden.map(|(name, what)| (name.to_owned(), what)).collect()
    }

    /// The models from files, by their names.
    pub(crate) fn models(&self) -> impl Iterator<Item = &Arc<LoadedModel>> {
        self.models.values()
    }

    /// The model from a file of a name.
    pub(crate) fn model(&self, name: &str) -> Option<&Arc<LoadedModel>> {
        self.models.get(name)
    }

    /// Adds a model from a file, or replaces the one of its name.
    pub(crate) fn add_model(&mut self, model: Arc<LoadedModel>) {
        self.models.insert(model.name.clone(), model);
    }

    /// The model program of a name.
    pub(crate) fn program(&self, name: &str) -> Option<&Arc<ProgramFile>> {
        self.programs.get(name)
    }

    /// Adds a model program, or replaces the one of its name.
    pub(crate) fn add_program(&mut self, program: Arc<ProgramFile>) {
        self.programs.insert(program.program().name().to_owned(), program);
    }

    /// Takes all models from files away.
    pub(crate) fn forget_models(&mut self) {
        self.models.clear();
    }

    /// Makes a data set the current one; it is empty if there was none.
    pub(crate) fn use_set(&mut self, name: &str) {
        self.sets.entry(name.to_owned()).or_default();
        self.current = name.to_owned();
    }
}
