//! Arrow: files and streams of its IPC format, as pyarrow, polars, DuckDB and R write them; Feather is the file.
//!
//! The library decodes single messages. Where they stand in the file, and what is packed in them, is found here: what a damaged file says of its
//! sizes is believed nowhere (Apache Arrow, "Arrow Columnar Format", Serialization and Interprocess Communication).

mod arrays;
mod messages;
mod unpacked;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_schema::{ArrowError, DataType, Schema, TimeUnit};

use super::KEY;
use super::values::{MOST_VALUES, NamedColumns, RowValues, ValueBudget};
use crate::{Error, PlaceInText};
pub(super) use messages::is_arrow;
use messages::{ArrowMessage, SchemaAndMessages};
use unpacked::Unpacker;

/// What stands behind our key, and the columns.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, NamedColumns), Error> {
    let SchemaAndMessages { schema, messages } = messages::find(bytes)?;
    let schema = decoded(schema)?;
    let names = schema.fields().iter().map(|field| field.name().clone());
    let kinds = schema.fields().iter().map(|field| arrays::values_of(field.data_type()));
    let mut columns: NamedColumns = names.zip(kinds).collect();
    // What is left out is not decoded.
    let is_read = |at: &usize| !matches!(columns[*at].1, RowValues::None(_));
    let wanted: Vec<usize> = (0..columns.len()).filter(is_read).collect();
    let about = schema.metadata().get(KEY).cloned();
    let schema = Arc::new(schema);
    let (mut dictionaries, mut room, mut unpacker) =
        (HashMap::new(), ValueBudget::default(), Unpacker::default());
    for ArrowMessage { header, body } in messages {
        let place =
            PlaceInText::Byte((body.as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize) as u64);
        let fail = |error: ArrowError| broken(place, &error.to_string());
        let (header, body) = unpacker.unpacked(header, body).map_err(|problem| broken(place, &problem))?;
        let message = messages::message(&header).map_err(|problem| broken(place, &problem))?;
        if let Some(batch) = message.header_as_dictionary_batch() {
            read_dictionary(&body, batch, &schema, &mut dictionaries, &message.version()).map_err(fail)?;
        } else if let Some(batch) = message.header_as_record_batch() {
            if !usize::try_from(batch.length()).is_ok_and(|rows| rows <= MOST_VALUES) {
                return Err(Error::TooManyValues { most: MOST_VALUES });
            }
            let version = message.version();
            let batch =
                read_record_batch(&body, batch, schema.clone(), &dictionaries, Some(&wanted), &version);
            for (at, array) in wanted.iter().zip(batch.map_err(fail)?.columns()) {
                arrays::append(&mut columns[*at].1, array, &mut room)?;
            }
        }
    }
    Ok((about, columns))
}

/// How many ticks the numbers of columns count in a second, of those columns of a schema that are spans of time.
pub(super) fn ticks_per_second(schema: &[u8]) -> HashMap<String, f64> {
    let Ok(schema) = messages::schema(schema).and_then(decoded) else {
        return HashMap::new();
    };
    let ticks = |unit: &TimeUnit| match unit {
        TimeUnit::Second => 1.0,
        TimeUnit::Millisecond => 1e3,
        TimeUnit::Microsecond => 1e6,
        TimeUnit::Nanosecond => 1e9,
    };
    let spans = schema.fields().iter().filter_map(|field| match field.data_type() {
        DataType::Duration(unit) => Some((field.name().clone(), ticks(unit))),
        _ => None,
    });
    spans.collect()
}

/// Whether a file has our key.
pub(super) fn is_own(bytes: &[u8]) -> bool {
    let schema = messages::find(bytes).and_then(|found| decoded(found.schema));
    schema.is_ok_and(|schema| schema.metadata().contains_key(KEY))
}

fn decoded(schema: messages::SchemaBytes) -> Result<Schema, Error> {
    let fail = |problem: &str| broken(PlaceInText::Byte(0), problem);
    let schema = schema.get().map_err(|problem| fail(&problem))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(fail("its numbers have another order of bytes than those of this computer"));
    }
    try_fb_to_schema(schema).map_err(|error| fail(&error.to_string()))
}

fn broken(place: PlaceInText, problem: &str) -> Error {
    Error::Binary { place, problem: format!("this Arrow file cannot be read: {problem}") }
}
