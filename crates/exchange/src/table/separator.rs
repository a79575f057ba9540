use super::lines::{Start, is_blank_separated};

/// What stands between the fields of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Byte(u8),
    /// One or more blanks or tabulators.
    Blanks,
}

impl Separator {
    /// The separator of a table, from its header line; the name of the file decides where that says nothing.
    pub(super) fn of(start: &Start, path_name: &str) -> Separator {
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
