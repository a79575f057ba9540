//! The unit of what was measured, in tables, headlines and axes: times in seconds, all else in its own unit.

use call_model::Predictor;
use call_report::{Axis, Column, DisplayUnit};
use call_trace::Unit;

use super::subject::Subject;
use crate::Error;

/// How people write a unit.
pub fn shown(unit: &Unit) -> DisplayUnit {
    DisplayUnit::parse(unit.symbol())
}

/// What a response is called: `time`, or `value`.
pub fn noun(unit: &Unit) -> &'static str {
    if unit.is_time() { "time" } else { "value" }
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

/// An error if subjects that one answer is about differ in their units: their numbers would stand in one column.
pub fn check_same(subjects: &[Subject], end: &std::ops::Range<usize>) -> Result<(), Error> {
    let differ = |pair: &&[Subject]| pair[0].predictor().unit() != pair[1].predictor().unit();
    let Some([one, other]) = subjects.windows(2).find(differ) else { return Ok(()) };
    let [one, other] = [one, other].map(Subject::predictor);
    let said = |of: &dyn Predictor| format!("`{}` is in {}", of.name(), of.unit());
    Err(Error::at(end.clone(), format!("{}, and {}: they have no common unit", said(one), said(other)))
        .help("name those of one unit, and ask for the others by themselves"))
}

/// An error if a predictor tells no times: speed-ups and costs of processors are made of those.
pub fn check_time(what: &str, subjects: &[Subject], end: &std::ops::Range<usize>) -> Result<(), Error> {
    let other = subjects.iter().map(Subject::predictor).find(|predictor| !predictor.unit().is_time());
    other.map_or(Ok(()), |predictor| {
        let (name, unit) = (predictor.name(), predictor.unit());
        Err(Error::at(end.clone(), format!("{what} of times, and `{name}` is measured in {unit}"))
            .help(format!("`predict {name} P=1:64:2` tells how it grows")))
    })
}
