//! What names of a version are called in another one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use call_compiler::{Atom, Monomial, PROCESSORS, Polynomial};

/// Names, or whole paths such as `v->n`, with what they are called in the other version.
pub type Renamings = BTreeMap<String, String>;

/// Parameters whose name is none in the other version are the ones of the same places there.
pub fn by_position(old: &[String], new: &[String]) -> Renamings {
    let pairs = old.iter().zip(new).filter(|(own, its)| !new.contains(own) && !old.contains(its));
    pairs.map(|(own, its)| (own.clone(), its.clone())).collect()
}

/// Names in the place of those that are no more where inequalities hold: `n` for `m` where `n >= m + 1`.
pub fn greater<'a>(inequalities: impl Iterator<Item = &'a str>) -> Renamings {
    let pair = |text: &'a str| {
        let (high, low) = text.split_once(" >= ")?;
        let low = low
            .split_once(" + ")
            .filter(|(_, number)| number.parse::<u64>().is_ok())
            .map_or(low, |(low, _)| low);
        let is_path = |text: &str| matches!(words(text)[..], [(_, true)]);
        (is_path(high) && is_path(low)).then(|| (low.to_owned(), high.to_owned()))
    };
    inequalities.filter_map(pair).collect()
}

/// A basis with the names of the other version.
pub fn renamed(basis: &Monomial, renamings: &Renamings) -> Monomial {
    if renamings.is_empty() {
        return basis.clone();
    }
    let told = in_other_names(&Polynomial::from(basis.clone()), renamings);
    told.and_then(|told| Some(told.single()?.0.clone())).unwrap_or_else(|| basis.clone())
}

fn in_other_names(number: &Polynomial, renamings: &Renamings) -> Option<Polynomial> {
    number.mapped(&|atom| match atom {
        Atom::Name(name) => Some(Polynomial::name(&text_renamed(name, renamings))),
        Atom::Element { array, index } => {
            let index = Arc::new(in_other_names(index, renamings)?);
            Some(Polynomial::from(Atom::Element { array: text_renamed(array, renamings).into(), index }))
        }
        _ => None,
    })
}

fn text_renamed(text: &str, renamings: &Renamings) -> String {
    let told = |(word, is_path): (&str, bool)| {
        let of_root = || {
            let root = word.find(['-', '.']).unwrap_or(word.len());
            Some(format!("{}{}", renamings.get(&word[..root])?, &word[root..]))
        };
        let other = is_path.then(|| renamings.get(word).cloned().or_else(of_root)).flatten();
        other.unwrap_or_else(|| word.to_owned())
    };
    words(text).into_iter().map(told).collect()
}

/// The paths in what numbers are told as, `n` and `v->n` in `(n - v->n)`.
pub fn paths(numbers: &[Monomial]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in numbers.iter().map(ToString::to_string) {
        let paths = words(&text).into_iter().filter(|(_, is_path)| *is_path);
        found.extend(paths.map(|(path, _)| path.to_owned()));
    }
    found.remove(PROCESSORS);
    found
}

/// A text in pieces: paths, and what is between. The name of a function is none.
fn words(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_path = first.is_ascii_alphabetic() || first == '_';
        let end = if is_path { end_of_path(rest) } else { end_of_other(rest) };
        let (word, behind) = rest.split_at(end);
        found.push((word, is_path && !behind.starts_with('(')));
        rest = behind;
    }
    found
}

fn end_of_path(text: &str) -> usize {
    let end =
        |text: &str| text.find(|its: char| !its.is_ascii_alphanumeric() && its != '_').unwrap_or(text.len());
    let mut at = end(text);
    loop {
        let behind = &text[at..];
        let Some(member) = behind.strip_prefix("->").or_else(|| behind.strip_prefix('.')) else { return at };
        at = text.len() - member.len() + end(member);
    }
}

/// Numbers are none, with what is part of them.
fn end_of_other(text: &str) -> usize {
    if text.starts_with(|its: char| its.is_ascii_digit()) {
        return text.find(|its: char| !its.is_ascii_alphanumeric() && its != '.').unwrap_or(text.len());
    }
    text.find(|its: char| its.is_ascii_alphanumeric() || its == '_').unwrap_or(text.len())
}

/// Each way to call these names as those.
pub fn ways(old: &[String], new: &[String]) -> Vec<Renamings> {
    let Some((first, others)) = old.split_first() else { return vec![Renamings::new()] };
    let mut found = Vec::new();
    for name in new {
        let left: Vec<String> = new.iter().filter(|its| *its != name).cloned().collect();
        for mut way in ways(others, &left) {
            way.insert(first.clone(), name.clone());
            found.push(way);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths() {
        let renamings = Renamings::from(
            [("n", "length"), ("v", "w"), ("g->n", "g->count")]
                .map(|(one, other)| (one.to_owned(), other.to_owned())),
        );
        let told = |text: &str| text_renamed(text, &renamings);
        assert_eq!(told("(n - v->n)"), "(length - w->n)");
        assert_eq!(told("min(g->n, start[n])*n2"), "min(g->count, start[length])*n2");
        let numbers =
            [Monomial((Atom::name("(g->n - n)"), 1).into()), Monomial((Atom::name("P"), -1).into())];
        assert_eq!(paths(&numbers), ["g->n", "n"].map(str::to_owned).into());
        let names = |names: &[&str]| names.iter().map(|its| (*its).to_owned()).collect::<Vec<_>>();
        let found = by_position(&names(&["n", "m", "k"]), &names(&["m", "rows", "k"]));
        assert!(found.is_empty(), "{found:?}");
        let found = by_position(&names(&["n", "m", "k"]), &names(&["length", "m", "l"]));
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [("k", "l"), ("n", "length")].map(|(one, other)| (one.to_owned(), other.to_owned()))
        );
    }
}
