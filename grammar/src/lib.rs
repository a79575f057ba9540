//! The directive language of CALL: `#pragma cll …` lines in C programs and the complexity formulas they carry.
//!
//! The way of a text through this crate, one module a step:
//!
//! 1. [`scan`] finds the directives in the bytes of a C file,
//! 2. [`parse`] turns each into a [`Directive`]; formulas become [`Formula`]s, which exist only in canonical form,
//! 3. [`outline`] pairs begin and end lines and gathers the [`ExperimentOutline`]s of the file.
//!
//! Every step returns what it understood together with all errors, so one run reports them all. The crate does no I/O.
//!
//! ```
//! use call_grammar::Formula;
//!
//! let formula = Formula::parse("f", "f[0] + f[1]*(N/P)*log(N/P)").unwrap();
//! assert_eq!(formula.variables().iter().map(|v| v.name()).collect::<Vec<_>>(), ["N", "P"]);
//! assert_eq!(formula.terms()[1].basis.evaluate(&[64.0, 2.0]), 32.0 * 32f64.ln());
//! ```
//!
//! # Grammar
//!
//! ```ebnf
#![doc = include_str!("../call.ebnf")]
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod condition;
mod diagnostic;
mod directive;
mod error;
mod expression;
mod formula;
mod function;
pub mod infix;
mod operator;
mod ordered;
mod outline;
mod parallel;
mod parse;
mod postfix;
mod quantity;
mod reader;
mod scan;
mod spelling;
mod syntax;
mod token;
mod upsilon;
mod variable;
mod wording;

pub use condition::Condition;
pub use diagnostic::{Diagnostic, Label, Severity, Span};
pub use directive::{
    AtEnd, Begin, Directive, DirectiveKind, LetClause, Name, Parallel, ParallelKind, ProcessorRange, Report,
    Text,
};
pub use error::Error;
pub use expression::{Expression, Quotient, Sign};
pub use formula::{CoefficientId, Formula, Term, constants_of};
pub use function::{Function, Notation};
pub use operator::Relation;
pub use outline::{BlockLines, ExperimentOutline, Outline, SamplingLoop, outline};
pub use parse::{is_reserved, parse};
pub use quantity::Quantity;
pub use scan::{DirectiveForm, DirectiveText, scan};
pub use spelling::{Spelling, sign_before};
pub use upsilon::{RelativeLines, UpsilonClause};
pub use variable::{Variable, VariableId};
pub use wording::{counted, excerpt, listed, printable, quoted, suggest};
