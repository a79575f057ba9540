//! The values that are known, found by path, by what a path is part of, and by the member that it ends in.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::rc::Rc;

use call_counting::Polynomial;
use fixedbitset::FixedBitSet;

use super::place::{member_of, root_of};
use super::places::Places;
use super::reason::{Reason, Value};

#[derive(Debug, Clone, Default)]
pub struct Known {
    places: Rc<Places>,
    pub values: BTreeMap<Rc<str>, Value>,
    /// The paths behind pointers among them, by the name of their last member.
    by_member: Rc<BTreeMap<Rc<str>, BTreeSet<Rc<str>>>>,
    /// The paths that are reached by a member behind a pointer, by its name.
    through_member: Rc<BTreeMap<Rc<str>, BTreeSet<Rc<str>>>>,
    /// Members behind any pointer of which a change is held, and no value of any of that name or reached by one.
    lost: FixedBitSet,
}

fn enter(index: &mut BTreeMap<Rc<str>, BTreeSet<Rc<str>>>, member: &str, path: &Rc<str>) {
    match index.get_mut(member) {
        Some(paths) => _ = paths.insert(path.clone()),
        None => _ = index.insert(member.into(), BTreeSet::from([path.clone()])),
    }
}

fn remove(index: &mut Rc<BTreeMap<Rc<str>, BTreeSet<Rc<str>>>>, member: &str, path: &str) {
    if let Some(paths) = Rc::make_mut(index).get_mut(member) {
        paths.remove(path);
    }
}

impl Known {
    pub fn new(places: Rc<Places>) -> Known {
        Known { places, ..Known::default() }
    }

    pub fn get(&self, path: &str) -> Option<&Value> {
        self.values.get(path)
    }

    pub fn insert(&mut self, path: Rc<str>, value: Value) {
        if value.is_ok() {
            self.find_again(&path);
        }
        if self.values.insert(path.clone(), value).is_some() {
            return;
        }
        if let Some(member) = member_of(&path) {
            enter(Rc::make_mut(&mut self.by_member), member, &path);
        }
        for member in prefixes(&path).filter_map(|(_, member)| member) {
            enter(Rc::make_mut(&mut self.through_member), member, &path);
        }
    }

    fn find_again(&mut self, path: &str) {
        if !self.lost.is_empty() {
            for member in prefixes(path).filter_map(|(_, member)| member).chain(member_of(path)) {
                if let Some(number) = self.places.find_member(member).filter(|its| *its < self.lost.len()) {
                    self.lost.remove(number);
                }
            }
        }
    }

    /// Whether one more change of a member behind a pointer says nothing new.
    pub fn is_lost(&self, path: &str) -> bool {
        let number = member_of(path).and_then(|member| self.places.find_member(member));
        number.is_some_and(|number| self.lost.contains(number))
    }

    /// Those members behind any pointer.
    pub fn lost(&self) -> &FixedBitSet {
        &self.lost
    }

    /// Whether it says nothing new that a path is not known any more.
    pub fn holds_no_more(&self, path: &str) -> bool {
        match member_of(path) {
            Some(_) => self.is_lost(path),
            None => self.get(path).is_some_and(Result::is_err) && self.others(path).next().is_none(),
        }
    }

    /// Of a path that changes: others that it may be are not known any more.
    pub fn lose_others(&mut self, path: &str, offset: usize) {
        let others: BTreeSet<Rc<str>> = self.others(path).cloned().collect();
        for other in others {
            let why = format!("`{other}` changes");
            self.insert(other, Err(Reason::new(offset, why)));
        }
    }

    /// A path is not known any more, nor others that it may be.
    pub fn lose(&mut self, path: &str, offset: usize, reason: Reason) {
        self.lose_others(path, offset);
        // Why it is not known any more is told once.
        if self.get(path).is_none_or(Result::is_ok) {
            self.insert(path.into(), Err(reason));
        }
        if let Some(member) = member_of(path) {
            self.lost.grow_and_insert(self.places.number_of_member(member));
        }
    }

    /// Other paths with a value that a change of this one may change: its members, what may be the same member, and what is reached by that.
    fn others<'k>(&'k self, path: &'k str) -> impl Iterator<Item = &'k Rc<str>> {
        let members =
            self.beginning_with(path).filter(move |(own, _)| own[path.len()..].starts_with(['.', '-']));
        let same = member_of(path).and_then(|member| self.by_member.get(member)).into_iter().flatten();
        let through =
            member_of(path).and_then(|member| self.through_member.get(member)).into_iter().flatten();
        let all = members.map(|(own, _)| own).chain(same).chain(through);
        all.filter(move |own| &***own != path && self.get(own).is_some_and(Result::is_ok))
    }

    /// The paths behind a pointer.
    pub fn members_behind<'k>(&'k self, pointer: &'k str) -> impl Iterator<Item = &'k Rc<str>> {
        let members = self.beginning_with(pointer);
        members.map(|(own, _)| own).filter(|own| own[pointer.len()..].starts_with("->"))
    }

    fn beginning_with<'k>(&'k self, begin: &'k str) -> impl Iterator<Item = (&'k Rc<str>, &'k Value)> {
        let from = (Bound::Included(begin), Bound::Unbounded);
        self.values.range::<str, _>(from).take_while(move |(path, _)| path.starts_with(begin))
    }

    /// The paths whose values are not the same in another one.
    pub fn differing<'k>(&'k self, other: &'k Known) -> impl Iterator<Item = &'k Rc<str>> {
        let (mut own, mut its) = (self.values.iter().peekable(), other.values.iter().peekable());
        std::iter::from_fn(move || {
            loop {
                let order = match (own.peek(), its.peek()) {
                    (None, None) => return None,
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    // Copies share their paths.
                    (Some((own, _)), Some((its, _))) if Rc::ptr_eq(own, its) => Ordering::Equal,
                    (Some((own, _)), Some((its, _))) => own.cmp(its),
                };
                let (path, is_same) = match order {
                    Ordering::Less => (own.next()?.0, false),
                    Ordering::Greater => (its.next()?.0, false),
                    Ordering::Equal => {
                        own.next().zip(its.next()).map(|(own, its)| (own.0, own.1 == its.1))?
                    }
                };
                if !is_same {
                    return Some(path);
                }
            }
        })
    }

    pub fn has_rooted(&self, root: &str) -> bool {
        self.beginning_with(root).any(|(path, _)| root_of(path) == root)
    }

    /// Forgets what was said of the members of a structure itself.
    pub fn forget_members_of(&mut self, structure: &str) {
        let is_member = |path: &str| path[structure.len()..].starts_with('.') && !path.contains('>');
        let members = self.beginning_with(structure).map(|(path, _)| path).filter(|path| is_member(path));
        for path in members.cloned().collect::<Vec<Rc<str>>>() {
            self.values.remove(&path);
        }
    }

    /// Takes all paths with this first name out.
    pub fn take_rooted(&mut self, root: &str) -> Vec<(Rc<str>, Value)> {
        let rooted = self.beginning_with(root).filter(|(path, _)| root_of(path) == root);
        let paths: Vec<Rc<str>> = rooted.map(|(path, _)| path.clone()).collect();
        for path in &paths {
            self.find_again(path);
            if let Some(member) = member_of(path) {
                remove(&mut self.by_member, member, path);
            }
            for member in prefixes(path).filter_map(|(_, member)| member) {
                remove(&mut self.through_member, member, path);
            }
        }
        paths.into_iter().filter_map(|path| self.values.remove_entry(&path)).collect()
    }

    /// A change of a pointer or structure that a path is reached by, or of what may be the same member by another name.
    pub fn change_of_path(&self, path: &str) -> Option<Reason> {
        let same = member_of(path).and_then(|member| self.by_member.get(member)).into_iter().flatten();
        self.change_of_prefix(path).or_else(|| same.into_iter().find_map(|other| self.change_at(other)))
    }

    /// A change of a pointer or structure that a path is reached by, or of what may be the same member as that.
    pub fn change_of_prefix(&self, path: &str) -> Option<Reason> {
        let of_member =
            |member: &str| self.by_member.get(member)?.iter().find_map(|other| self.change_at(other));
        let by_prefix = |(prefix, member): (&str, Option<&str>)| {
            self.change_at(prefix).or_else(|| member.and_then(of_member))
        };
        prefixes(path).find_map(by_prefix).or_else(|| self.change_at(path))
    }

    fn change_at(&self, changed: &str) -> Option<Reason> {
        match self.get(changed)? {
            Err(reason) => Some(reason.clone()),
            Ok(value) if *value == Polynomial::name(changed) => None,
            Ok(_) => Some(Reason::new(0, format!("`{changed}` has another value than before"))),
        }
    }
}

/// What a path is reached by, each with its name as a member behind a pointer.
fn prefixes(path: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let ends = path.match_indices(['.', '-']).map(|(end, _)| &path[..end]);
    ends.map(|prefix| (prefix, member_of(prefix)))
}
