use std::collections::HashMap;
use std::ops::Range;

use super::declaration::{Declaration, HeaderDeclarations, HeaderEntry, OTHER_P, PROCESSORS};
use crate::lines::{WindowLines, excerpt};
use crate::{Error, Header, field};

/// Everything before the rows.
#[derive(Debug, Default)]
pub(super) struct FileHead {
    pub(super) header: Header,
    pub(super) experiments: Vec<Declaration>,
    pub(super) columns: Columns,
    pub(super) is_binary: bool,
    /// The word of the run that had not reported.
    pub(super) unfinished: Option<String>,
}

impl FileHead {
    /// Whether each row says for how many executions it stands. Summaries count them.
    pub(super) fn has_executions(&self) -> bool {
        self.header.budget.is_some() && self.header.summaries.is_none()
    }

    /// The names of the columns behind the counters.
    fn last_columns(&self) -> &'static [&'static str] {
        match self.header.summaries {
            Some(_) => &LAST_OF_SUMMARIES,
            None if self.has_executions() => &LAST_WITH_EXECUTIONS,
            None => &LAST,
        }
    }

    /// Processors have smaller numbers.
    pub(super) fn processor_limit(&self) -> u32 {
        if self.unfinished.is_some() { u32::MAX } else { self.header.processors }
    }
}

/// Keys without which the rows have no meaning or the trace no name.
const NEEDED_KEYS: [&str; 2] = ["program", "processors"];

/// A header while its lines are read.
#[derive(Debug, Default)]
pub(super) struct HeaderReader {
    head: FileHead,
    experiments: HeaderDeclarations,
    line_of_key: HashMap<Vec<u8>, u64>,
}

impl HeaderReader {
    /// Reads lines up to that of the column names; `None` if that is not among them.
    pub(super) fn read(&mut self, lines: &mut WindowLines) -> Result<Option<FileHead>, Error> {
        while let Some(text) = lines.next() {
            let line = lines.number();
            if !text.starts_with(b"#") {
                return self.finish(text, line).map(Some);
            }
            let Some(entry) = HeaderEntry::parse(line, text) else {
                return Err(Error::HeaderLine { line, text: excerpt(text) });
            };
            self.take(entry)?;
        }
        Ok(None)
    }

    fn take(&mut self, entry: HeaderEntry) -> Result<(), Error> {
        let experiments = &mut self.experiments;
        match entry.key {
            b"experiment" => experiments.open(entry),
            b"formula" => experiments.extend("formula", entry),
            b"variables" => experiments.extend("variables", entry),
            b"types" => experiments.extend("types", entry),
            b"counters" => experiments.extend("counters", entry),
            b"observable" => experiments.extend("observable", entry),
            b"source_counts" => experiments.extend("source_counts", entry),
            b"lines" => experiments.extend("lines", entry),
            b"other_P" => experiments.extend(OTHER_P, entry),
            key => {
                let line = entry.line;
                if set(&mut self.head, entry)?
                    && let Some(first) = self.line_of_key.insert(key.to_owned(), line)
                {
                    return Err(Error::DuplicateKey { line, key: excerpt(key), first });
                }
                Ok(())
            }
        }
    }

    /// Takes the line of column names.
    fn finish(&mut self, text: &[u8], line: u64) -> Result<FileHead, Error> {
        check_keys(&self.line_of_key, line)?;
        let mut head = std::mem::take(&mut self.head);
        head.experiments = self.experiments.finish()?;
        head.header.other_p = head.experiments.iter().filter_map(|its| its.other_p.clone()).collect();
        if head.is_binary {
            check_binary(&head, line)?;
        }
        head.columns = Columns::read(text, line, &head.experiments, head.last_columns())?;
        Ok(head)
    }
}

/// Whether a binary body can be read.
fn check_binary(head: &FileHead, line: u64) -> Result<(), Error> {
    if head.header.summaries.is_some() {
        return Err(Error::BinarySummaries { line });
    }
    match head.experiments.iter().find(|its| its.types.len() != its.variables.len()) {
        Some(its) => Err(Error::Types {
            line: its.line,
            experiment: its.name.clone(),
            variables: its.variables.len(),
            types: its.types.len(),
        }),
        None => Ok(()),
    }
}

fn check_keys(line_of_key: &HashMap<Vec<u8>, u64>, line: u64) -> Result<(), Error> {
    match NEEDED_KEYS.iter().find(|key| !line_of_key.contains_key(key.as_bytes())) {
        Some(key) => Err(Error::MissingKey { line, key }),
        None => Ok(()),
    }
}

/// Takes a key of the whole trace; returns whether it is known.
fn set(head: &mut FileHead, entry: HeaderEntry) -> Result<bool, Error> {
    let header = &mut head.header;
    match entry.key {
        b"body" => head.is_binary = entry.is_binary("body")?,
        b"unfinished" => {
            header.run = String::from_utf8_lossy(entry.name("unfinished")?).into_owned();
            head.unfinished = Some(header.run.clone());
        }
        b"run" => header.run = entry.text(),
        b"reports" => header.reports = entry.natural("reports")?,
        b"summaries" => header.summaries = Some(entry.natural("summaries")?),
        b"program" => header.program = entry.text(),
        b"source" => header.source = entry.text(),
        b"command" => header.command = entry.text(),
        b"date" => header.date = entry.text(),
        b"host" => header.host = entry.text(),
        b"system" => header.system = entry.text(),
        b"cpu" => header.cpu = entry.text(),
        b"cores" => header.cores = Some(entry.natural("cores")?),
        b"caches_bytes" => header.caches_bytes = entry.naturals("caches_bytes")?,
        b"simulated_caches" => header.simulated_caches = entry.text(),
        b"compiler" => header.compiler = entry.text(),
        b"flags" => header.flags = entry.text(),
        b"kind" => header.kind = entry.text(),
        b"transport" => header.transport = entry.text(),
        b"mpi" => header.mpi = entry.text(),
        b"openmp" => header.openmp = entry.text(),
        b"processors" => header.processors = entry.natural("processors")?,
        b"clock" => header.clock = entry.text(),
        b"clock_resolution_ns" => header.clock_resolution_ns = Some(entry.measure("clock_resolution_ns")?),
        b"clock_frequency_hz" => header.clock_frequency_hz = Some(entry.measure("clock_frequency_hz")?),
        b"clock_frequency_uncertainty_hz" => {
            header.clock_frequency_uncertainty_hz = Some(entry.measure("clock_frequency_uncertainty_hz")?);
        }
        b"subtracted_ns" => header.subtracted_ns = Some(entry.measure("subtracted_ns")?),
        b"empty_pair_ns" => header.empty_pair_ns = Some(entry.measure("empty_pair_ns")?),
        b"pair_cost_ns" => header.pair_cost_ns = Some(entry.measure("pair_cost_ns")?),
        b"measuring_share" => header.measuring_share = Some(entry.measure("measuring_share")?),
        b"budget" => header.budget = Some(entry.measure("budget")?),
        b"waited_share" => header.waited_share = Some(entry.measure("waited_share")?),
        b"stolen_share" => header.stolen_share = Some(entry.measure("stolen_share")?),
        b"load_average" => header.load_average = Some(entry.measure("load_average")?),
        b"abandoned" => header.abandoned = entry.natural("abandoned")?,
        b"late_chunks" => header.late_chunks = entry.natural("late_chunks")?,
        _ => return Ok(false),
    }
    Ok(true)
}

const FIRST: [&str; 2] = ["experiment", "processor"];
const LAST: [&str; 1] = ["time_s"];
const LAST_WITH_EXECUTIONS: [&str; 2] = ["time_s", "executions"];
const LAST_OF_SUMMARIES: [&str; 6] = ["time_s", "count", "sum_s", "sum_squares_s2", "min_s", "max_s"];

/// The columns of the rows. They are known by their places, since a variable may be called `processor` or as a counter.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    /// Where `P` and the variables stand.
    pub(super) variables: Range<usize>,
    /// Where the counters stand.
    pub(super) counters: Range<usize>,
}

impl Columns {
    /// Reads the line of column names: `P`, the variables and the counters of all experiments between fixed columns.
    pub(super) fn read(
        text: &[u8],
        line: u64,
        experiments: &[Declaration],
        last: &[&str],
    ) -> Result<Columns, Error> {
        let names: Vec<String> =
            field::all(text).map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let inner = names.len().checked_sub(last.len()).filter(|end| {
            names.starts_with(&FIRST.map(str::to_owned))
                && names.get(FIRST.len()).is_some_and(|name| name == PROCESSORS)
                && *end > FIRST.len()
                && names[*end..] == *last
        });
        let Some(end) = inner else {
            return Err(Error::ColumnNames { line, last: last.join(" "), text: excerpt(text) });
        };
        let mut counters: Vec<&String> = experiments.iter().flat_map(|its| &its.counters).collect();
        counters.sort_unstable();
        counters.dedup();
        let middle = end.saturating_sub(counters.len()).max(FIRST.len() + 1);
        let columns = Columns { names, variables: FIRST.len()..middle, counters: middle..end };
        columns.check(line, experiments)?;
        Ok(columns)
    }

    fn check(&self, line: u64, experiments: &[Declaration]) -> Result<(), Error> {
        let (variables, counters) = (&self.names[self.variables.clone()], &self.names[self.counters.clone()]);
        for names in [variables, counters] {
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::DuplicateColumn { line, name: pair[0].clone() });
            }
        }
        let (variables, counters) = (self.variable_columns(), self.counter_columns());
        for its in experiments {
            let experiment = its.name.clone();
            if let Some(variable) = its.variables.iter().find(|name| !variables.contains_key(name.as_str())) {
                return Err(Error::MissingColumn { line, experiment, variable: variable.clone() });
            }
            if let Some(counter) = its.counters.iter().find(|name| !counters.contains_key(name.as_str())) {
                return Err(Error::MissingCounter { line, experiment, counter: counter.clone() });
            }
        }
        Ok(())
    }

    /// Where the column of each variable and of `P` stands among these columns.
    pub(super) fn variable_columns(&self) -> HashMap<&str, usize> {
        positions(&self.names[self.variables.clone()])
    }

    /// Where the column of each counter stands among these columns.
    pub(super) fn counter_columns(&self) -> HashMap<&str, usize> {
        positions(&self.names[self.counters.clone()])
    }
}

fn positions(names: &[String]) -> HashMap<&str, usize> {
    names.iter().enumerate().map(|(position, name)| (name.as_str(), position)).collect()
}
