//! What operators make of whole numbers.

use call_counting::Polynomial;
use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::Node;

use super::super::value::{UnknownReason, Value};
use super::CountingWalk;

/// What is multiplied, divided or compared again and again comes to no end: networks that sort double their values with each step.
const MOST_TERMS: usize = 32;
const DEEPEST: usize = 4;
const HIGHEST_POWER: u32 = 64;
const LARGEST: f64 = 1e30;

/// Whether a number is one that programs have, of which more may be made.
pub fn is_moderate(value: &Polynomial) -> bool {
    value.depth() < DEEPEST
        && value.terms().count() <= MOST_TERMS
        && value.terms().all(|(monomial, factor)| {
            let is_low = |power: &i32| power.unsigned_abs() <= HIGHEST_POWER;
            factor.to_f64().abs() < LARGEST && monomial.0.values().all(is_low)
        })
}

impl CountingWalk<'_, '_> {
    /// Looks at something where a remainder has a value, or has none: it has one in what variables are given and as an end of a loop.
    pub fn with_remainders<T>(&mut self, take: bool, look: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.takes_remainders, take);
        let result = look(self);
        self.takes_remainders = outer;
        result
    }

    pub fn computed(
        &self,
        expression: &Node<Expression>,
        operator: &BinaryOperator,
        left: Polynomial,
        right: &Polynomial,
    ) -> Value {
        use BinaryOperator as B;
        let no_sum = || {
            UnknownReason::new(self.at(expression), format!("`{}` is no polynomial", self.shown(expression)))
        };
        let are_moderate = is_moderate(&left) && is_moderate(right);
        match operator {
            B::Plus | B::AssignPlus => Ok(&left + right),
            B::Minus | B::AssignMinus => Ok(&left - right),
            B::Multiply | B::AssignMultiply if are_moderate => Ok(&left * right),
            B::Divide | B::AssignDivide if are_moderate => left.quotient(right).ok_or_else(no_sum),
            B::ShiftLeft | B::AssignShiftLeft => match right.integer() {
                Some(bits @ 0..=62) => Ok(&left * &Polynomial::from(1i64 << bits)),
                _ => Err(no_sum()),
            },
            B::ShiftRight | B::AssignShiftRight => match right.integer() {
                Some(bits @ 0..=30) => Ok(left.floor(1 << bits)),
                _ => Err(no_sum()),
            },
            B::Modulo | B::AssignModulo => match (left.integer(), right.integer()) {
                (Some(left @ 0..), Some(right @ 1..)) => Ok(Polynomial::from(left % right)),
                // Below 0 as above it: `n - 5*(n/5)`.
                (None, Some(1..)) if self.takes_remainders && are_moderate && !left.has_index() => {
                    let quotient = left.quotient(right).ok_or_else(no_sum)?;
                    Ok(&left - &(right * &quotient))
                }
                _ => Err(no_sum()),
            },
            _ => Err(no_sum()),
        }
    }
}
