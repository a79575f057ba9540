//! Local variables that may have no value yet where a loop begins, and those of them that it reads under a condition only.

use std::collections::{BTreeSet, HashMap};

use lang_c::ast::{
    BinaryOperator, BlockItem, Constant, Declaration, DeclarationSpecifier, DeclaratorKind,
    DerivedDeclarator, Expression, ForInitializer, Label, Statement, StorageClassSpecifier, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use crate::c::function::EXITS;

type Names = BTreeSet<String>;

/// The variables that are not assigned on every way to a loop, by the place where it begins; loops that have none are left out.
pub fn unset_before(body: &Node<Statement>) -> HashMap<usize, Names> {
    let mut flow = AssignmentFlow { unset: Some(Names::new()), ..AssignmentFlow::default() };
    flow.visit_statement(&body.node, &body.span);
    flow.before
}

/// What is not assigned for sure. `None`: no way leads here.
type Unset = Option<Names>;

#[derive(Default)]
struct AssignmentFlow {
    unset: Unset,
    /// With what the loops and `switch`es around are left, and the loops go on.
    broken: Vec<Unset>,
    continued: Vec<Unset>,
    /// Where the `switch`es around begin, and whether they have a `default`.
    switches: Vec<(Unset, bool)>,
    jumped: HashMap<String, Names>,
    before: HashMap<usize, Names>,
}

fn joined(one: Unset, other: Unset) -> Unset {
    match (one, other) {
        (Some(one), Some(other)) => Some(&one | &other),
        (one, other) => one.or(other),
    }
}

/// A further way out of the innermost loop or `switch`.
fn add_way(innermost_last: &mut [Unset], unset: Unset) {
    if let Some(its) = innermost_last.last_mut() {
        *its = joined(its.take(), unset);
    }
}

impl AssignmentFlow {
    fn statement(&mut self, statement: &Node<Statement>) {
        self.visit_statement(&statement.node, &statement.span);
    }

    fn expression(&mut self, expression: &Node<Expression>) {
        self.visit_expression(&expression.node, &expression.span);
    }

    fn assigned(&mut self, name: &str) {
        self.unset.iter_mut().for_each(|unset| _ = unset.remove(name));
    }

    /// Declares variables, and tells what was known of their names.
    fn declare(&mut self, declaration: &Declaration) -> Vec<(String, bool)> {
        let has_value = |specifier: &Node<DeclarationSpecifier>| {
            let DeclarationSpecifier::StorageClass(class) = &specifier.node else { return false };
            !matches!(class.node, StorageClassSpecifier::Auto | StorageClassSpecifier::Register)
        };
        let has_value = declaration.specifiers.iter().any(has_value);
        let mut hidden = Vec::new();
        for declared in &declaration.declarators {
            let declarator = &declared.node.declarator.node;
            let DeclaratorKind::Identifier(name) = &declarator.kind.node else { continue };
            let name = &name.node.name;
            if let Some(initializer) = &declared.node.initializer {
                self.visit_initializer(&initializer.node, &initializer.span);
            }
            let is_scalar =
                declarator.derived.iter().all(|its| matches!(its.node, DerivedDeclarator::Pointer(_)));
            if let Some(unset) = &mut self.unset {
                hidden.push((name.clone(), unset.remove(name)));
                if is_scalar && !has_value && declared.node.initializer.is_none() {
                    unset.insert(name.clone());
                }
            }
        }
        hidden
    }

    /// Names mean again what they did outside.
    fn end_scope(&mut self, hidden: Vec<(String, bool)>) {
        let Some(unset) = &mut self.unset else { return };
        for (name, was_unset) in hidden.into_iter().rev() {
            unset.remove(&name);
            if was_unset {
                unset.insert(name);
            }
        }
    }

    fn begin_loop(&mut self, offset: usize) {
        let unset = self.unset.clone().filter(|unset| !unset.is_empty());
        unset.into_iter().for_each(|unset| _ = self.before.insert(offset, unset));
    }

    /// The body of a loop; tells with what the loop is left from inside, and ends where the next iteration would begin.
    fn body(&mut self, body: &Node<Statement>) -> Unset {
        self.broken.push(None);
        self.continued.push(None);
        self.statement(body);
        let continued = self.continued.pop().flatten();
        self.unset = joined(self.unset.take(), continued);
        self.broken.pop().flatten()
    }

    /// A loop whose condition stands before its body.
    fn conditional_loop(&mut self, condition: Option<&Node<Expression>>, body: &Node<Statement>) {
        condition.into_iter().for_each(|condition| self.expression(condition));
        let not_entered = self.unset.clone().filter(|_| !condition.is_none_or(is_always));
        let left = self.body(body);
        self.unset = joined(not_entered, left);
    }
}

fn is_always(condition: &Node<Expression>) -> bool {
    match &condition.node {
        Expression::Constant(constant) => {
            matches!(&constant.node, Constant::Integer(integer) if &*integer.number != "0")
        }
        _ => false,
    }
}

impl<'a> Visit<'a> for AssignmentFlow {
    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        match statement {
            Statement::Compound(items) => {
                let mut hidden = Vec::new();
                for item in items {
                    match &item.node {
                        BlockItem::Declaration(declaration) => hidden.extend(self.declare(&declaration.node)),
                        BlockItem::Statement(statement) => self.statement(statement),
                        BlockItem::StaticAssert(_) => {}
                    }
                }
                self.end_scope(hidden);
            }
            Statement::If(branches) => {
                let branches = &branches.node;
                self.expression(&branches.condition);
                let before = self.unset.clone();
                self.statement(&branches.then_statement);
                let then = std::mem::replace(&mut self.unset, before);
                branches.else_statement.iter().for_each(|otherwise| self.statement(otherwise));
                self.unset = joined(then, self.unset.take());
            }
            Statement::Switch(switch) => {
                self.expression(&switch.node.expression);
                self.switches.push((self.unset.take(), false));
                self.broken.push(None);
                self.statement(&switch.node.statement);
                let broken = self.broken.pop().flatten();
                let passed = self.switches.pop().filter(|(_, has_default)| !has_default);
                let passed = passed.and_then(|(before, _)| before);
                self.unset = joined(joined(self.unset.take(), broken), passed);
            }
            Statement::Labeled(labeled) => {
                let from = match &labeled.node.label.node {
                    Label::Identifier(name) => self.jumped.get(&name.node.name).cloned(),
                    label => self.switches.last_mut().and_then(|(before, has_default)| {
                        *has_default |= matches!(label, Label::Default);
                        before.clone()
                    }),
                };
                self.unset = joined(self.unset.take(), from);
                self.statement(&labeled.node.statement);
            }
            Statement::While(its) => {
                self.begin_loop(span.start);
                self.conditional_loop(Some(&its.node.expression), &its.node.statement);
            }
            Statement::For(its) => {
                self.begin_loop(span.start);
                let mut hidden = Vec::new();
                match &its.node.initializer.node {
                    ForInitializer::Expression(expression) => self.expression(expression),
                    ForInitializer::Declaration(declaration) => hidden = self.declare(&declaration.node),
                    ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
                }
                self.conditional_loop(its.node.condition.as_deref(), &its.node.statement);
                self.end_scope(hidden);
            }
            Statement::DoWhile(its) => {
                self.begin_loop(span.start);
                let left = self.body(&its.node.statement);
                self.expression(&its.node.expression);
                self.unset = joined(self.unset.take(), left);
            }
            Statement::Break => {
                let unset = self.unset.take();
                add_way(&mut self.broken, unset);
            }
            Statement::Continue => {
                let unset = self.unset.take();
                add_way(&mut self.continued, unset);
            }
            Statement::Goto(label) => {
                let unset = self.unset.take().unwrap_or_default();
                self.jumped.entry(label.node.name.clone()).or_default().extend(unset);
            }
            Statement::Return(_) => self.unset = None,
            other => visit::visit_statement(self, other, span),
        }
    }

    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::BinaryOperator(its) => match &its.node.operator.node {
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => self.expression(&its.node.lhs),
                BinaryOperator::Assign => {
                    self.expression(&its.node.rhs);
                    match variable(&its.node.lhs) {
                        Some(name) => self.assigned(name),
                        None => self.expression(&its.node.lhs),
                    }
                }
                _ => visit::visit_expression(self, expression, span),
            },
            Expression::Conditional(its) => self.expression(&its.node.condition),
            // Who gets its address sets it.
            Expression::UnaryOperator(its) if its.node.operator.node == UnaryOperator::Address => {
                match variable(&its.node.operand) {
                    Some(name) => self.assigned(name),
                    None => self.expression(&its.node.operand),
                }
            }
            Expression::Call(call) => {
                visit::visit_expression(self, expression, span);
                if variable(&call.node.callee).is_some_and(|name| EXITS.contains(&name)) {
                    self.unset = None;
                }
            }
            _ => visit::visit_expression(self, expression, span),
        }
    }
}

fn variable(expression: &Node<Expression>) -> Option<&str> {
    match &expression.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}
