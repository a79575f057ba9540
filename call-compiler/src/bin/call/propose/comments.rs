//! Sources without their comments.

/// Blanks in the place of comments; the lines stay, and what looks like a comment in a string.
pub fn blanked(source: &str) -> String {
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (length, is_comment) = match first {
            '/' if rest.starts_with("//") => (end_of(rest, 2, |rest| rest.starts_with('\n'), 0), true),
            '/' if rest.starts_with("/*") => (end_of(rest, 2, |rest| rest.starts_with("*/"), 2), true),
            '"' | '\'' => (end_of(rest, 1, |rest| rest.starts_with([first, '\n']), 1), false),
            _ => (first.len_utf8(), false),
        };
        let (part, behind) = rest.split_at(length);
        match is_comment {
            true => text.extend(part.chars().map(|character| if character == '\n' { '\n' } else { ' ' })),
            false => text.push_str(part),
        }
        rest = behind;
    }
    text
}

/// Where something ends that opens with some bytes: at what closes it, of so many bytes. A back-slash hides the character behind it.
fn end_of(text: &str, open: usize, closes: impl Fn(&str) -> bool, close: usize) -> usize {
    let mut is_hidden = false;
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < open) {
        if !is_hidden && closes(&text[at..]) {
            return at + close;
        }
        is_hidden = character == '\\' && !is_hidden;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn comments_are_blanks() {
        for (source, expected) in [
            ("a /* b\nc */ d // e\nf", "a     \n     d     \nf"),
            ("\"/* \\\" // \" '\"' /**/ 'ä' /*", "\"/* \\\" // \" '\"'      'ä'   "),
            ("// a \\\n b\nc", "      \n  \nc"),
            ("it's /* not\n closed */ x", "it's /* not\n closed */ x"),
        ] {
            assert_eq!(blanked(source), expected);
        }
    }
}
