//! Variables that have one of several numbers: conditions on parameters say which, as with that of a wrong argument.

use std::collections::BTreeMap;
use std::rc::Rc;

use call_counting::Polynomial;

/// A number that a variable has where none of these is negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    pub conditions: Vec<Polynomial>,
    pub value: i64,
}

/// By variable, its numbers, of which it has one. A copy shares what does not change.
#[derive(Debug, Clone, Default)]
pub struct Alternatives(Rc<BTreeMap<Rc<str>, Rc<[Alternative]>>>);

/// Of more numbers nothing is told.
const MOST: usize = 8;

impl Alternatives {
    pub fn get(&self, variable: &str) -> Option<&Rc<[Alternative]>> {
        self.0.get(variable)
    }

    pub fn insert(&mut self, variable: Rc<str>, its: Rc<[Alternative]>) {
        Rc::make_mut(&mut self.0).insert(variable, its);
    }

    /// The variable gets another value.
    pub fn forget(&mut self, variable: &str) {
        if self.get(variable).is_some() {
            Rc::make_mut(&mut self.0).remove(variable);
        }
    }

    /// Of two ways through a condition what both agree on.
    pub fn merge(&mut self, other: &Alternatives) {
        if !self.0.is_empty() && !Rc::ptr_eq(&self.0, &other.0) {
            Rc::make_mut(&mut self.0).retain(|variable, its| other.get(variable) == Some(its));
        }
    }
}

/// Those of a variable behind a condition: in each of these cases it has one of these numbers. Each pair of cases excludes the others.
pub fn of_cases(sides: [(&[Vec<Polynomial>], &[Alternative]); 2]) -> Option<Rc<[Alternative]>> {
    let count: usize = sides.iter().map(|(cases, its)| cases.len() * its.len()).sum();
    let of_side = |(cases, its): (&[Vec<Polynomial>], &[Alternative])| {
        let with = |case: &Vec<Polynomial>| {
            let both = |one: &Alternative| Alternative {
                conditions: [&case[..], &one.conditions].concat(),
                value: one.value,
            };
            its.iter().map(both).collect::<Vec<Alternative>>()
        };
        cases.iter().flat_map(with).collect::<Vec<Alternative>>()
    };
    (count <= MOST).then(|| sides.into_iter().flat_map(of_side).collect())
}
