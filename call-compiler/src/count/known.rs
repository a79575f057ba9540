//! The values that are known, found by path, by what a path is part of, and by the member that it ends in.

use std::cell::RefCell;
use std::rc::Rc;

use call_counting::{Atom, Polynomial};
use fixedbitset::FixedBitSet;

use super::paths::Paths;
use super::place::{ANY, are_apart};
use super::places::PlaceNumbers;
use super::reason::{UnknownReason, Value};

/// A copy shares the values, but for those beside the ones that change in it.
#[derive(Debug, Clone, Default)]
pub struct KnownValues {
    places: Rc<PlaceNumbers>,
    paths: Rc<RefCell<Paths>>,
    /// The values by the numbers of their paths.
    values: Vec<Rc<ValuesOfNeighbours>>,
    /// Members that changed behind any pointer, and of which no value is held of any of that name or reached by one.
    lost: FixedBitSet,
}

/// So many values are copied together.
const TOGETHER: usize = 16;

type ValuesOfNeighbours = [Option<Rc<Value>>; TOGETHER];

impl KnownValues {
    pub fn new(places: Rc<PlaceNumbers>) -> KnownValues {
        KnownValues { places, ..KnownValues::default() }
    }

    fn number(&self, path: &str) -> usize {
        self.paths.borrow_mut().number(path)
    }

    fn text(&self, number: usize) -> Rc<str> {
        self.paths.borrow().text(number).clone()
    }

    fn at(&self, number: usize) -> Option<&Value> {
        self.values.get(number / TOGETHER)?[number % TOGETHER].as_deref()
    }

    fn has_value(&self, number: usize) -> bool {
        self.at(number).is_some_and(Result::is_ok)
    }

    fn put(&mut self, number: usize, value: Option<Value>) {
        if self.values.len() <= number / TOGETHER {
            self.values.resize_with(number / TOGETHER + 1, Rc::default);
        }
        Rc::make_mut(&mut self.values[number / TOGETHER])[number % TOGETHER] = value.map(Rc::new);
    }

    /// The paths of which something is held, in the order of their texts.
    pub fn values(&self) -> Vec<(Rc<str>, &Value)> {
        let paths = self.paths.borrow();
        let all = self.values.iter().flat_map(|its| its.iter()).enumerate();
        let held = all.filter_map(|(number, value)| Some((number, value.as_deref()?)));
        let held = held.map(|(number, value)| (paths.text(number).clone(), value));
        let mut held: Vec<(Rc<str>, &Value)> = held.collect();
        held.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        held
    }

    pub fn get(&self, path: &str) -> Option<&Value> {
        self.at(self.number(path))
    }

    pub fn insert(&mut self, path: &str, value: Value) {
        self.insert_at(self.number(path), value);
    }

    fn insert_at(&mut self, number: usize, value: Value) {
        if value.is_ok() {
            self.find_again(number);
        }
        self.put(number, Some(value));
    }

    fn find_again(&mut self, number: usize) {
        if self.lost.is_empty() {
            return;
        }
        let paths = self.paths.borrow();
        let prefixes = paths.prefixes(number).iter().filter_map(|(_, member)| *member);
        for member in prefixes.chain(paths.member_of(number)) {
            if let Some(place) =
                paths.place_of_member(member, &self.places).filter(|its| *its < self.lost.len())
            {
                self.lost.remove(place);
            }
        }
    }

    /// Whether one more change of a member behind a pointer says nothing new.
    pub fn is_lost(&self, path: &str) -> bool {
        self.is_lost_at(self.number(path))
    }

    fn is_lost_at(&self, number: usize) -> bool {
        let paths = self.paths.borrow();
        let place = paths.member_of(number).and_then(|member| paths.place_of_member(member, &self.places));
        place.is_some_and(|place| self.lost.contains(place))
    }

    /// Those members behind any pointer.
    pub fn lost(&self) -> &FixedBitSet {
        &self.lost
    }

    /// Whether it says nothing new that a path is not known any more.
    pub fn holds_no_more(&self, path: &str) -> bool {
        let number = self.number(path);
        let paths = self.paths.borrow();
        match paths.member_of(number) {
            Some(_) => self.is_lost_at(number),
            None => {
                self.at(number).is_some_and(is_lost_for_a_reason)
                    && self.others(&paths, number).next().is_none()
            }
        }
    }

    /// Of a path that changes: others that it may be are not known any more.
    pub fn lose_others(&mut self, path: &str, offset: usize) {
        self.lose_others_at(self.number(path), offset);
    }

    fn lose_others_at(&mut self, number: usize, offset: usize) {
        let others: Vec<usize> = self.others(&self.paths.borrow(), number).collect();
        others.into_iter().for_each(|other| self.insert_at(other, self.changes(other, offset)));
    }

    /// A path is not known any more, nor others that it may be.
    pub fn lose(&mut self, path: &str, offset: usize, reason: UnknownReason) {
        let number = self.number(path);
        self.lose_others_at(number, offset);
        // Why it is not known any more is told once.
        if !self.at(number).is_some_and(is_lost_for_a_reason) {
            self.insert_at(number, Err(reason));
        }
        let paths = self.paths.borrow();
        // From another path some of them may be apart.
        if path.starts_with(ANY)
            && let Some(member) = paths.member_of(number)
        {
            let place = paths.place_of_member(member, &self.places);
            let place = place.unwrap_or_else(|| self.places.number_of_member(paths.name_of_member(member)));
            self.lost.grow_and_insert(place);
        }
    }

    /// Other paths with a value that a change of this one may change: its members, what may be the same member, and what is reached by that.
    fn others<'k>(&'k self, paths: &'k Paths, number: usize) -> impl Iterator<Item = usize> {
        let member = paths.member_of(number);
        let same = member.map_or(&[][..], |member| paths.ending_in(member));
        let through = member.map_or(&[][..], |member| paths.through(member));
        let is_apart = move |other: &usize| are_apart(paths.text(*other), paths.text(number));
        let same = same.iter().chain(through).copied().filter(|its| self.has_value(*its));
        let same = same.filter(move |other| !is_apart(other));
        let longer = paths.longer(number).iter().copied().filter(|its| self.has_value(*its));
        longer.chain(same).filter(move |other| *other != number)
    }

    fn changes(&self, number: usize, offset: usize) -> Value {
        let why = self.paths.borrow_mut().change_of(number);
        Err(UnknownReason { offset, why })
    }

    /// What a pointer points to is not known any more.
    pub fn lose_behind(&mut self, pointer: &str, offset: usize) {
        let number = self.number(pointer);
        let behind: Vec<usize> = self.behind(&self.paths.borrow(), number).collect();
        behind.into_iter().for_each(|path| self.insert_at(path, self.changes(path, offset)));
    }

    /// Whether something is held of what a pointer points to.
    pub fn holds_behind(&self, pointer: &str) -> bool {
        let number = self.number(pointer);
        self.behind(&self.paths.borrow(), number).next().is_some()
    }

    fn behind<'k>(&'k self, paths: &'k Paths, pointer: usize) -> impl Iterator<Item = usize> {
        let length = paths.text(pointer).len();
        let longer = paths.longer(pointer).iter().copied().filter(|longer| self.at(*longer).is_some());
        longer.filter(move |longer| paths.text(*longer)[length..].starts_with("->"))
    }

    /// The paths whose values are not the same in a copy.
    pub fn differing(&self, other: &KnownValues) -> Vec<Rc<str>> {
        let paths = self.paths.borrow();
        let mut found = Vec::new();
        for position in 0..self.values.len().max(other.values.len()) {
            let (own, its) = (self.values.get(position), other.values.get(position));
            if own.zip(its).is_some_and(|(own, its)| Rc::ptr_eq(own, its)) {
                continue;
            }
            let first = position * TOGETHER;
            let differs = |number: &usize| match (self.at(*number), other.at(*number)) {
                (Some(own), Some(its)) => !std::ptr::eq(own, its) && own != its,
                (own, its) => own.is_some() || its.is_some(),
            };
            let numbers = (first..first + TOGETHER).filter(differs);
            found.extend(numbers.map(|number| paths.text(number).clone()));
        }
        found
    }

    /// Forgets what was said of the members of a structure itself.
    pub fn forget_members_of(&mut self, structure: &str) {
        let number = self.number(structure);
        let paths = self.paths.borrow();
        let is_member = |path: &str| path[structure.len()..].starts_with('.') && !path.contains('>');
        let longer = paths.longer(number).iter().copied();
        let members = longer.filter(|its| self.at(*its).is_some() && is_member(paths.text(*its)));
        let members: Vec<usize> = members.collect();
        drop(paths);
        members.into_iter().for_each(|member| self.put(member, None));
    }

    fn rooted<'k>(&'k self, paths: &'k Paths, root: &str) -> impl Iterator<Item = usize> {
        paths.rooted(root).iter().copied().filter(|number| self.at(*number).is_some())
    }

    pub fn has_rooted(&self, root: &str) -> bool {
        self.rooted(&self.paths.borrow(), root).next().is_some()
    }

    /// Takes all paths with this first name out, in the order of their texts.
    pub fn take_rooted(&mut self, root: &str) -> Vec<(Rc<str>, Value)> {
        let numbers: Vec<usize> = self.rooted(&self.paths.borrow(), root).collect();
        let mut taken = Vec::with_capacity(numbers.len());
        for number in numbers {
            self.find_again(number);
            taken.extend(self.at(number).cloned().map(|value| (self.text(number), value)));
            self.put(number, None);
        }
        taken.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        taken
    }

    /// A change of a pointer or structure that a path is reached by, or of what may be the same member by another name.
    pub fn change_of_path(&self, path: &str) -> Option<UnknownReason> {
        let number = self.number(path);
        let paths = self.paths.borrow();
        let change_of = |(part, member): &(usize, Option<usize>)| {
            let same = || member.and_then(|member| self.change_of_member(&paths, member, *part));
            self.change_at(&paths, *part).or_else(same)
        };
        let itself = [(number, paths.member_of(number))];
        paths.prefixes(number).iter().chain(&itself).find_map(change_of)
    }

    /// A change of a member behind some pointer that a path may be.
    fn change_of_member(&self, paths: &Paths, member: usize, path: usize) -> Option<UnknownReason> {
        let others = paths.ending_in(member).iter().copied();
        let mut changes = others.filter_map(|other| Some((other, self.change_at(paths, other)?)));
        changes.find(|(other, _)| !are_apart(paths.text(*other), paths.text(path))).map(|(_, change)| change)
    }

    fn change_at(&self, paths: &Paths, number: usize) -> Option<UnknownReason> {
        let value = self.at(number)?;
        let path = paths.text(number);
        match value {
            Err(reason) => Some(reason.clone()),
            Ok(value) if is_name(value, path) => None,
            Ok(_) => Some(UnknownReason::new(0, format!("`{path}` has another value than before"))),
        }
    }
}

fn is_lost_for_a_reason(value: &Value) -> bool {
    value.as_ref().is_err_and(|reason| !reason.is_no_value_yet())
}

/// Whether a value is what a path had when the block began.
pub fn is_name(value: &Polynomial, path: &str) -> bool {
    matches!(value.atom(), Some(Atom::Name(name)) if **name == *path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(why: &str) -> Value {
        Err(UnknownReason::new(1, why))
    }

    #[test]
    fn what_is_held_is_told_in_the_order_of_paths() {
        let mut known = KnownValues::default();
        known.insert("p->n", Ok(Polynomial::from(3)));
        known.insert("a", reason("`a` changes"));
        let held: Vec<String> = known.values().into_iter().map(|(path, _)| path.to_string()).collect();
        assert_eq!(held, ["a", "p->n"]);
    }

    #[test]
    fn copies_differ_where_one_of_them_changes() {
        let mut known = KnownValues::default();
        let names: Vec<String> = (0..40).map(|number| format!("v{number}")).collect();
        names.iter().for_each(|name| known.insert(name, Ok(Polynomial::from(1))));
        let copy = known.clone();
        assert!(known.differing(&copy).is_empty());
        known.insert("v20", Ok(Polynomial::from(2)));
        known.insert("v21", Ok(Polynomial::from(1)));
        known.insert("new", reason("`new` changes"));
        let differing: Vec<String> = known.differing(&copy).iter().map(ToString::to_string).collect();
        assert_eq!(differing, ["v20", "new"]);
        assert_eq!(copy.differing(&known).len(), 2);
    }

    #[test]
    fn a_change_of_a_member_is_one_of_all_that_may_be_it() {
        let mut known = KnownValues::default();
        for path in ["p->n", "q->n", "q->n.k", "n", "p->m"] {
            known.insert(path, Ok(Polynomial::from(1)));
        }
        known.lose("p->n", 5, UnknownReason::new(5, "`p->n` changes"));
        let lost: Vec<bool> =
            ["p->n", "q->n", "q->n.k", "n", "p->m"].map(|path| known.get(path).unwrap().is_err()).into();
        assert_eq!(lost, [true, true, true, false, false]);
        assert!(!known.is_lost("r->n"));
        known.lose("*->n", 5, UnknownReason::new(5, "`n` changes"));
        assert!(known.is_lost("r->n") && known.holds_no_more("q->n"));
        known.insert("q->n", Ok(Polynomial::from(2)));
        assert!(!known.is_lost("r->n"));
    }
}
