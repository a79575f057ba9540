//! The operators of formulas and conditions.

use std::cmp::Ordering;

use crate::infix::PrecedenceLevel;
use crate::{Function, Notation, Quotient, Sign};

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Relation {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
}

impl Relation {
    /// Whether it holds; what is not a number fulfils nothing.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
            Relation::Equal => left == right,
            Relation::Different => left.partial_cmp(&right).is_some_and(Ordering::is_ne),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefix {
    Sign(Sign),
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Infix {
    Or,
    And,
    Compare(Relation),
    Sum(Sign),
    Product(Quotient),
    /// Of two arguments.
    Call(Function),
}

type Operators = PrecedenceLevel<Prefix, Infix>;

const SUM: Operators =
    PrecedenceLevel::Left(&[("+", Infix::Sum(Sign::Plus)), ("-", Infix::Sum(Sign::Minus))]);

const PRODUCT: Operators =
    PrecedenceLevel::Left(&[("*", Infix::Product(Quotient::Times)), ("/", Infix::Product(Quotient::Over))]);

const SIGN: Operators =
    PrecedenceLevel::Prefix(&[("-", Prefix::Sign(Sign::Minus)), ("+", Prefix::Sign(Sign::Plus))]);

/// As `-a^b` is `-(a^b)`, they bind more than signs.
const POWER: Operators =
    PrecedenceLevel::Right(&[("^", Infix::Call(Function::POWER)), ("**", Infix::Call(Function::POWER))]);

const RELATION: Operators = PrecedenceLevel::Left(&[
    ("<", Infix::Compare(Relation::Less)),
    ("<=", Infix::Compare(Relation::AtMost)),
    (">", Infix::Compare(Relation::Greater)),
    (">=", Infix::Compare(Relation::AtLeast)),
    ("=", Infix::Compare(Relation::Equal)),
    ("==", Infix::Compare(Relation::Equal)),
    ("!=", Infix::Compare(Relation::Different)),
]);

/// Those of conditions, whose quantities are spelt as in C.
pub(crate) const CONDITIONS: &[Operators] = &[
    PrecedenceLevel::Left(&[("or", Infix::Or)]),
    PrecedenceLevel::Left(&[("and", Infix::And)]),
    PrecedenceLevel::Prefix(&[("not", Prefix::Not)]),
    RELATION,
    SUM,
    PRODUCT,
    SIGN,
];

/// Those of a notation of formulas; in [`Notation::Postfix`] only in parentheses.
pub(crate) fn operators(notation: Notation) -> &'static [Operators] {
    match notation {
        Notation::C | Notation::Postfix => &[SUM, PRODUCT, SIGN],
        Notation::Powers => &[SUM, PRODUCT, SIGN, POWER],
    }
}
