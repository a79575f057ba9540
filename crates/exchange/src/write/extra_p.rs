use std::collections::HashMap;
use std::fmt::Write as _;

use call_trace::Samples;

use super::json_lines::quoted;
use super::{number, variables};
use crate::WriteError;

/// Extra-P reads text with up to so many parameters.
const MOST_PARAMETERS: usize = 4;

/// Writes samples as JSON lines of Extra-P: a line for each sample, whose metric is `time` in seconds. `P`, where it is 1
/// throughout, is no parameter; samples with values that are not finite are left out.
///
/// # Errors
/// If an experiment has no variable but that `P`, or no samples that can be written.
pub fn write_extra_p_json_lines(experiments: &[(&str, &Samples)]) -> Result<String, WriteError> {
    let names: Vec<&str> = variables(experiments);
    let is_varied = |name: &&str| {
        experiments.iter().any(|(_, samples)| {
            *name != "P" || samples.column(name).is_some_and(|its| its.iter().any(|p| *p != 1.0))
        })
    };
    let parameters: Vec<&str> = names.into_iter().filter(is_varied).collect();
    let mut text = String::new();
    for (name, samples) in experiments {
        let written = rows(name, samples, &parameters)?;
        let callpath = quoted(name);
        for (index, point) in written {
            text.push_str("{\"params\": {");
            for (position, (parameter, value)) in parameters.iter().zip(&point).enumerate() {
                let between = if position == 0 { "" } else { ", " };
                // Writing to memory does not fail.
                let _ = write!(text, "{between}{}: {}", quoted(parameter), number(*value));
            }
            let time_s = number(samples.time_s[index]);
            let _ =
                writeln!(text, "}}, \"callpath\": {callpath}, \"metric\": \"time\", \"value\": {time_s}}}");
        }
    }
    Ok(text)
}

/// Writes the samples of an experiment as text input of Extra-P: a line DATA for each point, with all repetitions. `P`, where
/// it is 1 throughout, is no parameter; samples with values that are not finite are left out.
///
/// # Errors
/// If the experiment has no variable but that `P`, or more than 4, or no samples that can be written.
pub fn write_extra_p_text(name: &str, samples: &Samples) -> Result<String, WriteError> {
    let is_varied = |name: &&String| {
        *name != "P" || samples.column(name).is_some_and(|its| its.iter().any(|p| *p != 1.0))
    };
    let parameters: Vec<&str> = samples.names.iter().filter(is_varied).map(String::as_str).collect();
    if parameters.len() > MOST_PARAMETERS {
        let parameters = parameters.into_iter().map(str::to_owned).collect();
        return Err(WriteError::Parameters { experiment: name.to_owned(), parameters });
    }
    let mut points: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut position_of: HashMap<Vec<u64>, usize> = HashMap::new();
    for (index, point) in rows(name, samples, &parameters)? {
        let bits = point.iter().map(|value| value.to_bits()).collect();
        let position = *position_of.entry(bits).or_insert_with(|| {
            points.push((point, Vec::new()));
            points.len() - 1
        });
        points[position].1.push(samples.time_s[index]);
    }
    let mut text = String::new();
    for parameter in &parameters {
        // Writing to memory does not fail.
        let _ = writeln!(text, "PARAMETER {}", without_blanks(parameter));
    }
    text.push_str("POINTS");
    for (point, _) in &points {
        let values = point.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ");
        let _ = if parameters.len() == 1 { write!(text, " {values}") } else { write!(text, " ({values})") };
    }
    let _ = write!(text, "\nREGION {}\nMETRIC time\n", without_blanks(name));
    for (_, times_s) in &points {
        let values = times_s.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "DATA {values}");
    }
    Ok(text)
}

/// The samples that can be written, with their points.
fn rows(name: &str, samples: &Samples, parameters: &[&str]) -> Result<Vec<(usize, Vec<f64>)>, WriteError> {
    if parameters.is_empty() {
        return Err(WriteError::NoParameters { experiment: name.to_owned() });
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

fn without_blanks(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}
