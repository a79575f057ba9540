//! The paths that are spoken of while a block is walked through, by small numbers, with what each is part of.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::place::{member_of, root_of};
use super::places::PlaceNumbers;

/// The numbers of paths, and which of them belong together. It says nothing of values: all that is known in a block shares it.
#[derive(Debug, Default)]
pub struct Paths {
    numbers: HashMap<Rc<str>, usize, FixedState>,
    all: Vec<NumberedPath>,
    by_root: HashMap<Rc<str>, Vec<usize>, FixedState>,
    members: HashMap<Rc<str>, usize, FixedState>,
    of_members: Vec<OfMember>,
    /// The path that was asked for last, which is often asked for again.
    last: usize,
}

#[derive(Debug)]
struct NumberedPath {
    text: Rc<str>,
    /// The member behind a pointer that it ends in.
    member: Option<usize>,
    /// What it is reached by, the shortest first, each with the member behind a pointer that it ends in.
    prefixes: Box<[(usize, Option<usize>)]>,
    /// The paths that it is a prefix of.
    longer: Vec<usize>,
    /// That it changes, in words.
    change: Option<Arc<str>>,
}

/// The paths of a member behind pointers.
#[derive(Debug)]
struct OfMember {
    name: Rc<str>,
    /// The number of the place that it is behind any pointer, once it has one.
    place: Cell<Option<usize>>,
    /// Those that end in it, in the order of their texts.
    ending: Vec<usize>,
    /// Those that are reached by it.
    through: Vec<usize>,
}

impl Paths {
    /// The number of a path, which it gets where it has none.
    pub fn number(&mut self, path: &str) -> usize {
        if self.all.get(self.last).is_some_and(|last| *last.text == *path) {
            return self.last;
        }
        if let Some(known) = self.numbers.get(path) {
            self.last = *known;
            return *known;
        }
        let prefixes: Vec<(usize, Option<usize>)> = path
            .match_indices(['.', '-'])
            .map(|(end, _)| {
                let prefix = self.number(&path[..end]);
                (prefix, self.all[prefix].member)
            })
            .collect();
        let number = self.all.len();
        let member = member_of(path).map(|name| self.member(name));
        if let Some(member) = member {
            let ending = &self.of_members[member].ending;
            let position = ending.partition_point(|other| *self.all[*other].text < *path);
            self.of_members[member].ending.insert(position, number);
        }
        for (prefix, member) in &prefixes {
            self.all[*prefix].longer.push(number);
            if let Some(member) = member {
                self.of_members[*member].through.push(number);
            }
        }
        let text: Rc<str> = path.into();
        let root = root_of(path);
        match self.by_root.get_mut(root) {
            Some(rooted) => rooted.push(number),
            None => {
                let root = if root == path { text.clone() } else { root.into() };
                self.by_root.insert(root, vec![number]);
            }
        }
        self.numbers.insert(text.clone(), number);
        self.all.push(NumberedPath {
            text,
            member,
            prefixes: prefixes.into(),
            longer: Vec::new(),
            change: None,
        });
        number
    }

    fn member(&mut self, name: &str) -> usize {
        if let Some(known) = self.members.get(name) {
            return *known;
        }
        let (name, number): (Rc<str>, usize) = (name.into(), self.of_members.len());
        self.members.insert(name.clone(), number);
        self.of_members.push(OfMember {
            name,
            place: Cell::default(),
            ending: Vec::new(),
            through: Vec::new(),
        });
        number
    }

    pub fn text(&self, path: usize) -> &Rc<str> {
        &self.all[path].text
    }

    /// In words that a path changes.
    pub fn change_of(&mut self, path: usize) -> Arc<str> {
        let NumberedPath { text, change, .. } = &mut self.all[path];
        change.get_or_insert_with(|| format!("`{text}` changes").into()).clone()
    }

    /// The member behind a pointer that a path ends in.
    pub fn member_of(&self, path: usize) -> Option<usize> {
        self.all[path].member
    }

    pub fn name_of_member(&self, member: usize) -> &str {
        &self.of_members[member].name
    }

    /// The number that a member behind any pointer has among the places of the program, if it has one.
    pub fn place_of_member(&self, member: usize, places: &PlaceNumbers) -> Option<usize> {
        let of_member = &self.of_members[member];
        if of_member.place.get().is_none() {
            of_member.place.set(places.find_member(&of_member.name));
        }
        of_member.place.get()
    }

    /// What a path is reached by, each with its number as a member behind a pointer.
    pub fn prefixes(&self, path: usize) -> &[(usize, Option<usize>)] {
        &self.all[path].prefixes
    }

    /// Members of a path, and what is reached by it.
    pub fn longer(&self, path: usize) -> &[usize] {
        &self.all[path].longer
    }

    /// The paths that begin with a name.
    pub fn rooted(&self, root: &str) -> &[usize] {
        self.by_root.get(root).map_or(&[], Vec::as_slice)
    }

    /// The paths that end in a member behind a pointer, in the order of their texts.
    pub fn ending_in(&self, member: usize) -> &[usize] {
        &self.of_members[member].ending
    }

    /// The paths that are reached by a member behind a pointer.
    pub fn through(&self, member: usize) -> &[usize] {
        &self.of_members[member].through
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_know_what_they_are_part_of() {
        let mut paths = Paths::default();
        let [b, a, deep] = ["b->n", "a->n", "a->n.k->m"].map(|path| paths.number(path));
        assert_eq!(paths.number("b->n"), b);
        let member = paths.member_of(a).unwrap();
        assert_eq!((paths.name_of_member(member), paths.member_of(b)), ("n", Some(member)));
        assert_eq!(paths.ending_in(member), [a, b]);
        assert!(paths.through(member).contains(&deep));
        assert_eq!(paths.longer(a).last(), Some(&deep));
        let texts: Vec<&str> =
            paths.prefixes(deep).iter().map(|(prefix, _)| &**paths.text(*prefix)).collect();
        assert_eq!(texts, ["a", "a->n", "a->n.k"]);
        assert!(paths.rooted("a").contains(&deep) && !paths.rooted("a").contains(&b));
    }
}
