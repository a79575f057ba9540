use std::cmp::Ordering;

use crate::number::Number;
use crate::polynomial::{Atom, Polynomial};

/// An end of the values of a variable, which may have that value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// It is not less.
    Lower(Polynomial),
    /// It is not more.
    Upper(Polynomial),
}

impl Polynomial {
    /// `a` and `b` of `a*atom + b`, if it is that and neither has the atom inside.
    pub fn linear_in(&self, atom: &Atom) -> Option<(Polynomial, Polynomial)> {
        let (mut factor, mut rest) = (Polynomial::default(), Polynomial::default());
        for (monomial, coefficient) in self.terms() {
            let without = monomial.without(atom);
            if without.mentions(atom) {
                return None;
            }
            match monomial.power(atom) {
                0 => rest.add_term(without, coefficient.clone()),
                1 => factor.add_term(without, coefficient.clone()),
                _ => return None,
            }
        }
        Some((factor, rest))
    }

    /// What `self >= 0` says about a variable that is a whole number; `None` if it is not linear in it with a whole factor.
    pub fn bound_of(&self, variable: &Atom) -> Option<Bound> {
        let (factor, rest) = self.linear_in(variable)?;
        let factor = factor.constant().filter(Number::is_integer)?;
        let quotient = rest.floor(u32::try_from(factor.abs().integer()?).ok()?);
        match factor.cmp(&Number::ZERO) {
            Ordering::Greater => Some(Bound::Lower(-&quotient)),
            Ordering::Less => Some(Bound::Upper(quotient)),
            Ordering::Equal => None,
        }
    }
}
