use crate::{Error, Limits, Reader, Trace};

/// Reads a trace of any known version; all its samples are kept. [`Reader`] does it piece by piece and within limits. Of one whose end is missing all whole rows are read; see
/// [`Trace::completeness`].
///
/// # Errors
/// If the bytes are no trace, one that ends within its header, or one of an unknown version; see [`Error`].
pub fn read(bytes: &[u8]) -> Result<Trace, Error> {
    let mut reader = Reader::new(Limits::NONE);
    reader.push(bytes)?;
    reader.finish()
}
