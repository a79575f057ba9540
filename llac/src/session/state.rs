use std::collections::BTreeMap;
use std::sync::Arc;

use call_bsp::program::ProgramFile;
use call_model::Settings;

use crate::data::DataSet;
use crate::found::SessionExperiment;
use crate::loaded_model::LoadedModel;

/// What commands change, and `undo` brings back.
#[derive(Debug, Clone)]
pub(crate) struct SessionState {
    sets: BTreeMap<String, DataSet>,
    current: String,
    /// Model programs by their names.
    programs: BTreeMap<String, Arc<ProgramFile>>,
    /// Models from files by their names.
    models: BTreeMap<String, Arc<LoadedModel>>,
    pub(super) settings: Settings,
    /// The share of measurements that intervals hold, 0.9 for 90 %.
    pub(super) level: f64,
    /// Whether the experiments of a program inform each other where formulas are found.
    pub(super) siblings: bool,
    /// Whether what the source says of formulas counts.
    pub(super) source: bool,
    /// Counts changes.
    pub(super) revision: usize,
}

/// The name of the data set at the start.
const FIRST_SET: &str = "data";

impl SessionState {
    /// Nothing loaded.
    pub(super) fn new() -> SessionState {
        SessionState {
            sets: BTreeMap::from([(FIRST_SET.to_owned(), DataSet::default())]),
            current: FIRST_SET.to_owned(),
            programs: BTreeMap::new(),
            models: BTreeMap::new(),
            settings: Settings::default(),
            level: 0.9,
            siblings: true,
            source: true,
            revision: 0,
        }
    }

    /// The settings, to be changed.
    pub(crate) fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Whether the source counts, to be changed.
    pub(crate) fn source_mut(&mut self) -> &mut bool {
        &mut self.source
    }

    /// The level of intervals, to be changed.
    pub(crate) fn level_mut(&mut self) -> &mut f64 {
        &mut self.level
    }

    /// Whether siblings inform each other, to be changed.
    pub(crate) fn siblings_mut(&mut self) -> &mut bool {
        &mut self.siblings
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
    pub(crate) fn set_data_of(&mut self, found: &SessionExperiment, data: DataSet) {
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
    pub(super) fn hidden(&self) -> Vec<(String, &'static str)> {
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
