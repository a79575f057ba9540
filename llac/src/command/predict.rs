mod carry;
mod on;
mod scale;
mod tables;

use std::collections::BTreeSet;

use call_grammar::listed;
use call_model::{Beyond, Forecast, Forecaster, Prediction};
use call_report::{Cell, Column, Table, number};

use self::on::Asked;
use super::find::finding;
use super::fit::interval;
use super::points::{Given, column, given, points_of};
use super::sources::{beyond_own_table, definitions};
use super::{Arguments, Clauses, Command};
use crate::experiments::Found;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Predict;

impl Command for Predict {
    fn name(&self) -> &'static str {
        "predict"
    }

    fn usage(&self) -> &'static str {
        "predict [EXPERIMENT | PROGRAM] VARIABLE=VALUE… [on MACHINE… [scale CONSTANT=RESOURCE…]]"
    }

    fn summary(&self) -> &'static str {
        "predict times"
    }

    fn details(&self) -> &'static str {
        "Every variable of the formula needs a value. `N=1024,4096` and `P=1:32:2` (1, 2, 4, … 32) give a table. \
         Intervals hold `set level` percent of single measurements: they include noise, the uncertainty of the \
         constants and, beyond the samples, that of the formula. A single prediction also shows what each term \
         contributes, with the interval of its constant. `on MACHINE` (several: `on A,B`) carries the prediction from \
         the machine of the samples (`machine use`) to another one. Variables g (s/byte) and L (s) of the formula take that \
         machine's values, and the constants of their terms are kept. Terms without them are computation and grow as \
         1/s does, or as a resource that `scale` names: `scale f[1]=memory f[3]=g`. Resources are s, g, L, memory (its last \
         level), memory(8*N) (the level that holds so many bytes), and operations and levels by name: `f[1]=\"f64 add\"`. \
         What a machine lacks is told, and that term assumed to take as long as here. Words with `=` may stand anywhere. \
         A PROGRAM is evaluated by OBSP* for its variables and P; \
         `g=1e-9 L=2e-6` (seconds a byte, seconds) are the costs of communication without `costs`, `relation=max` counts the \
         larger of bytes in and out instead of their sum."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::ExperimentOrProgram, Completion::Value]
    }

    fn completion_behind(&self, word: &str) -> Option<Completion> {
        (word == "on").then_some(Completion::Machine)
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        if let Some(program) = super::program::named(session, arguments) {
            return super::program::predict(session, program, arguments);
        }
        let (found, place) = session.first_experiment(arguments)?;
        let asked = Asked::of(&arguments.words()[place..])?;
        if found.experiment().formula.is_none() && asked.is_none() {
            return without_formula(session, &found, arguments, place);
        }
        if let Some(asked) = asked {
            return on::run(session, &found, &asked);
        }
        let model = session.model(found.experiment())?;
        let given = given(&arguments.words()[place..])?;
        let given: Vec<&Given> = given.iter().collect();
        let points = points_of(&given, arguments.end(), &model, definitions(&found), &[])?;
        let forecaster =
            Forecaster::new(&model, &session.prepared(found.experiment())).map_err(super::model_error)?;
        let level = session.level();
        let variables = super::points::variables(&model);
        let mut forecasts: Vec<(Vec<f64>, Forecast)> = Vec::new();
        for point in points {
            let forecast = forecaster.forecast(&point, level);
            check_finite(&found.experiment().name, &variables, &point, &forecast.prediction)?;
            forecasts.push((point, forecast));
        }
        let mut markup = Markup::new();
        if let [(point, forecast)] = &forecasts[..] {
            headline(&mut markup, &found.name, &variables, point, forecast.prediction.time_s);
        }
        let columns = variables.iter().map(|name| column(name, given.iter().any(|one| one.name == *name)));
        markup.table(table(columns.collect(), &forecasts));
        if let [(_, forecast)] = &forecasts[..] {
            markup.table(terms(model.formula().experiment(), forecast));
        }
        let mut outcome = Outcome::of(markup);
        outcome.warnings = warnings(forecasts.iter().map(|(_, forecast)| forecast));
        outcome.warnings.extend(beyond_own_table(&model, &found, &given, &[]));
        Ok(outcome)
    }
}

/// Predictions of all plausible formulas together.
fn without_formula(
    session: &mut Session,
    found: &Found,
    arguments: &Arguments,
    place: usize,
) -> Result<Outcome, Error> {
    let finding = finding(session, found)?;
    let points = super::find::points(&finding, arguments, place)?;
    let level = session.level();
    let variables = finding.measurements().variables();
    let mut columns: Vec<Column> = variables.iter().map(Column::right).collect();
    columns.extend(interval_columns(level));
    let mut table = Table::new(columns).named("predictions");
    for point in &points {
        let prediction = finding.predict(point, level);
        if !prediction.value.is_finite() {
            let names: Vec<&str> = variables.iter().map(String::as_str).collect();
            return Err(not_finite("the prediction", &found.name, &names, point));
        }
        let mut cells: Vec<Cell> = point.iter().map(|value| Cell::from(*value)).collect();
        cells.extend([prediction.value, prediction.low, prediction.high].map(Cell::from));
        table.row(cells);
    }
    let mut markup = Markup::new();
    markup.table(table);
    let mut outcome = Outcome::of(markup);
    let ranked = finding.ranked(&found.experiment().name);
    if let Some(best) = ranked.first() {
        outcome.notes.push(format!(
            "there is no formula: {} plausible ones together, best {} ({} %)",
            ranked.len(),
            best.formula.text,
            number::significant(100.0 * best.probability, 2)
        ));
    }
    Ok(outcome)
}

/// An error unless a predicted time is finite, with the term that is not.
pub fn check_finite(
    experiment: &str,
    variables: &[&str],
    point: &[f64],
    prediction: &Prediction,
) -> Result<(), Error> {
    if prediction.time_s.is_finite() {
        return Ok(());
    }
    let term = prediction.shares.iter().find(|share| !share.time_s.is_finite());
    let what = term.map_or("the sum of the terms".to_owned(), |share| {
        format!("the term of {experiment}[{}]", share.coefficient.0)
    });
    Err(not_finite(&what, experiment, variables, point))
}

fn not_finite(what: &str, name: &str, variables: &[&str], point: &[f64]) -> Error {
    let place = headline_of(name, variables, point);
    Error::new(format!("{what} has no finite value at {place}")).help(
        "choose a point where the formula holds: not one where it divides by 0 or takes the logarithm of 0",
    )
}

/// `NAME(VARIABLE=VALUE, …)`, with values as people read them.
fn headline_of(name: &str, variables: &[&str], point: &[f64]) -> String {
    let values = variables.iter().zip(point);
    let values: Vec<String> =
        values.map(|(variable, value)| format!("{variable}={}", number::short(*value))).collect();
    format!("{name}({})", values.join(", "))
}

/// The main result: `NAME(VARIABLE=VALUE, …) = TIME`.
pub fn headline(markup: &mut Markup, name: &str, variables: &[&str], point: &[f64], time_s: f64) {
    markup.fragments([
        (Style::Name, headline_of(name, variables, point)),
        (Style::Plain, " = ".to_owned()),
        (Style::Strong, number::seconds(time_s)),
    ]);
}

fn table(mut columns: Vec<Column>, forecasts: &[(Vec<f64>, Forecast)]) -> Table {
    columns.extend(interval_columns(forecasts.first().map_or(0.9, |(_, forecast)| forecast.level)));
    columns.extend(
        ["noise", "constants", "formula"]
            .map(|part| Column::seconds(format!("± {part}")).key(format!("{part}_standard_deviation_s"))),
    );
    let mut table = Table::new(columns).named("predictions");
    for (point, forecast) in forecasts {
        let mut cells: Vec<Cell> = point.iter().map(|value| Cell::from(*value)).collect();
        cells.extend(interval_cells(forecast));
        cells.extend(
            [forecast.noise_s, forecast.constants_s, forecast.formula_s]
                .map(|deviation| Cell::number_or(deviation, "unknown")),
        );
        table.row(cells);
    }
    table
}

/// Columns of a predicted time and its interval.
pub fn interval_columns(level: f64) -> [Column; 3] {
    let percent = number::significant(100.0 * level, 4);
    [
        Column::seconds("predicted"),
        Column::seconds(format!("{percent} % from")).key("lower_s"),
        Column::seconds("to").key("upper_s"),
    ]
}

/// A predicted time and its interval.
pub fn interval_cells(forecast: &Forecast) -> [Cell; 3] {
    [forecast.prediction.time_s, forecast.lower_s, forecast.upper_s].map(Cell::from)
}

/// What each term contributes, with the value of its constant that holds there.
fn terms(experiment: &str, forecast: &Forecast) -> Table {
    let mut columns = vec![
        Column::left("term"),
        Column::seconds("time"),
        Column::percent("share"),
        Column::significant("constant (s)", 6).key("constant_s"),
    ];
    let ranges = forecast.constants.first().map_or(&[][..], |segment| &segment.ranges);
    columns.extend(ranges.iter().map(|range| Column::code(format!("{} in", range.variable))));
    let mut table = Table::new(columns).named("terms");
    for (share, segment) in forecast.prediction.shares.iter().zip(&forecast.constants) {
        let mut cells = vec![
            Cell::from(format!("{experiment}[{}]", share.coefficient.0)),
            share.time_s.into(),
            (100.0 * share.time_s / forecast.prediction.time_s).into(),
            segment.value.into(),
        ];
        cells.extend(segment.ranges.iter().map(|range| Cell::from(interval(range))));
        table.row(cells);
    }
    table
}

/// Values of a variable that leave the samples.
struct Outside<'a> {
    farthest: &'a Beyond,
    values: Vec<String>,
}

/// Tells values of a variable that leave the samples, which are at most as far out as this one.
pub fn outside_text(farthest: &Beyond, values: &str) -> String {
    let Beyond { variable, value, lowest, highest } = farthest;
    let factor = number::significant(farthest.factor(), 3);
    // Beside values of 0 and less the factor is none of values.
    let is_factor = value.min(*highest) > 0.0 && farthest.factor() >= 1.005;
    let how = if is_factor { format!("extrapolates {factor} times") } else { "lies outside".to_owned() };
    let (lowest, highest) = (number::short(*lowest), number::short(*highest));
    format!("{variable} = {values} {how}: the samples have {lowest} to {highest}")
}

/// One warning for each variable that leaves the samples, and one for negative times.
pub fn warnings<'a>(forecasts: impl Iterator<Item = &'a Forecast> + Clone) -> Vec<String> {
    let mut outside: Vec<Outside> = Vec::new();
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    for beyond in forecasts.clone().flat_map(|forecast| &forecast.prediction.beyond) {
        let value = number::short(beyond.value);
        let is_new = seen.insert((&beyond.variable, value.clone()));
        match outside.iter_mut().find(|known| known.farthest.variable == beyond.variable) {
            Some(known) => {
                if beyond.factor() > known.farthest.factor() {
                    known.farthest = beyond;
                }
                if is_new {
                    known.values.push(value);
                }
            }
            None => outside.push(Outside { farthest: beyond, values: vec![value] }),
        }
    }
    let texts = outside.iter().map(|one| outside_text(one.farthest, &listed(&one.values)));
    let mut warnings: Vec<String> = texts.collect();
    if forecasts.clone().any(|forecast| forecast.prediction.time_s < 0.0) {
        warnings.push(
            "a predicted time is negative: the formula or the samples do not reach this far".to_owned(),
        );
    }
    warnings
}
