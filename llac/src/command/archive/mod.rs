//! Archives: models and samples of many runs in a folder, and their history.

mod comparable;
mod entry;
mod folder;
mod history;
mod moment;
mod page;
mod picture;
mod same_runs;
mod sentence;
mod tables;
mod term;
mod timeline;

use call_exchange::SampledRun;
use call_grammar::suggest;
use call_model::ModelFile;

use super::model_file::file_of;
use super::{Command, CommandArguments};
use crate::error::{code, no_formula};
use crate::words::Word;
use crate::{Circumstances, CommandOutcome, Completion, Error, Message, Session};
use entry::{Entry, MeasurementOrigin};
use folder::ArchiveFolder;
use moment::moment;

pub use history::history;
pub use page::page_history;

pub const ARCHIVE: Command = Command {
    name: "archive",
    usage: "archive add [EXPERIMENT…] into FOLDER [commit=…] [machine=…] [date=…] [label=…] | archive list in FOLDER",
    summary: "keep models and samples of runs",
    details: "Each `archive add` makes an entry for each experiment: its model (JSON) and its samples, summed up at points that have many (Parquet), with \
        commit, machine and date. Nothing in the folder is ever changed, so any number of programs, also on several computers, may add at once. \
        The commit is that of the sources in the current folder (`+` behind it: with changes since), the date and the machine are those in the \
        traces; `commit=`, `date=2026-11-21T09:30:00Z` and `machine=` say otherwise.\n\
        `archive list in FOLDER` shows what is there, `history f in FOLDER` how constants went.",
    completions: &[Completion::Nothing, Completion::Experiment],
    behind: &[("into", Completion::File), ("in", Completion::File)],
    loads_files: true,
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let first = arguments.required(0, "`add` or `list`", ARCHIVE.usage)?;
    let rest = &arguments.words()[1..];
    match first.text.as_str() {
        "add" => add(session, rest, arguments),
        "list" => list(session, rest, arguments),
        _ => Err(first
            .error(code::UNEXPECTED_WORD, format!("`archive` can do nothing called `{}`", first.text))
            .suggesting(suggest(&first.text, ["add", "list"]), format!("usage: {}", ARCHIVE.usage))),
    }
}

/// What stands before a word, the folder behind it, and what stands behind that.
fn around<'a>(
    words: &'a [Word],
    between: &str,
    arguments: &CommandArguments,
) -> Result<(&'a [Word], &'a Word, &'a [Word]), Error> {
    let place = words.iter().position(|word| word.text == between);
    let folder = place.and_then(|place| words.get(place + 1));
    match (place, folder) {
        (Some(place), Some(folder)) => Ok((&words[..place], folder, &words[place + 2..])),
        _ => {
            Err(Error::at(code::MISSING_WORD, arguments.end(), format!("expected `{between}` and a folder"))
                .help(format!("`{between} FOLDER` says where the archive is")))
        }
    }
}

/// `1 entry`, `2 entries`.
fn of_entries(count: usize) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") }
}

fn add(session: &mut Session, words: &[Word], arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let (names, folder, given) = around(words, "into", arguments)?;
    let given = OriginOptions::of(given)?;
    let mut outcome = CommandOutcome::default();
    let models = models(session, names, arguments, &mut outcome)?;
    let now = session.workspace.circumstances();
    let mut added: Vec<String> = Vec::new();
    for (model, samples) in models {
        let about = given.about(&model, &now, folder, &mut outcome)?;
        let entry = Entry { file: String::new(), about, samples: None, model, added_ns: now.now_ns };
        added.push(entry.experiment().to_owned());
        ArchiveFolder::at(folder, session).add(entry, samples, &now.word)?;
    }
    let text = format!("{} added to {}: {}", of_entries(added.len()), folder.text, added.join(", "));
    outcome.value = CommandOutcome::line(text).value;
    Ok(outcome)
}

/// A model, and its samples as a file.
type ModelWithSamples = (ModelFile, Option<Vec<u8>>);

/// The models that are named, or all that there are.
fn models(
    session: &mut Session,
    names: &[Word],
    arguments: &CommandArguments,
    outcome: &mut CommandOutcome,
) -> Result<Vec<ModelWithSamples>, Error> {
    let loaded =
        |word: &Word| session.loaded_model(&word.text).filter(|_| session.find(&word.text).is_none());
    let mut models: Vec<ModelWithSamples> =
        names.iter().filter_map(loaded).map(|loaded| (loaded.file.clone(), None)).collect();
    if names.is_empty() && session.state().data().experiments().is_empty() {
        models.extend(session.loaded_models().map(|loaded| (loaded.file.clone(), None)));
    }
    let found = match names.is_empty() {
        true if !models.is_empty() => Vec::new(),
        true => session.all_experiments(arguments)?,
        false => {
            let with_samples: Vec<&Word> = names.iter().filter(|word| loaded(word).is_none()).collect();
            with_samples.into_iter().map(|word| session.experiment(word)).collect::<Result<_, _>>()?
        }
    };
    let is_alone = found.len() == 1;
    for found in found {
        let experiment = found.experiment();
        if experiment.formula.is_none() {
            let message = "has no formula, and so no model to be kept";
            if !names.is_empty() || is_alone {
                let message = format!("`{}` {message}", found.name);
                return Err(Error::new(code::NO_FORMULA, message).help(no_formula(&found.name)));
            }
            outcome.warnings.push(Message::new("left-out", format!("it {message}")).about(&found.name));
            continue;
        }
        let forecaster = session.forecaster(&found)?;
        let runs: Vec<SampledRun> = found.runs().iter().map(SampledRun::of).collect();
        let mut samples = experiment.summed_up();
        forecaster.model().formula().experiment().clone_into(&mut samples.name);
        let original = found.set().names().original_of(&experiment.name);
        let bytes = call_exchange::write_parquet(&[&samples], &[original], &runs).map_err(|why| {
            Error::new(code::TOO_LARGE, format!("the samples of `{}` fit into no file: {why}", found.name))
        })?;
        models.push((file_of(&found, &forecaster), Some(bytes)));
    }
    Ok(models)
}

/// What the user says of an entry.
#[derive(Default)]
struct OriginOptions {
    about: MeasurementOrigin,
}

impl OriginOptions {
    fn of(words: &[Word]) -> Result<OriginOptions, Error> {
        let mut about = MeasurementOrigin::default();
        for word in words {
            let unknown = || {
                word.error(code::UNEXPECTED_WORD, format!("`{}` says nothing about an entry", word.text))
                    .help("behind the folder can stand `commit=…`, `machine=…`, `date=…` and `label=…`")
            };
            let (key, value) = word.assignment().ok_or_else(unknown)?;
            let known = match key {
                "commit" => &mut about.commit,
                "machine" => &mut about.machine,
                "label" => &mut about.label,
                "date" => &mut about.time,
                _ => return Err(unknown()),
            };
            if !known.is_empty() {
                return Err(word.error(code::GIVEN_TWICE, format!("`{key}` is given twice")));
            }
            if key == "date" {
                *known = moment(value).ok_or_else(|| {
                    word.error(code::WRONG_VALUE, format!("`{value}` is no date"))
                        .help("`date=2026-11-21`, `date=2026-11-21T09:30:00Z` in UTC, or with an offset: `date=2026-11-21T10:30:00+01:00`")
                })?;
            } else {
                value.clone_into(known);
            }
        }
        Ok(OriginOptions { about })
    }

    /// With what the samples say, and else the surroundings.
    fn about(
        &self,
        model: &ModelFile,
        now: &Circumstances,
        folder: &Word,
        outcome: &mut CommandOutcome,
    ) -> Result<MeasurementOrigin, Error> {
        let fact = |key: &str| {
            let mut known: Vec<&String> = model.runs.iter().filter_map(|run| run.facts.get(key)).collect();
            known.sort();
            known.dedup();
            known
        };
        let mut about = self.about.clone();
        if about.machine.is_empty() {
            let machines: Vec<&str> = fact("machine").into_iter().map(String::as_str).collect();
            about.machine = machines.join("; ");
        }
        if about.machine.is_empty() {
            about.machine.clone_from(&now.host);
            let name = model.forecaster.model().formula().experiment();
            let text = format!(
                "the samples do not tell their machine, and count as measured on this one, {}; `machine=…` says otherwise",
                if now.host.is_empty() { "which has no name" } else { &now.host }
            );
            outcome.notes.push(Message::new("machine-assumed", text).about(name));
        }
        if about.commit.is_empty() {
            about.commit = now.commit.clone().unwrap_or_default();
        }
        if about.time.is_empty() {
            about.time = fact("date").last().map_or_else(|| now.time.clone(), |date| (*date).clone());
        }
        if about.time.is_empty() {
            let message = "nothing tells when the samples were measured";
            return Err(folder.error(code::MISSING_WORD, message).help("say it behind the folder: `date=…`"));
        }
        Ok(about)
    }
}

fn list(
    session: &mut Session,
    words: &[Word],
    arguments: &CommandArguments,
) -> Result<CommandOutcome, Error> {
    let (names, folder, rest) = around(words, "in", arguments)?;
    if let Some(extra) = names.first().or(rest.first()) {
        return Err(extra
            .error(code::UNEXPECTED_WORD, format!("`{}` is one word too many", extra.text))
            .help("usage: archive list in FOLDER"));
    }
    let mut outcome = CommandOutcome::default();
    let entries = ArchiveFolder::at(folder, session).entries(&mut outcome)?;
    match entries.is_empty() {
        true => {
            outcome.value = CommandOutcome::line(format!("there are no entries in {}", folder.text)).value
        }
        false => outcome.value.table(tables::list(&entries)),
    }
    Ok(outcome)
}
