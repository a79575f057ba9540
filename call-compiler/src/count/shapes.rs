//! What expressions stand for, by the declarations of their names.

use std::cell::RefCell;
use std::collections::HashMap;

use call_counting::Polynomial;
use lang_c::ast::{
    BinaryOperator, CastExpression, DeclarationSpecifier, Declarator, Expression, MemberExpression,
    MemberOperator, TypeName, UnaryOperator,
};
use lang_c::span::Node;

use super::program::{CountedProgram, ParsedFunction};
use crate::c::layout::{Layouts, POINTER_BYTES};
use crate::c::shape::{ArrayExtent, NumberKind, ObjectShape, constant};
use crate::c::types::{declared_name, type_qualified, type_specifiers};

/// Those of a function. Lengths of arrays are told in the values that they have where they are declared.
pub struct Shapes<'r> {
    program: &'r CountedProgram<'r>,
    layouts: Layouts<'r, 'r>,
    item: usize,
    /// Of names, as far as they are known.
    known: RefCell<HashMap<String, Option<ObjectShape<Polynomial>>>>,
}

impl<'r> Shapes<'r> {
    /// Those of the file of a function.
    pub fn new(program: &'r CountedProgram<'r>, parsed: &ParsedFunction) -> Shapes<'r> {
        Shapes { program, layouts: program.layouts(), item: parsed.item(), known: RefCell::default() }
    }

    /// Takes a declaration in; `length` tells those of arrays. Returns what had the name before.
    pub fn declare<'d>(
        &self,
        declarator: &'d Declarator,
        specifiers: &[Node<DeclarationSpecifier>],
        length: impl FnMut(&'d Node<Expression>) -> Option<Polynomial>,
    ) -> Option<ShadowedShape> {
        let name = declared_name(declarator)?.to_owned();
        let shape = self.layouts.shape(type_specifiers(specifiers), Some(declarator), length, polynomial);
        let before = self.known.borrow_mut().insert(name.clone(), Some(shape));
        Some(ShadowedShape { name, before })
    }

    /// Ends the scope of a declaration.
    pub fn restore(&self, ShadowedShape { name, before }: ShadowedShape) {
        let mut known = self.known.borrow_mut();
        match before {
            Some(shape) => _ = known.insert(name, shape),
            None => _ = known.remove(&name),
        }
    }

    /// The kind of number that an expression is, or consists of.
    pub fn kind(&self, expression: &Node<Expression>) -> NumberKind {
        self.of(expression).map_or(NumberKind::Unknown, |its| its.element.kind)
    }

    /// A member of a structure.
    pub fn member(&self, of: &ObjectShape<Polynomial>, name: &str) -> Option<ObjectShape<Polynomial>> {
        self.layouts.member(&of.element, name).map(|its| its.map(polynomial))
    }

    /// The size of what is there behind all subscripts of arrays.
    pub fn bytes(&self, of: &ObjectShape<Polynomial>) -> Option<u32> {
        if is_pointer(of) { Some(POINTER_BYTES) } else { self.layouts.bytes(&of.element) }
    }

    /// What an expression stands for.
    pub fn of(&self, expression: &Node<Expression>) -> Option<ObjectShape<Polynomial>> {
        match &expression.node {
            Expression::Identifier(name) => self.of_name(&name.node.name),
            Expression::Member(member) => {
                self.member(&self.container(&member.node)?, &member.node.identifier.node.name)
            }
            Expression::UnaryOperator(unary) => {
                let operand = self.of(&unary.node.operand)?;
                match unary.node.operator.node {
                    UnaryOperator::Indirection => inside(operand),
                    UnaryOperator::Address => {
                        let extents = [vec![ArrayExtent::Pointer], operand.extents].concat();
                        Some(ObjectShape { extents, ..operand })
                    }
                    _ => Some(operand),
                }
            }
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::Index => inside(self.of(&binary.node.lhs)?),
                BinaryOperator::Plus | BinaryOperator::Minus => {
                    self.of(&binary.node.lhs).filter(|its| !its.extents.is_empty())
                }
                BinaryOperator::Assign => self.of(&binary.node.lhs),
                _ => None,
            },
            Expression::Cast(cast) => Some(self.of_cast(&cast.node)),
            Expression::CompoundLiteral(literal) => Some(self.of_type(&literal.node.type_name.node)),
            Expression::Conditional(conditional) => {
                let its = &conditional.node;
                self.of(&its.then_expression).or_else(|| self.of(&its.else_expression))
            }
            Expression::Comma(parts) => self.of(parts.last()?),
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => self.returned(&name.node.name),
                _ => None,
            },
            _ => None,
        }
    }

    /// The structure that a member belongs to.
    pub fn container(&self, member: &MemberExpression) -> Option<ObjectShape<Polynomial>> {
        let of = self.of(&member.expression)?;
        let element = match member.operator.node {
            MemberOperator::Direct => of,
            MemberOperator::Indirect => inside(of)?,
        };
        element.extents.is_empty().then_some(element)
    }

    /// What a function of the program returns.
    fn returned(&self, function: &str) -> Option<ObjectShape<Polynomial>> {
        let parsed = self.program.parsed(self.program.find(function)?).ok()?;
        let definition = parsed.definition()?;
        let (specifiers, declarator) = (type_specifiers(&definition.specifiers), &definition.declarator.node);
        inside(self.layouts.shape(specifiers, Some(declarator), |_| None, polynomial))
    }

    pub fn of_cast(&self, cast: &CastExpression) -> ObjectShape<Polynomial> {
        self.of_type(&cast.type_name.node)
    }

    fn of_type(&self, name: &TypeName) -> ObjectShape<Polynomial> {
        let declarator = name.declarator.as_ref().map(|its| &its.node);
        let length = |length| constant(length).map(polynomial);
        self.layouts.shape(type_qualified(&name.specifiers), declarator, length, polynomial)
    }

    pub fn of_name(&self, name: &str) -> Option<ObjectShape<Polynomial>> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let found = self.layouts.of_variable(name, self.item).map(|its| its.map(polynomial));
        self.known.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }
}

/// What had a name before it was declared again.
pub struct ShadowedShape {
    name: String,
    before: Option<Option<ObjectShape<Polynomial>>>,
}

fn polynomial(length: u32) -> Polynomial {
    Polynomial::from(i64::from(length))
}

/// Whether the next subscript goes to what a pointer points to.
pub fn is_pointer(shape: &ObjectShape<Polynomial>) -> bool {
    shape.extents.first() == Some(&ArrayExtent::Pointer)
}

/// What is behind a subscript.
pub fn inside(mut shape: ObjectShape<Polynomial>) -> Option<ObjectShape<Polynomial>> {
    (!shape.extents.is_empty()).then(|| shape.extents.remove(0))?;
    Some(shape)
}
