//! Addresses that are looked at as something else than what they are declared to be: they count other elements.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{CastExpression, Expression, TypeSpecifier};
use lang_c::span::Node;

use super::super::place::{last_member, path_of};
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;
use crate::c::types::{Type, base_type, type_qualified};

impl CountingWalk<'_, '_> {
    /// A value behind a pointer of another type, or as a number: what was added to an address is no longer counted in its elements.
    pub fn readdressed(&self, value: Polynomial, is_to_pointer: bool, shown: &str, offset: usize) -> Value {
        let is_address = |atom: &&Atom| matches!(atom, Atom::Name(name) if self.is_address(name));
        let is_moved = value.atom().is_none() && value.integer().is_none();
        if is_moved && (is_to_pointer || value.atoms().iter().any(is_address)) {
            return Err(another_count(shown, offset));
        }
        Ok(value)
    }

    /// Whether a cast makes a number an address: it is one in bytes, of which elements have several. That of 0 is none.
    pub fn is_number_as_address(&self, value: &Polynomial, cast: &CastExpression) -> bool {
        let type_name = &cast.type_name.node;
        let specifiers = || type_qualified(&type_name.specifiers);
        let is_pointer = || match base_type(specifiers(), |name| self.program.file.lookup(name, usize::MAX)) {
            Type::Other(what) => what != "a structure",
            _ => false,
        };
        let is_of_bytes = type_name.declarator.as_ref().is_some_and(|its| its.node.derived.len() == 1)
            && specifiers().any(|its| matches!(its, TypeSpecifier::Char));
        let is_address = |atom: &Atom| match atom {
            Atom::Name(name) => match last_member(name) {
                Some(member) => self.program.members.is_address(member),
                None => self.is_address(name),
            },
            Atom::Element { array, .. } => self.element_representation(array).is_none(),
            // A pointer that a loop moves.
            Atom::Index(_) => true,
            _ => false,
        };
        (type_name.declarator.is_some() || is_pointer())
            && !is_of_bytes
            && value.integer() != Some(0)
            && !value.atom().is_some_and(is_address)
    }

    /// Whether a cast of a pointer that a loop moves makes it one to other elements, or a number.
    pub fn counts_otherwise(&self, expression: &Node<Expression>, cast: &CastExpression) -> bool {
        let is_pointer = || path_of(&cast.expression).is_some_and(|path| self.is_address(&path));
        self.is_retyped(expression) || (cast.type_name.node.declarator.is_none() && is_pointer())
    }

    /// Whether what an expression names is something else there than what it is declared to be.
    pub fn is_retyped(&self, expression: &Node<Expression>) -> bool {
        self.summaries.changes.typed(self.function).is_retyped(expression)
    }

    pub fn of_another_type(&self, expression: &Node<Expression>) -> UnknownReason {
        let why = format!("`{}` is behind a pointer of another type", self.shown(expression));
        UnknownReason::new(self.at(expression), why)
    }
}

pub fn another_count(shown: &str, offset: usize) -> UnknownReason {
    UnknownReason::new(offset, format!("`{shown}` counts an address in elements of another type"))
}
