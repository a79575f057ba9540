//! Pictures: what the words of the command mean. Each kind of picture has a module of its own.

mod curves;
mod measured;
mod residuals;
mod scaling;
mod surface;

use call_model::Model;
use call_trace::Samples;

use super::points::{Given, values};
use super::question::span;
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
    ranges: Vec<(String, f64, f64)>,
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
                match span(text) {
                    Some(range) => request.ranges.push((name.to_owned(), range.lowest, range.highest)),
                    None => request.given.push(Given {
                        name: name.to_owned(),
                        values: values(text, word.span.clone())?,
                        span: word.span.clone(),
                    }),
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

    /// The values that are given to a variable.
    fn values_of(&self, name: &str) -> Option<&[f64]> {
        self.given.iter().find(|one| one.name == name).map(|one| one.values.as_slice())
    }

    /// From where to where an axis goes: what is asked for, or what was sampled.
    fn range(&self, name: &str, sampled: (f64, f64)) -> (f64, f64) {
        let asked = self.ranges.iter().find(|(known, ..)| known == name);
        asked.map_or(sampled, |(_, lowest, highest)| (*lowest, *highest))
    }

    /// The experiment of a picture that shows only one.
    fn one(&self) -> Result<&Found, Error> {
        match &self.experiments[..] {
            [one] => Ok(one),
            _ => Err(Error::new("this kind of picture shows one experiment")),
        }
    }
}

/// The sampled range of a variable of a formula.
fn sampled_range(model: &Model, variable: usize) -> (f64, f64) {
    let range = model.ranges()[variable];
    (range.lowest, range.highest)
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

/// Combinations of the values of all variables but those at `axes`, ascending: those of the samples, as far as the user has not
/// given others. Each is a whole point; at the axes it has NaN.
fn combinations(model: &Model, samples: &Samples, axes: &[usize], request: &Request) -> Vec<Vec<f64>> {
    let names = super::points::variables(model);
    let columns: Vec<&[f64]> = names.iter().map(|name| samples.column(name).unwrap_or_default()).collect();
    let mut all: Vec<Vec<f64>> = (0..samples.len())
        .map(|row| {
            let value = |index: usize| if axes.contains(&index) { f64::NAN } else { columns[index][row] };
            (0..columns.len()).map(value).collect()
        })
        .collect();
    for (index, name) in names.iter().enumerate().filter(|(index, _)| !axes.contains(index)) {
        let Some(values) = request.values_of(name) else { continue };
        all.retain(|point: &Vec<f64>| values.contains(&point[index]));
        // Values that were not sampled get a curve for each combination of the others.
        let missing = values.iter().filter(|value| !all.iter().any(|point| point[index] == **value));
        let mut others: Vec<Vec<f64>> = (0..samples.len())
            .map(|row| {
                let value = |other: usize| if axes.contains(&other) { f64::NAN } else { columns[other][row] };
                (0..columns.len()).map(value).collect()
            })
            .collect();
        let added: Vec<Vec<f64>> = missing
            .flat_map(|value| {
                others.iter_mut().for_each(|point| point[index] = *value);
                others.clone()
            })
            .collect();
        all.extend(added);
    }
    all.sort_by(|one, other| {
        let pairs = one.iter().zip(other);
        pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    all.dedup_by(|one, other| one.iter().zip(other.iter()).all(|(a, b)| a.total_cmp(b).is_eq()));
    all
}

/// `P = 4, M = 8` for the variables that are no axes.
fn label(model: &Model, axes: &[usize], point: &[f64]) -> String {
    let names = super::points::variables(model);
    const DIGITS: usize = 5;
    let parts = names.iter().zip(point).enumerate().filter(|(index, _)| !axes.contains(index));
    parts
        .map(|(_, (name, value))| format!("{name} = {}", call_report::number::significant(*value, DIGITS)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The position of the variable that a word names, or of the sampled one with most values that is not taken.
fn axis(model: &Model, samples: &Samples, word: Option<&Word>, taken: &[usize]) -> Result<usize, Error> {
    if let Some(word) = word {
        return super::points::variable(model, word);
    }
    let names = super::points::variables(model);
    let free = names.iter().enumerate().filter(|(index, _)| !taken.contains(index));
    let counts = free.map(|(index, name)| (index, distinct(samples.column(name).unwrap_or_default()).len()));
    counts
        .max_by_key(|(index, count)| (*count, usize::MAX - index))
        .map(|(index, _)| index)
        .ok_or_else(|| Error::new("the formula has no variable to draw over"))
}
