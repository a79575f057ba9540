//! What counts are worth, where they hold, and why there is none.

use std::collections::BTreeSet;
use std::fmt;

use crate::polynomial::{Atom, Polynomial};

/// What a count is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// It is the number of times, where the assumptions hold.
    #[default]
    Exact,
    /// It grows as the number does, their ratio stays between constants: fractions of quotients and factors of logarithms were left out.
    Rounded,
    /// It is as large as the number can be: data decide.
    AtMost,
}

impl Quality {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Quality::Exact => "exact",
            Quality::Rounded => "rounded",
            Quality::AtMost => "at-most",
        }
    }
}

/// What must hold of the parameters: this is not negative.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assumption(pub Polynomial);

impl fmt::Display for Assumption {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        // n - 3 >= 0 reads n >= 3.
        let (mut left, mut right) = (Polynomial::default(), Polynomial::default());
        let positive = without_quotient(&self.0).unwrap_or_else(|| self.0.clone());
        let whole = positive.scaled(&positive.denominator());
        for (monomial, coefficient) in whole.terms() {
            if coefficient.is_positive() && !monomial.0.is_empty() {
                left.add_term(monomial.clone(), coefficient.clone());
            } else {
                right.add_term(monomial.clone(), -coefficient);
            }
        }
        // And 67 - n >= 0 reads 67 >= n.
        let constant = right.constant_term();
        if left.is_zero() && constant.is_negative() {
            let constant = Polynomial::from(constant);
            return write!(out, "{} >= {}", -&constant, &right - &constant);
        }
        write!(out, "{left} >= {right}")
    }
}

/// `floor(n/2) - m` is not negative where `n - 2*m` is not, as all of it is whole. `None` where it is not made like that. That no
/// dividend of C's division is negative is an assumption of its own.
fn without_quotient(positive: &Polynomial) -> Option<Polynomial> {
    let (quotient, of, by) = positive.terms().find_map(|(monomial, coefficient)| {
        let quotient = Polynomial::from(monomial.clone());
        let Atom::Floor { of, by, .. } = quotient.atom().filter(|_| coefficient.is_one())? else {
            return None;
        };
        let (of, by) = (of.clone(), *by);
        Some((quotient, of, by))
    })?;
    let rest = positive - &quotient;
    let is_whole = rest.denominator().is_one()
        && rest.atoms().iter().all(|its| matches!(its, Atom::Name(_) | Atom::Element { .. }));
    is_whole.then(|| &*of + &(&rest * &Polynomial::from(i64::from(by))))
}

/// A number of times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// The number, of the parameters' values.
    pub times: Polynomial,
    /// What it is worth.
    pub quality: Quality,
    /// Where it holds.
    pub assumptions: BTreeSet<Assumption>,
    /// Those of them that are conditions of the program: where one is not so, it does not run.
    pub conditions: BTreeSet<Assumption>,
}

/// Why a number of times is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// Numbers or nests beyond what programs have.
    #[error("the loops are nested too deep")]
    TooLarge,
    /// A sum that has no closed form here.
    #[error("the sum over its iterations has no simple form")]
    NoSum,
    /// Elements of an array that are no neighbours' differences.
    #[error("it is a sum of elements such as {0}")]
    SumOfElements(Atom),
    /// Which of several bounds counts depends on the parameters.
    #[error("it depends on whether {0}")]
    Depends(Assumption),
    /// A condition that is no inequality between the variables of loops and parameters.
    #[error("a condition is not linear in the variables of the loops")]
    NotLinear,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_compared_without_division() {
        let (n, m) = (Polynomial::name("n"), Polynomial::name("m"));
        let one = Polynomial::from(1);
        for (positive, expected) in [
            (&(&n - &m).floor(2) + &one, "n >= m - 2"),
            (&(&n + &m).floor(3) - &m, "n >= 2*m"),
            (&n.floor(2) - &m.floor(3), "floor(n/2) >= floor(m/3)"),
            (&n.floor(2).scaled(&2.into()) - &m, "2*floor(n/2) >= m"),
            (&n.truncated_quotient(2) - &m, "n >= 2*m"),
        ] {
            assert_eq!(Assumption(positive).to_string(), expected);
        }
    }
}
