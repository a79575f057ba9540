//! Counts of differences, such as `hi - lo`, told in their sizes.

use std::collections::BTreeSet;

use call_counting::{Atom, Monomial, Polynomial, leading_terms};

/// Differences that all counts are functions of: `hi - lo` is one variable where neither is used alone.
pub struct Sizes(Vec<(Atom, Polynomial)>);

impl Sizes {
    pub fn of(mut counts: Vec<Polynomial>) -> Sizes {
        let mut found = Vec::new();
        while let Some((high, value)) = difference(&counts) {
            let replaced =
                counts.iter().map(|count| count.substituted(&high, &value)).collect::<Option<Vec<_>>>();
            let Some(replaced) = replaced else { break };
            counts = replaced;
            found.push((high, value));
        }
        Sizes(found)
    }

    pub fn applied(&self, count: &Polynomial) -> Polynomial {
        self.0
            .iter()
            .fold(count.clone(), |count, (atom, value)| count.substituted(atom, value).unwrap_or(count))
    }
}

/// An atom that stands in differences with another one only, and what it is: the other one and the difference, which is a name of its own.
fn difference(counts: &[Polynomial]) -> Option<(Atom, Polynomial)> {
    let atoms: BTreeSet<&Atom> = counts.iter().flat_map(Polynomial::atoms).collect();
    let plain: Vec<&Atom> =
        atoms.into_iter().filter(|atom| matches!(atom, Atom::Name(_) | Atom::Element { .. })).collect();
    for high in &plain {
        for low in plain.iter().filter(|low| *low != high) {
            let size = Polynomial::name(&format!("({high} - {low})"));
            let value = &Polynomial::from((*low).clone()) + &size;
            let replaced: Option<Vec<Polynomial>> =
                counts.iter().map(|count| count.substituted(high, &value)).collect();
            let is_gone = |count: &Polynomial| !count.mentions(low);
            if replaced
                .is_some_and(|replaced| replaced.iter().all(|count| is_gone(count) && grows(count, &size)))
            {
                return Some(((*high).clone(), value));
            }
        }
    }
    None
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

    #[test]
    fn the_size_is_what_counts_grow_with() {
        let [low, high] = ["l", "r"].map(Polynomial::name);
        for count in [&high - &low, (&high - &low).log()] {
            let told = Sizes::of(vec![count.clone()]).applied(&count).to_string();
            assert!(told.contains("(r - l)"), "{told}");
        }
    }
}
