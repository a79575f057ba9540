use memchr::memmem;

use crate::token::{end_of_line, is_word_part, is_word_start, skip_blanks, skip_quoted, text};
use crate::{Error, Span, token};

/// How a directive is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectiveForm {
    /// `#pragma cll …`
    Line,
    /// `_Pragma("cll …")`, which may stand in a macro.
    Operator,
}

/// A directive as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectiveText {
    /// How it is written.
    pub form: DirectiveForm,
    /// A line from the `#` to the end of the logical line, line feed excluded; an operator up to its parenthesis.
    pub span: Span,
    /// What stands behind the word `cll`.
    pub body: Span,
}

/// Finds the directives in a C file, which is the part `within` of `source`. Comments, strings and continued lines are understood as C understands them; conditional
/// compilation is not (that takes the preprocessor).
///
/// A pragma whose first word is almost `cll` is reported and still returned, so that its misspelling causes no further errors.
pub fn scan(source: &[u8], within: Span) -> (Vec<DirectiveText>, Vec<Error>) {
    let source = &source[..within.end];
    let mut found = Vec::new();
    let mut errors = Vec::new();
    let mut at = within.start;
    let mut line_is_blank = true;
    // Nearly every file is without, and then names need not be looked at.
    let has_operators = memmem::find(&source[at..], b"_Pragma").is_some();
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
            match pragma(source, Span::new(at, end)) {
                Some((prefix, body)) => {
                    let form = DirectiveForm::Line;
                    check(
                        source,
                        prefix,
                        DirectiveText { form, span: Span::new(at, end), body },
                        &mut found,
                        &mut errors,
                    );
                }
                None => operators(source, Span::new(at, end), &mut found, &mut errors),
            }
            at = end;
        } else {
            line_is_blank = false;
            at = match rest[0] {
                b'"' | b'\'' => skip_quoted(source, at, source.len()),
                b'_' if has_operators && rest.starts_with(b"_Pragma") => {
                    operator(source, at, &mut found, &mut errors)
                }
                byte if has_operators && is_word_part(byte) => {
                    at + rest.iter().take_while(|byte| is_word_part(**byte)).count()
                }
                _ => at + 1 + rest[1..].iter().take_while(|byte| !may_matter(**byte, has_operators)).count(),
            };
        }
    }
    (found, errors)
}

/// Takes the directive if its first word is `cll` or nearly so.
fn check(
    source: &[u8],
    prefix: Span,
    directive: DirectiveText,
    found: &mut Vec<DirectiveText>,
    errors: &mut Vec<Error>,
) {
    let word = text(source, prefix);
    let near = is_near_miss(&word);
    if word == "cll" || near {
        found.push(directive);
    }
    if near {
        errors.push(Error::MisspeltPrefix { span: prefix, word });
    }
}

/// The directives in the text of a macro.
fn operators(source: &[u8], within: Span, found: &mut Vec<DirectiveText>, errors: &mut Vec<Error>) {
    let mut at = within.start;
    while at < within.end {
        let rest = &source[at..within.end];
        at = match rest[0] {
            b'"' | b'\'' => skip_quoted(source, at, within.end),
            b'_' if rest.starts_with(b"_Pragma") => operator(source, at, found, errors),
            byte if is_word_part(byte) => at + rest.iter().take_while(|byte| is_word_part(**byte)).count(),
            b'/' if rest.starts_with(b"/*") || rest.starts_with(b"//") => skip_comment(source, at),
            _ => at + 1,
        };
    }
}

/// `_Pragma("…")` at `at`; where to go on.
fn operator(source: &[u8], at: usize, found: &mut Vec<DirectiveText>, errors: &mut Vec<Error>) -> usize {
    let keyword_end = at + "_Pragma".len();
    let all = source.len();
    let open = skip_blanks(source, keyword_end, all);
    let prefix = skip_blanks(source, (open + 1).min(all), all);
    let quote =
        prefix + source[prefix..].iter().take_while(|byte| matches!(byte, b'L' | b'u' | b'U' | b'8')).count();
    if source.get(open) != Some(&b'(') || source.get(quote) != Some(&b'"') {
        return keyword_end;
    }
    let quote_end = skip_quoted(source, quote, all);
    let close = skip_blanks(source, quote_end, all);
    let inside = Span::new(quote + 1, quote_end.saturating_sub(1).max(quote + 1));
    if source.get(close) != Some(&b')') {
        return keyword_end;
    }
    if let Some(prefix) = word(source, inside) {
        let body = Span::new(prefix.end, inside.end);
        let span = Span::new(at, close + 1);
        check(source, prefix, DirectiveText { form: DirectiveForm::Operator, span, body }, found, errors);
    }
    close + 1
}

/// Whether a byte in the middle of a line can start something that is no plain code.
fn may_matter(byte: u8, has_operators: bool) -> bool {
    matches!(byte, b'\n' | b'"' | b'\'' | b'/' | b'\\') || (has_operators && is_word_part(byte))
}

fn skip_comment(source: &[u8], at: usize) -> usize {
    if source[at..].starts_with(b"//") {
        return end_of_line(source, at, source.len());
    }
    memmem::find(&source[at + 2..], b"*/").map_or(source.len(), |position| at + position + 4)
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
    word != "cll" && (word == "call" || strsim::osa_distance(&word.to_lowercase(), "cll") <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(source: &str) -> Vec<&str> {
        scan(source.as_bytes(), Span::new(0, source.len()))
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
            (
                "#define B(n) _Pragma(\"cll f f[0]\") for (;;)\nB(1) _Pragma ( \"cll end f\" ) x",
                vec!["f f[0]", "end f"],
            ),
            ("my_Pragma(\"cll f\") _Pragma(\"omp parallel\") _Pragma(x)", vec![]),
        ] {
            assert_eq!(bodies(source), expected, "{source:?}");
        }
    }

    #[test]
    fn misspelt_prefixes_are_reported_and_understood() {
        for word in ["ll", "cl", "clll", "lcl", "CLL", "call", "c11"] {
            let source = format!("#pragma {word} end D\n");
            let (found, errors) = scan(source.as_bytes(), Span::new(0, source.len()));
            let expected = usize::from(word != "c11");
            assert_eq!((found.len(), errors.len()), (expected, expected), "{word}");
        }
        let others = b"#pragma clang x\n#pragma once\n#pragma pack(1)";
        assert!(scan(others, Span::new(0, others.len())).1.is_empty());
    }

    #[test]
    fn any_bytes_are_scanned() {
        for source in
            [&b"\xff\xfe#pragma cll"[..], b"#", b"#pragma", b"\"", b"/*", b"//", b"'\\", b"#pragma cll \\"]
        {
            scan(source, Span::new(0, source.len()));
        }
    }
}
