//! Rewrites one declaration or function of a preprocessed file into the C11 with GNU extensions that lang-c parses.
//!
//! What compilers accept beyond that (C23, attributes, `asm`, `__int128`, nested functions, implicit int, …) is blanked or
//! replaced in place, so that offsets stay; the few insertions are remembered, so that offsets can be mapped back.
//! [`local`] looks at tokens one by one, [`context`] at what surrounds them.

mod context;
pub mod literal;
mod local;
pub mod words;

use std::borrow::Cow;

use super::items::{Item, Tokens};

/// A type that was erased, such as that of `__auto_type`: the prelude declares it.
pub const ERASED_TYPE: &str = "__u";

/// Text for lang-c, and the way back from it.
pub struct Normalised {
    pub text: String,
    /// Offset in the preprocessed text where the item starts.
    start: usize,
    /// Length of what was put before the item.
    prelude_length: usize,
    /// Places in the item (bytes from its start) before which text was inserted, ascending, with the length of all that was
    /// inserted up to there.
    insertions: Vec<(usize, usize)>,
    /// Offsets in the preprocessed text of `goto *…`, which lang-c does not see.
    pub computed_gotos: Vec<usize>,
    /// The braces of nested functions, as offsets in the preprocessed text; lang-c takes their bodies for blocks.
    pub nested_functions: Vec<(usize, usize)>,
}

impl Normalised {
    /// The offset in the preprocessed text that belongs to an offset of `text`.
    pub fn original(&self, offset: usize) -> usize {
        let offset = offset.saturating_sub(self.prelude_length);
        let index = self.insertions.partition_point(|(at, inserted)| at + inserted <= offset);
        let inserted = index.checked_sub(1).map_or(0, |last| self.insertions[last].1);
        let next = self.insertions.get(index).map_or(usize::MAX, |(at, _)| *at);
        // Inside of an insertion every offset stands for the place before which it was made.
        self.start + (offset - inserted).min(next)
    }
}

/// Normalises an item; `prelude` is put before it.
pub fn normalise(tokens: &Tokens, item: &Item, prelude: &str) -> Normalised {
    let mut editor = ItemEditor::new(tokens, item);
    local::rewrite(&mut editor);
    context::rewrite(&mut editor);
    editor.finish(prelude)
}

/// The text of an item while it is rewritten.
struct ItemEditor<'a> {
    tokens: &'a Tokens<'a>,
    first: usize,
    end: usize,
    /// Offset of the item in the source.
    start: usize,
    bytes: Vec<u8>,
    /// For each token of the item whether it was blanked.
    is_removed: Vec<bool>,
    insertions: Vec<(usize, Cow<'static, str>)>,
    computed_gotos: Vec<usize>,
    nested_functions: Vec<(usize, usize)>,
}

impl<'a> ItemEditor<'a> {
    fn new(tokens: &'a Tokens<'a>, item: &Item) -> ItemEditor<'a> {
        let start = tokens.tokens[item.first].start as usize;
        let end = tokens.tokens[item.end - 1].end as usize;
        let mut bytes = vec![b' '; end - start];
        for token in &tokens.tokens[item.first..item.end] {
            let (from, to) = (token.start as usize - start, token.end as usize - start);
            bytes[from..to].copy_from_slice(token.text(tokens.source));
        }
        ItemEditor {
            tokens,
            first: item.first,
            end: item.end,
            start,
            bytes,
            is_removed: vec![false; item.end - item.first],
            insertions: Vec::new(),
            computed_gotos: Vec::new(),
            nested_functions: Vec::new(),
        }
    }

    /// Text of a token of the item as it was; empty outside.
    fn text(&self, index: usize) -> &'a [u8] {
        if (self.first..self.end).contains(&index) { self.tokens.text(index) } else { b"" }
    }

    fn is_word(&self, index: usize) -> bool {
        index < self.end && self.tokens.is_word(index)
    }

    /// The partner of a bracket, if it is in the item.
    fn partner(&self, index: usize) -> Option<usize> {
        self.tokens.partner(index).filter(|partner| (self.first..self.end).contains(partner))
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let token = self.tokens.tokens[index];
        token.start as usize - self.start..token.end as usize - self.start
    }

    fn is_removed(&self, index: usize) -> bool {
        self.is_removed[index - self.first]
    }

    /// Whether a token, such as the `auto` of C23, was replaced by [`ERASED_TYPE`].
    fn is_erased_type(&self, index: usize) -> bool {
        self.bytes[self.range(index)].trim_ascii() == ERASED_TYPE.as_bytes()
    }

    /// Blanks the tokens from `first` to `last`, both included.
    fn remove(&mut self, first: usize, last: usize) {
        let (from, to) = (self.range(first).start, self.range(last).end);
        self.bytes[from..to].fill(b' ');
        self.is_removed[first - self.first..=last - self.first].fill(true);
        self.insertions.retain(|(at, _)| *at <= from || *at > to);
    }

    /// Puts a text, which must not be longer, in the place of a token.
    fn replace(&mut self, index: usize, text: &str) {
        let range = self.range(index);
        debug_assert!(text.len() <= range.len());
        self.bytes[range.clone()].fill(b' ');
        self.bytes[range.start..range.start + text.len()].copy_from_slice(text.as_bytes());
    }

    /// Puts a text in the place of the tokens from `first` to `last`, both included.
    fn replace_all(&mut self, first: usize, last: usize, text: &str) {
        self.remove(first, last);
        self.is_removed[first - self.first] = false;
        let at = self.range(first).start;
        self.bytes[at..at + text.len()].copy_from_slice(text.as_bytes());
    }

    fn insert_before(&mut self, index: usize, text: impl Into<Cow<'static, str>>) {
        self.insertions.push((self.range(index).start, text.into()));
    }

    fn insert_after(&mut self, index: usize, text: impl Into<Cow<'static, str>>) {
        self.insertions.push((self.range(index).end, text.into()));
    }

    fn finish(mut self, prelude: &str) -> Normalised {
        self.insertions.sort_by_key(|(at, _)| *at);
        let inserted: usize = self.insertions.iter().map(|(_, text)| text.len()).sum();
        let mut text = Vec::with_capacity(prelude.len() + self.bytes.len() + inserted);
        text.extend_from_slice(prelude.as_bytes());
        let mut insertions = Vec::with_capacity(self.insertions.len());
        let (mut done, mut total) = (0, 0);
        for (at, inserted) in &self.insertions {
            text.extend_from_slice(&self.bytes[done..*at]);
            text.extend_from_slice(inserted.as_bytes());
            done = *at;
            total += inserted.len();
            insertions.push((*at, total));
        }
        text.extend_from_slice(&self.bytes[done..]);
        Normalised {
            text: String::from_utf8_lossy(&text).into_owned(),
            start: self.start,
            prelude_length: prelude.len(),
            insertions,
            computed_gotos: self.computed_gotos,
            nested_functions: self.nested_functions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::items::items;
    use super::super::lex::lex;
    use super::*;

    /// All items of a text, normalised, without blanks.
    fn normalised(source: &str) -> String {
        let tokens = Tokens::new(source.as_bytes(), lex(source.as_bytes(), 0, source.len()));
        let texts = items(&tokens).iter().map(|item| normalise(&tokens, item, "").text).collect::<Vec<_>>();
        texts.concat().split_whitespace().collect()
    }

    #[test]
    fn rewriting() {
        for (source, expected) in [
            ("int x __attribute__((aligned(8))) = 1;", "int x = 1;"),
            ("[[nodiscard(\"x\")]] int f(void);", "int f(void);"),
            ("int n = 1'000'000 + 0b101 + 3uwb;", "int n = 1 + 1 + 1.;"),
            ("double d = 1.5e3L + 0x1p-3 + .5f;", "double d = 1. + 1. + 1.;"),
            ("char c = L'a', *s = R\"(a\"b)\" u8\"x\";", "char c = 1000, *s = \" \" u8\" \";"),
            ("__int128 a; unsigned _BitInt(12) b;", "long a; unsigned int b;"),
            ("enum e : unsigned char { A };", "enum e { A };"),
            ("void f(void) { asm volatile (\"nop\" : : : \"memory\"); }", "void f(void) { ; }"),
            ("void f(void) { L: int x; case 1: }", "void f(void) { L:; int x; case 1:; }"),
            ("int f(int a) { return a ?: 1; }", "int f(int a) { return a ?0: 1; }"),
            ("void f(void) { L: ; void *p = &&L; goto *p; }", "void f(void) { L:; ; void *p = &L; p; }"),
            (
                "void f(void) { int g(int a) { return a; } g(1); }",
                "void f(void) { int g(int a) ; { int a; return a; } g(1); }",
            ),
            ("f(a) { return a; } static x = 1;", "int f(a) { return a; } int static x = 1;"),
            ("*f() { } x;", "int *f() { } x;"),
            ("void f(void) { __auto_type a = 1; auto b = 2; }", "void f(void) { __u a = 1; __u b = 2; }"),
            ("struct s v = (struct s){};", "struct s v = (struct s){0};"),
            ("int f(int n; int a[n]);", "int f(int n, int a[n]);"),
            ("struct s { int a;; _Static_assert(1, \"x\"); } ;", "struct s { int a; } ;"),
            ("constexpr int a = alignof(int);", "const int a = sizeof(int);"),
            ("<% %>", "{ }"),
        ] {
            assert_eq!(normalised(source), expected.replace(' ', ""), "{source}");
        }
    }

    #[test]
    fn offsets_map_back() {
        let source = "int g; f(a) { L: return a ?: 2; }";
        let tokens = Tokens::new(source.as_bytes(), lex(source.as_bytes(), 0, source.len()));
        let item = items(&tokens)[1];
        let normalised = normalise(&tokens, &item, "typedef int t;\n");
        for word in ["f(a)", "L:", "return", "2;", "}"] {
            let place = normalised.text.find(word).unwrap();
            assert_eq!(normalised.original(place), source.rfind(word).unwrap(), "{word}");
        }
    }
}
