//! Values of header keys.

use std::collections::HashSet;

use crate::lines::excerpt;
use crate::{Error, LineRange, field};

/// What the eight bytes of a value are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    Signed,
    Unsigned,
    Real,
}

/// A line `# key: value`; the value as it stands there.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) line: u64,
    pub(super) key: &'a [u8],
    pub(super) value: &'a [u8],
}

impl<'a> Entry<'a> {
    /// `None` if the text has another form.
    pub(super) fn parse(line: u64, text: &'a [u8]) -> Option<Entry<'a>> {
        let text = text.strip_prefix(b"# ")?;
        let colon = text.iter().position(|byte| *byte == b':')?;
        let (key, rest) = (&text[..colon], &text[colon + 1..]);
        // An editor may have taken away the blank after the colon of an empty value.
        let value = if rest.is_empty() { rest } else { rest.strip_prefix(b" ")? };
        let is_key = !key.is_empty() && !key.iter().any(u8::is_ascii_whitespace);
        is_key.then_some(Entry { line, key, value })
    }

    fn error(&self, key: &'static str, expected: &'static str) -> Error {
        Error::HeaderValue { line: self.line, key, expected, text: excerpt(self.value) }
    }

    /// The value with its escapes replaced. Bytes that are not UTF-8 become replacement characters.
    pub(super) fn text(&self) -> String {
        unescaped(self.value, b"nr\\")
    }

    pub(super) fn natural<T: std::str::FromStr>(&self, key: &'static str) -> Result<T, Error> {
        let is_natural = self.value.iter().all(u8::is_ascii_digit);
        let number =
            std::str::from_utf8(self.value).ok().filter(|_| is_natural).and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.error(key, "a natural number"))
    }

    pub(super) fn naturals<T: std::str::FromStr>(&self, key: &'static str) -> Result<Vec<T>, Error> {
        let natural = |value| Entry { value, ..*self }.natural(key);
        field::all(self.value).map(natural).collect()
    }

    pub(super) fn measure(&self, key: &'static str) -> Result<f64, Error> {
        let number = std::str::from_utf8(self.value).ok().and_then(|text| text.parse::<f64>().ok());
        number
            .filter(|number| number.is_finite() && *number >= 0.0)
            .ok_or_else(|| self.error(key, "a number that is not negative"))
    }

    pub(super) fn name(&self, key: &'static str) -> Result<&'a [u8], Error> {
        let is_name = !self.value.is_empty() && !self.value.iter().any(u8::is_ascii_whitespace);
        if is_name { Ok(self.value) } else { Err(self.error(key, "a name")) }
    }

    pub(super) fn names(&self, key: &'static str) -> Result<Vec<String>, Error> {
        let names: Vec<String> =
            field::all(self.value).map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        if names.iter().collect::<HashSet<_>>().len() < names.len() {
            return Err(self.error(key, "names that differ"));
        }
        Ok(names)
    }

    pub(super) fn types(&self, key: &'static str) -> Result<Vec<Type>, Error> {
        let known = |word: &[u8]| match word {
            b"i64" => Some(Type::Signed),
            b"u64" => Some(Type::Unsigned),
            b"f64" => Some(Type::Real),
            _ => None,
        };
        let types: Option<Vec<Type>> = field::all(self.value).map(known).collect();
        types.ok_or_else(|| self.error(key, "words `i64`, `u64` or `f64`"))
    }

    /// Whether the rows are binary.
    pub(super) fn is_binary(&self, key: &'static str) -> Result<bool, Error> {
        match self.value {
            b"binary" => Ok(true),
            b"text" => Ok(false),
            _ => Err(self.error(key, "`binary` or `text`")),
        }
    }

    pub(super) fn line_ranges(&self, key: &'static str) -> Result<Vec<LineRange>, Error> {
        let ranges: Option<Vec<LineRange>> = field::all(self.value).map(line_range).collect();
        ranges.ok_or_else(|| self.error(key, "ranges FIRST-LAST or FILE:FIRST-LAST of lines"))
    }
}

/// A file name may have colons; the numbers have none.
fn line_range(field: &[u8]) -> Option<LineRange> {
    let colon = field.iter().rposition(|byte| *byte == b':');
    let file = colon.map(|at| unescaped(&field[..at], b"nr\\ts"));
    let numbers = colon.map_or(field, |at| &field[at + 1..]);
    let (first, last) = std::str::from_utf8(numbers).ok()?.split_once('-')?;
    let range = LineRange { file, first: first.parse().ok()?, last: last.parse().ok()? };
    (range.first <= range.last).then_some(range)
}

/// Replaces backslashes and one of these letters by what they stand for; others stay.
pub(super) fn unescaped(escaped: &[u8], letters: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped;
    while let [first, tail @ ..] = rest {
        let letter = tail.first().filter(|letter| *first == b'\\' && letters.contains(letter));
        let byte = match letter {
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b's') => b' ',
            _ => *first,
        };
        bytes.push(byte);
        rest = &rest[1 + usize::from(letter.is_some())..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
