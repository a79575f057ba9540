//! Addresses in counts: nothing that a formula can tell.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use call_counting::{Atom, Polynomial};
use lang_c::ast::{Declaration, DeclarationSpecifier, Declarator};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

use super::around::{Around, Surroundings};
use super::names::is_behind_pointer;
use super::number::ExecutionCount;
use super::place::last_member;
use super::program::{CountedProgram, ParsedFunction};
use super::value::UnknownReason;
use crate::c::shape::{ArrayExtent, ObjectShape};
use crate::c::types::{Type, declared_name, type_specifiers};

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

    /// The arrays of which elements are read that stand in the file with all of their elements: they are somewhere always.
    pub fn arrays_in<'n>(&self, counts: impl Iterator<Item = &'n Polynomial>) -> BTreeSet<String> {
        let arrays: BTreeSet<&Arc<str>> = counts
            .flat_map(Polynomial::atoms)
            .filter_map(|atom| match atom {
                Atom::Element { array, .. } => Some(array),
                _ => None,
            })
            .collect();
        let is_array = |name: &&Arc<str>| {
            !self.around.contains(&***name)
                && self.parsed.parameters(self.program).iter().all(|its| its.name != ***name)
                && self
                    .shape(name)
                    .is_some_and(|its| matches!(its.extents.first(), Some(ArrayExtent::Array(_))))
        };
        arrays.into_iter().filter(is_array).map(ToString::to_string).collect()
    }

    /// What a parameter or a variable of the file is.
    fn shape(&self, name: &str) -> Option<ObjectShape> {
        let layouts = self.program.layouts();
        let declared = self.parsed.parameter_declarations();
        match declared.into_iter().find(|(_, declarator)| declared_name(declarator) == Some(name)) {
            Some((specifiers, declarator)) => {
                Some(layouts.shape(type_specifiers(specifiers), Some(declarator), |_| None, |length| length))
            }
            None => layouts.of_variable(name, self.parsed.item()),
        }
    }

    /// What the function declares with that name.
    fn local_shape(&self, name: &str) -> Option<ObjectShape> {
        let mut declarations = Declarations::default();
        let statement = &self.parsed.definition()?.statement;
        declarations.visit_statement(&statement.node, &statement.span);
        let (specifiers, declarator) =
            declarations.0.into_iter().find(|(_, declarator)| declared_name(declarator) == Some(name))?;
        let specifiers = type_specifiers(specifiers);
        Some(self.program.layouts().shape(specifiers, Some(declarator), |_| None, |length| length))
    }

    /// Whether elements of an array are rows, or pointers.
    fn has_addresses(&self, array: &str) -> bool {
        let shape = if self.around.contains(array) { self.local_shape(array) } else { self.shape(array) };
        shape.is_some_and(|its| its.extents.len() > 1)
    }

    /// A name that stands for a pointer or a structure, or an element that does.
    fn in_number(&self, number: &Polynomial) -> Option<Arc<str>> {
        let atoms = number.atoms();
        let is_address = |array: &str| self.has_addresses(array);
        let element =
            atoms.iter().find(|atom| matches!(atom, Atom::Element { array, .. } if is_address(array)));
        if let Some(element) = element {
            return Some(element.to_string().into());
        }
        let names = atoms.into_iter().filter_map(|atom| match atom {
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

/// All declarators of variables in a statement.
#[derive(Default)]
struct Declarations<'a>(Vec<(&'a [Node<DeclarationSpecifier>], &'a Declarator)>);

impl<'a> Visit<'a> for Declarations<'a> {
    fn visit_declaration(&mut self, declaration: &'a Declaration, _: &'a Span) {
        let declarators = declaration.declarators.iter().map(|its| &its.node.declarator.node);
        self.0.extend(declarators.map(|its| (&declaration.specifiers[..], its)));
    }
}
