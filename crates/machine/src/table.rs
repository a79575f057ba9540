//! Tables of a file with the places of their values, read key by key: what is wrong is told with the key, its unit, and what to do.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{MachineFileError, Problem};

/// The units at the ends of keys; the longest first, as some end in others.
const UNITS: [(&str, &str); 6] = [
    ("_s_per_byte", "seconds a byte"),
    ("_flop_per_s", "floating-point operations a second"),
    ("_bytes_per_s", "bytes a second"),
    ("_bytes", "bytes"),
    ("_percent", "percent"),
    ("_s", "seconds"),
];

/// Longer values are not shown.
const MOST_SHOWN: usize = 40;

pub type Read<T> = Result<T, MachineFileError>;

/// A file with its name, for messages.
#[derive(Clone, Copy)]
pub struct FileText<'t> {
    pub file: &'t str,
    pub text: &'t str,
}

impl FileText<'_> {
    pub fn error(&self, at: usize, problem: Problem) -> MachineFileError {
        let before = self.text.as_bytes().get(..at).unwrap_or(self.text.as_bytes());
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        MachineFileError { file: self.file.to_owned(), line, problem }
    }

    /// What is no TOML, as `toml` says it, with the key whose value it is.
    pub fn syntax(&self, error: &toml::de::Error) -> MachineFileError {
        let at = error.span().map_or(0, |span| span.start);
        let message = error.message().replace('\n', ": ");
        let key = self.text.get(..at).and_then(key_before);
        self.error(at, Problem::Toml(key.map_or(message.clone(), |key| format!("`{key}`: {message}"))))
    }
}

/// The key whose value comes next.
fn key_before(text: &str) -> Option<&str> {
    let before = text.trim_end().strip_suffix('=')?.trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    // What is not a letter may take several bytes.
    before.get(start..).filter(|key| !key.is_empty())
}

/// A table and where it begins.
#[derive(Clone, Copy)]
pub struct FileTable<'t> {
    source: FileText<'t>,
    at: usize,
    entries: &'t DeTable<'t>,
}

impl<'t> FileTable<'t> {
    /// The table that a file is.
    pub fn root(source: FileText<'t>, entries: &'t DeTable<'t>) -> FileTable<'t> {
        FileTable { source, at: 0, entries }
    }

    /// Refuses other keys, such as one with another unit, with the key that is meant.
    pub fn only(self, keys: &[&str]) -> Read<FileTable<'t>> {
        let is_other = |key: &&Spanned<_>| !keys.contains(&AsRef::<str>::as_ref(Spanned::get_ref(key)));
        let others = self.entries.keys().filter(is_other);
        match others.min_by_key(|key| key.span().start) {
            None => Ok(self),
            Some(key) => {
                let (at, key) = (key.span().start, key.get_ref().to_string());
                let cure = meant(&key, keys);
                Err(self.source.error(at, Problem::UnknownKey { key, cure }))
            }
        }
    }

    pub fn get(&self, key: &'static str) -> Option<FileValue<'t>> {
        self.entries.get(key).map(|value| FileValue { source: self.source, key, value })
    }

    pub fn error(&self, problem: Problem) -> MachineFileError {
        self.source.error(self.at, problem)
    }

    /// A value that must be there.
    pub fn needed<T>(&self, key: &'static str, read: impl Fn(&FileValue<'t>) -> Read<T>) -> Read<T> {
        let missing = || self.error(Problem::Missing { key: key.to_owned(), cure: "add it".to_owned() });
        read(&self.get(key).ok_or_else(missing)?)
    }

    /// A value that may be there.
    pub fn known<T>(&self, key: &'static str, read: impl Fn(&FileValue<'t>) -> Read<T>) -> Read<Option<T>> {
        self.get(key).map(|value| read(&value)).transpose()
    }

    /// The tables of a list with only these keys; none if the list is not there.
    pub fn tables(&self, key: &'static str, keys: &[&str]) -> Read<Vec<FileTable<'t>>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let tables = value.list()?.into_iter().map(|one| one.table(keys));
        tables.collect()
    }
}

/// What an unknown key should have been.
fn meant(key: &str, keys: &[&str]) -> String {
    let stem = |key: &str| key.split('_').next().unwrap_or(key).to_owned();
    let same_stem = keys.iter().find(|other| stem(other) == stem(key)).copied();
    let unit = |key: &str| UNITS.iter().find(|(end, _)| key.ends_with(end)).map(|(_, unit)| *unit);
    match call_grammar::suggest(key, keys.iter().copied()).or(same_stem) {
        Some(meant) => match unit(meant).filter(|own| unit(key) != Some(own)) {
            Some(unit) => format!("did you mean `{meant}`? It is in {unit}: convert the value, too"),
            None => format!("did you mean `{meant}`?"),
        },
        None => format!("the keys are {}", keys.join(", ")),
    }
}

/// The value of a key.
#[derive(Clone, Copy)]
pub struct FileValue<'t> {
    source: FileText<'t>,
    key: &'static str,
    value: &'t Spanned<DeValue<'t>>,
}

impl<'t> FileValue<'t> {
    pub fn error(&self, problem: Problem) -> MachineFileError {
        self.source.error(self.value.span().start, problem)
    }

    /// It is of another type, or not among the values that there are.
    pub fn wrong(&self, needed: &str) -> MachineFileError {
        let written = self.source.text.get(self.value.span()).unwrap_or_default().trim();
        let is_short = written.len() <= MOST_SHOWN && !written.contains('\n') && !written.is_empty();
        let value = match self.value.get_ref() {
            _ if is_short => written.to_owned(),
            DeValue::Integer(_) => "an integer".to_owned(),
            DeValue::Array(_) => "an array".to_owned(),
            other => format!("a {}", other.type_str()),
        };
        self.error(Problem::Value { key: self.key.to_owned(), value, needed: needed.to_owned() })
    }

    fn number_error(&self, value: f64, needed: &'static str) -> MachineFileError {
        self.error(Problem::Number { key: self.key, value, needed })
    }

    pub fn text(&self) -> Read<String> {
        let text = self.value.get_ref().as_str();
        text.map(str::to_owned).ok_or_else(|| self.wrong("a text in quotes"))
    }

    pub fn texts(&self) -> Read<Vec<String>> {
        self.list()?.iter().map(FileValue::text).collect()
    }

    fn number(&self) -> Read<f64> {
        let number = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) => {
                i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|whole| whole as f64)
            }
            _ => None,
        };
        number.ok_or_else(|| self.wrong("a number, in the unit that ends the name of the key"))
    }

    /// A number that may be 0, such as a cost.
    pub fn cost(&self) -> Read<f64> {
        let value = self.number()?;
        match value >= 0.0 && value.is_finite() {
            true => Ok(value),
            false => Err(self.number_error(value, "a finite number, 0 or more")),
        }
    }

    pub fn positive(&self) -> Read<f64> {
        let value = self.number()?;
        match value > 0.0 && value.is_finite() {
            true => Ok(value),
            false => Err(self.number_error(value, "a finite number above 0")),
        }
    }

    pub fn count(&self) -> Read<u64> {
        let integer = self.value.get_ref().as_integer();
        let count = integer.and_then(|its| u64::from_str_radix(its.as_str(), its.radix()).ok());
        count.ok_or_else(|| self.wrong("a whole number, 0 or more"))
    }

    pub fn positive_count(&self) -> Read<u64> {
        match self.count()? {
            0 => Err(self.number_error(0.0, "1 or more")),
            count => Ok(count),
        }
    }

    /// A table with only these keys.
    pub fn table(&self, keys: &[&str]) -> Read<FileTable<'t>> {
        match self.value.get_ref() {
            DeValue::Table(entries) => {
                FileTable { source: self.source, at: self.value.span().start, entries }.only(keys)
            }
            _ => Err(self.wrong(&format!("a table: write `[{}]`", self.key))),
        }
    }

    fn list(&self) -> Read<Vec<FileValue<'t>>> {
        match self.value.get_ref() {
            DeValue::Array(values) => Ok(values.iter().map(|value| FileValue { value, ..*self }).collect()),
            // Of which there may be several, written as one.
            DeValue::Table(_) => Err(self.error(Problem::Value {
                key: self.key.to_owned(),
                value: "a single table".to_owned(),
                needed: format!("one of several: write `[[{}]]`", self.key),
            })),
            _ => Err(self.wrong("a list in brackets")),
        }
    }
}
