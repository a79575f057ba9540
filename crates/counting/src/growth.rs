//! What of a polynomial counts where its parameters are large.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::number::Number;
use crate::polynomial::{Atom, Monomial, Polynomial};

/// The same without integer parts: `n/2` for `floor(n/2)`. The lesser one of two values stays as it is. `None` where one would have to divide by a sum.
pub fn smooth(polynomial: &Polynomial) -> Option<Polynomial> {
    polynomial.mapped(&|atom| match atom {
        Atom::Floor { of, by, .. } => smooth(of).map(|of| of.over(i64::from(*by))),
        Atom::Extreme { .. } => Some(Polynomial::from(atom.clone())),
        Atom::Quotient(of) => Some(&smooth(&of[0])? * &smooth(&of[1])?.inverse()?),
        _ => None,
    })
}

/// The monomials that no other one outgrows. A logarithm or root is that of what outgrows the rest inside of it.
pub fn leading(polynomial: &Polynomial) -> Vec<Monomial> {
    leading_terms(polynomial).into_iter().map(|(monomial, _)| monomial).collect()
}

/// The same with their coefficients.
pub fn leading_terms(polynomial: &Polynomial) -> Vec<(Monomial, Number)> {
    let smooth = smooth(polynomial).unwrap_or_else(|| polynomial.clone());
    let mut terms: BTreeMap<Monomial, Number> = BTreeMap::new();
    for (monomial, coefficient) in smooth.terms() {
        let sum = terms.entry(plain(monomial)).or_insert(Number::ZERO);
        *sum = &*sum + coefficient;
    }
    for (monomial, coefficient) in remainders(polynomial, &smooth) {
        terms.entry(plain(&monomial)).or_insert(coefficient);
    }
    let is_outgrown =
        |monomial: &Monomial| terms.keys().any(|other| other != monomial && is_dominated(monomial, other));
    terms
        .iter()
        .filter(|(monomial, _)| !is_outgrown(monomial))
        .map(|(one, its)| (one.clone(), its.clone()))
        .collect()
}

/// What remainders are below, where nothing else grows: of `n - b*floor(n/b)` nothing is left without the integer part, but it may be
/// anything below `b`.
fn remainders(polynomial: &Polynomial, smoothed: &Polynomial) -> Vec<(Monomial, Number)> {
    if smoothed.constant().is_none() {
        return Vec::new();
    }
    let quotients: BTreeSet<&Atom> = polynomial
        .terms()
        .flat_map(|(monomial, _)| monomial.0.keys())
        .filter(|atom| matches!(atom, Atom::Floor { .. } | Atom::Quotient(_)))
        .collect();
    let is_left = |monomial: &Monomial| smoothed.terms().any(|(its, _)| its == monomial);
    let of = |atom: &Atom| {
        let (factor, _) = polynomial.linear_in(atom)?;
        let factor = smooth(&factor)?;
        let whole = &factor * &smooth(&Polynomial::from(atom.clone()))?;
        let is_remainder = whole.terms().any(|(monomial, _)| !monomial.0.is_empty() && !is_left(monomial));
        is_remainder.then(|| {
            factor.terms().map(|(its, coefficient)| (its.clone(), coefficient.abs())).collect::<Vec<_>>()
        })
    };
    quotients.into_iter().filter_map(of).flatten().collect()
}

/// Whether a number grows as what a remainder in it is below: it is anything between 0 and that.
pub fn is_remainder(polynomial: &Polynomial) -> bool {
    smooth(polynomial).is_some_and(|smooth| smooth.constant().is_some())
        && leading(polynomial).iter().any(|monomial| !monomial.0.is_empty())
}

/// With the leading monomial in the place of sums inside of logarithms and roots.
fn plain(monomial: &Monomial) -> Monomial {
    // An element is none, whatever its place.
    let is_constant = |atom: &Atom| {
        let inside = atom.inside();
        !matches!(atom, Atom::Element { .. })
            && !inside.is_empty()
            && inside.iter().all(|its| its.constant().is_some())
    };
    let grow = |(atom, _): &(&Atom, &i32)| !is_constant(atom);
    let only = |polynomial: &Polynomial| <[Monomial; 1]>::try_from(leading(polynomial)).ok();
    let atoms = monomial.0.iter().filter(grow).map(|(atom, power)| {
        let atom = match atom {
            Atom::Log(of) => {
                only(of).map(|[inside]| Atom::Log(Arc::new(Polynomial::from(without_power(&inside)))))
            }
            Atom::Root { of, degree } => only(of)
                .map(|[inside]| Atom::Root { of: Arc::new(Polynomial::from(inside)), degree: *degree }),
            _ => None,
        }
        .unwrap_or_else(|| atom.clone());
        (atom, *power)
    });
    let mut found = Monomial::default();
    for (atom, power) in atoms {
        found.0.add(atom, power, |own, its| Some(own + its));
    }
    found
}

/// The logarithm of a power is that of the base, but for a factor.
fn without_power(monomial: &Monomial) -> Monomial {
    let mut atoms = monomial.0.iter();
    match (atoms.next(), atoms.next()) {
        (Some((atom, power)), None) if *power > 1 => Monomial((atom.clone(), 1).into()),
        _ => monomial.clone(),
    }
}

/// Whether one monomial is at most a constant times another where all parameters are large.
pub fn is_dominated(one: &Monomial, other: &Monomial) -> bool {
    let (own, its) = (powers(one), powers(other));
    let excess = |atom: &Atom| {
        let power = |powers: &BTreeMap<Atom, Number>| powers.get(atom).cloned().unwrap_or(Number::ZERO);
        &power(&its) - &power(&own)
    };
    own.keys().chain(its.keys()).all(|atom| {
        !excess(atom).is_negative()
            || matches!(atom, Atom::Log(inside) if inside.atoms().into_iter().any(|inner| excess(inner).is_positive()))
    })
}

/// How a monomial grows: for each name the powers of it and of its logarithm. `None` if it is no product of such.
pub fn growth(monomial: &Monomial) -> Option<BTreeMap<String, (f64, u32)>> {
    let mut found: BTreeMap<String, (f64, u32)> = BTreeMap::new();
    for (atom, power) in powers(monomial) {
        match atom {
            Atom::Name(name) => found.entry(name.to_string()).or_default().0 = power.to_f64(),
            Atom::Log(of) => {
                let Atom::Name(name) = of.atom()? else { return None };
                found.entry(name.to_string()).or_default().1 = u32::try_from(power.integer()?).ok()?;
            }
            _ => return None,
        }
    }
    Some(found)
}

fn powers(monomial: &Monomial) -> BTreeMap<Atom, Number> {
    let mut powers: BTreeMap<Atom, Number> = BTreeMap::new();
    let mut add = |atom: &Atom, power: Number| {
        let sum = powers.entry(atom.clone()).or_insert(Number::ZERO);
        *sum = &*sum + &power;
    };
    for (atom, power) in monomial.0.iter() {
        let power = Number::from(i64::from(*power));
        match atom {
            Atom::Root { of, degree } => match of.single() {
                Some((inside, _)) => {
                    for (inner, exponent) in inside.0.iter() {
                        add(
                            inner,
                            &(&power * &Number::from(i64::from(*exponent)))
                                / &Number::from(i64::from(*degree)),
                        );
                    }
                }
                None => add(atom, power),
            },
            _ => add(atom, power),
        }
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads() {
        let (n, m) = (Polynomial::name("n"), Polynomial::name("m"));
        let one = Polynomial::from(1);
        let quotient = &n.quotient(&m).unwrap();
        let rest = &n - &(&m * quotient);
        let cases: [(Polynomial, &[&str]); 11] = [
            (&n * &Polynomial::from(1234).log(), &["n"]),
            (&(&(&n * &n) + &n).over(2) + &one, &["n*n"]),
            (&(&n * &n.log()) + &(&n + &m), &["m", "n*log2(n)"]),
            (&(&n * &m) - &(&m * &m), &["m*n", "m*m"]),
            ((&(&n * &n) + &one).log(), &["log2(n)"]),
            (&n + &(&n.root(2) * &n.log()), &["n"]),
            ((&n - &one).floor(2), &["n"]),
            // Remainders are below the divisor.
            (rest.clone(), &["m"]),
            (&(&rest * &n) + &one, &["m*n"]),
            (&m * quotient, &["n"]),
            (&n - &(&(&n - &one).floor(4) * &Polynomial::from(4)), &["1"]),
        ];
        for (polynomial, expected) in cases {
            let found: Vec<String> = leading(&polynomial).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{polynomial}");
        }
    }
}
