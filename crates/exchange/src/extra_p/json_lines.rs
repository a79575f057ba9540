//! `{"params": {"p": 4}, "callpath": "main->solve", "metric": "time", "value": 0.5}`

use std::collections::HashMap;

use crate::extra_p::{Measurements, NO_METRIC, NO_REGION};
use crate::json::Json;
use crate::json_lines::lines;
use crate::measured::MOST_PARAMETERS;
use crate::{Error, Format, Imported, Options, Place};

/// Whether an object is a measurement of Extra-P.
pub(crate) fn is_measurement(object: &Json) -> bool {
    matches!(object.get("params"), Some(Json::Object(_))) && object.get("value").is_some()
}

/// Reads measurements, one a line.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &Options) -> Result<Imported, Error> {
    let mut measurements = Measurements::default();
    for (line, text) in lines(bytes) {
        push(&mut measurements, &Json::read_line(text, line)?, line)?;
    }
    if measurements.values.is_empty() {
        return Err(Error::Empty);
    }
    measurements.import(Format::ExtraPJsonLines, path_name, options)
}

fn push(measurements: &mut Measurements, object: &Json, line: u64) -> Result<(), Error> {
    let place = Place::Line(line);
    let fail = |key: &str, expected: &'static str, found: Option<&Json>| Error::Shape {
        at: format!("{place}, key `{key}`"),
        expected,
        found: found.map_or("nothing", Json::kind).to_owned(),
    };
    let word = |key: &str, absent: &str| match object.get(key) {
        None | Some(Json::Null) => Ok(absent.to_owned()),
        Some(value) => value.word().ok_or_else(|| fail(key, "a text", Some(value))),
    };
    let region = measurements.regions.number(&word("callpath", NO_REGION)?);
    let metric = measurements.metrics.number(&word("metric", NO_METRIC)?);
    let Some(Json::Object(parameters)) = object.get("params") else {
        return Err(fail("params", "an object with the parameters", object.get("params")));
    };
    if parameters.len() > MOST_PARAMETERS {
        return Err(Error::Parameters { place, most: MOST_PARAMETERS });
    }
    if measurements.values.is_empty() {
        measurements.parameters = parameters.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
        let mut names = crate::name::Names::default();
        if let Some((name, _)) = parameters.iter().find(|(name, _)| names.take(name.clone()) != *name) {
            return Err(fail(&format!("params.{name}"), "each parameter once", Some(&Json::Null)));
        }
    }
    let by_name: HashMap<&str, &Json> =
        parameters.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let mut point = Vec::with_capacity(measurements.parameters.len());
    for (name, _) in &measurements.parameters {
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
        for ((_, column), value) in measurements.parameters.iter_mut().zip(&point) {
            column.push(*value);
        }
        measurements.region_of.push(region);
        measurements.metric_of.push(metric);
        measurements.values.push(number);
        measurements.places.push(place);
    }
    Ok(())
}
