//! JSON: the keys of the text, `cll_experiment` as an object (several in a list, or under the same key), lists for lists.

use super::{Raw, RawExperiment, mended};
use crate::json::Json;
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

const EXPERIMENT: &str = "cll_experiment";

/// Whether a value is a trace of CALL 1.0, or an experiment of one, or a list of these.
pub(crate) fn is_call_one(json: &Json) -> bool {
    let has = |key| json.get(key).is_some();
    match json {
        Json::List(entries) => !entries.is_empty() && entries.iter().all(is_call_one),
        _ => has(EXPERIMENT) || has("CALL_VERSION") || has("cll_data") || is_experiment(json),
    }
}

/// Whether a text that is no JSON speaks of what is in such a trace.
pub(crate) fn may_be_call_one(text: &str) -> bool {
    [EXPERIMENT, "CALL_VERSION", "cll_data"].iter().any(|key| text.contains(&format!("\"{key}\"")))
}

fn is_experiment(json: &Json) -> bool {
    let has = |wanted: &str| match json {
        Json::Object(entries) => entries.iter().any(|(key, _)| key.eq_ignore_ascii_case(wanted)),
        _ => false,
    };
    has("EXPERIMENT") && has("SAMPLE")
}

/// Reads a text: a trace, or several that stand one behind another. What C prints for no number is taken for none, and of a text whose
/// end is missing the whole rows are read.
pub(crate) fn read_text(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let error = match Json::read_several(text.as_bytes()) {
        Ok(traces) => return read(path_name, &traces, options),
        Err(error) => error,
    };
    let numbers = mended::without_bare_words(text);
    let numbers = numbers.as_deref().unwrap_or(text);
    if let Ok(traces) = Json::read_several(numbers.as_bytes()) {
        return read(path_name, &traces, options);
    }
    let closed = mended::closed_json(numbers).and_then(|text| Json::read(text.as_bytes()).ok());
    let trace = closed.filter(is_call_one).ok_or(error)?;
    import(Raw { is_cut: true, ..Raw::default() }, path_name, &[trace], options)
}

/// Reads a trace, or several.
pub(crate) fn read(path_name: &str, traces: &[Json], options: &ReadOptions) -> Result<Imported, Error> {
    import(Raw::default(), path_name, traces, options)
}

fn import(mut raw: Raw, path_name: &str, traces: &[Json], options: &ReadOptions) -> Result<Imported, Error> {
    for json in traces.iter().flat_map(Json::entries) {
        push(&mut raw, json.get("cll_data").unwrap_or(json))?;
    }
    raw.import(FileFormat::CallOneJson, path_name, options)
}

fn push(raw: &mut Raw, json: &Json) -> Result<(), Error> {
    if let Json::Object(entries) = json {
        for (key, value) in entries {
            if let Some(value) = value.word() {
                raw.set(&key.to_ascii_uppercase(), value.trim());
            }
        }
    }
    let mut add = |json: &Json, name: &str| -> Result<(), Error> {
        let number = raw.experiments.len() as u64 + 1;
        raw.experiments.push(read_experiment(json, name, number)?);
        Ok(())
    };
    if is_experiment(json) {
        add(json, "")?;
    }
    for experiment in json.all(EXPERIMENT).flat_map(Json::entries) {
        match experiment {
            // Of an object of objects the keys are the names.
            Json::Object(named) if are_experiments(named) => {
                named.iter().try_for_each(|(name, experiment)| add(experiment, name))?;
            }
            _ => add(experiment, "")?,
        }
    }
    Ok(())
}

fn are_experiments(entries: &[(String, Json)]) -> bool {
    let is_key = |key: &str| ["MACHINES", "HEADERS", "SAMPLE"].contains(&key.to_ascii_uppercase().as_str());
    !entries.is_empty() && entries.iter().all(|(key, value)| matches!(value, Json::Object(_)) && !is_key(key))
}

/// Reads an experiment; `name` is that of one which says none itself.
fn read_experiment(json: &Json, name: &str, number: u64) -> Result<RawExperiment, Error> {
    let at = format!("entry {number} of `{EXPERIMENT}`");
    let Json::Object(entries) = json else {
        return Err(Error::Shape { at, expected: "an object", found: json.kind().to_owned() });
    };
    let mut raw = RawExperiment::named(name.to_owned());
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
                raw.set(key, &words.join(" "), PlaceInText::Entry(number))?;
            }
            (key, value) => {
                if let Some(word) = value.word() {
                    raw.set(key, &word, PlaceInText::Entry(number))?;
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
    let rows = match sample.get("row").unwrap_or(sample) {
        // A single row need not be a list of rows.
        Json::List(cells) if cells.iter().any(|cell| cell.number().is_some()) => {
            &[Json::List(cells.clone())][..]
        }
        rows @ (Json::List(_) | Json::Object(_)) => rows.entries(),
        _ => &[],
    };
    // Rows may be lists by processor.
    let is_row = |row: &Json| !row.entries().iter().any(|cell| matches!(cell, Json::List(_)));
    let rows = rows.iter().flat_map(|row| match row {
        Json::List(rows) if rows.is_empty() || !is_row(row) => rows.as_slice(),
        row => std::slice::from_ref(row),
    });
    let mut values = Vec::new();
    for (row, number) in rows.zip(1..) {
        values.clear();
        let by_title = |title: &String| row.get(title).cloned().unwrap_or(Json::Null);
        let named: Vec<Json>;
        let cells = match row {
            Json::Object(_) if row.get("c").is_none() => {
                named = raw.titles.iter().map(by_title).collect();
                named.as_slice()
            }
            _ => row.get("c").unwrap_or(row).entries(),
        };
        for (column, value) in cells.iter().enumerate() {
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
        raw.push_row(&values, PlaceInText::Entry(number)).map_err(|error| match error {
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
