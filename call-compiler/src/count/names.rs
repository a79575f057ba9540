//! The names of variables and members, by their hashes.

use std::collections::HashSet;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::place::{last_name, names_of};

/// A name by its hash: two with one hash are read together, which does no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name(u64);

impl Name {
    pub fn new(name: &[u8]) -> Name {
        Name(FixedState::default().hash_one(name))
    }

    /// The last name of a path.
    pub fn last_of(path: &str) -> Name {
        Name::new(last_name(path).as_bytes())
    }
}

/// Names that are read.
#[derive(Debug, Clone, Default)]
pub struct Names(HashSet<Name, FixedState>);

impl Names {
    pub fn insert(&mut self, name: &[u8]) {
        self.0.insert(Name::new(name));
    }

    /// All names of a path.
    pub fn insert_path(&mut self, path: &str) {
        names_of(path).for_each(|name| self.insert(name.as_bytes()));
    }

    pub fn add(&mut self, name: Name) {
        self.0.insert(name);
    }

    pub fn contains(&self, name: Name) -> bool {
        self.0.contains(&name)
    }

    pub fn iter(&self) -> impl Iterator<Item = Name> {
        self.0.iter().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn extend(&mut self, other: &Names) {
        self.0.extend(&other.0);
    }
}
