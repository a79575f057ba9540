//! Models from files, which predict without samples.

use std::sync::Arc;

use call_machine::Machine;
use call_model::{Definitions, Forecaster, Model, ModelFile};
use call_report::{Column, Table, TableCell};

use crate::data::SampleChange;
use crate::error::code;
use crate::{Error, Markup, Style};

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

impl LoadedModel {
    /// A model under a name of its own, or that of its experiment.
    pub fn new(path: &str, file: ModelFile, name: Option<&str>) -> Result<LoadedModel, Error> {
        let machine = file.machine.as_ref().map(|machine| {
            let parsed =
                Machine::parse(path, &machine.file).map_err(|error| Error::from(error).of("machine"))?;
            match parsed.name == machine.name {
                true => Ok(Arc::new(parsed)),
                false => Err(Error::new(
                    code::NAMES_DIFFER,
                    format!("{path}: machine: `{}` is called `{}` in its file", machine.name, parsed.name),
                )),
            }
        });
        let machine = machine.transpose()?;
        let file = match name {
            Some(name) => ModelFile { forecaster: file.forecaster.renamed(name), ..file },
            None => file,
        };
        let name = file.forecaster.model().formula().experiment().to_owned();
        Ok(LoadedModel { name, path: path.to_owned(), machine, file })
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
        self.file.definitions.iter().collect()
    }

    /// The machine of its samples: the one of the file, else the one in use.
    pub fn here(&self, in_use: Option<&Arc<Machine>>) -> Option<Arc<Machine>> {
        self.machine.as_ref().or(in_use).cloned()
    }

    pub fn forecaster(&self, in_use: Option<&Arc<Machine>>) -> Arc<Forecaster> {
        let here = self.here(in_use);
        let was_measured = |name: &str| self.was_measured_with(name);
        let definitions = call_machine::known_on(here.as_ref(), self.lets(), was_measured);
        Arc::new(self.file.forecaster.clone().known_as(&self.name, definitions))
    }

    /// What was done to the samples that others need to stand beside them.
    pub fn steps(&self, in_use: Option<&Arc<Machine>>) -> Vec<SampleChange> {
        let lets = self.file.definitions.iter().rev();
        let lets =
            lets.map(|(name, quantity)| SampleChange::Let { name: name.clone(), quantity: quantity.clone() });
        lets.chain(self.here(in_use).map(SampleChange::Machine)).collect()
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

/// That a command needs what a model from a file does not have.
pub fn no_samples(name: &str) -> String {
    format!("`{name}` is a model from a file, which has no samples")
}

/// What to do instead.
pub const WITHOUT_SAMPLES: &str =
    "questions take it: `predict`, `plot`, `speedup`, `best`, …; `load` its samples for the rest";
