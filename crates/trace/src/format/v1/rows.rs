use std::collections::HashMap;

use super::header::Head;
use super::row::{Problem, Table};
use super::supersteps;
use crate::lines::{Lines, excerpt};
use crate::{Error, Experiment, ProcessorSupersteps, field};

/// Reads the rows, the sections of supersteps and the last line.
pub(super) fn read(
    lines: &mut Lines,
    head: &Head,
) -> Result<(Vec<Experiment>, Vec<ProcessorSupersteps>), Error> {
    let mut tables: Vec<Table> = head.experiments.iter().map(|its| Table::new(its, &head.columns)).collect();
    let names = head.experiments.iter().enumerate();
    let table_of_name: HashMap<&[u8], usize> = names.map(|(index, its)| (its.raw_name, index)).collect();
    // Bytes behind the last line feed are no line, so every row that is read ends with one.
    let whole = lines.rest().iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    let open = lines.rest().len() - whole;
    let (mut current, mut rows) = (0, 0);
    while lines.rest().len() > open {
        let rest = lines.rest();
        if rest[0] == b'#' {
            let supersteps = supersteps::read(lines, rows)?;
            if lines.rest().len() <= open {
                break;
            }
            read_end(lines, rows)?;
            let experiments = tables.into_iter().zip(&head.experiments);
            return Ok((experiments.map(|(table, its)| table.finish(its)).collect(), supersteps));
        }
        let start = field::blanks(rest);
        let row = &rest[start..];
        if !tables.get(current).is_some_and(|table| table.owns(row)) {
            let name = field::first(row);
            current = *table_of_name.get(name).ok_or_else(|| unknown(lines, head, name))?;
        }
        let name_end = start + head.experiments[current].raw_name.len();
        match tables[current].push(rest, name_end, head.header.processors) {
            Ok(length) => lines.skip(length),
            Err(problem) => return Err(explain(lines, head, current, &problem)),
        }
        rows += 1;
    }
    Err(Error::Cut { announced: None, rows })
}

/// Reads `# end rows=N`, behind which there must be nothing.
fn read_end(lines: &mut Lines, rows: u64) -> Result<(), Error> {
    let text = lines.next().unwrap_or_default();
    let line = lines.number();
    let announced = text.strip_prefix(b"# end rows=").filter(|count| count.iter().all(u8::is_ascii_digit));
    let announced = announced.and_then(|count| std::str::from_utf8(count).ok()?.parse().ok());
    match announced {
        None => Err(Error::AmongRows { line, text: excerpt(text) }),
        Some(announced) if announced != rows => Err(Error::Cut { announced: Some(announced), rows }),
        Some(_) if !lines.rest().is_empty() => Err(Error::AfterEnd { line: line + 1 }),
        Some(_) => Ok(()),
    }
}

#[cold]
fn unknown(lines: &Lines, head: &Head, name: &[u8]) -> Error {
    let line = lines.number() + 1;
    if name.is_empty() {
        Error::ColumnCount { line, expected: head.columns.len() + 3, found: 0 }
    } else {
        Error::UnknownExperiment { line, experiment: excerpt(name) }
    }
}

#[cold]
fn explain(lines: &Lines, head: &Head, experiment: usize, problem: &Problem) -> Error {
    let line = lines.number() + 1;
    let row = lines.rest().split(|byte| *byte == b'\n').next().unwrap_or_default();
    let (expected, found) = (head.columns.len() + 3, field::all(row).count());
    let text = |at: &usize| excerpt(field::first(&row[*at..]));
    let column = |column: &usize| head.columns[*column].clone();
    // With a wrong number of columns nothing is where it should be.
    match problem {
        _ if expected != found => Error::ColumnCount { line, expected, found },
        Problem::ColumnCount => Error::ColumnCount { line, expected, found },
        Problem::Processor(at) => {
            Error::Processor { line, processors: head.header.processors, text: text(at) }
        }
        Problem::Number(index, at) => Error::Number { line, column: column(index), text: text(at) },
        Problem::ForeignValue(index, at) => Error::ForeignValue {
            line,
            experiment: head.experiments[experiment].name.clone(),
            column: column(index),
            text: text(at),
        },
        Problem::TimeNumber(at) => Error::Number { line, column: "time_s".to_owned(), text: text(at) },
        Problem::Time(at) => Error::Time { line, text: text(at) },
    }
}
