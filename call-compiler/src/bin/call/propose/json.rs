//! What editors and other tools read.

use call_compiler::{BlockCounts, BlockKind, CodeLine, CountedPart, CountedTerm, LineRemark, StatementCount};
use rayon::prelude::*;
use serde::Serialize;

/// Rises when a reader of the older version would misread the output.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct ProposedBlock<'a> {
    kind: &'static str,
    name: &'a str,
    line: u32,
    end_line: u32,
    directive: String,
    formula: Option<String>,
    terms: Vec<TermOfBlock>,
    /// What the formula has no constant for.
    left_out: Vec<TermOfBlock>,
    statements: Vec<ProposedStatement<'a>>,
    /// Loops, and how often each begins.
    loops: Vec<ProposedStatement<'a>>,
    unknown: Vec<Said<'a>>,
    uncounted: Vec<Said<'a>>,
    taken_as_unchanged: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undivided: Vec<Said<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divided_if: Vec<Said<'a>>,
}

#[derive(Serialize)]
struct TermOfBlock {
    #[serde(skip_serializing_if = "Option::is_none")]
    constant: Option<String>,
    basis: String,
    lines: Vec<u32>,
}

#[derive(Serialize)]
struct ProposedStatement<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<&'static str>,
    count: Option<String>,
    quality: &'static str,
    assumptions: &'a [String],
    because: Vec<Said<'a>>,
}

#[derive(Serialize)]
struct Said<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u32,
    why: &'a str,
}

/// One line of JSON about a file.
pub fn line(source: &str, blocks: &[BlockCounts]) -> String {
    let blocks: Vec<String> = blocks.par_iter().map(|its| json(&block(its))).collect();
    let source = json(&source);
    format!("{{\"schema_version\":{SCHEMA_VERSION},\"source\":{source},\"blocks\":[{}]}}\n", blocks.join(","))
}

fn json(value: &impl Serialize) -> String {
    // Strings and numbers always serialise.
    serde_json::to_string(value).unwrap_or_default()
}

fn block(block: &BlockCounts) -> ProposedBlock<'_> {
    let constant = |number: usize| Some(format!("{}[{number}]", block.name));
    let terms = block.terms.iter().enumerate().map(|(number, its)| term(its, constant(number)));
    ProposedBlock {
        kind: match block.kind {
            BlockKind::Function => "function",
            BlockKind::Loop => "loop",
        },
        name: &block.name,
        line: block.begin.line,
        end_line: block.end.line,
        directive: block.directive(),
        formula: block.formula(),
        terms: terms.collect(),
        left_out: block.left_out.iter().map(|its| term(its, None)).collect(),
        statements: parts(block, false),
        loops: parts(block, true),
        unknown: block.unknown.iter().map(said).collect(),
        uncounted: block.uncounted.iter().map(said).collect(),
        taken_as_unchanged: &block.taken_as_unchanged,
        undivided: block.undivided.iter().map(said).collect(),
        divided_if: block.divided_if.iter().map(said).collect(),
    }
}

/// A term with the statements behind it that stand in the file itself.
fn term(term: &CountedTerm, constant: Option<String>) -> TermOfBlock {
    let mut lines: Vec<u32> =
        term.statements.iter().filter(|line| line.file.is_none()).map(|line| line.line).collect();
    lines.dedup();
    TermOfBlock { constant, basis: term.told.to_string(), lines }
}

fn parts(block: &BlockCounts, are_loops: bool) -> Vec<ProposedStatement<'_>> {
    let is_wanted = |its: &&StatementCount| match its.part {
        CountedPart::LoopEntry => are_loops,
        CountedPart::Whole | CountedPart::Library(_) => !are_loops,
        CountedPart::Representative => false,
    };
    block.statements.iter().filter(is_wanted).map(statement).collect()
}

fn file(line: &CodeLine) -> Option<&str> {
    line.file.as_deref()
}

fn said(remark: &LineRemark) -> Said<'_> {
    Said { file: file(&remark.place), line: remark.place.line, why: &remark.why }
}

fn statement(statement: &StatementCount) -> ProposedStatement<'_> {
    ProposedStatement {
        file: file(&statement.place),
        line: statement.place.line,
        function: statement.function.as_deref(),
        called: if let CountedPart::Library(name) = statement.part { Some(name) } else { None },
        count: statement.times.as_ref().map(ToString::to_string),
        quality: if statement.times.is_some() { statement.quality.name() } else { "unknown" },
        assumptions: &statement.assumptions,
        because: statement.because.iter().map(said).collect(),
    }
}
