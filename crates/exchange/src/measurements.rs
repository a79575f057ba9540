use std::collections::{BTreeSet, HashMap};

use call_trace::{Experiment, Header, Samples, Summaries, Trace, Unit};

use crate::heading::{is_processor, is_processors};
use crate::name::{UniqueNames, with_metric};
use crate::renamed::{RenamedNames, tell_shared};
use crate::short_names::NameLengths;
use crate::{
    Error, FileFormat, Imported, LeftOutReason, Note, OriginalNames, PlaceInText, ReadOptions, RowReason,
};

/// ImportedRows of several experiments as rows, with all variables in columns; what a row does not have is NaN.
#[derive(Default)]
pub(crate) struct ImportedRows {
    /// Names of the experiments as the file has them.
    pub(crate) experiments: Vec<String>,
    /// For each experiment its names of several lengths, of which it gets one; empty if each has one name.
    pub(crate) lengths: Vec<NameLengths>,
    /// For each row the position of its experiment; empty if there is one only.
    pub(crate) experiment_of: Vec<u32>,
    /// For each experiment what stands behind its name, as it is of a further metric; empty if there is none.
    pub(crate) metrics: Vec<String>,
    /// The variables, under the names that the file has; one may be `P`.
    pub(crate) variables: Vec<(String, Vec<f64>)>,
    /// Which processor measured; empty if that is not known.
    pub(crate) processor: Vec<u32>,
    /// What was measured, times in seconds.
    pub(crate) response: Vec<f64>,
    /// What the user calls it, where a file without a word about it has another response.
    pub(crate) observable: Option<String>,
    /// The unit of that in each row.
    pub(crate) units: Units,
    /// For how many measurements each row stands; empty if for one.
    pub(crate) count: Vec<u64>,
    /// What else was measured.
    pub(crate) counters: Vec<(String, Vec<f64>)>,
    /// What was kept of several measurements of which a row is the median; empty if of none.
    pub(crate) summaries: Vec<Option<RowSummary>>,
    /// Of which run each row is; empty if they are of one.
    pub(crate) run: Vec<u32>,
    /// Whether the program of each row failed; empty if none did.
    pub(crate) failed: Vec<bool>,
    /// Where each row stands in the file.
    pub(crate) places: Vec<PlaceInText>,
}

/// What was kept of several measurements, in the unit of their row.
#[derive(Clone, Copy)]
pub(crate) struct RowSummary {
    pub(crate) count: u64,
    pub(crate) mean: f64,
    /// Of these measurements themselves, not of others like them.
    pub(crate) standard_deviation: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl RowSummary {
    pub(crate) fn map(self, convert: impl Fn(f64) -> f64) -> RowSummary {
        RowSummary {
            mean: convert(self.mean),
            standard_deviation: convert(self.standard_deviation),
            least: convert(self.least),
            most: convert(self.most),
            ..self
        }
    }
}

/// Units of rows.
#[derive(Default)]
pub(crate) struct Units {
    /// The units, each once; none is seconds in all rows.
    pub(crate) distinct: Vec<Unit>,
    /// For each row the position of its unit; empty if there is one only.
    pub(crate) of_row: Vec<u32>,
    /// The column that says them.
    pub(crate) column: String,
}

impl Units {
    /// The same unit in all rows.
    pub(crate) fn all(unit: Unit) -> Units {
        Units { distinct: vec![unit.base()], ..Units::default() }
    }

    /// The position of a unit.
    pub(crate) fn position(&mut self, unit: &Unit) -> u32 {
        let position = self.distinct.iter().position(|known| known == unit);
        position.unwrap_or_else(|| {
            self.distinct.push(unit.clone());
            self.distinct.len() - 1
        }) as u32
    }

    fn of(&self, row: usize) -> Unit {
        let position = self.of_row.get(row).map_or(0, |position| *position as usize);
        self.distinct.get(position).cloned().unwrap_or_default()
    }
}

/// Variables that may have few values are padded to the number of rows; with more padding than this for each value, and
/// beyond the second number in all, the rows have nothing in common.
const MOST_PADDING: usize = 64;
const SMALL_PADDING: usize = 20_000_000;

/// Where a row repeats its parameters for each of its times, more of them would fill the memory.
pub(crate) const MOST_PARAMETERS: usize = 64;

/// Refuses rows whose variables differ so much that nearly all values would be missing.
pub(crate) fn check_padding(
    columns: usize,
    rows: usize,
    values: usize,
    place: PlaceInText,
) -> Result<(), Error> {
    let cells = columns.saturating_mul(rows);
    if cells > SMALL_PADDING && cells / MOST_PADDING > values {
        Err(Error::Scattered { place })
    } else {
        Ok(())
    }
}

/// The number of processors.
const PROCESSORS: &str = "P";

impl ImportedRows {
    /// That the user names no variable that there is not. What is left out anyway may be left out.
    ///
    /// # Errors
    /// If there is no variable of such a name.
    fn check_options(&self, options: &ReadOptions, notes: &[Note]) -> Result<(), Error> {
        let names: Vec<String> = self.variables.iter().map(|(name, _)| name.clone()).collect();
        let options = options.of_columns(&names);
        let is_left_out = |name: &String| {
            notes.iter().any(|note| matches!(note, Note::LeftOut { names, .. } if names.contains(name)))
        };
        let refused = options.leave_out.iter().filter(|name| !is_left_out(name));
        match refused.chain(&options.keep).find(|name| !names.contains(name)) {
            Some(name) => Err(Error::UnknownColumn { name: name.clone(), columns: names }),
            None => Ok(()),
        }
    }

    /// Leaves variables out that the user does not want, and makes `P` of the one that the user names.
    ///
    /// # Errors
    /// If there is no variable of that name.
    pub(crate) fn apply(&mut self, options: &ReadOptions, notes: &mut Vec<Note>) -> Result<(), Error> {
        let names: Vec<String> = self.variables.iter().map(|(name, _)| name.clone()).collect();
        let options = &options.of_columns(&names);
        let is_refused = |name: &String| options.leave_out.contains(name);
        let refused: Vec<String> = names.iter().filter(|name| is_refused(name)).cloned().collect();
        self.variables.retain(|(name, _)| !is_refused(name));
        if !refused.is_empty() {
            notes.push(Note::LeftOut { names: refused, reason: LeftOutReason::Asked });
        }
        if let Some(wanted) = &options.processors_column {
            let Some(at) = self.variables.iter().position(|(name, _)| name == wanted) else {
                return Err(Error::UnknownColumn { name: wanted.clone(), columns: names });
            };
            let (_, values) = self.variables.remove(at);
            if self.variables.iter().any(|(name, _)| name == PROCESSORS) {
                self.variables.retain(|(name, _)| name != PROCESSORS);
                notes.push(Note::LeftOut {
                    names: vec![PROCESSORS.to_owned()],
                    reason: LeftOutReason::OtherProcessors,
                });
            }
            self.variables.insert(0, (PROCESSORS.to_owned(), values));
        }
        self.take_processor(options, notes);
        if self.variables.iter().all(|(name, _)| name != PROCESSORS)
            && let Some((column, _)) = self.variables.iter().find(|(name, _)| is_processors(name))
        {
            notes.push(Note::LooksLikeProcessors { column: column.clone() });
        }
        Ok(())
    }

    /// Whether numbers tell runs apart: most rows are one of several with their number at their point. Where each comes once they count repetitions.
    pub(crate) fn are_runs(&self, numbers: &[u64]) -> bool {
        if numbers.windows(2).all(|pair| pair[0] == pair[1]) {
            return false;
        }
        let mut rows: HashMap<Vec<u64>, usize> = HashMap::new();
        for (row, number) in numbers.iter().enumerate() {
            let of = |column: &[u32]| u64::from(column.get(row).copied().unwrap_or(0));
            let values = self.variables.iter().map(|(_, values)| values[row].to_bits());
            let place = [*number, of(&self.experiment_of), of(&self.processor)];
            *rows.entry(place.into_iter().chain(values).collect()).or_default() += 1;
        }
        let repeated: usize = rows.values().filter(|rows| **rows > 1).sum();
        2 * repeated > numbers.len()
    }

    /// Takes the number of the processor that measured from a column such as `rank`, if that runs from 0 to P - 1 at each point.
    fn take_processor(&mut self, options: &ReadOptions, notes: &mut Vec<Note>) {
        let is_free = |name: &String| !options.keep.contains(name) && self.processor.is_empty();
        let Some(at) = self.variables.iter().position(|(name, _)| is_processor(name) && is_free(name)) else {
            return;
        };
        let (column, numbers) = self.variables.remove(at);
        match self.processors_at_points(&numbers) {
            Some(processor) => self.processor = processor,
            None => {
                notes.push(Note::LooksLikeProcessor { column: column.clone() });
                self.variables.insert(at, (column, numbers));
            }
        }
    }

    /// The numbers as processors, if those at each point, which the other variables make, are 0 to P - 1.
    fn processors_at_points(&self, numbers: &[f64]) -> Option<Vec<u32>> {
        let (_, counts) = self.variables.iter().find(|(name, _)| name == PROCESSORS)?;
        let mut points: HashMap<Vec<u64>, BTreeSet<u32>> = HashMap::new();
        let mut processors = Vec::with_capacity(numbers.len());
        for (row, number) in numbers.iter().enumerate() {
            let processor = *number as u32;
            if f64::from(processor) != *number || *number >= counts[row] {
                return None;
            }
            let experiment = self.experiment_of.get(row).copied().unwrap_or(0);
            let values = self.variables.iter().map(|(_, values)| values[row].to_bits());
            let point = std::iter::once(u64::from(experiment)).chain(values).collect();
            points.entry(point).or_default().insert(processor);
            processors.push(processor);
        }
        // Distinct ones below P are all of them if they are so many.
        let count_at = self.variables.iter().position(|(name, _)| name == PROCESSORS)?;
        let is_whole = |(point, found): (&Vec<u64>, &BTreeSet<u32>)| {
            f64::from_bits(point[count_at + 1]) == found.len() as f64
        };
        (processors.iter().any(|processor| *processor > 0) && points.iter().all(is_whole))
            .then_some(processors)
    }

    /// A trace of these measurements, with the experiments that have samples and a header as far as it is known; for what `options`
    /// say and what was met, notes are added.
    ///
    /// # Errors
    /// If there are rows, and none can be used; if an option names no variable.
    pub(crate) fn import(
        mut self,
        format: FileFormat,
        header: Header,
        options: &ReadOptions,
        mut notes: Vec<Note>,
    ) -> Result<Imported, Error> {
        // Of tables all columns were looked at.
        if !format.is_table() {
            self.check_options(options, &notes)?;
        }
        self.apply(options, &mut notes)?;
        let mut names = options.names.clone();
        let experiments = self.into_experiments(&mut names, &mut notes)?;
        let processors = experiments.iter().flat_map(|its| its.samples.columns.first()).flatten();
        let most = processors.fold(1.0, |most: f64, processors| most.max(*processors));
        let header = Header { processors: header.processors.max(most as u32), ..header };
        Ok(Imported { format, trace: Trace { header, experiments, ..Trace::default() }, notes, names })
    }

    /// The experiments with their samples. Rows without a time or without a variable that their experiment has stay out; a
    /// variable that an experiment never has is none of it.
    ///
    /// # Errors
    /// If there are rows, and none can be used; if an experiment has rows of several units.
    pub(crate) fn into_experiments(
        mut self,
        given: &mut OriginalNames,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Experiment>, Error> {
        if !self.lengths.is_empty() {
            let (names, longer) = given.of_lengths(&self.lengths);
            self.experiments = names;
            notes.extend(longer);
        }
        let names = self.variable_names(given, notes);
        let experiment_names = given.of_experiments(&self.experiments);
        let metrics: Vec<&str> = self.metrics.iter().map(String::as_str).collect();
        let metric_names = given.of_metrics(&metrics);
        let mut left_out = LeftOut::default();
        let mut free = UniqueNames::default();
        let mut renamed = RenamedNames::default();
        let mut rows = self.rows();
        let mut experiments = Vec::with_capacity(self.experiments.len());
        let is_single = rows.len() == 1;
        for (position, (raw_name, rows)) in self.experiments.iter().zip(&mut rows).enumerate() {
            let metric = self.metrics.get(position).map_or("", String::as_str);
            let metric_name = if metric.is_empty() { "" } else { &metric_names[position] };
            let name = free.take(with_metric(experiment_names[position].clone(), metric_name));
            if metric.is_empty() {
                renamed.take_path(raw_name, &name);
            }
            let used = self.used_variables(rows);
            let unit = self.unit(rows, &name)?;
            let before = rows.len();
            rows.retain(|row| left_out.keeps(self.problem(*row, &used, &unit), *row));
            let is_whole = is_single && before == rows.len();
            let samples = self.samples(&names, &used, if is_whole { None } else { Some(rows) });
            let summaries = self.summaries(&samples, rows);
            let observable = self.observable.clone();
            experiments.push(Experiment {
                name,
                samples,
                summaries,
                unit,
                observable,
                ..Experiment::default()
            });
        }
        notes.extend(renamed.notes());
        tell_shared(given.shared_calls(&self.experiments), notes);
        left_out.report(&self, notes)?;
        Ok(experiments)
    }

    fn variable_names(&self, given: &mut OriginalNames, notes: &mut Vec<Note>) -> Vec<String> {
        let originals: Vec<&str> =
            self.variables.iter().map(|(raw, _)| raw.as_str()).filter(|raw| *raw != PROCESSORS).collect();
        // `P` belongs to the column that is called so.
        let mut names = given.of_variables(&originals, PROCESSORS).into_iter();
        let mut free = UniqueNames::default();
        let mut renamed = RenamedNames::default();
        let mut name_of = |(raw, _): &(String, Vec<f64>)| {
            let name = match raw == PROCESSORS {
                true => raw.clone(),
                false => free.take(names.next().unwrap_or_default()),
            };
            renamed.take(raw, &name);
            name
        };
        let names = self.variables.iter().map(&mut name_of).collect();
        notes.extend(renamed.notes());
        tell_shared(given.shared_variables(&originals), notes);
        names
    }

    /// The rows of each experiment.
    fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.experiments.len()];
        if self.experiment_of.is_empty() {
            if let Some(all) = rows.first_mut() {
                *all = (0..self.response.len()).collect();
            }
        } else {
            for (row, experiment) in self.experiment_of.iter().enumerate() {
                if let Some(its) = rows.get_mut(*experiment as usize) {
                    its.push(row);
                }
            }
        }
        rows
    }

    /// Positions of the variables that an experiment has; of one without rows all.
    fn used_variables(&self, rows: &[usize]) -> Vec<usize> {
        let is_used = |(_, values): &(String, Vec<f64>)| {
            rows.is_empty() || rows.iter().any(|row| !values[*row].is_nan())
        };
        (0..self.variables.len()).filter(|index| is_used(&self.variables[*index])).collect()
    }

    /// The unit of all rows of an experiment.
    fn unit(&self, rows: &[usize], experiment: &str) -> Result<Unit, Error> {
        let expected = self.units.of(rows.first().copied().unwrap_or(0));
        let position = |row: &usize| self.units.of_row.get(*row);
        let is_other = |row: &&usize| position(row) != rows.first().and_then(position);
        let Some(&row) = rows.iter().find(is_other) else { return Ok(expected) };
        let (place, column, found) = (self.places[row], self.units.column.clone(), self.units.of(row));
        if expected.is_time() {
            return Err(Error::Unit { place, column, text: found.symbol().to_owned() });
        }
        Err(Error::OtherUnit { place, column, experiment: experiment.to_owned(), expected, found })
    }

    fn problem(&self, row: usize, used: &[usize], unit: &Unit) -> Option<RowReason> {
        let response = self.response[row];
        if self.failed.get(row) == Some(&true) {
            Some(RowReason::Failed)
        } else if !response.is_finite() {
            Some(if unit.is_time() { RowReason::NoTime } else { RowReason::NoResponse })
        } else if response < 0.0 {
            Some(if unit.is_time() { RowReason::NegativeTime } else { RowReason::NegativeResponse })
        } else if used.iter().any(|index| !self.variables[*index].1[row].is_finite()) {
            Some(RowReason::NoValue)
        } else {
            None
        }
    }

    /// The summaries of some rows, beside their samples.
    fn summaries(&self, samples: &Samples, rows: &[usize]) -> Summaries {
        let summary = |(at, row): (usize, &usize)| Some((at, self.summaries.get(*row).copied().flatten()?));
        let found: Vec<(usize, RowSummary)> = rows.iter().enumerate().filter_map(summary).collect();
        if found.is_empty() {
            return Summaries::default();
        }
        let (at, of): (Vec<usize>, Vec<RowSummary>) = found.into_iter().unzip();
        let pick = |values: &Vec<f64>| at.iter().map(|at| values[*at]).collect();
        let square = |its: &RowSummary| {
            its.count as f64 * (its.mean * its.mean + its.standard_deviation * its.standard_deviation)
        };
        let points = Samples {
            names: samples.names.clone(),
            columns: samples.columns.iter().map(pick).collect(),
            processor: at.iter().map(|at| samples.processor[*at]).collect(),
            run: vec![0; at.len()],
            time_s: of.iter().map(|its| its.mean).collect(),
            count: of.iter().map(|its| its.count).collect(),
            ..Samples::default()
        };
        Summaries {
            points,
            sum_s: of.iter().map(|its| its.count as f64 * its.mean).collect(),
            sum_squares_s2: of.iter().map(square).collect(),
            min_s: of.iter().map(|its| its.least).collect(),
            max_s: of.iter().map(|its| its.most).collect(),
        }
    }

    /// The samples of some rows, or of all.
    fn samples(&self, names: &[String], used: &[usize], rows: Option<&[usize]>) -> Samples {
        fn pick<T: Copy>(values: &[T], rows: Option<&[usize]>) -> Vec<T> {
            match rows {
                None => values.to_vec(),
                Some(rows) if values.len() > rows.last().copied().unwrap_or(0) => {
                    rows.iter().map(|row| values[*row]).collect()
                }
                Some(_) => Vec::new(),
            }
        }
        let time_s = pick(&self.response, rows);
        let own = used.iter().find(|index| self.variables[**index].0 == PROCESSORS);
        let processors =
            own.map_or_else(|| vec![1.0; time_s.len()], |own| pick(&self.variables[*own].1, rows));
        let others = || used.iter().filter(|index| Some(*index) != own);
        let columns = others().map(|index| pick(&self.variables[*index].1, rows));
        let processor = pick(&self.processor, rows);
        let run = pick(&self.run, rows);
        Samples {
            names: std::iter::once(PROCESSORS.to_owned())
                .chain(others().map(|index| names[*index].clone()))
                .collect(),
            columns: std::iter::once(processors).chain(columns).collect(),
            processor: if processor.is_empty() { vec![0; time_s.len()] } else { processor },
            run: if run.is_empty() { vec![0; time_s.len()] } else { run },
            count: pick(&self.count, rows),
            counter_names: self.counters.iter().map(|(name, _)| name.clone()).collect(),
            counters: self.counters.iter().map(|(_, values)| pick(values, rows)).collect(),
            time_s,
        }
    }
}

/// The rows that were left out: of each reason how many, and the first one.
#[derive(Default)]
struct LeftOut {
    found: Vec<(RowReason, usize, usize)>,
}

impl LeftOut {
    fn keeps(&mut self, problem: Option<RowReason>, row: usize) -> bool {
        let Some(reason) = problem else { return true };
        match self.found.iter_mut().find(|(known, ..)| *known == reason) {
            Some((_, count, first)) => {
                *count += 1;
                *first = row.min(*first);
            }
            None => self.found.push((reason, 1, row)),
        }
        false
    }

    fn report(&self, measured: &ImportedRows, notes: &mut Vec<Note>) -> Result<(), Error> {
        let rows = measured.response.len();
        let place =
            |row: usize| measured.places.get(row).copied().unwrap_or(PlaceInText::Entry(row as u64 + 1));
        if let Some((reason, _, row)) = self.found.iter().min_by_key(|(_, _, first)| *first)
            && self.found.iter().map(|(_, count, _)| count).sum::<usize>() == rows
        {
            return Err(Error::NoSamples { rows, first: place(*row), reason: *reason });
        }
        for &(reason, count, first) in &self.found {
            notes.push(Note::Rows { count, first: place(first), reason });
        }
        Ok(())
    }
}
