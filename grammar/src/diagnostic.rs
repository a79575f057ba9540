//! Messages to the programmer and the places that they speak of.

/// A range of byte offsets in the text that was read, end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn join(self, other: Span) -> Self {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is written.
    Error,
    /// The work goes on.
    Warning,
    /// All is well, and this is good to know.
    Note,
}

/// A second place that explains a [`Diagnostic`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where to look.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One message to the programmer: where, what, and what to do about it. Source text and colour are added by the program that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error, warning or note.
    pub severity: Severity,
    /// Stable name of the cause, such as `not-canonical`.
    pub code: &'static str,
    /// What is wrong, without a full stop.
    pub message: String,
    /// The smallest place that shows it.
    pub span: Span,
    /// Another place that belongs to it.
    pub related: Option<Label>,
    /// The cure.
    pub help: Option<String>,
}
