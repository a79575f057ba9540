//! Input files of Extra-P, and the experiments that it saves. JSON lines are read here, those of Talpas, too:
//! `{"params": {"p": 4}, "callpath": "main->solve", "metric": "time", "value": 0.5}`

pub(crate) mod archive;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod three;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::json::{Json, lines};
use crate::measurements::MOST_PARAMETERS;
use crate::metrics::{Metrics, NO_METRIC, NO_REGION};
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions, name};

/// Reads JSON input.
pub(crate) fn read_json(path_name: &str, json: &Json, options: &ReadOptions) -> Result<Imported, Error> {
    let mut no_arrays = |_, _| {
        let (at, expected) = ("key `values`".to_owned(), "a list of numbers");
        Err(Error::Shape { at, expected, found: "the numbers of an array that is in no JSON".to_owned() })
    };
    let metrics = json::metrics_of(json, &mut no_arrays)?;
    if metrics.is_empty() {
        return Err(Error::NoResults { list: "measurements" });
    }
    metrics.import(FileFormat::ExtraPJson, path_name, options)
}

/// Whether an object is a measurement of Extra-P.
pub(crate) fn is_measurement(object: &Json) -> bool {
    let parameters = PARAMETERS.iter().find_map(|key| object.get(key));
    matches!(parameters, Some(Json::Object(_))) && object.get("value").is_some()
}

/// How the parameters are called by Extra-P and by Talpas.
const PARAMETERS: [&str; 2] = ["params", "parameters"];

/// Whether a line is one of Talpas: a measurement whose entries have semicolons between them.
pub(crate) fn is_talpas(line: &[u8]) -> bool {
    let Cow::Owned(json) = with_commas(line) else { return false };
    Json::read_line(&json, 1).is_ok_and(|object| is_measurement(&object))
}

/// The line with commas where semicolons stand outside of texts.
fn with_commas(line: &[u8]) -> Cow<'_, [u8]> {
    let (mut is_text, mut is_escaped) = (false, false);
    let mut mended = Cow::Borrowed(line);
    for (at, byte) in line.iter().enumerate() {
        is_text ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        if *byte == b';' && !is_text {
            mended.to_mut()[at] = b',';
        }
    }
    mended
}

/// Reads measurements, one a line, of Extra-P or of Talpas.
pub(crate) fn read_lines(
    format: FileFormat,
    path_name: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Imported, Error> {
    let mut metrics = Metrics::default();
    for (line, text) in lines(bytes) {
        let text = if format == FileFormat::Talpas { with_commas(text) } else { Cow::Borrowed(text) };
        push(&mut metrics, &Json::read_line(&text, line)?, line)?;
    }
    if metrics.is_empty() {
        return Err(Error::Empty);
    }
    metrics.import(format, path_name, options)
}

fn push(metrics: &mut Metrics, object: &Json, line: u64) -> Result<(), Error> {
    let place = PlaceInText::Line(line);
    let fail = |key: &str, expected: &'static str, found: Option<&Json>| Error::Shape {
        at: format!("{place}, key `{key}`"),
        expected,
        found: found.map_or("nothing", Json::kind).to_owned(),
    };
    let word = |key: &str, absent: &str| match object.get(key) {
        None | Some(Json::Null) => Ok(absent.to_owned()),
        Some(value) => value.word().ok_or_else(|| fail(key, "a text", Some(value))),
    };
    let region = metrics.regions.number(&word("callpath", NO_REGION)?);
    let metric = metrics.metrics.number(&word("metric", NO_METRIC)?);
    let found = PARAMETERS.iter().find_map(|key| object.get(key));
    let Some(Json::Object(parameters)) = found else {
        return Err(fail(PARAMETERS[0], "an object with the parameters", found));
    };
    if parameters.len() > MOST_PARAMETERS {
        return Err(Error::Parameters { place, most: MOST_PARAMETERS });
    }
    if metrics.is_empty() {
        metrics.rows.variables = parameters.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
        let mut names = name::UniqueNames::default();
        if let Some((name, _)) = parameters.iter().find(|(name, _)| names.take(name.clone()) != *name) {
            return Err(fail(&format!("params.{name}"), "each parameter once", Some(&Json::Null)));
        }
    }
    let by_name: HashMap<&str, &Json> =
        parameters.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let mut point = Vec::with_capacity(metrics.rows.variables.len());
    for (name, _) in &metrics.rows.variables {
        let found = by_name.get(name.as_str()).copied();
        let number = found.and_then(Json::number);
        point.push(number.ok_or_else(|| fail(&format!("params.{name}"), "a number", found))?);
    }
    let value = object.get("value");
    let values = value.map_or(&[] as &[Json], Json::entries);
    if values.is_empty() {
        return Err(fail("value", "a number", value));
    }
    for value in values {
        let number = value.number().ok_or_else(|| fail("value", "a number", Some(value)))?;
        metrics.push(region, metric, &point, number, place);
    }
    Ok(())
}
