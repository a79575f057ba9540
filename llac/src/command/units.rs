//! The unit of what was measured, in tables, headlines and axes: times in seconds, all else in its own unit.

use call_report::{Axis, Column, DisplayUnit};
use call_trace::Unit;

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
