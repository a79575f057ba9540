//! What of a polynomial counts where its parameters are large.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::polynomial::{Atom, Monomial, Polynomial};

/// The same without integer parts: `n/2` for `floor(n/2)`. `None` where one would have to divide by a sum.
pub fn smooth(polynomial: &Polynomial) -> Option<Polynomial> {
    polynomial.mapped(&|atom| match atom {
        Atom::Floor { of, by, .. } => smooth(of).map(|of| of.over(i64::from(*by))),
        _ => None,
    })
}

/// The monomials that no other one outgrows. A logarithm or root is that of what outgrows the rest inside of it.
pub fn leading(polynomial: &Polynomial) -> Vec<Monomial> {
    leading_terms(polynomial).into_iter().map(|(monomial, _)| monomial).collect()
}

/// The same with their coefficients.
pub fn leading_terms(polynomial: &Polynomial) -> Vec<(Monomial, BigRational)> {
    let smooth = smooth(polynomial).unwrap_or_else(|| polynomial.clone());
    let mut terms: BTreeMap<Monomial, BigRational> = BTreeMap::new();
    for (monomial, coefficient) in smooth.terms() {
        *terms.entry(plain(monomial)).or_insert_with(BigRational::zero) += coefficient;
    }
    let is_outgrown =
        |monomial: &Monomial| terms.keys().any(|other| other != monomial && is_dominated(monomial, other));
    terms
        .iter()
        .filter(|(monomial, _)| !is_outgrown(monomial))
        .map(|(one, its)| (one.clone(), its.clone()))
        .collect()
}

/// With the leading monomial in the place of sums inside of logarithms and roots.
fn plain(monomial: &Monomial) -> Monomial {
    let atoms = monomial.0.iter().map(|(atom, power)| {
        let inside = atom.inside().map(leading);
        let atom = match (atom, inside.as_deref()) {
            (Atom::Log(_), Some([inside])) => Atom::Log(Box::new(Polynomial::from(without_power(inside)))),
            (Atom::Root { degree, .. }, Some([inside])) => {
                Atom::Root { of: Box::new(Polynomial::from(inside.clone())), degree: *degree }
            }
            _ => atom.clone(),
        };
        (atom, *power)
    });
    let mut found = Monomial::default();
    for (atom, power) in atoms {
        *found.0.entry(atom).or_insert(0) += power;
    }
    found
}

/// The logarithm of a power is that of the base, but for a factor.
fn without_power(monomial: &Monomial) -> Monomial {
    let mut atoms = monomial.0.iter();
    match (atoms.next(), atoms.next()) {
        (Some((atom, power)), None) if *power > 1 => Monomial([(atom.clone(), 1)].into()),
        _ => monomial.clone(),
    }
}

/// Whether one monomial is at most a constant times another where all parameters are large.
pub fn is_dominated(one: &Monomial, other: &Monomial) -> bool {
    let (own, its) = (powers(one), powers(other));
    let excess = |atom: &Atom| {
        let power = |powers: &BTreeMap<Atom, BigRational>| {
            powers.get(atom).cloned().unwrap_or_else(BigRational::zero)
        };
        power(&its) - power(&own)
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
            Atom::Name(name) => found.entry(name).or_default().0 = power.to_f64()?,
            Atom::Log(of) => {
                let Atom::Name(name) = of.atom()? else { return None };
                found.entry(name.clone()).or_default().1 = power.to_integer().to_u32()?;
            }
            _ => return None,
        }
    }
    Some(found)
}

fn powers(monomial: &Monomial) -> BTreeMap<Atom, BigRational> {
    let mut powers: BTreeMap<Atom, BigRational> = BTreeMap::new();
    let mut add = |atom: &Atom, power: BigRational| {
        *powers.entry(atom.clone()).or_insert_with(BigRational::zero) += power;
    };
    for (atom, power) in &monomial.0 {
        let power = BigRational::from(BigInt::from(*power));
        match atom {
            Atom::Root { of, degree } => match of.single() {
                Some((inside, _)) => {
                    for (inner, exponent) in &inside.0 {
                        add(inner, &power * BigRational::new(BigInt::from(*exponent), BigInt::from(*degree)));
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
        let cases: [(Polynomial, &[&str]); 6] = [
            (&(&(&n * &n) + &n).over(2) + &one, &["n*n"]),
            (&(&n * &n.log()) + &(&n + &m), &["m", "n*log2(n)"]),
            (&(&n * &m) - &(&m * &m), &["m*n", "m*m"]),
            ((&(&n * &n) + &one).log(), &["log2(n)"]),
            (&n + &(&n.root(2) * &n.log()), &["n"]),
            ((&n - &one).floor(2), &["n"]),
        ];
        for (polynomial, expected) in cases {
            let found: Vec<String> = leading(&polynomial).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{polynomial}");
        }
    }
}
