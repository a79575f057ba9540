//! What a header says about the experiments, and the values of its keys.

use std::collections::{HashMap, HashSet};

use crate::collection::Collection;
use crate::lines::excerpt;
use crate::{
    Condensation, Error, Experiment, LineRange, OtherP, Samples, SourceCounts, Summaries, Unit, field,
};

/// What the header says about an experiment.
#[derive(Debug)]
pub(super) struct Declaration {
    /// Line of the declaration.
    pub(super) line: u64,
    /// The name as it stands in the rows.
    pub(super) raw_name: Vec<u8>,
    pub(super) name: String,
    pub(super) formula: Option<String>,
    /// `P` may be among them.
    pub(super) variables: Vec<String>,
    /// Types of the variables; without meaning for text.
    pub(super) types: Vec<VariableType>,
    pub(super) counters: Vec<String>,
    pub(super) observable: Option<String>,
    pub(super) other_p: Option<OtherP>,
    pub(super) lines: Vec<LineRange>,
    pub(super) source_counts: Option<SourceCounts>,
}

/// The column of the number of processors, which every experiment has.
pub(super) const PROCESSORS: &str = "P";

/// The key of rows in which the variable `P` of the program is another number.
pub(super) const OTHER_P: &str = "other_P";

impl Declaration {
    /// The names of its columns: `P` and the variables.
    pub(super) fn columns(&self) -> Vec<String> {
        let variables = self.variables.iter().filter(|variable| *variable != PROCESSORS);
        std::iter::once(PROCESSORS.to_owned()).chain(variables.cloned()).collect()
    }

    /// No samples.
    pub(super) fn samples(&self) -> Samples {
        Samples::named(self.columns(), self.counters.clone())
    }

    /// The experiment with what was collected of it.
    pub(super) fn experiment(&self, collection: Collection) -> (Experiment, Option<Condensation>) {
        let (mut samples, condensed) = collection.finish();
        samples.run = vec![0; samples.len()];
        let (summaries, condensation) = condensed.unzip();
        let experiment = Experiment {
            name: self.name.clone(),
            formula: self.formula.clone(),
            observable: self.observable.clone(),
            lines: self.lines.clone(),
            source_counts: self.source_counts.clone(),
            unit: Unit::Seconds,
            samples,
            summaries: summaries
                .unwrap_or_else(|| Summaries { points: self.samples(), ..Summaries::default() }),
        };
        let named = |its: Condensation| Condensation { experiment: self.name.clone(), ..its };
        (experiment, condensation.map(named))
    }
}

/// The declarations of a header, of which the last one may be incomplete.
#[derive(Debug, Default)]
pub(super) struct HeaderDeclarations {
    finished: Vec<Declaration>,
    line_of_name: HashMap<String, u64>,
    /// The keys of the last declaration with their lines.
    keys: HashMap<&'static str, u64>,
}

impl HeaderDeclarations {
    pub(super) fn open(&mut self, entry: HeaderEntry) -> Result<(), Error> {
        self.check_last()?;
        let raw_name = entry.name("experiment")?;
        let name = String::from_utf8_lossy(raw_name).into_owned();
        if let Some(&first) = self.line_of_name.get(&name) {
            return Err(Error::DuplicateExperiment { line: entry.line, experiment: name, first });
        }
        self.line_of_name.insert(name.clone(), entry.line);
        self.keys.clear();
        self.finished.push(Declaration {
            line: entry.line,
            raw_name: raw_name.to_owned(),
            name,
            formula: None,
            variables: Vec::new(),
            types: Vec::new(),
            counters: Vec::new(),
            observable: None,
            other_p: None,
            lines: Vec::new(),
            source_counts: None,
        });
        Ok(())
    }

    /// Takes one of the keys that belong to an experiment.
    pub(super) fn extend(&mut self, key: &'static str, entry: HeaderEntry) -> Result<(), Error> {
        let line = entry.line;
        let Some(last) = self.finished.last_mut() else {
            return Err(Error::OutsideExperiment { line, key: key.to_owned() });
        };
        if let Some(first) = self.keys.insert(key, line) {
            return Err(Error::DuplicateKey { line, key: key.to_owned(), first });
        }
        match key {
            "formula" => last.formula = Some(entry.text()),
            "variables" => last.variables = entry.names(key)?,
            "types" => last.types = entry.types(key)?,
            "counters" => last.counters = entry.names(key)?,
            "observable" => last.observable = Some(entry.text()),
            "source_counts" => last.source_counts = Some(entry.source_counts(key)?),
            OTHER_P => last.other_p = entry.other_p(&last.name)?,
            _ => last.lines = entry.line_ranges(key)?,
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<Vec<Declaration>, Error> {
        self.check_last()?;
        Ok(std::mem::take(&mut self.finished))
    }

    fn check_last(&self) -> Result<(), Error> {
        match self.finished.last() {
            Some(last) if !self.keys.contains_key("variables") => {
                Err(Error::MissingVariables { line: last.line, experiment: last.name.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// What the eight bytes of a value are.
#[derive(Debug, Clone, Copy)]
pub(super) enum VariableType {
    Signed,
    Unsigned,
    Real,
}

/// A line `# key: value`; the value as it stands there.
#[derive(Clone, Copy)]
pub(super) struct HeaderEntry<'a> {
    pub(super) line: u64,
    pub(super) key: &'a [u8],
    pub(super) value: &'a [u8],
}

impl<'a> HeaderEntry<'a> {
    /// `None` if the text has another form.
    pub(super) fn parse(line: u64, text: &'a [u8]) -> Option<HeaderEntry<'a>> {
        let text = text.strip_prefix(b"# ")?;
        let colon = text.iter().position(|byte| *byte == b':')?;
        let (key, rest) = (&text[..colon], &text[colon + 1..]);
        // An editor may have taken away the blank after the colon of an empty value.
        let value = if rest.is_empty() { rest } else { rest.strip_prefix(b" ")? };
        let is_key = !key.is_empty() && !key.iter().any(u8::is_ascii_whitespace);
        is_key.then_some(HeaderEntry { line, key, value })
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
        let natural = |value| HeaderEntry { value, ..*self }.natural(key);
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

    pub(super) fn types(&self, key: &'static str) -> Result<Vec<VariableType>, Error> {
        let known = |word: &[u8]| match word {
            b"i64" => Some(VariableType::Signed),
            b"u64" => Some(VariableType::Unsigned),
            b"f64" => Some(VariableType::Real),
            _ => None,
        };
        let types: Option<Vec<VariableType>> = field::all(self.value).map(known).collect();
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

    /// `ROWS VALUE PROCESSORS`, or `0` where there are none; blanks may follow.
    fn other_p(&self, experiment: &str) -> Result<Option<OtherP>, Error> {
        let words: Option<Vec<&str>> =
            field::all(self.value).map(|word| std::str::from_utf8(word).ok()).collect();
        let read = |rows: &str, value: &str, processors: &str| {
            let experiment = experiment.to_owned();
            Some(OtherP {
                experiment,
                rows: rows.parse().ok()?,
                value: value.parse().ok()?,
                processors: processors.parse().ok()?,
            })
        };
        let found = match words.as_deref() {
            Some(["0"]) => return Ok(None),
            Some([rows, value, processors]) => read(rows, value, processors),
            _ => None,
        };
        found.map(Some).ok_or_else(|| self.error(OTHER_P, "`ROWS VALUE PROCESSORS`"))
    }

    fn source_counts(&self, key: &'static str) -> Result<SourceCounts, Error> {
        serde_json::from_str(&self.text()).map_err(|_| self.error(key, "counts in JSON"))
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
