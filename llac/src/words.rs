//! A command line as words: blanks separate, quotes join, `#` starts a comment.

use std::ops::Range;

use crate::Error;
use crate::error::code;

/// A word with its place in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub span: Range<usize>,
    /// Whether quotes stand around it, or a part of it: then it is a name, whatever it is called.
    pub is_quoted: bool,
}

impl Word {
    /// A word that stands there without quotes.
    pub fn bare(text: &str, span: Range<usize>) -> Word {
        Word { text: text.to_owned(), span, is_quoted: false }
    }

    /// Whether it is this word of the language.
    pub fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text == word
    }

    /// An error of this word.
    pub fn error(&self, code: &'static str, message: impl Into<String>) -> Error {
        Error::at(code, self.span.clone(), message)
    }

    /// Name and value of `NAME=VALUE`.
    pub fn assignment(&self) -> Option<(&str, &str)> {
        self.text.split_once('=')
    }
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
        let mut is_quoted = false;
        let mut current = Some((start, character));
        while let Some((at, character)) = current {
            end = at + character.len_utf8();
            if character == '"' || character == '\'' {
                is_quoted = true;
                loop {
                    match characters.next() {
                        Some((at, closing)) if closing == character => {
                            end = at + closing.len_utf8();
                            break;
                        }
                        Some((_, inside)) => text.push(inside),
                        None => {
                            return Err(Error::at(
                                code::OPEN_QUOTE,
                                start..line.len(),
                                "this quote is not closed",
                            ));
                        }
                    }
                }
            } else {
                text.push(character);
            }
            current = characters.next_if(|(_, next)| !next.is_whitespace());
        }
        words.push(Word { text, span: start..end, is_quoted });
    }
    Ok(words)
}

/// What is open at the end of a text that comes piece by piece: a quote, brackets.
#[derive(Default)]
pub struct OpenMarks {
    quote: Option<char>,
    /// Parentheses and brackets.
    brackets: usize,
    in_word: bool,
    in_comment: bool,
}

impl OpenMarks {
    /// A further piece.
    pub fn push(&mut self, text: &str) {
        text.chars().for_each(|character| self.push_one(character));
    }

    fn push_one(&mut self, character: char) {
        match (self.quote, character) {
            // Behind a comment the command goes on only inside of brackets.
            _ if self.in_comment => self.in_comment = self.brackets == 0 || character != '\n',
            (Some(quote), _) if quote == character => self.quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => (self.quote, self.in_word) = (Some(character), true),
            (None, '#') if !self.in_word => self.in_comment = true,
            (None, _) => {
                self.in_word = !character.is_whitespace();
                match character {
                    '(' | '[' => self.brackets += 1,
                    ')' | ']' => self.brackets = self.brackets.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }

    pub fn has_quote(&self) -> bool {
        self.quote.is_some()
    }

    pub fn has_brackets(&self) -> bool {
        self.brackets > 0
    }
}

/// A command of several lines as one of the same length: what joins its lines, a backslash or open brackets, becomes blanks, and so do
/// comments between them.
pub fn joined(text: &str) -> String {
    let mut open = OpenMarks::default();
    let mut joined = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        open.push_one(character);
        let is_between = open.brackets > 0 && open.quote.is_none();
        if character == '\\' && characters.next_if_eq(&'\n').is_some() {
            open.push_one('\n');
            joined.push_str("  ");
        } else if is_between && (open.in_comment || character == '\n') {
            joined.extend(std::iter::repeat_n(' ', character.len_utf8()));
        } else {
            joined.push(character);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_open_where_words_says_so() {
        for text in ["", "a 'b", "a 'b' \"", "a '\"' # '", "a#' b", "'a'#'", "'\n#'", "#'\n'", "a'b'c'd"] {
            let mut open = OpenMarks::default();
            text.split_inclusive(' ').for_each(|part| open.push(part));
            assert_eq!(open.has_quote(), words(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lines_in_brackets_become_one_of_the_same_length() {
        assert_eq!(joined("a (b # é)\n [c\n]) \\\nd"), "a (b        [c ])   d");
        assert_eq!(joined("a 'b(\n'\nc # (\nd"), "a 'b(\n'\nc # (\nd");
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
