//! Fields of a line. Blanks, tabulators and carriage returns stand between them; a line feed or the end of the bytes ends
//! the last one.

#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Whether a field ends before the byte at `at`.
#[inline]
pub(crate) fn ends_at(rest: &[u8], at: usize) -> bool {
    rest.get(at).is_none_or(|byte| is_blank(*byte) || *byte == b'\n')
}

/// The number of blanks at the start.
#[inline]
pub(crate) fn blanks(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| is_blank(**byte)).count()
}

/// The field that starts at the first byte; it may be empty.
pub(crate) fn first(rest: &[u8]) -> &[u8] {
    let end = (0..rest.len()).find(|at| ends_at(rest, *at));
    &rest[..end.unwrap_or(rest.len())]
}

/// All fields of a line.
pub(crate) fn all(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| is_blank(*byte)).filter(|field| !field.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_by_any_blanks() {
        assert_eq!(all(b" f\t0  4\r").collect::<Vec<_>>(), [b"f", b"0", b"4"]);
        assert_eq!(
            (first(b"f 0"), first(b"\nf"), first(b"f")),
            (b"f".as_slice(), b"".as_slice(), b"f".as_slice())
        );
        assert_eq!((blanks(b" \t\rf "), blanks(b"\n ")), (3, 0));
    }
}
