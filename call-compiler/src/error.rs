use call_grammar::{Diagnostic, Label, Severity, Span};

/// What can be wrong with a directive in its place. Spans count bytes of the user's file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("programs of kind {kind} are not translated yet")]
    KindNotSupported { span: Span, kind: String },
    #[error("`{name}` is not measured: only CLOCK, wall time, is")]
    ObservableNotSupported { span: Span, name: String },
    #[error("no variable `{name}` is visible here")]
    UnknownVariable { span: Span, name: String, suggestion: Option<String> },
    #[error("`{name}` is {what}, a formula needs numbers")]
    NotArithmetic { span: Span, name: String, what: &'static str },
    #[error("`{name}` is the name of a type, a formula needs numbers")]
    TypeName { span: Span, name: String },
    #[error("no variable `{name}` is visible here to be the machine")]
    UnknownMachine { span: Span, name: String },
    #[error("the machine `{name}` is {what}, not a pointer to one")]
    NotAMachine { span: Span, name: String, what: &'static str },
    #[error("this directive stands outside of every function")]
    OutsideFunction { span: Span },
    #[error("this directive stands in the middle of a statement")]
    InsideStatement { span: Span },
    #[error("`end {name}` stands in another block than its begin")]
    OtherBlock { span: Span, name: String, begin: Span },
    #[error("`end {name}` stands behind more than the one statement that its begin precedes")]
    BehindMore { span: Span, name: String, begin: Span },

    #[error("the C parser cannot read this file: names and types are left to the compiler")]
    NotUnderstood { span: Span },
    #[error("directives in {place} are not translated")]
    Elsewhere { span: Span, place: String },
    #[error("`uses` has no effect: wall time is measured, counters are not")]
    UsesIgnored { span: Span },
    #[error("`script` has no effect: the batch script is always written")]
    ScriptIgnored { span: Span },
}

impl Error {
    fn span(&self) -> Span {
        use Error::*;
        match self {
            KindNotSupported { span, .. } | ObservableNotSupported { span, .. } => *span,
            UnknownVariable { span, .. } | NotArithmetic { span, .. } | TypeName { span, .. } => *span,
            UnknownMachine { span, .. } | NotAMachine { span, .. } | OutsideFunction { span } => *span,
            InsideStatement { span } | OtherBlock { span, .. } | BehindMore { span, .. } => *span,
            NotUnderstood { span }
            | Elsewhere { span, .. }
            | UsesIgnored { span }
            | ScriptIgnored { span } => *span,
        }
    }

    fn code(&self) -> &'static str {
        use Error::*;
        match self {
            KindNotSupported { .. } => "kind-not-supported",
            ObservableNotSupported { .. } => "observable-not-supported",
            UnknownVariable { .. } => "unknown-variable",
            NotArithmetic { .. } | TypeName { .. } => "not-arithmetic",
            UnknownMachine { .. } | NotAMachine { .. } => "machine",
            OutsideFunction { .. } | InsideStatement { .. } => "misplaced",
            OtherBlock { .. } | BehindMore { .. } => "crossing-blocks",
            NotUnderstood { .. } => "not-understood",
            Elsewhere { .. } => "directive-elsewhere",
            UsesIgnored { .. } | ScriptIgnored { .. } => "no-effect",
        }
    }

    fn help(&self) -> Option<String> {
        use Error::*;
        Some(match self {
            KindNotSupported { .. } => "sequential and PUB programs are".to_owned(),
            ObservableNotSupported { .. } => "leave the observable out".to_owned(),
            UnknownVariable { suggestion: Some(name), .. } => format!("did you mean `{name}`?"),
            UnknownVariable { .. } => {
                "formulas use variables and macros that are visible at the directive".to_owned()
            }
            NotArithmetic { what: "a structure", .. } => "use one of its members".to_owned(),
            NotArithmetic { .. } => "copy the number that you mean to a variable".to_owned(),
            UnknownMachine { .. } => "name a variable that is visible at this directive".to_owned(),
            NotAMachine { what: "a structure", name, .. } => format!("write `&{name}`"),
            OutsideFunction { .. } => "move it to where the program runs it".to_owned(),
            InsideStatement { .. } => "move it between two statements".to_owned(),
            OtherBlock { .. } => "begin and end an experiment between the same braces".to_owned(),
            BehindMore { .. } => "put braces around the block".to_owned(),
            NotUnderstood { .. } => "a misspelt variable will show up as an error of the compiler".to_owned(),
            Elsewhere { .. } => "translate that file, or move the directive out of the macro".to_owned(),
            _ => return None,
        })
    }

    fn related(&self) -> Option<Label> {
        match self {
            Error::OtherBlock { begin, .. } | Error::BehindMore { begin, .. } => {
                Some(Label { span: *begin, text: "it begins here".to_owned() })
            }
            _ => None,
        }
    }

    /// The error as a message for people.
    pub fn diagnostic(&self) -> Diagnostic {
        use Error::*;
        let severity = match self {
            NotUnderstood { .. } | Elsewhere { .. } | UsesIgnored { .. } | ScriptIgnored { .. } => {
                Severity::Warning
            }
            _ => Severity::Error,
        };
        Diagnostic {
            severity,
            code: self.code(),
            message: self.to_string(),
            span: self.span(),
            related: self.related(),
            help: self.help(),
        }
    }
}
