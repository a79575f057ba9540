//! What the types of a function's expressions say. Where a structure is written as a whole, `*p = o` or `memset(p, 0, sizeof *p)`, its
//! members change, whatever pointer they are reached by. A pointer of another type, as by a cast, has other elements.

use std::collections::{HashMap, HashSet};

use call_counting::Polynomial;
use foldhash::fast::FixedState;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CastExpression, Declaration, Expression,
    Initializer, Statement, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::outside::written_argument;
use super::place::{Place, behind_any, is_assignment, path_of};
use super::program::{CountedProgram, ParsedFunction};
use super::shapes::{ShadowedShape, Shapes, inside};
use crate::c::shape::{ArrayExtent, ObjectShape};
use crate::c::types::declared_name;

/// What is said of one function.
#[derive(Default)]
pub struct TypeConversions {
    /// The members of structures that change as a whole, by what is written or the call that does it.
    members: HashMap<usize, Vec<Place>, FixedState>,
    /// Casts, and what is given to pointers, with elements of another type.
    retyped: HashSet<usize, FixedState>,
    /// Structures behind pointers whose addresses are given to pointers to such structures.
    structures: HashSet<usize, FixedState>,
}

impl TypeConversions {
    /// Those of a function.
    pub fn of(program: &CountedProgram, parsed: &ParsedFunction) -> TypeConversions {
        let Some(definition) = parsed.definition() else { return TypeConversions::default() };
        let shapes = Shapes::new(program, parsed);
        for (specifiers, declarator) in parsed.parameter_declarations() {
            shapes.declare(declarator, specifiers, |_| None);
        }
        let mut finder =
            TypeConversionFinder { program, shapes, hidden: Vec::new(), found: TypeConversions::default() };
        finder.visit_statement(&definition.statement.node, &definition.statement.span);
        finder.found
    }

    /// The members that change when this expression of the function gets a value.
    pub fn of_written(&self, written: &Node<Expression>) -> &[Place] {
        self.at(&written.node)
    }

    /// The members that a function of the C library changes that is called.
    pub fn of_call(&self, call: &CallExpression) -> &[Place] {
        self.at(call)
    }

    /// Whether what an expression names is reached, or given to a pointer, as something else than what its names are declared to be.
    pub fn is_retyped(&self, expression: &Node<Expression>) -> bool {
        if self.retyped.is_empty() {
            return false;
        }
        let inner = match &expression.node {
            Expression::Cast(cast) => Some(&*cast.node.expression),
            Expression::Member(member) => Some(&*member.node.expression),
            Expression::UnaryOperator(unary) => Some(&*unary.node.operand),
            Expression::BinaryOperator(binary) => Some(&*binary.node.lhs),
            _ => None,
        };
        self.retyped.contains(&address(&expression.node)) || inner.is_some_and(|inner| self.is_retyped(inner))
    }

    /// Whether it is a structure, a member behind a pointer, whose address is given to a pointer to such structures.
    pub fn is_structure_behind(&self, operand: &Node<Expression>) -> bool {
        self.structures.contains(&address(&operand.node))
    }

    fn at<T>(&self, node: &T) -> &[Place] {
        self.members.get(&address(node)).map_or(&[], |its| its)
    }
}

/// Tells one part of a tree from the others.
fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

struct TypeConversionFinder<'r> {
    program: &'r CountedProgram<'r>,
    shapes: Shapes<'r>,
    /// What had the names that the blocks around declare.
    hidden: Vec<ShadowedShape>,
    found: TypeConversions,
}

impl TypeConversionFinder<'_> {
    /// What a node changes is, or consists of, such a structure.
    fn add<T>(&mut self, node: &T, structure: Option<ObjectShape<Polynomial>>) {
        let Some(shape) = structure.filter(|its| !its.extents.contains(&ArrayExtent::Pointer)) else {
            return;
        };
        let members = self.program.layouts().members_within(&shape.element);
        if !members.is_empty() {
            let places = members.iter().map(|member| Place::Path(behind_any(member)));
            self.found.members.entry(address(node)).or_default().extend(places);
        }
    }

    fn assigned(&mut self, left: &Node<Expression>, right: &Node<Expression>) {
        // A variable itself is reached by no pointer as long as nobody keeps its address.
        let is_variable = path_of(left).is_some_and(|path| !path.contains("->"));
        if is_variable || !may_be_structure(right) {
            return;
        }
        let left_shape = self.shapes.of(left).filter(|its| its.element.is_known());
        self.add(&left.node, left_shape.or_else(|| self.shapes.of(right)));
    }

    /// Whether elements behind a pointer are something else behind another one. What is no pointer has none.
    fn are_different(&self, pointer: &ObjectShape<Polynomial>, other: &ObjectShape<Polynomial>) -> bool {
        let (Some(own), Some(its)) = (inside(pointer.clone()), inside(other.clone())) else {
            return pointer.extents.is_empty() != other.extents.is_empty();
        };
        let pointers = |of: &ObjectShape<Polynomial>| {
            of.extents.iter().map(|its| *its == ArrayExtent::Pointer).collect::<Vec<_>>()
        };
        pointers(&own) != pointers(&its) || !self.program.layouts().are_same(&own.element, &its.element)
    }

    /// What is given to a pointer, the pointer being of some type.
    fn given(&mut self, pointer: Option<ObjectShape<Polynomial>>, value: &Node<Expression>) {
        let Some(pointer) = pointer.filter(|its| !its.extents.is_empty()) else { return };
        if let Some(operand) = operand_behind(value) {
            let is_same = |its: ObjectShape<Polynomial>| {
                let layouts = self.program.layouts();
                its.extents == pointer.extents
                    && its.extents == [ArrayExtent::Pointer]
                    && layouts.is_structure(&its.element)
                    && layouts.are_same(&its.element, &pointer.element)
            };
            if self.shapes.of(value).is_some_and(is_same) {
                self.found.structures.insert(address(&operand.node));
            }
        }
        if path_of(value).is_none() {
            return;
        }
        if self.shapes.of(value).is_some_and(|its| self.are_different(&pointer, &its)) {
            self.found.retyped.insert(address(&value.node));
        }
    }

    /// With a member of a union, or a part of it, the members of its structures change.
    fn part_of_union(&mut self, left: &Node<Expression>) {
        let mut part = left;
        loop {
            part = match &part.node {
                Expression::Member(member) => {
                    if self.program.members.is_of_union(&member.node.identifier.node.name) {
                        let around = self.shapes.container(&member.node);
                        self.add(
                            &left.node,
                            around.filter(|its| self.program.layouts().is_union(&its.element)),
                        );
                    }
                    &member.node.expression
                }
                Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
                    &binary.node.lhs
                }
                _ => return,
            };
        }
    }
}

/// `p->inner` in the address `&p->inner`.
fn operand_behind(expression: &Node<Expression>) -> Option<&Node<Expression>> {
    match &expression.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            let operand = &*unary.node.operand;
            path_of(operand).is_some_and(|path| path.contains("->")).then_some(operand)
        }
        _ => None,
    }
}

/// Numbers, addresses and casts are none.
fn may_be_structure(expression: &Node<Expression>) -> bool {
    match &expression.node {
        Expression::Constant(_) | Expression::StringLiteral(_) | Expression::Cast(_) => false,
        Expression::UnaryOperator(unary) => unary.node.operator.node == UnaryOperator::Indirection,
        Expression::BinaryOperator(binary) => {
            matches!(binary.node.operator.node, BinaryOperator::Index | BinaryOperator::Assign)
        }
        _ => true,
    }
}

impl<'a> Visit<'a> for TypeConversionFinder<'_> {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        let around = self.hidden.len();
        visit::visit_statement(self, statement, span);
        self.hidden.drain(around..).rev().for_each(|hidden| self.shapes.restore(hidden));
    }

    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        for item in &declaration.declarators {
            let declarator = &item.node.declarator.node;
            self.hidden.extend(self.shapes.declare(declarator, &declaration.specifiers, |_| None));
            if let (Some(Initializer::Expression(value)), Some(name)) =
                (item.node.initializer.as_ref().map(|its| &its.node), declared_name(declarator))
            {
                self.given(self.shapes.of_name(name), value);
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_binary_operator_expression(&mut self, binary: &'a BinaryOperatorExpression, span: &'a Span) {
        if binary.operator.node == BinaryOperator::Assign {
            self.assigned(&binary.lhs, &binary.rhs);
            if path_of(&binary.rhs).is_some() || operand_behind(&binary.rhs).is_some() {
                self.given(self.shapes.of(&binary.lhs), &binary.rhs);
            }
        }
        if is_assignment(&binary.operator.node) {
            self.part_of_union(&binary.lhs);
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }

    fn visit_cast_expression(&mut self, cast: &'a CastExpression, span: &'a Span) {
        let inner = &cast.expression;
        if path_of(inner).is_some()
            && let Some(of) = self.shapes.of(inner)
        {
            let to = self.shapes.of_cast(cast);
            if !to.extents.is_empty() && self.are_different(&to, &of) {
                self.found.retyped.insert(address(&inner.node));
            }
        }
        visit::visit_cast_expression(self, cast, span);
    }

    fn visit_call_expression(&mut self, call: &'a CallExpression, span: &'a Span) {
        if let Some(argument) = written_argument(call) {
            let shape = self.shapes.of(uncast(argument)).and_then(inside);
            self.add(call, shape);
        }
        visit::visit_call_expression(self, call, span);
    }
}

fn uncast(expression: &Node<Expression>) -> &Node<Expression> {
    match &expression.node {
        Expression::Cast(cast) => uncast(&cast.node.expression),
        _ => expression,
    }
}
