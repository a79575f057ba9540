use std::collections::BTreeMap;

use serde::Serialize;

use crate::count::block::{Line, Remark};
use crate::count::experiment::{ArrayAccess, ExperimentCounts};
use crate::count::operations::{Operation, Stride};

/// As `FORMAT.md` describes it.
#[derive(Serialize)]
struct SourceCounts<'a> {
    quality: &'static str,
    terms: Vec<Term<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unrecorded: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unseen: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    uncounted: Vec<String>,
}

#[derive(Serialize)]
struct Term<'a> {
    basis: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<&'a BTreeMap<String, (f64, u32)>>,
    lines: Vec<String>,
    operations: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    chained: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accesses: Vec<Access<'a>>,
}

#[derive(Serialize)]
struct Access<'a> {
    array: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
    loads: f64,
    stores: f64,
    stride: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    footprint: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loops: Vec<Loop<'a>>,
}

#[derive(Serialize)]
struct Loop<'a> {
    line: String,
    iterations: &'a str,
    stride: String,
}

/// So many remarks are told: the first of them are read.
const MOST_REMARKS: usize = 8;

/// The counts of an experiment as a value of the header of traces.
pub fn text(counts: &ExperimentCounts) -> String {
    let said = |remarks: &[Remark]| remarks.iter().take(MOST_REMARKS).map(remark).collect();
    let counts = SourceCounts {
        quality: counts.quality.name(),
        terms: counts
            .terms
            .iter()
            .map(|term| Term {
                basis: &term.basis,
                growth: term.growth.as_ref(),
                lines: ranges(&term.statements),
                operations: by_name(&term.operations),
                chained: by_name(&term.chained),
                accesses: term.accesses.iter().map(access).collect(),
            })
            .collect(),
        unrecorded: &counts.unrecorded,
        unseen: &counts.unseen,
        unknown: said(&counts.unknown),
        uncounted: said(&counts.uncounted),
    };
    // Strings and finite numbers always serialise.
    serde_json::to_string(&counts).unwrap_or_default()
}

fn access(access: &ArrayAccess) -> Access<'_> {
    Access {
        array: &access.array,
        bytes: access.bytes,
        loads: access.loads,
        stores: access.stores,
        stride: stride(&access.stride),
        footprint: access.footprint.as_deref(),
        loops: access
            .loops
            .iter()
            .map(|its| Loop {
                line: told(&its.line),
                iterations: &its.iterations,
                stride: stride(&its.stride),
            })
            .collect(),
    }
}

fn stride(stride: &Stride) -> String {
    match stride {
        Stride::Elements(elements) => elements.to_string(),
        Stride::Row => "row".to_owned(),
        Stride::Irregular => "irregular".to_owned(),
        Stride::Unknown => "unknown".to_owned(),
    }
}

fn by_name(operations: &BTreeMap<Operation, f64>) -> BTreeMap<&'static str, f64> {
    operations.iter().map(|(its, count)| (its.name(), *count)).collect()
}

fn remark(remark: &Remark) -> String {
    match &remark.place.file {
        None => format!("line {}: {}", remark.place.line, remark.why),
        Some(file) => format!("{file}:{}: {}", remark.place.line, remark.why),
    }
}

fn told(line: &Line) -> String {
    line.file.as_ref().map_or(line.line.to_string(), |file| format!("{file}:{}", line.line))
}

/// `34-36`, of other files `solver.h:7-12`.
fn ranges(lines: &[Line]) -> Vec<String> {
    let mut found: Vec<(Option<&str>, u32, u32)> = Vec::new();
    for line in lines {
        let file = line.file.as_deref();
        match found.last_mut() {
            Some((its, _, last)) if *its == file && (*last..=*last + 1).contains(&line.line) => {
                *last = line.line
            }
            _ => found.push((file, line.line, line.line)),
        }
    }
    let range = |(file, first, last): (Option<&str>, u32, u32)| {
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        file.map_or(lines.clone(), |file| format!("{file}:{lines}"))
    };
    found.into_iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_lines() {
        let own = |line| Line { file: None, line };
        let other = |line| Line { file: Some("a.h".to_owned()), line };
        assert_eq!(ranges(&[own(3), own(4), own(4), own(9), other(1), other(2)]), ["3-4", "9", "a.h:1-2"]);
    }
}
