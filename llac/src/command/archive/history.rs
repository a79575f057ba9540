//! `history f in FOLDER`: how constants went from entry to entry, and where they changed.

use call_grammar::{Term, listed};

use super::entry::Entry;
use super::folder::ArchiveFolder;
use super::sentence::{borders, changes, constancies, drifts, partings, spikes, ties};
use super::term::ConstantTerm;
use super::timeline::{ConstantHistory, HistoryCriteria};
use super::{of_entries, picture, tables};
use crate::command::CommandArguments;
use crate::command::check::share;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Picture, Session, Style};

/// Without a word about it, how often a history may show a change where there is none.
pub const ALARMS: f64 = 0.01;

/// Shows the history of an experiment or of a constant.
pub fn history(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if arguments.condition().is_some() {
        return Err(Error::at(
            code::NOT_APPLICABLE,
            arguments.end(),
            "an archive has no samples to choose from",
        )
        .help("choose them before they are added: `where …`, then `archive add`"));
    }
    let (names, folder, rest) = super::around(arguments.words(), "in", arguments)?;
    let request = HistoryOptions::of(rest)?;
    let mut outcome = CommandOutcome::default();
    let archive = ArchiveFolder::at(folder, session);
    let entries = archive.entries(&mut outcome)?;
    let (entries, constant) = chosen(entries, names, folder, &mut outcome)?;
    let asked = HistoryCriteria { constant, alarms: request.alarms, level: session.level() };
    let timelines = ConstantHistory::all(entries, &asked, &archive, &mut outcome, folder)?;
    outcome.notes.extend(partings(&timelines));
    outcome.warnings.extend(ties(&timelines));
    for timeline in &timelines {
        show(timeline, request.shows_all, &mut outcome);
        outcome.warnings.extend(spikes(timeline));
    }
    outcome.value.data(tables::changes(&timelines));
    if !request.files.is_empty() || request.shows_picture {
        let pictures: Vec<_> = timelines.iter().map(|its| Picture::Figure(picture::figure(its))).collect();
        // Of several timelines the newest one is what goes on.
        if let Some(last) = pictures.into_iter().last() {
            if pictures_left(&timelines) > 0 {
                let text = "the picture has the newest of the parts";
                outcome.notes.push(Message::new("one-part-drawn", text));
            }
            outcome.value.append(crate::command::plot::shown(session, last, &request.files)?);
        }
    }
    Ok(outcome)
}

fn pictures_left(timelines: &[ConstantHistory]) -> usize {
    timelines.len() - 1
}

/// What stands behind the folder.
struct HistoryOptions {
    files: Vec<Word>,
    shows_picture: bool,
    shows_all: bool,
    alarms: f64,
}

impl HistoryOptions {
    fn of(words: &[Word]) -> Result<HistoryOptions, Error> {
        let mut wanted =
            HistoryOptions { files: Vec::new(), shows_picture: false, shows_all: false, alarms: ALARMS };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.text.as_str() {
                "picture" => wanted.shows_picture = true,
                "all" => wanted.shows_all = true,
                "alarms" => {
                    let behind: Vec<&Word> = rest.by_ref().collect();
                    let missing =
                        || word.error(code::MISSING_WORD, "a share, as `1%`, is missing behind this");
                    wanted.alarms = share(&behind, missing)?;
                    if !(wanted.alarms > 0.0 && wanted.alarms < 0.5) {
                        return Err(behind[0]
                            .error(code::WRONG_VALUE, "this is no rate of false alarms")
                            .help("between 0 and 50 %, such as `alarms 1%`"));
                    }
                }
                text if text.ends_with(".svg") || text.ends_with(".png") => wanted.files.push(word.clone()),
                text => {
                    return Err(word
                        .error(code::UNEXPECTED_WORD, format!("`{text}` means nothing here"))
                        .help("behind the folder can stand `all`, `picture`, a file that ends in .svg or .png, and `alarms SHARE`"));
                }
            }
        }
        Ok(wanted)
    }
}

/// The entries of the experiment that is named, or of the only one, and the constant that is.
fn chosen(
    entries: Vec<Entry>,
    names: &[Word],
    folder: &Word,
    outcome: &mut CommandOutcome,
) -> Result<(Vec<Entry>, Option<ConstantTerm>), Error> {
    if let Some(extra) = names.get(1) {
        return Err(extra.error(code::UNEXPECTED_WORD, "one experiment or constant at a time"));
    }
    let mut known: Vec<String> = entries.iter().map(|entry| entry.experiment().to_owned()).collect();
    known.sort();
    known.dedup();
    let is_known = |name: &str| known.iter().any(|its| its == name);
    let (name, constant) = match (names.first(), &known[..]) {
        (None, [only]) => (only.clone(), None),
        (_, []) => {
            return Err(no_entries(folder));
        }
        (None, _) => {
            return Err(folder
                .error(code::MISSING_WORD, "the archive has several experiments")
                .help(format!("name one before `in`: {}", listed(&known))));
        }
        (Some(word), _) if is_known(&word.text) => (word.text.clone(), None),
        (Some(word), _) => {
            let parts = word.text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
            let parts = parts.and_then(|(name, index)| Some((name, index.parse::<u32>().ok()?)));
            let (name, index) = parts.filter(|(name, _)| is_known(name)).ok_or_else(|| {
                word.error(code::UNKNOWN_EXPERIMENT, format!("the archive has no experiment `{}`", word.text))
                    .help(format!("it has {}", listed(&known)))
            })?;
            (name.to_owned(), Some((word, index)))
        }
    };
    let own: Vec<Entry> = entries.into_iter().filter(|entry| entry.experiment() == name).collect();
    let Some((word, index)) = constant else { return Ok((own, None)) };
    let term_in = |entry: &Entry| ConstantTerm::of(entry.model.forecaster.model().formula(), index);
    let Some(constant) = own.last().and_then(term_in) else {
        return Err(no_constant(&own, &name, (word, index), folder));
    };
    let has_it = |entry: &Entry| constant.number_in(entry.model.forecaster.model().formula()).is_some();
    let (with, without): (Vec<Entry>, Vec<Entry>) = own.into_iter().partition(has_it);
    if let Some(last) = without.last() {
        let text = format!(
            "{} whose formula has no term {}, the last {}, left out: `history {name} in {}` shows the history of each formula",
            of_entries(without.len()),
            constant.text(),
            last.title(),
            folder.text
        );
        outcome.notes.push(Message::new("history-parted", text).about(&name));
    }
    Ok((with, Some(constant)))
}

/// That the newest formula has no constant of this number. Others may have it.
fn no_constant(own: &[Entry], name: &str, (word, index): (&Word, u32), folder: &Word) -> Error {
    let has_it = |entry: &&Entry| ConstantTerm::of(entry.model.forecaster.model().formula(), index).is_some();
    let message = format!("the newest formula has no constant `{}`", word.text);
    let error = word.error(code::UNKNOWN_CONSTANT, message);
    error.help(match own.iter().rev().find(has_it) {
        Some(last) => format!(
            "{} had it, the last {}: `history {name} in {}` shows the history of each formula",
            of_entries(own.iter().filter(has_it).count()),
            last.title(),
            folder.text
        ),
        None => constants_of_newest(own),
    })
}

/// `it has f[0], f[1]`.
fn constants_of_newest(entries: &[Entry]) -> String {
    let formula = entries.last().map(|entry| entry.model.forecaster.model().formula());
    let names = formula.into_iter().flat_map(|formula| {
        let name = |term: &Term| format!("{}[{}]", formula.experiment(), term.coefficient.0);
        formula.terms().iter().map(name).collect::<Vec<_>>()
    });
    format!("it has {}", listed(&names.collect::<Vec<_>>()))
}

/// That an archive is empty.
pub fn no_entries(folder: &Word) -> Error {
    folder.error(code::NO_SAMPLES, format!("there are no entries in {}", folder.text))
}

fn show(timeline: &ConstantHistory, shows_all: bool, outcome: &mut CommandOutcome) {
    let markup = &mut outcome.value;
    let formula = timeline.model().formula();
    let (first, last) = timeline.days();
    let mut changes = changes(timeline);
    changes.extend(drifts(timeline));
    changes.extend(borders(timeline));
    let style = if changes.is_empty() { Style::Strong } else { Style::Warning };
    let head = format!("{}: {}", formula.experiment(), of_entries(timeline.entries.len()));
    let part = if timeline.part.is_empty() { String::new() } else { format!(", {}", timeline.part) };
    markup.fragments([(style, head), (Style::Plain, format!(", {first} to {last}{part}"))]);
    for text in changes.iter().chain(&constancies(timeline)) {
        markup.line(Style::Plain, format!("  {text}"));
    }
    markup.table(tables::levels(timeline));
    markup.data(tables::verdicts(timeline));
    match shows_all {
        true => markup.table(tables::entries(timeline, true)),
        false => markup.data(tables::entries(timeline, false)),
    }
}
