//! Values of header keys.

use crate::lines::excerpt;
use crate::{Error, LineRange, field};

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
        let mut bytes = Vec::with_capacity(self.value.len());
        let mut rest = self.value;
        while let [first, tail @ ..] = rest {
            let (byte, length) = match (first, tail) {
                (b'\\', [b'n', ..]) => (b'\n', 2),
                (b'\\', [b'r', ..]) => (b'\r', 2),
                (b'\\', [b'\\', ..]) => (b'\\', 2),
                _ => (*first, 1),
            };
            bytes.push(byte);
            rest = &rest[length..];
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(super) fn natural<T: std::str::FromStr>(&self, key: &'static str) -> Result<T, Error> {
        let is_natural = self.value.iter().all(u8::is_ascii_digit);
        let number =
            std::str::from_utf8(self.value).ok().filter(|_| is_natural).and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.error(key, "a natural number"))
    }

    pub(super) fn duration(&self, key: &'static str) -> Result<f64, Error> {
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
        let mut names: Vec<String> = Vec::new();
        for name in field::all(self.value) {
            let name = String::from_utf8_lossy(name).into_owned();
            if names.contains(&name) {
                return Err(self.error(key, "names that differ"));
            }
            names.push(name);
        }
        Ok(names)
    }

    pub(super) fn line_ranges(&self, key: &'static str) -> Result<Vec<LineRange>, Error> {
        let range = |field: &[u8]| {
            let (first, last) = std::str::from_utf8(field).ok()?.split_once('-')?;
            let range = LineRange { first: first.parse().ok()?, last: last.parse().ok()? };
            (range.first <= range.last).then_some(range)
        };
        let ranges: Option<Vec<LineRange>> = field::all(self.value).map(range).collect();
        ranges.ok_or_else(|| self.error(key, "ranges FIRST-LAST of lines"))
    }
}
