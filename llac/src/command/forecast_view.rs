//! How forecasts are shown, whatever was asked.

use call_model::Forecast;
use call_report::{Column, TableCell, number};
use call_trace::Unit;

use super::question::ForecastRow;
use super::subject::{Subject, SubjectKind};
use super::units;
use crate::{Markup, Style};

/// Columns of a predicted time and, if any forecast has one, its interval.
pub struct Intervals {
    level: f64,
    unit: Unit,
    /// Whether any has one.
    pub are_known: bool,
}

impl Intervals {
    /// Of a table of these forecasts.
    pub fn of<'a>(level: f64, unit: Unit, mut forecasts: impl Iterator<Item = &'a Forecast>) -> Intervals {
        Intervals { level, unit, are_known: forecasts.any(|forecast| !forecast.upper_s.is_nan()) }
    }

    pub fn columns(&self) -> impl Iterator<Item = Column> {
        interval_columns(self.level, &self.unit).into_iter().take(self.count())
    }

    pub fn cells(&self, forecast: &Forecast) -> impl Iterator<Item = TableCell> {
        // An end may be infinite, but is told to be so.
        let end =
            |end_s: f64| if end_s.is_nan() { TableCell::Missing("unknown") } else { TableCell::from(end_s) };
        let all = [TableCell::from(forecast.prediction.time_s), end(forecast.lower_s), end(forecast.upper_s)];
        all.into_iter().take(self.count())
    }

    fn count(&self) -> usize {
        if self.are_known { 3 } else { 1 }
    }
}

/// Columns of a predicted value and its interval.
pub fn interval_columns(level: f64, unit: &Unit) -> [Column; 3] {
    let percent = number::significant(100.0 * level, 4);
    [
        units::column("predicted", unit),
        units::column(format!("{percent} % from"), unit).key(units::key("lower", unit)),
        units::column("to", unit).key(units::key("upper", unit)),
    ]
}

/// A column of a variable's values: in full if they were given, rounded if they were computed.
pub fn variable_column(name: &str, is_given: bool) -> Column {
    const DIGITS: usize = 6;
    if is_given { Column::right(name) } else { Column::significant(name, DIGITS) }
}

/// `NAME(VARIABLE=VALUE, …)`, with values as people read them; those that are no numbers are as recorded.
pub fn place(name: &str, variables: &[String], point: &[f64]) -> String {
    let values = variables.iter().zip(point).filter(|(_, value)| !value.is_nan());
    let values: Vec<String> =
        values.map(|(variable, value)| format!("{variable}={}", number::short(*value))).collect();
    format!("{name}({})", values.join(", "))
}

/// The main result: `NAME(VARIABLE=VALUE, …) = TIME`.
pub fn headline(markup: &mut Markup, row: &ForecastRow) {
    let predictor = row.subject.predictor();
    let place = place(predictor.name(), predictor.variables(), &row.point);
    let machine = row.subject.machine.as_ref().map_or(String::new(), |machine| format!(" on {machine}"));
    let here = match (&row.subject.kind, row.beside_s) {
        (SubjectKind::Carried(carried), Some(here_s)) => {
            Some(format!(", {} on {}", number::seconds(here_s), carried.here().name))
        }
        _ => None,
    };
    markup.fragments([
        (Style::Name, place),
        (Style::Plain, format!("{machine} = ")),
        (Style::Strong, units::shown(predictor.unit()).text(row.forecast.prediction.time_s)),
        (Style::Plain, here.unwrap_or_default()),
    ]);
}

/// The columns that tell subjects apart: by name if there are several names, by machine where it was said.
pub fn subject_columns(subjects: &[Subject]) -> Vec<Column> {
    let mut columns = Vec::new();
    columns.extend(has_names(subjects).then(|| Column::code("experiment")));
    columns.extend(has_machines(subjects).then(|| Column::code("machine")));
    columns
}

/// The name of all subjects; empty if they have several, which [`subject_columns`] tells.
pub fn common_name(subjects: &[Subject]) -> &str {
    match subjects {
        [first, ..] if !has_names(subjects) => first.predictor().name(),
        _ => "",
    }
}

/// The cells of [`subject_columns`].
pub fn subject_cells(subjects: &[Subject], subject: &Subject) -> Vec<TableCell> {
    let mut cells = Vec::new();
    cells.extend(has_names(subjects).then(|| TableCell::from(subject.predictor().name())));
    cells.extend(has_machines(subjects).then(|| TableCell::from(subject.machine.as_deref().unwrap_or(""))));
    cells
}

fn has_names(subjects: &[Subject]) -> bool {
    subjects.windows(2).any(|pair| pair[0].predictor().name() != pair[1].predictor().name())
}

fn has_machines(subjects: &[Subject]) -> bool {
    subjects.iter().any(|subject| subject.machine.is_some())
}

/// `on MACHINE: `, before what is said of one of several.
pub fn machine_prefix(machine: &Option<String>) -> String {
    machine.as_ref().map_or(String::new(), |machine| format!("on {machine}: "))
}
