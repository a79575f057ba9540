use std::collections::BTreeSet;

use call_grammar::Formula;
use call_model::PROCESSORS;

use crate::command::{self, Command, Completion, LineClauses, machine, plot, set};
use crate::data::column_names;
use crate::reading::is_option;
use crate::words::{Word, words};
use crate::{Error, Session};

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
        let (mut start, mut prefix) =
            current.map_or((line.len(), String::new()), |word| (word.span.start, word.text));
        let Some((name, arguments)) = typed.split_first() else {
            return Suggestions { start, words: starting(&prefix, commands()), files: false };
        };
        let Some(command) = command::find(&name.text) else { return none };
        let has_clauses = command.clauses != LineClauses::None;
        let clause = arguments.iter().rev().find(|word| ["where", "into"].contains(&word.text.as_str()));
        let kinds: &[Completion] = match clause.filter(|_| has_clauses).map(|word| word.text.as_str()) {
            Some("where") => &[Completion::Column],
            Some(_) => &[Completion::File],
            None => command.completions,
        };
        let Some(last) = kinds.len().checked_sub(1) else { return none };
        let behind = arguments.last().and_then(|word| command.completion_behind(&word.text));
        let kind = behind.unwrap_or(kinds[arguments.len().min(last)]);
        let experiment = arguments.first().map_or("", |word| word.text.as_str());
        // Machines are joined by commas.
        if let Some(comma) = prefix.rfind(',').filter(|_| kind == Completion::Machine) {
            start += comma + 1;
            prefix.drain(..=comma);
        }
        let mut candidates = self.candidates(kind, experiment);
        // An experiment that stands alone need not be named.
        let is_experiment = matches!(kind, Completion::Experiment | Completion::ExperimentOrProgram);
        if is_experiment && kinds.get(1) == Some(&Completion::Value) {
            candidates.extend(self.candidates(Completion::Value, experiment));
        }
        if has_clauses && clause.is_none() && !arguments.is_empty() && !prefix.is_empty() {
            let on = command.completion_behind("on").map(|_| "on");
            candidates.extend(["where", "into"].into_iter().chain(on).map(str::to_owned));
        }
        Suggestions { start, words: starting(&prefix, candidates), files: kind == Completion::File }
    }

    fn candidates(&self, kind: Completion, experiment: &str) -> Vec<String> {
        match kind {
            Completion::Command => commands(),
            Completion::Experiment => self.names_of_experiments(),
            Completion::ExperimentOrProgram => {
                [self.names_of_experiments(), self.models(), self.programs()].concat()
            }
            Completion::Constant => [self.names_of_experiments(), self.models(), self.constants()].concat(),
            Completion::Variable => self.variables(experiment),
            Completion::Value => self.variables(experiment).iter().map(|name| format!("{name}=")).collect(),
            Completion::Column => {
                let experiments = self.state().data().experiments().iter();
                let names: BTreeSet<&str> =
                    experiments.flat_map(|experiment| column_names(&experiment.samples)).collect();
                names.into_iter().map(str::to_owned).collect()
            }
            Completion::Plot => {
                let kinds = plot::kinds().map(str::to_owned);
                let named =
                    kinds.chain(self.names_of_experiments()).chain(self.models()).chain(self.programs());
                let variables = match self.state().program(experiment) {
                    Some(_) => self.candidates(Completion::Value, experiment),
                    None => self.variables(experiment),
                };
                named.chain(variables).collect()
            }
            Completion::MachineCommand => machine::names().map(str::to_owned).collect(),
            Completion::Machine => self.machines().known.into_keys().collect(),
            Completion::DataSet => self.state().sets().keys().cloned().collect(),
            Completion::Setting => set::names().map(str::to_owned).collect(),
            Completion::SettingValue => set::values(experiment).map(str::to_owned).collect(),
            Completion::CheckFormat => command::check_formats().map(str::to_owned).collect(),
            Completion::File | Completion::Nothing => Vec::new(),
        }
    }

    /// The command of that name.
    pub fn command(name: &str) -> Option<&'static Command> {
        command::find(name)
    }

    /// The names of all commands.
    pub fn commands() -> impl Iterator<Item = &'static str> {
        command::all().map(|command| command.name)
    }

    /// Whether a word says how files are read: `unit=ms`.
    pub fn is_option_of_load(word: &str) -> bool {
        is_option(&Word::bare(word, 0..0))
    }

    /// Whether a word names a command, and whether one names an experiment: for colours.
    pub fn knows(&self, word: &str) -> bool {
        command::find(word).is_some() || self.find(word).is_some() || self.state().model(word).is_some()
    }

    /// The arguments of a command, to be shown behind its name.
    pub fn usage(&self, command: &str) -> Option<&'static str> {
        let usage = command::find(command)?.usage;
        usage.split_once(' ').map(|(_, arguments)| arguments)
    }

    fn constants(&self) -> Vec<String> {
        let experiments = self.state().data().experiments().iter();
        let formulas = experiments
            .filter_map(|experiment| Formula::parse(&experiment.name, experiment.formula.as_deref()?).ok());
        let constants = formulas.flat_map(|formula| {
            let name = formula.experiment().to_owned();
            formula.terms().iter().map(|term| format!("{name}[{}]", term.coefficient.0)).collect::<Vec<_>>()
        });
        constants.collect()
    }

    fn models(&self) -> Vec<String> {
        self.loaded_models().map(|loaded| loaded.name.clone()).collect()
    }

    fn programs(&self) -> Vec<String> {
        self.state().programs().map(|loaded| loaded.program().name().to_owned()).collect()
    }

    fn variables(&self, experiment: &str) -> Vec<String> {
        if let Some(loaded) = self.state().program(experiment).filter(|_| self.find(experiment).is_none()) {
            return loaded.program().parameters().iter().cloned().chain([PROCESSORS.to_owned()]).collect();
        }
        if let Some(loaded) = self.loaded_model(experiment) {
            let variables = loaded.model().formula().variables().iter();
            return variables.map(|variable| variable.name().to_owned()).collect();
        }
        let Some(found) = self.find(experiment).or_else(|| self.only_experiment()) else { return Vec::new() };
        let samples = &found.experiment().samples;
        let formula = found.experiment().formula.as_deref();
        let formula = formula.and_then(|text| Formula::parse(&found.experiment().name, text).ok());
        match formula {
            Some(formula) => formula.variables().iter().map(|variable| variable.name().to_owned()).collect(),
            None => samples.names.clone(),
        }
    }
}

fn commands() -> Vec<String> {
    command::all().map(|command| command.name.to_owned()).collect()
}

fn starting(prefix: &str, candidates: Vec<String>) -> Vec<String> {
    candidates.into_iter().filter(|candidate| candidate.starts_with(prefix)).collect()
}
