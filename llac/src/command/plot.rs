//! Pictures: what the words of the command mean. Each kind of picture has a module of its own.

mod curves;
mod measured;
mod residuals;
mod scaling;
mod space;
mod surface;

use call_model::Model;
use call_model::question::Span;

use super::points::{Given, check_new};
use super::question::{ranged, span};
use super::sources::{check_known, definitions};
use super::{Arguments, Clauses, Command};
use crate::experiments::Found;
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Picture, Session, Style};

pub struct Plot;

/// What there is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Curves,
    Residuals,
    Histogram,
    Normal,
    Speedup,
    Efficiency,
    Surface,
}

const KINDS: &[(&str, Kind)] = &[
    ("residuals", Kind::Residuals),
    ("histogram", Kind::Histogram),
    ("normal", Kind::Normal),
    ("speedup", Kind::Speedup),
    ("efficiency", Kind::Efficiency),
    ("surface", Kind::Surface),
];

/// What stands before the words of a replay.
const REPLAY: &str = "replay";

/// What the words behind `plot` ask for.
struct Request {
    kind: Kind,
    experiments: Vec<Found>,
    /// Names of the axes' variables.
    axes: Vec<Word>,
    /// Ranges of axes, `N=1..1e6`.
    ranges: Vec<(Given, Span)>,
    /// Values of other variables.
    given: Vec<Given>,
    files: Vec<Word>,
}

impl Command for Plot {
    fn name(&self) -> &'static str {
        "plot"
    }

    fn usage(&self) -> &'static str {
        "plot [KIND] [EXPERIMENT… | PROGRAM] [VARIABLE…] [VARIABLE=VALUES…] [FILE…]"
    }

    fn summary(&self) -> &'static str {
        "draw times, fit, residuals, speed-up"
    }

    fn details(&self) -> &'static str {
        "`plot f N`: measured times with their spread, the fitted curve with its interval, borders of the ℵ sets as dashed \
         lines; a curve for each combination of the other variables, or for those given (`P=1,8`). `N=1..1e6` draws \
         further than was measured. Several experiments share a picture. Kinds: `residuals` (over a variable, or over the fitted \
         time), `histogram` and `normal` of the residuals, `speedup` and `efficiency` over P, `surface` over two \
         variables. Of a PROGRAM: what its processors do when, or with several values of P its time over P, with `on A,B` a \
         curve for each machine. Of a `replay` with its words: what the processors of a run do, or would do, when. With FILE.svg or FILE.png (or both) a file is written, else the picture is shown here."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Plot]
    }

    fn completion_behind(&self, word: &str) -> Option<Completion> {
        (word == "on").then_some(Completion::Machine)
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.words().iter().try_for_each(check_format)?;
        if let Some(program) = super::program::named(session, arguments) {
            let (picture, mut outcome, files) = super::program::picture(session, program, arguments)?;
            outcome.value = shown(session, picture, &files)?;
            return Ok(outcome);
        }
        let is_replay = |word: &Word| word.text == REPLAY && session.find(REPLAY).is_none();
        if arguments.words().first().is_some_and(is_replay) {
            let (picture, mut outcome, files) = super::replay::picture(session, arguments)?;
            outcome.value = shown(session, picture, &files)?;
            return Ok(outcome);
        }
        let request = Request::of(session, arguments)?;
        let picture = match request.kind {
            Kind::Curves => curves::picture(session, &request)?,
            Kind::Residuals | Kind::Histogram | Kind::Normal => residuals::picture(session, &request)?,
            Kind::Speedup | Kind::Efficiency => scaling::picture(session, &request, arguments)?,
            Kind::Surface => surface::picture(session, &request, arguments)?,
        };
        Ok(Outcome::of(shown(session, picture, &request.files)?))
    }
}

/// The picture, or the names of the files that were written.
fn shown(session: &Session, picture: Picture, files: &[Word]) -> Result<Markup, Error> {
    // A picture that cannot be drawn is an error of the command, whoever looks at it.
    let cannot_draw = |error: call_report::Error| Error::new(error.to_string());
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
        Some((name, ending)) if OTHER_FORMATS.contains(&ending.to_ascii_lowercase().as_str()) => {
            Err(Error::at(word.span.clone(), format!("pictures are no `.{ending}` files"))
                .help(format!("they end in .svg or .png: `{name}.svg`")))
        }
        _ => Ok(()),
    }
}

/// The words that name files, and the others behind the first.
pub fn files_and_words(arguments: &Arguments) -> (Vec<Word>, Vec<Word>) {
    arguments.words()[1..].iter().cloned().partition(is_file)
}

/// The names of the kinds of pictures.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name).chain([REPLAY])
}

impl Request {
    fn of(session: &Session, arguments: &Arguments) -> Result<Request, Error> {
        let mut request = Request {
            kind: Kind::Curves,
            experiments: Vec::new(),
            axes: Vec::new(),
            ranges: Vec::new(),
            given: Vec::new(),
            files: Vec::new(),
        };
        for word in arguments.words() {
            let kind = KINDS.iter().find(|(name, _)| *name == word.text);
            if let Some(found) = session.find(&word.text) {
                request.experiments.push(found);
            } else if let Some((_, kind)) = kind {
                request.kind = *kind;
            } else if is_file(word) {
                request.files.push(word.clone());
            } else if let Some((name, text)) = word.text.split_once('=') {
                check_new(request.valued().map(|one| one.name.as_str()), name, word.span.clone())?;
                if span(text).is_none() {
                    request.given.push(Given::of(word)?);
                } else if let (asked, Some(range)) = ranged(word)? {
                    request.ranges.push((asked, range));
                }
            } else {
                request.axes.push(word.clone());
            }
        }
        if request.experiments.is_empty() {
            match session.only_experiment() {
                Some(only) => request.experiments.push(only),
                // The first word that is nothing else was meant to be one.
                None => match request.axes.first() {
                    Some(word) => session.experiment(word).map(drop)?,
                    None => return Err(session.nothing_named(arguments)),
                },
            }
        }
        let most = if request.kind == Kind::Surface { 2 } else { 1 };
        if let Some(extra) = request.axes.get(most) {
            let message = format!("`{}` is neither an experiment nor a kind of picture", extra.text);
            return Err(Error::at(extra.span.clone(), message).help("`help plot` tells what can stand here"));
        }
        Ok(request)
    }

    /// The variables that are named.
    fn names(&self) -> Vec<&str> {
        let axes = self.axes.iter().map(|word| word.text.as_str());
        axes.chain(self.valued().map(|one| one.name.as_str())).collect()
    }

    /// Those with values or a range.
    fn valued(&self) -> impl Iterator<Item = &Given> {
        self.ranges.iter().map(|(one, _)| one).chain(&self.given)
    }

    /// An error if the formulas know nothing of a variable that has values.
    fn check_known(&self, models: &[(&Model, &Found)]) -> Result<(), Error> {
        let models: Vec<_> = models.iter().map(|(model, found)| (*model, definitions(found))).collect();
        check_known(&models, &[], &self.valued().collect::<Vec<_>>())
    }

    /// The values that are given to a variable.
    fn values_of(&self, name: &str) -> Option<&[f64]> {
        self.given.iter().find(|one| one.name == name).map(|one| one.values.as_slice())
    }

    /// Whether an axis goes from somewhere to somewhere.
    fn has_range(&self, name: &str) -> bool {
        self.ranges.iter().any(|(known, _)| known.name == name)
    }

    /// From where to where an axis goes: what is asked for, or what was sampled.
    fn range(&self, name: &str, sampled: (f64, f64)) -> (f64, f64) {
        let asked = self.ranges.iter().find(|(known, _)| known.name == name);
        asked.map_or(sampled, |(_, range)| (range.lowest, range.highest))
    }

    /// The experiment of a picture that shows only one.
    fn one(&self) -> Result<&Found, Error> {
        match &self.experiments[..] {
            [one] => Ok(one),
            _ => Err(Error::new("this kind of picture shows one experiment")),
        }
    }
}

/// The borders of the cells along a variable, ascending.
fn borders(model: &Model, variable: usize) -> Vec<f64> {
    let uppers = model.cells().iter().map(|cell| cell.intervals[variable].upper);
    distinct(&uppers.filter(|border| border.is_finite()).collect::<Vec<_>>())
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
