use crate::wording::counted;
use crate::{Diagnostic, Label, Severity, Span};

/// The observable of CALL 1.0 that is always measured.
pub(crate) const WALL_TIME: &str = "CLOCK";

/// What can be wrong with directives and formulas. One variant is one cause; spans count bytes of the text that was parsed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    // scan
    #[error("`#pragma {word}` is not a directive of CALL")]
    MisspeltPrefix { span: Span, word: String },

    // tokens
    #[error("unexpected character `{text}`")]
    UnexpectedCharacter { span: Span, text: String },
    #[error("the name `{name}` has letters that are not of ASCII")]
    ForeignName { span: Span, name: String },
    #[error("this quote is not closed on its line")]
    UnclosedQuote { span: Span },
    #[error("`{text}` is not a number")]
    BadNumber { span: Span, text: String },

    // directives
    #[error("the directive is empty")]
    Empty { span: Span },
    #[error("expected a name, found `{found}`")]
    NotAName { span: Span, found: String },
    #[error("`{name}` is a word of the directive language, not a name")]
    ReservedName { span: Span, name: String },
    #[error("`{name}` is the name of a column of the trace")]
    ColumnName { span: Span, name: String },
    #[error("unexpected `{found}` after the directive")]
    Trailing { span: Span, found: String },
    #[error("`{word}` is not a directive")]
    MisspeltWord { span: Span, word: String, meant: &'static str },
    #[error("`{word}` is not a kind of parallel program")]
    UnknownKind { span: Span, word: String, suggestion: Option<&'static str> },
    #[error("expected a machine, found `{found}`")]
    NotAMachine { span: Span, found: String },
    #[error("`procs` wants first, last and factor")]
    BadRange { span: Span, reason: &'static str },
    #[error("a sampling loop has the form `for(init; condition; step)`")]
    BadLoop { span: Span },
    #[error("the clause `{clause}` takes a formula")]
    ClauseWithoutFormula { span: Span, clause: &'static str },
    #[error("`let {name}` stands here twice")]
    LetTwice { span: Span, name: String, first: Span },
    #[error("`{name}` is counted here twice")]
    CounterTwice { span: Span, name: String, first: Span },
    #[error("`{found}` is not a variable")]
    NotAVariable { span: Span, found: String },
    #[error("the variable `{name}` stands here twice")]
    VariableTwice { span: Span, name: String, first: Span },
    #[error("`{found}` is not the name of a counter")]
    NotACounter { span: Span, found: String },
    #[error("the clause `at end` stands here twice")]
    AtEndTwice { span: Span, first: Span },
    #[error("expected lines counted from the directive, found `{found}`")]
    NotLines { span: Span, found: String },
    #[error("the formula has no constant `{name}`")]
    NoSuchConstant { span: Span, name: String, known: String },
    #[error("`upsilon {name}` stands here twice")]
    UpsilonTwice { span: Span, name: String, first: Span },

    // formulas
    #[error("the formula ends where an operand is expected")]
    FormulaEnds { span: Span },
    #[error("expected an operand, found `{found}`")]
    NotAnOperand { span: Span, found: String },
    #[error("expected an operator, found `{found}`")]
    NotAnOperator { span: Span, found: String },
    #[error("expected `{symbol}`")]
    Unclosed { span: Span, open: Span, symbol: char },
    #[error("this is nested more than {deepest} levels deep")]
    TooDeep { span: Span, deepest: usize },
    #[error("formulas know no function `{name}`")]
    UnknownFunction { span: Span, name: String, suggestion: Option<&'static str> },
    #[error("`{name}` takes {}, {given} given", counted(*wanted, "argument"))]
    WrongArity { span: Span, name: &'static str, wanted: usize, given: usize },
    #[error("the index of a constant is a whole number from 0 to 65535")]
    BadIndex { span: Span },
    #[error("a constant cannot stand in the index of a variable")]
    ConstantInIndex { span: Span },

    // conditions
    #[error("a condition is missing here")]
    NoCondition { span: Span },
    #[error("this is no condition: nothing is compared")]
    NothingCompared { span: Span },
    #[error("something to compare is missing here")]
    NothingToCompare { span: Span },
    #[error("`{found}` compares nothing")]
    NotARelation { span: Span, found: String },
    #[error("a condition stands where a quantity is expected")]
    NotAQuantity { span: Span },
    #[error("this parenthesis closes nothing")]
    ClosesNothing { span: Span },
    #[error("this parenthesis is not closed")]
    NotClosed { span: Span },

    // canonical form
    #[error("this term has no constant")]
    NoConstant { span: Span, experiment: String, free: u32 },
    #[error("two constants in one term")]
    TwoConstants { span: Span, first: Span },
    #[error("this constant stands in two terms")]
    ConstantTwice { span: Span, first: Span },
    #[error("a constant cannot stand in a denominator")]
    ConstantInDenominator { span: Span },
    #[error("a constant cannot stand inside `{name}`")]
    ConstantInFunction { span: Span, name: &'static str },
    #[error("a constant cannot stand in a sum that is multiplied")]
    ConstantInSum { span: Span },

    // outline
    #[error("`end {name}` without a begin")]
    EndWithoutBegin { span: Span, name: String, suggestion: Option<String> },
    #[error("experiment `{name}` is never ended")]
    NeverEnded { span: Span, name: String, meant: Option<&'static str> },
    #[error("`end {name}` closes over `{inner}`, which is still open")]
    Crossing { span: Span, name: String, inner: String, opened: Span },
    #[error("experiment `{name}` begins inside itself")]
    InsideItself { span: Span, name: String, opened: Span },
    #[error("`end for` without a `for`")]
    EndForWithoutFor { span: Span },
    #[error("this `for` has no `end for`")]
    ForNeverEnded { span: Span },
    #[error("experiment `{name}` has another formula here")]
    DifferentFormulas { span: Span, name: String, first: Span },
    #[error("experiment `{name}` has other counters here")]
    DifferentCounters { span: Span, name: String, first: Span },
    #[error("`{name}` is the name of a counter and of a variable")]
    CounterIsVariable { span: Span, name: String, variable: Span },
    #[error("a program has one `parallel` directive")]
    ParallelTwice { span: Span, first: Span },
    #[error("no experiment of this file is called `{name}`")]
    UnknownInReport { span: Span, name: String, suggestion: Option<String> },
    #[error("nothing is reported: the program measures and writes no trace")]
    NoReport { span: Span },
    #[error("no experiment in this file: the report is of those in other files")]
    NothingToReport { span: Span },
}

impl Error {
    /// The smallest place that shows the error.
    pub fn span(&self) -> Span {
        use Error::*;
        match self {
            MisspeltPrefix { span, .. }
            | UnexpectedCharacter { span, .. }
            | ForeignName { span, .. }
            | UnclosedQuote { span } => *span,
            BadNumber { span, .. } | Empty { span } | NotAName { span, .. } | ReservedName { span, .. } => {
                *span
            }
            ColumnName { span, .. } | Trailing { span, .. } | MisspeltWord { span, .. } => *span,
            UnknownKind { span, .. } | NotAMachine { span, .. } | BadRange { span, .. } => *span,
            BadLoop { span } | FormulaEnds { span } => *span,
            NotAnOperand { span, .. } | NotAnOperator { span, .. } | Unclosed { span, .. } => *span,
            TooDeep { span, .. } | UnknownFunction { span, .. } | WrongArity { span, .. } => *span,
            ClauseWithoutFormula { span, .. } | LetTwice { span, .. } | AtEndTwice { span, .. } => *span,
            NotLines { span, .. } | NoSuchConstant { span, .. } | UpsilonTwice { span, .. } => *span,
            CounterTwice { span, .. } | NotACounter { span, .. } | DifferentCounters { span, .. } => *span,
            NotAVariable { span, .. } | VariableTwice { span, .. } | CounterIsVariable { span, .. } => *span,
            NoCondition { span } | NothingCompared { span } | NothingToCompare { span } => *span,
            NotARelation { span, .. }
            | NotAQuantity { span }
            | ClosesNothing { span }
            | NotClosed { span } => *span,
            BadIndex { span } | ConstantInIndex { span } | NoConstant { span, .. } => *span,
            TwoConstants { span, .. } | ConstantTwice { span, .. } | ConstantInDenominator { span } => *span,
            ConstantInFunction { span, .. } | ConstantInSum { span } | EndWithoutBegin { span, .. } => *span,
            NeverEnded { span, .. } | Crossing { span, .. } | InsideItself { span, .. } => *span,
            EndForWithoutFor { span } | ForNeverEnded { span } | DifferentFormulas { span, .. } => *span,
            ParallelTwice { span, .. } | UnknownInReport { span, .. } | NoReport { span } => *span,
            NothingToReport { span } => *span,
        }
    }

    /// Stable name of the cause.
    pub fn code(&self) -> &'static str {
        use Error::*;
        match self {
            MisspeltPrefix { .. } | MisspeltWord { .. } => "misspelt-directive",
            UnexpectedCharacter { .. } | ForeignName { .. } | UnclosedQuote { .. } => "unexpected-character",
            BadNumber { .. } => "not-a-number",
            Empty { .. } => "empty-directive",
            NotAName { .. } | ReservedName { .. } | ColumnName { .. } => "not-a-name",
            Trailing { .. } => "trailing-text",
            UnknownKind { .. } => "unknown-kind",
            NotAMachine { .. } => "machine",
            BadRange { .. } => "processor-range",
            BadLoop { .. } => "sampling-loop",
            ClauseWithoutFormula { .. } | LetTwice { .. } | AtEndTwice { .. } => "clause",
            NotLines { .. } | NoSuchConstant { .. } | UpsilonTwice { .. } => "clause",
            NotAVariable { .. } | VariableTwice { .. } => "clause",
            CounterTwice { .. }
            | NotACounter { .. }
            | DifferentCounters { .. }
            | CounterIsVariable { .. } => "counters",
            FormulaEnds { .. }
            | NotAnOperand { .. }
            | NotAnOperator { .. }
            | Unclosed { .. }
            | NoCondition { .. }
            | NothingCompared { .. }
            | NothingToCompare { .. }
            | NotARelation { .. }
            | NotAQuantity { .. }
            | ClosesNothing { .. }
            | NotClosed { .. } => "formula-syntax",
            TooDeep { .. } => "formula-too-deep",
            UnknownFunction { .. } | WrongArity { .. } => "unknown-function",
            BadIndex { .. } | ConstantInIndex { .. } => "constant-index",
            NoConstant { .. }
            | TwoConstants { .. }
            | ConstantTwice { .. }
            | ConstantInDenominator { .. }
            | ConstantInFunction { .. }
            | ConstantInSum { .. } => "not-canonical",
            EndWithoutBegin { .. } | NeverEnded { .. } | EndForWithoutFor { .. } | ForNeverEnded { .. } => {
                "unbalanced"
            }
            Crossing { .. } | InsideItself { .. } => "crossing",
            DifferentFormulas { .. } => "different-formulas",
            ParallelTwice { .. } => "parallel-twice",
            UnknownInReport { .. } => "unknown-experiment",
            NoReport { .. } | NothingToReport { .. } => "no-report",
        }
    }

    fn severity(&self) -> Severity {
        match self {
            // Other files of the program may have what this one has not.
            Error::NoReport { .. } | Error::NothingToReport { .. } => Severity::Warning,
            Error::UnknownInReport { suggestion: None, .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    fn related(&self) -> Option<Label> {
        use Error::*;
        let (span, text) = match self {
            Unclosed { open, .. } => (*open, "to close this".to_owned()),
            TwoConstants { first, .. } => (*first, "the other constant".to_owned()),
            ConstantTwice { first, .. } => (*first, "first used here".to_owned()),
            LetTwice { first, .. }
            | AtEndTwice { first, .. }
            | UpsilonTwice { first, .. }
            | VariableTwice { first, .. }
            | CounterTwice { first, .. } => (*first, "the first one".to_owned()),
            DifferentCounters { first, .. } => (*first, "its first counters".to_owned()),
            CounterIsVariable { variable, .. } => (*variable, "the variable".to_owned()),
            Crossing { inner, opened, .. } => (*opened, format!("`{inner}` was opened here")),
            InsideItself { name, opened, .. } => (*opened, format!("`{name}` is open since here")),
            DifferentFormulas { first, .. } => (*first, "its first formula".to_owned()),
            ParallelTwice { first, .. } => (*first, "the first one".to_owned()),
            _ => return None,
        };
        Some(Label { span, text })
    }

    fn help(&self) -> Option<String> {
        use Error::*;
        Some(match self {
            MisspeltPrefix { .. } => "did you mean `#pragma cll`?".to_owned(),
            UnexpectedCharacter { .. } => {
                "directives are made of ASCII letters, digits and C's operators".to_owned()
            }
            ForeignName { .. } => {
                "copy the value to a variable with a name of ASCII letters, digits and `_`, and use that".to_owned()
            }
            NotAnOperand { found, .. } if found == "*" => {
                "what a pointer points to is `p[0]`, or `x` with `let x = *p` behind the formula".to_owned()
            }
            Empty { .. } => "write `#pragma cll NAME FORMULA`, `end NAME`, `report all`, …".to_owned(),
            ReservedName { .. } => "choose another name".to_owned(),
            ColumnName { .. } => "copy the value to a variable of another name and use that".to_owned(),
            MisspeltWord { meant, .. } => format!("did you mean `{meant}`?"),
            UnknownKind { suggestion: Some(kind), .. } => format!("did you mean `{kind}`?"),
            UnknownKind { .. } => "the kinds are sequential, OpenMP, MPI, BSPlib and PUB".to_owned(),
            NotAMachine { .. } => "a machine is an expression such as `MPI_COMM_WORLD` or `&bsp`, with no `=` before it".to_owned(),
            BadRange { reason, .. } => format!("{reason}; `procs = 1:32:2` means 1, 2, 4, …, 32"),
            BadLoop { .. } => "for example `for(N = 1024; N < 262144; N *= 2)`".to_owned(),
            ClauseWithoutFormula { clause: "let", .. } => {
                "write the formula before it, or `variables` with the names to be recorded".to_owned()
            }
            ClauseWithoutFormula { .. } => "write the formula before it".to_owned(),
            NotAVariable { .. } => "name variables, members or elements with commas between, or give a value a name: `variables size let size = a*b`".to_owned(),
            NotLines { .. } => {
                "for example `upsilon f[1] = +3-5, +8`: the third to fifth line below the directive and the eighth; or `= none`".to_owned()
            }
            NoSuchConstant { known, .. } => format!("its constants are {known}"),
            LetTwice { .. } | AtEndTwice { .. } | UpsilonTwice { .. } | CounterTwice { .. } | VariableTwice { .. } => "remove one of them".to_owned(),
            NotACounter { found, .. } if found == WALL_TIME => {
                "it is wall time, which is always measured: leave it out".to_owned()
            }
            NotACounter { .. } => {
                "for example `counters PAPI_TOT_CYC, page-faults`: letters, digits and `_-:.=`, without blanks".to_owned()
            }
            DifferentCounters { .. } => "repeat them in the same order, leave them out, or rename the experiment".to_owned(),
            CounterIsVariable { .. } => "both would be columns of the trace: name the variable anew, `let other = …`".to_owned(),
            NotAnOperator { found, .. } if found == "^" => {
                "in C `^` is exclusive or; write pow(x, y)".to_owned()
            }
            NotAnOperator { found, .. } if found == "%" => "write fmod(x, y)".to_owned(),
            NotAnOperator { found, .. } if matches!(found.as_str(), "?" | "<" | ">") => {
                "formulas have no conditions: llac finds the intervals where constants hold".to_owned()
            }
            NotAnOperator { found, .. } | NotAnOperand { found, .. }
                if matches!(found.as_str(), "=" | "++" | "--") =>
            {
                "a formula changes nothing: it only reads variables".to_owned()
            }
            NotAnOperator { .. } => "the operators are + - * /".to_owned(),
            NoCondition { .. } => "conditions look like `P <= 16 and N >= 4096`".to_owned(),
            NothingCompared { .. } | NotARelation { .. } => {
                "compare with <, <=, >, >=, = or !=, as in `P <= 16`".to_owned()
            }
            UnknownFunction { suggestion: Some(name), .. } => format!("did you mean `{name}`?"),
            UnknownFunction { .. } => {
                "log, log2, sqrt, pow, min, max, … are known; the value of other functions goes into a variable before".to_owned()
            }
            BadIndex { .. } => "number the constants of the experiment: f[0], f[1], …".to_owned(),
            NoConstant { experiment, free, .. } => {
                format!("multiply it by a constant: `{experiment}[{free}]*…`")
            }
            TwoConstants { .. } => "each term has one constant: their product is one, too".to_owned(),
            ConstantTwice { .. } => "join the two terms or number one of the constants anew".to_owned(),
            ConstantInDenominator { .. } => "the constant of a term multiplies it: write `f[k]/x`".to_owned(),
            ConstantInFunction { .. } => {
                "fits are linear in the constants: move it before the function".to_owned()
            }
            ConstantInSum { .. } => "multiply out, so that each term has one constant".to_owned(),
            EndWithoutBegin { suggestion: Some(name), .. } => format!("did you mean `end {name}`?"),
            EndWithoutBegin { name, .. } => format!("begin it with `#pragma cll {name} FORMULA`"),
            NeverEnded { meant: Some(word), .. } => format!("did you mean `{word}`?"),
            NeverEnded { name, .. } => format!("add `#pragma cll end {name}` behind the block"),
            Crossing { inner, .. } => format!("end `{inner}` first"),
            InsideItself { .. } => "end it before, or give this block a name of its own".to_owned(),
            EndForWithoutFor { .. } => {
                "begin the loop with `#pragma cll for(init; condition; step)`".to_owned()
            }
            ForNeverEnded { .. } => "add `#pragma cll end for` behind the loop".to_owned(),
            DifferentFormulas { .. } => {
                "repeat the formula, leave it out, or rename the experiment".to_owned()
            }
            ParallelTwice { .. } => "remove one of them".to_owned(),
            UnknownInReport { suggestion: Some(name), .. } => format!("did you mean `{name}`?"),
            UnknownInReport { .. } => "another file of the program has to have it".to_owned(),
            NoReport { .. } => "add `#pragma cll report all` where the measurements are done".to_owned(),
            NothingToReport { .. } => "if there are no other files, begin one with `#pragma cll NAME FORMULA`".to_owned(),
            _ => return None,
        })
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
