use call_grammar::Span;

/// What is wrong with a model program, where, and what to do.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramError {
    /// The place in the text, in bytes.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do, if that is known.
    pub help: Option<String>,
}

impl ProgramError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> ProgramError {
        ProgramError { span, message: message.into(), help: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> ProgramError {
        ProgramError { help: Some(help.into()), ..self }
    }

    pub(super) fn suggesting(self, suggestion: Option<&str>, otherwise: impl Into<String>) -> ProgramError {
        match suggestion {
            Some(suggestion) => self.help(format!("did you mean `{suggestion}`?")),
            None => self.help(otherwise),
        }
    }
}

impl std::fmt::Display for ProgramError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for ProgramError {}
