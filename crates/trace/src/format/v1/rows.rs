use std::collections::HashMap;

use super::Body;
use super::header::Head;
use super::row::{Problem, Table};
use crate::collection::Rounds;
use crate::lines::{Lines, excerpt};
use crate::{Error, Limits, field};

/// Rows while they are read.
#[derive(Debug)]
pub(super) struct Reader {
    head: Head,
    tables: Vec<Table>,
    table_of_name: HashMap<Vec<u8>, usize>,
    /// The experiment of the last row.
    current: usize,
    rows: u64,
    /// `None` where the rows are summaries.
    rounds: Option<Rounds>,
}

impl Reader {
    pub(super) fn new(head: Head, limits: Limits) -> Reader {
        let are_summaries = head.header.summaries.is_some();
        let (variables, counters) = (head.columns.variable_columns(), head.columns.counter_columns());
        let table = |its| Table::new(its, &variables, &counters, are_summaries);
        let tables = head.experiments.iter().map(table).collect();
        let names = head.experiments.iter().enumerate();
        let table_of_name = names.map(|(index, its)| (its.raw_name.clone(), index)).collect();
        let rounds = (!are_summaries).then(|| Rounds::new(limits, head.experiments.len()));
        Reader { head, tables, table_of_name, current: 0, rows: 0, rounds }
    }

    /// Reads the whole rows up to a line that starts with `#`; returns whether that was met.
    pub(super) fn read(&mut self, lines: &mut Lines) -> Result<bool, Error> {
        let processors = self.head.processor_limit();
        // Bytes behind the last line feed are no line, so every row that is read ends with one: a number that was cut may
        // look like a whole one.
        let whole = lines.rest().iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let open = lines.rest().len() - whole;
        while lines.rest().len() > open {
            let rest = lines.rest();
            if rest[0] == b'#' {
                return Ok(true);
            }
            let start = field::blanks(rest);
            let row = &rest[start..];
            if !self.tables.get(self.current).is_some_and(|table| table.owns(row)) {
                let name = field::first(row);
                let known = self.table_of_name.get(name);
                self.current = *known.ok_or_else(|| unknown(lines, &self.head, name))?;
            }
            let name_end = start + self.head.experiments[self.current].raw_name.len();
            match self.tables[self.current].push(rest, name_end, processors) {
                Ok(length) => lines.skip(length),
                Err(problem) => return Err(explain(lines, &self.head, self.current, problem)),
            }
            self.rows += 1;
            if let Some(rounds) = &mut self.rounds
                && rounds.count(1)
            {
                rounds.look(&mut self.tables, |table| &mut table.collection);
            }
        }
        Ok(false)
    }

    pub(super) fn finish(self) -> Body {
        let tables = self.tables.into_iter().zip(&self.head.experiments);
        let (experiments, condensations) = tables.map(|(table, its)| table.finish(its)).unzip();
        Body { head: self.head, experiments, condensations, rows: self.rows }
    }
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
