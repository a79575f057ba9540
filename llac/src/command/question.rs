//! What the commands that ask models backwards have in common.

use std::ops::Range;

use call_model::Forecaster;
use call_model::question::{Line, NoAnswer, Numbers, Span};

use super::Arguments;
use super::points::{Given, PROCESSORS, check_processors, names_of, number};
use super::sources::{Sources, check, definitions};
use crate::Error;
use crate::experiments::Found;
use crate::words::Word;

/// Why a question has no answer, for the whole command.
pub fn no_answer(error: NoAnswer) -> Error {
    Error::new(error.to_string())
}

/// A model along the `asked` variables, the `others` having one value each; `end` is where a missing word would stand.
pub fn line<'a, 'm>(
    forecaster: &'a Forecaster<'m>,
    found: &'a Found,
    asked: &[&Given],
    others: &[Given],
    end: Range<usize>,
) -> Result<Line<'a, 'm>, Error> {
    let [line] = lines([(forecaster, found)], asked, others, end)?;
    Ok(line)
}

/// The same of several models, of which each needs some of the variables.
pub fn lines<'a, 'm, const COUNT: usize>(
    models: [(&'a Forecaster<'m>, &'a Found); COUNT],
    asked: &[&Given],
    others: &[Given],
    end: Range<usize>,
) -> Result<[Line<'a, 'm>; COUNT], Error> {
    let fixed: Vec<f64> = others.iter().map(single).collect::<Result<_, _>>()?;
    let names: Vec<&Given> = asked.iter().copied().chain(others).collect();
    check(&models.map(|(forecaster, found)| (forecaster.model(), definitions(found))), &[], &names, end)?;
    Ok(models.map(|(forecaster, found)| {
        let sources = Sources::new(forecaster.model(), definitions(found), &[], names_of(&names));
        let fixed = fixed.clone();
        Line::new(forecaster, move |values| sources.point(&[values, &fixed].concat()))
    }))
}

fn single(given: &Given) -> Result<f64, Error> {
    match given.values[..] {
        [value] => Ok(value),
        _ => Err(Error::at(given.span.clone(), format!("`{}` needs a single value here", given.name))),
    }
}

/// `VARIABLE` or `VARIABLE=FROM..TO`: what is looked for, and where.
pub fn ranged(word: &Word) -> Result<(Given, Option<Span>), Error> {
    let Some((name, text)) = word.text.split_once('=') else {
        return Ok((Given::asked(&word.text, word.span.clone()), None));
    };
    let range = span(text).ok_or_else(|| {
        Error::at(word.span.clone(), format!("`{text}` is no range")).help(format!("write `{name}=1..1e6`"))
    })?;
    if name == PROCESSORS {
        check_processors(range.lowest, |message| Error::at(word.span.clone(), message))?;
    }
    Ok((Given::asked(name, word.span.clone()), Some(range)))
}

/// Without a range values are sought up to so many times the largest sampled one.
const REACH: f64 = 1e6;

/// From the smallest sampled value of a variable on.
pub fn reach(found: &Found, name: &str) -> Span {
    let values = || found.experiment().samples.column(name).unwrap_or_default().iter().copied();
    let (lowest, highest) = (values().fold(f64::INFINITY, f64::min), values().fold(1.0, f64::max));
    Span { lowest: lowest.min(highest), highest: REACH * highest }
}

/// Takes the variable with values out of the others.
pub fn take(given: &mut Vec<Given>, name: &str, arguments: &Arguments) -> Result<Given, Error> {
    match given.iter().position(|one| one.name == name) {
        Some(position) => Ok(given.remove(position)),
        None => Err(Error::at(arguments.end(), format!("values of `{name}` are missing"))
            .help(format!("for example `{name}=1:64:2` (1, 2, 4, … 64)"))),
    }
}

/// `FROM..TO`.
pub fn span(text: &str) -> Option<Span> {
    let (lowest, highest) = text.split_once("..")?;
    Some(Span { lowest: number(lowest)?, highest: number(highest)? })
}

/// A time with its unit: `1s`, `20ms`, `0.5` (seconds).
pub fn seconds(word: &Word) -> Result<f64, Error> {
    let text = word.text.as_str();
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => f64::NAN,
    };
    number(digits).map(|value| value * unit).filter(|value| *value > 0.0).ok_or_else(|| {
        Error::at(word.span.clone(), format!("`{text}` is no time")).help("write 1s, 20ms, 5min or 2h")
    })
}

/// Sizes and numbers of processors are whole where all samples are.
pub fn numbers(column: Option<&[f64]>) -> Numbers {
    let is_whole = column.is_some_and(|values| values.iter().all(|value| value.fract() == 0.0));
    if is_whole { Numbers::Whole } else { Numbers::Real }
}
