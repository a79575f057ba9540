use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use call_grammar::{Diagnostic, Severity, Span};

/// A diagnostic as text, with the lines of the source it speaks of.
pub fn render(diagnostic: &Diagnostic, source: &[u8], path: &str, colour: bool) -> String {
    let text = one_byte_each(source);
    let range = |span: Span| boundary(&text, span.start)..boundary(&text, span.end.max(span.start));
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut snippet = Snippet::source(text.as_str())
        .path(path)
        .annotation(AnnotationKind::Primary.span(range(diagnostic.span)));
    if let Some(related) = &diagnostic.related {
        snippet = snippet
            .annotation(AnnotationKind::Context.span(range(related.span)).label(related.text.as_str()));
    }
    let id = format!("call::{}", diagnostic.code);
    let mut group = level.primary_title(diagnostic.message.as_str()).id(id).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n", renderer.render(&[group]))
}

/// The source as text of the same length, so that spans stay right: bytes that are not UTF-8 become `?`.
fn one_byte_each(source: &[u8]) -> String {
    let mut text = String::with_capacity(source.len());
    for chunk in source.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// The nearest offset not above `at` where a character starts.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
