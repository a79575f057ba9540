//! The loops of a function that lie in no other one.

use lang_c::ast::{Expression, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

/// Those of a statement, in the order of the text.
pub fn outermost_loops(statement: &Node<Statement>) -> Vec<&Node<Statement>> {
    let mut found = OutermostLoops::default();
    found.visit_statement(&statement.node, &statement.span);
    found.0
}

#[derive(Default)]
struct OutermostLoops<'a>(Vec<&'a Node<Statement>>);

impl<'a> Visit<'a> for OutermostLoops<'a> {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        match statement {
            Statement::Compound(items) => {
                for item in items {
                    if let lang_c::ast::BlockItem::Statement(statement) = &item.node {
                        self.within(statement);
                    }
                }
            }
            _ => visit::visit_statement(self, statement, span),
        }
    }

    fn visit_expression(&mut self, _: &'a Expression, _: &'a Span) {}
}

impl<'a> OutermostLoops<'a> {
    fn within(&mut self, statement: &'a Node<Statement>) {
        match &statement.node {
            Statement::For(_) | Statement::While(_) | Statement::DoWhile(_) => self.0.push(statement),
            Statement::If(branches) => {
                self.within(&branches.node.then_statement);
                branches.node.else_statement.iter().for_each(|otherwise| self.within(otherwise));
            }
            Statement::Labeled(labeled) => self.within(&labeled.node.statement),
            Statement::Switch(switch) => self.within(&switch.node.statement),
            other => self.visit_statement(other, &statement.span),
        }
    }
}
