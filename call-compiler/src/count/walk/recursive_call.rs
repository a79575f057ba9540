//! Calls of a function by itself: what they hand on, under which conditions.

use std::cell::Cell;
use std::sync::Arc;

use call_counting::{Atom, Number, Polynomial, smooth};

use super::super::around::Around;
use super::super::place::root_of;
use super::super::value::{Environment, Value};

/// A call of the function that is being walked through.
pub struct RecursiveCall {
    pub arguments: Vec<Value>,
    pub is_in_loop: bool,
    /// The conditions on parameters that it stands under.
    pub around: Vec<Arc<Around>>,
    /// What is known where it stands.
    pub environment: Environment,
    /// Parameters that cannot be below 0.
    pub unsigned: Vec<String>,
    pub offset: usize,
}

/// How the measure of the problem becomes less from call to call.
pub enum Shrinking {
    /// Divided by this, or by more.
    Over(u32),
    Minus,
}

impl RecursiveCall {
    /// What a number of the function is in the call inside, if that is known.
    pub fn inside(&self, number: &Polynomial, parameters: &[String]) -> Option<Polynomial> {
        let is_lost = Cell::new(false);
        let inside = number.mapped(&|atom| {
            let value = match atom {
                Atom::Name(path) => self.value_inside(path, parameters),
                Atom::Element { array, index } => self
                    .inside(index, parameters)
                    .filter(|_| self.keeps_elements(array, parameters))
                    .map(|index| Atom::Element { array: array.clone(), index: index.into() }.into()),
                _ => return None,
            };
            is_lost.set(is_lost.get() || value.is_none());
            value
        });
        inside.filter(|_| !is_lost.get())
    }

    fn value_inside(&self, path: &str, parameters: &[String]) -> Option<Polynomial> {
        let own = Polynomial::name(path);
        match parameters.iter().position(|its| its == root_of(path)) {
            Some(position) if parameters[position] == path => {
                self.arguments.get(position)?.as_ref().ok().cloned()
            }
            Some(position) if !self.hands_on(position, parameters) => None,
            _ => (self.environment.get(path).ok()? == own).then_some(own),
        }
    }

    fn keeps_elements(&self, array: &str, parameters: &[String]) -> bool {
        let position = parameters.iter().position(|its| its == root_of(array));
        position.is_none_or(|position| self.hands_on(position, parameters))
            && self.environment.change_of_elements(array).is_none()
    }

    fn hands_on(&self, position: usize, parameters: &[String]) -> bool {
        self.arguments.get(position) == Some(&Ok(Polynomial::name(&parameters[position])))
    }

    pub fn keeps(&self, number: &Polynomial, parameters: &[String]) -> bool {
        self.inside(number, parameters).as_ref() == Some(number)
    }

    /// By how much a number becomes less in the call inside.
    pub fn step(&self, number: &Polynomial, parameters: &[String]) -> Option<i64> {
        (number - &self.inside(number, parameters)?).integer()
    }

    pub fn conditions(&self) -> impl Iterator<Item = &[Vec<Polynomial>]> {
        self.around.iter().filter_map(|its| match &**its {
            Around::Cases(cases, _) => Some(&cases[..]),
            _ => None,
        })
    }

    /// How the measure becomes less in the call inside, and whether it is divided by just that.
    pub fn shrinking(&self, measure: &Polynomial, parameters: &[String]) -> Option<(Shrinking, bool)> {
        let inside = self.inside(measure, parameters)?;
        if let Some(by) = (&inside - measure).integer() {
            return by.is_negative().then_some((Shrinking::Minus, true));
        }
        // inside = measure/b + c
        let inside = smooth(&inside)?;
        let (monomial, own) = measure.terms().next()?;
        let ratio = inside.terms().find(|(its, _)| *its == monomial).map(|(_, value)| value / own)?;
        let rest = &inside - &measure.scaled(&ratio);
        let divisor = ratio.inverse()?;
        let by = u32::try_from(divisor.floor().integer()?).ok()?;
        (rest.constant().is_some() && ratio.is_positive() && ratio < Number::ONE && by >= 2)
            .then(|| (Shrinking::Over(by), divisor.is_integer()))
    }

    /// The condition that ends a chain of such calls, as what is not negative where the function calls itself: one of those that `bounds`
    /// takes for such, in each case but those that the chain never comes to.
    pub fn guard(
        &self,
        bounds: &dyn Fn(&Polynomial) -> bool,
        is_behind: &dyn Fn(&Polynomial, &Polynomial) -> bool,
    ) -> Option<Polynomial> {
        self.conditions().find_map(|cases| {
            let found: Vec<&Polynomial> =
                cases.iter().filter_map(|case| case.iter().find(|its| bounds(its))).collect();
            let first = *found.first()?;
            let ends = |case: &Vec<Polynomial>| {
                case.iter().any(|its| bounds(its) || is_behind(first, its)) || is_impossible(case)
            };
            cases.iter().all(ends).then(|| {
                found
                    .iter()
                    .fold(first, |least, its| {
                        // The one that holds the longest.
                        if (*its - least).constant().is_some_and(|by| by.is_positive()) { its } else { least }
                    })
                    .clone()
            })
        })
    }
}

/// Whether two of these, of which none may be negative, are never so at once.
pub fn is_impossible(case: &[Polynomial]) -> bool {
    case.iter().enumerate().any(|(place, first)| {
        case[place + 1..]
            .iter()
            .any(|second| (first + second).constant().is_some_and(|sum| sum.is_negative()))
    })
}
