//! Variables that go one way only in a loop: behind it they are not on the other side of where they were.

use call_counting::Polynomial;

use super::super::change::Effects;
use super::super::place::{Place, root_of};
use super::super::value::Environment;
use super::CountingWalk;
use super::motion::Motion;

/// An end of a variable.
pub struct OneWay {
    path: String,
    end: Polynomial,
    /// Whether it is not above that; else it is not below.
    is_most: bool,
}

impl<'p> CountingWalk<'p, '_> {
    /// Those of a loop, by what was known before it.
    pub fn one_way(&mut self, effects: &Effects<'p>, before: &Environment) -> Vec<OneWay> {
        let mut found = Vec::new();
        for path in effects.paths_changed() {
            let is_whole = root_of(path) == path && !self.is_narrow(path) && !self.is_real(path);
            if !is_whole || !self.is_of_function(path) {
                continue;
            }
            let Some(is_most) = self.goes_down(effects, path) else { continue };
            let end = before.get(path).ok().or_else(|| before.end_of(path, is_most));
            found.extend(end.map(|end| OneWay { path: path.to_owned(), end, is_most }));
        }
        found
    }

    pub fn set_ends(&mut self, all: Vec<OneWay>) {
        for OneWay { path, end, is_most } in all {
            self.environment.set_end(&path, end, is_most);
        }
    }

    /// Whether each of its changes makes a variable less, or each makes it more.
    fn goes_down(&mut self, effects: &Effects<'p>, path: &str) -> Option<bool> {
        let place = Place::Path(path.to_owned());
        let mut is_down = None;
        for change in &effects.changes {
            if !change.place.may_be(&place) {
                if self.pointed_to(&change.place).iter().any(|its| its.may_be(&place)) {
                    return None;
                }
                continue;
            }
            let Some(Motion::By(by)) = self.one_motion(change) else { return None };
            let is_negative = by.integer()? < 0;
            if is_down.is_some_and(|is_down| is_down != is_negative) {
                return None;
            }
            is_down = Some(is_negative);
        }
        // Below 0 a natural number would be a large one.
        is_down.filter(|is_down| !is_down || !self.is_unsigned(path))
    }
}
