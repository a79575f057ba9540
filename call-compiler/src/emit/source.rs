use std::collections::BTreeMap;

use call_grammar::{DirectiveForm, DirectiveText, Span};

use super::c_string;
use crate::directives::Occurrence;
use crate::edit::{TextEdit, apply};
use crate::lower::LoweredProgram;
use crate::sources::Sources;

/// All edits of the user's files, sorted. All code of a directive stands on its first line, with as many line ends as it had, so
/// that every other line keeps its number.
pub fn edits(
    sources: &Sources,
    texts: &[DirectiveText],
    occurrences: &[Occurrence],
    program: &LoweredProgram,
) -> Vec<TextEdit> {
    let mut statements: BTreeMap<usize, &str> = BTreeMap::new();
    for (occurrence, statement) in occurrences.iter().zip(&program.statements) {
        statements.entry(occurrence.directive).or_insert(statement);
    }
    let mut edits = program.edits.clone();
    for (directive, statement) in statements {
        let text = &texts[directive];
        let line_ends = line_ends(sources.bytes(), text);
        edits.push(TextEdit { span: text.span, replacement: format!("{statement}{line_ends}") });
    }
    edits.sort_by_key(|edit| edit.span);
    edits
}

/// Compilers take it at the start of a file only.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn line_ends(source: &[u8], directive: &DirectiveText) -> String {
    let mut ends = String::new();
    let text = &source[directive.span.start..directive.span.end];
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        // In a macro the line goes on.
        if directive.form == DirectiveForm::Operator && text[..at].trim_ascii_end().ends_with(b"\\") {
            ends.push('\\');
        }
        ends.push_str(if at > 0 && text[at - 1] == b'\r' { "\r\n" } else { "\n" });
    }
    ends
}

/// The text of a file with its edits made; `prelude` names the header that it needs, if any, and `tail` follows it.
pub fn source(sources: &Sources, file: usize, edits: &[TextEdit], prelude: &str, tail: &str) -> Vec<u8> {
    let span = sources.span(file);
    let inside = |edit: &&TextEdit| span.start <= edit.span.start && edit.span.end <= span.end;
    let own: Vec<TextEdit> = edits
        .iter()
        .filter(inside)
        .map(|edit| TextEdit {
            span: Span::new(edit.span.start - span.start, edit.span.end - span.start),
            replacement: edit.replacement.clone(),
        })
        .collect();
    let text = apply(sources.text(file), &own);
    let (mark, rest) =
        text.split_at(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 });
    let prelude = format!("{prelude}#line 1 {}\n", c_string(sources.path(file)));
    let feed = if tail.is_empty() || rest.ends_with(b"\n") { "" } else { "\n" };
    [mark, prelude.as_bytes(), rest, feed.as_bytes(), tail.as_bytes()].concat()
}
