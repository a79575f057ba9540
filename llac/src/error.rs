use std::fmt;
use std::ops::Range;

use call_bsp::recording::RecordingError;
use call_bsp::replay::ReplayError;
use call_grammar::suggest;
use call_machine::MachineFileError;
use call_model::{NoPrediction, SourcePlace};
use call_profile::oxford::OxfordError;
use call_trace::{MergeError, Mismatch, NoResponse};
use call_waiting::{NetworkError, NoWaits};
use call_waitmodel::NoModel;

pub(crate) mod code;

use crate::excerpt::{FileExcerpt, underlined};
use call_grammar::printable;

/// Why a command did nothing: the message, the place in the command line or in a file, the cure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    message: String,
    span: Option<Range<usize>>,
    place: Option<Box<FileExcerpt>>,
    help: Option<String>,
}

impl Error {
    /// An error of the whole command.
    pub fn new(code: &'static str, message: impl Into<String>) -> Error {
        Error { code, message: shortened(message.into()), span: None, place: None, help: None }
    }

    /// An error of a part of the line.
    pub fn at(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Error {
        Error { span: Some(span), ..Error::new(code, message) }
    }

    /// The first error of a formula or expression that starts at `start` of the line.
    pub(crate) fn of_formula(errors: &[call_grammar::Error], start: usize) -> Error {
        let Some(first) = errors.first() else {
            return Error::new("formula-syntax", "this is no expression");
        };
        let diagnostic = first.diagnostic();
        let span = diagnostic.span;
        let span = start + span.start..start + span.end;
        Error { help: diagnostic.help, ..Error::at(diagnostic.code, span, diagnostic.message) }
    }

    /// The same error, about a place in a file.
    pub(crate) fn in_file(self, place: FileExcerpt) -> Error {
        Error { place: Some(Box::new(place)), ..self }
    }

    /// The same error of one of several, such as a file.
    pub(crate) fn of(self, of: &str) -> Error {
        Error { message: format!("{of}: {}", self.message), ..self }
    }

    /// The same error with its cure.
    pub fn help(self, help: impl Into<String>) -> Error {
        Error { help: Some(shortened(help.into())), ..self }
    }

    /// The same error about another place.
    pub fn with_span(self, span: Range<usize>) -> Error {
        Error { span: Some(span), ..self }
    }

    /// "Did you mean …?" if something is near, else other help.
    pub fn suggesting(self, suggestion: Option<&str>, otherwise: impl Into<String>) -> Error {
        match suggestion {
            Some(suggestion) => self.help(format!("did you mean `{suggestion}`?")),
            None => self.help(otherwise),
        }
    }

    /// Stable name of the cause, such as `no-prediction`: one of `error::code`, or that of a library.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What is wrong, without its place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place in the command line, if there is one: bytes of it.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// How many lines of a command of several stand before the place.
    pub fn lines_before(&self, command: &str) -> usize {
        let start = self.span.as_ref().map_or(0, |span| boundary(command, span.start));
        command[..start].matches('\n').count()
    }

    /// The place in a file, if there is one.
    pub fn place(&self) -> Option<&FileExcerpt> {
        self.place.as_deref()
    }

    /// What to do, if that is known.
    pub fn cure(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The message with the command line underlined where it applies.
    pub fn render(&self, line: &str) -> String {
        let mut text = format!("error: {}\n", printable(&self.to_string()));
        if let Some(span) = &self.span {
            let (line, span) = physical_line(line, span.clone());
            let (line, span) = shown(line, span);
            let count = |part: &str| part.chars().count();
            let before = line.get(..span.start).map_or(0, count);
            let width = line.get(span).map_or(1, count);
            text.push_str(&(underlined(line, before, width, usize::MAX) + "\n"));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("help: {}\n", printable(help)));
        }
        text
    }
}

/// A rendered error in lines of at most `width` characters, broken at blanks; what shows the place stays as it is.
pub fn wrapped_error(rendered: &str, width: usize) -> String {
    let one = |line: &str| match line.starts_with("  | ") {
        true => format!("{line}\n"),
        false => crate::markup::wrapped_line(line, width),
    };
    rendered.lines().map(one).collect()
}

/// More of a message, or of a line, nobody reads.
const MOST_BYTES: usize = 2000;

/// A text with what is too much in its middle left out.
fn shortened(text: String) -> String {
    if text.len() <= MOST_BYTES {
        return text;
    }
    let start = boundary(&text, MOST_BYTES / 2);
    let end = boundary(&text, text.len() - MOST_BYTES / 2);
    format!("{} … {}", &text[..start], &text[end..])
}

/// Of a command of several lines the one in which a span begins, and the part of the span in it.
fn physical_line(command: &str, span: Range<usize>) -> (&str, Range<usize>) {
    let at = boundary(command, span.start);
    let start = command[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = command[at..].find('\n').map_or(command.len(), |length| at + length);
    (&command[start..end], span.start - start..span.end.min(end.max(span.start)) - start)
}

/// The part of a long line around a span, and the span in it.
fn shown(line: &str, span: Range<usize>) -> (&str, Range<usize>) {
    if line.len() <= MOST_BYTES {
        return (line, span);
    }
    let start = boundary(line, span.start.saturating_sub(MOST_BYTES / 40));
    let end = boundary(line, start + MOST_BYTES / 20);
    let within = |at: usize| at.clamp(start, end) - start;
    (&line[start..end], within(span.start)..within(span.end))
}

/// The last place up to this one where a character begins.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The message, with the place in a file that it is about.
impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            None => out.write_str(&self.message),
            Some(at) => write!(out, "{}:{}: {}\n{}", at.file, at.line, self.message, at.excerpt),
        }
    }
}

impl std::error::Error for Error {}

/// The cure where g or L is missing.
pub const MACHINE_GIVES: &str =
    "`machine use NAME`, of a machine with a BSP table, gives formulas g and L at each sample's P";

/// The cure where an experiment has no formula.
pub fn no_formula(experiment: &str) -> String {
    format!("`formula {experiment} = …` gives it one, `find {experiment}` proposes some")
}

/// The error speaks of the experiment itself.
impl From<call_model::Error> for Error {
    fn from(error: call_model::Error) -> Error {
        let code = error.code();
        match error {
            call_model::Error::NoFormula { experiment } => {
                Error::new(code, format!("experiment `{experiment}` has no formula"))
                    .help(no_formula(&experiment))
            }
            call_model::Error::MissingVariable { ref variable, .. }
                if call_machine::number(variable).is_some() =>
            {
                Error::new(code, error.to_string()).help(MACHINE_GIVES)
            }
            error => error.cure().into_iter().fold(Error::new(code, error.to_string()), Error::help),
        }
    }
}

/// Errors of libraries that have message, code and cure.
macro_rules! of_libraries {
    ($($error:ty),+) => { $(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                error.cure().into_iter().fold(Error::new(error.code(), error.to_string()), Error::help)
            }
        }
    )+ };
}

of_libraries!(
    call_exchange::Error,
    call_exchange::WriteError,
    call_otf2::Error,
    call_report::Error,
    call_trace::Error,
    MachineFileError,
    MergeError,
    Mismatch,
    NetworkError,
    NoModel,
    NoResponse,
    NoWaits,
    OxfordError,
    RecordingError
);

impl From<ReplayError> for Error {
    fn from(error: ReplayError) -> Error {
        let plain = Error::new(error.code(), error.to_string());
        match (&error, error.cure()) {
            (ReplayError::UnknownExperiment { experiment, known }, Some(cure)) => {
                plain.suggesting(suggest(experiment, known.iter().map(String::as_str)), cure)
            }
            (_, cure) => cure.into_iter().fold(plain, Error::help),
        }
    }
}

impl From<NoPrediction> for Error {
    fn from(failure: NoPrediction) -> Error {
        let error = match &failure.place {
            None => Error::new(code::NO_PREDICTION, failure.message),
            Some(SourcePlace { path, text, span }) => Error::new(code::PROGRAM, failure.message)
                .in_file(FileExcerpt::of(path, text, span.start..span.end)),
        };
        match failure.help {
            None => error,
            Some(help) => error.help(help),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_broken_at_blanks_and_places_are_not() {
        let line = "predict f N=1000 h=10000 P=2";
        let error = Error::at(code::WRONG_VALUE, 0..7, "one two three four").help("five six seven eight");
        let expected = "error: one two\n  three four\n  | predict f N=1000 h=10000 P=2\n  | ^^^^^^^\n\
            help: five six\n  seven eight\n";
        assert_eq!(wrapped_error(&error.render(line), 15), expected);
        assert_eq!(wrapped_error(&error.render(line), usize::MAX), error.render(line));
    }

    #[test]
    fn of_several_lines_the_one_with_the_place_is_shown() {
        let command = "where (N > 1\n  and m > 2\n  or P)";
        let shown = |span| Error::at(code::WRONG_VALUE, span, "x").render(command);
        assert_eq!(shown(19..20), "error: x\n  |   and m > 2\n  |       ^\n");
        assert_eq!(shown(6..29), "error: x\n  | where (N > 1\n  |       ^^^^^^\n");
        assert_eq!(Error::at(code::WRONG_VALUE, 19..20, "x").lines_before(command), 1);
        assert_eq!(shown(32..32), "error: x\n  |   or P)\n  |        ^\n");
    }

    #[test]
    fn long_lines_are_shown_around_the_place() {
        let line = "ℵ".repeat(100_000);
        let place = line.len() / 2;
        let text = Error::at(code::WRONG_VALUE, place..place + 3, &line).help(&line).render(&line);
        assert!(text.len() < 10_000 && text.contains('…'), "{text}");
        assert!(text.contains(&format!("\n  | {}^\n", " ".repeat(17))), "{text}");
        let behind = Error::at(code::WRONG_VALUE, line.len() + 8..line.len() + 9, "x").render(&line);
        assert!(behind.contains('^'), "{behind}");
        assert!(Error::at(code::WRONG_VALUE, 5..7, "x").render("a").contains("  | a\n  | ^\n"));
    }
}
