use crate::suggest::distance;
use crate::token::{end_of_line, is_word_part, is_word_start, skip_blanks, skip_quoted, text};
use crate::{Error, Span, token};

/// A directive as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectiveText {
    /// From the `#` to the end of the logical line, line feed excluded.
    pub span: Span,
    /// What stands behind `#pragma cll`.
    pub body: Span,
}

/// Finds the directives in a C file. Comments, strings and continued lines are understood as C understands them; conditional
/// compilation is not (that takes the preprocessor).
///
/// A pragma whose first word is almost `cll` is reported and still returned, so that its misspelling causes no further errors.
pub fn scan(source: &[u8]) -> (Vec<DirectiveText>, Vec<Error>) {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    let mut at = 0;
    let mut line_is_blank = true;
    while at < source.len() {
        let rest = &source[at..];
        if let Some(width) = token::continuation(rest) {
            at += width;
        } else if rest[0] == b'\n' {
            line_is_blank = true;
            at += 1;
        } else if rest[0].is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"/*") || rest.starts_with(b"//") {
            at = skip_comment(source, at);
        } else if line_is_blank && (rest[0] == b'#' || rest.starts_with(b"%:")) {
            let end = end_of_directive(source, at);
            if let Some((prefix, body)) = pragma(source, Span::new(at, end)) {
                let word = text(source, prefix);
                let near = is_near_miss(&word);
                if word == "cll" || near {
                    found.push(DirectiveText { span: Span::new(at, end), body });
                }
                if near {
                    errors.push(Error::MisspeltPrefix { span: prefix, word });
                }
            }
            at = end;
        } else {
            line_is_blank = false;
            at = match rest[0] {
                b'"' | b'\'' => skip_quoted(source, at, source.len()),
                _ => at + 1,
            };
        }
    }
    (found, errors)
}

fn skip_comment(source: &[u8], at: usize) -> usize {
    if source[at..].starts_with(b"//") {
        return end_of_line(source, at, source.len());
    }
    let inside = &source[at + 2..];
    inside.windows(2).position(|pair| pair == b"*/").map_or(source.len(), |position| at + position + 4)
}

/// End of the logical line that starts at `at`, where a comment that spans lines counts as one blank.
fn end_of_directive(source: &[u8], mut at: usize) -> usize {
    while at < source.len() && source[at] != b'\n' {
        let rest = &source[at..];
        at = match rest[0] {
            b'"' | b'\'' => skip_quoted(source, at, source.len()),
            b'/' if rest.starts_with(b"/*") || rest.starts_with(b"//") => skip_comment(source, at),
            _ => at + token::continuation(rest).unwrap_or(1),
        };
    }
    let end = at.min(source.len());
    if end > 0 && source[end - 1] == b'\r' { end - 1 } else { end }
}

/// The first word of a pragma and what follows it.
fn pragma(source: &[u8], line: Span) -> Option<(Span, Span)> {
    let sign = if source[line.start] == b'#' { 1 } else { 2 };
    let keyword = word(source, Span::new(line.start + sign, line.end))?;
    if &source[keyword.start..keyword.end] != b"pragma" {
        return None;
    }
    let prefix = word(source, Span::new(keyword.end, line.end))?;
    Some((prefix, Span::new(prefix.end, line.end)))
}

fn word(source: &[u8], within: Span) -> Option<Span> {
    let start = skip_blanks(source, within.start, within.end);
    let length = source[start..within.end].iter().take_while(|byte| is_word_part(**byte)).count();
    (length > 0 && is_word_start(source[start])).then(|| Span::new(start, start + length))
}

fn is_near_miss(word: &str) -> bool {
    word != "cll" && (word == "call" || distance(&word.to_lowercase(), "cll") <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(source: &str) -> Vec<&str> {
        scan(source.as_bytes())
            .0
            .iter()
            .map(|found| source[found.body.start..found.body.end].trim())
            .collect()
    }

    #[test]
    fn directives_are_found_where_c_sees_them() {
        for (source, expected) in [
            ("#pragma cll f f[0]", vec!["f f[0]"]),
            ("  # /* x */ pragma\tcll  end f  \nx", vec!["end f"]),
            ("%: pragma cll end f", vec!["end f"]),
            ("#pragma cll f \\\n f[0]\\\r\n+f[1]*N\r\nint x;", vec!["f \\\n f[0]\\\r\n+f[1]*N"]),
            ("#pragma cll f f[0] // why\n", vec!["f f[0] // why"]),
            ("#pragma cll f f[0] /* two\nlines */ + f[1]*N\n", vec!["f f[0] /* two\nlines */ + f[1]*N"]),
            ("/*\n#pragma cll f f[0]\n*/", vec![]),
            ("// x \\\n#pragma cll f f[0]\n", vec![]),
            ("char *s = \"\\\n#pragma cll f\";\n", vec![]),
            (
                "char *s = \"/*\";\n#pragma cll end f\nchar c = '\"';\n#pragma cll end g",
                vec!["end f", "end g"],
            ),
            ("/* a */ #pragma cll end f", vec!["end f"]),
            ("x #pragma cll end f", vec![]),
            ("#pragma omp parallel for\n#pragma GCC cll\n#define cll\n", vec![]),
            ("#\\\npragma cll end f", vec!["end f"]),
        ] {
            assert_eq!(bodies(source), expected, "{source:?}");
        }
    }

    #[test]
    fn misspelt_prefixes_are_reported_and_understood() {
        for word in ["ll", "cl", "clll", "lcl", "CLL", "call", "c11"] {
            let source = format!("#pragma {word} end D\n");
            let (found, errors) = scan(source.as_bytes());
            let expected = usize::from(word != "c11");
            assert_eq!((found.len(), errors.len()), (expected, expected), "{word}");
        }
        assert!(scan(b"#pragma clang x\n#pragma once\n#pragma pack(1)").1.is_empty());
    }

    #[test]
    fn any_bytes_are_scanned() {
        for source in
            [&b"\xff\xfe#pragma cll"[..], b"#", b"#pragma", b"\"", b"/*", b"//", b"'\\", b"#pragma cll \\"]
        {
            scan(source);
        }
    }
}
