//! What a loop consists of, whatever its keyword and wherever its end is tested.

use lang_c::ast::{BinaryOperator, BlockItem, Expression, Statement, UnaryOperator};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

use super::super::change::{EffectFinder, Effects, PlaceChange};
use super::super::place::path_of_expression;
use super::CountingWalk;
use super::condition::BranchCondition;

/// What is asked before a loop goes on.
#[derive(Clone, Copy)]
pub struct LoopTest<'p> {
    pub condition: &'p Node<Expression>,
    /// The loop goes on where the condition does: `if (i >= n) break;` fails until then.
    pub goes_on_where: bool,
}

/// A loop, from one test to the next.
#[derive(Clone)]
pub struct LoopParts<'p> {
    pub test: Option<LoopTest<'p>>,
    /// The statement that the test is, where it is one of the body.
    pub test_statement: Option<Span>,
    pub step: Option<&'p Node<Expression>>,
    /// The body, or that branch of a test in it that goes on.
    pub statement: Option<&'p Node<Statement>>,
    /// Statements of the body behind the test in it.
    pub items: &'p [Node<BlockItem>],
    /// Statements of the body before the test in it, which the next iteration begins with.
    pub before_test: &'p [Node<BlockItem>],
    /// A condition of the loop beside the test: the loop may end by it.
    pub other_condition: Option<&'p Node<Expression>>,
    /// Whether the body comes before the test.
    pub is_do: bool,
    pub offset: usize,
}

impl<'p> LoopTest<'p> {
    /// Whether a change is one by the test itself.
    pub fn has(&self, change: &PlaceChange) -> bool {
        (self.condition.span.start..self.condition.span.end).contains(&change.offset)
    }

    /// Tests of which all must let the loop go on.
    pub fn conjuncts(self) -> Vec<LoopTest<'p>> {
        match &self.condition.node {
            Expression::BinaryOperator(binary) => {
                let is_each = match binary.node.operator.node {
                    BinaryOperator::LogicalAnd => self.goes_on_where,
                    BinaryOperator::LogicalOr => !self.goes_on_where,
                    _ => false,
                };
                if is_each {
                    let sides = [&*binary.node.lhs, &*binary.node.rhs];
                    let of = |condition| LoopTest { condition, ..self }.conjuncts();
                    return sides.into_iter().flat_map(of).collect();
                }
                vec![self]
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Negate => {
                LoopTest { condition: &unary.node.operand, goes_on_where: !self.goes_on_where }.conjuncts()
            }
            _ => vec![self],
        }
    }

    /// Tests of which one must let the loop go on.
    pub fn disjuncts(self) -> Vec<LoopTest<'p>> {
        let opposite = |test: LoopTest<'p>| LoopTest { goes_on_where: !test.goes_on_where, ..test };
        opposite(self).conjuncts().into_iter().map(opposite).collect()
    }

    /// The sides of a comparison and its operator, such that the loop goes on where it holds.
    pub fn comparison(&self) -> Option<(&'p Node<Expression>, BinaryOperator, &'p Node<Expression>)> {
        use BinaryOperator as B;
        let Expression::BinaryOperator(binary) = &self.condition.node else { return None };
        let operator = match (&binary.node.operator.node, self.goes_on_where) {
            (B::Less, true) | (B::GreaterOrEqual, false) => B::Less,
            (B::LessOrEqual, true) | (B::Greater, false) => B::LessOrEqual,
            (B::Greater, true) | (B::LessOrEqual, false) => B::Greater,
            (B::GreaterOrEqual, true) | (B::Less, false) => B::GreaterOrEqual,
            (B::Equals, true) | (B::NotEquals, false) => B::Equals,
            (B::NotEquals, true) | (B::Equals, false) => B::NotEquals,
            _ => return None,
        };
        Some((&binary.node.lhs, operator, &binary.node.rhs))
    }
}

impl<'p> LoopParts<'p> {
    /// Where the part of the body begins that follows the test.
    pub fn begin_of_body(&self) -> Option<usize> {
        let statement = self.statement.map(|its| its.span.start);
        statement.or_else(|| self.items.first().map(|item| item.span.start))
    }

    /// What testing it once computes.
    pub fn conditions(&self) -> impl Iterator<Item = &'p Node<Expression>> {
        self.test.map(|test| test.condition).into_iter().chain(self.other_condition)
    }

    /// Whether testing for the end calls a function.
    pub fn test_calls(&self) -> bool {
        let mut finder = EffectFinder::new();
        self.conditions().for_each(|its| finder.visit_expression(&its.node, &its.span));
        !finder.effects.calls.is_empty()
    }
}

impl<'p> CountingWalk<'p, '_> {
    pub fn effects_of_loop(&self, parts: &LoopParts<'p>) -> Effects<'p> {
        let mut finder = EffectFinder::knowing(self.summaries.changes.typed(self.function));
        for expression in parts.conditions().chain(parts.step) {
            finder.visit_expression(&expression.node, &expression.span);
        }
        for item in parts.before_test {
            finder.visit_block_item(&item.node, &item.span);
        }
        if let Some(statement) = parts.statement {
            finder.visit_statement(&statement.node, &statement.span);
        }
        for item in parts.items {
            finder.visit_block_item(&item.node, &item.span);
        }
        finder.effects
    }

    /// Where a loop goes on.
    pub fn goes_on(&mut self, test: LoopTest<'p>) -> BranchCondition {
        let condition = self.condition(test.condition);
        if test.goes_on_where { condition } else { condition.not() }
    }
}

/// Whether an expression reads a variable of that name.
pub fn mentions(expression: &Node<Expression>, path: &str) -> bool {
    struct PathReadFinder<'w> {
        path: &'w str,
        is_found: bool,
    }
    impl<'a> Visit<'a> for PathReadFinder<'_> {
        fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
            self.is_found |= match expression {
                Expression::Identifier(name) => name.node.name == self.path,
                other => path_of_expression(other).as_deref() == Some(self.path),
            };
            lang_c::visit::visit_expression(self, expression, span);
        }
    }
    let mut reader = PathReadFinder { path, is_found: false };
    reader.visit_expression(&expression.node, &expression.span);
    reader.is_found
}
