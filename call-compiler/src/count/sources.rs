//! Which pointers of a function may point to what: what each was given somewhere in it.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Expression, InitDeclarator, Initializer, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::handed::addresses_of;
use super::place::{Place, path_of};
use crate::c::types::declared_name;

/// By the name of each variable what it was given: paths, `&n` for an address, `*p` for what a pointer points to.
#[derive(Default)]
pub struct AssignedPaths {
    given: HashMap<String, BTreeSet<String>, FixedState>,
}

impl AssignedPaths {
    /// The variables that were given something.
    pub fn pointers(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    /// The places that one may be which begins with a pointer. A variable itself is nothing else.
    pub fn places(&self, place: &Place) -> Vec<Place> {
        let mut found = Vec::new();
        // Nor is a member of a structure, as long as no pointer of it is followed.
        if matches!(place, Place::Path(path) if !path.contains("->")) {
            return found;
        }
        let mut met = BTreeSet::from([place.root()]);
        let mut open = vec![place.root()];
        while let Some(pointer) = open.pop() {
            for source in self.given.get(pointer).into_iter().flatten() {
                if !met.insert(source) {
                    continue;
                }
                match source.strip_prefix('*') {
                    // A structure that was copied from behind a pointer has the same pointers.
                    Some(copied) => {
                        if let Some(original) = behind(place, copied) {
                            found.extend(self.places(&original));
                            found.push(original);
                        }
                    }
                    None => {
                        open.push(source);
                        found.push(place.reached_by(source));
                    }
                }
            }
        }
        found
    }

    fn add(&mut self, name: &str, value: &Node<Expression>) {
        let mut sources = BTreeSet::new();
        collect(value, &mut sources);
        sources.remove(name);
        if !sources.is_empty() {
            self.given.entry(name.to_owned()).or_default().extend(sources);
        }
    }
}

/// A place in a structure as one in that which a pointer points to.
fn behind(place: &Place, pointer: &str) -> Option<Place> {
    let (Place::Path(path) | Place::Elements(path)) = place else { return None };
    let member = path[place.root().len()..].strip_prefix('.')?;
    let path = format!("{pointer}->{member}");
    Some(if matches!(place, Place::Path(_)) { Place::Path(path) } else { Place::Elements(path) })
}

/// What the value of an expression may point to, or into.
fn collect(expression: &Node<Expression>, found: &mut BTreeSet<String>) {
    match &expression.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            found.extend(addresses_of(&unary.node.operand));
        }
        Expression::UnaryOperator(unary) => {
            if unary.node.operator.node == UnaryOperator::Indirection {
                found.extend(path_of(&unary.node.operand).map(|path| format!("*{path}")));
            }
            collect(&unary.node.operand, found);
        }
        Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
            found.extend(path_of(&binary.node.lhs).map(|path| format!("*{path}")));
            collect(&binary.node.lhs, found);
        }
        Expression::BinaryOperator(binary) => {
            collect(&binary.node.lhs, found);
            collect(&binary.node.rhs, found);
        }
        Expression::Conditional(conditional) => {
            collect(&conditional.node.then_expression, found);
            collect(&conditional.node.else_expression, found);
        }
        Expression::Comma(parts) => parts.iter().for_each(|part| collect(part, found)),
        Expression::Call(call) => call.node.arguments.iter().for_each(|argument| collect(argument, found)),
        Expression::Cast(cast) => collect(&cast.node.expression, found),
        _ => found.extend(path_of(expression)),
    }
}

impl<'a> Visit<'a> for AssignedPaths {
    fn visit_init_declarator(&mut self, declared: &'a InitDeclarator, span: &'a Span) {
        if let (Some(name), Some(initializer)) =
            (declared_name(&declared.declarator.node), &declared.initializer)
            && let Initializer::Expression(value) = &initializer.node
        {
            self.add(name, value);
        }
        visit::visit_init_declarator(self, declared, span);
    }

    fn visit_binary_operator_expression(&mut self, binary: &'a BinaryOperatorExpression, span: &'a Span) {
        if binary.operator.node == BinaryOperator::Assign
            && let Expression::Identifier(name) = &binary.lhs.node
        {
            self.add(&name.node.name, &binary.rhs);
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }
}
