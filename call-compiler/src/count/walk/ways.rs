//! Each way through an iteration of a loop, and what variables hold behind it.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{BinaryOperator, BlockItem, Expression, Statement};
use lang_c::span::Node;

use super::super::around::each_with_each;
use super::super::change::{EffectFinder, Effects, JumpTarget, PlaceChange};
use super::super::place::Place;
use super::super::value::{Environment, UnknownReason};
use super::CountingWalk;
use super::declare::names_declared;
use super::leaving::always_leaves;
use super::loop_parts::{LoopParts, LoopTest};
use super::motion::Motion;

/// More are not looked at.
const MOST_WAYS: usize = 32;

/// The ways that come to the end of a statement.
type Ways = Vec<Way>;

/// Of more cases nothing is told.
pub const MOST_CASES: usize = 32;

/// A way through statements.
#[derive(Clone)]
pub struct Way {
    /// What is known behind them.
    pub environment: Environment,
    /// Cases of which one is that of this way, as far as its conditions are told; in each, none of these is negative.
    pub cases: Vec<Vec<Polynomial>>,
}

impl Way {
    fn new(environment: Environment) -> Way {
        Way { environment, cases: vec![Vec::new()] }
    }
}

/// A variable that changes in a loop, and what stands for its value when an iteration begins.
pub struct Moved {
    pub path: String,
    pub index: Atom,
}

impl<'p> CountingWalk<'p, '_> {
    /// From here on the variables that change in a loop have any values that they may begin an iteration with; those are left out that do not
    /// count as whole numbers do.
    pub fn begin_anywhere(&mut self, effects: &Effects<'p>, offset: usize) -> Vec<Moved> {
        let mut moved = Vec::new();
        for path in effects.paths_changed() {
            if !self.is_narrow(path) && !self.is_real(path) && self.member_of_union(path).is_none() {
                let index = Atom::Index(self.new_index());
                let value = Ok(Polynomial::from(index.clone()));
                self.environment.set(&Place::Path(path.to_owned()), value, offset);
                moved.push(Moved { path: path.to_owned(), index });
            }
        }
        moved
    }

    /// How a variable goes on where each way through an iteration steps it to the same side: the least of those steps, and whether all are
    /// that one.
    pub fn motion_of_ways(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        path: &str,
    ) -> Option<(Motion, bool)> {
        let place = Place::Path(path.to_owned());
        let test = parts.test?.condition.span;
        let is_of_test = |its: &PlaceChange| test.start <= its.offset && its.offset < test.end;
        // A test that moves it is on no way.
        if effects.changes.iter().any(|its| its.place.may_be(&place) && is_of_test(its)) {
            return None;
        }
        let begin = Polynomial::index(self.new_index());
        let ways = self.quietly(|walk| {
            walk.environment.set(&place, Ok(begin.clone()), parts.offset);
            walk.ways_through(parts, effects)
        })?;
        let step = |way: &Way| (&way.environment.get(path).ok()? - &begin).integer();
        let steps: Vec<i64> = ways.iter().map(step).collect::<Option<_>>()?;
        let least = *steps.iter().min_by_key(|step| step.abs())?;
        steps
            .iter()
            .all(|step| step.signum() == least.signum() && least != 0)
            .then(|| (Motion::By(Polynomial::from(least)), steps.iter().all(|step| *step == least)))
    }

    /// What is known at the end of an iteration on each way that goes on with another one, from what is known now. `None` where there are ways
    /// that are not seen.
    pub fn ways_through(&mut self, parts: &LoopParts<'p>, effects: &Effects<'p>) -> Option<Ways> {
        if effects.jumps_within() {
            return None;
        }
        let mut continued = Vec::new();
        let mut ways = vec![Way::new(self.environment.clone())];
        if let Some(condition) = parts.other_condition.filter(|_| parts.is_do) {
            ways = self.ways_of_expression(condition, ways)?;
        }
        if let Some(statement) = parts.statement {
            ways = self.ways(statement, ways, &mut continued)?;
        }
        ways = self.ways_through_block(parts.items, ways, &mut continued)?;
        ways.append(&mut continued);
        for expression in parts.step.into_iter().chain(parts.other_condition.filter(|_| !parts.is_do)) {
            ways = self.ways_of_expression(expression, ways)?;
        }
        self.ways_through_block(parts.before_test, ways, &mut continued)
    }

    /// What is known at the test in the body of a loop when it comes up for the first time.
    pub fn ways_before_test(&mut self, parts: &LoopParts<'p>) -> Option<Ways> {
        let from = vec![Way::new(self.environment.clone())];
        self.ways_through_block(parts.before_test, from, &mut Vec::new())
    }

    fn ways(&mut self, statement: &'p Node<Statement>, from: Ways, continued: &mut Ways) -> Option<Ways> {
        if from.len() > MOST_WAYS {
            return None;
        }
        match &statement.node {
            Statement::Compound(items) => self.ways_through_block(items, from, continued),
            Statement::If(branches) => {
                let branches = &branches.node;
                let [holds, fails] = self.ways_of_condition(&branches.condition, from)?;
                let mut ways = self.ways(&branches.then_statement, holds, continued)?;
                ways.append(&mut match &branches.else_statement {
                    Some(otherwise) => self.ways(otherwise, fails, continued)?,
                    None => fails,
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
                    declared.extend(names_declared(item));
                    self.after(ways, |walk| drop(walk.declaration(&declaration.node)))
                }
            };
        }
        // Whatever else has such a name is not known behind the block.
        let offset = items.first().map_or(0, |item| self.at(item));
        for way in ways.iter_mut().chain(&mut continued[before..]) {
            for name in &declared {
                let reason = UnknownReason::new(offset, format!("`{name}` is declared in the loop"));
                way.environment.set(&Place::Path((*name).to_owned()), Err(reason), offset);
            }
        }
        Some(ways)
    }

    /// `x = c ? a : b` has two, and so has `c ? a : b`.
    fn ways_of_expression(&mut self, expression: &'p Node<Expression>, from: Ways) -> Option<Ways> {
        let (to, value) = match &expression.node {
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Assign => {
                (Some(&*binary.node.lhs), &*binary.node.rhs)
            }
            _ => (None, expression),
        };
        let Expression::Conditional(choice) = &value.node else {
            return Some(self.after(from, |walk| drop(walk.evaluate(expression))));
        };
        let choice = &choice.node;
        let sides = self.ways_of_condition(&choice.condition, from)?;
        let mut ways = Vec::new();
        for (from, value) in sides.into_iter().zip([&choice.then_expression, &choice.else_expression]) {
            ways.append(&mut self.after(from, |walk| {
                if let Some(to) = to {
                    walk.subscripts(to);
                }
                let value = walk.evaluate(value);
                if let Some(to) = to {
                    walk.lose_pointed_to(to);
                    let place = walk.place(to);
                    walk.give(&place, value, None, walk.at(to));
                }
            }));
        }
        Some(ways)
    }

    /// The ways on which a condition holds, and those on which it fails.
    fn ways_of_condition(&mut self, condition: &'p Node<Expression>, from: Ways) -> Option<[Ways; 2]> {
        if !self.tells_cases {
            let behind = self.ways_of_expression(condition, from)?;
            return Some([behind.clone(), behind]);
        }
        let before = from.clone();
        let behind = self.ways_of_expression(condition, from)?;
        Some([true, false].map(|goes_on_where| {
            let test = LoopTest { condition, goes_on_where };
            let mut side = behind.clone();
            if side.len() == before.len() {
                for (way, before) in side.iter_mut().zip(&before) {
                    let its = self.cases_where(test, [&before.environment, &way.environment]);
                    way.cases = cases_of_both(&way.cases, &its);
                }
            }
            side
        }))
    }

    /// What is known behind something that is done on each way.
    fn after(&mut self, from: Ways, mut step: impl FnMut(&mut Self)) -> Ways {
        let ways = from.into_iter().map(|Way { environment, cases }| {
            self.quietly(|walk| {
                walk.environment = environment;
                step(walk);
                Way { environment: walk.environment.clone(), cases }
            })
        });
        ways.collect()
    }
}

/// Each of some cases together with each of others; none is told of too many.
pub fn cases_of_both(cases: &[Vec<Polynomial>], others: &[Vec<Polynomial>]) -> Vec<Vec<Polynomial>> {
    match cases.len() * others.len() > MOST_CASES {
        true => vec![Vec::new()],
        false => each_with_each(cases, others),
    }
}
