//! Whether a number grows no faster than others, also with the lesser or greater one of two values and with differences in it.

use std::sync::Arc;

use call_counting::{Atom, Monomial, Polynomial, is_dominated, leading_terms};

use super::difference::ends_of;

/// Sums that are looked into one after another; deeper ones stay as they are.
const MOST_DEEP: usize = 6;

/// Whether it is at most a constant times the sum of the others, whatever values their names have that are not negative. Where that is
/// not known, it is false.
pub fn is_bounded(one: &Monomial, others: &[Monomial]) -> bool {
    bounded(one, others, 0)
}

/// The same for the most that the others may be: `min(m, n)` is `n` where `m` is large, and `n - m` where `m` is 0. What is not bounded by
/// that grows faster for sure.
pub fn may_be_bounded(one: &Monomial, others: &[Monomial]) -> bool {
    let most: Vec<Monomial> = others.iter().flat_map(|its| most(its, 0)).collect();
    is_bounded(one, &most)
}

fn bounded(one: &Monomial, others: &[Monomial], depth: usize) -> bool {
    if others.iter().any(|its| is_dominated(one, its)) {
        return true;
    }
    if depth == MOST_DEEP {
        return false;
    }
    let is_below = |(rest, sums): (Monomial, Vec<Vec<Monomial>>)| {
        sums.iter().any(|sum| sum.iter().all(|part| bounded(&rest.times(part), others, depth + 1)))
    };
    let is_above = |other: &Monomial| {
        parts(other, at_least).any(|(rest, alternatives)| {
            let is_each =
                |sum: &Vec<Monomial>| sum.iter().any(|part| bounded(one, &[rest.times(part)], depth + 1));
            alternatives.iter().all(is_each)
        })
    };
    parts(one, at_most).any(is_below) || others.iter().any(is_above)
}

/// What a number may be at the most.
fn most(one: &Monomial, depth: usize) -> Vec<Monomial> {
    let least = |atom: &Atom| at_most(atom).filter(|_| !is_greatest(atom));
    match parts(one, least).next().filter(|_| depth < MOST_DEEP) {
        None => vec![one.clone()],
        Some((rest, sums)) => {
            sums.iter().flatten().flat_map(|part| most(&rest.times(part), depth + 1)).collect()
        }
    }
}

/// For each atom that there is something to say of: that, to its power, and the rest of the product.
fn parts(
    one: &Monomial,
    of: impl Fn(&Atom) -> Option<Vec<Vec<Monomial>>>,
) -> impl Iterator<Item = (Monomial, Vec<Vec<Monomial>>)> {
    one.0.iter().filter(|(_, power)| **power > 0).filter_map(move |(atom, power)| {
        let to_power = |part: &Monomial| (1..*power).fold(part.clone(), |product, _| product.times(part));
        let sums = of(atom)?.iter().map(|sum| sum.iter().map(to_power).collect()).collect();
        Some((one.without(atom), sums))
    })
}

/// Sums, each of which is no less than an atom, but for a factor.
fn at_most(atom: &Atom) -> Option<Vec<Vec<Monomial>>> {
    match atom {
        Atom::Name(name) => Some(vec![vec![high(name)?]]),
        Atom::Extreme { of, is_least: true } => Some(of.iter().map(grown).collect()),
        Atom::Extreme { of, is_least: false } => Some(vec![of.iter().flat_map(grown).collect()]),
        _ => within(atom, at_most),
    }
}

/// Sums of which the least is no more than an atom, but for a factor.
fn at_least(atom: &Atom) -> Option<Vec<Vec<Monomial>>> {
    let whole =
        |of: &Polynomial| if of.has_no_negative_term() { grown(of) } else { vec![Monomial::default()] };
    match atom {
        Atom::Extreme { of, is_least: true } => Some(of.iter().map(whole).collect()),
        Atom::Extreme { of, is_least: false } => Some(vec![of.iter().flat_map(whole).collect()]),
        _ => within(atom, at_least),
    }
}

/// The same for a logarithm or root.
fn within(atom: &Atom, of: impl Fn(&Atom) -> Option<Vec<Vec<Monomial>>>) -> Option<Vec<Vec<Monomial>>> {
    let (Atom::Log(inside) | Atom::Root { of: inside, .. }) = atom else { return None };
    let (inner, _) = inside.single().filter(|(its, _)| its.0.len() == 1)?;
    let (inner, _) = inner.0.iter().next()?;
    let around = |part: &Monomial| match (atom, Arc::new(Polynomial::from(part.clone()))) {
        _ if part.0.is_empty() => part.clone(),
        (Atom::Root { degree, .. }, of) => Monomial((Atom::Root { of, degree: *degree }, 1).into()),
        (_, of) => Monomial((Atom::Log(of), 1).into()),
    };
    Some(of(inner)?.iter().map(|sum| sum.iter().map(around).collect()).collect())
}

/// What makes a sum large.
fn grown(of: &Polynomial) -> Vec<Monomial> {
    leading_terms(of).into_iter().filter(|(_, value)| value.is_positive()).map(|(its, _)| its).collect()
}

fn is_greatest(atom: &Atom) -> bool {
    match atom {
        Atom::Extreme { is_least, .. } => !is_least,
        Atom::Log(of) | Atom::Root { of, .. } => of.atoms().into_iter().any(is_greatest),
        _ => false,
    }
}

/// What something is subtracted from in a difference.
fn high(name: &str) -> Option<Monomial> {
    ends_of(name).map(|(high, _)| Monomial((value_of(high), 1).into()))
}

/// A value that is told within a difference.
fn value_of(text: &str) -> Atom {
    let extreme = |start: &str| text.strip_prefix(start)?.strip_suffix(')')?.split_once(", ");
    let is_plain = |values: &(&str, &str)| ![values.0, values.1].concat().contains(['(', ' ']);
    match [("min(", true), ("max(", false)]
        .into_iter()
        .find_map(|(start, is_least)| Some((extreme(start).filter(is_plain)?, is_least)))
    {
        Some(((one, other), is_least)) => {
            let of = Arc::new([one, other].map(Polynomial::name));
            Atom::Extreme { of, is_least }
        }
        None => Atom::name(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monomial(value: &Polynomial) -> Monomial {
        value.single().unwrap().0.clone()
    }

    #[test]
    fn what_bounds_what() {
        let [m, n, difference] = ["m", "n", "(n - m)"].map(Polynomial::name);
        let (least, greatest) = (m.extreme(&n, true), m.extreme(&n, false));
        let cases: [(&Polynomial, &[&Polynomial], [bool; 2]); 16] = [
            (&least, &[&n], [true; 2]),
            (&least, &[&m], [true; 2]),
            (&n, &[&least], [false, true]),
            (&n, &[&greatest], [true; 2]),
            (&greatest, &[&m, &n], [true; 2]),
            (&greatest, &[&n], [false; 2]),
            (&difference, &[&n], [true; 2]),
            (&difference, &[&m], [false; 2]),
            (&n, &[&difference], [false, true]),
            (&m, &[&difference], [false; 2]),
            (&(&least * &m), &[&(&n * &m)], [true; 2]),
            (&(&greatest * &greatest), &[&(&n * &n), &(&m * &m)], [true; 2]),
            (&(&greatest * &least), &[&(&n * &m)], [true; 2]),
            (&least.log(), &[&n.log()], [true; 2]),
            (&n.log(), &[&greatest.log()], [true; 2]),
            (&(&n * &n), &[&greatest, &difference], [false; 2]),
        ];
        for (one, others, expected) in cases {
            let bounds: Vec<Monomial> = others.iter().map(|its| monomial(its)).collect();
            let found = [is_bounded(&monomial(one), &bounds), may_be_bounded(&monomial(one), &bounds)];
            assert_eq!(found, expected, "{one} by {others:?}");
        }
    }
}
