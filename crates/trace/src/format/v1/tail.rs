use crate::Error;
use crate::lines::{Lines, excerpt};

/// Reads what stands behind the rows, where every line starts with `#`: how many rows the last line announces, if it is
/// there.
pub(super) fn read(lines: &mut Lines) -> Result<Option<u64>, Error> {
    let place = lines.place();
    // Bytes without a line feed are no line: the end was cut.
    let Some(text) = lines.next() else { return Ok(None) };
    let Some(announced) = end(text) else {
        return Err(Error::AmongRows { place, text: excerpt(text) });
    };
    if lines.rest().is_empty() { Ok(Some(announced)) } else { Err(Error::AfterEnd { place: lines.place() }) }
}

/// The number in `# end rows=N`.
fn end(text: &[u8]) -> Option<u64> {
    let count = text.strip_prefix(b"# end rows=").filter(|count| count.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(count).ok()?.parse().ok()
}
