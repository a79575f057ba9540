//! `nsys stats --format csv`: tables of what was called how often, with the middle, mean and extremes of its times. Several may stand one
//! behind another.

use call_trace::Unit;
use csv::{ReaderBuilder, StringRecord, Trim};

use crate::benchmarks::{BenchmarkRun, Benchmarks, own_deviation};
use crate::measurements::RowSummary;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions, cube};

/// Names of the columns that are wanted, in the spellings that there are; behind those of times stands their unit.
const COUNT: &[&str] = &["Instances", "Num Calls", "Count", "Operations"];
const NAME: &[&str] = &["Name", "Operation", "Range"];
const MEDIAN: &str = "Med";
const MEAN: &str = "Avg";
const LEAST: &str = "Min";
const MOST: &str = "Max";
const DEVIATION: &str = "StdDev";

/// Whether a text has such a table: its header is one of the first lines.
pub(crate) fn is_nsys(text: &str) -> bool {
    text.lines()
        .take(40)
        .any(|line| line.starts_with("Time (%),") && line.contains(",Med (") && line.contains(",Avg ("))
}

/// Reads the tables. Values of parameters stand in the name of the folder, if they do.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut benchmarks = Benchmarks::default();
    let time = benchmarks.metrics.metrics.number("time");
    benchmarks.metrics.has_unit(time, Unit::Seconds);
    let parameters = cube::parameters_of(path_name);
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text.as_bytes());
    let mut header: Option<ColumnPlaces> = None;
    let mut record = StringRecord::new();
    // The text is UTF-8, and rows may have any length.
    while reader.read_record(&mut record).unwrap_or(false) {
        let place = PlaceInText::Line(record.position().map_or(1, csv::Position::line));
        if record.get(0) == Some("Time (%)") {
            header = ColumnPlaces::of(&record);
            continue;
        }
        let Some(columns) = header.as_ref().filter(|columns| columns.count_of_fields == record.len()) else {
            // Between tables stands what is said of them.
            header = None;
            continue;
        };
        let numbers = SummaryRow { columns, record: &record, place };
        let count = numbers.value(columns.count, "Instances")?.max(1.0) as u64;
        let name = record.get(columns.name).unwrap_or_default().to_owned();
        let run = BenchmarkRun { name, numbers: parameters.clone(), place };
        let deviation = columns.deviation.map(|at| numbers.time(at, DEVIATION)).transpose()?;
        let summary = RowSummary {
            count,
            mean: numbers.time(columns.mean, MEAN)?,
            standard_deviation: own_deviation(deviation.unwrap_or(0.0), count),
            least: numbers.time(columns.least, LEAST)?,
            most: numbers.time(columns.most, MOST)?,
        };
        benchmarks.push_summary(&run, time, numbers.time(columns.median, MEDIAN)?, summary)?;
    }
    if benchmarks.metrics.is_empty() {
        return Err(Error::NoResults { list: "Time (%)" });
    }
    benchmarks.metrics.import(FileFormat::NsightSystems, path_name, options)
}

/// Where the columns of a table stand.
struct ColumnPlaces {
    count_of_fields: usize,
    count: usize,
    name: usize,
    median: usize,
    mean: usize,
    least: usize,
    most: usize,
    deviation: Option<usize>,
    unit: Unit,
}

impl ColumnPlaces {
    fn of(header: &StringRecord) -> Option<ColumnPlaces> {
        let named = |names: &[&str]| header.iter().position(|field| names.contains(&field));
        let of_time = |name: &str| {
            header
                .iter()
                .position(|field| field.strip_prefix(name).is_some_and(|rest| rest.starts_with(" (")))
        };
        let median = of_time(MEDIAN)?;
        let unit = header.get(median)?.rsplit_once('(')?.1.trim_end_matches(')');
        Some(ColumnPlaces {
            count_of_fields: header.len(),
            count: named(COUNT)?,
            name: named(NAME)?,
            median,
            mean: of_time(MEAN)?,
            least: of_time(LEAST)?,
            most: of_time(MOST)?,
            deviation: of_time(DEVIATION),
            unit: Unit::of_time(unit)?,
        })
    }
}

struct SummaryRow<'a> {
    columns: &'a ColumnPlaces,
    record: &'a StringRecord,
    place: PlaceInText,
}

impl SummaryRow<'_> {
    fn value(&self, at: usize, column: &str) -> Result<f64, Error> {
        let text = self.record.get(at).unwrap_or_default();
        let wrong = || Error::Number {
            place: self.place,
            column: column.to_owned(),
            text: call_grammar::excerpt(text),
        };
        text.replace(',', "").parse().map_err(|_| wrong())
    }

    fn time(&self, at: usize, column: &str) -> Result<f64, Error> {
        self.value(at, column).map(|value| self.columns.unit.to_base(value))
    }
}
