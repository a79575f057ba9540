//! Each way through an iteration of a loop, and what variables hold behind it.

use lang_c::ast::{BinaryOperator, BlockItem, Expression, Statement};
use lang_c::span::Node;

use super::super::change::{EffectFinder, JumpTarget};
use super::super::place::{Place, place_of};
use super::super::value::{Environment, UnknownReason};
use super::CountingWalk;
use super::leaving::always_leaves;
use super::motion::LoopParts;
use crate::c::types::declared_name;

/// More are not looked at.
const MOST_WAYS: usize = 32;

/// What is known behind a statement on each way that comes to its end.
type Ways = Vec<Environment>;

impl<'p> CountingWalk<'p, '_> {
    /// What is known at the end of an iteration on each way that goes on with another one, from what is known now. `None` where there are ways
    /// that are not seen.
    pub fn ways_through(&mut self, parts: &LoopParts<'p>) -> Option<Ways> {
        let mut continued = Vec::new();
        let mut ways = self.ways(parts.body, vec![self.environment.clone()], &mut continued)?;
        ways.append(&mut continued);
        match parts.step {
            Some(step) => self.ways_of_expression(step, ways),
            None => Some(ways),
        }
    }

    fn ways(&mut self, statement: &'p Node<Statement>, from: Ways, continued: &mut Ways) -> Option<Ways> {
        if from.len() > MOST_WAYS {
            return None;
        }
        match &statement.node {
            Statement::Compound(items) => self.ways_through_block(items, from, continued),
            Statement::If(branches) => {
                let branches = &branches.node;
                let from = self.ways_of_expression(&branches.condition, from)?;
                let mut ways = self.ways(&branches.then_statement, from.clone(), continued)?;
                ways.append(&mut match &branches.else_statement {
                    Some(otherwise) => self.ways(otherwise, from, continued)?,
                    None => from,
                });
                Some(ways)
            }
            Statement::Expression(Some(expression)) if !always_leaves(&statement.node) => {
                self.ways_of_expression(expression, from)
            }
            Statement::Expression(None) => Some(from),
            Statement::Continue => {
                continued.extend(from);
                Some(Vec::new())
            }
            _ if always_leaves(&statement.node) => Some(Vec::new()),
            _ => {
                let finder = EffectFinder::statement(statement);
                let is_seen =
                    finder.jumps.iter().all(|its| matches!(its.target, JumpTarget::Far | JumpTarget::Break));
                is_seen
                    .then(|| self.after(from, |walk| walk.forget_effects(&finder, "changes in a statement")))
            }
        }
    }

    fn ways_through_block(
        &mut self,
        items: &'p [Node<BlockItem>],
        from: Ways,
        continued: &mut Ways,
    ) -> Option<Ways> {
        let mut declared = Vec::new();
        let mut ways = from;
        let before = continued.len();
        for item in items {
            ways = match &item.node {
                BlockItem::Statement(statement) => self.ways(statement, ways, continued)?,
                BlockItem::StaticAssert(_) => ways,
                BlockItem::Declaration(declaration) => {
                    let names = declaration.node.declarators.iter();
                    declared.extend(names.filter_map(|its| declared_name(&its.node.declarator.node)));
                    self.after(ways, |walk| drop(walk.declaration(&declaration.node)))
                }
            };
        }
        // Whatever else has such a name is not known behind the block.
        let offset = items.first().map_or(0, |item| self.at(item));
        for environment in ways.iter_mut().chain(&mut continued[before..]) {
            for name in &declared {
                let reason = UnknownReason::new(offset, format!("`{name}` is declared in the loop"));
                environment.set(&Place::Path((*name).to_owned()), Err(reason), offset);
            }
        }
        Some(ways)
    }

    /// `x = c ? a : b` has two.
    fn ways_of_expression(&mut self, expression: &'p Node<Expression>, from: Ways) -> Option<Ways> {
        if let Expression::BinaryOperator(binary) = &expression.node
            && binary.node.operator.node == BinaryOperator::Assign
            && let Expression::Conditional(choice) = &binary.node.rhs.node
            && let Some(place @ Place::Path(_)) = place_of(&binary.node.lhs)
        {
            let choice = &choice.node;
            let from = self.ways_of_expression(&choice.condition, from)?;
            let offset = self.at(expression);
            let mut ways = Vec::new();
            for value in [&choice.then_expression, &choice.else_expression] {
                ways.append(&mut self.after(from.clone(), |walk| {
                    let value = walk.evaluate(value);
                    walk.give(&place, value, None, offset);
                }));
            }
            return Some(ways);
        }
        Some(self.after(from, |walk| drop(walk.evaluate(expression))))
    }

    /// What is known behind something that is done on each way.
    fn after(&mut self, from: Ways, mut step: impl FnMut(&mut Self)) -> Ways {
        let environments = from.into_iter().map(|environment| {
            self.quietly(|walk| {
                walk.environment = environment;
                step(walk);
                walk.environment.clone()
            })
        });
        environments.collect()
    }
}
