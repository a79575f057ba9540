use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use call_grammar::{Diagnostic, Severity, Span, printable};

use crate::sources::Sources;

/// A diagnostic as text, with the lines of the sources it speaks of.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let file = sources.file_of(diagnostic.span.start);
    let shown = sources.span(file);
    let window = Window::around(sources, diagnostic);
    let text = one_byte_each(&sources.bytes()[window.span.start..window.span.end]);
    let range = |span: Span| {
        let place = |offset: usize| boundary(&text, offset.saturating_sub(window.span.start));
        place(span.start)..place(span.end.max(span.start))
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut snippet = Snippet::source(text.as_str())
        .path(printable(sources.path(file)))
        .line_start(window.first_line as usize)
        .annotation(AnnotationKind::Primary.span(range(diagnostic.span)));
    let in_file = |span: Span| shown.start <= span.start && span.end <= shown.end;
    if let Some(related) = diagnostic.related.as_ref().filter(|related| in_file(related.span)) {
        snippet = snippet
            .annotation(AnnotationKind::Context.span(range(related.span)).label(printable(&related.text)));
    }
    let id = format!("call::{}", diagnostic.code);
    let mut group = level.primary_title(printable(&diagnostic.message)).id(id).element(snippet);
    if let Some(related) = diagnostic.related.as_ref().filter(|related| !in_file(related.span)) {
        let path = sources.path(sources.file_of(related.span.start));
        let place = format!("{}: {path}:{}", related.text, sources.line(related.span.start));
        group = group.element(Level::NOTE.message(printable(&place).into_owned()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n", renderer.render(&[group]))
}

/// The lines that a diagnostic speaks of; the rest of a large file need not be looked at.
struct Window {
    span: Span,
    first_line: u32,
}

impl Window {
    fn around(sources: &Sources, diagnostic: &Diagnostic) -> Window {
        let file = sources.span(sources.file_of(diagnostic.span.start));
        let related = diagnostic.related.as_ref().map(|label| label.span);
        let related = related.filter(|span| file.start <= span.start && span.end <= file.end);
        let whole = related.map_or(diagnostic.span, |span| span.join(diagnostic.span));
        let bytes = sources.bytes();
        let before = bytes[file.start..whole.start].iter().rposition(|byte| *byte == b'\n');
        let start = before.map_or(file.start, |at| file.start + at + 1);
        let end = whole.end.clamp(start, file.end);
        let behind = bytes[end..file.end].iter().position(|byte| *byte == b'\n');
        Window {
            span: Span::new(start, behind.map_or(file.end, |at| end + at)),
            first_line: sources.line(start),
        }
    }
}

/// The source as text of the same length, so that spans stay right: bytes that are not UTF-8 become `?`, as does what terminals obey
/// and the renderer leaves.
fn one_byte_each(source: &[u8]) -> String {
    let mut text = String::with_capacity(source.len());
    let mut buffer = [0; 4];
    for chunk in source.utf8_chunks() {
        for character in chunk.valid().chars() {
            let bytes: &str = character.encode_utf8(&mut buffer);
            let is_left = character.is_ascii() || printable(bytes) == bytes;
            text.push_str(if is_left { bytes } else { &"???"[..bytes.len()] });
        }
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// The nearest offset not above `at` where a character starts.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use call_grammar::Label;

    use super::*;

    /// Names, texts and sources of others are shown without what terminals obey, wherever they stand in a message.
    #[test]
    fn nothing_of_a_message_is_obeyed() {
        let evil = "x\u{1b}]0;owned\u{7}\u{9b}32m\u{202e}\u{2066}\u{61c}";
        let mut sources = Sources::new(&format!("{evil}.c"), format!("int {evil};\n{evil}\n").as_bytes());
        let header = Span::new(sources.bytes().len(), sources.bytes().len() + 1);
        sources.add(&format!("{evil}.h"), format!("{evil}\n").as_bytes());
        for related in [Span::new(0, 3), header] {
            let diagnostic = Diagnostic {
                severity: Severity::Warning,
                code: "team",
                message: evil.to_owned(),
                span: Span::new(4, 5),
                related: Some(Label { span: related, text: evil.to_owned() }),
                help: Some(evil.to_owned()),
            };
            let text = render(&diagnostic, &sources, false);
            assert_eq!(text.matches("owned").count(), if related == header { 6 } else { 5 }, "{text:?}");
            assert!(text.lines().all(|line| printable(line) == line), "{text:?}");
        }
    }
}
