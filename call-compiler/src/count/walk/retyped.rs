//! Addresses that are looked at as something else than what they are declared to be: they count other elements.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{CastExpression, Expression};
use lang_c::span::Node;

use super::super::place::path_of;
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;

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
