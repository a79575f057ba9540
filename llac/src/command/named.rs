//! The words of a question by their form, and what the first of them name.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use call_bsp::obsp::Network;
use call_bsp::program::ProgramFile;
use call_bsp::recording::RecordedRun;

use super::REPLAY;
use super::points::{given_again, is_value};
use super::replay::FASTER;
use super::subject::{self, Formulas, Subject, TargetSetting};
use super::values::{cost, relation};
use crate::error::code;
use crate::models::ModelSource;
use crate::words::Word;
use crate::{Error, Session};

/// All experiments with a formula.
const ALL: &str = "all";

/// How many subjects a question can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    One,
    Two,
    Any,
}

/// The words behind a command, by their form.
pub struct QuestionWords {
    pub words: Vec<Word>,
    pub valued: Vec<Word>,
    pub setting: TargetSetting,
}

impl QuestionWords {
    pub fn of(all: &[Word]) -> Result<QuestionWords, Error> {
        let place = |text: &str| all.iter().position(|word| word.text == text);
        let (on, scale) = (place("on"), place("scale"));
        if let (None, Some(scale)) = (on, scale) {
            return Err(Error::at(
                code::MISSING_WORD,
                all[scale].span.clone(),
                "`scale` needs a machine before it",
            )
            .help("`on MACHINE scale CONSTANT=RESOURCE`"));
        }
        let on_or_end = on.unwrap_or(all.len());
        let end = scale.filter(|scale| *scale > on_or_end).unwrap_or(all.len());
        // A constant has an index, a variable none.
        let is_scale = |word: &&Word| !is_value(word) || name_of(word).contains('[');
        let (mut valued, words): (Vec<Word>, Vec<Word>) =
            all[..on_or_end].iter().cloned().partition(is_value);
        let machines = all.get(on_or_end + 1..end).unwrap_or_default().iter().cloned();
        let (more, machines): (Vec<Word>, Vec<Word>) = machines.partition(is_value);
        let (scales, rest): (Vec<&Word>, Vec<&Word>) = all.iter().skip(end + 1).partition(is_scale);
        valued.extend(more.into_iter().chain(rest.into_iter().cloned()));
        let setting = TargetSetting {
            on: on.map(|on| all[on].clone()),
            machines,
            scale: scale.map(|scale| all[scale].clone()),
            scales: scales.into_iter().cloned().collect(),
            ..TargetSetting::default()
        };
        Ok(QuestionWords { words, valued, setting })
    }
}

pub fn name_of(word: &Word) -> &str {
    word.assignment().map_or("", |(name, _)| name)
}

/// What the first words name.
pub enum NamedSubjects {
    All(Vec<ModelSource>),
    Experiments(Vec<ModelSource>),
    Programs(Vec<Arc<ProgramFile>>, Vec<ModelSource>),
    Run(Box<RecordedRun>),
}

impl NamedSubjects {
    /// Takes the words that name subjects.
    pub fn take(
        session: &Session,
        words: &mut Vec<Word>,
        count: Count,
        end: Range<usize>,
    ) -> Result<NamedSubjects, Error> {
        if let Some(word) = words.first().filter(|word| session.find(&word.text).is_none()) {
            if word.text == REPLAY {
                words.remove(0);
                let run = super::replay::recorded_run(session, words)?;
                // As the command `replay` says it.
                words.retain(|word| word.text != FASTER);
                return Ok(NamedSubjects::Run(Box::new(run)));
            }
            if word.text == ALL && count == Count::Any {
                words.remove(0);
                let models = session.loaded_models().cloned().map(ModelSource::File);
                let models: Vec<ModelSource> = models.collect();
                // Without samples there are models.
                let samples = match session.state().data().experiments() {
                    [] if !models.is_empty() => Vec::new(),
                    _ => session.with_samples(end)?,
                };
                return Ok(NamedSubjects::All(
                    samples.into_iter().map(ModelSource::Samples).chain(models).collect(),
                ));
            }
        }
        let (mut programs, mut experiments) = (Vec::new(), Vec::new());
        let most = match count {
            Count::One => 1,
            Count::Two => 2,
            Count::Any => usize::MAX,
        };
        while let Some(word) = words.first().filter(|_| programs.len() + experiments.len() < most) {
            let state = session.state();
            match (session.find(&word.text), state.program(&word.text), state.model(&word.text)) {
                (Some(found), ..) => experiments.push(ModelSource::Samples(found)),
                (None, Some(program), _) => programs.push(Arc::clone(program)),
                (None, None, Some(loaded)) => experiments.push(ModelSource::File(Arc::clone(loaded))),
                (None, None, None) => break,
            }
            words.remove(0);
        }
        if programs.is_empty() && experiments.is_empty() {
            experiments.push(match session.only_model(words.first()) {
                Some(only) => ModelSource::File(only),
                None => ModelSource::Samples(session.unnamed(words.first(), end)?),
            });
        }
        Ok(match programs.is_empty() {
            true => NamedSubjects::Experiments(experiments),
            false => NamedSubjects::Programs(programs, experiments),
        })
    }

    /// Whether a name with a value is no variable, but an option.
    pub fn has_option(&self, name: &str) -> bool {
        match self {
            NamedSubjects::All(_) | NamedSubjects::Experiments(_) => false,
            NamedSubjects::Programs(programs, _) => {
                let is_parameter =
                    |file: &Arc<ProgramFile>| file.program().parameters().iter().any(|known| known == name);
                ["g", "L", "relation"].contains(&name) && !programs.iter().any(is_parameter)
            }
            NamedSubjects::Run(_) => name == "relation",
        }
    }

    pub fn subjects(
        self,
        session: &mut Session,
        setting: &TargetSetting,
        has_value: &dyn Fn(&str) -> bool,
        formulas: &Formulas,
    ) -> Result<Vec<Subject>, Error> {
        let mut subjects = Vec::new();
        let (programs, experiments) = match self {
            NamedSubjects::Run(run) => {
                if let Some(on) = setting.on.as_ref().filter(|_| has_value("g") || has_value("L")) {
                    return Err(subject::given_twice(on));
                }
                return subject::of_run(session, *run, setting);
            }
            NamedSubjects::Programs(programs, experiments) => (programs, experiments),
            NamedSubjects::All(experiments) | NamedSubjects::Experiments(experiments) => {
                (Vec::new(), experiments)
            }
        };
        for program in &programs {
            subjects.extend(subject::of_program(session, program, setting)?);
        }
        for source in &experiments {
            subjects.extend(match source {
                ModelSource::Samples(found) => {
                    subject::of_experiment(session, found, setting, has_value, formulas)?
                }
                ModelSource::File(loaded) => subject::of_loaded(session, loaded, setting, has_value)?,
            });
        }
        Ok(subjects)
    }
}

/// g and L, both or none, and the operation `@`.
pub fn set_options(setting: &mut TargetSetting, words: &[&Word], named: &NamedSubjects) -> Result<(), Error> {
    let mut costs: [Option<(f64, &Word)>; 2] = [None, None];
    let mut seen = BTreeSet::new();
    for word in words {
        let (name, text) = word.assignment().unwrap_or((&word.text, ""));
        if !seen.insert(name) {
            return Err(given_again(name, word.span.clone()));
        }
        match name {
            "relation" => setting.in_out = relation(word, text)?,
            _ => costs[usize::from(name == "L")] = Some((cost(word, text)?, word)),
        }
    }
    setting.network = match costs {
        [Some((g_s_per_byte, _)), Some((latency_s, _))] => Some(Network { g_s_per_byte, latency_s }),
        [None, None] => None,
        [Some((_, word)), None] | [None, Some((_, word))] => {
            debug_assert!(matches!(named, NamedSubjects::Programs(..)));
            return Err(word
                .error(code::MISSING_VALUE, "g and L belong together")
                .help("`g=1e-9 L=2e-6`, in seconds a byte and seconds"));
        }
    };
    Ok(())
}
