//! Addresses in counts: nothing that a formula can tell.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use call_counting::{Atom, Polynomial};

use super::around::{Around, Surroundings};
use super::names::is_behind_pointer;
use super::number::ExecutionCount;
use super::place::last_member;
use super::program::{CountedProgram, ParsedFunction};
use super::value::UnknownReason;
use crate::c::types::Type;

/// Which names are addresses where a block begins.
pub struct Addresses<'p> {
    program: &'p CountedProgram<'p>,
    parsed: &'p ParsedFunction,
    /// Of those that the function declares around the block.
    around: HashSet<String>,
}

/// Surroundings without addresses, where they had some.
pub type AroundWithoutAddresses = HashMap<*const Around, Option<Arc<Around>>>;

/// Stands for the address of an array that the block itself declares: nobody knows it, but distances from it are numbers.
pub fn address_of_array(name: &str, offset: usize) -> Polynomial {
    Polynomial::name(&format!("&{name}@{offset}"))
}

/// Whether a name stands for such an address.
pub fn is_of_array(name: &str) -> bool {
    name.starts_with('&')
}

/// A name as the program has it.
fn in_program(name: &str) -> &str {
    let of_array = name.strip_prefix('&').and_then(|rest| rest.split_once('@'));
    of_array.map_or(name, |(array, _)| array)
}

impl<'p> Addresses<'p> {
    pub fn new(
        program: &'p CountedProgram<'p>,
        parsed: &'p ParsedFunction,
        around: HashSet<String>,
    ) -> Addresses<'p> {
        Addresses { program, parsed, around }
    }

    /// Surroundings in which conditions on addresses, such as whether there is an array at all, are doubts: it runs at most so often.
    pub fn left_out_of<'g>(
        &self,
        around: &'g Surroundings,
        known: &mut AroundWithoutAddresses,
    ) -> Cow<'g, Surroundings> {
        let mut doubt = |part: &Arc<Around>| {
            let found = known.entry(Arc::as_ptr(part)).or_insert_with(|| match &**part {
                Around::Cases(cases, reason) | Around::Choice(cases, reason)
                    if cases.iter().flatten().any(|its| self.in_number(its).is_some()) =>
                {
                    Some(Around::Doubt(reason.clone()).into())
                }
                _ => None,
            });
            found.clone()
        };
        if !around.iter().any(|part| doubt(part).is_some()) {
            return Cow::Borrowed(around);
        }
        Cow::Owned(around.iter().map(|part| doubt(part).unwrap_or_else(|| part.clone())).collect())
    }

    /// What is computed with addresses is no number of the program's.
    pub fn forgotten_in(&self, times: Rc<ExecutionCount>) -> Rc<ExecutionCount> {
        let Some(count) = &times.count else { return times };
        let assumed = count.assumptions.iter().map(|assumption| &assumption.0);
        let Some(name) = assumed.chain([&count.times]).find_map(|its| self.in_number(its)) else {
            return times;
        };
        let reasons = vec![UnknownReason::new(
            0,
            format!("`{}` is no number that a formula can use", in_program(&name)),
        )];
        Rc::new(ExecutionCount { count: None, reasons })
    }

    /// Which of these names a function that stands elsewhere may change: what is behind pointers, and variables of the file.
    pub fn in_reach<'n>(&self, names: &'n BTreeSet<String>) -> impl Iterator<Item = &'n String> {
        let is_of_file = |name: &str| {
            self.parsed.parameters(self.program).iter().all(|its| its.name != name)
                && matches!(self.parsed.kind_of(self.program, name), Some(Type::Arithmetic(_)))
        };
        names.iter().filter(move |name| is_behind_pointer(name) || is_of_file(name))
    }

    /// A name that stands for a pointer or a structure.
    fn in_number(&self, number: &Polynomial) -> Option<Arc<str>> {
        let names = number.atoms().into_iter().filter_map(|atom| match atom {
            Atom::Name(name) => Some(name),
            _ => None,
        });
        let is_address = |name: &&Arc<str>| match last_member(name) {
            _ if is_of_array(name) => true,
            Some(member) => self.program.members.is_address(member),
            None if self.around.contains(&***name) => true,
            None => matches!(self.parsed.kind_of(self.program, name), Some(Type::Other(_))),
        };
        names.into_iter().find(is_address).cloned()
    }
}
