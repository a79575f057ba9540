//! Samples as other tools read them.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use call_trace::{Experiment, Samples, Unit};

use crate::WriteError;
use crate::roles::{COUNT, COUNTER, PROCESSOR, RUN, UNIT, VALUE};

/// Extra-P reads text with up to so many parameters.
const MOST_PARAMETERS: usize = 4;
/// The response where all are times.
const TIME: &str = "time_s";

/// Writes samples as a table with commas: `experiment`, `processor`, `P`, the variables of all experiments, `time_s`, and, if
/// there are any, the number of measurements behind each sample and `counter:NAME`. Where a response is no time, all stand in
/// `value`, with their units in `unit`. Fields of what an experiment does not have are empty. Where there are several
/// runs, `run` stands behind `processor` and tells them apart. Summaries are left out.
/// [`read`](crate::read) gives the same samples back.
pub fn write_csv(experiments: &[&Experiment]) -> String {
    let (variables, counters) = (variables(experiments), counters(experiments));
    let has_counts = experiments.iter().any(|its| !its.samples.count.is_empty());
    let are_times = are_times(experiments);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let has_runs = has_runs(experiments);
    let mut row: Vec<String> = vec!["experiment".to_owned(), PROCESSOR.to_owned()];
    row.extend(has_runs.then(|| RUN.to_owned()));
    row.extend(variables.iter().map(|name| (*name).to_owned()));
    row.extend(if are_times { vec![TIME.to_owned()] } else { vec![VALUE.to_owned(), UNIT.to_owned()] });
    row.extend(has_counts.then(|| COUNT.to_owned()));
    row.extend(counters.iter().map(|name| format!("{COUNTER}{name}")));
    // Writing to memory does not fail.
    let mut write = |row: &[String]| drop(writer.write_record(row));
    write(&row);
    for Experiment { name, samples, unit, .. } in experiments {
        let columns: Vec<Option<&[f64]>> = variables.iter().map(|name| samples.column(name)).collect();
        let counted: Vec<Option<&[f64]>> = counters.iter().map(|name| counter(samples, name)).collect();
        let field = |column: &Option<&[f64]>, index: usize| {
            column.map_or_else(String::new, |column| number(column[index]))
        };
        for index in 0..samples.len() {
            row.clear();
            row.push(name.clone());
            row.push(samples.processor[index].to_string());
            row.extend(has_runs.then(|| samples.run[index].to_string()));
            row.extend(columns.iter().map(|column| field(column, index)));
            row.push(number(samples.time_s[index]));
            row.extend((!are_times).then(|| unit.symbol().to_owned()));
            row.extend(has_counts.then(|| samples.count_of(index).to_string()));
            row.extend(counted.iter().map(|column| field(column, index)));
            write(&row);
        }
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes samples as an object a line, with the keys of [`write_csv`]. Values that are not finite, which JSON does not have, are
/// `null`.
pub fn write_json_lines(experiments: &[&Experiment]) -> String {
    let (are_times, has_runs) = (are_times(experiments), has_runs(experiments));
    let mut text = String::new();
    for Experiment { name, samples, unit, .. } in experiments {
        let name = quoted(name);
        let response = if are_times { TIME } else { VALUE };
        let unit = if are_times { None } else { Some(quoted(unit.symbol())) };
        let keys: Vec<String> = samples.names.iter().map(|name| quoted(name)).collect();
        let counters: Vec<String> =
            samples.counter_names.iter().map(|name| quoted(&format!("{COUNTER}{name}"))).collect();
        for index in 0..samples.len() {
            let mut push = |key: &str, value: &str| {
                text.push_str(key);
                text.push_str(": ");
                text.push_str(value);
            };
            push("{\"experiment\"", &name);
            push(&format!(", \"{PROCESSOR}\""), &samples.processor[index].to_string());
            if has_runs {
                push(&format!(", \"{RUN}\""), &samples.run[index].to_string());
            }
            for (key, column) in keys.iter().zip(&samples.columns) {
                push(&format!(", {key}"), &json_number(column[index]));
            }
            push(&format!(", \"{response}\""), &json_number(samples.time_s[index]));
            if let Some(unit) = &unit {
                push(&format!(", \"{UNIT}\""), unit);
            }
            if !samples.count.is_empty() {
                push(&format!(", \"{COUNT}\""), &samples.count_of(index).to_string());
            }
            for (key, column) in counters.iter().zip(&samples.counters) {
                push(&format!(", {key}"), &json_number(column[index]));
            }
            text.push_str("}\n");
        }
    }
    text
}

/// Writes samples as JSON lines of Extra-P: a line for each sample, whose metric is `time` in seconds or has the
/// name of another unit. `P`, where it is 1
/// throughout, is no parameter; samples with values that are not finite are left out.
///
/// # Errors
/// If an experiment has no variable but that `P`, other variables than another, or no samples that can be written.
pub fn write_extra_p_json_lines(experiments: &[&Experiment]) -> Result<String, WriteError> {
    let parameters = varied(experiments);
    let mut text = String::new();
    for Experiment { name, samples, unit, .. } in experiments {
        let written = rows(name, samples, &parameters)?;
        let (callpath, metric) = (quoted(&extra_p_path(name)), quoted(metric(unit)));
        for (index, point) in written {
            text.push_str("{\"params\": {");
            for (position, (parameter, value)) in parameters.iter().zip(&point).enumerate() {
                let between = if position == 0 { "" } else { ", " };
                // Writing to memory does not fail.
                let _ = write!(text, "{between}{}: {}", quoted(parameter), number(*value));
            }
            let value = number(samples.time_s[index]);
            let _ =
                writeln!(text, "}}, \"callpath\": {callpath}, \"metric\": {metric}, \"value\": {value}}}");
        }
    }
    Ok(text)
}

/// Writes samples as text input of Extra-P: for each experiment, as a region, a line DATA for each point, with all repetitions. `P`, where
/// it is 1 throughout, is no parameter; samples with values that are not finite are left out.
///
/// # Errors
/// If the experiments have no variable but that `P`, or more than 4, or one has other variables than another, no samples that can be written or
/// was measured at other points than the first.
pub fn write_extra_p_text(experiments: &[&Experiment]) -> Result<String, WriteError> {
    let parameters = varied(experiments);
    if parameters.len() > MOST_PARAMETERS {
        let parameters = parameters.into_iter().map(str::to_owned).collect();
        let experiment = experiments.first().map_or_else(String::new, |its| its.name.clone());
        return Err(WriteError::Parameters { experiment, parameters });
    }
    let mut points: Vec<Vec<f64>> = Vec::new();
    let mut position_of: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut regions = String::new();
    for (position, Experiment { name, samples, unit, .. }) in experiments.iter().enumerate() {
        let known = points.len();
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); known];
        for (index, point) in rows(name, samples, &parameters)? {
            let bits = point.iter().map(|value| value.to_bits()).collect();
            let place = *position_of.entry(bits).or_insert_with(|| {
                points.push(point);
                values.push(Vec::new());
                points.len() - 1
            });
            values[place].push(samples.time_s[index]);
        }
        // Extra-P has one list of points for all regions.
        if position > 0 && (points.len() > known || values.iter().any(Vec::is_empty)) {
            return Err(WriteError::OtherPoints { experiment: name.clone() });
        }
        // Writing to memory does not fail.
        let (region, metric) = (without_blanks(&extra_p_path(name)), without_blanks(metric(unit)));
        let _ = writeln!(regions, "REGION {region}\nMETRIC {metric}");
        for values in &values {
            let values = values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ");
            let _ = writeln!(regions, "DATA {values}");
        }
    }
    let mut text = String::new();
    for parameter in &parameters {
        let _ = writeln!(text, "PARAMETER {}", without_blanks(parameter));
    }
    text.push_str("POINTS");
    for point in &points {
        let values = point.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ");
        let _ = if parameters.len() == 1 { write!(text, " {values}") } else { write!(text, " ({values})") };
    }
    Ok(format!("{text}\n{regions}"))
}

/// The variables of experiments, without `P` where it is 1 throughout.
fn varied<'a>(experiments: &[&'a Experiment]) -> Vec<&'a str> {
    let is_varied = |name: &&str| {
        let column =
            |its: &&Experiment| its.samples.column(name).is_some_and(|its| its.iter().any(|p| *p != 1.0));
        *name != "P" || experiments.iter().any(column)
    };
    variables(experiments).into_iter().filter(is_varied).collect()
}

/// The samples that can be written, with their points.
fn rows(name: &str, samples: &Samples, parameters: &[&str]) -> Result<Vec<(usize, Vec<f64>)>, WriteError> {
    if parameters.is_empty() {
        return Err(WriteError::NoParameters { experiment: name.to_owned() });
    }
    let missing = parameters.iter().filter(|parameter| samples.column(parameter).is_none());
    let missing: Vec<String> = missing.map(|parameter| (*parameter).to_owned()).collect();
    if !missing.is_empty() {
        return Err(WriteError::OtherVariables { experiment: name.to_owned(), missing });
    }
    let columns: Vec<Option<&[f64]>> = parameters.iter().map(|name| samples.column(name)).collect();
    let point = |index: usize| -> Option<(usize, Vec<f64>)> {
        let value =
            |column: &Option<&[f64]>| column.map(|column| column[index]).filter(|value| value.is_finite());
        let point: Option<Vec<f64>> = columns.iter().map(value).collect();
        point.filter(|_| samples.time_s[index].is_finite()).map(|point| (index, point))
    };
    let rows: Vec<(usize, Vec<f64>)> = (0..samples.len()).filter_map(point).collect();
    if rows.is_empty() { Err(WriteError::NoSamples { experiment: name.to_owned() }) } else { Ok(rows) }
}

/// A call path as Extra-P has it.
fn extra_p_path(name: &str) -> String {
    name.replace('/', "->")
}

fn without_blanks(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

/// The metric of a response.
fn metric(unit: &Unit) -> &str {
    if unit.is_time() { "time" } else { unit.symbol() }
}

fn are_times(experiments: &[&Experiment]) -> bool {
    experiments.iter().all(|its| its.unit.is_time())
}

/// Whether the samples are of several runs.
fn has_runs(experiments: &[&Experiment]) -> bool {
    let mut runs = experiments.iter().flat_map(|its| &its.samples.run);
    let first = runs.next();
    // A variable of that name has the column.
    runs.any(|run| Some(run) != first) && !variables(experiments).contains(&RUN)
}

/// A text of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn json_number(value: f64) -> String {
    if value.is_finite() { number(value) } else { "null".to_owned() }
}

/// A number in as few digits as give the same double back.
fn number(value: f64) -> String {
    const LARGEST_PLAIN: f64 = 1e15;
    if value.fract() == 0.0 && value.abs() < LARGEST_PLAIN {
        format!("{value}")
    } else {
        format!("{value:?}")
    }
}

/// The names of the variables of several experiments, `P` first, each once.
fn variables<'a>(experiments: &[&'a Experiment]) -> Vec<&'a str> {
    distinct(experiments.iter().flat_map(|its| &its.samples.names))
}

/// The names of the counters of several experiments.
fn counters<'a>(experiments: &[&'a Experiment]) -> Vec<&'a str> {
    distinct(experiments.iter().flat_map(|its| &its.samples.counter_names))
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut known = HashSet::new();
    names.map(String::as_str).filter(|name| known.insert(*name)).collect()
}

fn counter<'a>(samples: &'a Samples, name: &str) -> Option<&'a [f64]> {
    let position = samples.counter_names.iter().position(|candidate| candidate == name)?;
    samples.counters.get(position).map(Vec::as_slice)
}
