use crate::command::{self, set};
use crate::words::words;
use crate::{Error, Session};

/// What may stand in a place of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Completion {
    Command,
    Experiment,
    /// An experiment or one of its constants.
    Constant,
    /// A variable of the experiment that stands first.
    Variable,
    Setting,
    File,
    Nothing,
}

/// What can stand at the end of a line that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestions {
    /// Where the word that is being typed starts.
    pub start: usize,
    /// The words that it can become.
    pub words: Vec<String>,
    /// Whether names of files can stand there, too; only the caller knows them all.
    pub files: bool,
}

impl Session {
    /// What can stand at the end of `line`.
    pub fn complete(&self, line: &str) -> Suggestions {
        let none = Suggestions { start: line.len(), words: Vec::new(), files: false };
        let Ok(mut typed): Result<_, Error> = words(line) else { return none };
        let ends_in_blank = line.chars().next_back().is_none_or(char::is_whitespace);
        let current = if ends_in_blank { None } else { typed.pop() };
        let (start, prefix) =
            current.map_or((line.len(), String::new()), |word| (word.span.start, word.text));
        let Some((name, arguments)) = typed.split_first() else {
            return Suggestions { start, words: starting(&prefix, self.commands()), files: false };
        };
        let places = command::find(&name.text).map_or(&[][..], |command| command.completions());
        let Some(last) = places.len().checked_sub(1) else { return none };
        let kind = places[arguments.len().min(last)];
        let experiment = arguments.first().map_or("", |word| word.text.as_str());
        let candidates: Vec<String> = match kind {
            Completion::Command => self.commands(),
            Completion::Experiment => self.experiments(),
            Completion::Constant => [self.experiments(), self.constants()].concat(),
            Completion::Variable => {
                let equals = if name.text == "predict" { "=" } else { "" };
                self.variables(experiment).into_iter().map(|variable| format!("{variable}{equals}")).collect()
            }
            Completion::Setting => set::names().map(str::to_owned).collect(),
            Completion::File | Completion::Nothing => Vec::new(),
        };
        Suggestions { start, words: starting(&prefix, candidates), files: kind == Completion::File }
    }

    fn commands(&self) -> Vec<String> {
        command::ALL.iter().map(|command| command.name().to_owned()).collect()
    }

    fn experiments(&self) -> Vec<String> {
        self.data.experiments.iter().map(|experiment| experiment.name.clone()).collect()
    }

    fn constants(&self) -> Vec<String> {
        let formulas = self.data.experiments.iter().filter_map(|experiment| {
            call_grammar::Formula::parse(&experiment.name, experiment.formula.as_deref()?).ok()
        });
        let constants = formulas.flat_map(|formula| {
            let name = formula.experiment().to_owned();
            formula.terms().iter().map(|term| format!("{name}[{}]", term.coefficient.0)).collect::<Vec<_>>()
        });
        constants.collect()
    }

    fn variables(&self, experiment: &str) -> Vec<String> {
        let formula =
            self.data.experiments.iter().find(|known| known.name == experiment).and_then(|experiment| {
                call_grammar::Formula::parse(&experiment.name, experiment.formula.as_deref()?).ok()
            });
        formula.map_or(Vec::new(), |formula| {
            formula.variables().iter().map(|variable| variable.name().to_owned()).collect()
        })
    }
}

fn starting(prefix: &str, candidates: Vec<String>) -> Vec<String> {
    candidates.into_iter().filter(|candidate| candidate.starts_with(prefix)).collect()
}
