//! What decides how often a loop runs when it begins.

use lang_c::ast::{BinaryOperator, Expression, ForInitializer, Identifier, Initializer, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

use crate::c::types::declared_name;

/// The names that a loop begins with.
#[derive(Default)]
pub struct LoopBegin<'p> {
    /// The variables that it gives a value first, with that.
    pub given: Vec<(String, &'p Node<Expression>)>,
    /// What these values and its condition are made of.
    pub read: Vec<String>,
}

impl<'p> LoopBegin<'p> {
    pub fn of(statement: &'p Statement) -> LoopBegin<'p> {
        let mut begin = LoopBegin::default();
        let condition = match statement {
            Statement::For(its) => {
                match &its.node.initializer.node {
                    ForInitializer::Expression(expression) => begin.assignment(expression),
                    ForInitializer::Declaration(declaration) => {
                        for item in &declaration.node.declarators {
                            if let Some(Node { node: Initializer::Expression(value), .. }) =
                                &item.node.initializer
                            {
                                begin.give(declared_name(&item.node.declarator.node), value);
                            }
                        }
                    }
                    ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
                }
                its.node.condition.as_deref()
            }
            Statement::While(its) => Some(&*its.node.expression),
            Statement::DoWhile(its) => Some(&*its.node.expression),
            _ => None,
        };
        condition.into_iter().for_each(|its| begin.visit_expression(&its.node, &its.span));
        begin
    }

    /// `i = 0, j = n`.
    fn assignment(&mut self, expression: &'p Node<Expression>) {
        match &expression.node {
            Expression::Comma(parts) => parts.iter().for_each(|part| self.assignment(part)),
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Assign => {
                let name = match &binary.node.lhs.node {
                    Expression::Identifier(name) => Some(&*name.node.name),
                    _ => None,
                };
                self.give(name, &binary.node.rhs);
            }
            _ => {}
        }
    }

    fn give(&mut self, name: Option<&str>, value: &'p Node<Expression>) {
        self.given.extend(name.map(|name| (name.to_owned(), value)));
        self.visit_expression(&value.node, &value.span);
    }
}

impl<'p> Visit<'p> for LoopBegin<'p> {
    fn visit_identifier(&mut self, identifier: &'p Identifier, _: &'p Span) {
        self.read.push(identifier.name.clone());
    }
}
