//! A command line taken apart: `COMMAND WORD… [where CONDITION] [into FILE]`.

use std::ops::Range;

use crate::Error;
use crate::data::SampleCondition;
use crate::error::code;
use crate::words::{OpenMarks, Word, words};

/// A command line.
pub struct ParsedCommand {
    pub command: Word,
    /// The words behind the command, up to `where` or `into`.
    pub words: Vec<Word>,
    /// The samples that the command is about.
    pub condition: Option<SampleCondition>,
    /// The file that gets the result.
    pub into: Option<Word>,
    pub text: String,
}

impl ParsedCommand {
    /// Takes a line apart; `None` if there is no command in it. `has_clauses` tells of a command whether `where` and `into` may stand
    /// behind it; of others they are words.
    pub fn parse(text: &str, has_clauses: impl Fn(&str) -> bool) -> Result<Option<ParsedCommand>, Error> {
        let mut all = words(text)?;
        if all.is_empty() {
            return Ok(None);
        }
        let command = all.remove(0);
        let mut line =
            ParsedCommand { command, words: all, condition: None, into: None, text: text.to_owned() };
        if has_clauses(&line.command.text) {
            line.take_clauses()?;
        }
        Ok(Some(line))
    }

    fn take_clauses(&mut self) -> Result<(), Error> {
        if let Some(place) = self.place_of_into() {
            let file = self.words.get(place + 1).cloned();
            if let Some(extra) = self.words.get(place + 2) {
                return Err(extra.error(code::UNEXPECTED_WORD, "nothing stands behind the file of `into`"));
            }
            let file = file.ok_or_else(|| {
                Error::at(code::MISSING_WORD, self.words[place].span.clone(), "the file is missing")
                    .help("`into FILE.csv`; also .json, .tex and .txt")
            })?;
            self.words.truncate(place);
            self.into = Some(file);
        }
        if let Some(place) = self.words.iter().position(|word| word.is("where")) {
            let start = self.words[place].span.end;
            let end = self.words.last().map_or(start, |word| word.span.end);
            self.condition = Some(SampleCondition::parse(&self.text[start..end], start)?);
            self.words.truncate(place);
        }
        Ok(())
    }

    /// Where `into` stands; behind `where` it may be a variable, unless a file alone follows.
    fn place_of_into(&self) -> Option<usize> {
        let place = self.words.iter().rposition(|word| word.is("into"))?;
        let is_in_condition = self.words[..place].iter().any(|word| word.is("where"));
        (!is_in_condition || place + 2 >= self.words.len()).then_some(place)
    }

    /// The text from a word to the end of the command, as it is written, and where it starts.
    pub fn text_from(&self, place: usize) -> Option<(&str, usize)> {
        let (first, last) = (self.words.get(place)?, self.words.last()?);
        Some((self.text.get(first.span.start..last.span.end)?, first.span.start))
    }

    /// Where an argument that is missing would stand.
    pub fn end(&self) -> Range<usize> {
        let end = self.words.last().map_or(self.command.span.end, |word| word.span.end);
        end..end
    }
}

/// Whether a text is a whole command, or wants another line: after a backslash, inside of a quote or of brackets. An empty line ends
/// brackets that were forgotten.
pub fn is_complete(text: &str) -> bool {
    let mut open = OpenMarks::default();
    open.push(text);
    let is_given_up = text.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    !text.ends_with('\\') && !open.has_quote() && (is_given_up || !open.has_brackets())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> ParsedCommand {
        ParsedCommand::parse(text, |command| command != "where").unwrap().unwrap()
    }

    #[test]
    fn clauses_are_taken_off() {
        let line = parse("compare f 'a b' where P > 1 and N < 9 into \"t 1.csv\"");
        let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!((line.command.text.as_str(), words), ("compare", vec!["f", "a b"]));
        assert_eq!(line.condition.unwrap().to_string(), "P > 1 and N < 9");
        assert_eq!(line.into.unwrap().text, "t 1.csv");

        let line = parse("where  P > 1 # not N");
        assert_eq!(line.text_from(0), Some(("P > 1", 7)));
        assert!(line.condition.is_none());
        assert_eq!(parse("fit 'where'").words.len(), 1);
        assert!(ParsedCommand::parse(" # nothing", |_| true).unwrap().is_none());
    }

    #[test]
    fn clauses_may_be_wrong() {
        let fails = |text: &str| ParsedCommand::parse(text, |_| true).err().unwrap().render(text);
        assert!(fails("fit f where").contains("a condition is missing"));
        assert!(fails("fit f where P").contains("nothing is compared\n  | fit f where P\n  |             ^"));
        assert!(fails("fit f into").contains("the file is missing"));
        assert!(fails("fit f into a b").contains("nothing stands behind"));
    }

    #[test]
    fn a_command_may_go_on() {
        assert!(is_complete("fit f") && is_complete(""));
        assert!(!is_complete("fit \\") && !is_complete("load 'a"));
        assert!(!is_complete("where (N > 1") && !is_complete("where (N > 1 # )\nand P > 1"));
        assert!(is_complete("where (N > 1 # )\nand P > 1)") && is_complete("where (N > 1\n"));
        assert!(is_complete("load 'a('") && is_complete("load a # (") && is_complete("load a)"));
    }
}
