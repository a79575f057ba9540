//! Reads files as they come from a disk.

use call_trace::{Error, Limits, Trace, TraceReader};

/// Reads windows of these sizes, by turns.
pub fn read_in_windows(bytes: &[u8], sizes: &[usize]) -> Result<Trace, Error> {
    let mut reader = TraceReader::new(Limits::default());
    let mut rest = bytes;
    for size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (window, behind) = rest.split_at((*size).min(rest.len()));
        reader.push(window)?;
        rest = behind;
    }
    reader.finish()
}

/// Sees that windows make no difference.
pub fn check_windows(bytes: &[u8], sizes: &[usize]) {
    // NaN is not equal to itself; its debug text is.
    let whole = format!("{:?}", call_trace::read(bytes));
    assert_eq!(format!("{:?}", read_in_windows(bytes, sizes)), whole, "windows of {sizes:?} bytes");
}
