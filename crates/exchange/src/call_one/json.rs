//! JSON: the keys of the text, `cll_experiment` as an object (several in a list, or under the same key), lists for lists.

use super::{Raw, RawExperiment};
use crate::json::Json;
use crate::{Error, Format, Imported, Options, Place};

const EXPERIMENT: &str = "cll_experiment";

/// Whether an object is a trace of CALL 1.0.
pub(crate) fn is_call_one(json: &Json) -> bool {
    json.get(EXPERIMENT).is_some() || json.get("CALL_VERSION").is_some() || json.get("cll_data").is_some()
}

/// Reads a trace, or several that stand one behind another.
pub(crate) fn read(path_name: &str, traces: &[Json], options: &Options) -> Result<Imported, Error> {
    let mut raw = Raw::default();
    for json in traces {
        push(&mut raw, json.get("cll_data").unwrap_or(json))?;
    }
    raw.import(Format::CallOneJson, path_name, options)
}

fn push(raw: &mut Raw, json: &Json) -> Result<(), Error> {
    if let Json::Object(entries) = json {
        for (key, value) in entries {
            if let Some(value) = value.word() {
                raw.set(&key.to_ascii_uppercase(), value.trim());
            }
        }
    }
    for experiment in json.all(EXPERIMENT).flat_map(Json::entries) {
        let number = raw.experiments.len() as u64 + 1;
        raw.experiments.push(read_experiment(experiment, number)?);
    }
    Ok(())
}

fn read_experiment(json: &Json, number: u64) -> Result<RawExperiment, Error> {
    let at = format!("entry {number} of `{EXPERIMENT}`");
    let Json::Object(entries) = json else {
        return Err(Error::Shape { at, expected: "an object", found: json.kind().to_owned() });
    };
    let mut raw = RawExperiment::default();
    let texts = |value: &Json| value.entries().iter().filter_map(Json::word).collect::<Vec<String>>();
    for (key, value) in entries {
        match (key.to_ascii_uppercase().as_str(), value) {
            ("EXPERIMENT", value) => raw.name = value.word().unwrap_or_default(),
            ("HEADERS", value) => raw.titles = headers(value),
            ("MACHINES", Json::Object(_)) => raw.nodes = value.get("node").map_or_else(Vec::new, texts),
            ("MACHINES", value) => raw.nodes = texts(value),
            ("IDENTS", Json::List(_)) => raw.identifiers = texts(value),
            ("OBSERVABLES", Json::List(_)) => raw.observables = texts(value),
            ("COMPONENTS", Json::List(_)) => raw.components = texts(value),
            (key, Json::List(list)) if key != "SAMPLE" => {
                let words: Vec<String> = list.iter().filter_map(Json::word).collect();
                raw.set(key, &words.join(" "), Place::Entry(number))?;
            }
            (key, value) => {
                if let Some(word) = value.word() {
                    raw.set(key, &word, Place::Entry(number))?;
                }
            }
        }
    }
    if raw.titles.is_empty() {
        raw.titles = raw.default_titles();
    }
    let sample = entries.iter().filter(|(key, _)| key.eq_ignore_ascii_case("sample"));
    for (_, sample) in sample {
        push_sample(&mut raw, sample, &at)?;
    }
    Ok(raw)
}

/// Titles as a list, or as the XML has them.
fn headers(value: &Json) -> Vec<String> {
    let list = value.get("h").unwrap_or(value);
    list.entries().iter().filter_map(Json::word).flat_map(|word| words(&word)).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn push_sample(raw: &mut RawExperiment, sample: &Json, at: &str) -> Result<(), Error> {
    let rows = sample.get("row").unwrap_or(sample);
    let rows = if let Json::List(rows) = rows { rows.as_slice() } else { &[] };
    let mut values = Vec::new();
    for (row, number) in rows.iter().zip(1..) {
        values.clear();
        for (column, value) in row.get("c").unwrap_or(row).entries().iter().enumerate() {
            let found = if *value == Json::Null { Some(f64::NAN) } else { value.number() };
            values.push(found.ok_or_else(|| {
                let title = raw.titles.get(column).cloned().unwrap_or_default();
                Error::Shape {
                    at: format!("{at}, row {number} of `sample`, column `{title}`"),
                    expected: "a number",
                    found: value.kind().to_owned(),
                }
            })?);
        }
        raw.push_row(&values, Place::Entry(number)).map_err(|error| match error {
            Error::FieldCount { expected, found, .. } => Error::Shape {
                at: format!("{at}, row {number} of `sample`"),
                expected: "a number for each of the `headers`",
                found: format!("{found} numbers for {expected} headers"),
            },
            error => error,
        })?;
    }
    Ok(())
}
