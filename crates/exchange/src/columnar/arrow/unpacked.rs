//! What is packed in messages, unpacked within bounds. The library would make room for as much as a buffer says of itself.

use std::io::Read;

use arrow_buffer::Buffer;
use arrow_ipc::{
    CompressionType, DictionaryBatch, DictionaryBatchArgs, FieldNode, Message, MessageArgs, RecordBatch,
    RecordBatchArgs,
};
use flatbuffers::{FlatBufferBuilder, WIPOffset};
use ruzstd::decoding::StreamingDecoder;

use super::messages;
use crate::packed::MOST_UNPACKED_BYTES;

/// Each buffer begins at a multiple of this.
const ALIGNMENT_BYTES: usize = 8;
/// Stands for the length of what is not packed.
const NOT_PACKED: i64 = -1;

/// Unpacks the messages of a file, which together may become so large.
#[derive(Default)]
pub(super) struct Unpacker {
    unpacked_bytes: u64,
}

impl Unpacker {
    /// A message with nothing packed in it.
    pub(super) fn unpacked(&mut self, header: Buffer, body: &[u8]) -> Result<(Buffer, Buffer), String> {
        let message = messages::message(&header)?;
        let dictionary = message.header_as_dictionary_batch();
        let batch = dictionary.and_then(|its| its.data()).or_else(|| message.header_as_record_batch());
        let Some(batch) = batch else { return Ok((header.clone(), Buffer::from(body))) };
        let places = batch.buffers().into_iter().flatten();
        let buffers = places.map(|place| part(body, place)).collect::<Option<Vec<&[u8]>>>();
        let buffers = buffers.ok_or("a buffer does not stand in its message")?;
        let Some(compression) = batch.compression() else { return Ok((header.clone(), Buffer::from(body))) };
        let (mut whole, mut places) = (Vec::new(), Vec::new());
        for packed in buffers {
            let at = whole.len();
            self.append(packed, compression.codec(), &mut whole)?;
            places.push(arrow_ipc::Buffer::new(at as i64, (whole.len() - at) as i64));
            whole.resize(whole.len().next_multiple_of(ALIGNMENT_BYTES), 0);
        }
        let header = Buffer::from(header_of(&message, &batch, dictionary.as_ref(), &places, whole.len()));
        Ok((header, Buffer::from(whole)))
    }

    /// Unpacks a buffer, before which its length stands.
    fn append(&mut self, packed: &[u8], codec: CompressionType, whole: &mut Vec<u8>) -> Result<(), String> {
        // What is empty has not even a length.
        let Some((length, packed)) = packed.split_first_chunk() else {
            return if packed.is_empty() { Ok(()) } else { Err("a packed buffer is too short".to_owned()) };
        };
        let length = i64::from_le_bytes(*length);
        if length == NOT_PACKED {
            whole.extend_from_slice(packed);
            return Ok(());
        }
        let length = u64::try_from(length).map_err(|_| format!("a buffer has {length} bytes"))?;
        self.unpacked_bytes = self.unpacked_bytes.saturating_add(length);
        if self.unpacked_bytes > MOST_UNPACKED_BYTES {
            return Err(format!("unpacked it becomes larger than {MOST_UNPACKED_BYTES} bytes"));
        }
        let fail = |error: &dyn ToString| format!("a packed buffer is damaged: {}", error.to_string());
        let before = whole.len();
        // One more than is wanted, to see whether there is more. What comes makes the room, not what is said.
        let found = match codec {
            _ if length == 0 => Ok(0),
            CompressionType::LZ4_FRAME => {
                lz4_flex::frame::FrameDecoder::new(packed).take(length + 1).read_to_end(whole)
            }
            CompressionType::ZSTD => StreamingDecoder::new(packed)
                .map_err(|error| fail(&error))?
                .take(length + 1)
                .read_to_end(whole),
            _ => return Err("it is packed with something other than LZ4 and Zstandard".to_owned()),
        };
        found.map_err(|error| fail(&error))?;
        let found = (whole.len() - before) as u64;
        if found == length {
            Ok(())
        } else {
            Err(format!("a buffer has not the {length} bytes that it says"))
        }
    }
}

/// The bytes of a buffer.
fn part<'a>(body: &'a [u8], place: &arrow_ipc::Buffer) -> Option<&'a [u8]> {
    let start = usize::try_from(place.offset()).ok()?;
    body.get(start..start.checked_add(usize::try_from(place.length()).ok()?)?)
}

/// The header of a message whose buffers stand elsewhere, unpacked.
fn header_of(
    message: &Message,
    batch: &RecordBatch,
    dictionary: Option<&DictionaryBatch>,
    buffers: &[arrow_ipc::Buffer],
    body_bytes: usize,
) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let nodes: Option<Vec<FieldNode>> = batch.nodes().map(|nodes| nodes.iter().copied().collect());
    let counts: Option<Vec<i64>> = batch.variadicBufferCounts().map(|counts| counts.iter().collect());
    let args = RecordBatchArgs {
        length: batch.length(),
        nodes: nodes.map(|nodes| builder.create_vector(&nodes)),
        buffers: Some(builder.create_vector(buffers)),
        compression: None,
        variadicBufferCounts: counts.map(|counts| builder.create_vector(&counts)),
    };
    let data = RecordBatch::create(&mut builder, &args);
    let union = match dictionary {
        Some(its) => {
            let args = DictionaryBatchArgs { id: its.id(), data: Some(data), isDelta: its.isDelta() };
            DictionaryBatch::create(&mut builder, &args).as_union_value()
        }
        None => data.as_union_value(),
    };
    let args = MessageArgs {
        version: message.version(),
        header_type: message.header_type(),
        header: Some(union),
        bodyLength: body_bytes as i64,
        custom_metadata: None,
    };
    let root: WIPOffset<Message> = Message::create(&mut builder, &args);
    builder.finish(root, None);
    builder.finished_data().to_vec()
}
