//! Samples as other tools read them.

pub(crate) mod csv;
pub(crate) mod extra_p;
pub(crate) mod json_lines;

use call_trace::Samples;

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
fn variables<'a>(experiments: &[(&str, &'a Samples)]) -> Vec<&'a str> {
    distinct(experiments.iter().flat_map(|(_, samples)| &samples.names))
}

/// The names of the counters of several experiments.
fn counters<'a>(experiments: &[(&str, &'a Samples)]) -> Vec<&'a str> {
    distinct(experiments.iter().flat_map(|(_, samples)| &samples.counter_names))
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut known = std::collections::HashSet::new();
    names.map(String::as_str).filter(|name| known.insert(*name)).collect()
}

fn counter<'a>(samples: &'a Samples, name: &str) -> Option<&'a [f64]> {
    let position = samples.counter_names.iter().position(|candidate| candidate == name)?;
    samples.counters.get(position).map(Vec::as_slice)
}
