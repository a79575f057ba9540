//! The words of a question by their form, and what the first of them name.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use call_bsp::obsp::Network;
use call_bsp::program::ProgramFile;
use call_bsp::recording::RecordedRun;
use call_trace::Unit;

use super::REPLAY;
use super::counted_misses::MISSES;
use super::points::{given_again, is_value, name_of};
use super::replay::FASTER;
use super::subject::{self, Formulas, Subject, TargetSetting};
use super::values::{cost, relation};
use crate::error::code;
use crate::models::ModelSource;
use crate::words::Word;
use crate::{Error, Session};

/// How many subjects a question can be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectCount {
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
        let place = |text: &str| all.iter().position(|word| word.is(text));
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

/// What the first words name.
pub struct NamedSubjects {
    /// In the order of the words.
    pub subjects: Vec<NamedSubject>,
    /// Whether they are all experiments there are, of which some may not be meant.
    pub are_all: bool,
}

/// What a word names.
pub enum NamedSubject {
    Experiment(ModelSource),
    Program(Arc<ProgramFile>),
    Run { recorded: RecordedRun, name: String },
}

impl NamedSubjects {
    /// Takes the words that name subjects.
    pub fn take(
        session: &Session,
        words: &mut Vec<Word>,
        count: SubjectCount,
        end: Range<usize>,
    ) -> Result<NamedSubjects, Error> {
        if count == SubjectCount::Any && words.first().is_some_and(|word| session.means_all(word)) {
            words.remove(0);
            return all(session, end);
        }
        let most = match count {
            SubjectCount::One => 1,
            SubjectCount::Two => 2,
            SubjectCount::Any => usize::MAX,
        };
        let mut subjects = Vec::new();
        while subjects.len() < most
            && let Some(subject) = NamedSubject::take(session, words)?
        {
            subjects.push(subject);
        }
        if subjects.is_empty() {
            subjects.push(NamedSubject::Experiment(match session.only_model(words.first()) {
                Some(only) => ModelSource::File(only),
                None => ModelSource::Samples(session.unnamed(words.first(), end)?),
            }));
        }
        // As the command `replay` says it.
        if subjects.iter().any(NamedSubject::is_run) {
            words.retain(|word| word.text != FASTER);
        }
        Ok(NamedSubjects { subjects, are_all: false })
    }

    /// Whether a name with a value is no variable, but an option. g and L are variables of a recorded run, and options of a program.
    pub fn has_option(&self, name: &str) -> bool {
        let is_option = |subject: &NamedSubject| subject.has_option(name);
        let is_variable = |subject: &NamedSubject| subject.is_run() && NETWORK.contains(&name);
        self.subjects.iter().any(is_option) && !self.subjects.iter().any(is_variable)
    }

    /// An error if g and L are given to a recorded run beside a program, where nobody knows whose they are.
    pub fn check_network(&self, valued: &[Word]) -> Result<(), Error> {
        let has_run = self.subjects.iter().any(NamedSubject::is_run);
        let is_network = |word: &&Word| {
            let name = name_of(word);
            NETWORK.contains(&name) && self.subjects.iter().any(|subject| subject.has_option(name))
        };
        match valued.iter().find(is_network).filter(|_| has_run) {
            None => Ok(()),
            Some(word) => {
                let message = format!("`{}` could be that of the run or of the program", name_of(word));
                Err(word
                    .error(code::NOT_APPLICABLE, message)
                    .help("leave it out: each has that of its machine, or of `on MACHINE`"))
            }
        }
    }
}

/// What g and L are called.
const NETWORK: [&str; 2] = ["g", "L"];

fn all(session: &Session, end: Range<usize>) -> Result<NamedSubjects, Error> {
    let models: Vec<ModelSource> = session.loaded_models().cloned().map(ModelSource::File).collect();
    // Without samples there are models.
    let samples = match session.state().data().experiments() {
        [] if !models.is_empty() => Vec::new(),
        _ => session.with_samples(end)?,
    };
    let sources = samples.into_iter().map(ModelSource::Samples).chain(models);
    Ok(NamedSubjects { subjects: sources.map(NamedSubject::Experiment).collect(), are_all: true })
}

impl NamedSubject {
    /// Takes the first word if it names a subject; with `replay` the name of its trace.
    fn take(session: &Session, words: &mut Vec<Word>) -> Result<Option<NamedSubject>, Error> {
        let Some(word) = words.first() else { return Ok(None) };
        let state = session.state();
        let subject = match (session.find(&word.text), state.program(&word.text), state.model(&word.text)) {
            (Some(found), ..) => NamedSubject::Experiment(ModelSource::Samples(found)),
            (None, ..) if word.text == REPLAY => {
                words.remove(0);
                let (recorded, trace) = super::replay::recorded_run(session, words)?;
                let name = trace.map_or_else(|| REPLAY.to_owned(), |trace| format!("{REPLAY} {trace}"));
                return Ok(Some(NamedSubject::Run { recorded, name }));
            }
            (None, Some(program), _) => NamedSubject::Program(Arc::clone(program)),
            (None, None, Some(loaded)) => NamedSubject::Experiment(ModelSource::File(Arc::clone(loaded))),
            (None, None, None) => return Ok(None),
        };
        words.remove(0);
        Ok(Some(subject))
    }

    pub fn name(&self) -> &str {
        match self {
            NamedSubject::Experiment(source) => source.name(),
            NamedSubject::Program(file) => file.program().name(),
            NamedSubject::Run { name, .. } => name,
        }
    }

    /// The unit of its samples, if it has some.
    pub fn unit(&self) -> Option<&Unit> {
        match self {
            NamedSubject::Experiment(ModelSource::Samples(found)) => Some(&found.experiment().unit),
            _ => None,
        }
    }

    fn is_run(&self) -> bool {
        matches!(self, NamedSubject::Run { .. })
    }

    fn has_option(&self, name: &str) -> bool {
        match self {
            NamedSubject::Experiment(ModelSource::Samples(found)) => {
                name == MISSES && found.experiment().samples.column(MISSES).is_none()
            }
            NamedSubject::Experiment(ModelSource::File(_)) => false,
            NamedSubject::Program(file) => {
                let is_parameter = file.program().parameters().iter().any(|known| known == name);
                (NETWORK.contains(&name) || name == RELATION) && !is_parameter
            }
            NamedSubject::Run { .. } => name == RELATION,
        }
    }

    /// One subject, or one for each machine.
    pub fn subjects(
        self,
        session: &mut Session,
        setting: &TargetSetting,
        has_value: &dyn Fn(&str) -> bool,
        formulas: &Formulas,
    ) -> Result<Vec<Subject>, Error> {
        match self {
            NamedSubject::Experiment(ModelSource::Samples(found)) => {
                subject::of_experiment(session, &found, setting, has_value, formulas)
            }
            NamedSubject::Experiment(ModelSource::File(loaded)) => {
                subject::of_loaded(session, &loaded, setting, has_value)
            }
            NamedSubject::Program(program) => subject::of_program(session, &program, setting),
            NamedSubject::Run { recorded, name } => {
                let has_network = NETWORK.iter().any(|name| has_value(name));
                match setting.on.as_ref().filter(|_| has_network) {
                    Some(on) => Err(subject::given_twice(on)),
                    None => subject::of_run(session, recorded, &name, setting),
                }
            }
        }
    }
}

/// What the operation `@` is called.
const RELATION: &str = "relation";

/// g and L, both or none, the operation `@`, and data sets with counted misses.
pub fn set_options(setting: &mut TargetSetting, words: &[&Word]) -> Result<(), Error> {
    let mut costs: [Option<(f64, &Word)>; 2] = [None, None];
    let mut seen = BTreeSet::new();
    for word in words {
        let (name, text) = word.assignment().unwrap_or((&word.text, ""));
        if !seen.insert(name) {
            return Err(given_again(name, word.span.clone()));
        }
        match name {
            RELATION => setting.in_out = Some(relation(word, text)?),
            MISSES => setting.misses = Some((*word).clone()),
            _ => costs[usize::from(name == "L")] = Some((cost(word, text)?, word)),
        }
    }
    setting.network = match costs {
        [Some((g_s_per_byte, _)), Some((latency_s, _))] => Some(Network { g_s_per_byte, latency_s }),
        [None, None] => None,
        [Some((_, word)), None] | [None, Some((_, word))] => {
            return Err(word
                .error(code::MISSING_VALUE, "g and L belong together")
                .help("`g=1e-9 L=2e-6`, in seconds a byte and seconds"));
        }
    };
    Ok(())
}
