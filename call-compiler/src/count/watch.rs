//! Which changes of a call may matter to who calls: what nobody reads need not be kept.
//!
//! A function of a large program changes hundreds of members that its callers never mention. A change can be seen only where its last name
//! is read, so those with other names are dropped; who reads one of them all the same is told, and walks again.

use std::cell::RefCell;
use std::rc::Rc;

use fixedbitset::FixedBitSet;

use super::names::{NameHash, NamesRead};
use super::place::names_of;
use super::places::PlaceNumbers;

/// The names that are read while a block is walked through.
#[derive(Debug)]
pub struct Watch {
    read: NamesRead,
    dropped: RefCell<NamesRead>,
    missed: RefCell<NamesRead>,
    places: Rc<PlaceNumbers>,
    /// Places with numbers that are kept, as far as they had numbers when that was asked for.
    kept_places: RefCell<FixedBitSet>,
    dropped_places: RefCell<FixedBitSet>,
}

impl Watch {
    pub fn new(read: NamesRead, places: Rc<PlaceNumbers>) -> Rc<Watch> {
        Rc::new(Watch {
            read,
            dropped: RefCell::default(),
            missed: RefCell::default(),
            places,
            kept_places: RefCell::default(),
            dropped_places: RefCell::default(),
        })
    }

    /// Whether a change of what has this last name is to be kept; one that is not is noted.
    pub fn keeps(&self, name: NameHash) -> bool {
        let is_read = self.read.contains(name);
        if !is_read {
            self.dropped.borrow_mut().add(name);
        }
        is_read
    }

    /// Leaves out those of many changes that are not to be kept.
    pub fn keep(&self, changes: &mut FixedBitSet) {
        let mut kept = self.kept_places.borrow_mut();
        if kept.len() < self.places.len() {
            let first = kept.len();
            kept.grow(self.places.len());
            match first {
                // Few names are read of the many that places have.
                0 => self.read.iter().for_each(|name| {
                    self.places.with_last_name(name).iter().for_each(|number| kept.insert(*number));
                }),
                _ => {
                    for (number, name) in self.places.last_names_from(first).iter().enumerate() {
                        kept.set(first + number, self.read.contains(*name));
                    }
                }
            }
        }
        let dropped = &mut *self.dropped_places.borrow_mut();
        dropped.union_with(changes);
        dropped.difference_with(&kept);
        changes.intersect_with(&kept);
    }

    /// Somebody reads a path.
    pub fn note_read(&self, path: &str) {
        if names_of(path).any(|name| self.is_dropped(NameHash::new(name.as_bytes()))) {
            self.missed.borrow_mut().insert_path(path);
        }
    }

    fn is_dropped(&self, name: NameHash) -> bool {
        if self.read.contains(name) {
            return false;
        }
        let places = self.dropped_places.borrow();
        let numbers = self.places.with_last_name(name);
        self.dropped.borrow().contains(name) || numbers.iter().any(|number| places.contains(*number))
    }

    /// Whether something was read of which a change had been dropped: what was found since then is worth nothing.
    pub fn is_missed(&self) -> bool {
        !self.missed.borrow().is_empty()
    }

    /// The names of what was read then.
    pub fn missed(&self) -> NamesRead {
        self.missed.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_of_what_was_dropped_is_noticed() {
        let mut names = NamesRead::default();
        names.insert_path("grid->n");
        let watch = Watch::new(names, Rc::default());
        let kept: Vec<bool> = ["grid->n", "grid", "other->m", "a.k"]
            .iter()
            .map(|path| watch.keeps(NameHash::last_of(path)))
            .collect();
        assert_eq!(kept, [true, true, false, false]);
        watch.note_read("grid->n");
        watch.note_read("grid");
        assert!(!watch.is_missed());
        watch.note_read("grid->m.size");
        assert!(watch.is_missed());
    }
}
