//! The places that the functions of a program change, by small numbers: what each changes is a set of bits.

use std::cell::{Ref, RefCell};
use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::names::NameHash;
use super::place::{ANY, Place, behind_any, root_of};

/// The numbers of a program's places; those of places that come later are larger.
#[derive(Debug, Default)]
pub struct PlaceNumbers(RefCell<NumberedPlaces>);

#[derive(Debug, Default)]
struct NumberedPlaces {
    places: Vec<(Place, NameHash)>,
    numbers: HashMap<Place, usize, FixedState>,
    by_root: HashMap<String, Vec<usize>, FixedState>,
    by_last_name: HashMap<NameHash, Vec<usize>, FixedState>,
    /// Of `*->n` by `n`.
    of_members: HashMap<String, usize, FixedState>,
}

impl PlaceNumbers {
    pub fn len(&self) -> usize {
        self.0.borrow().places.len()
    }

    /// The number of a place, which it gets where it has none.
    pub fn number(&self, place: &Place) -> usize {
        let known = self.find(place);
        known.unwrap_or_else(|| self.0.borrow_mut().add(place.clone()))
    }

    pub fn find(&self, place: &Place) -> Option<usize> {
        self.0.borrow().numbers.get(place).copied()
    }

    /// The number of a member behind any pointer.
    pub fn number_of_member(&self, member: &str) -> usize {
        let known = self.find_member(member);
        known.unwrap_or_else(|| self.number(&Place::Path(behind_any(member))))
    }

    pub fn find_member(&self, member: &str) -> Option<usize> {
        self.0.borrow().of_members.get(member).copied()
    }

    pub fn place(&self, number: usize) -> Place {
        self.0.borrow().places.get(number).map_or(Place::Anything, |(place, _)| place.clone())
    }

    /// The last names of the places with this number and larger ones.
    pub fn last_names_from(&self, first: usize) -> Vec<NameHash> {
        self.0.borrow().places[first.min(self.len())..].iter().map(|(_, name)| *name).collect()
    }

    /// The places that begin with a name.
    pub fn rooted(&self, root: &str) -> Vec<usize> {
        self.0.borrow().by_root.get(root).cloned().unwrap_or_default()
    }

    /// The places that end in a name.
    pub fn with_last_name(&self, name: NameHash) -> Ref<'_, [usize]> {
        Ref::map(self.0.borrow(), |its| its.by_last_name.get(&name).map_or(&[][..], Vec::as_slice))
    }
}

impl NumberedPlaces {
    fn add(&mut self, place: Place) -> usize {
        let number = self.places.len();
        let path = match &place {
            Place::Path(path) | Place::Elements(path) => path.as_str(),
            Place::Anything => "",
        };
        if let (Place::Path(_), Some(member)) =
            (&place, path.strip_prefix(ANY).and_then(|its| its.strip_prefix("->")))
        {
            self.of_members.insert(member.to_owned(), number);
        }
        let name = NameHash::last_of(path);
        self.by_root.entry(root_of(path).to_owned()).or_default().push(number);
        self.by_last_name.entry(name).or_default().push(number);
        self.numbers.insert(place.clone(), number);
        self.places.push((place, name));
        number
    }
}
