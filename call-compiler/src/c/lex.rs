//! Tokens of C text, preprocessed or not. Comments and lines that start with `#` are white space.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CTokenKind {
    Word,
    Number,
    String,
    Character,
    Punctuator,
}

/// A token; offsets count bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CToken {
    pub kind: CTokenKind,
    pub start: u32,
    pub end: u32,
}

impl CToken {
    pub fn text<'a>(&self, source: &'a [u8]) -> &'a [u8] {
        &source[self.start as usize..self.end as usize]
    }
}

/// The tokens of `source[from..to]`. Offsets are those of `source`; files of more than 4 GiB are cut.
pub fn lex(source: &[u8], from: usize, to: usize) -> Vec<CToken> {
    let source = &source[..to.min(u32::MAX as usize)];
    let mut lexer = Lexer { source, at: from, line_is_blank: true };
    let mut tokens = Vec::with_capacity((to - from) / 6);
    while let Some(token) = lexer.next_token() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
    line_is_blank: bool,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn next_token(&mut self) -> Option<CToken> {
        self.skip_blanks();
        let start = self.at;
        let first = *self.source.get(start)?;
        self.line_is_blank = false;
        let kind = if is_word_start(first) || self.at_universal_name() {
            self.word()
        } else if first.is_ascii_digit() || (first == b'.' && self.byte(1).is_ascii_digit()) {
            self.number();
            CTokenKind::Number
        } else if first == b'"' || first == b'\'' {
            self.quoted()
        } else {
            self.at += punctuator_length(&self.source[start..]);
            CTokenKind::Punctuator
        };
        Some(CToken { kind, start: start as u32, end: self.at as u32 })
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.source.get(self.at) {
            match byte {
                b'\n' => {
                    self.line_is_blank = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => self.at += 1,
                b'\\' if matches!(self.byte(1), b'\n' | b'\r') => self.at += 2,
                b'/' if matches!(self.byte(1), b'/' | b'*') => self.skip_comment(),
                b'#' if self.line_is_blank => self.skip_line(),
                b'%' if self.line_is_blank && self.byte(1) == b':' => self.skip_line(),
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        if self.byte(1) == b'/' {
            self.skip_line();
        } else {
            let length = memchr::memmem::find(&self.source[self.at + 2..], b"*/");
            self.at = length.map_or(self.source.len(), |length| self.at + length + 4);
        }
    }

    /// Goes to the line feed that ends the logical line; strings may hold what looks like a comment.
    fn skip_line(&mut self) {
        let is_comment = self.byte(0) == b'/';
        while let Some(&byte) = self.source.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => self.at += if self.byte(1) == b'\r' && self.byte(2) == b'\n' { 3 } else { 2 },
                b'"' | b'\'' if !is_comment => {
                    if byte == b'"' && self.at > 0 && self.source[self.at - 1] == b'R' {
                        self.raw_string();
                    } else {
                        self.quoted();
                    }
                }
                b'/' if !is_comment && matches!(self.byte(1), b'/' | b'*') => self.skip_comment(),
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.source.len());
    }

    fn at_universal_name(&self) -> bool {
        self.byte(0) == b'\\' && matches!(self.byte(1), b'u' | b'U')
    }

    fn word(&mut self) -> CTokenKind {
        let start = self.at;
        while is_word_part(self.byte(0)) || self.at_universal_name() {
            self.at += 1;
        }
        match (&self.source[start..self.at], self.byte(0)) {
            (b"L" | b"u" | b"U" | b"u8", b'"' | b'\'') => self.quoted(),
            (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') => self.raw_string(),
            _ => CTokenKind::Word,
        }
    }

    fn number(&mut self) {
        while self.at < self.source.len() {
            let byte = self.byte(0);
            let has_sign = matches!(self.byte(1), b'+' | b'-') && matches!(byte, b'e' | b'E' | b'p' | b'P');
            let separates = byte == b'\'' && is_word_part(self.byte(1));
            if has_sign || separates {
                self.at += 2;
            } else if is_word_part(byte) || byte == b'.' {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// A literal that starts at the quote; an unclosed one ends with its line.
    fn quoted(&mut self) -> CTokenKind {
        let quote = self.byte(0);
        self.at += 1;
        while let Some(&byte) = self.source.get(self.at) {
            match byte {
                b'\n' => break,
                b'\\' => self.at += if self.byte(1) == b'\r' && self.byte(2) == b'\n' { 3 } else { 2 },
                _ => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.source.len());
        if quote == b'"' { CTokenKind::String } else { CTokenKind::Character }
    }

    /// `"delimiter(…)delimiter"`, which GNU C has, too.
    fn raw_string(&mut self) -> CTokenKind {
        let quote = self.at;
        let rest = &self.source[quote + 1..];
        let Some(delimiter) = rest.iter().take(17).position(|byte| *byte == b'(') else {
            return self.quoted();
        };
        let close = [b")", &rest[..delimiter], b"\""].concat();
        let end = rest.windows(close.len()).position(|bytes| bytes == close);
        self.at = end.map_or(self.source.len(), |end| quote + 1 + end + close.len());
        CTokenKind::String
    }
}

pub fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

pub fn is_word_part(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit()
}

fn punctuator_length(text: &[u8]) -> usize {
    const THREE: [&[u8]; 3] = [b"...", b"<<=", b">>="];
    const TWO: [&[u8]; 24] = [
        b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"*=", b"/=", b"%=",
        b"+=", b"-=", b"&=", b"^=", b"|=", b"::", b"<%", b"%>", b"<:", b":>",
    ];
    if THREE.iter().any(|three| text.starts_with(three)) {
        3
    } else if text.len() > 1 && text[1].is_ascii_punctuation() && TWO.contains(&&text[..2]) {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        let tokens = lex(source.as_bytes(), 0, source.len());
        tokens.iter().map(|token| &source[token.start as usize..token.end as usize]).collect()
    }

    #[test]
    fn tokens_of_c() {
        for (source, expected) in [
            ("a+++b", vec!["a", "++", "+", "b"]),
            ("x<<=1.5e-3f; y = .5", vec!["x", "<<=", "1.5e-3f", ";", "y", "=", ".5"]),
            ("1'000'000 0x1p-3 08", vec!["1'000'000", "0x1p-3", "08"]),
            ("L\"a\\\"b\" u8'c' '\\''", vec!["L\"a\\\"b\"", "u8'c'", "'\\''"]),
            ("R\"x(a\")\n)x\" b", vec!["R\"x(a\")\n)x\"", "b"]),
            ("a /* b\n#c */ d // e\nf", vec!["a", "d", "f"]),
            ("a\n # define x \"/*\" \\\n y\nb # c", vec!["a", "b", "#", "c"]),
            ("\u{e9}lan $x \\u00e9", vec!["\u{e9}lan", "$x", "\\u00e9"]),
            ("a\0b \"unclosed\nc", vec!["a", "b", "\"unclosed", "c"]),
            ("<% %> <: :> f(...)", vec!["<%", "%>", "<:", ":>", "f", "(", "...", ")"]),
        ] {
            assert_eq!(texts(source), expected, "{source:?}");
        }
    }

    #[test]
    fn any_bytes_end() {
        for source in
            [&b"\""[..], b"'\\", b"/*", b"//\\", b"R\"", b"R\"(", b"\\", b"#\\", b"\xff\xfe", b"1e", b"."]
        {
            lex(source, 0, source.len());
        }
    }
}
