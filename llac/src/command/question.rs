//! What the commands that ask models backwards have in common.

use call_model::question::{NoAnswer, Numbers, Span};

use super::Arguments;
use super::points::{Given, number};
use crate::Error;
use crate::words::Word;

/// Why a question has no answer, for the whole command.
pub fn no_answer(error: NoAnswer) -> Error {
    Error::new(error.to_string())
}

/// Variables with one value each.
pub fn fixed(given: &[Given]) -> Result<Vec<(&str, f64)>, Error> {
    let one = |given: &'_ Given| match given.values[..] {
        [value] => Ok(value),
        _ => Err(Error::at(given.span.clone(), format!("`{}` needs a single value here", given.name))),
    };
    given.iter().map(|given| Ok((given.name.as_str(), one(given)?))).collect()
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
