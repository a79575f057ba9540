use std::collections::BTreeMap;

use call_grammar::suggest;
use call_model::{Model, Settings};
use call_trace::{Dataset, Experiment};

use crate::command::{self, Arguments};
use crate::incompleteness::incompleteness;
use crate::words::{Word, words};
use crate::{Error, Outcome, Workspace};

/// The state between commands: what was loaded, what was fitted, and how.
pub struct Session {
    pub(crate) workspace: Box<dyn Workspace>,
    pub(crate) data: Dataset,
    pub(crate) models: BTreeMap<String, Model>,
    pub(crate) settings: Settings,
}

impl Session {
    /// An empty session.
    pub fn new(workspace: Box<dyn Workspace>) -> Session {
        Session {
            workspace,
            data: Dataset::default(),
            models: BTreeMap::new(),
            settings: Settings::default(),
        }
    }

    /// Runs one command line. An empty line or a comment does nothing.
    ///
    /// # Errors
    /// What is wrong and where in the line; the session is then as before.
    pub fn run(&mut self, line: &str) -> Result<Outcome, Error> {
        let words = words(line)?;
        let Some((name, rest)) = words.split_first() else { return Ok(Outcome::default()) };
        let command = command::named(name)?;
        command.run(self, &Arguments::new(rest.to_vec(), line.len()))
    }

    /// An experiment by the name in a command line.
    pub(crate) fn experiment(&self, word: &Word) -> Result<&Experiment, Error> {
        let known = || self.data.experiments.iter().map(|experiment| experiment.name.as_str());
        self.data.experiments.iter().find(|experiment| experiment.name == word.text).ok_or_else(|| {
            let error = Error::at(word.span.clone(), format!("there is no experiment `{}`", word.text));
            if self.data.experiments.is_empty() {
                return error.help("load traces first: `load FILE…`");
            }
            let all = known().collect::<Vec<_>>().join(", ");
            error.suggesting(suggest(&word.text, known()), format!("the experiments are {all}"))
        })
    }

    /// The model of an experiment, fitted now if it was not before.
    pub(crate) fn model(&mut self, word: &Word) -> Result<&Model, Error> {
        if !self.models.contains_key(&word.text) {
            let model = self.fit(word)?;
            self.models.insert(word.text.clone(), model);
        }
        Ok(&self.models[&word.text])
    }

    /// Fits an experiment under the present settings.
    pub(crate) fn fit(&self, word: &Word) -> Result<Model, Error> {
        let experiment = self.experiment(word)?;
        Model::fit(experiment, &self.settings)
            .map_err(|error| Error::at(word.span.clone(), error.to_string()))
    }

    /// The files that a word of the command line means; at least one.
    pub(crate) fn files(&self, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| Error::at(word.span.clone(), text);
        let files = self
            .workspace
            .matching(&word.text)
            .map_err(|error| fail(format!("cannot look for {}: {error}", word.text)))?;
        if files.is_empty() {
            return Err(fail(format!("no file matches {}", word.text)));
        }
        Ok(files)
    }

    /// Reads a trace into `data` and tells what is remarkable about it.
    pub(crate) fn add(&self, data: &mut Dataset, path: &str, word: &Word) -> Result<Vec<String>, Error> {
        let fail = |text: String| Error::at(word.span.clone(), text);
        let bytes =
            self.workspace.read(path).map_err(|error| fail(format!("cannot read {path}: {error}")))?;
        let trace = call_trace::read(&bytes).map_err(|error| fail(format!("{path}: {error}")))?;
        let mut warnings: Vec<String> =
            incompleteness(&trace.completeness).map(|text| format!("{path} {text}")).into_iter().collect();
        let header = &trace.header;
        if header.abandoned > 0 {
            warnings.push(format!("{path}: {} measurements were begun and never ended", header.abandoned));
        }
        if header.cores.is_some_and(|cores| header.processors > cores) && header.transport == "embedded" {
            let cores = header.cores.unwrap_or_default();
            warnings.push(format!(
                "{path}: {} processors shared {cores} cores: their times mean little",
                header.processors
            ));
        }
        data.add(path, trace).map_err(|error| fail(error.to_string()))?;
        Ok(warnings)
    }
}
