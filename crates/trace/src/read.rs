use crate::lines::{Lines, excerpt};
use crate::{Error, Trace, format};

/// What the first line of every trace starts with; the version follows.
const MAGIC: &[u8] = b"# call-trace ";

/// Reads a trace of any known version. Of one whose end is missing all whole rows are read; see
/// [`Trace::completeness`].
///
/// # Errors
/// If the bytes are no trace, one that ends within its header, or one of an unknown version; see [`Error`].
pub fn read(bytes: &[u8]) -> Result<Trace, Error> {
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    let mut lines = Lines::new(bytes);
    let first = lines.next();
    let Some(version) = first.unwrap_or(bytes).strip_prefix(MAGIC) else {
        let cut = MAGIC.starts_with(bytes);
        let first_line = excerpt(first.unwrap_or(bytes));
        return Err(if cut { Error::Cut } else { Error::NotATrace { first_line } });
    };
    match (first, version) {
        (None, _) => Err(Error::Cut),
        (_, b"1") => format::v1::read(lines),
        _ => Err(Error::Version { found: excerpt(version), known: "1".to_owned() }),
    }
}
