use call_trace::{Header, Trace};
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;

use super::KEY;
use super::columns::{Values, broken, columns};
use super::own::{About, ParquetSamples};
use crate::column::{DecimalSigns, FieldValue, FileColumn};
use crate::roles::{arrange, has_names};
use crate::{Error, FileFormat, Imported, Note, PlaceInText, ReadOptions, name};

/// What files of Parquet begin with.
pub(crate) const MAGIC: &[u8] = b"PAR1";

impl ParquetSamples {
    /// Reads a file that [`write_parquet`](super::write_parquet) wrote.
    ///
    /// # Errors
    /// If it is none, or another version.
    pub fn read(bytes: &[u8]) -> Result<ParquetSamples, Error> {
        let (about, columns) = file(bytes)?;
        match about {
            Some(about) => About::read(&about)?.samples(&columns),
            None => Err(Error::NotText { what: "a table of another tool", cure: "`load` it" }),
        }
    }
}

/// Whether a file is one that [`write_parquet`](super::write_parquet) wrote.
pub fn is_own_parquet(bytes: &[u8]) -> bool {
    let is_own = || {
        let file = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).ok()?;
        let pairs = file.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().any(|pair| pair.key == KEY).then_some(())
    };
    // The library panics at some damaged bytes.
    bytes.starts_with(MAGIC) && std::panic::catch_unwind(is_own).is_ok_and(|found| found.is_some())
}

/// What the key of ours says, and the columns.
type FileParts = (Option<String>, Vec<(String, Values)>);

/// Reads a file. The library that does it panics at some damaged bytes; nothing outlives that but the error.
fn file(bytes: &[u8]) -> Result<FileParts, Error> {
    std::panic::catch_unwind(|| parts(bytes)).unwrap_or_else(|_| {
        let problem = "this Parquet file cannot be read: what its pages hold is not what they say";
        Err(Error::Binary { place: PlaceInText::Byte(0), problem: problem.to_owned() })
    })
}

fn parts(bytes: &[u8]) -> Result<FileParts, Error> {
    let file = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes));
    let file = file.map_err(|error| broken(&error))?;
    let pairs = file.metadata().file_metadata().key_value_metadata();
    let about = pairs.and_then(|pairs| pairs.iter().find(|pair| pair.key == KEY)?.value.clone());
    Ok((about, columns(&file)?))
}

/// Reads samples, or a table of another tool.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let (about, columns) = file(bytes)?;
    match about {
        Some(about) => Ok(own(path_name, About::read(&about)?.samples(&columns)?)),
        None => table(path_name, columns, options),
    }
}

fn own(path_name: &str, found: ParquetSamples) -> Imported {
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
    Imported { format: FileFormat::Parquet, trace: Trace { header, experiments, ..Trace::default() }, notes }
}

fn table(path_name: &str, columns: Vec<(String, Values)>, options: &ReadOptions) -> Result<Imported, Error> {
    let (mut notes, mut arranged, mut rows) = (Vec::new(), Vec::new(), 0);
    let signs = DecimalSigns::new(options);
    for (name, values) in columns {
        let mut column = FileColumn::new(name.clone(), has_names(&name, options), &signs);
        let place = |row: usize| PlaceInText::Entry(row as u64 + 1);
        match values {
            Values::Numbers(numbers) => {
                rows = rows.max(numbers.len());
                for (row, number) in numbers.into_iter().enumerate().filter(|(_, number)| !number.is_nan()) {
                    column.push(row, FieldValue::Number(number), place(row));
                }
            }
            Values::Texts(texts) => {
                rows = rows.max(texts.len());
                for (row, text) in texts.iter().enumerate() {
                    column.push_field(row, text.as_deref().unwrap_or_default(), place(row));
                }
            }
            Values::None(reason) => {
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
    let (measurements, header) = arrange(path_name, arranged, places, options, &mut notes)?;
    measurements.import(FileFormat::Parquet, header, options, notes)
}
