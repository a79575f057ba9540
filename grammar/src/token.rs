//! Tokens of a directive: what stands behind `#pragma cll`, up to the end of the logical line.

use crate::{Error, Span};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Number(f64),
    Word(String),
    /// Contents of a string literal, quotes and escapes as they stand.
    Quoted(String),
    Symbol(char),
    /// `++` or `--`, which formulas refuse.
    Step(char),
    Arrow,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// A place in a list of tokens that ends with `End`; it never goes beyond that.
pub(crate) struct Cursor<'a> {
    tokens: &'a [Token],
    next: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(tokens: &'a [Token]) -> Cursor<'a> {
        Cursor { tokens, next: 0 }
    }

    /// The next token.
    pub fn peek(&self) -> &'a Token {
        self.peek_behind(0)
    }

    /// The token that stands so many places behind the next one.
    pub fn peek_behind(&self, places: usize) -> &'a Token {
        &self.tokens[(self.next + places).min(self.tokens.len() - 1)]
    }

    /// The token that was passed last.
    pub fn before(&self) -> Option<&'a Token> {
        self.next.checked_sub(1).map(|last| &self.tokens[last])
    }

    /// The next token, which is passed.
    pub fn bump(&mut self) -> &'a Token {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Passes the symbol if it is next.
    pub fn take(&mut self, symbol: char) -> bool {
        let found = self.peek().kind == TokenKind::Symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    /// Passes the word if it is next.
    pub fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.peek().kind, TokenKind::Word(found) if found == word);
        if found {
            self.bump();
        }
        found
    }

    pub fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// The tokens from the next one on.
    pub fn rest(&self) -> &'a [Token] {
        &self.tokens[self.next..]
    }

    /// Passes everything up to the end.
    pub fn finish(&mut self) {
        self.next = self.tokens.len() - 1;
    }
}

/// Splits `source[span]` into tokens; the last one is always `End`. Bytes that start no token are reported and skipped, so C text
/// that formulas do not know (`<`, `=`, `&`) still comes out as symbols.
pub(crate) fn tokens(source: &[u8], span: Span) -> (Vec<Token>, Vec<Error>) {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    let mut at = span.start;
    loop {
        at = skip_blanks(source, at, span.end);
        if at >= span.end {
            found.push(Token { kind: TokenKind::End, span: end_of_text(source, span) });
            return (found, errors);
        }
        let start = at;
        let rest = &source[at..span.end];
        let kind = match rest[0] {
            b'0'..=b'9' => number(rest, &mut at, &mut errors),
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => number(rest, &mut at, &mut errors),
            _ if foreign_name(rest) > 0 => {
                at += foreign_name(rest);
                let span = Span::new(start, at);
                errors.push(Error::ForeignName { span, name: text(source, span) });
                Some(TokenKind::Word(text(source, span)))
            }
            byte if is_word_start(byte) => {
                at += rest.iter().take_while(|byte| is_word_part(**byte)).count();
                Some(TokenKind::Word(text(source, Span::new(start, at))))
            }
            quote @ (b'"' | b'\'') => {
                at = skip_quoted(source, at, span.end);
                let closed = at >= start + 2 && source[at - 1] == quote;
                if !closed {
                    errors.push(Error::UnclosedQuote { span: Span::new(start, at) });
                }
                let inside = Span::new(start + 1, if closed { at - 1 } else { at });
                Some(TokenKind::Quoted(text(source, inside)))
            }
            b'-' if rest.get(1) == Some(&b'>') => {
                at += 2;
                Some(TokenKind::Arrow)
            }
            byte @ (b'+' | b'-') if rest.get(1) == Some(&byte) => {
                at += 2;
                Some(TokenKind::Step(char::from(byte)))
            }
            byte if byte.is_ascii_graphic() => {
                at += 1;
                Some(TokenKind::Symbol(char::from(byte)))
            }
            _ => {
                let width = std::str::from_utf8(&rest[..rest.len().min(4)])
                    .or_else(|error| std::str::from_utf8(&rest[..error.valid_up_to()]))
                    .ok()
                    .and_then(|text| text.chars().next())
                    .map_or(1, char::len_utf8);
                at += width;
                let span = Span::new(start, at);
                errors.push(Error::UnexpectedCharacter { span, text: text(source, span) });
                None
            }
        };
        if let Some(kind) = kind {
            found.push(Token { kind, span: Span::new(start, at) });
        }
    }
}

/// Length in bytes of the name that a text begins with if C takes it, and formulas do not: it has letters that are not of ASCII. Else 0.
fn foreign_name(rest: &[u8]) -> usize {
    let ascii = rest.iter().take_while(|byte| is_word_part(**byte)).count();
    if rest.get(ascii).is_none_or(u8::is_ascii) {
        return 0;
    }
    let valid = std::str::from_utf8(rest).map_or_else(|error| error.valid_up_to(), |text| text.len());
    let text = String::from_utf8_lossy(&rest[..valid]);
    let is_part = |letter: &char| {
        *letter == '_' || letter.is_ascii_alphanumeric() || (!letter.is_ascii() && letter.is_alphabetic())
    };
    let length: usize = text.chars().take_while(is_part).map(char::len_utf8).sum();
    if length > ascii { length } else { 0 }
}

/// The bytes of a span as text for messages and names; invalid UTF-8 becomes the replacement character.
pub(crate) fn text(source: &[u8], span: Span) -> String {
    String::from_utf8_lossy(&source[span.start..span.end]).into_owned()
}

/// C text with comments, line ends and continuations turned into single blanks.
pub(crate) fn on_one_line(source: &[u8], span: Span) -> String {
    let mut line = Vec::with_capacity(span.end - span.start);
    let mut at = span.start;
    while at < span.end {
        let quoted = matches!(source[at], b'"' | b'\'');
        let next = if quoted { skip_quoted(source, at, span.end) } else { skip_blanks(source, at, span.end) };
        if quoted {
            let mut inside = at;
            while inside < next {
                let width = continuation(&source[inside..next]);
                if width.is_none() {
                    line.push(source[inside]);
                }
                inside += width.unwrap_or(1);
            }
            at = next;
        } else if next > at {
            line.push(b' ');
            at = next;
        } else {
            line.push(source[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&line).trim().to_owned()
}

pub(crate) fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(crate) fn is_word_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Skips blanks, line continuations and comments.
pub(crate) fn skip_blanks(source: &[u8], mut at: usize, end: usize) -> usize {
    while at < end {
        let rest = &source[at..end];
        if rest[0].is_ascii_whitespace() || rest[0] == 0x0b {
            at += 1;
        } else if let Some(width) = continuation(rest) {
            at += width;
        } else if rest.starts_with(b"/*") {
            at += memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |position| position + 4);
        } else if rest.starts_with(b"//") {
            at = end_of_line(source, at, end);
        } else {
            break;
        }
    }
    at
}

/// Length of a back-slash with the line end behind it, if that is what `text` starts with.
pub(crate) fn continuation(text: &[u8]) -> Option<usize> {
    match text {
        [b'\\', b'\n', ..] => Some(2),
        [b'\\', b'\r', b'\n', ..] => Some(3),
        _ => None,
    }
}

/// Offset of the line feed that ends the logical line, or `end`.
pub(crate) fn end_of_line(source: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && source[at] != b'\n' {
        at += continuation(&source[at..end]).unwrap_or(1);
    }
    at.min(end)
}

/// Offset behind a string or character literal that starts at `at`; an unclosed one ends with its line.
pub(crate) fn skip_quoted(source: &[u8], mut at: usize, end: usize) -> usize {
    let quote = source[at];
    at += 1;
    while at < end && source[at] != b'\n' {
        if source[at] == b'\\' {
            at += continuation(&source[at..end]).unwrap_or(2);
        } else {
            at += 1;
            if source[at - 1] == quote {
                break;
            }
        }
    }
    at.min(end)
}

fn number(rest: &[u8], at: &mut usize, errors: &mut Vec<Error>) -> Option<TokenKind> {
    let mut width = 0;
    while width < rest.len() {
        let sign_of_exponent =
            matches!(rest[width], b'+' | b'-') && width > 0 && matches!(rest[width - 1], b'e' | b'E');
        if !(is_word_part(rest[width]) || rest[width] == b'.' || sign_of_exponent) {
            break;
        }
        width += 1;
    }
    let span = Span::new(*at, *at + width);
    *at = span.end;
    let digits = String::from_utf8_lossy(&rest[..width]).into_owned();
    match value_of(&digits) {
        Some(value) if value.is_finite() => Some(TokenKind::Number(value)),
        _ => {
            errors.push(Error::BadNumber { span, text: digits });
            Some(TokenKind::Number(1.0))
        }
    }
}

/// The place to point at when something is missing at the end: the last byte that is not blank.
fn end_of_text(source: &[u8], span: Span) -> Span {
    let text = &source[span.start..span.end];
    let Some(last) = text.iter().rposition(|byte| !byte.is_ascii_whitespace()) else {
        return Span::new(span.start, span.start);
    };
    // A character of several bytes is pointed at whole.
    let first = text[..=last].iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or(last);
    Span::new(span.start + first, span.start + last + 1)
}

/// The value of a number as C writes it: decimal, octal or hexadecimal, with the suffixes of its types.
fn value_of(digits: &str) -> Option<f64> {
    let is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    let is_real = !is_hexadecimal && digits.contains(['.', 'e', 'E']);
    if is_real {
        return digits.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok();
    }
    let whole = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if is_hexadecimal {
        u64::from_str_radix(&whole[2..], 16).ok()
    } else if whole.len() > 1 && whole.starts_with('0') {
        u64::from_str_radix(whole, 8).ok()
    } else {
        return whole.parse().ok();
    };
    value.map(|value| value as f64)
}

#[cfg(test)]
mod tests {
    use super::value_of;

    #[test]
    fn numbers_as_c_writes_them() {
        for (digits, expected) in [
            ("0", Some(0.0)),
            ("1024UL", Some(1024.0)),
            ("0x10", Some(16.0)),
            ("0XfFull", Some(255.0)),
            ("010", Some(8.0)),
            ("1.5f", Some(1.5)),
            ("2.e3L", Some(2000.0)),
            ("1e-3", Some(1e-3)),
            ("123456789012345678901", Some(123_456_789_012_345_678_901.0)),
            ("08", None),
            ("0x", None),
            ("1x", None),
            ("1.5.2", None),
        ] {
            assert_eq!(value_of(digits), expected, "{digits}");
        }
    }
}
