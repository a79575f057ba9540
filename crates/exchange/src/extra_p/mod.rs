//! Input files of Extra-P: text and JSON lines, of which this module reads the latter:
//! `{"params": {"p": 4}, "callpath": "main->solve", "metric": "time", "value": 0.5}`

pub(crate) mod text;

use std::collections::HashMap;

use call_trace::{Header, Unit};

use crate::json::{Json, lines};
use crate::measurements::{ImportedRows, MOST_PARAMETERS, Units};
use crate::response_name::{NameFit, metric_unit, time_name};
use crate::{Error, FileFormat, Imported, Note, PlaceInText, ReadOptions, Reason, name};

/// What Extra-P calls a region or a metric without a name.
const NO_REGION: &str = "<root>";
const NO_METRIC: &str = "<default>";

/// ImportedRows of all metrics.
#[derive(Default)]
struct Metrics {
    regions: Numbered,
    metrics: Numbered,
    /// The rows of all metrics; regions are their experiments.
    rows: ImportedRows,
    metric_of: Vec<u32>,
}

/// Names in the order in which they came up.
#[derive(Default)]
struct Numbered {
    names: Vec<String>,
    number_of: HashMap<String, u32>,
}

impl Numbered {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.number_of.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.number_of.insert(name.to_owned(), number);
        number
    }
}

impl Metrics {
    /// Adds a value of a metric in a region at a point.
    fn push(&mut self, region: u32, metric: u32, point: &[f64], value: f64, place: PlaceInText) {
        let rows = &mut self.rows;
        for ((_, column), value) in rows.variables.iter_mut().zip(point) {
            column.push(*value);
        }
        rows.experiment_of.push(region);
        rows.response.push(value);
        rows.places.push(place);
        self.metric_of.push(metric);
    }

    /// Makes experiments of the values of one metric: the one that was asked for, else the one that is most like a time.
    fn import(self, format: FileFormat, path_name: &str, options: &ReadOptions) -> Result<Imported, Error> {
        let metric = self.metric(options)?;
        let Metrics { regions, metrics, rows, metric_of } = self;
        let metric_name = metrics.names[metric].clone();
        let said = options.unit.clone().or_else(|| unit_of(&metric_name));
        let (unit, is_assumed) = (said.clone().unwrap_or_default(), said.is_none());
        let chosen: Vec<usize> =
            (0..metric_of.len()).filter(|row| metric_of[*row] as usize == metric).collect();
        let of_chosen = |values: &[f64]| -> Vec<f64> { chosen.iter().map(|row| values[*row]).collect() };
        let file = options.experiment_name.clone().unwrap_or_else(|| name::of_file(path_name));
        let of_region = |name: String| if name == NO_REGION { file.clone() } else { name };
        let mut response = of_chosen(&rows.response);
        response.iter_mut().for_each(|value| *value = unit.to_base(*value));
        let variables = rows.variables.iter().map(|(name, values)| (name.clone(), of_chosen(values)));
        let measurements = ImportedRows {
            experiments: regions.names.into_iter().map(of_region).collect(),
            experiment_of: chosen.iter().map(|row| rows.experiment_of[*row]).collect(),
            variables: variables.collect(),
            response,
            units: Units::all(unit.clone()),
            places: chosen.iter().map(|row| rows.places[*row]).collect(),
            ..ImportedRows::default()
        };
        let clock = if metric_name == NO_METRIC { String::new() } else { metric_name.clone() };
        let mut notes = vec![Note::Response { column: metric_name, unit, is_assumed }];
        let mut others = metrics.names;
        others.remove(metric);
        if !others.is_empty() {
            notes.push(Note::LeftOut { names: others, reason: Reason::OtherMetric });
        }
        let header = Header { program: name::of_file(path_name), clock, ..Header::default() };
        let mut imported = measurements.import(format, header, options, notes)?;
        // Regions that only other metrics were measured in.
        imported.trace.experiments.retain(|its| !its.samples.is_empty());
        Ok(imported)
    }

    fn metric(&self, options: &ReadOptions) -> Result<usize, Error> {
        let names = &self.metrics.names;
        if let Some(name) = &options.response {
            return names
                .iter()
                .position(|candidate| candidate == name)
                .ok_or_else(|| Error::UnknownColumn { name: name.clone(), columns: names.clone() });
        }
        let fit = |number: usize| {
            time_name(&names[number]).map(|time| time.fit).filter(|fit| *fit < NameFit::Letter)
        };
        let best = (0..names.len()).filter_map(|number| Some((fit(number)?, number))).min();
        Ok(best.map_or(0, |(_, number)| number))
    }
}

/// The unit of a metric by its name; a metric that is no time has the unit of its name. `None` if nothing says the unit of times.
fn unit_of(metric: &str) -> Option<Unit> {
    let is_time = metric == NO_METRIC || time_name(metric).is_some_and(|time| time.fit < NameFit::Letter);
    metric_unit(metric).or_else(|| if is_time { None } else { Unit::named(metric) })
}

/// Whether an object is a measurement of Extra-P.
pub(crate) fn is_measurement(object: &Json) -> bool {
    matches!(object.get("params"), Some(Json::Object(_))) && object.get("value").is_some()
}

/// Reads measurements, one a line.
pub(crate) fn read_json_lines(
    path_name: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Imported, Error> {
    let mut metrics = Metrics::default();
    for (line, text) in lines(bytes) {
        push(&mut metrics, &Json::read_line(text, line)?, line)?;
    }
    if metrics.metric_of.is_empty() {
        return Err(Error::Empty);
    }
    metrics.import(FileFormat::ExtraPJsonLines, path_name, options)
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
    let Some(Json::Object(parameters)) = object.get("params") else {
        return Err(fail("params", "an object with the parameters", object.get("params")));
    };
    if parameters.len() > MOST_PARAMETERS {
        return Err(Error::Parameters { place, most: MOST_PARAMETERS });
    }
    if metrics.metric_of.is_empty() {
        metrics.rows.variables = parameters.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
        let mut names = name::Names::default();
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
