//! From the words of a command to models: of samples, or from files.

use std::collections::BTreeSet;
use std::sync::Arc;

use call_model::{Model, Predictor};

use crate::command::CommandArguments;
use crate::error::code;
use crate::experiments::looks_like_a_name;
use crate::found::SessionExperiment;
use crate::loaded_model::{LoadedModel, no_samples};
use crate::words::Word;
use crate::{Error, Session};

/// What a name means that predicts by a formula.
pub enum ModelSource {
    Samples(SessionExperiment),
    File(Arc<LoadedModel>),
}

impl ModelSource {
    /// What people call it.
    pub fn name(&self) -> &str {
        match self {
            ModelSource::Samples(found) => &found.name,
            ModelSource::File(loaded) => &loaded.name,
        }
    }
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
    pub(crate) fn check_condition(&self, arguments: &CommandArguments) -> Result<(), Error> {
        for word in arguments.words() {
            let of_program = self.state().program(&word.text).filter(|_| self.find(&word.text).is_none());
            let names = of_program
                .map_or_else(|| BTreeSet::from([word.text.as_str()]), |file| file.program().names());
            if let Some(model) = names.into_iter().find_map(|name| self.loaded_model(name)) {
                return Err(word
                    .error(code::NO_SAMPLES, no_samples(&model.name))
                    .help("leave the condition out: it chooses samples"));
            }
        }
        match self.only_model(arguments.words().first()) {
            None => Ok(()),
            Some(only) => Err(Error::new(code::NO_SAMPLES, no_samples(&only.name))
                .help("leave the condition out: it chooses samples")),
        }
    }
}
