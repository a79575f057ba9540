//! Pictures: what the words of the command mean. Each kind of picture has a module of its own.

mod boxes;
mod curves;
mod faster;
mod measured;
mod ranking;
mod residuals;
mod scaling;
mod space;
mod style;
mod surface;

use call_model::Warning;

use super::question::Question;
use super::subject::{Formulas, SubjectKind};
use super::{Command, CommandArguments, REPLAY};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Picture, Session, Style};
use style::PictureStyle;

/// What there is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotKind {
    Curves,
    Residuals,
    Histogram,
    Normal,
    Speedup,
    Efficiency,
    Surface,
    Boxes,
}

const KINDS: &[(&str, PlotKind)] = &[
    ("residuals", PlotKind::Residuals),
    ("histogram", PlotKind::Histogram),
    ("normal", PlotKind::Normal),
    ("speedup", PlotKind::Speedup),
    ("efficiency", PlotKind::Efficiency),
    ("surface", PlotKind::Surface),
    ("boxes", PlotKind::Boxes),
];

pub const PLOT: Command = Command {
    name: "plot",
    usage: "plot [KIND] [EXPERIMENT… | PROGRAM | all | replay] [VARIABLE…] [VARIABLE=VALUES…] [on MACHINE…] [STYLE…] [FILE…] \
        · plot faster [TRACE | SET] BLOCK… [STYLE…] [FILE…]",
    summary: "draw measurements, fit, residuals, speed-up",
    details: "`plot f N`: measurements with their spread, the fitted curve with its interval, borders of the ℵ sets as dashed \
        lines; a curve for each combination of the other variables, or for those given (`P=1,8`). Without a formula, or over a \
        variable that the formula lacks: what was measured. `N=1..1e6` draws \
        further than was measured. Several experiments, or `on A,B`, share a picture; `all` at a point (`N=… P=…`) ranks \
        them. Kinds: `residuals` (over a variable, or over the fitted \
        time), `histogram` and `normal` of the residuals, `speedup` and `efficiency` over P (`base=64` as in `speedup`), `surface` over two \
        variables, `boxes` of measured times. Of a PROGRAM: what its processors do when, or with several values of P its time over P. \
        Of a `replay` with its words: what the processors of a run do, or would do, when; with a range (`g=1e-10..1e-8`) its time. \
        `faster smooth`: by how many percent the run takes less when `smooth` does, by replay of recorded events or supersteps; where another path \
        takes over the curve bends, and the table tells what the critical path goes through then. A BLOCK is what `waits faster` takes. \
        Style: `title=\"…\"`, `size=1200x800`, `xscale=log` or `linear`, `xrange=1..100`, the same for y, `bins=20`; \
        `colour=P` and `marker=M` say by which variables curves differ in their colours and in their markers. \
        With FILE.svg or FILE.png (or both) a file is written, else the picture is shown here.",
    completions: &[Completion::Plot],
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.words().iter().try_for_each(check_format)?;
    let (files, words): (Vec<Word>, Vec<Word>) = arguments.words().iter().cloned().partition(is_file);
    let (mut style, words) = PictureStyle::take(words)?;
    let mut outcome = CommandOutcome::default();
    let mut picture = picture(session, arguments, words, &mut style, &mut outcome)?;
    style.apply(&mut picture)?;
    let told = std::mem::replace(&mut outcome.value, shown(session, picture, &files)?);
    outcome.value.append(told);
    Ok(outcome)
}

fn picture(
    session: &mut Session,
    arguments: &CommandArguments,
    mut words: Vec<Word>,
    style: &mut PictureStyle,
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    let is_curve = |word: &Word| {
        word.text.contains("..") || word.assignment().is_some_and(|(_, text)| text.contains([',', ':']))
    };
    let is_replay = |word: &Word| word.text == REPLAY && session.find(REPLAY).is_none();
    if words.first().is_some_and(is_replay) && !words.iter().any(is_curve) {
        return super::replay::picture(session, arguments, &words[1..], outcome);
    }
    let is_faster = |word: &Word| word.text == faster::FASTER && session.find(faster::FASTER).is_none();
    if words.first().is_some_and(is_faster) {
        return faster::picture(session, arguments, &words[1..], outcome);
    }
    let named =
        |word: &Word| KINDS.iter().find(|(name, _)| *name == word.text && session.find(name).is_none());
    let kind = words.iter().position(|word| named(word).is_some());
    let kind = kind.and_then(|position| named(&words.remove(position)).map(|(_, kind)| *kind));
    let kind = kind.unwrap_or(PlotKind::Curves);
    let formulas = match kind {
        PlotKind::Curves | PlotKind::Boxes => Formulas::Given(axis_of(&words)),
        _ => Formulas::Found,
    };
    let mut question = Question::of_plot(session, &words, arguments.end(), formulas)?;
    outcome.warnings.extend(left_out(session, &question));
    let most = if kind == PlotKind::Surface { 2 } else { 1 };
    if let Some(extra) = question.words.get(most) {
        let message = format!("`{}` is neither an experiment nor a kind of picture", extra.text);
        return Err(extra
            .error(code::UNEXPECTED_WORD, message)
            .help("`help plot` tells what can stand here"));
    }
    match kind {
        PlotKind::Curves if ranking::is_ranking(&question) => {
            // Without a formula they are predicted by those that were found.
            let question = Question::of_plot(session, &words, arguments.end(), Formulas::Found)?;
            ranking::picture(session, &question, outcome)
        }
        PlotKind::Curves => match (&question.subjects[..], is_point(&question)) {
            ([subject], true) if let SubjectKind::Program(program) = &subject.kind => {
                super::program::diagram(&question, program, outcome)
            }
            (subjects, true) if subjects.iter().any(|one| matches!(one.kind, SubjectKind::Program(_))) => {
                Err(Error::at(
                    code::NOT_APPLICABLE,
                    arguments.end(),
                    "one point on several machines is no curve",
                )
                .help("give P several values, as in `P=1:256:2`, or name one machine"))
            }
            _ => curves::picture(session, &question, &style.take_groupings(), outcome),
        },
        PlotKind::Residuals | PlotKind::Histogram | PlotKind::Normal => {
            let bins = if kind == PlotKind::Histogram { style.take_bins() } else { None };
            residuals::picture(session, &question, kind, bins)
        }
        PlotKind::Speedup | PlotKind::Efficiency => {
            let base = question.take_base()?;
            scaling::picture(session, &question, kind, base, outcome)
        }
        PlotKind::Surface => surface::picture(session, &question),
        PlotKind::Boxes => boxes::picture(session, &question),
    }
}

/// What is measured and not drawn.
fn left_out(session: &mut Session, question: &Question) -> Vec<Message> {
    let mut told: Vec<Message> = Vec::new();
    for found in question.subjects.iter().filter_map(|subject| subject.found.as_ref()) {
        let experiment = found.experiment();
        let prepared = session.prepared(experiment);
        let warning = Warning::of_points_without_time(prepared.below_resolution());
        let message = warning.map(|its| Message::of_model(&experiment.name, &its));
        told.extend(message.filter(|its| !told.contains(its)));
    }
    told
}

/// Whether all values are single, so that there is nothing for a curve to go over.
fn is_point(question: &Question) -> bool {
    question.ranges.is_empty()
        && question.words.is_empty()
        && question.given.iter().all(|one| one.values.len() == 1)
}

/// The last word before values, which may be an axis.
fn axis_of(words: &[Word]) -> Option<String> {
    let plain = words.iter().take_while(|word| !word.is("on")).filter(|word| !word.text.contains('='));
    plain.last().map(|word| word.text.clone())
}

/// The picture, or the names of the files that were written.
pub fn shown(session: &Session, picture: Picture, files: &[Word]) -> Result<Markup, Error> {
    // A picture that cannot be drawn is an error of the command, whoever looks at it.
    let cannot_draw = |error: call_report::Error| Error::from(error);
    let mut markup = Markup::new();
    if files.is_empty() {
        picture.svg().map_err(cannot_draw)?;
        markup.picture(picture);
        return Ok(markup);
    }
    for file in files {
        let bytes = match file.text.ends_with(".png") {
            true => picture.png().map_err(cannot_draw)?,
            false => picture.svg().map_err(cannot_draw)?.into_bytes(),
        };
        session.write(file, &bytes)?;
        markup.fragments([(Style::Plain, "wrote ".to_owned()), (Style::Name, file.text.clone())]);
    }
    Ok(markup)
}

fn is_file(word: &Word) -> bool {
    word.text.ends_with(".svg") || word.text.ends_with(".png")
}

/// Endings of pictures in formats that are not written.
const OTHER_FORMATS: [&str; 10] = ["pdf", "eps", "ps", "jpg", "jpeg", "gif", "tif", "tiff", "bmp", "webp"];

fn check_format(word: &Word) -> Result<(), Error> {
    match word.text.rsplit_once('.') {
        Some((name, ending)) if OTHER_FORMATS.contains(&ending.to_ascii_lowercase().as_str()) => Err(word
            .error(code::UNKNOWN_FORMAT, format!("pictures are no `.{ending}` files"))
            .help(format!("they end in .svg or .png: `{name}.svg`"))),
        _ => Ok(()),
    }
}

/// The names of the kinds of pictures.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name).chain([REPLAY, faster::FASTER])
}

/// Different values in ascending order.
fn distinct(values: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// Places from one end to the other, evenly spread on the scale that the axis will have.
fn along(lowest: f64, highest: f64, count: usize) -> impl Iterator<Item = f64> {
    let steps = (count - 1) as f64;
    (0..count).map(move |step| {
        let part = step as f64 / steps;
        match step {
            0 => lowest,
            _ if step == count - 1 => highest,
            _ if lowest > 0.0 => lowest * (highest / lowest).powf(part),
            _ => lowest + (highest - lowest) * part,
        }
    })
}
