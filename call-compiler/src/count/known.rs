//! The values that are known, found by path, by what a path is part of, and by the member that it ends in.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::rc::Rc;

use call_counting::Polynomial;

use super::place::{member_of, root_of};
use super::reason::{Reason, Value};

#[derive(Debug, Clone, Default)]
pub struct Known {
    pub values: BTreeMap<Rc<str>, Value>,
    /// The paths behind pointers among them, by the name of their last member.
    by_member: BTreeMap<Rc<str>, BTreeSet<Rc<str>>>,
}

impl Known {
    pub fn get(&self, path: &str) -> Option<&Value> {
        self.values.get(path)
    }

    pub fn insert(&mut self, path: Rc<str>, value: Value) {
        if self.values.insert(path.clone(), value).is_none()
            && let Some(member) = member_of(&path)
        {
            match self.by_member.get_mut(member) {
                Some(paths) => _ = paths.insert(path),
                None => _ = self.by_member.insert(member.into(), BTreeSet::from([path])),
            }
        }
    }

    /// Other paths that a change of this one may change: its members, and what may be the same member.
    pub fn others(&self, path: &str) -> BTreeSet<Rc<str>> {
        let members = self.beginning_with(path).filter(|(own, _)| own[path.len()..].starts_with(['.', '-']));
        let same = member_of(path).and_then(|member| self.by_member.get(member)).into_iter().flatten();
        let all = members.map(|(own, _)| own).chain(same.filter(|own| &***own != path));
        all.cloned().collect()
    }

    /// The paths behind a pointer.
    pub fn members_behind(&self, pointer: &str) -> Vec<Rc<str>> {
        let members = self.beginning_with(pointer).filter(|(own, _)| own[pointer.len()..].starts_with("->"));
        members.map(|(own, _)| own.clone()).collect()
    }

    fn beginning_with(&self, begin: &str) -> impl Iterator<Item = (&Rc<str>, &Value)> {
        let from = (Bound::Included(begin), Bound::Unbounded);
        self.values.range::<str, _>(from).take_while(move |(path, _)| path.starts_with(begin))
    }

    /// Takes all paths with this first name out.
    pub fn take_rooted(&mut self, root: &str) -> Vec<(Rc<str>, Value)> {
        let rooted = self.beginning_with(root).filter(|(path, _)| root_of(path) == root);
        let paths: Vec<Rc<str>> = rooted.map(|(path, _)| path.clone()).collect();
        for path in &paths {
            if let Some(paths) = member_of(path).and_then(|member| self.by_member.get_mut(member)) {
                paths.remove(path);
            }
        }
        paths.into_iter().filter_map(|path| self.values.remove_entry(&path)).collect()
    }

    /// A change of a pointer or structure that a path is reached by, or of what may be the same member by another name.
    pub fn change_of_path(&self, path: &str) -> Option<Reason> {
        let same = member_of(path).and_then(|member| self.by_member.get(member)).into_iter().flatten();
        self.change_of_prefix(path).or_else(|| same.into_iter().find_map(|other| self.change_at(other)))
    }

    /// A change of a pointer or structure that a path is reached by.
    pub fn change_of_prefix(&self, path: &str) -> Option<Reason> {
        let ends = path.match_indices(['.', '-']).map(|(end, _)| end).chain([path.len()]);
        ends.into_iter().find_map(|end| self.change_at(&path[..end]))
    }

    fn change_at(&self, changed: &str) -> Option<Reason> {
        match self.get(changed)? {
            Err(reason) => Some(reason.clone()),
            Ok(value) if *value == Polynomial::name(changed) => None,
            Ok(_) => Some(Reason::new(0, format!("`{changed}` has another value than before"))),
        }
    }
}
