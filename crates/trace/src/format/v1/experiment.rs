use std::collections::HashMap;

use super::value::{Entry, Type};
use crate::collection::Collection;
use crate::{Condensation, Error, Experiment, LineRange, Samples, Summaries, Unit};

/// What the header says about an experiment.
#[derive(Debug)]
pub(super) struct Declaration {
    /// Line of the declaration.
    pub(super) line: u64,
    /// The name as it stands in the rows.
    pub(super) raw_name: Vec<u8>,
    pub(super) name: String,
    pub(super) formula: Option<String>,
    /// `P` may be among them.
    pub(super) variables: Vec<String>,
    /// Types of the variables; without meaning for text.
    pub(super) types: Vec<Type>,
    pub(super) counters: Vec<String>,
    pub(super) lines: Vec<LineRange>,
}

/// The column of the number of processors, which every experiment has.
pub(super) const PROCESSORS: &str = "P";

impl Declaration {
    /// The names of its columns: `P` and the variables.
    pub(super) fn columns(&self) -> Vec<String> {
        let variables = self.variables.iter().filter(|variable| *variable != PROCESSORS);
        std::iter::once(PROCESSORS.to_owned()).chain(variables.cloned()).collect()
    }

    /// No samples.
    pub(super) fn samples(&self) -> Samples {
        Samples::named(self.columns(), self.counters.clone())
    }

    /// The experiment with what was collected of it.
    pub(super) fn experiment(&self, collection: Collection) -> (Experiment, Option<Condensation>) {
        let (mut samples, condensed) = collection.finish();
        samples.run = vec![0; samples.len()];
        let (summaries, condensation) = condensed.unzip();
        let experiment = Experiment {
            name: self.name.clone(),
            formula: self.formula.clone(),
            lines: self.lines.clone(),
            unit: Unit::Seconds,
            samples,
            summaries: summaries
                .unwrap_or_else(|| Summaries { points: self.samples(), ..Summaries::default() }),
        };
        let named = |its: Condensation| Condensation { experiment: self.name.clone(), ..its };
        (experiment, condensation.map(named))
    }
}

/// The declarations of a header, of which the last one may be incomplete.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    finished: Vec<Declaration>,
    line_of_name: HashMap<String, u64>,
    /// The keys of the last declaration with their lines.
    keys: HashMap<&'static str, u64>,
}

impl Declarations {
    pub(super) fn open(&mut self, entry: Entry) -> Result<(), Error> {
        self.check_last()?;
        let raw_name = entry.name("experiment")?;
        let name = String::from_utf8_lossy(raw_name).into_owned();
        if let Some(&first) = self.line_of_name.get(&name) {
            return Err(Error::DuplicateExperiment { line: entry.line, experiment: name, first });
        }
        self.line_of_name.insert(name.clone(), entry.line);
        self.keys.clear();
        self.finished.push(Declaration {
            line: entry.line,
            raw_name: raw_name.to_owned(),
            name,
            formula: None,
            variables: Vec::new(),
            types: Vec::new(),
            counters: Vec::new(),
            lines: Vec::new(),
        });
        Ok(())
    }

    /// Takes one of the keys that belong to an experiment.
    pub(super) fn extend(&mut self, key: &'static str, entry: Entry) -> Result<(), Error> {
        let line = entry.line;
        let Some(last) = self.finished.last_mut() else {
            return Err(Error::OutsideExperiment { line, key: key.to_owned() });
        };
        if let Some(first) = self.keys.insert(key, line) {
            return Err(Error::DuplicateKey { line, key: key.to_owned(), first });
        }
        match key {
            "formula" => last.formula = Some(entry.text()),
            "variables" => last.variables = entry.names(key)?,
            "types" => last.types = entry.types(key)?,
            "counters" => last.counters = entry.names(key)?,
            _ => last.lines = entry.line_ranges(key)?,
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<Vec<Declaration>, Error> {
        self.check_last()?;
        Ok(std::mem::take(&mut self.finished))
    }

    fn check_last(&self) -> Result<(), Error> {
        match self.finished.last() {
            Some(last) if !self.keys.contains_key("variables") => {
                Err(Error::MissingVariables { line: last.line, experiment: last.name.clone() })
            }
            _ => Ok(()),
        }
    }
}
