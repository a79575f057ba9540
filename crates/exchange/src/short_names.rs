//! Names that are as short as they can be without standing for two things.

use std::collections::{BTreeMap, BTreeSet};

use crate::Note;

/// The names that something has, the shortest first; the last one is no other's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameLengths(Vec<String>);

impl NameLengths {
    /// Names from the shortest on.
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> NameLengths {
        let mut lengths = Vec::new();
        for name in names {
            if !lengths.contains(&name) {
                lengths.push(name);
            }
        }
        NameLengths(lengths)
    }

    /// Adds something to all of them: two things that differ in it differ in each.
    pub(crate) fn extend(&mut self, text: &str) {
        self.0.iter_mut().for_each(|name| name.push_str(text));
    }

    /// Adds to each name one with something behind it.
    pub(crate) fn or_with(&mut self, text: &str) {
        let names = std::mem::take(&mut self.0);
        self.0 = names.into_iter().flat_map(|name| [name.clone(), name + text]).collect();
    }

    /// Adds the longest name.
    pub(crate) fn is_also(&mut self, name: String) {
        self.0.push(name);
    }

    /// What is made of all of them.
    pub(crate) fn map(self, made: impl Fn(&str) -> String) -> NameLengths {
        NameLengths::new(self.0.iter().map(|name| made(name)))
    }

    fn shortest(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// The name that is no other's.
    pub(crate) fn whole(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    fn of_length(&self, length: usize) -> &str {
        self.0.get(length).map_or_else(|| self.whole(), String::as_str)
    }
}

impl From<String> for NameLengths {
    fn from(name: String) -> NameLengths {
        NameLengths(vec![name])
    }
}

/// Which of their names things were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ShortNames {
    given: BTreeMap<String, String>,
    whole_of: BTreeMap<String, String>,
}

impl ShortNames {
    /// Names for all things of a file. Those of one short name get the shortest that tells all of them apart and was given to nothing else.
    pub(crate) fn give(&mut self, all: &[NameLengths]) -> (Vec<String>, Vec<Note>) {
        let mut groups: BTreeMap<&str, BTreeSet<&NameLengths>> = BTreeMap::new();
        for names in all {
            groups.entry(names.shortest()).or_default().insert(names);
        }
        let mut notes = Vec::new();
        for (short, group) in groups {
            let new: Vec<&NameLengths> =
                group.iter().copied().filter(|names| !self.given.contains_key(names.whole())).collect();
            let is_alone = group.len() == 1;
            let longest = group.iter().map(|names| names.0.len()).max().unwrap_or(1);
            let tells_apart = |length: &usize| {
                let distinct: BTreeSet<&str> = group.iter().map(|names| names.of_length(*length)).collect();
                let is_free = |names: &&NameLengths| !self.whole_of.contains_key(names.of_length(*length));
                distinct.len() == group.len() && new.iter().all(is_free) && (*length > 0 || is_alone)
            };
            let length = (0..longest).find(tells_apart).unwrap_or(longest);
            let before = self.whole_of.get(short).cloned();
            let mut longer = Vec::new();
            for names in new {
                let name = self.free(names.of_length(length));
                self.given.insert(names.whole().to_owned(), name.clone());
                self.whole_of.insert(name.clone(), names.whole().to_owned());
                longer.extend((name != short).then_some(name));
            }
            if !longer.is_empty() {
                notes.push(Note::Longer { short: short.to_owned(), names: longer, before });
            }
        }
        let name = |names: &NameLengths| self.given[names.whole()].clone();
        (all.iter().map(name).collect(), notes)
    }

    /// The name, unless it was given: then with a number.
    fn free(&self, name: &str) -> String {
        let numbered = (2_u64..).map(|number| format!("{name} {number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        candidates.find(|name| !self.whole_of.contains_key(name)).unwrap_or_default()
    }

    /// Whether nothing has another name in the other ones, or a name of them is that of something else.
    pub(crate) fn agrees_with(&self, other: &ShortNames) -> bool {
        other.given.iter().all(|(whole, name)| {
            self.given.get(whole).is_none_or(|known| known == name)
                && self.whole_of.get(name).is_none_or(|known| known == whole)
        })
    }

    pub(crate) fn take(&mut self, other: &ShortNames) {
        let copied = |(from, to): (&String, &String)| (from.clone(), to.clone());
        self.given.extend(other.given.iter().map(copied));
        self.whole_of.extend(other.whole_of.iter().map(copied));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(names: &[&str]) -> NameLengths {
        NameLengths::new(names.iter().map(|name| (*name).to_owned()))
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let (a, c) = (
            lengths(&["B.run", "B.run avgt", "a.B.run avgt"]),
            lengths(&["B.run", "B.run avgt", "c.B.run avgt"]),
        );
        let (shot, other) = (lengths(&["B.run", "B.run ss", "a.B.run ss"]), lengths(&["D.run", "c.D.run"]));
        let mut names = ShortNames::default();
        assert_eq!(
            names.give(&[a.clone(), shot.clone(), a.clone()]).0,
            ["B.run avgt", "B.run ss", "B.run avgt"]
        );
        let mut names = ShortNames::default();
        assert_eq!(
            names.give(&[a.clone(), c.clone(), other.clone()]).0,
            ["a.B.run avgt", "c.B.run avgt", "D.run"]
        );
        let mut names = ShortNames::default();
        assert_eq!(
            names.give(&[a.clone(), other.clone()]),
            (vec!["B.run".to_owned(), "D.run".to_owned()], Vec::new())
        );
        // In a further file the name is taken, and what has one keeps it.
        let (given, notes) = names.give(&[c.clone(), a.clone()]);
        assert_eq!((given[0].as_str(), given[1].as_str(), notes.len()), ("c.B.run avgt", "B.run", 1));
        assert_eq!(names.give(&[c]).1, []);
        assert_eq!(names.give(&[shot]).0, ["B.run ss"]);
    }

    #[test]
    fn files_that_were_read_alone_agree_or_not() {
        let of = |names: &[&str]| {
            let mut short = ShortNames::default();
            short.give(&[lengths(names)]);
            short
        };
        let mut known = of(&["s", "a::s"]);
        assert!(known.agrees_with(&of(&["s", "a::s"])) && known.agrees_with(&of(&["t", "b::t"])));
        assert!(!known.agrees_with(&of(&["s", "b::s"])));
        known.take(&of(&["t", "b::t"]));
        assert!(!known.agrees_with(&of(&["t", "a::t"])));
    }
}
