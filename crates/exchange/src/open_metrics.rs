//! OpenMetrics: what Prometheus and what reads as it does scrape or take as a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use call_trace::{Experiment, Samples};

/// Writes the number and the sum of the measurements at each point as a summary `call_time_seconds`, of responses that are no times as
/// `call_value` with the label `unit`. The labels are the experiment and the variables; runs and processors are together. Names of
/// labels have other characters than letters, digits and `_` replaced by `_`. Measurements that are not finite are left out.
pub fn write_open_metrics(experiments: &[&Experiment]) -> String {
    let mut text = String::new();
    for are_times in [true, false] {
        let own: Vec<&&Experiment> =
            experiments.iter().filter(|its| its.unit.is_time() == are_times).collect();
        if own.is_empty() {
            continue;
        }
        let (name, unit) = if are_times { ("call_time_seconds", "seconds") } else { ("call_value", "") };
        // Writing to memory does not fail.
        let _ = writeln!(text, "# TYPE {name} summary");
        if !unit.is_empty() {
            let _ = writeln!(text, "# UNIT {name} {unit}");
        }
        let _ = writeln!(text, "# HELP {name} Measurements of experiments at each point");
        let mut points: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        own.iter().for_each(|experiment| add(experiment, &mut points));
        for (labels, (count, sum)) in points {
            let _ = writeln!(text, "{name}_count{{{labels}}} {count}\n{name}_sum{{{labels}}} {sum:?}");
        }
    }
    text + "# EOF\n"
}

/// Adds the measurements of an experiment to those with the same labels.
fn add(experiment: &Experiment, points: &mut BTreeMap<String, (u64, f64)>) {
    let summaries = &experiment.summaries;
    let summarised = summaries.runs();
    let mut push = |samples: &Samples, row: usize, sum: f64| {
        if sum.is_finite() {
            let point = points.entry(labels(experiment, samples, row)).or_default();
            *point = (point.0.saturating_add(samples.count_of(row)), point.1 + sum);
        }
    };
    let samples = &experiment.samples;
    for row in (0..samples.len()).filter(|row| !summarised.contains(&samples.run[*row])) {
        push(samples, row, samples.count_of(row) as f64 * samples.time_s[row]);
    }
    for row in 0..summaries.len() {
        push(&summaries.points, row, summaries.sum_s[row]);
    }
}

/// The labels of a sample, each once: of several that would be called alike the first keeps the name.
fn labels(experiment: &Experiment, samples: &Samples, row: usize) -> String {
    let mut labels = format!("experiment=\"{}\"", escaped(&experiment.name));
    let mut known = vec!["experiment".to_owned(), "unit".to_owned()];
    for (name, column) in samples.names.iter().zip(&samples.columns) {
        let mut name = label_name(name);
        while known.contains(&name) {
            name.push('_');
        }
        let _ = write!(labels, ",{name}=\"{}\"", column[row]);
        known.push(name);
    }
    if !experiment.unit.is_time() {
        let _ = write!(labels, ",unit=\"{}\"", escaped(experiment.unit.symbol()));
    }
    labels
}

fn label_name(name: &str) -> String {
    let plain = |it: char| if it.is_ascii_alphanumeric() || it == '_' { it } else { '_' };
    let name: String = name.chars().map(plain).collect();
    // What begins with a digit is no name, and two `_` are for Prometheus itself.
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic());
    if is_name { name } else { format!("variable_{name}") }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
