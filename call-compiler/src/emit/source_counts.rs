use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::count::experiment::{CountedAccess, ExperimentCounts, ExperimentStatement};
use crate::count::term::{CodeLine, LineRemark};
use crate::count::work::{AccessStride, OperationKind};

/// As `FORMAT.md` describes it.
#[derive(Serialize)]
struct WrittenSourceCounts<'a> {
    quality: &'static str,
    terms: Vec<WrittenTerm<'a>>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    given: &'a BTreeSet<u32>,
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
struct WrittenTerm<'a> {
    basis: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<&'a BTreeMap<String, (f64, u32)>>,
    statements: Vec<WrittenStatement<'a>>,
}

#[derive(Serialize)]
struct WrittenStatement<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<u32>,
    #[serde(rename = "where", skip_serializing_if = "<[_]>::is_empty")]
    conditions: &'a [String],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_most: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    operations: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    chained: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accesses: Vec<WrittenAccess<'a>>,
}

#[derive(Serialize)]
struct WrittenAccess<'a> {
    array: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
    loads: f64,
    stores: f64,
    stride: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    footprint: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loops: Vec<WrittenLoop<'a>>,
}

#[derive(Serialize)]
struct WrittenLoop<'a> {
    line: String,
    iterations: &'a str,
    stride: String,
}

/// So many remarks are told: the first of them are read.
const MOST_REMARKS: usize = 8;

/// So many characters of a line are enough to know it again.
const MOST_CHARACTERS: usize = 60;

/// The counts of an experiment as a value of the header of traces; `text_of` gives the text of a line of the translated file.
pub fn text(counts: &ExperimentCounts, text_of: impl Fn(u32) -> Option<String>) -> String {
    let said = |remarks: &[LineRemark]| remarks.iter().take(MOST_REMARKS).map(ToString::to_string).collect();
    let counts = WrittenSourceCounts {
        quality: counts.quality.name(),
        terms: counts
            .terms
            .iter()
            .map(|term| WrittenTerm {
                basis: &term.basis,
                growth: term.growth.as_ref(),
                statements: term.statements.iter().map(|its| statement(its, &text_of)).collect(),
            })
            .collect(),
        given: &counts.given,
        unrecorded: &counts.unrecorded,
        unseen: &counts.unseen,
        unknown: said(&counts.unknown),
        uncounted: said(&counts.uncounted),
    };
    // Strings and finite numbers always serialise.
    serde_json::to_string(&counts).unwrap_or_default()
}

fn statement<'a>(
    statement: &'a ExperimentStatement,
    text_of: &impl Fn(u32) -> Option<String>,
) -> WrittenStatement<'a> {
    let CodeLine { file, line } = &statement.place;
    let text = if file.is_none() { text_of(*line) } else { None };
    WrittenStatement {
        file: file.as_deref(),
        line: *line,
        text: text.map(|text| text.trim().chars().take(MOST_CHARACTERS).collect()),
        constant: statement.constant,
        conditions: &statement.conditions,
        at_most: statement.do_at_most,
        operations: by_name(&statement.operations),
        chained: by_name(&statement.chained),
        accesses: statement.accesses.iter().map(access).collect(),
    }
}

fn access(access: &CountedAccess) -> WrittenAccess<'_> {
    WrittenAccess {
        array: &access.array,
        bytes: access.bytes,
        loads: access.loads,
        stores: access.stores,
        stride: stride(&access.stride),
        footprint: access.footprint.as_deref(),
        loops: access
            .loops
            .iter()
            .map(|its| WrittenLoop {
                line: its.line.to_string(),
                iterations: &its.iterations,
                stride: stride(&its.stride),
            })
            .collect(),
    }
}

fn stride(stride: &AccessStride) -> String {
    match stride {
        AccessStride::Elements(elements) => elements.to_string(),
        AccessStride::Row => "row".to_owned(),
        AccessStride::Irregular => "irregular".to_owned(),
        AccessStride::Unknown => "unknown".to_owned(),
    }
}

fn by_name(operations: &BTreeMap<OperationKind, f64>) -> BTreeMap<&'static str, f64> {
    operations.iter().map(|(its, count)| (its.name(), *count)).collect()
}
