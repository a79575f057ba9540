use call_grammar::Span;

/// Replaces a range of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
}

/// The source with the edits made. They are sorted and do not overlap.
pub fn apply(source: &[u8], edits: &[TextEdit]) -> Vec<u8> {
    let grown: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut result = Vec::with_capacity(source.len() + grown);
    let mut at = 0;
    for edit in edits {
        result.extend_from_slice(&source[at..edit.span.start]);
        result.extend_from_slice(edit.replacement.as_bytes());
        at = edit.span.end;
    }
    result.extend_from_slice(&source[at..]);
    result
}
