//! Variables of loops that nobody reads behind them: what they are there need not be known.

use std::collections::HashSet;

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Declarator, DeclaratorKind, Expression, ForInitializer,
    ForStatement, FunctionDefinition, Identifier, Statement,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use crate::c::types::declared_name;

/// The names that a function declares and reads in loops of `for` only that give them a value before.
pub fn unread_behind_loops(definition: &FunctionDefinition) -> HashSet<String> {
    let mut finder = LiveVariables::default();
    finder.visit_statement(&definition.statement.node, &definition.statement.span);
    finder.declared.difference(&finder.read).map(|name| (*name).to_owned()).collect()
}

#[derive(Default)]
struct LiveVariables<'a> {
    declared: HashSet<&'a str>,
    read: HashSet<&'a str>,
    /// What the loops around begin with.
    given: Vec<&'a str>,
}

impl<'a> LiveVariables<'a> {
    fn repetition(&mut self, loops: &'a ForStatement) {
        let depth = self.given.len();
        match &loops.initializer.node {
            ForInitializer::Expression(expression) => self.initializer(expression),
            ForInitializer::Declaration(declaration) => {
                self.visit_declaration(&declaration.node, &declaration.span);
                let declarators = declaration.node.declarators.iter();
                self.given.extend(declarators.filter_map(|its| declared_name(&its.node.declarator.node)));
            }
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
        }
        // What a loop around goes on with, this one leaves behind.
        let given = self.given.split_off(depth);
        self.read.extend(given.iter().filter(|name| self.given.contains(name)));
        self.given.extend(given);
        for expression in [&loops.condition, &loops.step].into_iter().flatten() {
            self.visit_expression(&expression.node, &expression.span);
        }
        self.visit_statement(&loops.statement.node, &loops.statement.span);
        self.given.truncate(depth);
    }

    /// `i = 0, j = n` at the begin of a loop.
    fn initializer(&mut self, expression: &'a Node<Expression>) {
        match &expression.node {
            Expression::Comma(parts) => parts.iter().for_each(|part| self.initializer(part)),
            Expression::BinaryOperator(binary) => {
                self.visit_expression(&expression.node, &expression.span);
                self.given.extend(assigned(&binary.node));
            }
            _ => self.visit_expression(&expression.node, &expression.span),
        }
    }
}

impl<'a> Visit<'a> for LiveVariables<'a> {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        match statement {
            Statement::For(loops) => self.repetition(&loops.node),
            _ => visit::visit_statement(self, statement, span),
        }
    }

    fn visit_declarator(&mut self, declarator: &'a Declarator, _: &'a Span) {
        self.declared.extend(declared_name(declarator));
        // The name itself is not read; sizes of arrays are.
        declarator.derived.iter().for_each(|its| self.visit_derived_declarator(&its.node, &its.span));
        if let DeclaratorKind::Declarator(inside) = &declarator.kind.node {
            self.visit_declarator(&inside.node, &inside.span);
        }
    }

    fn visit_binary_operator_expression(&mut self, binary: &'a BinaryOperatorExpression, span: &'a Span) {
        if assigned(binary).is_some() {
            self.visit_expression(&binary.rhs.node, &binary.rhs.span);
        } else {
            visit::visit_binary_operator_expression(self, binary, span);
        }
    }

    fn visit_identifier(&mut self, identifier: &'a Identifier, _: &'a Span) {
        if !self.given.contains(&identifier.name.as_str()) {
            self.read.insert(&identifier.name);
        }
    }
}

/// The variable that an assignment writes without reading it.
fn assigned(binary: &BinaryOperatorExpression) -> Option<&str> {
    match &binary.lhs.node {
        Expression::Identifier(name) if binary.operator.node == BinaryOperator::Assign => {
            Some(&name.node.name)
        }
        _ => None,
    }
}
