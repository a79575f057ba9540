//! What stands above the rows of a table.

/// Where a table starts.
pub(super) struct TableStart<'a> {
    /// From the header line on; from the first row on if the header is a comment.
    pub(super) from_header: &'a [u8],
    /// The first line of that.
    pub(super) first_line: &'a [u8],
    /// Its number, from 1.
    pub(super) line: u64,
    /// A header in the last comment, as gnuplot and numpy write it.
    pub(super) commented_header: Option<&'a [u8]>,
    /// The separator that a spreadsheet names in its first line.
    pub(super) named_separator: Option<u8>,
}

impl<'a> TableStart<'a> {
    /// The start of a table; `None` if there are only comments and empty lines.
    pub(super) fn of(bytes: &'a [u8]) -> Option<TableStart<'a>> {
        let (mut rest, mut line) = below_context(bytes);
        let (mut comment, mut named_separator) = (None, None);
        while !rest.is_empty() {
            let (first_line, behind) = split_line(rest);
            line += 1;
            let text = first_line.trim_ascii();
            if let Some(inside) = comment_of(text) {
                comment = Some(inside.trim_ascii()).filter(|inside| !inside.is_empty()).or(comment);
            } else if let Some(&[separator]) = text.strip_prefix(b"sep=") {
                named_separator = Some(separator);
            } else if !text.is_empty() {
                let commented_header = comment.filter(|comment| is_header_of(comment, text));
                return Some(TableStart {
                    from_header: rest,
                    first_line: text,
                    line,
                    commented_header,
                    named_separator,
                });
            }
            rest = behind;
        }
        None
    }
}

/// What stands below the lines that `--benchmark_out` of Google Benchmark writes above a table, and how many those are.
fn below_context(bytes: &[u8]) -> (&[u8], u64) {
    const MOST_LINES: u64 = 100;
    let mut rest = bytes;
    for line in 0..MOST_LINES {
        let (first, behind) = split_line(rest);
        if first.starts_with(b"name,iterations,real_time,cpu_time,time_unit") {
            return (rest, line);
        }
        rest = behind;
    }
    (bytes, 0)
}

/// A line without its end, and what stands behind it.
pub(super) fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else { return (bytes, b"") };
    let length = if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
    (&bytes[..end], &bytes[end + length..])
}

/// What a comment says.
pub(super) fn comment_of(line: &[u8]) -> Option<&[u8]> {
    [b"#".as_slice(), b"%", b"//"].iter().find_map(|mark| line.strip_prefix(*mark))
}

fn is_separator(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b'|')
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(is_separator).filter(|field| !field.is_empty())
}

fn is_number(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// Whether a line has as many fields between blanks as the first row below it.
pub(super) fn is_blank_separated(from_header: &[u8]) -> bool {
    let (header, mut rest) = split_line(from_header);
    let count = |line: &[u8]| {
        let fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        fields.filter(|field| !field.starts_with(b"(") && !field.starts_with(b"[")).count()
    };
    while !rest.is_empty() {
        let (row, behind) = split_line(rest);
        let text = row.trim_ascii();
        if !text.is_empty() && comment_of(text).is_none() {
            return count(header) > 1 && count(header) == count(row);
        }
        rest = behind;
    }
    false
}

/// Whether a comment names the columns of a line of numbers.
fn is_header_of(comment: &[u8], line: &[u8]) -> bool {
    fields(line).next().is_some_and(is_number)
        && fields(line).all(is_number)
        && !fields(comment).any(is_number)
        && fields(comment).filter(|field| !field.starts_with(b"(") && !field.starts_with(b"[")).count()
            == fields(line).count()
}

/// What stands between the fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Byte(u8),
    /// One or more blanks or tabulators.
    Blanks,
}

impl Separator {
    /// The separator of a table, from its header line; the name of the file decides where that says nothing.
    pub(super) fn of(start: &TableStart, path_name: &str) -> Separator {
        if let Some(named) = start.named_separator {
            return if named == b' ' { Separator::Blanks } else { Separator::Byte(named) };
        }
        let header = start.commented_header.unwrap_or(start.first_line);
        let count = |byte: u8| unquoted(header).filter(|candidate| *candidate == byte).count();
        // Decimals may have commas where semicolons separate, and names of columns may have blanks.
        let most = [b'\t', b';', b',', b'|'].into_iter().rev().max_by_key(|byte| count(*byte));
        if let Some(byte) = most
            && count(byte) > 0
        {
            return Separator::Byte(byte);
        }
        let ending = path_name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            _ if is_blank_separated(start.from_header) => Separator::Blanks,
            "csv" => Separator::Byte(b','),
            "tsv" | "tab" => Separator::Byte(b'\t'),
            _ => Separator::Blanks,
        }
    }
}

/// The bytes that stand outside quotes.
fn unquoted(line: &[u8]) -> impl Iterator<Item = u8> {
    let mut is_quoted = false;
    line.iter().copied().filter(move |byte| {
        is_quoted ^= *byte == b'"';
        !is_quoted
    })
}
