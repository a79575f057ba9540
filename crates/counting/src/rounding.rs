//! Bounds without integer parts: rounded to the side on which they stay bounds.

use crate::polynomial::{Atom, Monomial, Polynomial};

/// A polynomial that is no less, without the variable of a loop in what would have to be rounded away from it: `(b - 1 - n)/b` for
/// `-floor(n/b)`. Parameters are taken not to be negative. `None` where there is none that is simple.
pub fn not_below(polynomial: &Polynomial, variable: &Atom) -> Option<Polynomial> {
    let is_hidden = |atom: &Atom| atom != variable && atom.mentions(variable);
    let mut sum = Polynomial::default();
    for (monomial, coefficient) in polynomial.terms() {
        let hidden: Vec<(&Atom, i32)> = monomial
            .0
            .iter()
            .filter(|(atom, _)| is_hidden(atom))
            .map(|(atom, power)| (atom, *power))
            .collect();
        let as_it_is = || Polynomial::from(monomial.clone()).scaled(coefficient);
        let is_simple = |(atom, power): &(&Atom, i32)| *power > 0 && !has_integer_parts(atom);
        let part = match &hidden[..] {
            [] if coefficient.is_negative() && monomial.power(variable) < 0 => continue,
            [] => as_it_is(),
            // A product of quotients is not above that of what they are the integer parts of.
            _ if coefficient.is_positive() => {
                let may_be_squared_below_0 = |(atom, power): &(&Atom, i32)| {
                    *power > 1 && matches!(atom, Atom::Floor { is_truncated: false, .. })
                };
                if !hidden.iter().all(is_simple) || hidden.iter().any(may_be_squared_below_0) {
                    return None;
                }
                as_it_is()
            }
            // What is taken away may be less by the largest fraction, or as little as nothing.
            [(atom @ Atom::Floor { of, by, .. }, 1)] if !has_integer_parts(atom) => {
                let rest =
                    Polynomial::from(Monomial(monomial.0.only(|its| its != *atom))).scaled(coefficient);
                let by = i64::from(*by);
                &rest * &(&**of - &Polynomial::from(by - 1)).over(by)
            }
            _ if hidden.iter().all(|(atom, power)| power % 2 == 0 || is_never_negative(atom)) => continue,
            _ => return None,
        };
        sum = &sum + &part;
    }
    Some(sum)
}

/// Whether there is an integer part within an atom, which the fraction of one may move either way.
fn has_integer_parts(atom: &Atom) -> bool {
    let is_rounded = |its: &Atom| matches!(its, Atom::Floor { .. } | Atom::Quotient(_));
    atom.inside().iter().flat_map(Polynomial::atoms).any(|its| is_rounded(its) || has_integer_parts(its))
}

fn is_never_negative(atom: &Atom) -> bool {
    matches!(
        atom,
        Atom::Floor { is_truncated: true, .. } | Atom::Quotient(_) | Atom::Log(_) | Atom::Root { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_parts_are_rounded_to_the_safe_side() {
        let (i, n) = (Polynomial::index(0), Polynomial::name("n"));
        let quotient = i.truncated_quotient(4);
        let shown = |of: &Polynomial| not_below(of, &Atom::Index(0)).map(|its| its.to_string());
        let rounded = &n - &(&i - &Polynomial::from(3)).over(4);
        assert_eq!(shown(&(&n - &quotient)), Some(rounded.to_string()));
        assert_eq!(shown(&(&n + &quotient)), Some((&n + &quotient).to_string()));
        assert_eq!(shown(&(&n - &(&quotient * &quotient))), Some(n.to_string()));
        assert_eq!(shown(&(&n - &i.floor(2).power(3))), None);
        assert_eq!(shown(&(&n - &quotient).floor(3)), None);
    }
}
