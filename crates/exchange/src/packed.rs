//! Packed files, unpacked in memory and within bounds.

use std::io::{Cursor, Read};

use crate::Error;

/// A file that is packed may become so large, whatever it says of itself.
const MOST_UNPACKED_BYTES: u64 = 1 << 30;

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

fn unpacked(reader: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    reader.take(MOST_UNPACKED_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_UNPACKED_BYTES {
        return Err(format!("it becomes larger than {MOST_UNPACKED_BYTES} bytes"));
    }
    Ok(bytes)
}
