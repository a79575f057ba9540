use call_grammar::Span;

use super::ProgramError;

#[derive(Debug, Clone, PartialEq)]
pub enum ProgramTokenKind {
    Number(f64),
    Word(String),
    /// One of [`SYMBOLS`].
    Symbol(&'static str),
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProgramToken {
    pub kind: ProgramTokenKind,
    pub span: Span,
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "..", "<=", ">=", "==", "!=", "&&", "||", "{", "}", "(", ")", "[", "]", ",", ";", "=", "<", ">", "!",
    "+", "-", "*", "/", "%", "^", "&",
];

/// Splits a text into tokens, the last of which is `End`. `#` starts a comment.
pub fn tokens(text: &str) -> Result<Vec<ProgramToken>, ProgramError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let kind = if first.is_ascii_digit() || is_fraction(rest) {
            let length = number_length(rest);
            // `1us` and `2x` are one mistake.
            let length = rest[length..].find(|c| !is_part(c)).map_or(rest.len(), |more| length + more);
            at += length;
            let written = &rest[..length];
            let value = written.parse().ok().filter(|value: &f64| value.is_finite());
            let span = Span::new(start, at);
            ProgramTokenKind::Number(value.ok_or_else(|| {
                ProgramError::new(span, format!("`{written}` is no number"))
                    .help("numbers are such as 16, 0.5 and 1e-6, without a unit: times in seconds, lengths in bytes")
            })?)
        } else if first.is_alphabetic() || first == '_' {
            at += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            ProgramTokenKind::Word(text[start..at].to_owned())
        } else if rest.starts_with("...") {
            let span = Span::new(start, start + 3);
            return Err(ProgramError::new(span, "`...` means nothing here")
                .help("a loop stands so: `for i = A .. B { … }`"));
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            at += symbol.len();
            ProgramTokenKind::Symbol(symbol)
        } else {
            let span = Span::new(start, start + first.len_utf8());
            return Err(ProgramError::new(span, format!("`{}` means nothing here", shown(first))));
        };
        found.push(ProgramToken { kind, span: Span::new(start, at) });
    }
    found.push(ProgramToken { kind: ProgramTokenKind::End, span: Span::new(text.len(), text.len()) });
    Ok(found)
}

/// A character that would disturb the line is shown by its number.
fn shown(character: char) -> String {
    match character.is_control() {
        true => character.escape_unicode().to_string(),
        false => character.to_string(),
    }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// `.5`, but not `..`.
fn is_fraction(text: &str) -> bool {
    text.starts_with('.') && text[1..].starts_with(|c: char| c.is_ascii_digit())
}

/// Digits with a point that is not the first of two, and an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text[length..].starts_with('.') && !text[length..].starts_with("..") {
        length += 1;
        length += digits(length);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}
