//! Finds the user's own bytes of statements that are known from the preprocessed text.
//!
//! Columns of the preprocessed text say nothing, and what comes out of a macro call that spans lines is said to be on its first.
//! So the words that start jumps are paired line by line, where both texts have equally many; what is left over is paired with
//! such a word, followed by the same tokens, of the same line or of a call that starts there. What a macro says finds no partner.

use std::collections::{HashMap, HashSet};

use call_grammar::Span;

use crate::c::items::{Item, Tokens};
use crate::c::lex::{CTokenKind, lex};
use crate::preprocessed::Preprocessed;
use crate::sources::Sources;

/// A statement in the user's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocatedStatement {
    /// Its first word.
    pub word: Span,
    /// Its semicolon.
    pub semicolon: Span,
}

/// The words of jumps in the user's files.
pub struct Locator<'a> {
    sources: &'a Sources,
    preprocessed: &'a Preprocessed,
    tokens: &'a Tokens<'a>,
    is_jump: fn(&[u8]) -> bool,
    own: Vec<OwnFile<'a>>,
}

/// One of the user's files.
struct OwnFile<'a> {
    tokens: Tokens<'a>,
    /// For each line, as the compiler counts them, the jump words.
    words: HashMap<(Option<String>, u32), Vec<usize>>,
    /// For each line on which a call starts that ends on another one, that other line.
    end_of_calls: HashMap<(Option<String>, u32), u32>,
}

impl<'a> Locator<'a> {
    /// `parts` says for each file in which part of it jumps are looked for.
    pub fn new(
        sources: &'a Sources,
        preprocessed: &'a Preprocessed,
        tokens: &'a Tokens<'a>,
        is_jump: fn(&[u8]) -> bool,
        parts: &[Span],
    ) -> Locator<'a> {
        let own = parts.iter().map(|part| OwnFile::read(sources, *part, is_jump)).collect();
        Locator { sources, preprocessed, tokens, is_jump, own }
    }

    /// The statements of a function that start with jump words, by the offset of the word in the preprocessed text.
    pub fn statements(&self, item: &Item) -> HashMap<usize, LocatedStatement> {
        let mut by_line: HashMap<(usize, Option<String>, u32), Vec<usize>> = HashMap::new();
        let mut order = Vec::new();
        for index in item.first..item.end {
            let token = self.tokens.tokens[index];
            if token.kind == CTokenKind::Word && (self.is_jump)(self.tokens.text(index)) {
                let (origin, line) = self.preprocessed.origin(token.start as usize);
                let Some((file, said)) = self.own_file(&origin.path, origin.is_main) else { continue };
                let key = (file, said, line);
                if !by_line.contains_key(&key) {
                    order.push(key.clone());
                }
                by_line.entry(key).or_default().push(index);
            }
        }
        let mut partners: HashMap<usize, (usize, usize)> = HashMap::new();
        let mut taken: HashSet<(usize, usize)> = HashSet::new();
        for key in &order {
            let (file, said, line) = key;
            let here = &by_line[key];
            let there = self.own[*file].words.get(&(said.clone(), *line));
            let there =
                there.filter(|there| there.len() == here.len() && self.same_words(here, *file, there));
            for (index, own) in here.iter().zip(there.into_iter().flatten()) {
                partners.insert(*index, (*file, *own));
                taken.insert((*file, *own));
            }
        }
        for key in &order {
            for index in &by_line[key] {
                if !partners.contains_key(index)
                    && let Some(own) = self.next_alike(*index, key, &taken)
                {
                    partners.insert(*index, (key.0, own));
                    taken.insert((key.0, own));
                }
            }
        }
        let statement = |(index, (file, own)): (usize, (usize, usize))| {
            Some((self.tokens.tokens[index].start as usize, self.own[file].statement(self.sources, own)?))
        };
        partners.into_iter().filter_map(statement).collect()
    }

    /// The user's file that the preprocessor calls `path`, and how its lines are looked up.
    fn own_file(&self, path: &str, is_main: bool) -> Option<(usize, Option<String>)> {
        if is_main {
            return Some((0, (path != self.sources.path(0)).then(|| path.to_owned())));
        }
        (1..self.sources.count()).find(|file| self.sources.path(*file) == path).map(|file| (file, None))
    }

    fn same_words(&self, here: &[usize], file: usize, there: &[usize]) -> bool {
        here.iter()
            .zip(there)
            .all(|(index, own)| self.tokens.text(*index) == self.own[file].tokens.text(*own))
    }

    /// The next free word of the user's file that is followed by the same two tokens.
    fn next_alike(
        &self,
        index: usize,
        key: &(usize, Option<String>, u32),
        taken: &HashSet<(usize, usize)>,
    ) -> Option<usize> {
        let (file, said, line) = key;
        let own = &self.own[*file];
        let last_line = own.end_of_calls.get(&(said.clone(), *line)).copied().unwrap_or(*line);
        (*line..=last_line).filter_map(|line| own.words.get(&(said.clone(), line))).flatten().copied().find(
            |word| {
                !taken.contains(&(*file, *word))
                    && (0..3).all(|ahead| self.tokens.text(index + ahead) == own.tokens.text(word + ahead))
            },
        )
    }
}

impl<'a> OwnFile<'a> {
    fn read(sources: &'a Sources, span: Span, is_jump: fn(&[u8]) -> bool) -> OwnFile<'a> {
        let tokens = Tokens::new(sources.bytes(), lex(sources.bytes(), span.start, span.end));
        let mut words: HashMap<(Option<String>, u32), Vec<usize>> = HashMap::new();
        for (index, token) in tokens.tokens.iter().enumerate() {
            if token.kind == CTokenKind::Word && is_jump(tokens.text(index)) {
                let (said, line) = sources.said_place(token.start as usize);
                words.entry((said.map(str::to_owned), line)).or_default().push(index);
            }
        }
        let end_of_calls = end_of_calls(sources, &tokens);
        OwnFile { tokens, words, end_of_calls }
    }

    /// The statement that starts at a token; `None` if its semicolon is not there to be seen.
    fn statement(&self, sources: &Sources, word: usize) -> Option<LocatedStatement> {
        let span = |index: usize| {
            let token = self.tokens.tokens[index];
            Span::new(token.start as usize, token.end as usize)
        };
        let mut index = word + 1;
        loop {
            match self.tokens.text(index) {
                b";" => break,
                b"(" | b"[" | b"{" => index = self.tokens.partner(index)?,
                b")" | b"]" | b"}" | b"" => return None,
                _ => {}
            }
            index += 1;
        }
        let statement = LocatedStatement { word: span(word), semicolon: span(index) };
        // Conditional compilation in the middle of the statement may hide the semicolon.
        let between = &sources.bytes()[statement.word.end..statement.semicolon.start];
        let has_directive = between
            .split(|byte| *byte == b'\n')
            .skip(1)
            .any(|line| line.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'#'));
        (!has_directive).then_some(statement)
    }
}

fn end_of_calls(sources: &Sources, tokens: &Tokens) -> HashMap<(Option<String>, u32), u32> {
    let mut ends = HashMap::new();
    let start = |index: usize| tokens.tokens[index].start as usize;
    for open in 1..tokens.len() {
        let close = tokens.partner(open).filter(|close| *close > open);
        let Some(close) = close.filter(|_| tokens.text(open) == b"(" && tokens.is_word(open - 1)) else {
            continue;
        };
        if sources.bytes()[start(open)..start(close)].contains(&b'\n') {
            let (said, line) = sources.said_place(start(open));
            let (_, last_line) = sources.said_place(start(close));
            let end = ends.entry((said.map(str::to_owned), line)).or_insert(last_line);
            *end = last_line.max(*end);
        }
    }
    ends
}
