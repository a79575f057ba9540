//! Counts of differences, such as `hi - lo`, told in their sizes.

use std::collections::BTreeSet;

use call_counting::{Atom, Monomial, Polynomial, leading_terms};

/// Differences that all counts are functions of: `hi - lo` is one variable where neither is used alone.
pub struct Sizes(Vec<(Atom, Polynomial)>);

/// More differences than this are not looked for.
const MOST_SIZES: usize = 6;

impl Sizes {
    pub fn of(counts: &[Polynomial]) -> Sizes {
        Sizes(found(counts, &mut Vec::new()).unwrap_or_default())
    }

    pub fn applied(&self, count: &Polynomial) -> Polynomial {
        self.0
            .iter()
            .fold(count.clone(), |count, (atom, value)| replaced(&count, atom, value).unwrap_or(count))
    }
}

/// The high and the low end of a difference that is told as one variable.
pub fn ends_of(name: &str) -> Option<(&str, &str)> {
    let inside = name.strip_prefix('(')?.strip_suffix(')')?;
    let is_whole = |part: &str| part.matches(['(', '[']).count() == part.matches([')', ']']).count();
    let minus = inside.match_indices(" - ").map(|(at, _)| (&inside[..at], &inside[at + 3..]));
    minus.into_iter().find(|(high, low)| is_whole(high) && is_whole(low))
}

/// The differences that are told so far and those that are left in counts, if all that is counted grows with each. Of a product each
/// factor may be told the other way round as well, so which of two is the high one is known of all together only.
fn found(counts: &[Polynomial], sizes: &mut Vec<Polynomial>) -> Option<Vec<(Atom, Polynomial)>> {
    if let Some(pair) = pair(counts).filter(|_| sizes.len() < MOST_SIZES) {
        for [high, low] in [[&pair[0], &pair[1]], [&pair[1], &pair[0]]] {
            let size = Polynomial::name(&format!("({high} - {low})"));
            let value = &Polynomial::from(low.clone()) + &size;
            let Some(told) =
                counts.iter().map(|count| replaced(count, high, &value)).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            sizes.push(size);
            let inner = found(&told, sizes);
            sizes.pop();
            if let Some(inner) = inner {
                return Some([vec![(high.clone(), value)], inner].concat());
            }
        }
    }
    let grow = |count: &Polynomial| sizes.iter().all(|size| grows(count, size));
    counts.iter().all(grow).then(Vec::new)
}

/// Two values of which only the difference counts.
fn pair(counts: &[Polynomial]) -> Option<[Atom; 2]> {
    let mut atoms = BTreeSet::new();
    counts.iter().for_each(|count| add_atoms(count, &mut atoms));
    let is_value = |atom: &&Atom| match atom {
        Atom::Name(name) => !name.starts_with('('),
        atom => matches!(atom, Atom::Element { .. } | Atom::Extreme { .. }),
    };
    let values: Vec<&Atom> = atoms.into_iter().filter(is_value).collect();
    let pairs = values.iter().enumerate().flat_map(|(place, first)| {
        values[place + 1..].iter().map(move |second| [(*first).clone(), (*second).clone()])
    });
    pairs.into_iter().find(|[high, low]| {
        let value = &Polynomial::from(low.clone()) + &Polynomial::name("(size)");
        let is_gone = |count: &Polynomial| {
            let mut left = BTreeSet::new();
            add_atoms(count, &mut left);
            !left.contains(low)
        };
        counts.iter().all(|count| replaced(count, high, &value).is_some_and(|told| is_gone(&told)))
    })
}

/// All atoms of it but those of which the lesser or greater one is taken: that is a value of its own.
fn add_atoms<'a>(polynomial: &'a Polynomial, found: &mut BTreeSet<&'a Atom>) {
    for atom in polynomial.terms().flat_map(|(monomial, _)| monomial.0.keys()) {
        if found.insert(atom) && !matches!(atom, Atom::Extreme { .. }) {
            atom.inside().iter().for_each(|inside| add_atoms(inside, found));
        }
    }
}

fn replaced(count: &Polynomial, wanted: &Atom, value: &Polynomial) -> Option<Polynomial> {
    count.mapped(&|atom| match atom {
        atom if atom == wanted => Some(value.clone()),
        Atom::Extreme { .. } => Some(Polynomial::from(atom.clone())),
        _ => None,
    })
}

/// Whether a count grows with a size: of `hi - lo` and `lo - hi` that one is meant.
fn grows(count: &Polynomial, size: &Polynomial) -> bool {
    let has_size =
        |monomial: &Monomial| Polynomial::from(monomial.clone()).atoms().iter().any(|its| size.mentions(its));
    let inside = |atom: &&Atom| match atom {
        Atom::Log(of) | Atom::Root { of, .. } | Atom::Floor { of, .. } => grows(of, size),
        _ => true,
    };
    leading_terms(count).iter().filter(|(its, _)| has_size(its)).all(|(_, value)| value.is_positive())
        && count.atoms().iter().all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: &[Polynomial], expected: &[&str]) {
        let sizes = Sizes::of(counts);
        let told: Vec<String> = counts.iter().map(|count| sizes.applied(count).to_string()).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn the_size_is_what_counts_grow_with() {
        let [low, high, first, last] = ["l", "r", "f", "g"].map(Polynomial::name);
        let (rows, columns) = (&high - &low, &last - &first);
        check(std::slice::from_ref(&rows), &["(r - l)"]);
        check(&[rows.log()], &["log2(r - l)"]);
        check(&[rows.clone(), &rows * &columns], &["(r - l)", "(g - f)*(r - l)"]);
        check(&[columns.clone(), &rows * &columns], &["(g - f)", "(g - f)*(r - l)"]);
        // `l` counts by itself, too.
        check(&[&rows * &columns, low.clone()], &["f*l + g*r - f*r - g*l", "l"]);
        let inner = &high.extreme(&last, true) - &low.extreme(&first, false);
        check(&[&inner * &rows, inner], &["(min(g, r) - max(f, l))*(r - l)", "(min(g, r) - max(f, l))"]);
    }
}
