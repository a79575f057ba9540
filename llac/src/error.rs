use std::fmt;
use std::ops::Range;

/// Why a command did nothing: the message, the place in the command line, the cure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    message: String,
    span: Option<Range<usize>>,
    help: Option<String>,
}

impl Error {
    /// An error of the whole command.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), span: None, help: None }
    }

    /// An error of a part of the line.
    pub fn at(span: Range<usize>, message: impl Into<String>) -> Error {
        Error { message: message.into(), span: Some(span), help: None }
    }

    /// The same error with its cure.
    pub fn help(self, help: impl Into<String>) -> Error {
        Error { help: Some(help.into()), ..self }
    }

    /// "Did you mean …?" if something is near, else other help.
    pub fn suggesting(self, suggestion: Option<&str>, otherwise: impl Into<String>) -> Error {
        match suggestion {
            Some(suggestion) => self.help(format!("did you mean `{suggestion}`?")),
            None => self.help(otherwise),
        }
    }

    /// The message with the command line underlined where it applies.
    pub fn render(&self, line: &str) -> String {
        let mut text = format!("error: {}\n", self.message);
        if let Some(span) = &self.span {
            let count = |part: &str| part.chars().count();
            let before = line.get(..span.start).map_or(0, count);
            let width = line.get(span.clone()).map_or(1, count).max(1);
            text.push_str(&format!("  | {line}\n  | {}{}\n", " ".repeat(before), "^".repeat(width)));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("help: {help}\n"));
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
