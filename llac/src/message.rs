use std::collections::HashMap;
use std::fmt;

use call_grammar::listed;
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

/// Each sentence once, with all experiments that it is about: what is said of runs is said of each experiment in them.
pub(crate) fn sentences(messages: &[Message]) -> impl Iterator<Item = String> {
    let mut all: Vec<(&Message, Vec<&str>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for message in messages {
        let Some(experiment) = &message.experiment else {
            all.push((message, Vec::new()));
            continue;
        };
        let at = *known.entry(&message.text).or_insert(all.len());
        if at == all.len() {
            all.push((message, Vec::new()));
        }
        all[at].1.push(experiment);
    }
    all.into_iter().map(|(message, experiments)| match experiments[..] {
        [] | [_] => message.to_string(),
        _ => format!("{}: {}", listed(&experiments), message.text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_several_experiments_is_said_once() {
        let of = |experiment: &str, text: &str| Message::new("trace", text).about(experiment);
        let messages = [
            of("f", "runs were disturbed"),
            of("f", "repeat more"),
            Message::new("trace", "runs were disturbed"),
            of("g", "runs were disturbed"),
        ];
        let found: Vec<String> = sentences(&messages).collect();
        assert_eq!(found, ["f, g: runs were disturbed", "f: repeat more", "runs were disturbed"]);
        let many: Vec<Message> = (0..14).map(|number| of(&format!("f{number}"), "no formula")).collect();
        let found: Vec<String> = sentences(&many).collect();
        assert_eq!(found, ["f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 and 2 more: no formula"]);
    }
}
