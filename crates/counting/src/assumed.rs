//! What has to hold for a number of iterations, told in parameters.

use std::collections::{BTreeMap, BTreeSet};

use crate::polynomial::{Atom, Monomial, Polynomial};
use crate::quality::Assumption;

/// Logarithms are told of what is 1 at least, roots of what is not negative; no divisor is 0.
pub fn where_it_has_a_value(times: &Polynomial) -> Vec<Assumption> {
    let one = Polynomial::from(1);
    let mut found = Vec::new();
    let mut divisors: BTreeSet<&Atom> = divisors_of(times).collect();
    for atom in times.atoms() {
        divisors.extend(atom.inside().iter().flat_map(divisors_of));
        match atom {
            Atom::Log(of) => found.push(without_divisors(&(&**of - &one))),
            Atom::Root { of, .. } => found.push(without_divisors(of)),
            _ => {}
        }
    }
    found.extend(divisors.into_iter().map(|atom| &Polynomial::from(atom.clone()) - &one));
    let may_fail = |its: &Polynomial| its.constant().is_none_or(|value| value.is_negative());
    found.into_iter().filter(may_fail).map(Assumption).collect()
}

fn divisors_of(polynomial: &Polynomial) -> impl Iterator<Item = &Atom> {
    let powers = polynomial.terms().flat_map(|(monomial, _)| monomial.0.iter());
    powers.filter(|(_, power)| **power < 0).map(|(atom, _)| atom)
}

/// The same inequality with both sides multiplied by the divisors, which are positive.
fn without_divisors(positive: &Polynomial) -> Polynomial {
    let mut least: BTreeMap<&Atom, i32> = BTreeMap::new();
    for (atom, power) in positive.terms().flat_map(|(monomial, _)| monomial.0.iter()) {
        let known = least.entry(atom).or_insert(0);
        *known = (*known).min(*power);
    }
    let mut factor = Monomial::default();
    for (atom, power) in least.into_iter().filter(|(_, power)| *power < 0) {
        factor.0.add(atom.clone(), -power, |own, its| Some(own + its));
    }
    positive * &Polynomial::from(factor)
}

/// Whether it has the variable of a loop elsewhere than in subscripts, where it stands for each element.
pub fn has_index_beside_elements(polynomial: &Polynomial) -> bool {
    polynomial.terms().flat_map(|(monomial, _)| monomial.0.iter()).any(|(atom, _)| match atom {
        Atom::Index(_) => true,
        Atom::Element { .. } => false,
        other => other.inside().iter().any(has_index_beside_elements),
    })
}
