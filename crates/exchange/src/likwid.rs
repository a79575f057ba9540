//! `likwid-perfctr -O`, or `-o FILE.csv`, and `likwid-mpirun -O`: tables of events and metrics for each hardware thread, of the program or of
//! its marked regions.

use std::collections::{HashMap, HashSet};

use crate::benchmarks::{BenchmarkRun, Benchmarks};
use crate::metrics::NO_REGION;
use crate::{Error, FileFormat, Imported, Note, PlaceInText, ReadOptions, cube};

/// Whether a text has such tables.
pub(crate) fn is_likwid(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("TABLE,Group ") || line.starts_with("TABLE,Region "))
}

/// Reads the tables but for statistics of them. Values of parameters stand in the name of the folder, if they do. An event that several
/// units count, such as the channels of memory, is the sum over them; what several groups measured in a region is a metric of each.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut benchmarks = Benchmarks::default();
    let parameters = cube::parameters_of(path_name);
    let mut group_of: HashMap<(&str, String), u32> = HashMap::new();
    let mut sections: HashMap<(&str, u32), Section> = HashMap::new();
    for table in tables(text)? {
        let section = sections.entry((table.region, table.group)).or_default();
        // A second run in the same file begins anew.
        if !section.kinds.insert(table.kind) {
            *section = Section { kinds: HashSet::from([table.kind]), ..Section::default() };
        }
        for row in table.summed_rows() {
            // The time of a run stands in two tables of likwid-mpirun.
            if !section.metrics.insert(row.metric.clone()) {
                continue;
            }
            let group = *group_of.entry((table.region, row.metric.clone())).or_insert(table.group);
            let metric = match group == table.group {
                true => row.metric,
                false => format!("group {}: {}", table.group, row.metric),
            };
            if row.counters.len() > 1 {
                let over = row.counters.iter().map(|counter| (*counter).to_owned()).collect();
                benchmarks.metrics.notes.push(Note::Summed { metrics: vec![metric.clone()], over });
            }
            let mut run = BenchmarkRun::new(table.region.to_owned(), row.place);
            run.numbers = parameters.clone();
            run.numbers.insert(0, ("P".to_owned(), row.values.len() as f64));
            let metric = benchmarks.metrics.metrics.number(&metric);
            for (value, processor) in row.values.iter().zip(0..) {
                if let Some(value) = value {
                    benchmarks.push_of(processor, &run, metric, *value)?;
                }
            }
        }
    }
    if benchmarks.metrics.is_empty() {
        return Err(Error::NoResults { list: "TABLE" });
    }
    benchmarks.metrics.import(FileFormat::Likwid, path_name, options)
}

/// The tables of a region and group of one run.
#[derive(Default)]
struct Section<'a> {
    kinds: HashSet<&'a str>,
    metrics: HashSet<String>,
}

/// A table with values of threads.
struct Table<'a> {
    region: &'a str,
    group: u32,
    /// Of events, or of what was made of them.
    kind: &'a str,
    rows: Vec<TableRow<'a>>,
}

struct TableRow<'a> {
    place: PlaceInText,
    name: &'a str,
    /// What counted it.
    counter: &'a str,
    /// Of each thread; what cannot be counted is none.
    values: Vec<Option<f64>>,
}

/// Values of a metric, of events the sum over all units that count it.
struct SummedRow<'a> {
    metric: String,
    place: PlaceInText,
    counters: Vec<&'a str>,
    values: Vec<Option<f64>>,
}

impl<'a> Table<'a> {
    fn summed_rows(&self) -> Vec<SummedRow<'a>> {
        let mut kinds_of: HashMap<&str, HashSet<String>> = HashMap::new();
        for row in &self.rows {
            kinds_of.entry(row.name).or_default().insert(kind_of_counter(row.counter));
        }
        let mut summed: Vec<SummedRow> = Vec::new();
        let mut place_of: HashMap<String, usize> = HashMap::new();
        for row in &self.rows {
            // With other options, or in other kinds of units, an event is another one.
            let metric = match kinds_of[row.name].len() {
                1 => row.name.to_owned(),
                _ => format!("{}:{}", row.name, kind_of_counter(row.counter)),
            };
            let at = *place_of.entry(metric.clone()).or_insert(summed.len());
            let Some(sum) = summed.get_mut(at) else {
                let counters = vec![row.counter];
                summed.push(SummedRow { metric, place: row.place, counters, values: row.values.clone() });
                continue;
            };
            sum.counters.push(row.counter);
            for (sum, value) in sum.values.iter_mut().zip(&row.values) {
                *sum = match (*sum, *value) {
                    (Some(sum), Some(value)) => Some(sum + value),
                    (sum, value) => sum.or(value),
                };
            }
        }
        summed
    }
}

/// A counter without the number of its unit, if it is one of several alike: `MBOXC0` of `MBOX3C0`. `PMC0` and `PMC1` are counters of one
/// thread, which count an event twice only if it has other options.
fn kind_of_counter(counter: &str) -> String {
    let end = counter.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(counter.len());
    let (unit, rest) = counter.split_at(end);
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    match behind.starts_with(|c: char| c.is_ascii_uppercase()) {
        true => format!("{unit}{behind}"),
        false => counter.to_owned(),
    }
}

/// A table whose lines are being read.
struct OpenTable<'a> {
    place: PlaceInText,
    table: Table<'a>,
    /// How many rows it announces behind its header, and how many were there.
    announced: Option<usize>,
    found: usize,
    /// Whether the header of the events or metrics was there: before it stands what is said of a region.
    has_header: bool,
    /// Where values of threads begin, and how many there are; statistics have none.
    threads: Option<(usize, usize)>,
}

impl<'a> OpenTable<'a> {
    fn of(fields: &[&'a str], place: PlaceInText) -> OpenTable<'a> {
        let region = fields.iter().find_map(|field| field.strip_prefix("Region "));
        let at = fields.iter().position(|field| field.starts_with("Group "));
        let mut words = at.map_or("", |at| fields[at]).splitn(3, ' ').skip(1);
        let group = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
        let (region, kind) = (region.unwrap_or(NO_REGION), words.next().unwrap_or_default());
        let announced = at.and_then(|at| fields.get(at + 2)?.parse().ok());
        let table = Table { region, group, kind, rows: Vec::new() };
        OpenTable { place, table, announced, found: 0, has_header: false, threads: None }
    }

    /// Whether a line can be one of it.
    fn is_open(&self) -> bool {
        !self.has_header || self.announced.is_none_or(|announced| self.found < announced)
    }

    fn take(&mut self, fields: &[&'a str], place: PlaceInText) -> Result<(), Error> {
        if matches!(fields[0], "Region Info" | "Metric" | "Event") && !self.has_header {
            self.has_header = fields[0] != "Region Info";
            let first = if fields[0] == "Event" { 2 } else { 1 };
            let count = fields.iter().skip(first).take_while(|field| is_thread(field)).count();
            self.threads = (count > 0 && first + count == fields.len()).then_some((first, count));
            return Ok(());
        }
        self.found += usize::from(self.has_header);
        let Some((first, count)) = self.threads else { return Ok(()) };
        let name = fields[0];
        let value = |field: &&str| match *field {
            "-" | "nan" | "-nan" | "nil" => Ok(None),
            field => field.parse().map(Some).map_err(|_| Error::Number {
                place,
                column: call_grammar::excerpt(name),
                text: call_grammar::excerpt(field),
            }),
        };
        let values: Vec<Option<f64>> =
            fields.iter().skip(first).take(count).map(value).collect::<Result<_, _>>()?;
        if values.len() < count {
            return Err(Error::FieldCount { place, expected: first + count, found: fields.len() });
        }
        let counter = if first == 2 { fields[1] } else { "" };
        self.table.rows.push(TableRow { place, name, counter, values });
        Ok(())
    }

    /// # Errors
    /// If rows are missing.
    fn finish(self) -> Result<Option<Table<'a>>, Error> {
        let announced = self.announced.unwrap_or(0);
        if self.found < announced {
            let problem = format!("the table announces {announced} rows, and {} follow", self.found);
            return Err(Error::Cut { place: self.place, problem });
        }
        Ok((!self.table.rows.is_empty()).then_some(self.table))
    }
}

/// Whether a heading is that of a thread: `HWThread 0`, `Core 0`, or `HOST:RANK:0` of likwid-mpirun.
fn is_thread(field: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = field.rsplitn(3, ':');
    field.starts_with("HWThread ")
        || field.starts_with("Core ")
        || parts.next().is_some_and(is_number)
            && parts.next().is_some_and(is_number)
            && parts.next().is_some()
}

/// The tables with values of threads.
///
/// # Errors
/// If one was cut.
fn tables(text: &str) -> Result<Vec<Table<'_>>, Error> {
    let mut found = Vec::new();
    let mut open: Option<OpenTable> = None;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let place = PlaceInText::Line(number);
        let is_whole = line.ends_with('\n');
        let line = line.trim_end().trim_end_matches(',');
        if line.is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let is_start = matches!(fields[0], "TABLE" | "STRUCT");
        if is_start && let Some(table) = open.take() {
            found.extend(table.finish()?);
        }
        if !is_whole && (is_start || open.as_ref().is_some_and(OpenTable::is_open)) {
            return Err(Error::Cut { place, problem: "the line has no end".to_owned() });
        }
        match fields[0] {
            "TABLE" => open = Some(OpenTable::of(&fields, place)),
            "STRUCT" => {}
            // What the program itself writes may stand behind a table.
            _ => open
                .as_mut()
                .filter(|table| table.is_open())
                .map_or(Ok(()), |table| table.take(&fields, place))?,
        }
    }
    if let Some(table) = open {
        found.extend(table.finish()?);
    }
    Ok(found)
}
