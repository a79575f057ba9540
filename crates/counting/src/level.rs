//! Loops around statements.

use std::borrow::Cow;

use crate::polynomial::Polynomial;

/// A loop around a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The variable of number `index` is each whole number that is not below any of `from` and not above any of `to`.
    Range {
        /// The number of the variable.
        index: u32,
        /// Lower bounds; the variable may be equal to them.
        from: Vec<Polynomial>,
        /// Upper bounds; the variable may be equal to them.
        to: Vec<Polynomial>,
    },
    /// The variable is `from`, `from + step`, … up to `to`, with a step that is no number: the fraction of the quotient is left out.
    Steps {
        /// The number of the variable.
        index: u32,
        /// The first value.
        from: Polynomial,
        /// What the last value is not above.
        to: Polynomial,
        /// A product that has an inverse, above 0.
        step: Polynomial,
    },
    /// The variable is `from`, `from*ratio`, … up to `to`, or `to`, `to/ratio`, … down to `from`.
    Multiples {
        /// The number of the variable.
        index: u32,
        /// The least value or what it is not below, above 0.
        from: Polynomial,
        /// The largest value or what it is not above.
        to: Polynomial,
        /// 2 or more.
        ratio: u32,
        /// Whether it begins with `to`.
        is_downward: bool,
    },
    /// So many times.
    Times(Polynomial),
}

/// Bounds that compete.
type Bounds<'a> = Cow<'a, [Polynomial]>;

impl Level {
    /// The number of its variable.
    pub fn index(&self) -> Option<u32> {
        match self {
            Level::Range { index, .. } | Level::Steps { index, .. } | Level::Multiples { index, .. } => {
                Some(*index)
            }
            Level::Times(_) => None,
        }
    }

    /// All that it is computed from.
    pub fn polynomials(&self) -> Vec<&Polynomial> {
        match self {
            Level::Range { from, to, .. } => from.iter().chain(to).collect(),
            Level::Steps { from, to, step, .. } => vec![from, to, step],
            Level::Multiples { from, to, .. } => vec![from, to],
            Level::Times(times) => vec![times],
        }
    }

    /// The variable with its lower and upper bounds, if it goes between such: each begun step is one, (length + step - 1)/step is not
    /// below their number.
    pub(crate) fn bounds(&self) -> Option<(u32, Bounds<'_>, Bounds<'_>)> {
        match self {
            Level::Range { index, from, to } => Some((*index, from.into(), to.into())),
            Level::Steps { index, from, to, step } => {
                let last = &(to + step) - &Polynomial::from(1);
                Some((*index, vec![from.clone()].into(), vec![last].into()))
            }
            Level::Multiples { .. } | Level::Times(_) => None,
        }
    }
}
