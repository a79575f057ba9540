use super::column::PROCESSORS;
use super::experiment::Declaration;
use crate::{Experiment, Samples, field, number};

/// The samples of one experiment while rows are read.
pub(super) struct Table<'a> {
    name: &'a [u8],
    /// For each column between `processor` and `time_s` the column of the samples; `None` if the experiment has no such
    /// variable.
    targets: Vec<Option<usize>>,
    samples: Samples,
}

/// What is wrong with a row, and where the field starts.
pub(super) enum Problem {
    /// The line ends before or after its last column.
    ColumnCount,
    Processor(usize),
    /// No number in a column between `processor` and `time_s`.
    Number(usize, usize),
    /// A value in a column that the experiment does not have.
    ForeignValue(usize, usize),
    TimeNumber(usize),
    Time(usize),
}

impl<'a> Table<'a> {
    pub(super) fn new(declaration: &Declaration<'a>, columns: &[String]) -> Table<'a> {
        let variables = declaration.variables.iter().filter(|variable| *variable != PROCESSORS);
        let names: Vec<String> = std::iter::once(PROCESSORS.to_owned()).chain(variables.cloned()).collect();
        let target = |column: &String| names.iter().position(|name| name == column);
        Table {
            name: declaration.raw_name,
            targets: columns.iter().map(target).collect(),
            samples: Samples::named(names),
        }
    }

    /// Whether a row that starts here is one of this experiment.
    #[inline]
    pub(super) fn owns(&self, row: &[u8]) -> bool {
        row.starts_with(self.name) && field::ends_at(row, self.name.len())
    }

    /// Reads the row at the start of `rest`, whose name ends at `at`, and returns its length with the line feed.
    #[inline]
    pub(super) fn push(&mut self, rest: &[u8], at: usize, processors: u32) -> Result<usize, Problem> {
        let at = next_field(rest, at)?;
        let (processor, length) = number::natural(&rest[at..]);
        let processor = processor.filter(|number| *number < processors).ok_or(Problem::Processor(at))?;
        let mut end = at + length;
        for (column, target) in self.targets.iter().enumerate() {
            let at = next_field(rest, end)?;
            let (value, length) = number::real(&rest[at..]);
            let value = value.ok_or(Problem::Number(column, at))?;
            match target {
                Some(target) => self.samples.columns[*target].push(value),
                None if value.is_nan() => {}
                None => return Err(Problem::ForeignValue(column, at)),
            }
            end = at + length;
        }
        let at = next_field(rest, end)?;
        let (time_s, length) = number::real(&rest[at..]);
        let time_s = time_s.ok_or(Problem::TimeNumber(at))?;
        if !(time_s.is_finite() && time_s >= 0.0) {
            return Err(Problem::Time(at));
        }
        self.samples.processor.push(processor);
        self.samples.time_s.push(time_s);
        end = at + length;
        end += field::blanks(&rest[end..]);
        if rest.get(end) == Some(&b'\n') { Ok(end + 1) } else { Err(Problem::ColumnCount) }
    }

    pub(super) fn finish(mut self, declaration: &Declaration) -> Experiment {
        self.samples.run = vec![0; self.samples.len()];
        Experiment {
            name: declaration.name.clone(),
            formula: declaration.formula.clone(),
            lines: declaration.lines.clone(),
            samples: self.samples,
        }
    }
}

/// Where the field after `end` starts.
#[inline]
fn next_field(rest: &[u8], end: usize) -> Result<usize, Problem> {
    let at = end + field::blanks(&rest[end..]);
    if matches!(rest.get(at), None | Some(b'\n')) { Err(Problem::ColumnCount) } else { Ok(at) }
}
