//! Conditions on quantities: `P <= 16 and N >= 4096`, `1 < P < 32`, `not (N/P < 8 or time > 1)`.
//!
//! ```text
//! or         = and { "or" and }
//! and        = not { "and" not }
//! not        = { "not" } ( "(" or ")" | comparison )
//! comparison = quantity relation quantity { relation quantity }
//! relation   = "<" | "<=" | ">" | ">=" | "=" | "==" | "!="
//! ```
//! What stands between relations is an arithmetic expression of the formula language.

use crate::reader::FormulaReader;
use crate::syntax::Truth;
use crate::token::tokens;
use crate::{Error, Quantity, Relation, Span};

/// A condition on quantities.
#[derive(Debug, Clone)]
pub enum Condition {
    /// One of these holds.
    Or(Vec<Condition>),
    /// All of these hold.
    And(Vec<Condition>),
    /// This does not hold.
    Not(Box<Condition>),
    /// Each relation holds between the quantities beside it, which are one more.
    Chain(Vec<Quantity>, Vec<Relation>),
}

impl Condition {
    /// Parses a condition.
    ///
    /// # Errors
    /// All errors of the text, with spans that count bytes of it.
    pub fn parse(text: &str) -> Result<Condition, Vec<Error>> {
        let (tokens, mut errors) = tokens(text.as_bytes(), Span::new(0, text.len()));
        match FormulaReader::new(text.as_bytes(), &tokens, "").condition() {
            Ok(truth) if errors.is_empty() => Ok(Condition::of(&truth)),
            Ok(_) => Err(errors),
            Err(error) => {
                errors.push(error);
                Err(errors)
            }
        }
    }

    fn of(truth: &Truth) -> Condition {
        let all = |parts: &[Truth]| parts.iter().map(Condition::of).collect();
        match truth {
            Truth::Or(parts) => Condition::Or(all(parts)),
            Truth::And(parts) => Condition::And(all(parts)),
            Truth::Not(inside) => Condition::Not(Box::new(Condition::of(inside))),
            Truth::Chain(quantities, relations) => {
                Condition::Chain(quantities.iter().map(Quantity::of).collect(), relations.clone())
            }
        }
    }
}
