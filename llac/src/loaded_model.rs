//! Models from files, which predict without samples.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use call_machine::Machine;
use call_model::{Definition, Definitions, Forecaster, MachineText, Model, ModelFile, Predictor, RunFacts};
use call_report::{Column, Table, TableCell};
use call_trace::Run;

use crate::command::{self, Arguments};
use crate::data::Step;
use crate::experiments::{Found, looks_like_a_name};
use crate::words::Word;
use crate::{Error, Markup, Session, Style};

/// A model that was read from a file.
#[derive(Debug)]
pub struct LoadedModel {
    /// How the session calls it.
    pub name: String,
    /// Where it is from.
    pub path: String,
    pub file: ModelFile,
    /// The machine that its samples were measured on, if its file says so.
    pub machine: Option<Arc<Machine>>,
}

/// What a name means that predicts by a formula.
pub enum Source {
    Samples(Found),
    File(Arc<LoadedModel>),
}

impl Source {
    /// What people call it.
    pub fn name(&self) -> &str {
        match self {
            Source::Samples(found) => &found.name,
            Source::File(loaded) => &loaded.name,
        }
    }
}

impl LoadedModel {
    /// A model under a name of its own, or that of its experiment.
    pub fn new(path: &str, file: ModelFile, name: Option<&str>) -> Result<LoadedModel, String> {
        let machine = file.machine.as_ref().map(|machine| {
            let parsed = Machine::parse(path, &machine.file).map_err(|error| format!("machine: {error}"))?;
            match parsed.name == machine.name {
                true => Ok(Arc::new(parsed)),
                false => Err(format!(
                    "{path}: machine: `{}` is called `{}` in its file",
                    machine.name, parsed.name
                )),
            }
        });
        let experiment = file.forecaster.model().formula().experiment();
        Ok(LoadedModel {
            name: name.unwrap_or(experiment).to_owned(),
            path: path.to_owned(),
            machine: machine.transpose()?,
            file,
        })
    }

    pub fn model(&self) -> &Arc<Model> {
        self.file.forecaster.model()
    }

    /// Whether its samples had a variable themselves.
    pub fn was_measured_with(&self, variable: &str) -> bool {
        self.file.measured_columns.iter().any(|known| known == variable)
    }

    /// What `let` had defined.
    pub fn lets(&self) -> Definitions {
        self.file.definitions.iter().map(|(name, quantity)| Definition::of_quantity(name, quantity)).collect()
    }

    /// The machine of its samples: the one of the file, else the one in use.
    pub fn here(&self, session: &Session) -> Option<Arc<Machine>> {
        self.machine.clone().or_else(|| session.state().data().machine().cloned())
    }

    pub fn forecaster(&self, session: &Session) -> Arc<Forecaster> {
        let here = self.here(session);
        let of_machine = here.iter().flat_map(call_machine::definitions);
        let is_other = |definition: &Definition| !self.was_measured_with(definition.name());
        let definitions = of_machine.filter(is_other).fold(self.lets(), Definitions::or);
        Arc::new(self.file.forecaster.clone().known_as(&self.name, definitions))
    }

    /// What was done to the samples that others need to stand beside them.
    pub fn steps(&self, session: &Session) -> Vec<Step> {
        let lets = self.file.definitions.iter().rev();
        let lets = lets.map(|(name, quantity)| Step::Let { name: name.clone(), quantity: quantity.clone() });
        lets.chain(self.here(session).map(Step::Machine)).collect()
    }

    /// Formula and origin.
    pub fn describe(&self) -> Markup {
        let mut markup = Markup::new();
        markup.line(Style::Name, &self.name);
        let mut fact = |key: &str, value: &str| {
            markup.line(Style::Plain, format!("  {key:9} {value}"));
        };
        fact("model", &format!("{} = {}", self.name, self.model().formula()));
        fact("file", &format!("{}, written by CALL {}", self.path, self.file.call));
        if let Some(machine) = &self.machine {
            fact("measured", &format!("on {}", machine.name));
        }
        for run in &self.file.runs {
            fact("samples", &run.files.join(" "));
            run.facts.iter().for_each(|(key, value)| fact(key, value));
        }
        markup
    }
}

/// The model of an experiment as a file.
pub fn file_of(found: &Found, forecaster: &Forecaster) -> ModelFile {
    let experiment = found.experiment();
    let samples = [&experiment.samples, &experiment.summaries.points];
    let measured =
        samples[0].names.iter().chain(&samples[1].names).filter(|name| found.was_loaded_with(name));
    let runs: BTreeSet<u32> = samples.iter().flat_map(|samples| samples.run.iter().copied()).collect();
    let lets = found.set().steps().filter_map(|step| match step {
        Step::Let { name, quantity } => Some((name.clone(), quantity.clone())),
        _ => None,
    });
    let mut definitions: Vec<_> = lets.collect();
    definitions.reverse();
    ModelFile {
        forecaster: forecaster.clone(),
        definitions,
        machine: found
            .set()
            .machine()
            .map(|machine| MachineText { name: machine.name.clone(), file: machine.to_toml() }),
        measured_columns: measured.cloned().collect::<BTreeSet<_>>().into_iter().collect(),
        runs: runs.into_iter().filter_map(|run| found.runs().get(run as usize)).map(facts).collect(),
        call: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn facts(run: &Run) -> RunFacts {
    // What other tools measured has no header.
    let facts = match run.header.program.is_empty() {
        true => BTreeMap::new(),
        false => {
            command::facts(&run.header).into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
        }
    };
    RunFacts { files: run.files.clone(), facts }
}

/// Loaded models beside each other.
pub fn table<'a>(models: impl Iterator<Item = &'a Arc<LoadedModel>>) -> Option<Table> {
    let mut table =
        Table::new([Column::left("model"), Column::code("formula"), Column::left("file")]).named("models");
    let mut is_empty = true;
    for model in models {
        is_empty = false;
        table.row([
            TableCell::from(model.name.as_str()),
            model.model().formula().to_string().into(),
            model.path.clone().into(),
        ]);
    }
    (!is_empty).then_some(table)
}

impl Session {
    /// The loaded model of a name, unless that means an experiment.
    pub(crate) fn loaded_model(&self, name: &str) -> Option<Arc<LoadedModel>> {
        self.state().model(name).filter(|_| self.find(name).is_none()).cloned()
    }

    /// Loaded models whose names mean them.
    pub(crate) fn loaded_models(&self) -> impl Iterator<Item = &Arc<LoadedModel>> {
        self.state().models().filter(|model| self.find(&model.name).is_none())
    }

    /// The only loaded model where nothing else is loaded, unless a word is meant to name another.
    pub(crate) fn only_model(&self, first: Option<&Word>) -> Option<Arc<LoadedModel>> {
        let mut models = self.loaded_models();
        let (Some(only), None, []) = (models.next(), models.next(), self.state().data().experiments()) else {
            return None;
        };
        let is_variable = |name: &str| only.file.forecaster.variables().iter().any(|known| known == name);
        let is_meant = first.is_none_or(|word| !looks_like_a_name(&word.text) || is_variable(&word.text));
        is_meant.then(|| Arc::clone(only))
    }

    /// The model that a word names: of samples, or from a file.
    pub(crate) fn model_named(&mut self, word: &Word) -> Result<Arc<Model>, Error> {
        if let Some(loaded) = self.loaded_model(&word.text) {
            return Ok(Arc::clone(loaded.model()));
        }
        let found = self.experiment(word)?;
        self.model(found.experiment())
    }

    /// A condition chooses samples, of which models from files have none.
    pub(crate) fn check_condition(&self, arguments: &Arguments) -> Result<(), Error> {
        for word in arguments.words() {
            let of_program = self.state().program(&word.text).filter(|_| self.find(&word.text).is_none());
            let names = of_program
                .map_or_else(|| BTreeSet::from([word.text.as_str()]), |file| file.program().names());
            if let Some(model) = names.into_iter().find_map(|name| self.loaded_model(name)) {
                return Err(Error::at(word.span.clone(), no_samples(&model.name))
                    .help("leave the condition out: it chooses samples"));
            }
        }
        match self.only_model(arguments.words().first()) {
            None => Ok(()),
            Some(only) => {
                Err(Error::new(no_samples(&only.name)).help("leave the condition out: it chooses samples"))
            }
        }
    }
}

/// That a command needs what a model from a file does not have.
pub fn no_samples(name: &str) -> String {
    format!("`{name}` is a model from a file, which has no samples")
}

/// What to do instead.
pub const WITHOUT_SAMPLES: &str =
    "questions take it: `predict`, `plot`, `speedup`, `best`, …; `load` its samples for the rest";
