//! Which column of a table is what.

mod response;
mod results;
mod splitting;

use std::collections::{BTreeSet, HashMap};

use call_trace::{Header, Unit};

use crate::clock::{ClockEvidence, counts_hours};
use crate::column::{ColumnValues, FileColumn, Texts};
use crate::heading::{
    experiment_rank, is_exit_code, is_moment, is_repetition, is_row_number, may_be_row_number,
};
use crate::measurements::ImportedRows;
use crate::number::Undecided;
use crate::response_name::{NameFit, TimeName, time_name, time_names};
use crate::{Error, LeftOutReason, Note, PlaceInText, ReadOptions, name};

/// Names that this crate itself writes above columns that are no variables.
pub(crate) const PROCESSOR: &str = "processor";
pub(crate) const RUN: &str = "run";
pub(crate) const COUNT: &str = "count_of_time_s";
pub(crate) const COUNTER: &str = "counter:";
/// Names above the responses of a file that are not all times, and above their units.
pub(crate) const VALUE: &str = "value";
pub(crate) const UNIT: &str = "unit";

/// Whether a column is one that this crate writes beside the variables.
fn is_own(name: &str) -> bool {
    matches!(name, PROCESSOR | COUNT) || name.starts_with(COUNTER)
}

/// Whether texts that look like numbers may be names of experiments in a column.
pub(crate) fn has_names(heading: &str, options: &ReadOptions) -> bool {
    if options.experiment_columns.is_empty() {
        experiment_rank(heading).is_some() && !options.keep.iter().any(|name| name == heading)
    } else {
        options.experiment_columns.iter().any(|name| name == heading)
    }
}

/// Makes measurements of columns. `places` says where the rows stand.
///
/// # Errors
/// If there is no column with the response or none that is clear, if an option names no column, or if a field is no number.
pub(crate) fn arrange(
    path_name: &str,
    columns: Vec<FileColumn>,
    places: Vec<PlaceInText>,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<(ImportedRows, Header), Error> {
    let mut table = UnassignedColumns::new(columns, places.len());
    table.check_options(options)?;
    let failed = table.take_failed(options);
    let run = table.take_runs(options);
    let may_be_runs = if run.is_empty() { table.runs(options) } else { None };
    let response = table.response(options)?;
    let observable = table.chosen_response(response, options);
    table.find_results(response, options);
    let mut experiments = table.experiments(options);
    if options.experiment_columns.is_empty() {
        let further = table.splitting(&experiments, response, options);
        if !further.is_empty() {
            let columns = further.iter().map(|at| table.names[*at].clone()).collect();
            notes.push(Note::Experiments { columns });
        }
        experiments.extend(further);
    }
    let mut measurements = ImportedRows {
        experiments: vec![options.experiment_name.clone().unwrap_or_else(|| name::of_file(path_name))],
        places,
        run,
        failed,
        observable,
        ..ImportedRows::default()
    };
    let clock = table.take_response(response, options, &mut measurements, notes)?;
    table.take_experiments(&experiments, &mut measurements);
    let noted = notes.len();
    table.take_others(options, &mut measurements, notes)?;
    if let Some(numbers) = may_be_runs.filter(|numbers| measurements.are_runs(numbers)) {
        measurements.run = places_of(&numbers);
        for note in &mut notes[noted..] {
            if let Note::LeftOut { names, reason: LeftOutReason::Repetition } = note {
                names.retain(|name| name != RUN);
            }
        }
        notes.retain(|note| !matches!(note, Note::LeftOut { names, .. } if names.is_empty()));
        notes.push(Note::ColumnOfRuns { count: numbers.iter().collect::<BTreeSet<_>>().len() });
    }
    let header = Header { program: name::of_file(path_name), clock, ..Header::default() };
    Ok((measurements, header))
}

/// The columns that nothing has been made of so far.
struct UnassignedColumns {
    columns: Vec<Option<FileColumn>>,
    names: Vec<String>,
    /// What the names say about times.
    times: Vec<Option<TimeName>>,
    /// The names of columns that hold further results.
    results: Vec<String>,
}

impl UnassignedColumns {
    fn new(mut columns: Vec<FileColumn>, rows: usize) -> UnassignedColumns {
        for column in &mut columns {
            column.finish(rows);
        }
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let times = time_names(&names);
        UnassignedColumns {
            columns: columns.into_iter().map(Some).collect(),
            names,
            times,
            results: Vec::new(),
        }
    }

    fn check_options(&self, options: &ReadOptions) -> Result<(), Error> {
        let single = options.response.iter().chain(&options.processors_column);
        let mut all =
            single.chain(&options.experiment_columns).chain(&options.leave_out).chain(&options.keep);
        match all.find(|name| !self.names.contains(name)) {
            Some(name) => Err(Error::UnknownColumn { name: name.clone(), columns: self.names.clone() }),
            None => Ok(()),
        }
    }

    /// Takes the column of exit codes: which rows are of programs that failed.
    fn take_failed(&mut self, options: &ReadOptions) -> Vec<bool> {
        let is_asked = |name: &String| {
            options.keep.contains(name)
                || options.leave_out.contains(name)
                || options.experiment_columns.contains(name)
                || options.response.as_ref() == Some(name)
        };
        let is_one = |name: &String| is_exit_code(name) && !is_asked(name);
        let Some(at) = self.names.iter().position(is_one) else { return Vec::new() };
        let Some(FileColumn { values: ColumnValues::Numbers(codes), .. }) = &self.columns[at] else {
            return Vec::new();
        };
        // A code that is missing says nothing.
        let failed = codes.iter().map(|code| !code.is_nan() && *code != 0.0).collect();
        self.columns[at] = None;
        failed
    }

    /// Takes the runs that this crate writes beside the numbers of processors.
    fn take_runs(&mut self, options: &ReadOptions) -> Vec<u32> {
        let own = ["experiment", PROCESSOR, RUN];
        let is_own = self.names.iter().take(own.len()).eq(own);
        let Some(numbers) = self.runs(options).filter(|_| is_own) else { return Vec::new() };
        if let Some(at) = self.position(RUN) {
            self.columns[at] = None;
        }
        places_of(&numbers)
    }

    /// The numbers in the column `run`, unless the user says what that is.
    fn runs(&self, options: &ReadOptions) -> Option<Vec<u64>> {
        let lists = [&options.keep, &options.leave_out, &options.experiment_columns];
        let single = options.response.iter().chain(&options.processors_column);
        if single.chain(lists.into_iter().flatten()).any(|name| name == RUN) {
            return None;
        }
        let Some(FileColumn { values: ColumnValues::Numbers(numbers), .. }) =
            &self.columns[self.position(RUN)?]
        else {
            return None;
        };
        naturals(numbers, f64::from(u32::MAX))
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|candidate| candidate == name)
    }

    /// The positions of the columns that name experiments.
    fn experiments(&mut self, options: &ReadOptions) -> Vec<usize> {
        if !options.experiment_columns.is_empty() {
            return options.experiment_columns.iter().filter_map(|name| self.position(name)).collect();
        }
        let is_text = |position: usize| {
            matches!(self.columns[position], Some(FileColumn { values: ColumnValues::Texts(_), .. }))
        };
        // hyperfine writes each value of a parameter into a command of its own.
        let are_commands_points = self.names.iter().any(|name| name.starts_with("parameter_"));
        let is_point = |position: usize| are_commands_points && self.names[position] == "command";
        let mut ranked: Vec<(usize, usize)> = (0..self.names.len())
            .filter(|position| !is_point(*position))
            .filter(|position| !options.leave_out.contains(&self.names[*position]) && is_text(*position))
            .filter_map(|position| Some((experiment_rank(&self.names[position])?, position)))
            .collect();
        ranked.sort_unstable();
        for (rank, position) in ranked {
            // Only `experiment` and `kernel` are names whatever they look like; others may be numbers of cases.
            if rank > 1
                && let Some(column) = &mut self.columns[position]
            {
                column.numbers_of_names();
            }
            if matches!(self.columns[position], Some(FileColumn { values: ColumnValues::Texts(_), .. })) {
                return vec![position];
            }
        }
        Vec::new()
    }

    fn take_experiments(&mut self, positions: &[usize], measurements: &mut ImportedRows) {
        let columns: Vec<Texts> = positions
            .iter()
            .filter_map(|position| match self.columns[*position].take()?.values {
                ColumnValues::Texts(texts) => Some(texts),
                _ => None,
            })
            .collect();
        let Some((first, others)) = columns.split_first() else { return };
        let (mut names, mut numbers) = (first.distinct.clone(), first.numbers.clone());
        for texts in others {
            let mut known = HashMap::new();
            let mut joined = Vec::new();
            for (number, other) in numbers.iter_mut().zip(&texts.numbers) {
                *number = *known.entry((*number, *other)).or_insert_with(|| {
                    joined.push(format!("{}_{}", names[*number as usize], texts.distinct[*other as usize]));
                    joined.len() as u32 - 1
                });
            }
            names = joined;
        }
        // Experiments come in the order of their first rows, and rows without a name belong to one that is called as the file.
        let mut order = vec![u32::MAX; names.len()];
        let file = std::mem::take(&mut measurements.experiments);
        for number in &mut numbers {
            let place = &mut order[*number as usize];
            if *place == u32::MAX {
                *place = measurements.experiments.len() as u32;
                let name = &names[*number as usize];
                measurements.experiments.push(if name.is_empty() { file.concat() } else { name.clone() });
            }
            *number = *place;
        }
        measurements.experiment_of = numbers;
        if measurements.experiments.len() <= 1 {
            measurements.experiment_of = Vec::new();
        }
        if measurements.experiments.is_empty() {
            measurements.experiments = file;
        }
    }

    fn take_others(
        &mut self,
        options: &ReadOptions,
        measurements: &mut ImportedRows,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let mut left_out: Vec<(LeftOutReason, Vec<String>)> = Vec::new();
        let why = |column: &FileColumn, time: &Option<TimeName>| {
            reason(column, time.as_ref(), &self.results, options)
        };
        let columns =
            self.columns.iter().zip(&self.times).filter_map(|(its, time)| Some((its.as_ref()?, time)));
        // Where nothing else varies, the numbers of the rows may be all that there is.
        let has_variable = columns.clone().any(|(its, time)| {
            why(its, time).is_none() && !are_row_numbers(its) && !matches!(its.values, ColumnValues::Texts(_))
        });
        // Beside how far times are spread it says of how many they are.
        let is_asked = |its: &FileColumn| {
            options.keep.contains(&its.name) || options.processors_column.as_ref() == Some(&its.name)
        };
        let has_spread = self.times.iter().flatten().any(|time| time.fit == NameFit::Spread);
        for (column, time) in std::mem::take(&mut self.columns).into_iter().zip(&self.times) {
            let Some(column) = column else { continue };
            let is_count =
                has_spread && column.name.trim() == "count" && !options.keep.contains(&column.name);
            let reason = match reason(&column, time.as_ref(), &self.results, options) {
                Some(reason) => reason,
                None if is_count => LeftOutReason::Repetition,
                None if has_variable && !is_asked(&column) && are_row_numbers(&column) => {
                    LeftOutReason::RowNumber
                }
                None => match take_column(column, options, measurements, notes)? {
                    Some((name, reason)) => {
                        add(&mut left_out, reason, name);
                        continue;
                    }
                    None => continue,
                },
            };
            add(&mut left_out, reason, column.name);
        }
        notes.extend(left_out.into_iter().map(|(reason, names)| Note::LeftOut { names, reason }));
        Ok(())
    }
}

fn add(left_out: &mut Vec<(LeftOutReason, Vec<String>)>, reason: LeftOutReason, name: String) {
    match left_out.iter_mut().find(|(known, _)| *known == reason) {
        Some((_, names)) => names.push(name),
        None => left_out.push((reason, vec![name])),
    }
}

/// Whether a column numbers the rows, from 0 or 1 on, and is called so.
fn are_row_numbers(column: &FileColumn) -> bool {
    const FEWEST: usize = 3;
    let ColumnValues::Numbers(numbers) = &column.values else { return false };
    let is_next = |(row, number): (usize, &f64)| *number == row as f64 + numbers[0];
    may_be_row_number(&column.name)
        && numbers.len() >= FEWEST
        && matches!(numbers[0], 0.0 | 1.0)
        && numbers.iter().enumerate().all(is_next)
}

/// Runs numbered from 0 on: of those that were left out when the file was written there are none.
fn places_of(numbers: &[u64]) -> Vec<u32> {
    let known: BTreeSet<u64> = numbers.iter().copied().collect();
    let place: HashMap<u64, u32> = known.into_iter().zip(0..).collect();
    numbers.iter().map(|number| place[number]).collect()
}

/// Why the name of a column says that it is no variable.
fn reason(
    column: &FileColumn,
    time: Option<&TimeName>,
    results: &[String],
    options: &ReadOptions,
) -> Option<LeftOutReason> {
    let name = &column.name;
    if options.leave_out.contains(name) {
        Some(LeftOutReason::Asked)
    } else if is_own(name) || options.keep.contains(name) || options.processors_column.as_ref() == Some(name)
    {
        None
    } else if is_row_number(name) {
        Some(if name.trim().is_empty() { LeftOutReason::NoName } else { LeftOutReason::RowNumber })
    } else if is_repetition(name) {
        Some(LeftOutReason::Repetition)
    } else if is_moment(name) {
        Some(LeftOutReason::Moment)
    } else if time.is_some_and(|time| time.fit != NameFit::Letter) {
        Some(LeftOutReason::OtherTime)
    } else if results.contains(name) {
        Some(LeftOutReason::Result)
    } else {
        None
    }
}

/// Makes a variable of a column, or what it else is; returns its name if nothing can be made of it.
fn take_column(
    mut column: FileColumn,
    options: &ReadOptions,
    measurements: &mut ImportedRows,
    notes: &mut Vec<Note>,
) -> Result<Option<(String, LeftOutReason)>, Error> {
    let is_wanted =
        options.keep.contains(&column.name) || options.processors_column.as_ref() == Some(&column.name);
    column.numbers_of_names();
    let values = match column.values {
        ColumnValues::Numbers(values) => values,
        ColumnValues::Seconds(mut times_s) => {
            let unit = time_name(&column.name).and_then(|time| time.unit);
            tell_clocks(&column.name, column.clocks, unit.as_ref(), &mut times_s, notes);
            times_s
        }
        ColumnValues::Mixed { place, text } => {
            return Err(Error::Number { place, column: column.name, text });
        }
        ColumnValues::Texts(texts) if is_wanted => {
            let text = texts.distinct.get(1).cloned().unwrap_or_default();
            let place = texts
                .numbers
                .iter()
                .position(|number| *number == 1)
                .and_then(|row| measurements.places.get(row));
            return Err(Error::Number {
                place: place.copied().unwrap_or(PlaceInText::Line(1)),
                column: column.name,
                text,
            });
        }
        ColumnValues::Texts(_) => return Ok(Some((column.name, LeftOutReason::Text))),
        ColumnValues::Empty => return Ok(Some((column.name, LeftOutReason::Empty))),
    };
    tell_undecided(&column.name, column.undecided, notes)?;
    if let Some(counter) = column.name.strip_prefix(COUNTER) {
        measurements.counters.push((counter.to_owned(), values));
    } else if column.name == PROCESSOR
        && let Some(numbers) = naturals(&values, f64::from(u32::MAX))
    {
        measurements.processor = numbers.into_iter().map(|number| number as u32).collect();
    } else if column.name == COUNT
        && let Some(numbers) = naturals(&values, LARGEST_EXACT)
    {
        measurements.count = numbers;
    } else {
        measurements.variables.push((column.name, values));
    }
    Ok(None)
}

/// Says that a field of a column that is used can be two numbers, or refuses it.
fn tell_undecided(column: &str, undecided: Option<Undecided>, notes: &mut Vec<Note>) -> Result<(), Error> {
    let Some(undecided) = undecided else { return Ok(()) };
    let (column, numbers) = (column.to_owned(), undecided.numbers());
    let Undecided { place, text, is_refused } = undecided;
    if is_refused {
        return Err(Error::Ambiguous { place, column, text, numbers });
    }
    notes.push(Note::Ambiguous { place, column, text, numbers });
    Ok(())
}

/// Reads clocks such as `1:40` as hours and minutes where that is said; where nothing is, says that they are minutes and seconds.
fn tell_clocks(
    column: &str,
    clocks: ClockEvidence,
    unit: Option<&Unit>,
    times_s: &mut [f64],
    notes: &mut Vec<Note>,
) {
    let Some((place, text)) = clocks.undecided() else { return };
    match counts_hours(column, unit) {
        Some(true) => times_s.iter_mut().for_each(|time_s| *time_s *= 60.0),
        Some(false) => {}
        None => notes.push(Note::AmbiguousClock { place, column: column.to_owned(), text }),
    }
}

/// Up to here doubles are whole numbers.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

fn naturals(values: &[f64], largest: f64) -> Option<Vec<u64>> {
    let natural =
        |value: &f64| (value.fract() == 0.0 && (0.0..=largest).contains(value)).then_some(*value as u64);
    values.iter().map(natural).collect()
}
