use std::collections::HashMap;

use super::experiment::Declaration;
use crate::collection::Collection;
use crate::{Condensation, Experiment, Summaries, field, number};

/// The samples of one experiment while rows are read.
#[derive(Debug)]
pub(super) struct Table {
    name: Vec<u8>,
    variables: Targets,
    counters: Targets,
    pub(super) collection: Collection,
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
pub(super) enum Problem {
    /// The line ends before or after its last column.
    ColumnCount,
    Processor(Field),
    Number(Field),
    /// A value in a column that the experiment does not have.
    ForeignValue(Field),
    Time(Field),
    Count(Field),
}

/// A field of a row: the number of its column and where it starts.
pub(super) struct Field {
    pub(super) column: usize,
    pub(super) at: usize,
}

impl Table {
    /// Positions are those of the columns of variables and of counters.
    pub(super) fn new(
        declaration: &Declaration,
        variables: &HashMap<&str, usize>,
        counters: &HashMap<&str, usize>,
        are_summaries: bool,
    ) -> Table {
        Table {
            name: declaration.raw_name.clone(),
            variables: Targets::new(variables, &declaration.columns()),
            counters: Targets::new(counters, &declaration.counters),
            collection: Collection::new(declaration.samples()),
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
    pub(super) fn push(&mut self, rest: &[u8], at: usize, processors: u32) -> Result<usize, Problem> {
        let mut fields = Fields { rest, column: 0, end: at };
        let (field, processor) = fields.read(number::natural)?;
        let samples = &mut self.collection.samples;
        let processor = processor.filter(|number| *number < processors);
        samples.processor.push(processor.ok_or(Problem::Processor(field))?);
        fields.values(&self.variables, &mut samples.columns)?;
        fields.values(&self.counters, &mut samples.counters)?;
        samples.time_s.push(fields.measure()?);
        if let Some(summary) = &mut self.summary {
            let (field, count) = fields.read(number::natural)?;
            summary.count.push(count.ok_or(Problem::Count(field))?);
            for column in &mut summary.measures {
                column.push(fields.measure()?);
            }
        }
        let end = fields.end + field::blanks(&rest[fields.end..]);
        if rest.get(end) == Some(&b'\n') { Ok(end + 1) } else { Err(Problem::ColumnCount) }
    }

    pub(super) fn finish(self, declaration: &Declaration) -> (Experiment, Option<Condensation>) {
        let (mut experiment, condensation) = declaration.experiment(self.collection);
        if let Some(SummaryColumns { count, measures }) = self.summary {
            let (summaries, kept): (Vec<usize>, Vec<usize>) =
                (0..count.len()).partition(|index| count[*index] > 0);
            let chosen = |column: &Vec<f64>| summaries.iter().map(|index| column[*index]).collect();
            let [sum_s, sum_squares_s2, min_s, max_s] = measures.each_ref().map(chosen);
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
    fn read<T>(&mut self, read: impl Fn(&[u8]) -> (Option<T>, usize)) -> Result<(Field, Option<T>), Problem> {
        let at = self.end + field::blanks(&self.rest[self.end..]);
        if matches!(self.rest.get(at), None | Some(b'\n')) {
            return Err(Problem::ColumnCount);
        }
        let (value, length) = read(&self.rest[at..]);
        self.end = at + length;
        self.column += 1;
        Ok((Field { column: self.column, at }, value))
    }

    #[inline]
    fn real(&mut self) -> Result<(Field, f64), Problem> {
        let (field, value) = self.read(number::real)?;
        match value {
            Some(value) => Ok((field, value)),
            None => Err(Problem::Number(field)),
        }
    }

    #[inline]
    fn values(&mut self, targets: &Targets, columns: &mut [Vec<f64>]) -> Result<(), Problem> {
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
                _ => return Err(Problem::ForeignValue(field)),
            }
        }
        Ok(())
    }

    /// A time or what is made of times.
    #[inline]
    fn measure(&mut self) -> Result<f64, Problem> {
        let (field, value) = self.real()?;
        if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(Problem::Time(field)) }
    }
}
