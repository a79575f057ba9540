use call_grammar::{Diagnostic, Label, Severity, Span};

/// What can be wrong with a directive in its place. Spans count bytes of the user's files.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    // the program
    #[error("programs of kind {kind} are not translated")]
    KindNotSupported { span: Span, kind: String },
    #[error("no variable `{name}` is visible here to be the machine")]
    UnknownMachine { span: Span, name: String },
    #[error("the machine `{name}` is {what}, not a pointer to one")]
    NotAMachine { span: Span, name: String, what: &'static str },
    #[error("`sync` has no machine to synchronise: this file has no `parallel` directive")]
    SyncWithoutMachine { span: Span },
    #[error("`sync` has nothing to synchronise: the program is sequential")]
    SyncInSequential { span: Span, parallel: Span },
    #[error("{kind} programs have no supersteps to be recorded")]
    NoSupersteps { span: Span, kind: String },
    #[error("{kind} programs have no events to be recorded")]
    NoEvents { span: Span, kind: String },
    #[error("here `P` is {meaning}")]
    TeamInDoubt { span: Span, meaning: &'static str, help: &'static str },
    #[error("here `P` is 1: the program is sequential, whatever teams its parallel regions have")]
    TeamNotCounted { span: Span },
    #[error("here `P` is the program's own, not the number of processors")]
    OwnP { span: Span },
    #[error("this report stands before every experiment of its function and of the file")]
    ReportBefore { span: Span, begin: Span },

    // variables
    #[error("no variable `{name}` is visible here")]
    UnknownVariable { span: Span, name: String, suggestion: Option<String> },
    #[error("`{name}` is {what}, a formula needs numbers")]
    NotArithmetic { span: Span, name: String, what: &'static str },
    #[error("`{name}` is the name of a type, a formula needs numbers")]
    TypeName { span: Span, name: String },
    #[error("`{name}` hides another variable of that name")]
    Shadows { span: Span, name: String },
    #[error("`{name}` changes inside of the block: its value at the begin is recorded")]
    Changes { span: Span, name: String, change: Option<Span> },
    #[error("at this end `{name}` is another variable than at the begin")]
    OtherAtEnd { span: Span, name: String, begin: Span },
    #[error("neither the formula nor `variables` has `{name}`")]
    NotInFormula { span: Span, name: String },
    #[error("neither the formula nor `variables` has `{name}`")]
    LetUnused { span: Span, name: String },
    #[error("`{name}` is taken at the end in one block of `{experiment}` and at the begin in another")]
    TakenDifferently { span: Span, name: String, experiment: String },
    #[error("no statement of this block that is counted begins in these lines")]
    NoStatements { span: Span, there: String },
    #[error("statements of these lines are behind another constant already")]
    StatementTwice { span: Span, first: Span },
    #[error("`upsilon` has no effect: {why}")]
    NoSets { span: Span, why: &'static str },
    #[error("{what} in a formula has an effect on the program")]
    SideEffect { span: Span, what: String },

    // places
    #[error("this directive stands outside of every function")]
    OutsideFunction { span: Span },
    #[error("this directive stands in the middle of a statement")]
    InsideStatement { span: Span },
    #[error("this directive stands between `#pragma {pragma}` and the statement that it is for")]
    BehindPragma { span: Span, pragma: String },
    #[error("`end {name}` stands in another block than its begin")]
    OtherBlock { span: Span, name: String, begin: Span },
    #[error("`end {name}` stands in another function than its begin")]
    OtherFunction { span: Span, name: String, begin: Span },
    #[error("`end {name}` does not stand directly behind the one statement that its begin precedes")]
    BehindMore { span: Span, name: String, begin: Span },
    #[error("experiment `{name}` is ended twice")]
    RepeatedEnd { span: Span, name: String, first: Span },
    #[error("`end {name}` is not the last of its block, and the program does not leave the block here")]
    EndGoesOn { span: Span, name: String, last: Span },
    #[error("`{what}` is the whole branch here, without the statement behind it")]
    NeedsBraces { span: Span, what: String },
    #[error("`{word}` enters experiment `{name}` behind its begin")]
    Enters { span: Span, word: String, name: String, begin: Span },
    #[error("experiment `{name}` is left by {jumps}: its measurement ends there")]
    Leaves { span: Span, name: String, jumps: String },
    #[error("experiment `{name}` is left unseen by {jumps}: those measurements are not counted")]
    LeavesUnseen { span: Span, name: String, jumps: String },

    // the file
    #[error("the C parser cannot read this function: names and types are left to the compiler")]
    NotUnderstood { span: Span, reason: String },
    #[error("the directive `{text}` at {place} is not translated")]
    Elsewhere { span: Span, place: String, text: String },
    #[error("`uses {name}` has no effect: counters come from PAPI or from the kernel")]
    UsesIgnored { span: Span, name: String },
    #[error(
        "`on` has no effect: this file does not say `parallel MPI`, and other programs have their machine in use"
    )]
    OnIgnored { span: Span },
    #[error("`{machine}` has no effect: {kind} programs have one machine")]
    MachineIgnored { span: Span, machine: String, kind: String },
    #[error("`script` has no effect: the batch script is always written")]
    ScriptIgnored { span: Span },
}

impl Error {
    fn span(&self) -> Span {
        use Error::*;
        match self {
            KindNotSupported { span, .. } => *span,
            UnknownMachine { span, .. } | NotAMachine { span, .. } | SyncWithoutMachine { span } => *span,
            SyncInSequential { span, .. }
            | NoSupersteps { span, .. }
            | NoEvents { span, .. }
            | ReportBefore { span, .. } => *span,
            TeamInDoubt { span, .. } | TeamNotCounted { span } | OwnP { span } => *span,
            UnknownVariable { span, .. } | NotArithmetic { span, .. } | TypeName { span, .. } => *span,
            Shadows { span, .. } | Changes { span, .. } | OtherAtEnd { span, .. } => *span,
            NotInFormula { span, .. } | LetUnused { span, .. } | TakenDifferently { span, .. } => *span,
            NoStatements { span, .. } | StatementTwice { span, .. } | NoSets { span, .. } => *span,
            SideEffect { span, .. } | OutsideFunction { span } | InsideStatement { span } => *span,
            BehindPragma { span, .. } | OtherBlock { span, .. } | OtherFunction { span, .. } => *span,
            BehindMore { span, .. } | RepeatedEnd { span, .. } | EndGoesOn { span, .. } => *span,
            NeedsBraces { span, .. }
            | Enters { span, .. }
            | Leaves { span, .. }
            | LeavesUnseen { span, .. } => *span,
            NotUnderstood { span, .. }
            | Elsewhere { span, .. }
            | UsesIgnored { span, .. }
            | OnIgnored { span }
            | MachineIgnored { span, .. }
            | ScriptIgnored { span } => *span,
        }
    }

    fn code(&self) -> &'static str {
        use Error::*;
        match self {
            KindNotSupported { .. } => "kind-not-supported",
            UnknownMachine { .. } | NotAMachine { .. } => "machine",
            SyncWithoutMachine { .. } | SyncInSequential { .. } => "sync-without-machine",
            NoSupersteps { .. } => "no-supersteps",
            NoEvents { .. } => "no-events",
            TeamInDoubt { .. } | TeamNotCounted { .. } | OwnP { .. } => "team",
            ReportBefore { .. } => "report",
            UnknownVariable { .. } => "unknown-variable",
            NotArithmetic { .. } | TypeName { .. } => "not-arithmetic",
            Shadows { .. } => "hidden-variable",
            Changes { .. } => "changed-variable",
            OtherAtEnd { .. } => "other-variable-at-end",
            NotInFormula { .. } | LetUnused { .. } | TakenDifferently { .. } => "clause",
            NoStatements { .. } | StatementTwice { .. } | NoSets { .. } => "clause",
            SideEffect { .. } => "side-effect",
            OutsideFunction { .. } | InsideStatement { .. } | NeedsBraces { .. } => "misplaced",
            BehindPragma { .. } => "behind-pragma",
            OtherBlock { .. } | OtherFunction { .. } | BehindMore { .. } => "crossing-blocks",
            RepeatedEnd { .. } | EndGoesOn { .. } => "repeated-end",
            Enters { .. } => "entered-block",
            Leaves { .. } => "left-block",
            LeavesUnseen { .. } => "left-unseen",
            NotUnderstood { .. } => "not-understood",
            Elsewhere { .. } => "directive-elsewhere",
            UsesIgnored { .. } | OnIgnored { .. } | MachineIgnored { .. } | ScriptIgnored { .. } => {
                "no-effect"
            }
        }
    }

    fn help(&self) -> Option<String> {
        use Error::*;
        Some(match self {
            KindNotSupported { .. } => "sequential, OpenMP, MPI, BSPlib and PUB programs are".to_owned(),
            UnknownMachine { .. } => "name a variable that is visible at this directive".to_owned(),
            NotAMachine { what: "a structure", name, .. } => format!("write `&{name}`"),
            SyncWithoutMachine { .. } => {
                "add `#pragma cll parallel KIND`, here or in another file of the program".to_owned()
            }
            SyncInSequential { .. } => "remove `sync`, or say the kind of parallel program".to_owned(),
            NoEvents { .. } => "remove `events`; MPI and OpenMP programs have them".to_owned(),
            NoSupersteps { .. } => "remove `supersteps`; PUB and BSPlib programs have them".to_owned(),
            TeamInDoubt { help, .. } => (*help).to_owned(),
            TeamNotCounted { .. } => "say `parallel OpenMP`".to_owned(),
            OwnP { .. } => "rename it if the processors are meant".to_owned(),
            ReportBefore { .. } => "move it to where the measurements are done".to_owned(),
            UnknownVariable { suggestion: Some(name), .. } => format!("did you mean `{name}`?"),
            UnknownVariable { .. } => {
                "formulas use variables and macros that are visible at the directive".to_owned()
            }
            NotArithmetic { what: "a structure", .. } => "use one of its members".to_owned(),
            NotArithmetic { what: "a pointer" | "an array", name, .. } => {
                format!("use what it points to: `let x = *{name}`, `{name}[0]`")
            }
            NotArithmetic { .. } => "copy the number that you mean to a variable".to_owned(),
            Shadows { .. } => "rename one of them if the other is meant".to_owned(),
            Changes { .. } => "write `at end` behind the formula to take the value at the end".to_owned(),
            OtherAtEnd { .. } => "rename one of the two variables".to_owned(),
            NotInFormula { .. } => "name variables that one of them has".to_owned(),
            LetUnused { .. } => "use it in one of them, or remove the clause".to_owned(),
            TakenDifferently { .. } => "write the same `at end` at each begin".to_owned(),
            NoStatements { there, .. } if there.is_empty() => {
                "all of its statements stand in other files; `upsilon` of llac takes those".to_owned()
            }
            NoStatements { there, .. } => format!("its statements, counted from the directive, begin in {there}"),
            StatementTwice { .. } => "name each line once".to_owned(),
            SideEffect { .. } => "compute the value before, in a variable".to_owned(),
            OutsideFunction { .. } => "move it to where the program runs it".to_owned(),
            InsideStatement { .. } => "move it between two statements".to_owned(),
            BehindPragma { .. } => "move it before that line, or put braces around the block".to_owned(),
            OtherBlock { .. } => "begin and end an experiment between the same braces".to_owned(),
            OtherFunction { .. } => "begin and end an experiment in one function".to_owned(),
            BehindMore { .. } => "put braces around the block".to_owned(),
            RepeatedEnd { .. } => "remove one of the two".to_owned(),
            EndGoesOn { .. } => "further ends stand directly before a `return` or another jump".to_owned(),
            NeedsBraces { .. } => "put braces around it and the statement".to_owned(),
            Enters { .. } => {
                "move the begin behind the place it comes to, or the jump before the begin".to_owned()
            }
            LeavesUnseen { .. } => {
                "write out the macro, or put what is used behind the block before it: then braces can guard it".to_owned()
            }
            NotUnderstood { reason, .. } => {
                format!("{reason}; a misspelt variable will show up as an error of the compiler")
            }
            Elsewhere { .. } => {
                "write it as a line, or as `_Pragma(\"cll …\")` with the whole text in quotes".to_owned()
            }
            _ => return None,
        })
    }

    fn related(&self) -> Option<Label> {
        use Error::*;
        let (span, text) = match self {
            OtherBlock { begin, .. }
            | OtherFunction { begin, .. }
            | BehindMore { begin, .. }
            | OtherAtEnd { begin, .. }
            | Enters { begin, .. } => (*begin, "it begins here"),
            RepeatedEnd { first, .. } => (*first, "the first end"),
            StatementTwice { first, .. } => (*first, "it is named here"),
            EndGoesOn { last, .. } => (*last, "the last end"),
            Changes { change: Some(change), .. } => (*change, "it changes here"),
            ReportBefore { begin, .. } => (*begin, "the first experiment"),
            SyncInSequential { parallel, .. } => (*parallel, "this says so"),
            _ => return None,
        };
        Some(Label { span, text: text.to_owned() })
    }

    fn severity(&self) -> Severity {
        use Error::*;
        match self {
            Leaves { .. } | TeamInDoubt { .. } | OwnP { .. } => Severity::Note,
            NotUnderstood { .. }
            | Elsewhere { .. }
            | UsesIgnored { .. }
            | OnIgnored { .. }
            | MachineIgnored { .. }
            | ScriptIgnored { .. }
            | SyncWithoutMachine { .. }
            | SyncInSequential { .. }
            | TeamNotCounted { .. }
            | ReportBefore { .. }
            | Shadows { .. }
            | Changes { .. }
            | LetUnused { .. }
            | NoSets { .. }
            | LeavesUnseen { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The error as a message for people.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic {
            severity: self.severity(),
            code: self.code(),
            message: self.to_string(),
            span: self.span(),
            related: self.related(),
            help: self.help(),
        }
    }
}
