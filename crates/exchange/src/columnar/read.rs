use call_trace::{Header, Trace};

use super::own::{ColumnarSamples, FileContents};
use super::values::{NamedColumns, RowValues};
use super::{arrow, parquet};
use crate::column::{DecimalSigns, FieldValue, FileColumn};
use crate::roles::{arrange, has_names};
use crate::{
    Error, FileFormat, Imported, LeftOutReason, Note, OriginalNames, PlaceInText, ReadOptions, name,
};

impl ColumnarSamples {
    /// Reads a file that [`write_parquet`](super::write_parquet) wrote, or one of Arrow that was made of it.
    ///
    /// # Errors
    /// If it is none, or another version.
    pub fn read(bytes: &[u8]) -> Result<ColumnarSamples, Error> {
        let (about, columns) = parts(format_of(bytes).unwrap_or(FileFormat::Parquet), bytes)?;
        match about {
            Some(about) => FileContents::read(&about)?.samples(&columns),
            None => Err(Error::NotText { what: "a table of another tool", cure: "`load` it" }),
        }
    }
}

/// The format of a file of columns; none of other files.
pub(crate) fn format_of(bytes: &[u8]) -> Option<FileFormat> {
    match () {
        () if bytes.starts_with(parquet::MAGIC) => Some(FileFormat::Parquet),
        () if arrow::is_arrow(bytes) => Some(FileFormat::Arrow),
        () => None,
    }
}

/// Whether a file is one that [`ColumnarSamples::read`] reads.
pub fn is_own_table(bytes: &[u8]) -> bool {
    let is_own = match format_of(bytes) {
        Some(FileFormat::Parquet) => parquet::is_own,
        Some(_) => arrow::is_own,
        None => return false,
    };
    // The libraries panic at some damaged bytes.
    std::panic::catch_unwind(|| is_own(bytes)).unwrap_or(false)
}

/// What stands behind our key, and the columns. The libraries that read files panic at some damaged bytes; nothing outlives that but the error.
fn parts(format: FileFormat, bytes: &[u8]) -> Result<(Option<String>, NamedColumns), Error> {
    let read = || if format == FileFormat::Arrow { arrow::read(bytes) } else { parquet::read(bytes) };
    std::panic::catch_unwind(read).unwrap_or_else(|_| {
        let problem = format!("{format} cannot be read: what its parts hold is not what they say");
        Err(Error::Binary { place: PlaceInText::Byte(0), problem })
    })
}

/// Reads samples, or a table of another tool.
pub(crate) fn read(
    format: FileFormat,
    path_name: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Imported, Error> {
    let (about, columns) = parts(format, bytes)?;
    match about {
        Some(about) => {
            let samples = FileContents::read(&about)?.samples(&columns)?;
            Ok(own(format, path_name, samples, options.names.clone()))
        }
        None => table(format, path_name, columns, options),
    }
}

fn own(format: FileFormat, path_name: &str, found: ColumnarSamples, names: OriginalNames) -> Imported {
    let mut experiments = found.experiments;
    for experiment in &mut experiments {
        experiment.samples.run.fill(0);
        experiment.summaries.points.run.fill(0);
    }
    let notes = match found.runs.len() {
        0 | 1 => Vec::new(),
        count => vec![Note::Runs { count }],
    };
    let header = Header { program: name::of_file(path_name), ..Header::default() };
    Imported { format, trace: Trace { header, experiments, ..Trace::default() }, notes, names }
}

fn table(
    format: FileFormat,
    path_name: &str,
    columns: NamedColumns,
    options: &ReadOptions,
) -> Result<Imported, Error> {
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    let options = &options.of_columns(&names);
    let (mut notes, mut arranged, mut rows) = (Vec::new(), Vec::new(), 0);
    let signs = DecimalSigns::new(options);
    for (name, values) in columns {
        let mut column = FileColumn::new(name.clone(), has_names(&name, options), &signs);
        let place = |row: usize| PlaceInText::Entry(row as u64 + 1);
        rows = rows.max(values.len());
        match values {
            RowValues::Numbers(numbers) => {
                for (row, number) in numbers.into_iter().enumerate().filter(|(_, number)| !number.is_nan()) {
                    column.push(row, FieldValue::Number(number), place(row));
                }
            }
            RowValues::Seconds(times_s) => {
                for (row, time_s) in times_s.into_iter().enumerate().filter(|(_, time_s)| !time_s.is_nan()) {
                    column.push(row, FieldValue::Seconds(time_s), place(row));
                }
            }
            RowValues::Texts(texts) => {
                for (row, text) in texts.iter().enumerate() {
                    column.push_field(row, text.as_deref().unwrap_or_default(), place(row));
                }
            }
            RowValues::None(reason) => {
                notes.push(Note::LeftOut { names: vec![name], reason });
                continue;
            }
        }
        arranged.push(column);
    }
    if rows == 0 {
        return Err(Error::Empty);
    }
    let places = (1..=rows as u64).map(PlaceInText::Entry).collect();
    let interval = notes.iter().find_map(|note| match note {
        Note::LeftOut { names, reason: LeftOutReason::Interval } => names.first().cloned(),
        _ => None,
    });
    let arranged = arrange(path_name, arranged, places, options, &mut notes);
    let (measurements, header) = match (arranged, interval) {
        // It may have been the time.
        (Err(Error::NoTimeColumn { .. }), Some(column)) => return Err(Error::Interval { column }),
        (result, _) => result?,
    };
    measurements.import(format, header, options, notes)
}
