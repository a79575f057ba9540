//! A command line as words: blanks separate, quotes join, `#` starts a comment.

use std::ops::Range;

use crate::Error;

/// A word with its place in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Range<usize>,
}

/// Splits a line into words.
pub fn words(line: &str) -> Result<Vec<Word>, Error> {
    let mut words = Vec::new();
    let mut characters = line.char_indices().peekable();
    while let Some((start, character)) = characters.next() {
        if character.is_whitespace() {
            continue;
        }
        if character == '#' {
            break;
        }
        let mut text = String::new();
        let mut end = start;
        let mut current = Some((start, character));
        while let Some((at, character)) = current {
            end = at + character.len_utf8();
            if character == '"' || character == '\'' {
                loop {
                    match characters.next() {
                        Some((at, closing)) if closing == character => {
                            end = at + closing.len_utf8();
                            break;
                        }
                        Some((_, inside)) => text.push(inside),
                        None => return Err(Error::at(start..line.len(), "this quote is not closed")),
                    }
                }
            } else {
                text.push(character);
            }
            current = characters.next_if(|(_, next)| !next.is_whitespace());
        }
        words.push(Word { text, span: start..end });
    }
    Ok(words)
}

/// Whether a text that comes piece by piece ends inside of a quote.
#[derive(Default)]
pub struct Quotes {
    open: Option<char>,
    in_word: bool,
    in_comment: bool,
}

impl Quotes {
    /// A further piece.
    pub fn push(&mut self, text: &str) {
        for character in text.chars() {
            match (self.open, character) {
                _ if self.in_comment => break,
                (Some(open), _) if open == character => self.open = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => (self.open, self.in_word) = (Some(character), true),
                (None, '#') if !self.in_word => self.in_comment = true,
                (None, _) => self.in_word = !character.is_whitespace(),
            }
        }
    }

    pub fn are_open(&self) -> bool {
        self.open.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_open_where_words_says_so() {
        for text in ["", "a 'b", "a 'b' \"", "a '\"' # '", "a#' b", "'a'#'", "'\n#'", "#'\n'", "a'b'c'd"] {
            let mut quotes = Quotes::default();
            text.split_inclusive(' ').for_each(|part| quotes.push(part));
            assert_eq!(quotes.are_open(), words(text).is_err(), "{text}");
        }
    }

    fn check(line: &str, expected: &[&str]) {
        let found = words(line).unwrap();
        assert_eq!(found.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), expected, "{line}");
    }

    #[test]
    fn words_and_quotes() {
        check("", &[]);
        check("  # nothing", &[]);
        check("load a.dat  'b c.dat' \"d\"e # rest", &["load", "a.dat", "b c.dat", "de"]);
        check("predict f N=\"1 2\" P=ℵ", &["predict", "f", "N=1 2", "P=ℵ"]);
        check("file#1", &["file#1"]);
        assert!(words("load 'x").is_err());
        assert_eq!(words(" ab 'c d' ").unwrap()[1].span, 4..9);
    }
}
