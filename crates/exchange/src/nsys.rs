//! `nsys stats --format csv`: tables of what was called how often, with the middle, mean and extremes of its times. Several may stand one
//! behind another.

use call_trace::Unit;
use csv::{ReaderBuilder, StringRecord, Trim};

use crate::benchmarks::{BenchmarkRun, Benchmarks, own_deviation};
use crate::measurements::RowSummary;
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, Note, PlaceInText, ReadOptions, cube};

/// Names of the columns that are wanted, in the spellings that there are; behind those of times stands their unit, which reports of before
/// 2021 leave out.
const SHARE: &[&str] = &["Time (%)", "Time(%)"];
const COUNT: &[&str] = &["Instances", "Num Calls", "Count", "Operations"];
const NAME: &[&str] = &["Name", "Operation", "Range"];
/// Columns that tell rows of one name apart.
const SORTS: &[&str] = &["Style", "Category", "Source"];
const MEDIAN: &[&str] = &["Med", "Median"];
const MEAN: &[&str] = &["Avg", "Average"];
const LEAST: &[&str] = &["Min", "Minimum"];
const MOST: &[&str] = &["Max", "Maximum"];
const DEVIATION: &[&str] = &["StdDev"];
/// Sizes of grids and blocks: three numbers each.
const SHAPES: [(&str, [&str; 3]); 2] =
    [("GridXYZ", ["gridX", "gridY", "gridZ"]), ("BlockXYZ", ["blockX", "blockY", "blockZ"])];

/// Whether a text has such a table: its header is one of the first lines.
pub(crate) fn is_nsys(text: &str) -> bool {
    let is_header = |line: &str| {
        let fields: Vec<&str> = line.split(',').map(|field| field.trim().trim_matches('"')).collect();
        SHARE.contains(&fields[0]) && ColumnPlaces::of(&StringRecord::from(fields)).is_some()
    };
    text.lines().take(40).any(is_header)
}

/// A row of a table.
struct StatisticsRow {
    name: NameLengths,
    place: PlaceInText,
    shape: Vec<(&'static str, f64)>,
    median: f64,
    summary: RowSummary,
}

/// Reads the tables. Values of parameters stand in the name of the folder, if they do.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut benchmarks = Benchmarks::default();
    let time = benchmarks.metrics.metrics.number("time");
    benchmarks.metrics.has_unit(time, Unit::Seconds);
    let parameters = cube::parameters_of(path_name);
    let rows = rows(text, &mut benchmarks.metrics.notes)?;
    // Where nothing has a second or third dimension, there is nothing to say of it.
    let is_constant = |name: &str| {
        let is_first = SHAPES.iter().any(|(_, names)| names[0] == name);
        let is_one = |row: &StatisticsRow| row.shape.iter().all(|(its, value)| *its != name || *value == 1.0);
        !is_first && rows.iter().all(is_one)
    };
    let unused: Vec<&str> =
        SHAPES.iter().flat_map(|(_, names)| names).copied().filter(|name| is_constant(name)).collect();
    for row in rows {
        let mut run = BenchmarkRun::new(row.name, row.place);
        run.numbers.clone_from(&parameters);
        let shape = row.shape.iter().filter(|(name, _)| !unused.contains(name));
        run.numbers.extend(shape.map(|(name, value)| ((*name).to_owned(), *value)));
        benchmarks.push_summary(&run, time, row.median, row.summary)?;
    }
    if benchmarks.metrics.is_empty() {
        return Err(Error::NoResults { list: "Time (%)" });
    }
    benchmarks.metrics.import(FileFormat::NsightSystems, path_name, options)
}

/// The rows of all tables.
///
/// # Errors
/// If one was cut, or has no numbers where they must stand.
fn rows(text: &str, notes: &mut Vec<Note>) -> Result<Vec<StatisticsRow>, Error> {
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text.as_bytes());
    let mut header: Option<ColumnPlaces> = None;
    let mut record = StringRecord::new();
    let mut rows = Vec::new();
    // The text is UTF-8, and rows may have any length.
    while reader.read_record(&mut record).unwrap_or(false) {
        let place = PlaceInText::Line(record.position().map_or(1, csv::Position::line));
        let first = record.get(0).unwrap_or_default();
        if SHARE.contains(&first) {
            header = ColumnPlaces::of(&record);
            continue;
        }
        // Between tables stands what is said of them.
        let is_row = first.replace(',', "").parse::<f64>().is_ok();
        let Some(columns) = header.as_ref().filter(|_| is_row) else {
            header = None;
            continue;
        };
        let is_last = reader.position().byte() as usize >= text.trim_end().len();
        if columns.count_of_fields != record.len() {
            let (expected, found) = (columns.count_of_fields, record.len());
            return Err(match is_last && found < expected {
                true => Error::Cut { place, problem: format!("{found} of {expected} fields") },
                false => Error::FieldCount { place, expected, found },
            });
        }
        if is_last && !text.ends_with('\n') {
            return Err(Error::Cut { place, problem: "the line has no end".to_owned() });
        }
        let note = Note::NoMedian;
        if columns.median.is_none() && !notes.contains(&note) {
            notes.push(note);
        }
        rows.push(columns.row(&record, place)?);
    }
    Ok(rows)
}

/// Where the columns of a table stand.
struct ColumnPlaces {
    count_of_fields: usize,
    /// What it counts and names, as `Instances` of a `Name`: those of another table are other things.
    kind: String,
    count: usize,
    name: usize,
    sorts: Vec<usize>,
    median: Option<usize>,
    mean: usize,
    least: usize,
    most: usize,
    deviation: Option<usize>,
    /// Columns of three numbers, with what those are called.
    shapes: Vec<(usize, [&'static str; 3])>,
    unit: Unit,
}

impl ColumnPlaces {
    fn of(header: &StringRecord) -> Option<ColumnPlaces> {
        let named = |names: &[&str]| header.iter().position(|field| names.contains(&field));
        let of_time = |names: &[&str]| {
            let is_one = |field: &str, name: &&str| {
                field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
            };
            header.iter().position(|field| names.iter().any(|name| is_one(field, name)))
        };
        let mean = of_time(MEAN)?;
        // Without one they are nanoseconds.
        let unit = match header.get(mean)?.rsplit_once('(') {
            Some((_, unit)) => Unit::of_time(unit.trim_end_matches(')'))?,
            None => Unit::Nanoseconds,
        };
        let (count, name) = (named(COUNT)?, named(NAME)?);
        let kind = format!("{} {}", header.get(name)?, header.get(count)?.replace("Operations", "Count"));
        let shape = |(column, names): (&str, [&'static str; 3])| Some((named(&[column])?, names));
        Some(ColumnPlaces {
            count_of_fields: header.len(),
            kind,
            count,
            name,
            sorts: SORTS.iter().filter_map(|sort| named(&[sort])).collect(),
            median: of_time(MEDIAN),
            mean,
            least: of_time(LEAST)?,
            most: of_time(MOST)?,
            deviation: of_time(DEVIATION),
            shapes: SHAPES.into_iter().filter_map(shape).collect(),
            unit,
        })
    }

    fn row(&self, record: &StringRecord, place: PlaceInText) -> Result<StatisticsRow, Error> {
        let wrong = |column: &str, text: &str| Error::Number {
            place,
            column: column.to_owned(),
            text: call_grammar::excerpt(text),
        };
        let value = |at: usize, column: &str| {
            let text = record.get(at).unwrap_or_default();
            text.replace(',', "").parse::<f64>().map_err(|_| wrong(column, text))
        };
        let time = |at: usize, names: &[&str]| value(at, names[0]).map(|value| self.unit.to_base(value));
        let count = value(self.count, "Instances")?.max(1.0) as u64;
        let deviation = self.deviation.map(|at| time(at, DEVIATION)).transpose()?;
        let mean = time(self.mean, MEAN)?;
        let summary = RowSummary {
            count,
            mean,
            standard_deviation: own_deviation(deviation.unwrap_or(0.0), count),
            least: time(self.least, LEAST)?,
            most: time(self.most, MOST)?,
        };
        let mut shape = Vec::new();
        for (at, names) in &self.shapes {
            let text = record.get(*at).unwrap_or_default();
            let numbers: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.len() == names.len());
            shape.extend(
                names.iter().copied().zip(numbers.ok_or_else(|| wrong(&names[0].replace('X', "XYZ"), text))?),
            );
        }
        let name = record.get(self.name).unwrap_or_default();
        let sorts = self.sorts.iter().filter_map(|at| record.get(*at));
        let longer = std::iter::once(name).chain(sorts).collect::<Vec<_>>().join(" ");
        let longest = format!("{longer} {}", self.kind);
        Ok(StatisticsRow {
            name: NameLengths::new([name.to_owned(), longer, longest]),
            place,
            shape,
            median: self.median.map_or(Ok(mean), |at| time(at, MEDIAN))?,
            summary,
        })
    }
}
