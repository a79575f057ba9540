//! Any text as C with directives: translated or refused, each message is rendered, and the output without its edits is the input.

use call_compiler::{TranslationRequest, render, translate};

const MARK: &[u8] = b"\xef\xbb\xbf";

const PRELUDE: &[u8] = b"#include \"x.call.h\"\n#line 1 \"x.c\"\n";

pub fn run(bytes: &[u8]) {
    let preprocessed = [b"# 1 \"x.c\"\n", bytes].concat();
    let outcome = translate(&TranslationRequest::new("x.c", bytes, &preprocessed));
    let messages = match &outcome.result {
        Ok(translation) => &translation.warnings,
        Err(messages) => messages,
    };
    for message in messages {
        assert!(!render(message, &outcome.sources, false).is_empty());
    }
    let Ok(translation) = &outcome.result else { return };
    let (mark, c) = match translation.c.strip_prefix(MARK) {
        Some(c) => (MARK, c),
        None => (&b""[..], &translation.c[..]),
    };
    let mut rest = c.strip_prefix(PRELUDE).expect("what stands before the source");
    let mut source = mark.to_vec();
    for edit in &translation.edits {
        let (unchanged, edited) = rest.split_at(edit.span.start - source.len());
        source.extend_from_slice(unchanged);
        rest = edited.strip_prefix(edit.replacement.as_bytes()).expect("the replacement of an edit");
        source.extend_from_slice(&bytes[edit.span.start..edit.span.end]);
    }
    source.extend_from_slice(rest);
    // Behind it stand names for the compiler to know.
    assert!(source.starts_with(bytes), "the output without its edits is not the source");
}
