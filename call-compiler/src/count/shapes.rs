//! What expressions stand for, by the declarations of their names.

use std::cell::RefCell;
use std::collections::HashMap;

use call_counting::Polynomial;
use lang_c::ast::{
    BinaryOperator, CastExpression, DeclarationSpecifier, Declarator, Expression, MemberOperator,
    SpecifierQualifier, UnaryOperator,
};
use lang_c::span::Node;

use super::program::{Parsed, Program};
use crate::c::layout::{Extent, Kind, Layouts, POINTER_BYTES, Shape, constant};
use crate::c::types::{declared_name, type_specifiers};

/// Those of a function. Lengths of arrays are told in the values that they have where they are declared.
pub struct Shapes<'r> {
    layouts: Layouts<'r, 'r>,
    item: usize,
    /// Of names, as far as they are known.
    known: RefCell<HashMap<String, Option<Shape<Polynomial>>>>,
}

impl<'r> Shapes<'r> {
    /// Those of the file of a function.
    pub fn new(program: &'r Program<'r>, parsed: &Parsed) -> Shapes<'r> {
        Shapes { layouts: program.layouts(), item: parsed.item(), known: RefCell::default() }
    }

    /// Takes a declaration in; `length` tells those of arrays.
    pub fn declare<'d>(
        &self,
        declarator: &'d Declarator,
        specifiers: &[Node<DeclarationSpecifier>],
        length: impl FnMut(&'d Node<Expression>) -> Option<Polynomial>,
    ) {
        let Some(name) = declared_name(declarator) else { return };
        let shape = self.layouts.shape(type_specifiers(specifiers), Some(declarator), length, polynomial);
        self.known.borrow_mut().insert(name.to_owned(), Some(shape));
    }

    /// The kind of number that an expression is, or consists of.
    pub fn kind(&self, expression: &Node<Expression>) -> Kind {
        self.of(expression).map_or(Kind::Unknown, |its| its.element.kind)
    }

    /// A member of a structure.
    pub fn member(&self, of: &Shape<Polynomial>, name: &str) -> Option<Shape<Polynomial>> {
        self.layouts.member(&of.element, name).map(|its| its.map(polynomial))
    }

    /// The size of what is there behind all subscripts of arrays.
    pub fn bytes(&self, of: &Shape<Polynomial>) -> Option<u32> {
        if is_pointer(of) { Some(POINTER_BYTES) } else { self.layouts.bytes(&of.element) }
    }

    /// What an expression stands for.
    pub fn of(&self, expression: &Node<Expression>) -> Option<Shape<Polynomial>> {
        match &expression.node {
            Expression::Identifier(name) => self.of_name(&name.node.name),
            Expression::Member(member) => {
                let its = &member.node;
                let of = self.of(&its.expression)?;
                let element = match its.operator.node {
                    MemberOperator::Direct => of,
                    MemberOperator::Indirect => inside(of)?,
                };
                element.extents.is_empty().then(|| self.member(&element, &its.identifier.node.name))?
            }
            Expression::UnaryOperator(unary) => {
                let operand = self.of(&unary.node.operand)?;
                match unary.node.operator.node {
                    UnaryOperator::Indirection => inside(operand),
                    UnaryOperator::Address => {
                        let extents = [vec![Extent::Pointer], operand.extents].concat();
                        Some(Shape { extents, ..operand })
                    }
                    _ => Some(operand),
                }
            }
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Index => inside(self.of(&binary.node.lhs)?),
                BinaryOperator::Plus | BinaryOperator::Minus => {
                    self.of(&binary.node.lhs).filter(|its| !its.extents.is_empty())
                }
                _ => None,
            },
            Expression::Cast(cast) => Some(self.of_cast(&cast.node)),
            _ => None,
        }
    }

    pub fn of_cast(&self, cast: &CastExpression) -> Shape<Polynomial> {
        let its = &cast.type_name.node;
        let specifiers = its.specifiers.iter().filter_map(|its| match &its.node {
            SpecifierQualifier::TypeSpecifier(specifier) => Some(&specifier.node),
            _ => None,
        });
        let declarator = its.declarator.as_ref().map(|its| &its.node);
        self.layouts.shape(specifiers, declarator, |length| constant(length).map(polynomial), polynomial)
    }

    fn of_name(&self, name: &str) -> Option<Shape<Polynomial>> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let found = self.layouts.of_variable(name, self.item).map(|its| its.map(polynomial));
        self.known.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }
}

fn polynomial(length: u32) -> Polynomial {
    Polynomial::from(i64::from(length))
}

/// Whether the next subscript goes to what a pointer points to.
pub fn is_pointer(shape: &Shape<Polynomial>) -> bool {
    shape.extents.first() == Some(&Extent::Pointer)
}

/// What is behind a subscript.
pub fn inside(mut shape: Shape<Polynomial>) -> Option<Shape<Polynomial>> {
    (!shape.extents.is_empty()).then(|| shape.extents.remove(0))?;
    Some(shape)
}
