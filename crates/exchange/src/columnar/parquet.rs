//! The columns of a file of Parquet.

use parquet::basic::{Compression, ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::ColumnDescriptor;

use super::values::{MOST_VALUES, NamedColumns, RowValues, ValueBudget};
use super::{KEY, arrow};
use crate::{Error, LeftOutReason, PlaceInText};

/// What files of Parquet begin with.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// What stands behind our key, and the columns.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, NamedColumns), Error> {
    let file = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes));
    let file = file.map_err(|error| broken(&error))?;
    Ok((about(&file), columns(&file)?))
}

/// Whether a file has our key.
pub(super) fn is_own(bytes: &[u8]) -> bool {
    SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).is_ok_and(|file| about(&file).is_some())
}

fn about(file: &dyn FileReader) -> Option<String> {
    value(file, KEY)
}

/// What stands behind a key of the file.
fn value(file: &dyn FileReader, key: &str) -> Option<String> {
    file.metadata().file_metadata().key_value_metadata()?.iter().find(|pair| pair.key == key)?.value.clone()
}

/// Behind it stands, as a message of Arrow in base64, what columns were before they became those of Parquet, which knows no spans of time.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Reads all columns with their names.
fn columns(file: &dyn FileReader) -> Result<NamedColumns, Error> {
    check_compression(file)?;
    let schema = file.metadata().file_metadata().schema_descr();
    let before = value(file, ARROW_SCHEMA).and_then(|text| base64(&text));
    let spans = before.map(|schema| arrow::ticks_per_second(&schema)).unwrap_or_default();
    let mut room = ValueBudget::default();
    let mut columns = Vec::new();
    for position in 0..schema.num_columns() {
        let descriptor = schema.column(position);
        let mut column = ParquetColumn::of(&descriptor, spans.get(&descriptor.path().string()).copied());
        for group in 0..file.num_row_groups() {
            let before = column.values.len();
            column.read(file, group, position).map_err(|error| broken(&error))?;
            room.take(column.values.len() - before)?;
        }
        columns.push((descriptor.path().string(), column.values));
    }
    Ok(columns)
}

/// What polars and others use if nothing is said is not read here.
fn check_compression(file: &dyn FileReader) -> Result<(), Error> {
    let columns = file.metadata().row_groups().iter().flat_map(|group| group.columns());
    let is_read = |compression: Compression| {
        matches!(compression, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_))
    };
    match columns.map(|column| column.compression()).all(is_read) {
        true => Ok(()),
        false => Err(Error::NotText {
            what: "a Parquet file with a compression other than Snappy and gzip",
            cure: "write it with one of these: `compression=\"snappy\"`",
        }),
    }
}

fn broken(error: &ParquetError) -> Error {
    Error::Binary {
        place: PlaceInText::Byte(0),
        problem: format!("this Parquet file cannot be read: {error}"),
    }
}

struct ParquetColumn {
    values: RowValues,
    /// What a whole number is divided by.
    scale: f64,
    is_unsigned: bool,
    most_definition: i16,
}

impl ParquetColumn {
    /// `ticks_per_second` of a span of time.
    fn of(descriptor: &ColumnDescriptor, ticks_per_second: Option<f64>) -> ParquetColumn {
        let logical = descriptor.logical_type_ref();
        let converted = descriptor.converted_type();
        let is_moment = matches!(
            logical,
            Some(LogicalType::Timestamp { .. } | LogicalType::Date | LogicalType::Time { .. })
        ) || matches!(
            converted,
            ConvertedType::DATE
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
        );
        let decimals = match logical {
            Some(LogicalType::Decimal(decimal)) => Some(decimal.scale),
            _ => (converted == ConvertedType::DECIMAL).then(|| descriptor.type_scale()),
        };
        let physical = descriptor.physical_type();
        use parquet::basic::Type as Physical;
        let values = match physical {
            _ if descriptor.max_rep_level() > 0 || descriptor.path().parts().len() > 1 => {
                RowValues::None(LeftOutReason::Nested)
            }
            _ if is_moment => RowValues::None(LeftOutReason::Moment),
            _ if converted == ConvertedType::INTERVAL => RowValues::None(LeftOutReason::Interval),
            Physical::INT96 => RowValues::None(LeftOutReason::Moment),
            Physical::INT64 if ticks_per_second.is_some() => RowValues::Seconds(Vec::new()),
            Physical::FIXED_LEN_BYTE_ARRAY | Physical::BYTE_ARRAY if decimals.is_some() => {
                RowValues::Numbers(Vec::new())
            }
            Physical::FIXED_LEN_BYTE_ARRAY => RowValues::None(LeftOutReason::Text),
            Physical::BYTE_ARRAY => RowValues::Texts(Vec::new()),
            _ => RowValues::Numbers(Vec::new()),
        };
        let scale = decimals.map(|decimals| 10f64.powi(decimals)).or(ticks_per_second).unwrap_or(1.0);
        let is_unsigned = matches!(converted, ConvertedType::UINT_64 | ConvertedType::UINT_32);
        ParquetColumn { values, scale, is_unsigned, most_definition: descriptor.max_def_level() }
    }

    fn read(&mut self, file: &dyn FileReader, group: usize, position: usize) -> Result<(), ParquetError> {
        if matches!(self.values, RowValues::None(_)) {
            return Ok(());
        }
        let group = file.get_row_group(group)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0).min(MOST_VALUES + 1);
        let (scale, is_unsigned) = (self.scale, self.is_unsigned);
        match group.get_column_reader(position)? {
            ColumnReader::BoolColumnReader(reader) => {
                self.numbers(reader, rows, |it| f64::from(u8::from(*it)))
            }
            ColumnReader::Int32ColumnReader(reader) => self.numbers(reader, rows, |it| match is_unsigned {
                true => f64::from(*it as u32),
                false => f64::from(*it) / scale,
            }),
            ColumnReader::Int64ColumnReader(reader) => self.numbers(reader, rows, |it| match is_unsigned {
                true => *it as u64 as f64,
                false => *it as f64 / scale,
            }),
            ColumnReader::FloatColumnReader(reader) => self.numbers(reader, rows, |it| f64::from(*it)),
            ColumnReader::DoubleColumnReader(reader) => self.numbers(reader, rows, |it| *it),
            ColumnReader::ByteArrayColumnReader(reader) => {
                let text = |bytes: &parquet::data_type::ByteArray| {
                    Some(String::from_utf8_lossy(bytes.data()).into_owned())
                };
                if matches!(self.values, RowValues::Numbers(_)) {
                    return self.numbers(reader, rows, |bytes| big_endian(bytes.data()) / scale);
                }
                let read = read_values(reader, rows, self.most_definition, None, text)?;
                if let RowValues::Texts(texts) = &mut self.values {
                    texts.extend(read);
                }
                Ok(())
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                self.numbers(reader, rows, |bytes| big_endian(bytes.data()) / scale)
            }
            _ => Ok(()),
        }
    }

    fn numbers<T: DataType>(
        &mut self,
        reader: ColumnReaderImpl<T>,
        rows: usize,
        number: impl Fn(&T::T) -> f64,
    ) -> Result<(), ParquetError> {
        let read = read_values(reader, rows, self.most_definition, f64::NAN, number)?;
        if let RowValues::Numbers(numbers) | RowValues::Seconds(numbers) = &mut self.values {
            numbers.extend(read);
        }
        Ok(())
    }
}

/// A whole number in two's complement, its highest byte first.
fn big_endian(bytes: &[u8]) -> f64 {
    let is_negative = bytes.first().is_some_and(|first| *first >= 0x80);
    // Of a negative one the complement is added up, which loses no digits.
    let part = |byte: &u8| f64::from(if is_negative { !*byte } else { *byte });
    let sum = bytes.iter().fold(0.0, |sum, byte| 256.0 * sum + part(byte));
    if is_negative { -sum - 1.0 } else { sum }
}

/// The bytes of a text in base64 (RFC 4648, section 4), if it is one.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(digit(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

/// The values of a column in a group of rows, with `none` where there is none.
fn read_values<T: DataType, V: Clone>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    most_definition: i16,
    none: V,
    value: impl Fn(&T::T) -> V,
) -> Result<Vec<V>, ParquetError> {
    let (mut values, mut levels, mut found) = (Vec::new(), Vec::new(), 0);
    while found < rows {
        let (records, ..) = reader.read_records(rows - found, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Err(ParquetError::General(format!("a column has {found} of {rows} rows")));
        }
        found += records;
    }
    if most_definition == 0 {
        return Ok(values.iter().map(value).collect());
    }
    let mut values = values.iter().map(value);
    let one = |level: &i16| if *level == most_definition { values.next() } else { None };
    Ok(levels.iter().map(one).map(|found| found.unwrap_or_else(|| none.clone())).collect())
}
