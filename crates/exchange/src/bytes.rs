//! Numbers and texts in binary files.

use crate::{Error, PlaceInText};

/// Reads bytes from their start, each once.
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    is_big_endian: bool,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes::of(bytes, 0)
    }

    /// The same from a place on.
    pub(crate) fn of(bytes: &'a [u8], at: usize) -> Bytes<'a> {
        Bytes { bytes, at, is_big_endian: false }
    }

    /// Says in which order the bytes of a number stand from here on.
    pub(crate) fn is_big_endian(&mut self, is_big_endian: bool) {
        self.is_big_endian = is_big_endian;
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a place where it was.
    pub(crate) fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// An error at the place that was read last.
    pub(crate) fn error(&self, problem: impl Into<String>) -> Error {
        Error::Binary { place: PlaceInText::Byte(self.at as u64), problem: problem.into() }
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let end = self.at.checked_add(length);
        let found = end.and_then(|end| self.bytes.get(self.at..end));
        let found = found.ok_or_else(|| {
            self.error(format!(
                "the file ends {} bytes behind this, and {length} are wanted",
                self.rest().len()
            ))
        })?;
        self.at += length;
        Ok(found)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        if self.is_big_endian {
            array.reverse();
        }
        Ok(array)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_le_bytes)
    }

    pub(crate) fn f64(&mut self) -> Result<f64, Error> {
        self.array().map(f64::from_le_bytes)
    }

    /// How many things of at least so many bytes follow; more than the file has room for are none.
    pub(crate) fn count(&mut self, bytes_each: usize) -> Result<usize, Error> {
        let count = self.i64()?;
        let room = self.rest().len() / bytes_each.max(1);
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= room)
            .ok_or_else(|| self.error(format!("{count} entries cannot stand in the rest of the file")))
    }
}
