//! Variables whose address somebody keeps: nothing is known of them.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use foldhash::fast::FixedState;

use super::place::root_of;
use super::reason::UnknownReason;

/// A copy shares them, as they do not change while a block is walked through.
#[derive(Debug, Clone, Default)]
pub struct Exposed {
    own: Rc<HashMap<String, UnknownReason, FixedState>>,
    /// Variables of the file, and where the function begins.
    globals: Option<(Rc<HashSet<String, FixedState>>, usize)>,
}

impl Exposed {
    /// The address of a path is taken at an offset.
    pub fn add(&mut self, path: &str, offset: usize) {
        Rc::make_mut(&mut self.own).insert(root_of(path).to_owned(), may_change(path, offset));
    }

    /// The addresses of these variables of the file are kept somewhere; the function begins at an offset.
    pub fn add_all(&mut self, globals: Rc<HashSet<String, FixedState>>, offset: usize) {
        self.globals = Some((globals, offset));
    }

    /// Why nothing is known of a variable.
    pub fn reason(&self, name: &str) -> Option<UnknownReason> {
        match &self.globals {
            Some((globals, offset)) if globals.contains(name) => Some(may_change(name, *offset)),
            _ => self.own.get(name).cloned(),
        }
    }
}

fn may_change(path: &str, offset: usize) -> UnknownReason {
    UnknownReason::new(offset, format!("`{path}` may change through a pointer to it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_exposed_by_the_addresses_of_their_members() {
        let mut exposed = Exposed::default();
        exposed.add("s.n", 7);
        exposed.add_all(Rc::new(HashSet::from_iter(["table".to_owned()])), 3);
        let told = |name: &str| exposed.reason(name).map(|reason| (reason.offset, reason.why.to_string()));
        assert_eq!(told("s"), Some((7, "`s.n` may change through a pointer to it".to_owned())));
        assert_eq!(told("table"), Some((3, "`table` may change through a pointer to it".to_owned())));
        assert_eq!(told("n"), None);
    }
}
