use csv::{ByteRecord, ReaderBuilder, Trim};

use super::lines::{Separator, comment_of, split_line};
use crate::{Error, PlaceInText};

/// The rows of a table, comments and empty lines left out.
pub(super) struct TableRows<'a> {
    source: RowBytes<'a>,
    separator: Separator,
    /// Number of the line where the next row stands, or of the first one.
    line: u64,
    /// Whether the first field of the row that was read last is quoted.
    pub(super) is_quoted: bool,
}

enum RowBytes<'a> {
    Separated(&'a [u8], Box<csv::Reader<&'a [u8]>>),
    Blanks(&'a [u8]),
}

impl<'a> TableRows<'a> {
    /// The rows of some bytes, whose first line has the number `line`.
    pub(super) fn new(bytes: &'a [u8], line: u64, separator: Separator) -> TableRows<'a> {
        let source = match separator {
            Separator::Blanks => RowBytes::Blanks(bytes),
            Separator::Byte(byte) => RowBytes::Separated(
                bytes,
                Box::new(
                    ReaderBuilder::new()
                        .delimiter(byte)
                        .has_headers(false)
                        .flexible(true)
                        .trim(Trim::All)
                        .comment(Some(b'#'))
                        .from_reader(bytes),
                ),
            ),
        };
        TableRows { source, separator, line, is_quoted: false }
    }

    /// The next row; its place, or `None` behind the last.
    pub(super) fn next(&mut self, record: &mut ByteRecord) -> Result<Option<PlaceInText>, Error> {
        loop {
            let starts_quoted = self.starts_quoted();
            let Some(place) = self.next_line(record)? else { return Ok(None) };
            if self.separator == Separator::Byte(b'|') {
                without_outer_bars(record);
            }
            let is_empty = record.iter().all(<[u8]>::is_empty);
            if !is_empty && (starts_quoted || comment_of(&record[0]).is_none()) {
                self.is_quoted = starts_quoted;
                return Ok(Some(place));
            }
        }
    }

    /// Whether the first field of the next row is quoted: data, whatever it begins with.
    fn starts_quoted(&self) -> bool {
        match &self.source {
            RowBytes::Separated(bytes, reader) => {
                let mut rest = bytes.get(reader.position().byte() as usize..).unwrap_or_default();
                // What the reader skips.
                while let Some(first) = rest.first().filter(|byte| matches!(byte, b'\n' | b'\r' | b'#')) {
                    rest = if *first == b'#' { split_line(rest).1 } else { &rest[1..] };
                }
                let bar =
                    (self.separator == Separator::Byte(b'|')).then(|| rest.strip_prefix(b"|")).flatten();
                bar.unwrap_or(rest).first() == Some(&b'"')
            }
            RowBytes::Blanks(rest) => {
                let first = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
                first.is_some_and(|byte| matches!(byte, b'"' | b'\''))
            }
        }
    }

    fn next_line(&mut self, record: &mut ByteRecord) -> Result<Option<PlaceInText>, Error> {
        match &mut self.source {
            RowBytes::Separated(bytes, reader) => {
                // Reading of bytes cannot fail, and rows of all lengths are welcome.
                if !reader.read_byte_record(record).unwrap_or(false) {
                    return Ok(None);
                }
                // The reader says where it stands behind the record; where it stood before, empty lines may follow.
                let behind = reader.position();
                let last = behind.byte().checked_sub(1).and_then(|last| bytes.get(last as usize));
                let within = record.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
                let line = behind.line().saturating_sub(within + u64::from(last == Some(&b'\n')));
                Ok(Some(PlaceInText::Line(self.line + line.saturating_sub(1))))
            }
            RowBytes::Blanks(rest) => {
                if rest.is_empty() {
                    return Ok(None);
                }
                record.clear();
                split_at_blanks(rest, record);
                self.line += 1;
                Ok(Some(PlaceInText::Line(self.line - 1)))
            }
        }
    }
}

/// Takes a line and its end off `rest`. Fields in quotes may hold blanks.
fn split_at_blanks(rest: &mut &[u8], record: &mut ByteRecord) {
    let bytes = *rest;
    let mut at = 0;
    let is_end = |byte: u8| matches!(byte, b'\n' | b'\r');
    while at < bytes.len() && !is_end(bytes[at]) {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' => at += 1,
            quote @ (b'"' | b'\'') => {
                let inside = &bytes[at + 1..];
                let end =
                    inside.iter().position(|byte| *byte == quote || is_end(*byte)).unwrap_or(inside.len());
                record.push_field(&inside[..end]);
                at += 1 + end;
                at += usize::from(bytes.get(at) == Some(&quote));
            }
            _ => {
                while at < bytes.len() && !matches!(bytes[at], b' ' | b'\t') && !is_end(bytes[at]) {
                    at += 1;
                }
                record.push_field(&bytes[start..at]);
            }
        }
    }
    let end = if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
    *rest = bytes.get(at + end..).unwrap_or_default();
}

/// Of `| a | b |`, the bars at the ends separate nothing.
fn without_outer_bars(record: &mut ByteRecord) {
    let length = record.len();
    if length > 2 && record[0].is_empty() && record[length - 1].is_empty() {
        let inner: ByteRecord = record.iter().skip(1).take(length - 2).collect();
        *record = inner;
    }
}
