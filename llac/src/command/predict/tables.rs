//! What is shown of predictions for other machines.

use std::collections::BTreeSet;

use call_machine::Machine;
use call_report::{Cell, Column, Table};

use super::carry::{Carried, Fate, Question};
use super::{interval_cells, interval_columns};
use crate::command::points::{PROCESSORS, column, variables};
use crate::machines::UsedTables;

pub fn predictions(question: &Question, rows: &[Carried], level: f64) -> Table {
    let names = variables(question.model);
    let has_processors = names.contains(&PROCESSORS);
    let mut columns = vec![Column::code("machine")];
    columns.extend((!has_processors).then(|| Column::right(PROCESSORS)));
    columns.extend(
        names.into_iter().map(|name| column(name, question.given.iter().any(|one| one.name == name))),
    );
    columns.extend(interval_columns(level));
    columns.push(Column::seconds("here"));
    let mut table = Table::new(columns).named("predictions");
    for row in rows {
        let mut cells = vec![Cell::from(row.machine.name.as_str())];
        cells.extend((!has_processors).then(|| Cell::from(row.processors)));
        cells.extend(row.point.iter().map(|value| Cell::from(*value)));
        cells.extend(interval_cells(&row.there));
        cells.push(row.here.prediction.time_s.into());
        table.row(cells);
    }
    table
}

/// What became of each constant, each fate once.
pub fn constants(rows: &[Carried]) -> Table {
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
        for constant in &row.constants {
            let factor = constant.factor.map_or(Cell::Missing(""), Cell::from);
            let key = (
                &row.machine.name,
                row.processors.to_bits(),
                &constant.name,
                &constant.by,
                &constant.entries,
            );
            if !seen.insert(key) {
                continue;
            }
            let fate = match constant.fate {
                Fate::Measured => "measured",
                Fate::Scaled => "scaled",
                Fate::Assumed(_) => "assumed",
            };
            table.row([
                Cell::from(row.machine.name.as_str()),
                row.processors.into(),
                constant.name.as_str().into(),
                fate.into(),
                constant.by.as_str().into(),
                constant.entries[0].as_str().into(),
                constant.entries[1].as_str().into(),
                factor,
            ]);
        }
    }
    table
}

/// A warning for each term that takes as long as here for want of a number.
pub fn assumed(rows: &[Carried]) -> Vec<String> {
    let mut warnings: Vec<String> = Vec::new();
    for row in rows {
        for constant in &row.constants {
            if let Fate::Assumed(lacking) = &constant.fate {
                let warning = format!(
                    "{} is assumed to be on {} what it is here: {lacking}",
                    constant.name, row.machine.name
                );
                if !warnings.contains(&warning) {
                    warnings.push(warning);
                }
            }
        }
    }
    warnings
}

/// A warning for each machine whose table does not reach the numbers of processors, or says nothing.
pub fn beyond(rows: &[Carried], here: &Machine) -> Vec<String> {
    let mut used = UsedTables::default();
    for row in rows {
        used.add(here, row.processors);
        used.add(&row.machine, row.processors);
    }
    used.warnings()
}
