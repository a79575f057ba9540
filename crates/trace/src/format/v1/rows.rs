use std::collections::HashMap;

use super::Body;
use super::header::Head;
use super::row::{Problem, Table};
use crate::lines::{Lines, excerpt};
use crate::{Error, field};

/// Reads the rows, up to a line that starts with `#`.
pub(super) fn read(lines: &mut Lines, head: &Head) -> Result<Body, Error> {
    let mut tables: Vec<Table> = head.experiments.iter().map(|its| Table::new(its, head)).collect();
    let names = head.experiments.iter().enumerate();
    let table_of_name: HashMap<&[u8], usize> = names.map(|(index, its)| (its.raw_name, index)).collect();
    let processors = head.processor_limit();
    // Bytes behind the last line feed are no line, so every row that is read ends with one: a number that was cut may look
    // like a whole one.
    let whole = lines.rest().iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let open = lines.rest().len() - whole;
    let (mut current, mut rows) = (0, 0);
    while lines.rest().len() > open && lines.rest()[0] != b'#' {
        let rest = lines.rest();
        let start = field::blanks(rest);
        let row = &rest[start..];
        if !tables.get(current).is_some_and(|table| table.owns(row)) {
            let name = field::first(row);
            current = *table_of_name.get(name).ok_or_else(|| unknown(lines, head, name))?;
        }
        let name_end = start + head.experiments[current].raw_name.len();
        match tables[current].push(rest, name_end, processors) {
            Ok(length) => lines.skip(length),
            Err(problem) => return Err(explain(lines, head, current, problem)),
        }
        rows += 1;
    }
    let experiments =
        tables.into_iter().zip(&head.experiments).map(|(table, its)| table.finish(its)).collect();
    Ok(Body { experiments, rows, is_cut: lines.rest().len() <= open })
}

#[cold]
fn unknown(lines: &Lines, head: &Head, name: &[u8]) -> Error {
    let line = lines.number() + 1;
    if name.is_empty() {
        Error::ColumnCount { line, expected: head.columns.names.len(), found: 0 }
    } else {
        Error::UnknownExperiment { line, experiment: excerpt(name) }
    }
}

#[cold]
fn explain(lines: &Lines, head: &Head, experiment: usize, problem: Problem) -> Error {
    let line = lines.number() + 1;
    let row = lines.rest().split(|byte| *byte == b'\n').next().unwrap_or_default();
    let (expected, found) = (head.columns.names.len(), field::all(row).count());
    let text = |at: usize| excerpt(field::first(&row[at..]));
    let column = |column: usize| head.columns.names[column].clone();
    // With a wrong number of columns nothing is where it should be.
    match problem {
        _ if expected != found => Error::ColumnCount { line, expected, found },
        Problem::ColumnCount => Error::ColumnCount { line, expected, found },
        Problem::Processor(its) => {
            Error::Processor { line, processors: head.processor_limit(), text: text(its.at) }
        }
        Problem::Number(its) => Error::Number { line, column: column(its.column), text: text(its.at) },
        Problem::ForeignValue(its) => Error::ForeignValue {
            line,
            experiment: head.experiments[experiment].name.clone(),
            column: column(its.column),
            text: text(its.at),
        },
        Problem::Time(its) => Error::Time { line, text: text(its.at) },
        Problem::Count(its) => Error::Count { line, text: text(its.at) },
    }
}
