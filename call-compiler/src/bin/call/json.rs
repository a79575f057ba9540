//! What `--emit json` prints: a promise to other tools, so it has types of its own.

use call_compiler::{Findings, FoundExperiment, Sources};
use call_grammar::{Diagnostic, Severity};
use serde::Serialize;

/// Rises when a reader of the older version would misread the output.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct ReportedFile<'a> {
    schema_version: u32,
    source: &'a str,
    kind: Option<String>,
    processors: Vec<u32>,
    experiments: Vec<ReportedExperiment>,
    messages: Vec<ReportedMessage>,
}

#[derive(Serialize)]
struct ReportedExperiment {
    name: String,
    formula: Option<String>,
    variables: Vec<ReportedVariable>,
    counters: Vec<String>,
    blocks: Vec<ReportedBlock>,
}

#[derive(Serialize)]
struct ReportedVariable {
    name: String,
    taken_at: &'static str,
}

#[derive(Serialize)]
struct ReportedBlock {
    file: String,
    begin_line: u32,
    end_lines: Vec<u32>,
    left_by: Vec<ReportedJump>,
}

#[derive(Serialize)]
struct ReportedJump {
    word: String,
    line: u32,
}

#[derive(Serialize)]
struct ReportedMessage {
    severity: &'static str,
    code: String,
    message: String,
    help: Option<String>,
    file: String,
    line: u32,
    column_bytes: usize,
    length_bytes: usize,
}

/// One line of JSON about a file.
pub fn line(sources: &Sources, findings: Option<&Findings>, messages: &[Diagnostic]) -> String {
    let file = ReportedFile {
        schema_version: SCHEMA_VERSION,
        source: sources.path(0),
        kind: findings.and_then(|findings| findings.kind).map(|kind| kind.to_string()),
        processors: findings.map_or(Vec::new(), |findings| findings.processors.clone()),
        experiments: findings
            .map_or(Vec::new(), |findings| findings.experiments.iter().map(experiment).collect()),
        messages: messages.iter().map(|diagnostic| message(sources, diagnostic)).collect(),
    };
    // Strings and numbers always serialise.
    serde_json::to_string(&file).unwrap_or_default()
}

/// One line of JSON about a file that could not be read or preprocessed.
pub fn failure(path: &std::path::Path, message: &str) -> String {
    let source = path.display().to_string();
    let file = ReportedFile {
        schema_version: SCHEMA_VERSION,
        source: &source,
        kind: None,
        processors: Vec::new(),
        experiments: Vec::new(),
        messages: vec![ReportedMessage {
            severity: "error",
            code: "call::file".to_owned(),
            message: message.trim_end().to_owned(),
            help: None,
            file: source.clone(),
            line: 1,
            column_bytes: 1,
            length_bytes: 0,
        }],
    };
    serde_json::to_string(&file).unwrap_or_default()
}

fn experiment(found: &FoundExperiment) -> ReportedExperiment {
    let variables = found.variables.iter().map(|variable| ReportedVariable {
        name: variable.name.clone(),
        taken_at: if variable.at_end { "end" } else { "begin" },
    });
    let blocks = found.places.iter().map(|place| ReportedBlock {
        file: place.file.clone(),
        begin_line: place.begin_line,
        end_lines: place.end_lines.clone(),
        left_by: place
            .leaves
            .iter()
            .map(|jump| ReportedJump { word: jump.word.clone(), line: jump.line })
            .collect(),
    });
    ReportedExperiment {
        name: found.name.clone(),
        formula: found.formula.clone(),
        variables: variables.collect(),
        counters: found.counters.clone(),
        blocks: blocks.collect(),
    }
}

fn message(sources: &Sources, diagnostic: &Diagnostic) -> ReportedMessage {
    let span = diagnostic.span;
    let file = sources.file_of(span.start);
    let before = &sources.bytes()[sources.span(file).start..span.start];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1);
    ReportedMessage {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        code: format!("call::{}", diagnostic.code),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        file: sources.path(file).to_owned(),
        line: sources.line(span.start),
        column_bytes: before.len() - line_start + 1,
        length_bytes: span.end - span.start,
    }
}
