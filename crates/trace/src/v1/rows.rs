use std::collections::HashMap;

use super::TraceBody;
use super::declaration::Declaration;
use super::header::FileHead;
use crate::collection::{Collection, Rounds};
use crate::lines::{WindowLines, excerpt};
use crate::{Condensation, Error, Experiment, Limits, Summaries, field, number};

/// Rows while they are read.
#[derive(Debug)]
pub(super) struct RowsReader {
    head: FileHead,
    tables: Vec<TextTable>,
    table_of_name: HashMap<Vec<u8>, usize>,
    /// The experiment of the last row.
    current: usize,
    rows: u64,
    /// `None` where the rows are summaries.
    rounds: Option<Rounds>,
}

impl RowsReader {
    pub(super) fn new(head: FileHead, limits: Limits) -> RowsReader {
        let are_summaries = head.header.summaries.is_some();
        let has_executions = head.has_executions();
        let counts_executions = head.header.budget.is_some();
        let (variables, counters) = (head.columns.variable_columns(), head.columns.counter_columns());
        let table = |its| TextTable {
            has_executions,
            counts_executions,
            ..TextTable::new(its, &variables, &counters, are_summaries)
        };
        let tables = head.experiments.iter().map(table).collect();
        let names = head.experiments.iter().enumerate();
        let table_of_name = names.map(|(index, its)| (its.raw_name.clone(), index)).collect();
        let rounds = (!are_summaries).then(|| Rounds::new(limits, head.experiments.len()));
        RowsReader { head, tables, table_of_name, current: 0, rows: 0, rounds }
    }

    /// Reads the whole rows up to a line that starts with `#`; returns whether that was met.
    pub(super) fn read(&mut self, lines: &mut WindowLines) -> Result<bool, Error> {
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

    pub(super) fn finish(self) -> TraceBody {
        let tables = self.tables.into_iter().zip(&self.head.experiments);
        let (experiments, condensations) = tables.map(|(table, its)| table.finish(its)).unzip();
        TraceBody { head: self.head, experiments, condensations, rows: self.rows }
    }
}

#[cold]
fn unknown(lines: &WindowLines, head: &FileHead, name: &[u8]) -> Error {
    let line = lines.number() + 1;
    if name.is_empty() {
        Error::ColumnCount { line, expected: head.columns.names.len(), found: 0 }
    } else {
        Error::UnknownExperiment { line, experiment: excerpt(name) }
    }
}

#[cold]
fn explain(lines: &WindowLines, head: &FileHead, experiment: usize, problem: RowProblem) -> Error {
    let line = lines.number() + 1;
    let row = lines.rest().split(|byte| *byte == b'\n').next().unwrap_or_default();
    let (expected, found) = (head.columns.names.len(), field::all(row).count());
    let text = |at: usize| excerpt(field::first(&row[at..]));
    let column = |column: usize| head.columns.names[column].clone();
    // With a wrong number of columns nothing is where it should be.
    match problem {
        _ if expected != found => Error::ColumnCount { line, expected, found },
        RowProblem::ColumnCount => Error::ColumnCount { line, expected, found },
        RowProblem::Processor(its) => {
            Error::Processor { line, processors: head.processor_limit(), text: text(its.at) }
        }
        RowProblem::Number(its) => Error::Number { line, column: column(its.column), text: text(its.at) },
        RowProblem::ForeignValue(its) => Error::ForeignValue {
            line,
            experiment: head.experiments[experiment].name.clone(),
            column: column(its.column),
            text: text(its.at),
        },
        RowProblem::Time(its) => Error::Time { line, text: text(its.at) },
        RowProblem::Count(its) => Error::Count { line, text: text(its.at) },
    }
}

/// The samples of one experiment while rows are read.
#[derive(Debug)]
pub(super) struct TextTable {
    name: Vec<u8>,
    variables: Targets,
    counters: Targets,
    pub(super) collection: Collection,
    has_executions: bool,
    /// Whether the counts of summaries are those of executions, of which not all were measured.
    counts_executions: bool,
    summary: Option<SummaryColumns>,
}

/// Columns of rows, and where their values belong.
#[derive(Debug)]
struct Targets {
    /// The number of the columns.
    columns: usize,
    /// Columns that the experiment has, ascending, and the column of the samples for each.
    own: Vec<(usize, usize)>,
}

impl Targets {
    /// Of the columns in `position_of` for samples with columns of these names.
    fn new(position_of: &HashMap<&str, usize>, names: &[String]) -> Targets {
        let positions = names.iter().enumerate();
        let mut own: Vec<(usize, usize)> =
            positions.filter_map(|(target, name)| Some((*position_of.get(name.as_str())?, target))).collect();
        own.sort_unstable();
        Targets { columns: position_of.len(), own }
    }
}

/// The columns behind `time_s` where rows are summaries or samples kept beside them.
#[derive(Debug, Default)]
struct SummaryColumns {
    count: Vec<u64>,
    /// `sum_s`, `sum_squares_s2`, `min_s`, `max_s`.
    measures: [Vec<f64>; 4],
}

/// What is wrong with a row.
pub(super) enum RowProblem {
    /// The line ends before or after its last column.
    ColumnCount,
    Processor(RowField),
    Number(RowField),
    /// A value in a column that the experiment does not have.
    ForeignValue(RowField),
    Time(RowField),
    Count(RowField),
}

/// A field of a row: the number of its column and where it starts.
pub(super) struct RowField {
    pub(super) column: usize,
    pub(super) at: usize,
}

impl TextTable {
    /// Positions are those of the columns of variables and of counters.
    pub(super) fn new(
        declaration: &Declaration,
        variables: &HashMap<&str, usize>,
        counters: &HashMap<&str, usize>,
        are_summaries: bool,
    ) -> TextTable {
        TextTable {
            name: declaration.raw_name.clone(),
            variables: Targets::new(variables, &declaration.columns()),
            counters: Targets::new(counters, &declaration.counters),
            collection: Collection::new(declaration.samples()),
            has_executions: false,
            counts_executions: false,
            summary: are_summaries.then(SummaryColumns::default),
        }
    }

    /// Whether a row that starts here is one of this experiment.
    #[inline]
    pub(super) fn owns(&self, row: &[u8]) -> bool {
        row.starts_with(&self.name) && field::ends_at(row, self.name.len())
    }

    /// Reads the row at the start of `rest`, whose name ends at `at`, and returns its length with the line feed.
    #[inline]
    pub(super) fn push(&mut self, rest: &[u8], at: usize, processors: u32) -> Result<usize, RowProblem> {
        let mut fields = Fields { rest, column: 0, end: at };
        let (field, processor) = fields.read(number::natural)?;
        let samples = &mut self.collection.samples;
        let processor = processor.filter(|number| *number < processors);
        samples.processor.push(processor.ok_or(RowProblem::Processor(field))?);
        fields.values(&self.variables, &mut samples.columns)?;
        fields.values(&self.counters, &mut samples.counters)?;
        samples.time_s.push(fields.measure()?);
        if self.has_executions {
            let (field, count) = fields.read(number::natural)?;
            samples.count.push(count.filter(|count| *count > 0).ok_or(RowProblem::Count(field))?);
        }
        if let Some(summary) = &mut self.summary {
            let (field, count) = fields.read(number::natural)?;
            summary.count.push(count.ok_or(RowProblem::Count(field))?);
            for column in &mut summary.measures {
                column.push(fields.measure()?);
            }
        }
        let end = fields.end + field::blanks(&rest[fields.end..]);
        if rest.get(end) == Some(&b'\n') { Ok(end + 1) } else { Err(RowProblem::ColumnCount) }
    }

    pub(super) fn finish(self, declaration: &Declaration) -> (Experiment, Option<Condensation>) {
        let (mut experiment, condensation) = declaration.experiment(self.collection);
        if let Some(SummaryColumns { count, measures }) = self.summary {
            let (summaries, kept): (Vec<usize>, Vec<usize>) =
                (0..count.len()).partition(|index| count[*index] > 0);
            let chosen = |column: &Vec<f64>| summaries.iter().map(|index| column[*index]).collect();
            let [sum_s, mut sum_squares_s2, min_s, max_s]: [Vec<f64>; 4] = measures.each_ref().map(chosen);
            if self.counts_executions {
                sum_squares_s2.fill(f64::NAN);
            }
            let mut points = experiment.samples.pick(&summaries);
            points.count = summaries.iter().map(|index| count[*index]).collect();
            experiment.summaries = Summaries { points, sum_s, sum_squares_s2, min_s, max_s };
            experiment.samples = experiment.samples.pick(&kept);
        }
        (experiment, condensation)
    }
}

/// The fields of a row from left to right.
struct Fields<'a> {
    rest: &'a [u8],
    /// The column of the last field, and where that ends.
    column: usize,
    end: usize,
}

impl Fields<'_> {
    #[inline]
    fn read<T>(
        &mut self,
        read: impl Fn(&[u8]) -> (Option<T>, usize),
    ) -> Result<(RowField, Option<T>), RowProblem> {
        let at = self.end + field::blanks(&self.rest[self.end..]);
        if matches!(self.rest.get(at), None | Some(b'\n')) {
            return Err(RowProblem::ColumnCount);
        }
        let (value, length) = read(&self.rest[at..]);
        self.end = at + length;
        self.column += 1;
        Ok((RowField { column: self.column, at }, value))
    }

    #[inline]
    fn real(&mut self) -> Result<(RowField, f64), RowProblem> {
        let (field, value) = self.read(number::real)?;
        match value {
            Some(value) => Ok((field, value)),
            None => Err(RowProblem::Number(field)),
        }
    }

    #[inline]
    fn values(&mut self, targets: &Targets, columns: &mut [Vec<f64>]) -> Result<(), RowProblem> {
        let mut own = targets.own.iter();
        let mut next = own.next();
        for column in 0..targets.columns {
            let (field, value) = self.real()?;
            match next {
                Some((position, target)) if *position == column => {
                    columns[*target].push(value);
                    next = own.next();
                }
                _ if value.is_nan() => {}
                _ => return Err(RowProblem::ForeignValue(field)),
            }
        }
        Ok(())
    }

    /// A time or what is made of times.
    #[inline]
    fn measure(&mut self) -> Result<f64, RowProblem> {
        let (field, value) = self.real()?;
        if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(RowProblem::Time(field)) }
    }
}
