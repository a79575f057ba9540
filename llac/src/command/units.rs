//! The unit of what was measured, in tables, headlines and axes: times in seconds, all else in its own unit.

use call_report::{Axis, Column, DisplayUnit};
use call_trace::Unit;

use crate::Error;
use crate::error::code;
use crate::words::Word;

/// How people write a unit.
pub fn shown(unit: &Unit) -> DisplayUnit {
    DisplayUnit::parse(unit.symbol())
}

/// What a response is called: `time`, or `value`.
pub fn noun(unit: &Unit) -> &'static str {
    if unit.is_time() { "time" } else { "value" }
}

/// What a constant stands for: `the cost of each N/P`, or what it adds to a rate.
pub fn of_each(unit: &Unit, basis: &str) -> String {
    match (basis, unit.is_rate()) {
        ("1", _) => "the constant part".to_owned(),
        (basis, false) => format!("the cost of each {basis}"),
        (basis, true) => format!("what each {basis} adds"),
    }
}

/// Whether a word is `better=…`.
pub fn is_better(word: &Word) -> bool {
    word.assignment().is_some_and(|(key, _)| key == "better")
}

/// Whether more is better, as `better=higher` or `better=lower` among the words says; none if nothing does, and the unit has to.
pub fn more_is_better(words: &[Word]) -> Result<Option<bool>, Error> {
    let mut found = words.iter().filter(|word| is_better(word));
    let Some(word) = found.next() else { return Ok(None) };
    if let Some(second) = found.next() {
        return Err(second.error(code::GIVEN_TWICE, "`better` is given twice"));
    }
    match word.assignment() {
        Some((_, "higher")) => Ok(Some(true)),
        Some((_, "lower")) => Ok(Some(false)),
        _ => Err(word
            .error(code::WRONG_VALUE, "what is better is `higher` or `lower`")
            .help("write `better=higher`")),
    }
}

/// A key that ends in the unit: `lower_s`, `lower_bytes`.
pub fn key(name: &str, unit: &Unit) -> String {
    match shown(unit).key() {
        "" => name.to_owned(),
        unit => format!("{name}_{unit}"),
    }
}

/// A column of the response, titled by what it is.
pub fn column(title: impl Into<String>, unit: &Unit) -> Column {
    Column::quantity(title, &shown(unit))
}

/// The value of a constant, in the unit a term: `value (s)`.
pub fn constant_column(name: &str, unit: &Unit) -> Column {
    let symbol = shown(unit).symbol().to_owned();
    Column::significant(format!("{name} ({symbol})"), 6).key(key(name, unit))
}

/// An axis of the response: `time`.
pub fn axis(unit: &Unit) -> Axis {
    match unit.is_time() {
        true => Axis::new("time"),
        false => Axis::quantity("value", &shown(unit)),
    }
}
