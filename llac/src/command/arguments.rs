use std::ops::Range;

use crate::Error;
use crate::data::SampleCondition;
use crate::error::code;
use crate::line::ParsedCommand;
use crate::words::Word;

/// What stands behind a command's name.
pub struct CommandArguments {
    line: ParsedCommand,
}

impl CommandArguments {
    pub fn new(line: ParsedCommand) -> CommandArguments {
        CommandArguments { line }
    }

    pub fn words(&self) -> &[Word] {
        &self.line.words
    }

    /// The samples that are meant, of commands that see to it themselves.
    pub fn condition(&self) -> Option<&SampleCondition> {
        self.line.condition.as_ref()
    }

    /// The text from a word to the end, as it is written, and where it starts.
    pub fn text_from(&self, place: usize) -> Option<(&str, usize)> {
        self.line.text_from(place)
    }

    /// Where an argument that is missing would stand.
    pub fn end(&self) -> Range<usize> {
        self.line.end()
    }

    /// The word at a place, which has to be there.
    pub fn required(&self, place: usize, what: &str, usage: &str) -> Result<&Word, Error> {
        self.words().get(place).ok_or_else(|| {
            Error::at(code::MISSING_WORD, self.end(), format!("{what} is missing"))
                .help(format!("usage: {usage}"))
        })
    }

    /// An error if more words than `count` stand there.
    pub fn at_most(&self, count: usize, usage: &str) -> Result<(), Error> {
        match self.words().get(count) {
            None => Ok(()),
            Some(word) => Err(word
                .error(code::UNEXPECTED_WORD, format!("`{}` is one word too many", word.text))
                .help(format!("usage: {usage}"))),
        }
    }
}
