//! Where the condition of a loop lets it go on, as inequalities of the index that counts its iterations.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;

use super::super::change::Effects;
use super::super::place::Place;
use super::CountingWalk;
use super::condition::{BranchCondition, ConditionCases};
use super::induction::InductionVariable;
use super::loop_parts::{LoopParts, LoopTest};
use super::motion::Motion;

impl<'p> CountingWalk<'p, '_> {
    /// Where a loop goes on if a variable has its value when an iteration begins, and what must not be negative for that.
    pub fn condition_with(
        &mut self,
        test: LoopTest<'p>,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        variable: &InductionVariable,
    ) -> (ConditionCases, Vec<Polynomial>) {
        let place = Place::Path(variable.path.to_owned());
        let mut value = variable.value.clone();
        // Behind a body that moved it.
        let moved = effects.changes.iter().find(|change| change.place == place);
        if parts.is_do
            && moved.is_some_and(|change| !test.has(change))
            && let Motion::By(by) = &variable.motion
        {
            value = &value + by;
        }
        self.quietly(|walk| {
            walk.environment.set(&place, Ok(value), parts.offset);
            walk.bound_index = Some(variable.index);
            // One that may go faster may go past an end that it must meet.
            let side = match variable.is_sure().then(|| walk.inequality(test, &variable.motion)).flatten() {
                Some(side) => {
                    // It begins on its side, or at the bound.
                    let at_begin = |positive: &Polynomial| {
                        let first = positive.substituted(&Atom::Index(variable.index), &variable.first)?;
                        Some(&first + &Polynomial::from(1))
                    };
                    let is_linear = matches!(variable.motion, Motion::By(_));
                    let cases = side.cases.iter().flatten().filter(|_| is_linear);
                    let assumed = cases.filter_map(at_begin).collect();
                    (side, assumed)
                }
                None => {
                    let BranchCondition { holds, assumed, .. } = walk.goes_on(test);
                    (holds, assumed)
                }
            };
            walk.bound_index = None;
            side
        })
    }

    /// `i != n` for a variable that goes by one means that it stays on its side; so does `n` for one that is halved.
    fn inequality(&mut self, test: LoopTest<'p>, motion: &Motion) -> Option<ConditionCases> {
        let is_up = match motion {
            Motion::By(by) => match by.integer() {
                Some(by @ (1 | -1)) => by > 0,
                _ => return None,
            },
            Motion::Over(_) => false,
            Motion::Times(_) => return None,
        };
        let [test] = test.conjuncts()[..] else { return None };
        let (left, right) = match test.comparison() {
            Some((left, BinaryOperator::NotEquals, right)) => {
                (self.evaluate(left).ok()?, self.evaluate(right).ok()?)
            }
            // `while (n--)`, `while (n)`
            None if test.goes_on_where && is_number(test.condition) => {
                (self.evaluate(test.condition).ok()?, Polynomial::default())
            }
            _ => return None,
        };
        let difference = if is_up { &right - &left } else { &left - &right };
        Some(ConditionCases { cases: vec![vec![&difference - &Polynomial::from(1)]], doubt: None })
    }
}

/// Whether a condition is a variable, or one that it moves.
fn is_number(condition: &Node<Expression>) -> bool {
    use BinaryOperator as B;
    use UnaryOperator as U;
    match &condition.node {
        Expression::BinaryOperator(binary) => {
            matches!(binary.node.operator.node, B::AssignShiftRight | B::AssignDivide)
        }
        Expression::UnaryOperator(unary) => !matches!(unary.node.operator.node, U::Negate | U::Indirection),
        Expression::Identifier(_) | Expression::Member(_) => true,
        _ => false,
    }
}
