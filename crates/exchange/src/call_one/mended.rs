//! Traces that a program wrote or a broken connection left with what no parser takes.

/// JSON with `null` for the numbers that C prints as `nan` and `inf`; `None` if it has none of them.
pub(crate) fn without_bare_words(text: &str) -> Option<String> {
    const NO_NUMBERS: [&str; 4] = ["nan", "inf", "infinity", "-nan(ind)"];
    let mut mended = String::with_capacity(text.len());
    let mut is_changed = false;
    // What stands between quotes is every other part, but for quotes behind a backslash.
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('"') {
            let end = end_of_text(inside).map_or(rest.len(), |end| end + 2);
            mended.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let is_word = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '(' | ')');
        let start = rest.find(|c: char| c == '"' || is_word(c)).unwrap_or(rest.len());
        mended.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let word = rest[..end].to_ascii_lowercase();
        let is_none = NO_NUMBERS.iter().any(|name| word == *name || word.strip_prefix('-') == Some(name));
        is_changed |= is_none;
        mended.push_str(if is_none { "null" } else { &rest[..end] });
        rest = &rest[end..];
    }
    is_changed.then_some(mended)
}

/// Where a text ends in which the reader is: the place of the quote.
fn end_of_text(inside: &str) -> Option<usize> {
    let mut is_escaped = false;
    inside.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// JSON up to the last list or object that is whole, with all closed that is open there; `None` if nothing is whole, or nothing open.
pub(crate) fn closed_json(text: &str) -> Option<String> {
    let mut open = Vec::new();
    // Where the last one ends, and how many are open there: the first ones of those that are open at the end.
    let (mut end, mut depth) = (0, 0);
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => match end_of_text(&text[at + 1..]) {
                Some(length) => at += 1 + length,
                None => break,
            },
            b'[' => open.push(']'),
            b'{' => open.push('}'),
            b']' | b'}' => {
                open.pop()?;
                (end, depth) = (at + 1, open.len());
            }
            _ => {}
        }
        at += 1;
    }
    (depth > 0).then(|| text[..end].chars().chain(open[..depth].iter().rev().copied()).collect())
}

/// XML up to the last row that is whole, with all elements closed that are open there; `None` if there is no such row.
pub(crate) fn closed_xml(text: &str) -> Option<String> {
    const ROW_END: &str = "</row>";
    let lower = text.to_ascii_lowercase();
    let end = lower.rfind(ROW_END)? + ROW_END.len();
    let mut open: Vec<&str> = Vec::new();
    for element in text[..end].split('<').skip(1) {
        let (tag, _) = element.split_once('>')?;
        if tag.starts_with(['!', '?']) || tag.ends_with('/') {
            continue;
        }
        match tag.strip_prefix('/') {
            Some(_) => drop(open.pop()?),
            None => open.push(tag.split_whitespace().next().unwrap_or_default()),
        }
    }
    let mut closed = text[..end].to_owned();
    for name in open.iter().rev() {
        closed.push_str(&format!("</{name}>"));
    }
    (!open.is_empty()).then_some(closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_no_numbers_become_null_outside_of_texts() {
        let text = r#"{"nan": [nan, -NaN, inf, "inf \" nan", 1.5e-3, -Infinity, true, null]}"#;
        let mended = r#"{"nan": [null, null, null, "inf \" nan", 1.5e-3, null, true, null]}"#;
        assert_eq!(without_bare_words(text).as_deref(), Some(mended));
        assert_eq!(without_bare_words(mended), None);
        assert_eq!(without_bare_words("{\"open"), None);
    }

    #[test]
    fn what_is_open_is_closed() {
        let closed = closed_json(r#"{"a": {"b": [[1, 2], [3, 4], [5, "#);
        assert_eq!(closed.as_deref(), Some(r#"{"a": {"b": [[1, 2], [3, 4]]}}"#));
        assert_eq!(closed_json(r#"{"a": [1], "b"#).as_deref(), Some(r#"{"a": [1]}"#));
        for text in ["", "{", "[1]", "]", r#"{"a": [1]}"#] {
            assert_eq!(closed_json(text), None, "{text}");
        }
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(999_999));
        assert!(closed_json(&deep).is_some());
        let closed = closed_xml("<?xml version='1.0'?><d x='1'><e><row><c>1</c></row><row><c>2</c></r");
        assert_eq!(closed.as_deref(), Some("<?xml version='1.0'?><d x='1'><e><row><c>1</c></row></e></d>"));
        assert_eq!(closed_xml("<d><e"), None);
    }
}
