//! Packed files: zip, gzip, zlib and tar, unpacked in memory and within bounds.

use std::io::{Cursor, Read};

use crate::{Error, PlaceInText};

/// A file that is packed may become so large, whatever it says of itself.
pub(crate) const MOST_UNPACKED_BYTES: u64 = 1 << 30;

/// Entries of a zip archive, which are found by name; no file is ever written.
pub(crate) struct Packed<'a>(zip::ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Packed<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Packed<'a>, Error> {
        zip::ZipArchive::new(Cursor::new(bytes)).map(Packed).map_err(|error| Error::Packed {
            problem: format!(
                "no list of entries is found at its end ({error}): it was cut, or is no zip archive"
            ),
        })
    }

    /// Refuses what says of itself that it becomes too large, for readers that unpack by themselves.
    pub(crate) fn check_size(&self) -> Result<(), Error> {
        match self.0.decompressed_size() {
            Some(bytes) if bytes > u128::from(MOST_UNPACKED_BYTES) => {
                Err(Error::Packed { problem: format!("it becomes larger than {MOST_UNPACKED_BYTES} bytes") })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.index_for_name(name).is_some()
    }

    /// The bytes of an entry.
    pub(crate) fn entry(&mut self, name: &str) -> Result<Vec<u8>, Error> {
        let fail = |problem: String| Error::Packed { problem: format!("`{name}`: {problem}") };
        let entry = self.0.by_name(name).map_err(|error| fail(error.to_string()))?;
        unpacked(entry).map_err(fail)
    }
}

/// The bytes that gzip packed.
pub(crate) fn gunzipped(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    unpacked(flate2::read::MultiGzDecoder::new(bytes)).map_err(|problem| Error::Packed { problem })
}

/// The bytes that zlib packed, no more than so many.
pub(crate) fn inflated(bytes: &[u8], most: usize, into: &mut Vec<u8>) -> Result<(), String> {
    let before = into.len();
    let mut reader = flate2::read::ZlibDecoder::new(bytes).take(most as u64 + 1);
    reader.read_to_end(into).map_err(|error| error.to_string())?;
    if into.len() - before > most { Err(format!("more than {most} bytes")) } else { Ok(()) }
}

fn unpacked(reader: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    reader.take(MOST_UNPACKED_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_UNPACKED_BYTES {
        return Err(format!("it becomes larger than {MOST_UNPACKED_BYTES} bytes"));
    }
    Ok(bytes)
}

/// Name and bytes of each file of a tar archive. Check sums are not looked at: CubeWriter 4.8 writes wrong ones.
pub(crate) fn tar_entries(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, Error> {
    const BLOCK_BYTES: usize = 512;
    let mut entries = Vec::new();
    let mut at = 0;
    while at != bytes.len() {
        let fail = |problem: String| Error::Binary { place: PlaceInText::Byte(at as u64), problem };
        let block = bytes
            .get(at..at.saturating_add(BLOCK_BYTES))
            .ok_or_else(|| fail("the file was cut".to_owned()))?;
        if block.iter().all(|byte| *byte == 0) {
            break;
        }
        let header = tar::Header::from_byte_slice(block);
        let name = String::from_utf8_lossy(&header.path_bytes()).into_owned();
        let size = header.entry_size().ok().and_then(|size| usize::try_from(size).ok());
        let size = size.ok_or_else(|| fail("no entry of a tar archive begins here".to_owned()))?;
        let start = at + BLOCK_BYTES;
        let content = start.checked_add(size).and_then(|end| bytes.get(start..end)).ok_or_else(|| {
            let (name, rest) = (call_grammar::excerpt(&name), bytes.len().saturating_sub(start));
            fail(format!("`{name}` has {size} bytes, and {rest} are there: the file was cut"))
        })?;
        if header.entry_type().is_file() {
            entries.push((name, content));
        }
        at = start.saturating_add(size.div_ceil(BLOCK_BYTES).saturating_mul(BLOCK_BYTES));
    }
    Ok(entries)
}
