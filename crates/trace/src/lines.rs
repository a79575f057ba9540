use crate::FilePlace;

/// How far a file has been read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FilePosition {
    /// Number of the line that was read last, from 1.
    line: u64,
    /// Where the rest starts, counted in bytes from 0.
    byte: u64,
    /// Whether something was left out that has no lines.
    has_blocks: bool,
}

/// The lines of a window of a file, each of which ends with a line feed. What stands behind the last line feed is no line:
/// its end may be missing, or in the next window.
pub(crate) struct WindowLines<'a> {
    rest: &'a [u8],
    /// Of the window's start, but for the line, which is that of the rest.
    position: FilePosition,
    length: usize,
}

impl<'a> WindowLines<'a> {
    pub(crate) fn new(window: &'a [u8], position: FilePosition) -> WindowLines<'a> {
        WindowLines { rest: window, position, length: window.len() }
    }

    /// Where the rest starts.
    pub(crate) fn position(&self) -> FilePosition {
        FilePosition { byte: self.offset(), ..self.position }
    }

    /// How many bytes of the window have been read.
    pub(crate) fn used(&self) -> usize {
        self.length - self.rest.len()
    }

    /// The next line without its end, which may be that of DOS.
    pub(crate) fn next(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        self.position.line += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Number of the line that was read last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.position.line
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Where the rest starts, counted in bytes from 0.
    pub(crate) fn offset(&self) -> u64 {
        self.position.byte + self.used() as u64
    }

    /// Where the rest starts: its line, if the file has nothing but lines up to there.
    pub(crate) fn place(&self) -> FilePlace {
        self.position().place()
    }

    /// Leaves out a block that was read from [`WindowLines::rest`].
    pub(crate) fn skip_block(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.position.has_blocks = true;
    }

    /// Leaves out a line whose content was read from [`WindowLines::rest`], `length` bytes with its line feed.
    pub(crate) fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.position.line += 1;
    }
}

impl FilePosition {
    /// Whether nothing was read.
    pub(crate) fn is_start(self) -> bool {
        self.byte == 0
    }

    /// The place of what comes next: its line, if the file has nothing but lines up to there.
    pub(crate) fn place(self) -> FilePlace {
        if self.has_blocks { FilePlace::Byte(self.byte) } else { FilePlace::Line(self.line + 1) }
    }
}

/// So many bytes of a text are enough for an [`excerpt`] of it.
pub(crate) const EXCERPT_BYTES: usize = 4 * EXCERPT_CHARACTERS + 1;
const EXCERPT_CHARACTERS: usize = 60;

/// A piece of the file for a message: readable, on one line and not long.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = EXCERPT_CHARACTERS;
    // A character has at most four bytes.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() || bytes.len() > 4 * LONGEST {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds_and_are_counted() {
        let mut lines = WindowLines::new(b"one\ntwo\r\n\nopen", FilePosition::default());
        assert_eq!((lines.next(), lines.number()), (Some(b"one".as_slice()), 1));
        assert_eq!((lines.next(), lines.number()), (Some(b"two".as_slice()), 2));
        assert_eq!((lines.next(), lines.number()), (Some(b"".as_slice()), 3));
        assert_eq!((lines.next(), lines.number(), lines.rest()), (None, 3, b"open".as_slice()));
    }

    #[test]
    fn behind_blocks_bytes_are_counted() {
        let mut lines = WindowLines::new(b"one\nBLOCKend\n", FilePosition::default());
        lines.next();
        assert_eq!((lines.place(), lines.offset()), (FilePlace::Line(2), 4));
        lines.skip_block(5);
        assert_eq!((lines.place(), lines.next()), (FilePlace::Byte(9), Some(b"end".as_slice())));
        let next = WindowLines::new(b"more", lines.position());
        assert_eq!((next.place(), next.number(), next.used()), (FilePlace::Byte(13), 2, 0));
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(excerpt(b"P = 4"), "P = 4");
        assert_eq!(excerpt(b"\x7fELF\x02\xff"), "\u{fffd}ELF\u{fffd}\u{fffd}");
        assert_eq!(excerpt(&[b'a'; 61]), format!("{}...", "a".repeat(60)));
        assert_eq!(excerpt("ℵ".repeat(60).as_bytes()), "ℵ".repeat(60));
        assert_eq!(excerpt("ℵ".repeat(90).as_bytes()), format!("{}...", "ℵ".repeat(60)));
    }
}
