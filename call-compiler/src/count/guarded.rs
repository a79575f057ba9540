//! Variables that a block reads under a condition only and that may have no value else: no formula may read them where it begins.

use std::collections::BTreeSet;

use call_counting::{Atom, Monomial};
use lang_c::ast::{BinaryOperator, Expression, Statement, UnaryOperator};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::names::names_of_basis;
use super::place::names_of as words_of;
use super::term::CountedTerm;

/// A term that a formula lacks, as a variable in it may have no value where the block begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedTerm {
    /// The variable.
    pub name: String,
    /// What the formula lacks.
    pub term: CountedTerm,
    /// What stands in its place: it is never more.
    pub bound: Option<Monomial>,
}

/// Those of the variables that a statement does not read whenever it runs.
pub fn read_under_condition(statement: &Node<Statement>, mut names: BTreeSet<String>) -> BTreeSet<String> {
    let mut reads = SureReads::default();
    reads.visit_statement(&statement.node, &statement.span);
    names.retain(|name| !reads.found.contains(&**name));
    names
}

/// What is read in each execution; loops are taken to have iterations.
#[derive(Default)]
struct SureReads<'a> {
    found: BTreeSet<&'a str>,
    conditions: usize,
    /// Whether the iteration, or all of it, may have been left before.
    may_be_over: bool,
    may_be_left: bool,
}

impl<'a> SureReads<'a> {
    fn statement(&mut self, statement: &'a Node<Statement>) {
        self.visit_statement(&statement.node, &statement.span);
    }

    fn expression(&mut self, expression: &'a Node<Expression>) {
        self.visit_expression(&expression.node, &expression.span);
    }

    fn under_condition(&mut self, walk: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        walk(self);
        self.conditions -= 1;
    }
}

impl<'a> Visit<'a> for SureReads<'a> {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        match statement {
            Statement::If(its) => {
                self.expression(&its.node.condition);
                self.under_condition(|reads| {
                    reads.statement(&its.node.then_statement);
                    its.node.else_statement.iter().for_each(|otherwise| reads.statement(otherwise));
                });
            }
            Statement::Switch(its) => {
                self.expression(&its.node.expression);
                self.under_condition(|reads| reads.statement(&its.node.statement));
            }
            Statement::For(_) | Statement::While(_) | Statement::DoWhile(_) => {
                let may_be_over = self.may_be_over;
                visit::visit_statement(self, statement, span);
                self.may_be_over = may_be_over;
            }
            Statement::Break | Statement::Continue => self.may_be_over = true,
            Statement::Goto(_) => self.may_be_left = true,
            Statement::Return(_) => {
                visit::visit_statement(self, statement, span);
                self.may_be_left = true;
            }
            _ => visit::visit_statement(self, statement, span),
        }
    }

    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        let is_variable = |its: &Node<Expression>| matches!(its.node, Expression::Identifier(_));
        match expression {
            Expression::Identifier(name) => {
                if self.conditions == 0 && !self.may_be_over && !self.may_be_left {
                    self.found.insert(&name.node.name);
                }
            }
            Expression::BinaryOperator(its) => match &its.node.operator.node {
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                    self.expression(&its.node.lhs);
                    self.under_condition(|reads| reads.expression(&its.node.rhs));
                }
                BinaryOperator::Assign if is_variable(&its.node.lhs) => self.expression(&its.node.rhs),
                _ => visit::visit_expression(self, expression, span),
            },
            Expression::Conditional(its) => {
                self.expression(&its.node.condition);
                self.under_condition(|reads| {
                    reads.expression(&its.node.then_expression);
                    reads.expression(&its.node.else_expression);
                });
            }
            Expression::UnaryOperator(its)
                if its.node.operator.node == UnaryOperator::Address && is_variable(&its.node.operand) => {}
            Expression::SizeOfVal(_) => {}
            _ => visit::visit_expression(self, expression, span),
        }
    }
}

/// The terms of a formula without those that need such variables, and these; all of them if the formula has no others.
pub(super) fn without_unset(
    all: Vec<CountedTerm>,
    unset: &BTreeSet<String>,
) -> (Vec<CountedTerm>, Vec<GuardedTerm>) {
    let name_in = |basis: &Monomial| {
        let names = names_of_basis(basis);
        names.iter().flat_map(|name| words_of(name)).find(|word| unset.contains(*word)).map(str::to_owned)
    };
    let (mut terms, mut guarded): (Vec<CountedTerm>, Vec<GuardedTerm>) = (Vec::new(), Vec::new());
    for term in &all {
        let Some(name) = name_in(&term.basis) else {
            add(&mut terms, term.clone());
            continue;
        };
        // Divided by a whole number it is no more than before.
        let is_divisor = |atom: &Atom| {
            term.basis.power(atom) < 0 && matches!(atom, Atom::Name(name) if unset.contains(&**name))
        };
        let bound = Monomial(term.basis.0.only(|atom| !is_divisor(atom)));
        let bound = Some(bound).filter(|bound| name_in(bound).is_none());
        let in_its_place = bound.iter().map(|bound| CountedTerm {
            basis: bound.clone(),
            told: bound.clone(),
            ..term.clone()
        });
        in_its_place.for_each(|its| add(&mut terms, its));
        guarded.push(GuardedTerm { name, term: term.clone(), bound });
    }
    match terms.iter().all(|term| term.basis.0.is_empty()) {
        true => (all, Vec::new()),
        false => (terms, guarded),
    }
}

/// A term, or its statements where the formula has it already.
fn add(terms: &mut Vec<CountedTerm>, term: CountedTerm) {
    match terms.iter_mut().find(|its| its.basis == term.basis) {
        None => terms.push(term),
        Some(known) => {
            known.statements.extend(term.statements);
            known.statements.sort_unstable();
            known.statements.dedup();
            known.begins.extend(term.begins);
            known.factors.extend(term.factors);
        }
    }
}
