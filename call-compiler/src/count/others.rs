//! What else may be at a place of a function: what the pointer that it is reached by was given somewhere in the function, and what the
//! program gives to that.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;

use super::given::AliasesOfParameters;
use super::place::Place;
use super::sources::AssignedPaths;

/// The other places of one function.
pub struct Others<'p> {
    sources: Rc<AssignedPaths>,
    given: AliasesOfParameters<'p>,
    /// What was asked for before.
    of_all: OthersByPlace,
    of_given: OthersByPlace,
}

type OthersByPlace = RefCell<HashMap<Place, Rc<[Place]>, FixedState>>;

impl<'p> Others<'p> {
    pub fn new(sources: Rc<AssignedPaths>, given: AliasesOfParameters<'p>) -> Others<'p> {
        Others { sources, given, of_all: RefCell::default(), of_given: RefCell::default() }
    }

    /// Other places that one may be.
    pub fn of(&self, place: &Place) -> Rc<[Place]> {
        known(&self.of_all, place, || {
            let mut found = self.sources.places(place);
            let given: Vec<Place> =
                [place].into_iter().chain(&found).flat_map(|its| self.given.places(its)).collect();
            found.extend(given);
            found
        })
    }

    /// The same where it is known what the function gave to its pointers.
    pub fn given_to(&self, place: &Place) -> Rc<[Place]> {
        known(&self.of_given, place, || self.given.places(place))
    }
}

fn known(all: &OthersByPlace, place: &Place, find: impl FnOnce() -> Vec<Place>) -> Rc<[Place]> {
    if let Some(known) = all.borrow().get(place) {
        return known.clone();
    }
    let found: Rc<[Place]> = find().into();
    all.borrow_mut().insert(place.clone(), found.clone());
    found
}
