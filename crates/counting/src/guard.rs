//! What must hold for a statement to run, and the bounds that it puts on variables of loops.

use crate::bound::Bound;
use crate::level::Level;
use crate::polynomial::{Atom, Polynomial};

#[derive(Clone)]
pub(crate) struct Guard {
    pub positive: Polynomial,
    pub origin: GuardOrigin,
}

/// Where a guard comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuardOrigin {
    /// A condition of the program: elsewhere the statement does not run.
    Condition,
    /// The opposite case is counted, too.
    Case,
    /// A loop that has to have iterations.
    Length,
}

/// The bounds of a variable, which may be equal to them.
#[derive(Clone)]
pub(crate) struct VariableBounds {
    pub from: Vec<Polynomial>,
    pub to: Vec<Polynomial>,
    /// Whether some of them are those of conditions in the loop, or hold in one of several cases.
    pub are_of_conditions: bool,
}

impl VariableBounds {
    /// The least one of those distances that do not depend on other loops.
    pub fn shortest(&self) -> Option<Polynomial> {
        let between = |to: &Polynomial| {
            self.from.iter().map(move |from| &(to - from) + &Polynomial::from(1)).collect::<Vec<_>>()
        };
        let lengths = self.to.iter().flat_map(between).filter(|length| !length.has_index());
        lengths.reduce(|one, other| one.extreme(&other, true))
    }
}

/// What must not be negative, as a bound of a variable in it.
pub(crate) fn bound(positive: &Polynomial, variable: &Atom) -> Option<Bound> {
    positive.bound_of(variable).or_else(|| bound(&positive.inside_out()?, variable))
}

/// The lesser one of two that variables of loops choose is two bounds of which the lesser one counts.
pub(crate) fn split_by_index(bounds: &mut Vec<Polynomial>, is_upper: bool) {
    let mut at = 0;
    while let Some(bound) = bounds.get(at) {
        match bound.chosen_by_index(is_upper) {
            Some(both) => _ = bounds.splice(at..=at, both),
            None => at += 1,
        }
    }
}

/// The least that a polynomial is in any iteration of the loops, as far as they have a bound for it.
pub(crate) fn least_over(polynomial: Polynomial, levels: &[Level]) -> Polynomial {
    levels.iter().rev().fold(polynomial, |polynomial, level| {
        let Some((index, from, to)) = level.bounds() else { return polynomial };
        let variable = Atom::Index(index);
        let factor = polynomial.linear_in(&variable).and_then(|(factor, _)| factor.constant());
        let end = match factor {
            Some(factor) if factor.is_positive() => from.first(),
            Some(factor) if factor.is_negative() => to.first(),
            _ => None,
        };
        end.and_then(|end| polynomial.substituted(&variable, end)).unwrap_or(polynomial)
    })
}

/// What is known inside of all these loops.
pub(crate) fn context(levels: &[Level], guards: &[Guard]) -> Vec<Polynomial> {
    let mut known: Vec<Polynomial> = guards.iter().map(|guard| guard.positive.clone()).collect();
    for level in levels {
        match level {
            Level::Range { .. } | Level::Steps { .. } => {
                let Some((index, from, to)) = level.bounds() else { continue };
                let value = Polynomial::index(index);
                known.extend(from.iter().map(|from| &value - from));
                known.extend(to.iter().map(|to| to - &value));
            }
            Level::Multiples { index, from, to, .. } => {
                let value = Polynomial::index(*index);
                known.push(&value - from);
                known.push(to - &value);
            }
            Level::Times(_) => {}
        }
    }
    known
}
