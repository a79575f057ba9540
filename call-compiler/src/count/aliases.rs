//! What pointers of a block stand for: the places with names that they were given.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::place::{Place, root_of};

/// By the name of each pointer `grid->rows` for a copy of that, and `&grid->first` for its address. A copy shares what does not change.
#[derive(Debug, Clone, Default)]
pub struct Aliases(Rc<BTreeMap<Rc<str>, String>>);

impl Aliases {
    pub fn get(&self, pointer: &str) -> Option<&str> {
        self.0.get(pointer).map(String::as_str)
    }

    /// What is reached by the pointer itself is nothing that it stands for: the pointer is another one then.
    pub fn insert(&mut self, pointer: &str, place: String) {
        if root_of(without_sign(&place)) != pointer {
            Rc::make_mut(&mut self.0).insert(pointer.into(), place);
        }
    }

    /// A place gets another value: what was reached by it has another name from now on.
    pub fn change(&mut self, place: &Place) {
        self.keep(|pointer, alias| !is_changed(pointer, alias, place));
    }

    /// Whether that ends what some pointer stands for.
    pub fn depend_on(&self, place: &Place) -> bool {
        self.0.iter().any(|(pointer, alias)| is_changed(pointer, alias, place))
    }

    /// Another variable has the name from now on.
    pub fn rename(&mut self, variable: &str) {
        self.keep(|pointer, alias| pointer != variable && root_of(without_sign(alias)) != variable);
    }

    /// Of two ways through a condition what both agree on.
    pub fn merge(&mut self, other: &Aliases) {
        if !Rc::ptr_eq(&self.0, &other.0) {
            self.keep(|pointer, alias| other.get(pointer) == Some(alias));
        }
    }

    fn keep(&mut self, is_kept: impl Fn(&str, &str) -> bool) {
        if self.0.iter().any(|(pointer, alias)| !is_kept(pointer, alias)) {
            Rc::make_mut(&mut self.0).retain(|pointer, alias| is_kept(pointer, alias));
        }
    }
}

fn is_changed(pointer: &str, alias: &str, place: &Place) -> bool {
    let is_itself = matches!(place, Place::Path(path) if path == pointer);
    is_itself || place.may_be(&Place::Path(without_sign(alias).to_owned()))
}

fn without_sign(alias: &str) -> &str {
    alias.strip_prefix('&').unwrap_or(alias)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> Place {
        Place::Path(path.to_owned())
    }

    #[test]
    fn pointers_stand_for_places_until_these_are_reached_otherwise() {
        let mut aliases = Aliases::default();
        for (pointer, place) in [("p", "t->grid"), ("q", "&t->first"), ("r", "u->grid"), ("s", "s->next")] {
            aliases.insert(pointer, place.to_owned());
        }
        assert_eq!(aliases.get("q"), Some("&t->first"));
        assert_eq!(aliases.get("s"), None);
        let all = aliases.clone();
        for (changed, left) in [
            (path("t"), vec!["r"]),
            (path("t->grid"), vec!["q"]),
            (path("t->grid->n"), vec!["p", "q", "r"]),
            (path("p"), vec!["q", "r"]),
            (path("*->grid"), vec!["q"]),
            (Place::Elements("u".to_owned()), vec!["p", "q"]),
        ] {
            let mut aliases = all.clone();
            assert_eq!(aliases.depend_on(&changed), left.len() < 3, "{changed:?}");
            aliases.change(&changed);
            let found: Vec<&str> =
                ["p", "q", "r"].into_iter().filter(|its| aliases.get(its).is_some()).collect();
            assert_eq!(found, left, "{changed:?}");
        }
        let mut inner = all.clone();
        inner.rename("t");
        assert_eq!((inner.get("p"), inner.get("r")), (None, Some("u->grid")));
        aliases.merge(&inner);
        assert_eq!(aliases.get("q"), None);
    }
}
