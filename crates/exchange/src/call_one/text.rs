//! Text: lines `KEY: VALUE`, and below `SAMPLE:` a line of titles and rows.

use call_grammar::excerpt;

use super::{Raw, RawExperiment};
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions};

/// Whether a text is a trace of CALL 1.0. What a program or a library printed may stand above it.
pub(crate) fn is_call_one(text: &str) -> bool {
    let keys: Vec<String> = text.lines().filter_map(|line| Some(key_of(line.trim())?.0)).collect();
    let has = |wanted: &str| keys.iter().any(|key| key == wanted);
    has("CALL_VERSION")
        || has("EXPERIMENT") && (has("SAMPLE") || keys.iter().any(|key| is_of_experiment(key)))
}

/// The key of a line and what stands behind it.
fn key_of(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim().trim_matches('"');
    let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_key.then(|| (key.to_ascii_uppercase(), value.trim()))
}

/// Reads a trace.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut raw = Raw::default();
    let mut is_in_sample = false;
    let mut strays = Vec::new();
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let (line, place) = (line.trim(), PlaceInText::Line(number));
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let is_without_end = lines.peek().is_none() && !text.ends_with('\n');
        if let Some((key, value)) = key_of(line) {
            // Other keys among the rows are what the program printed.
            is_in_sample = key == "SAMPLE" || is_in_sample && !matches!(&*key, "EXPERIMENT" | "CALL_VERSION");
            set(&mut raw, &key, value, place)?;
        } else if is_in_sample && let Some(experiment) = raw.experiments.last_mut() {
            match push_line(experiment, line, place) {
                Ok(true) => {}
                Ok(false) => strays.push(excerpt(line)),
                Err(_) if is_without_end => raw.is_cut = true,
                Err(error) => return Err(error),
            }
        } else {
            strays.push(excerpt(line));
        }
    }
    let mut imported = raw.import(FileFormat::CallOneText, path_name, options)?;
    if !strays.is_empty() {
        imported.notes.push(Note::LeftOut { names: strays, reason: LeftOutReason::Stray });
    }
    Ok(imported)
}

fn set(raw: &mut Raw, key: &str, value: &str, place: PlaceInText) -> Result<(), Error> {
    if key == "EXPERIMENT" {
        raw.experiments.push(RawExperiment::named(unquoted(value).to_owned()));
        return Ok(());
    }
    if raw.set(key, unquoted(value)) {
        return Ok(());
    }
    match raw.experiments.last_mut() {
        Some(experiment) => experiment.set(key, value, place),
        None if RawExperiment::default().set(key, "", place).is_ok() && is_of_experiment(key) => {
            Err(Error::OutsideExperiment { place, key: key.to_owned() })
        }
        None => Ok(()),
    }
}

fn is_of_experiment(key: &str) -> bool {
    matches!(key, "SAMPLE" | "IDENTS" | "OBSERVABLES" | "NUMTESTS" | "FORMULA" | "INFORMULA" | "COMPONENTS")
}

impl RawExperiment {
    /// Takes a key of an experiment as text; keys that say nothing here are passed over.
    pub(super) fn set(&mut self, key: &str, value: &str, place: PlaceInText) -> Result<(), Error> {
        let fail = |text: &str| Error::KeyValue {
            place,
            key: key.to_owned(),
            expected: "whole numbers",
            text: excerpt(text),
        };
        let naturals = || -> Result<Vec<u64>, Error> {
            words(value).map(|word| word.parse().map_err(|_| fail(word))).collect()
        };
        // Lines are nice to have.
        let lines = || words(value).filter_map(|word| word.parse().ok()).collect::<Vec<u32>>();
        let texts = || words(value).map(str::to_owned).collect::<Vec<String>>();
        match key {
            "BEGIN_LINE" => self.begin_lines.extend(lines()),
            "END_LINE" => self.end_lines.extend(lines()),
            "FORMULA" => unquoted(value).clone_into(&mut self.postfix),
            "INFORMULA" => unquoted(value).clone_into(&mut self.infix),
            "DIMENSION" => self.dimension = naturals()?.first().map(|number| *number as usize),
            "IDENTS" => self.identifiers = texts(),
            "OBSERVABLES" => self.observables = titles(value),
            "COMPONENTS" => self.components = components(value),
            "NUMTESTS" => self.tests = naturals()?,
            "MACHINES" | "NODES" | "NODE" => self.nodes.extend(texts()),
            _ => {}
        }
        Ok(())
    }
}

/// A line of titles or a row; whether it is one of them.
fn push_line(experiment: &mut RawExperiment, line: &str, place: PlaceInText) -> Result<bool, Error> {
    let fields: Vec<&str> = words(line).collect();
    let numbers: Vec<Option<f64>> = fields.iter().map(|field| field.parse().ok()).collect();
    // A row begins with the number of the processor.
    let is_text = numbers.first().is_none_or(Option::is_none);
    if experiment.titles.is_empty() {
        if is_text {
            experiment.titles = titles(line);
            return Ok(true);
        }
        experiment.titles = experiment.default_titles();
    } else if is_text {
        // The titles once more, or what the program printed.
        return Ok(titles(line) == experiment.titles);
    }
    let mut values = Vec::with_capacity(fields.len());
    for (at, (number, field)) in numbers.into_iter().zip(fields).enumerate() {
        let column = || experiment.titles.get(at).cloned().unwrap_or_default();
        values.push(number.ok_or_else(|| Error::Number { place, column: column(), text: excerpt(field) })?);
    }
    experiment.push_row(&values, place)?;
    Ok(true)
}

/// The words of a line of titles. Those of network measurements hold commas in parentheses: `PRTT(1,0,s)`.
fn titles(line: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let is_between = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth <= 0 && (c.is_whitespace() || matches!(c, ',' | ';' | '"'))
    };
    line.split(is_between).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The value without the quotes around it.
fn unquoted(value: &str) -> &str {
    let value = value.trim();
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value).trim()
}

/// The words of a list, with or without quotes, with or without commas.
fn words(value: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"');
    value.split(is_between).filter(|word| !word.is_empty())
}

/// Components may hold commas in calls, and blanks in quotes.
fn components(value: &str) -> Vec<String> {
    if value.matches('"').count() > 2 {
        return value.split('"').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    }
    unquoted(value).split_whitespace().map(str::to_owned).collect()
}
