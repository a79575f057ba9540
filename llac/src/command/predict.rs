use std::collections::BTreeSet;

use call_machine::{CarriedConstant, MachineEntry, TableLookup, Transferred};
use call_model::Forecast;
use call_report::{Column, Table, TableCell, number};

use super::constants_view::interval;
use super::forecast_view::{
    Intervals, common_name, headline, subject_cells, subject_columns, variable_column,
};
use super::nesting::Nesting;
use super::question::{ForecastRow, Question, SubjectCount};
use super::subject::{Subject, SubjectKind};
use super::{Command, CommandArguments, program, units};
use crate::{CommandOutcome, Error, Markup, Session};
use call_model::PROCESSORS;

pub const PREDICT: Command = Command {
    name: "predict",
    usage: "predict [EXPERIMENT… | PROGRAM | all | replay] VARIABLE=VALUE… [on MACHINE… [scale CONSTANT=RESOURCE… | misses=SET…]]",
    summary: "predict times",
    details: "Every variable of the formula needs a value. `N=1024,4096` and `P=1:32:2` (1, 2, 4, … 32) give a table. \
        Intervals hold `set level` percent of single measurements: they include noise, the uncertainty of the \
        constants and, beyond the samples, that of the formula. A single prediction also shows what each term \
        contributes, with the interval of its constant. Several experiments, or `all`, are ranked by their times at a \
        point, with their shares (of one execution each, and of the sum of those that run inside no other one) and how they grow. `on MACHINE` (several: `on A,B`) carries the prediction from \
        the machine of the samples (`machine use`) to another one. Variables g (s/byte) and L (s) of the formula take that \
        machine's values, and the constants of their terms are kept. Terms without them are computation and grow as \
        1/s does, or as a resource that `scale` names: `scale f[1]=memory f[3]=g`. Resources are s, g, L, memory (its last \
        level), memory(8*N) (the level that holds so many bytes), and operations and levels by name: `f[1]=\"f64 add\"`. \
        `misses=SET` (several: `misses=A,B`) carries constants by what their statements do and what the caches of both machines \
        miss, from traces of `call run --misses`. What a machine lacks is told, and that term assumed to take as long as here. Words with `=` may stand anywhere. \
        A PROGRAM is evaluated by OBSP* for its variables and P; \
        `g=1e-9 L=2e-6` (seconds a byte, seconds) are the costs of communication without `costs`, `relation=max` counts the \
        larger of bytes in and out instead of their sum. `predict replay g=1e-9 E=2` is the time of the recorded run with \
        another g and experiment E twice as fast.",
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut question = Question::of(session, arguments, SubjectCount::Any)?;
    question.nothing_left()?;
    let mut rows = question.forecasts(session.level())?;
    let mut markup = Markup::new();
    if let [row] = &rows[..] {
        headline(&mut markup, row);
    }
    let nesting = super::ranking::is_ranking(&question, &rows).then(|| Nesting::of(&rows));
    markup.table(match &nesting {
        Some(nesting) => super::ranking::table(&question, &rows, nesting),
        None => table(&question, &rows, session.level()),
    });
    if let [row] = &mut rows[..] {
        details(&mut markup, row);
    }
    if rows.iter().any(|row| matches!(row.subject.kind, SubjectKind::Carried(_))) {
        markup.table(constants(&rows).about(common_name(&question.subjects)));
    }
    let mut outcome = CommandOutcome::of(markup);
    if let Some(nesting) = nesting {
        outcome.notes.extend(super::ranking::executions(session, &rows));
        outcome.notes.extend(nesting.notes());
    }
    question.tell(&mut outcome, rows.iter().map(|row| &row.forecast));
    Ok(outcome)
}

/// A standard deviation of a forecast.
type Deviation = fn(&Forecast) -> f64;

/// A row for each forecast. Columns in which nothing is known are left out.
fn table(question: &Question, rows: &[ForecastRow], level: f64) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for name in question.subjects.iter().flat_map(|subject| subject.predictor().variables()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let value = |row: &ForecastRow, name: &str| {
        let position = row.subject.predictor().variables().iter().position(|known| known == name);
        position.and_then(|position| row.point.get(position)).copied().filter(|value| !value.is_nan())
    };
    names.retain(|name| rows.iter().any(|row| value(row, name).is_some()));
    let parts: [(&str, Deviation); 3] = [
        ("noise", |forecast| forecast.noise_s),
        ("constants", |forecast| forecast.constants_s),
        ("formula", |forecast| forecast.formula_s),
    ];
    let is_carried = rows.iter().any(|row| matches!(row.subject.kind, SubjectKind::Carried(_)));
    let is_known =
        |of: &fn(&Forecast) -> f64| !is_carried && rows.iter().any(|row| !of(&row.forecast).is_nan());
    let parts: Vec<_> = parts.into_iter().filter(|(_, of)| is_known(of)).collect();
    let intervals = Intervals::of(level, question.unit(), rows.iter().map(|row| &row.forecast));
    let is_program = rows.iter().any(|row| matches!(row.subject.kind, SubjectKind::Program(_)));
    let unit = question.unit();
    let mut columns = subject_columns(&question.subjects);
    columns.extend(names.iter().map(|name| variable_column(name, question.is_given(name))));
    columns.extend(intervals.columns());
    columns.extend(parts.iter().map(|(part, _)| {
        units::column(format!("± {part}"), &unit)
            .key(units::key(&format!("{part}_standard_deviation"), &unit))
    }));
    columns.extend(is_carried.then(|| Column::seconds("here")));
    columns.extend(is_program.then(|| Column::seconds("plain BSP").key("plain_bsp_s")));
    let mut table = Table::new(columns).named("predictions").about(common_name(&question.subjects));
    for row in rows {
        let mut cells = subject_cells(&question.subjects, row.subject);
        cells.extend(
            names.iter().map(|name| value(row, name).map_or(TableCell::Missing(""), TableCell::from)),
        );
        cells.extend(intervals.cells(&row.forecast));
        cells.extend(parts.iter().map(|(_, of)| TableCell::number_or(of(&row.forecast), "unknown")));
        for (is_shown, is_its) in [
            (is_carried, matches!(row.subject.kind, SubjectKind::Carried(_))),
            (is_program, matches!(row.subject.kind, SubjectKind::Program(_))),
        ] {
            let beside = row.beside_s.filter(|_| is_its).map_or(TableCell::Missing(""), TableCell::from);
            cells.extend(is_shown.then_some(beside));
        }
        table.row(cells);
    }
    table
}

/// What a single prediction consists of.
fn details(markup: &mut Markup, row: &mut ForecastRow) {
    match &row.subject.kind {
        SubjectKind::Fitted(_) => markup.table(terms(row.subject, &row.forecast)),
        SubjectKind::Program(model) => {
            if let Some(evaluated) = &mut row.evaluated {
                program::details(markup, model.file().program(), evaluated);
            }
        }
        SubjectKind::Carried(_)
        | SubjectKind::Averaged(_)
        | SubjectKind::Replayed(_)
        | SubjectKind::Unfitted(_) => {}
    }
}

/// What each term contributes, with the value of its constant that holds there.
fn terms(subject: &Subject, forecast: &Forecast) -> Table {
    let experiment = subject.predictor().formula().map_or("", |formula| formula.experiment());
    let unit = subject.predictor().unit();
    let mut columns = vec![
        Column::left("term"),
        units::column(units::noun(unit), unit),
        Column::percent("share"),
        units::constant_column("constant", unit),
    ];
    let ranges = forecast.constants.first().map_or(&[][..], |segment| &segment.ranges);
    columns.extend(ranges.iter().map(|range| Column::code(format!("{} in", range.variable))));
    let mut table = Table::new(columns).named("terms").about(subject.predictor().name());
    for (share, segment) in forecast.prediction.shares.iter().zip(&forecast.constants) {
        let mut cells = vec![
            TableCell::from(format!("{experiment}[{}]", share.coefficient.0)),
            share.time_s.into(),
            (100.0 * share.time_s / forecast.prediction.time_s).into(),
            segment.value.into(),
        ];
        cells.extend(segment.ranges.iter().map(|range| TableCell::from(interval(range))));
        table.row(cells);
    }
    table
}

/// What became of each constant on other machines, each outcome once.
fn constants(rows: &[ForecastRow]) -> Table {
    let mut table = Table::new([
        Column::code("machine"),
        Column::right(PROCESSORS),
        Column::code("constant"),
        Column::code("is"),
        Column::code("by"),
        Column::code("here"),
        Column::code("there"),
        Column::significant("factor", 4),
    ])
    .named("constants");
    let mut seen = BTreeSet::new();
    for row in rows {
        let SubjectKind::Carried(carried) = &row.subject.kind else { continue };
        let processors = carried.processors(&row.point);
        for constant in carried.constants(&row.point) {
            let CarriedConstant { name, transferred, by, entries, factor, .. } = constant;
            let entries = entries.map(|entry| entry.as_ref().map_or(String::new(), short));
            let machine = carried.there().name.clone();
            if !seen.insert((
                machine.clone(),
                processors.to_bits(),
                name.clone(),
                by.clone(),
                entries.clone(),
                factor.map(f64::to_bits),
            )) {
                continue;
            }
            let transferred = match transferred {
                Transferred::Measured => "measured",
                Transferred::Scaled => "scaled",
                Transferred::Assumed(_) => "assumed",
            };
            let [here, there] = entries;
            table.row([
                TableCell::from(machine),
                processors.into(),
                name.into(),
                transferred.into(),
                by.into(),
                here.into(),
                there.into(),
                factor.map_or(TableCell::Missing(""), TableCell::from),
            ]);
        }
    }
    table
}

/// Where a number of a machine stands, in few characters.
fn short(entry: &MachineEntry) -> String {
    match entry {
        MachineEntry::Bsp { processors, how: TableLookup::Measured } => {
            format!("P = {}", number::exact(*processors))
        }
        MachineEntry::Bsp { how: TableLookup::Interpolated { between: (lower, upper) }, .. } => {
            format!("P = {lower} to {upper}")
        }
        MachineEntry::Bsp { how: TableLookup::Extrapolated { from }, .. } => format!("P = {from}, nearest"),
        MachineEntry::Operation(name) | MachineEntry::Memory(name) | MachineEntry::Statements(name) => {
            name.clone()
        }
    }
}
