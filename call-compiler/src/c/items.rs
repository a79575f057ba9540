//! A preprocessed file as the list of its declarations and function definitions.

use super::lex::{CToken, CTokenKind};

/// "No such bracket" in a table of partners.
pub const NONE: u32 = u32::MAX;

/// The tokens of a text with their brackets matched.
pub struct Tokens<'a> {
    pub source: &'a [u8],
    pub tokens: Vec<CToken>,
    /// For each bracket the index of its partner; [`NONE`] for other tokens and for brackets without partner.
    pub partner: Vec<u32>,
}

impl<'a> Tokens<'a> {
    pub fn new(source: &'a [u8], tokens: Vec<CToken>) -> Tokens<'a> {
        let mut partner = vec![NONE; tokens.len()];
        let mut open = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            if token.kind != CTokenKind::Punctuator {
                continue;
            }
            match token.text(source) {
                b"(" | b"[" | b"{" | b"<%" | b"<:" => open.push(index),
                b")" | b"]" | b"}" | b"%>" | b":>" => {
                    if let Some(begin) = open.pop() {
                        partner[begin] = index as u32;
                        partner[index] = begin as u32;
                    }
                }
                _ => {}
            }
        }
        Tokens { source, tokens, partner }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Text of a token; empty behind the last one.
    pub fn text(&self, index: usize) -> &'a [u8] {
        self.tokens.get(index).map_or(b"", |token| token.text(self.source))
    }

    pub fn is_word(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.kind == CTokenKind::Word)
    }

    /// The partner of a bracket.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).filter(|partner| **partner != NONE).map(|partner| *partner as usize)
    }

    /// The last token of what may be left out of a declaration and starts at `index`: attributes, `asm(…)`, `_Alignas(…)`.
    pub fn decoration(&self, index: usize) -> Option<usize> {
        match self.text(index) {
            b"__extension__" => Some(index),
            b"__attribute__" | b"__attribute" | b"__declspec" | b"_Alignas" | b"alignas"
                if self.text(index + 1) == b"(" =>
            {
                self.partner(index + 1)
            }
            b"asm" | b"__asm" | b"__asm__" => {
                let mut open = index + 1;
                while is_asm_qualifier(self.text(open)) {
                    open += 1;
                }
                if self.text(open) == b"(" { self.partner(open) } else { None }
            }
            b"[" | b"<:" if matches!(self.text(index + 1), b"[" | b"<:") => {
                let (outer, inner) = (self.partner(index)?, self.partner(index + 1)?);
                (inner + 1 == outer).then_some(outer)
            }
            _ => None,
        }
    }
}

pub fn is_asm_qualifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"volatile"
            | b"__volatile__"
            | b"__volatile"
            | b"inline"
            | b"__inline__"
            | b"__inline"
            | b"goto"
            | b"const"
            | b"__const__"
            | b"__const"
    )
}

/// A declaration or function definition at file scope; positions are indices of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    pub first: usize,
    /// Behind the last token.
    pub end: usize,
    /// The braces of a function's body.
    pub body: Option<(usize, usize)>,
    pub is_typedef: bool,
}

/// Splits the tokens of a file. Every token is in one item, and the items are in the order of the file.
pub fn items(tokens: &Tokens) -> Vec<Item> {
    let mut found: Vec<Item> = Vec::new();
    // Items that start like an old-style definition, `int f(a) int a; {`, whose parameters look like items of their own.
    let mut old_style_heads: Vec<usize> = Vec::new();
    let mut first = 0;
    while first < tokens.len() {
        let (mut item, is_old_style_head) = item(tokens, first);
        first = item.end;
        let starts_with_body = item.body.is_some_and(|(open, _)| open == item.first);
        let head = old_style_heads.pop_if(|head| starts_with_body && found.len() - *head <= 64);
        if let Some(head) = head {
            item.first = found[head].first;
            found.truncate(head);
        }
        if is_old_style_head {
            old_style_heads.push(found.len());
        }
        found.push(item);
    }
    found
}

fn item(tokens: &Tokens, first: usize) -> (Item, bool) {
    let mut previous: &[u8] = b"";
    let mut has_equals = false;
    let mut is_old_style_head = false;
    let mut is_typedef = false;
    let mut index = first;
    while index < tokens.len() {
        if let Some(last) = tokens.decoration(index) {
            index = last + 1;
            continue;
        }
        let text = tokens.text(index);
        match text {
            b"=" => has_equals = true,
            b"typedef" => is_typedef = true,
            b"(" | b"[" | b"<:" => match tokens.partner(index) {
                Some(close) => {
                    // `typeof(x) y` is no parameter list.
                    let is_type =
                        matches!(previous, b"typeof" | b"__typeof__" | b"__typeof" | b"_Atomic" | b"_BitInt")
                            || previous.starts_with(b"typeof_unqual");
                    previous = if is_type || text != b"(" { b"int" } else { b")" };
                    index = close + 1;
                    continue;
                }
                None => return (Item { first, end: tokens.len(), body: None, is_typedef }, false),
            },
            b"{" | b"<%" => {
                let close = tokens.partner(index).unwrap_or(tokens.len() - 1);
                let is_body = index == first || (previous == b")" && !has_equals && !is_typedef);
                if is_body {
                    let body = Some((index, close));
                    return (Item { first, end: close + 1, body, is_typedef }, false);
                }
                previous = b"}";
                index = close + 1;
                continue;
            }
            b";" => {
                return (Item { first, end: index + 1, body: None, is_typedef }, is_old_style_head);
            }
            _ if previous == b")" && !has_equals && !is_typedef && tokens.is_word(index) => {
                is_old_style_head = true;
            }
            _ => {}
        }
        previous = text;
        index += 1;
    }
    (Item { first, end: tokens.len(), body: None, is_typedef }, false)
}

#[cfg(test)]
mod tests {
    use super::super::lex::lex;
    use super::*;

    fn split(source: &str) -> Vec<(String, bool)> {
        let tokens = Tokens::new(source.as_bytes(), lex(source.as_bytes(), 0, source.len()));
        items(&tokens)
            .iter()
            .map(|item| {
                let from = tokens.tokens[item.first].start as usize;
                let to = tokens.tokens[item.end - 1].end as usize;
                (source[from..to].to_owned(), item.body.is_some())
            })
            .collect()
    }

    #[test]
    fn declarations_and_functions() {
        for (source, expected) in [
            (
                "int a; struct s { int b; } c = { 1 };",
                vec![("int a;", false), ("struct s { int b; } c = { 1 };", false)],
            ),
            (
                "int f(void) { return 1; } int g;",
                vec![("int f(void) { return 1; }", true), ("int g;", false)],
            ),
            (
                "int f(a, b) int a; char *b; { return a; } int g;",
                vec![("int f(a, b) int a; char *b; { return a; }", true), ("int g;", false)],
            ),
            ("f() { } int x = { f(1) };", vec![("f() { }", true), ("int x = { f(1) };", false)]),
            (
                "void f(void) __attribute__((noreturn)); int (*g(int a))(void) __asm__(\"x\") { }",
                vec![
                    ("void f(void) __attribute__((noreturn));", false),
                    ("int (*g(int a))(void) __asm__(\"x\") { }", true),
                ],
            ),
            (
                "typedef struct { int a; } s; [[noreturn]] void f(s) { ; }",
                vec![("typedef struct { int a; } s;", false), ("[[noreturn]] void f(s) { ; }", true)],
            ),
            (
                "__typeof__(x) y; enum e { A, B }; int v[2] = { (1), 2 };",
                vec![
                    ("__typeof__(x) y;", false),
                    ("enum e { A, B };", false),
                    ("int v[2] = { (1), 2 };", false),
                ],
            ),
            ("int f( { broken", vec![("int f( { broken", false)]),
        ] {
            let expected: Vec<(String, bool)> =
                expected.iter().map(|(text, body)| ((*text).to_owned(), *body)).collect();
            assert_eq!(split(source), expected, "{source}");
        }
    }
}
