//! Ends of variables whose values are not known: what one is not below, or not above, behind a loop in which it goes one way only.

use std::collections::BTreeMap;
use std::rc::Rc;

use call_counting::Polynomial;

/// By variable, lower ends and upper ends. A copy shares what does not change.
#[derive(Debug, Clone, Default)]
pub struct Ends(Rc<BTreeMap<(Rc<str>, bool), Polynomial>>);

impl Ends {
    pub fn get(&self, variable: &str, is_most: bool) -> Option<&Polynomial> {
        self.0.get(&(variable.into(), is_most))
    }

    pub fn are_of(&self, variable: &str) -> bool {
        !self.0.is_empty() && [false, true].iter().any(|is_most| self.get(variable, *is_most).is_some())
    }

    pub fn insert(&mut self, variable: &str, end: Polynomial, is_most: bool) {
        Rc::make_mut(&mut self.0).insert((variable.into(), is_most), end);
    }

    /// The variable gets another value.
    pub fn forget(&mut self, variable: &str) {
        if self.are_of(variable) {
            Rc::make_mut(&mut self.0).retain(|(its, _), _| **its != *variable);
        }
    }

    /// Of two ways through a condition what both agree on.
    pub fn merge(&mut self, other: &Ends) {
        if !self.0.is_empty() && !Rc::ptr_eq(&self.0, &other.0) {
            Rc::make_mut(&mut self.0).retain(|key, end| other.0.get(key) == Some(end));
        }
    }
}
