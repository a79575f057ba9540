//! The names of variables and members: in numbers, and by their hashes.

use std::collections::{BTreeSet, HashSet};
use std::hash::BuildHasher;

use call_counting::{Atom, Monomial, Polynomial};
use foldhash::fast::FixedState;

use super::difference::ends_of;
use super::place::{last_name, names_of};

/// A name by its hash: two with one hash are read together, which does no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NameHash(u64);

impl NameHash {
    pub fn new(name: &[u8]) -> NameHash {
        NameHash(FixedState::default().hash_one(name))
    }

    /// The last name of a path.
    pub fn last_of(path: &str) -> NameHash {
        NameHash::new(last_name(path).as_bytes())
    }
}

/// Names that are read.
#[derive(Debug, Clone, Default)]
pub struct NamesRead(HashSet<NameHash, FixedState>);

impl NamesRead {
    pub fn insert(&mut self, name: &[u8]) {
        self.0.insert(NameHash::new(name));
    }

    /// All names of a path.
    pub fn insert_path(&mut self, path: &str) {
        names_of(path).for_each(|name| self.insert(name.as_bytes()));
    }

    pub fn add(&mut self, name: NameHash) {
        self.0.insert(name);
    }

    pub fn contains(&self, name: NameHash) -> bool {
        self.0.contains(&name)
    }

    pub fn iter(&self) -> impl Iterator<Item = NameHash> {
        self.0.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn extend(&mut self, other: &NamesRead) {
        self.0.extend(&other.0);
    }
}

/// The variables that a number depends on, as C writes them. The size of a type is a constant.
pub fn names_in(number: &Polynomial) -> BTreeSet<String> {
    number.atoms().into_iter().flat_map(names_of_atom).collect()
}

/// The same for the basis of a term.
pub fn names_of_basis(basis: &Monomial) -> BTreeSet<String> {
    basis.0.iter().flat_map(|(atom, _)| names_of_atom(atom)).collect()
}

fn names_of_atom(atom: &Atom) -> BTreeSet<String> {
    match atom {
        Atom::Name(name) if name.starts_with("sizeof") => BTreeSet::new(),
        Atom::Name(name) => names_of_value(name),
        Atom::Element { .. } => BTreeSet::from([atom.to_string()]),
        other => other.inside().iter().flat_map(names_in).collect(),
    }
}

/// Those in a value, which may be the difference of two, or the lesser or greater one of them.
fn names_of_value(value: &str) -> BTreeSet<String> {
    let parts = ends_of(value).or_else(|| {
        let inside = value.strip_prefix("min(").or_else(|| value.strip_prefix("max("));
        inside?.strip_suffix(')')?.split_once(", ")
    });
    match parts {
        Some((one, other)) => [one, other].into_iter().flat_map(names_of_value).collect(),
        None => BTreeSet::from([value.to_owned()]),
    }
}

/// Whether what has the name is read through a pointer.
pub fn is_behind_pointer(name: &str) -> bool {
    name.contains("->") || name.contains('[') || name.starts_with('*')
}
