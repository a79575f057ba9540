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

#[cfg(test)]
mod tests {
    use super::*;

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
