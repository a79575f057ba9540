//! `upsilon f[1] = 34-36, 41`: the user says which statements are behind a constant.

use call_grammar::{CoefficientId, Formula, listed};
use call_trace::{LineRange, SourceCounts, SourceLine};

use crate::command::CommandArguments;
use crate::command::aleph::constant;
use crate::data::SampleChange;
use crate::error::{code, no_formula};
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{Error, Session};

/// The word for what the source says.
const AUTO: &str = "auto";
/// The word for no statements.
const NONE: &str = "none";

const USAGE: &str = "`upsilon f[1] = 34-36, solver.c:7`, `= none` or `= auto`";

/// Changes the set of a constant, if the words say one, and tells whose.
pub fn change(
    session: &mut Session,
    arguments: &CommandArguments,
) -> Result<Option<SessionExperiment>, Error> {
    let Some((text, start)) = arguments.text_from(0).filter(|(text, _)| text.contains('=')) else {
        return Ok(None);
    };
    if let Some(place) = arguments.condition().map(|_| arguments.end()) {
        let message = "the statements behind a constant are the same for all samples";
        return Err(Error::at(code::NOT_APPLICABLE, place, message).help("leave `where` out"));
    }
    let (name, said) = text.split_once('=').unwrap_or((text, ""));
    let name = piece(name, start);
    let said = piece(said, start + text.len() - said.len());
    let (experiment, coefficient) = constant(session, &name)?;
    let found = session.experiment(&experiment)?;
    let constant = known(&found, &name, coefficient)?;
    let counts = found.experiment().source_counts.as_ref().filter(|counts| !counts.terms.is_empty());
    let counts = counts.ok_or_else(|| {
        let message = format!("it is not known which statements `{}` has", found.name);
        name.error(code::NO_ANSWER, message).help(format!("`upsilon {}` says why", found.name))
    })?;
    let lines = match said.text.as_str() {
        AUTO => None,
        NONE => Some(Vec::new()),
        _ => Some(lines(&said, &found, counts)?),
    };
    put_behind(session, &found, constant.0, lines)?;
    Ok(session.find(&found.name))
}

/// Puts the statements of these lines behind a constant; `None`: those that the source says.
pub fn put_behind(
    session: &mut Session,
    found: &SessionExperiment,
    constant: u32,
    lines: Option<Vec<LineRange>>,
) -> Result<(), Error> {
    let step = SampleChange::Upsilon { experiment: found.experiment().name.clone(), constant, lines };
    let data = found.set().with_step(step)?;
    session.change().set_data_of(found, data);
    Ok(())
}

/// A part of the line without the blanks around it, and its place.
fn piece(text: &str, start: usize) -> Word {
    let at = start + text.len() - text.trim_start().len();
    let text = text.trim().to_owned();
    Word { span: at..at + text.len(), text, is_quoted: false }
}

/// The constant, which the formula has to have.
fn known(
    found: &SessionExperiment,
    name: &Word,
    coefficient: Option<CoefficientId>,
) -> Result<CoefficientId, Error> {
    let experiment = found.experiment();
    let formula = experiment.formula.as_ref().and_then(|text| Formula::parse(&experiment.name, text).ok());
    let formula = formula.ok_or_else(|| {
        name.error(code::NO_FORMULA, no_formula(&found.name)).help("`formula f = …` gives it one")
    })?;
    let is_known = |id: &CoefficientId| formula.terms().iter().any(|term| term.coefficient == *id);
    coefficient.filter(is_known).ok_or_else(|| {
        name.error(code::UNKNOWN_CONSTANT, format!("the formula has no constant `{}`", name.text))
            .help(format!("{} = {formula}", found.name))
    })
}

/// `34-36, solver.c:7`; each piece has a statement of the experiment.
fn lines(said: &Word, found: &SessionExperiment, counts: &SourceCounts) -> Result<Vec<LineRange>, Error> {
    let known = counts.lines();
    let mut all = Vec::new();
    let mut start = said.span.start;
    for text in said.text.split(',') {
        let word = piece(text, start);
        start += text.len() + 1;
        let range = range(&word, found)?;
        if !known.iter().any(|place| range.contains(place)) {
            let has = listed(&SourceLine::ranges(known.iter().copied()));
            let message = format!("`{}` has no statement there that is counted", found.name);
            return Err(word
                .error(code::UNKNOWN_LINE, message)
                .help(format!("its statements begin in {has}")));
        }
        all.push(range);
    }
    Ok(all)
}

/// `34`, `34-36`, `solver.c:34-36`; the file of the program's source may be named or not.
fn range(word: &Word, found: &SessionExperiment) -> Result<LineRange, Error> {
    let (file, numbers) = match word.text.rsplit_once(':') {
        Some((file, numbers)) => (Some(file.trim().to_owned()), numbers),
        None => (None, word.text.as_str()),
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|line| *line > 0);
    let file = file.filter(|file| !found.runs().iter().any(|run| run.header.source == *file));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(LineRange { file, first, last }),
        _ if word.text.is_empty() => Err(word.error(code::MISSING_WORD, "lines are missing").help(USAGE)),
        _ => Err(word.error(code::WRONG_VALUE, format!("`{}` are no lines", word.text)).help(USAGE)),
    }
}
