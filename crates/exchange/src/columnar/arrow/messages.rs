//! Where messages stand in a file or a stream.

use arrow_buffer::Buffer;

use super::broken;
use crate::bytes::Bytes;
use crate::{Error, PlaceInText};

/// What files begin and end with.
const MAGIC: &[u8] = b"ARROW1";
/// From the magic to the first message, and from the length of the footer to the end.
const START_BYTES: usize = 8;
const END_BYTES: usize = 10;
/// What stands before the length of a message, but in streams of before 2019.
const CONTINUATION: u32 = u32::MAX;

/// What was found in a file.
pub(super) struct SchemaAndMessages<'a> {
    pub(super) schema: SchemaBytes,
    /// Dictionaries and batches of rows, in the order in which they are to be read.
    pub(super) messages: Vec<ArrowMessage<'a>>,
}

/// What says what the columns are: a message, or the footer of a file.
pub(super) enum SchemaBytes {
    Message(Buffer),
    Footer(Buffer),
}

/// A message: its header, moved to where numbers may be read from, and what stands behind that.
pub(super) struct ArrowMessage<'a> {
    pub(super) header: Buffer,
    pub(super) body: &'a [u8],
}

impl SchemaBytes {
    pub(super) fn get(&self) -> Result<arrow_ipc::Schema<'_>, String> {
        let schema = match self {
            SchemaBytes::Message(bytes) => message(bytes)?.header_as_schema(),
            SchemaBytes::Footer(bytes) => footer(bytes)?.schema(),
        };
        schema.ok_or_else(|| "it does not say what its columns are".to_owned())
    }
}

/// Whether a file is one of Arrow.
pub(in super::super) fn is_arrow(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || bytes.starts_with(&CONTINUATION.to_le_bytes())
}

/// A header as the library knows it.
pub(super) fn message(header: &[u8]) -> Result<arrow_ipc::Message<'_>, String> {
    arrow_ipc::root_as_message(header).map_err(|error| format!("a header is damaged: {}", first_line(&error)))
}

fn footer(bytes: &[u8]) -> Result<arrow_ipc::Footer<'_>, String> {
    arrow_ipc::root_as_footer(bytes).map_err(|error| format!("its footer is damaged: {}", first_line(&error)))
}

/// The library goes on about where in its tables it was.
fn first_line(error: &impl ToString) -> String {
    error.to_string().lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// Finds the messages of a file or a stream.
pub(super) fn find(bytes: &[u8]) -> Result<SchemaAndMessages<'_>, Error> {
    if bytes.starts_with(MAGIC) { of_file(bytes) } else { of_stream(bytes) }
}

/// A file names its messages at its end: dictionaries may stand behind the rows that use them.
fn of_file(bytes: &[u8]) -> Result<SchemaAndMessages<'_>, Error> {
    let fail = |problem: &str| broken(PlaceInText::Byte(bytes.len() as u64), problem);
    let inside = bytes.get(START_BYTES..).and_then(|inside| inside.strip_suffix(MAGIC));
    let inside = inside.ok_or_else(|| fail("its end is missing: it was cut, or is being written"))?;
    let (rest, length) = inside.split_last_chunk().ok_or_else(|| fail("it has no footer"))?;
    let length = usize::try_from(i32::from_le_bytes(*length)).ok();
    let start = length.and_then(|length| rest.len().checked_sub(length));
    let start = start.ok_or_else(|| fail("its footer is longer than it"))?;
    let footer_bytes = Buffer::from(&rest[start..]);
    let footer = footer(&footer_bytes).map_err(|problem| fail(&problem))?;
    let blocks =
        footer.dictionaries().into_iter().flatten().chain(footer.recordBatches().into_iter().flatten());
    let end = bytes.len() - END_BYTES;
    let messages = blocks.map(|block| {
        let at = usize::try_from(block.offset()).unwrap_or(usize::MAX).min(end);
        let message = next(&mut Bytes::of(&bytes[..end], at))?;
        message.ok_or_else(|| broken(PlaceInText::Byte(at as u64), "no message stands there"))
    });
    let messages = messages.collect::<Result<_, _>>()?;
    Ok(SchemaAndMessages { schema: SchemaBytes::Footer(footer_bytes.clone()), messages })
}

/// A stream has its messages one behind the other, that of the columns first, and says where it ends.
fn of_stream(bytes: &[u8]) -> Result<SchemaAndMessages<'_>, Error> {
    let mut rest = Bytes::new(bytes);
    let first = next(&mut rest)?.ok_or(Error::Empty)?;
    let mut messages = Vec::new();
    while let Some(message) = next(&mut rest)? {
        messages.push(message);
    }
    Ok(SchemaAndMessages { schema: SchemaBytes::Message(first.header), messages })
}

/// What says what the columns are, where nothing stands behind it.
pub(super) fn schema(bytes: &[u8]) -> Result<SchemaBytes, Error> {
    let first = next(&mut Bytes::new(bytes))?.ok_or(Error::Empty)?;
    Ok(SchemaBytes::Message(first.header))
}

/// The message that begins here; none where a stream ends.
fn next<'a>(rest: &mut Bytes<'a>) -> Result<Option<ArrowMessage<'a>>, Error> {
    let place = PlaceInText::Byte(rest.at() as u64);
    if rest.is_at_end() {
        return Err(broken(place, "its end is missing: it was cut, or its writer was not closed"));
    }
    let length = match rest.u32()? {
        CONTINUATION => rest.u32()?,
        length => length,
    };
    if length == 0 {
        return Ok(None);
    }
    let header = Buffer::from(rest.take(length as usize)?);
    let body = message(&header).map_err(|problem| broken(place, &problem))?.bodyLength();
    let body = rest.take(usize::try_from(body).unwrap_or(usize::MAX))?;
    Ok(Some(ArrowMessage { header, body }))
}
