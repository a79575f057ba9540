//! Structures that are written as a whole, `*p = o` or `memset(p, 0, sizeof *p)`: their members change with them, whatever pointer they are
//! reached by.

use std::collections::HashMap;
use std::rc::Rc;

use call_counting::Polynomial;
use foldhash::fast::FixedState;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Declaration, Expression, MemberExpression,
    Statement, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::outside::written_argument;
use super::place::{ANY, Place, is_assignment, path_of};
use super::program::{Parsed, Program};
use super::shapes::{Hidden, Shapes, inside};
use crate::c::shape::{Extent, Shape};

/// The members that change where a function writes structures as a whole.
#[derive(Default)]
pub struct Wholes {
    /// By what is written, or the call that does it.
    members: HashMap<usize, Rc<[Place]>, FixedState>,
}

impl Wholes {
    /// Those of a function.
    pub fn of(program: &Program, parsed: &Parsed) -> Wholes {
        let Some(definition) = parsed.definition() else { return Wholes::default() };
        let shapes = Shapes::new(program, parsed);
        for parameter in parsed.parameter_declarations() {
            if let Some(declarator) = &parameter.node.declarator {
                shapes.declare(&declarator.node, &parameter.node.specifiers, |_| None);
            }
        }
        let mut finder = Finder { program, shapes, hidden: Vec::new(), found: Wholes::default() };
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

    fn at<T>(&self, node: &T) -> &[Place] {
        self.members.get(&address(node)).map_or(&[], |its| its)
    }
}

/// Tells one part of a tree from the others.
fn address<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

struct Finder<'r> {
    program: &'r Program<'r>,
    shapes: Shapes<'r>,
    /// What had the names that the blocks around declare.
    hidden: Vec<Hidden>,
    found: Wholes,
}

impl Finder<'_> {
    /// What a node changes is, or consists of, such a structure.
    fn add<T>(&mut self, node: &T, structure: Option<Shape<Polynomial>>) {
        let Some(shape) = structure.filter(|its| !its.extents.contains(&Extent::Pointer)) else { return };
        let members = self.program.layouts().members_within(&shape.element);
        if !members.is_empty() {
            let places = members.iter().map(|member| Place::Path(format!("{ANY}->{member}"))).collect();
            self.found.members.insert(address(node), places);
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

    /// With a member of a union the members of its structures change.
    fn member_of_union(&mut self, left: &Node<Expression>, member: &MemberExpression) {
        if self.program.members.is_of_union(&member.identifier.node.name) {
            let structure = self.shapes.container(member);
            self.add(&left.node, structure.filter(|its| self.program.layouts().is_union(&its.element)));
        }
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

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        let around = self.hidden.len();
        visit::visit_statement(self, statement, span);
        self.hidden.drain(around..).rev().for_each(|hidden| self.shapes.restore(hidden));
    }

    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        for item in &declaration.declarators {
            let declarator = &item.node.declarator.node;
            self.hidden.extend(self.shapes.declare(declarator, &declaration.specifiers, |_| None));
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_binary_operator_expression(&mut self, binary: &'a BinaryOperatorExpression, span: &'a Span) {
        if binary.operator.node == BinaryOperator::Assign {
            self.assigned(&binary.lhs, &binary.rhs);
        }
        if is_assignment(&binary.operator.node)
            && let Expression::Member(member) = &binary.lhs.node
        {
            self.member_of_union(&binary.lhs, &member.node);
        }
        visit::visit_binary_operator_expression(self, binary, span);
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
