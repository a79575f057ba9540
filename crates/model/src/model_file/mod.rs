//! A model as a file: it predicts as the model of the samples does, to the last digit, without them.

mod names;
mod read;
mod wire;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use call_grammar::Quantity;

use crate::{Forecaster, RunFit};

/// A model with all that a file says of it.
#[derive(Debug, Clone)]
pub struct ModelFile {
    /// The model with its intervals. One that was read has no samples: its cells have neither samples nor residuals.
    pub forecaster: Forecaster,
    /// The counter that was taken as the response; none where it is the time between begin and end, and in files of before.
    pub response: Option<String>,
    /// Variables that are computed from others, of several of a name the first counts.
    pub definitions: Vec<(String, Quantity)>,
    /// The machine that its samples were measured on, if that was said.
    pub machine: Option<MachineText>,
    /// The variables that its samples were measured with, without those that were computed later.
    pub measured_columns: Vec<String>,
    /// The runs that its samples are from.
    pub runs: Vec<RunFacts>,
    /// The version of CALL that made it.
    pub call: String,
}

impl ModelFile {
    /// What `let` has made the variables of the formula, in the order in which it was said: `M = N/1000`. Constants are worth something else where these
    /// are others.
    pub fn definitions_in_use(&self) -> Vec<String> {
        let variables = self.forecaster.model().formula().variables().iter();
        let mut needed: BTreeSet<String> = variables.map(|variable| variable.name().to_owned()).collect();
        let mut used = Vec::new();
        for (name, quantity) in &self.definitions {
            // What was said of a name before this counts only where this is made of it.
            if needed.remove(name) {
                needed.extend(quantity.variables().iter().map(|variable| variable.name().to_owned()));
                used.push(format!("{name} = {quantity}"));
            }
        }
        used.reverse();
        used
    }
}

/// A machine within a model file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineText {
    /// What it is called.
    pub name: String,
    /// The text of its file, so that g and L are the same wherever the model is.
    pub file: String,
}

/// Where samples are from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunFacts {
    /// Names of the files.
    pub files: Vec<String>,
    /// What their headers say, for people: `program`, `machine`, `compiler`, `date`, …
    pub facts: BTreeMap<String, String>,
    /// The constants that it alone gives, where there are several runs: what these differ by is how far runs scatter. Files of version 1
    /// have none.
    pub fit: Option<RunFit>,
}

/// Why a text is no model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelFileError {
    /// No JSON of this shape; the message names line and column.
    #[error("this is no whole model file: {0}")]
    Shape(String),
    /// From another version of CALL.
    #[error("the file has schema version {0}, and this program reads 1 to {reads}", reads = wire::SCHEMA_VERSION)]
    SchemaVersion(u64),
    /// A value that cannot be.
    #[error("{place} {what}")]
    #[allow(missing_docs, reason = "the message says it")]
    Wrong { place: String, what: String },
}

impl ModelFileError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ModelFileError::Shape(..) => "wrong-model-file",
            ModelFileError::SchemaVersion(..) => "unknown-version",
            ModelFileError::Wrong { .. } => "wrong-value-in-model-file",
        }
    }
}

fn wrong(place: impl Into<String>, what: impl Into<String>) -> ModelFileError {
    ModelFileError::Wrong { place: place.into(), what: what.into() }
}
