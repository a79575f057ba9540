use std::fmt;

use serde_json::{Map, Value};

use crate::Error;

/// A note or a warning: as a sentence for people, as a code with fields for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Stable name of the cause, such as `extrapolated`.
    pub code: &'static str,
    /// The experiment that it is about.
    pub experiment: Option<String>,
    /// The sentence, without the experiment.
    pub text: String,
    /// What to do, where that is known by itself; the sentence says it, too.
    pub help: Option<String>,
    /// What the sentence says as values, by name; numbers that are not finite are null.
    pub fields: Map<String, Value>,
}

impl Message {
    /// A sentence of this cause.
    pub fn new(code: &'static str, text: impl Into<String>) -> Message {
        Message { code, experiment: None, text: text.into(), help: None, fields: Map::new() }
    }

    /// What a model is warned of.
    pub fn of_model(experiment: &str, warning: &call_model::Warning) -> Message {
        let fields = serde_json::to_value(warning).unwrap_or_default();
        Message { help: warning.help(), ..Message::new(warning.code(), warning.to_string()) }
            .about(experiment)
            .with(fields)
    }

    /// The same, about an experiment.
    pub fn about(self, experiment: impl Into<String>) -> Message {
        Message { experiment: Some(experiment.into()), ..self }
    }

    /// The same with more fields: those of an object.
    pub fn with(mut self, fields: Value) -> Message {
        if let Value::Object(fields) = fields {
            self.fields.extend(fields);
        }
        self
    }
}

/// What could not be done with one of several, such as a file, while the others could.
impl From<&Error> for Message {
    fn from(error: &Error) -> Message {
        let help = error.cure().map(str::to_owned);
        let cure = help.as_ref().map_or(String::new(), |cure| format!("; {cure}"));
        Message { help, ..Message::new(error.code(), format!("{error}{cure}")) }
    }
}

/// The whole sentence.
impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.experiment {
            None => out.write_str(&self.text),
            Some(experiment) => write!(out, "{experiment}: {}", self.text),
        }
    }
}
