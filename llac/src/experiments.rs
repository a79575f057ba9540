//! From the words of a command to experiments.

use std::ops::Range;

use call_grammar::{Quantity, listed, suggest};
use call_trace::Experiment;

use crate::command::{CommandArguments, REPLAY};
use crate::data::{DataSet, SampleChange, SampleCondition};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::loaded_model::{WITHOUT_SAMPLES, no_samples};
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Session};

/// The word for all experiments, if none has that name.
const ALL: &str = "all";

impl Session {
    /// The experiment that a word names: `f`, or `SET.f`. A call path may be spelt as profilers do, `main->solve`; in the shell, a word
    /// with a `/` is a file.
    pub(crate) fn find(&self, text: &str) -> Option<SessionExperiment> {
        self.find_spelt(text).or_else(|| {
            let is_path = text.contains("->");
            if is_path { self.find_spelt(&text.replace("->", "/")) } else { None }
        })
    }

    fn find_spelt(&self, text: &str) -> Option<SessionExperiment> {
        let state = self.state();
        let within = |set_name: &str, set: &DataSet, name: &str| {
            let position = set.experiments().iter().position(|known| known.name == name)?;
            Some(SessionExperiment::new(text, set_name, set, position))
        };
        within(state.current(), state.data(), text).or_else(|| {
            let (set, name) = text.split_once('.')?;
            within(set, state.sets().get(set)?, name)
        })
    }

    /// An experiment by the name in a command line.
    pub(crate) fn experiment(&self, word: &Word) -> Result<SessionExperiment, Error> {
        self.find(&word.text).ok_or_else(|| {
            if let Some(error) = self.without_samples(word) {
                return error;
            }
            if self.state().model(&word.text).is_some() {
                return word.error(code::NO_SAMPLES, no_samples(&word.text)).help(WITHOUT_SAMPLES);
            }
            self.no_subject(word)
        })
    }

    /// The error of a word that questions take as their subject, or before one, and that has no samples.
    pub(crate) fn without_samples(&self, word: &Word) -> Option<Error> {
        let name = &word.text;
        let error =
            |message: String, help: String| Some(word.error(code::NOT_APPLICABLE, message).help(help));
        if let Some(file) = self.state().program(name) {
            let program = file.program();
            let mut names = program.names();
            names.extend(program.predicts());
            let names: Vec<&str> = names.into_iter().filter(|name| self.find(name).is_some()).collect();
            let help = match (&names[..], program.predicts()) {
                ([], _) => "the questions about predictions take programs: `help`".to_owned(),
                (_, None) => format!("those with samples that it uses: {}", listed(&names)),
                (_, Some(_)) => {
                    format!(
                        "`compare {name}` sets it beside what was measured; with samples are {}",
                        listed(&names)
                    )
                }
            };
            return error(format!("`{name}` is a program: it has no samples of its own"), help);
        }
        if name == REPLAY {
            let help = "`predict`, `best`, `largest` and `plot` take it; `judge` and `advise` take the experiments of the run";
            return error(
                "`replay` is the recorded run: it has no samples of its own".to_owned(),
                help.to_owned(),
            );
        }
        if name == "on" {
            let help = "leave `on …` out; `compare … on …` sets what is carried there beside what was measured there";
            return error("samples are of the machine where they were measured".to_owned(), help.to_owned());
        }
        None
    }

    /// The error of a word that should name an experiment, or a program.
    pub(crate) fn no_subject(&self, word: &Word) -> Error {
        let error = word.error(code::UNKNOWN_EXPERIMENT, format!("there is no experiment `{}`", word.text));
        if let Some(cure) = formula_cure(&word.text) {
            return error.help(cure);
        }
        let known: Vec<String> = self.names_of_experiments();
        let programs = self.state().programs().map(|loaded| loaded.program().name());
        let models = self.state().models().map(|loaded| loaded.name.as_str());
        let near = suggest(&word.text, known.iter().map(String::as_str).chain(programs).chain(models));
        error.suggesting(
            near,
            match known.is_empty() {
                true => "load samples first: `load FILE…`".to_owned(),
                false => format!("the experiments are {}", listed(&known)),
            },
        )
    }

    /// How experiments can be named: those of other sets behind the name of their set.
    pub(crate) fn names_of_experiments(&self) -> Vec<String> {
        let state = self.state();
        let mut names: Vec<String> =
            state.data().experiments().iter().map(|experiment| experiment.name.clone()).collect();
        for (set, data) in state.sets().iter().filter(|(set, _)| *set != state.current()) {
            names.extend(data.experiments().iter().map(|experiment| format!("{set}.{}", experiment.name)));
        }
        names
    }

    /// The experiment that stands first behind a command, and the place behind it. With a single experiment it need not be named.
    pub(crate) fn first_experiment(
        &self,
        arguments: &CommandArguments,
    ) -> Result<(SessionExperiment, usize), Error> {
        if let Some(found) = arguments.words().first().and_then(|word| self.find(&word.text)) {
            return Ok((found, 1));
        }
        if let Some(found) = self.only_experiment()
            && arguments.words().first().is_none_or(|word| !looks_like_a_name(&word.text))
        {
            return Ok((found, 0));
        }
        match arguments.words().first() {
            Some(word) => self.experiment(word).map(|found| (found, 1)),
            None => Err(self.nothing_named(arguments.end())),
        }
    }

    /// The only experiment, where the word that stands first among those of a question is not meant to name one.
    pub(crate) fn unnamed(
        &self,
        first: Option<&Word>,
        end: Range<usize>,
    ) -> Result<SessionExperiment, Error> {
        let only = self.only_experiment();
        let is_variable =
            |name: &str| only.as_ref().is_some_and(|only| only.experiment().samples.column(name).is_some());
        match (only.as_ref(), first) {
            (Some(only), None) => Ok(only.clone()),
            (Some(only), Some(word)) if !looks_like_a_name(&word.text) || is_variable(&word.text) => {
                Ok(only.clone())
            }
            (_, Some(word)) => Err(self.no_subject(word)),
            (None, None) => Err(self.nothing_named(end)),
        }
    }

    /// All experiments of the current set that have samples.
    pub(crate) fn with_samples(&self, end: Range<usize>) -> Result<Vec<SessionExperiment>, Error> {
        let mut all = self.all_of_set(end)?;
        all.retain(|found| !found.experiment().samples.is_empty());
        Ok(all)
    }

    /// The experiment of the current set, if there is only one.
    pub(crate) fn only_experiment(&self) -> Option<SessionExperiment> {
        match self.state().data().experiments() {
            [only] => self.find(&only.name),
            _ => None,
        }
    }

    pub(crate) fn nothing_named(&self, end: Range<usize>) -> Error {
        let known = self.names_of_experiments();
        if known.is_empty() && self.state().models().next().is_some() {
            return Error::at(
                code::NO_SAMPLES,
                end,
                "no samples are loaded, and models from files have none",
            )
            .help(WITHOUT_SAMPLES);
        }
        if known.is_empty() {
            return Error::new(code::NOTHING_LOADED, "nothing is loaded")
                .help("load samples first: `load FILE…`");
        }
        Error::at(code::MISSING_WORD, end, "the name of an experiment is missing")
            .help(format!("the experiments are {}", listed(&known)))
    }

    /// Whether a word stands for all experiments: none has that name.
    pub(crate) fn means_all(&self, word: &Word) -> bool {
        word.text == ALL && self.find(ALL).is_none()
    }

    /// The experiments that words name; all of the current set if there are no words, or the word `all`.
    pub(crate) fn experiments_or_all(
        &self,
        arguments: &CommandArguments,
    ) -> Result<Vec<SessionExperiment>, Error> {
        let are_all = matches!(arguments.words(), [word] if self.means_all(word));
        if !arguments.words().is_empty() && !are_all {
            return arguments.words().iter().map(|word| self.experiment(word)).collect();
        }
        self.all_experiments(arguments)
    }

    /// The experiments that words name, or all; of several those that have a formula and samples, with notes about the others: one without
    /// is no reason not to show the rest.
    pub(crate) fn with_formula(
        &self,
        arguments: &CommandArguments,
        outcome: &mut CommandOutcome,
    ) -> Result<Vec<SessionExperiment>, Error> {
        let all = self.experiments_or_all(arguments)?;
        let is_usable = |found: &SessionExperiment| {
            let experiment = found.experiment();
            experiment.formula.is_some() && !experiment.samples.is_empty()
        };
        if all.len() > 1 && all.iter().all(|found| found.experiment().formula.is_none()) {
            let message = format!("none of the {} experiments has a formula", all.len());
            let cure = "`find NAME` proposes some, `formula NAME = …` gives one; `predict NAME` and `predict all` need none";
            return Err(Error::at(code::NO_FORMULA, arguments.end(), message).help(cure));
        }
        if all.len() == 1 || !all.iter().any(is_usable) {
            return Ok(all);
        }
        let (usable, others): (Vec<SessionExperiment>, Vec<SessionExperiment>) =
            all.into_iter().partition(is_usable);
        for found in &others {
            let note = match found.experiment().formula {
                None => Message::new(
                    "no-formula",
                    "no formula: `formula NAME = …` gives one, `find NAME` proposes some, `predict NAME` needs none",
                ),
                Some(_) => Message::new("no-samples", "no samples"),
            };
            outcome.notes.push(note.about(&found.name));
        }
        Ok(usable)
    }

    /// All experiments of the current set; at least one.
    pub(crate) fn all_experiments(
        &self,
        arguments: &CommandArguments,
    ) -> Result<Vec<SessionExperiment>, Error> {
        self.all_of_set(arguments.end())
    }

    fn all_of_set(&self, end: Range<usize>) -> Result<Vec<SessionExperiment>, Error> {
        let set = self.state().data();
        let of_position = |(position, experiment): (usize, &Experiment)| {
            SessionExperiment::new(&experiment.name, self.state().current(), set, position)
        };
        let all: Vec<SessionExperiment> = set.experiments().iter().enumerate().map(of_position).collect();
        if all.is_empty() { Err(self.nothing_named(end)) } else { Ok(all) }
    }

    /// A session in which only the samples that fulfil a condition exist, and no models of others; what it is told is told to nobody else.
    pub(crate) fn where_condition(
        &self,
        condition: &SampleCondition,
        arguments: &CommandArguments,
    ) -> Result<Session, Error> {
        self.check_condition(arguments)?;
        for found in arguments.words().iter().filter_map(|word| self.find(&word.text)) {
            let samples = &found.experiment().samples;
            if let Some(missing) =
                condition.variables().into_iter().find(|name| crate::data::column(samples, name).is_none())
            {
                let names: Vec<String> = crate::data::column_names(samples).map(str::to_owned).collect();
                return Err(Error::new(
                    code::UNKNOWN_VARIABLE,
                    format!("`{}` has no variable `{missing}`", found.name),
                )
                .suggesting(
                    suggest(missing, names.iter().map(String::as_str)),
                    format!("it has {}", listed(&names)),
                ));
            }
        }
        let mut session = self.clone();
        let data = session.state().data().with_step(SampleChange::Where(condition.clone()))?;
        session.change().set_data(data);
        session.change().forget_models();
        Ok(session)
    }
}

/// What to do about a word that names nothing and has the operators of a formula: its constants are names without an index.
pub fn formula_cure(word: &str) -> Option<String> {
    let is_formula = word.contains(['+', '*', '(']) && Quantity::parse(word).is_ok();
    is_formula.then(|| "if it is a formula, its constants have an index: `a[0] + a[1]*N/P`".to_owned())
}

/// Whether a word is to be an experiment rather than `N=4` or a file.
pub fn looks_like_a_name(word: &str) -> bool {
    !word.contains(['=', '.', '/', '[', '<', '>', ' ']) && !word.starts_with(|c: char| c.is_ascii_digit())
}
