//! JSON input of Extra-P, of now and of before, and the experiments that it saves.
//!
//! `{"parameters": ["p"], "measurements": {"main->solve": {"time": [{"point": [4], "values": [0.5, 0.6]}]}}}`

use std::collections::HashMap;

use crate::json::Json;
use crate::measurements::{MOST_PARAMETERS, RowSummary};
use crate::metrics::Metrics;
use crate::{Error, PlaceInText};

/// Whether an object is such an input.
pub(crate) fn is_input(json: &Json) -> bool {
    json.get("parameters").is_some() && json.get("measurements").is_some()
}

/// Arrays of values beside an experiment: of a chunk and an index the dimensions and the values.
pub(crate) type Arrays<'a> = dyn FnMut(f64, f64) -> Result<(Vec<usize>, Vec<f64>), Error> + 'a;

/// Reads an input, or an experiment with its arrays.
pub(crate) fn metrics_of(json: &Json, arrays: &mut Arrays) -> Result<Metrics, Error> {
    let mut metrics = Metrics::default();
    if json.get("callpaths").is_some() {
        return old(json, metrics);
    }
    let names = list(json, "parameters")?.iter().zip(1..).map(|(name, number)| {
        name.word().ok_or_else(|| shape(format!("entry {number} of `parameters`"), "a name", name))
    });
    add_parameters(&mut metrics, names.collect::<Result<_, _>>()?)?;
    let measurements = json.get("measurements").unwrap_or(&Json::Null);
    for (path, of_path) in entries("measurements", measurements)? {
        let region = metrics.regions.number(path);
        for (metric_name, points) in entries(&format!("measurements.{path}"), of_path)? {
            let metric = metrics.metrics.number(metric_name);
            for (measured, number) in points.entries().iter().zip(1..) {
                let at = |key: &str| {
                    format!(
                        "call path `{}`, metric `{}`, entry {number}, key `{key}`",
                        short(path),
                        short(metric_name)
                    )
                };
                push(&mut metrics, region, metric, measured, number, &at, arrays)?;
            }
        }
    }
    Ok(metrics)
}

fn short(text: &str) -> String {
    call_grammar::excerpt(text)
}

fn shape(at: String, expected: &'static str, found: &Json) -> Error {
    Error::Shape { at, expected, found: found.kind().to_owned() }
}

fn list<'a>(json: &'a Json, key: &str) -> Result<&'a [Json], Error> {
    match json.get(key) {
        Some(Json::List(list)) => Ok(list),
        other => Err(shape(format!("key `{key}`"), "a list", other.unwrap_or(&Json::Null))),
    }
}

fn entries<'a>(at: &str, json: &'a Json) -> Result<&'a [(String, Json)], Error> {
    match json {
        Json::Object(entries) => Ok(entries),
        other => Err(shape(format!("key `{}`", short(at)), "an object", other)),
    }
}

pub(super) fn add_parameters(metrics: &mut Metrics, names: Vec<String>) -> Result<(), Error> {
    if names.len() > MOST_PARAMETERS {
        return Err(Error::Parameters { place: PlaceInText::Line(1), most: MOST_PARAMETERS });
    }
    for (position, name) in names.iter().enumerate() {
        if let Some(first) = names[..position].iter().position(|known| known == name) {
            let (place, name) = (PlaceInText::Line(1), short(name));
            return Err(Error::DuplicateColumn { place, name, first: first + 1, second: position + 1 });
        }
    }
    metrics.rows.variables = names.into_iter().map(|name| (name, Vec::new())).collect();
    Ok(())
}

/// Adds what was measured at a point: values, of repetitions and of processors in each, or else what was kept of them.
fn push(
    metrics: &mut Metrics,
    region: u32,
    metric: u32,
    measured: &Json,
    number: u64,
    at: &dyn Fn(&str) -> String,
    arrays: &mut Arrays,
) -> Result<(), Error> {
    let place = PlaceInText::Entry(number);
    let (key, point) = match measured.get("point") {
        Some(point) => ("point", point),
        None => ("coordinate", measured.get("coordinate").unwrap_or(&Json::Null)),
    };
    let coordinates: Option<Vec<f64>> = point.entries().iter().map(Json::number).collect();
    let parameters = metrics.rows.variables.len();
    let coordinates = coordinates
        .filter(|found| found.len() == parameters)
        .ok_or_else(|| shape(at(key), "a number for each of the `parameters`", point))?;
    match (measured.get("values"), key) {
        (None | Some(Json::Null), "coordinate") => {
            let number = |key: &str| measured.get(key).and_then(Json::number);
            let wanted = |key: &str| {
                number(key)
                    .ok_or_else(|| shape(at(key), "a number", measured.get(key).unwrap_or(&Json::Null)))
            };
            let (median, mean) = (wanted("median")?, wanted("mean")?);
            let summary = RowSummary {
                count: number("repetitions").map_or(1, |count| count.max(1.0) as u64),
                mean,
                standard_deviation: number("std").unwrap_or(0.0),
                least: number("minimum").unwrap_or(median.min(mean)),
                most: number("maximum").unwrap_or(median.max(mean)),
            };
            metrics.push_summary(region, metric, &coordinates, median, summary, place);
        }
        (Some(array), "coordinate") => {
            let index: Option<Vec<f64>> = array.entries().iter().map(Json::number).collect();
            let Some(&[chunk, index]) = index.as_deref() else {
                return Err(shape(at("values"), "the numbers of a chunk and of an array", array));
            };
            let (dimensions, values) = arrays(chunk, index)?;
            let processors = dimensions.iter().skip(1).product::<usize>().max(1);
            for (place_in_array, value) in values.into_iter().enumerate() {
                let processor = (place_in_array % processors) as u32;
                match processors {
                    1 => metrics.push(region, metric, &coordinates, value, place),
                    _ => metrics.push_of(processor, region, metric, &coordinates, value, place),
                }
            }
        }
        (values, _) => {
            let values = values.unwrap_or(&Json::Null);
            for repetition in values.entries() {
                if let Json::List(of_processors) = repetition {
                    for (value, processor) in of_processors.iter().zip(0..) {
                        let value = value.number().ok_or_else(|| shape(at("values"), "numbers", value))?;
                        metrics.push_of(processor, region, metric, &coordinates, value, place);
                    }
                    continue;
                }
                let value = repetition.number().ok_or_else(|| shape(at("values"), "numbers", repetition))?;
                metrics.push(region, metric, &coordinates, value, place);
            }
        }
    }
    Ok(())
}

/// Reads the input of before: lists of what there is, each with an `id`, and of measurements which name those.
fn old(json: &Json, mut metrics: Metrics) -> Result<Metrics, Error> {
    let key_of =
        |key: &str, id: &Json| id.word().ok_or_else(|| shape(format!("key `{key}`"), "a number", id));
    let named = |key: &str| -> Result<Vec<(String, String)>, Error> {
        let mut named = Vec::new();
        for (entry, number) in list(json, key)?.iter().zip(1..) {
            let wanted = |inner: &str| {
                let found = entry.get(inner).unwrap_or(&Json::Null);
                found.word().ok_or_else(|| {
                    shape(format!("entry {number} of `{key}`, key `{inner}`"), "a text", found)
                })
            };
            named.push((wanted("id")?, wanted("name")?));
        }
        Ok(named)
    };
    let parameters = named("parameters")?;
    let position_of: HashMap<String, usize> =
        parameters.iter().enumerate().map(|(at, (id, _))| (id.clone(), at)).collect();
    add_parameters(&mut metrics, parameters.into_iter().map(|(_, name)| name).collect())?;
    let region_of: HashMap<String, u32> =
        named("callpaths")?.into_iter().map(|(id, name)| (id, metrics.regions.number(&name))).collect();
    let metric_of: HashMap<String, u32> =
        named("metrics")?.into_iter().map(|(id, name)| (id, metrics.metrics.number(&name))).collect();
    let mut points: HashMap<String, Vec<f64>> = HashMap::new();
    for (entry, number) in list(json, "coordinates")?.iter().zip(1..) {
        let at = |key: &str| format!("entry {number} of `coordinates`, key `{key}`");
        let mut point = vec![f64::NAN; position_of.len()];
        for pair in list(entry, "parameter_value_pairs")? {
            let (id, value) = (pair.get("parameter_id").unwrap_or(&Json::Null), pair.get("parameter_value"));
            let position = id.word().and_then(|id| position_of.get(&id));
            let position =
                position.ok_or_else(|| shape(at("parameter_id"), "the `id` of a parameter", id))?;
            let value = value.unwrap_or(&Json::Null);
            point[*position] =
                value.number().ok_or_else(|| shape(at("parameter_value"), "a number", value))?;
        }
        points.insert(key_of("id", entry.get("id").unwrap_or(&Json::Null))?, point);
    }
    for (entry, number) in list(json, "measurements")?.iter().zip(1..) {
        let id = |key: &str| {
            let id = entry.get(key).unwrap_or(&Json::Null);
            let word = id.word();
            word.ok_or_else(|| {
                shape(format!("entry {number} of `measurements`, key `{key}`"), "a number", id)
            })
        };
        let unknown = |key: &str| {
            let at = format!("entry {number} of `measurements`, key `{key}`");
            shape(at, "the `id` of something in the file", entry.get(key).unwrap_or(&Json::Null))
        };
        let point = points.get(&id("coordinate_id")?).ok_or_else(|| unknown("coordinate_id"))?;
        let region = region_of.get(&id("callpath_id")?).ok_or_else(|| unknown("callpath_id"))?;
        let metric = metric_of.get(&id("metric_id")?).ok_or_else(|| unknown("metric_id"))?;
        let value = entry.get("value").and_then(Json::number).ok_or_else(|| unknown("value"))?;
        metrics.push(*region, *metric, point, value, PlaceInText::Entry(number));
    }
    Ok(metrics)
}
