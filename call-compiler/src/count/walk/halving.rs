//! Loops that halve something, as a binary search does the interval between two variables.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::super::change::{EffectFinder, Effects, Update};
use super::super::place::{Place, path_of};
use super::super::value::Environment;
use super::CountingWalk;
use super::loop_parts::{LoopParts, LoopTest};

/// What a loop halves: it goes on while this is more than 0.
struct Measure {
    left: Polynomial,
    /// Whether it goes on below 0 as well.
    is_inequality: bool,
}

/// How often a loop runs that halves something, and the conditions beside it that may end the loop before.
pub struct Halving<'p> {
    pub steps: Polynomial,
    pub others: Vec<&'p Node<Expression>>,
}

impl<'p> CountingWalk<'p, '_> {
    /// Of a loop after each of whose iterations no more than half is left, whichever way it takes.
    pub fn halving(
        &mut self,
        parts: &LoopParts<'p>,
        test: LoopTest<'p>,
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Option<Halving<'p>> {
        let mut finder = EffectFinder::new();
        finder.visit_expression(&test.condition.node, &test.condition.span);
        let is_moved = |path: &str| self.call_that_changes(&finder.effects, path).is_some();
        if !finder.effects.changes.is_empty() || effects.paths_changed().into_iter().any(is_moved) {
            return None;
        }
        let tests = test.conjuncts();
        (0..tests.len()).find_map(|which| {
            let mut others = tests.clone();
            let test = others.remove(which);
            let steps = self.quietly(|walk| walk.halvings(parts, (test, &others), effects, before))?;
            Some(Halving { steps, others: others.into_iter().map(|other| other.condition).collect() })
        })
    }

    fn halvings(
        &mut self,
        parts: &LoopParts<'p>,
        (test, others): (LoopTest<'p>, &[LoopTest<'p>]),
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Option<Polynomial> {
        let moved = self.begin_anywhere(effects, parts.offset);
        let indices = || moved.iter().map(|its| &its.index);
        let kept = self.kept_relations(effects, before, parts.offset);
        let measures = self.measures(test)?;
        if !measures.iter().any(|measure| indices().any(|index| measure.left.mentions(index))) {
            return None;
        }
        let mut ways = self.ways_through(parts, effects)?;
        ways.retain(|way| !others.iter().any(|other| self.never_goes_on(*other, &way.environment)));
        (0..measures.len()).find_map(|which| {
            let measure = &measures[which];
            let index = indices().find(|index| measure.left.mentions(index))?;
            let (by, rest) = measure.left.linear_in(index)?;
            let sign = by.integer().filter(|by| by.abs() == 1)?;
            // The variable in terms of what is left.
            let left = Atom::Index(self.new_index());
            let variable = (&Polynomial::from(left.clone()) - &rest).scaled(&sign.into());
            for way in &ways {
                self.environment = way.environment.clone();
                for (path, value) in &kept {
                    if self.environment.get(path).ok()? != self.peek(value).ok()? {
                        return None;
                    }
                }
                let still_left = rounded_down(&self.measures(test)?.swap_remove(which).left)?;
                if !is_half(&still_left.substituted(index, &variable)?, &left, measure.is_inequality) {
                    return None;
                }
            }
            self.environment = before.clone();
            // Rounded down the logarithm is one time less than the loop may run.
            Some(&self.measures(test)?.swap_remove(which).left.log() + &Polynomial::from(1))
        })
    }

    /// Variables that each iteration gives the value of an expression of others, which they have before the loop as well: they stand for that.
    fn kept_relations(
        &mut self,
        effects: &Effects<'p>,
        before: &Environment,
        offset: usize,
    ) -> Vec<(String, &'p Node<Expression>)> {
        let mut kept = Vec::new();
        for change in &effects.changes {
            let Place::Path(path) = &change.place else { continue };
            let Update::Operator(BinaryOperator::Assign, value) = &change.step else { continue };
            let is_only = effects.changes.iter().filter(|its| its.place == change.place).count() == 1;
            if !is_only || change.is_conditional || change.is_repeated || effects.declared.contains(path) {
                continue;
            }
            let value_before = self.quietly(|walk| {
                walk.environment = before.clone();
                walk.evaluate(value)
            });
            let is_kept = value_before.is_ok() && before.get(path) == value_before;
            let own = self.environment.get(path).ok();
            if let Some(now) = self.peek(value).ok().filter(|_| is_kept)
                && !own.as_ref().and_then(Polynomial::atom).is_some_and(|own| now.mentions(own))
            {
                self.environment.set(&change.place, Ok(now), offset);
                kept.push((path.clone(), *value));
            }
        }
        kept
    }

    fn never_goes_on(&mut self, test: LoopTest<'p>, environment: &Environment) -> bool {
        self.quietly(|walk| {
            walk.environment = environment.clone();
            walk.goes_on(test).holds.is_never()
        })
    }

    /// What may be left for as long as the condition holds: one that asks whether two are not the same does not say which one is larger.
    fn measures(&mut self, test: LoopTest<'p>) -> Option<Vec<Measure>> {
        use BinaryOperator as B;
        if path_of(test.condition).is_some() && test.goes_on_where {
            return Some(vec![Measure { left: self.peek(test.condition).ok()?, is_inequality: true }]);
        }
        let (left, operator, right) = test.comparison()?;
        if operator == B::Equals {
            return None;
        }
        let (left, right) = (self.peek(left).ok()?, self.peek(right).ok()?);
        let is_inequality = operator == B::NotEquals;
        let of = |length: Polynomial| Measure { left: length, is_inequality };
        let end = Polynomial::from(i64::from(matches!(operator, B::LessOrEqual | B::GreaterOrEqual)));
        let (upward, downward) = (&(&right - &left) + &end, &(&left - &right) + &end);
        Some(match operator {
            B::Less | B::LessOrEqual => vec![of(upward)],
            B::Greater | B::GreaterOrEqual => vec![of(downward)],
            _ => vec![of(upward), of(downward)],
        })
    }
}

/// With quotients of what is not negative, as what is halved is not.
fn rounded_down(value: &Polynomial) -> Option<Polynomial> {
    value.mapped(&|atom| match atom {
        Atom::Floor { of, by, is_truncated: true } => Some(rounded_down(of)?.floor(*by)),
        _ => None,
    })
}

/// Whether it is half of what was left or less by 1 at most, whatever that is: rounded quotients come again with their divisors.
fn is_half(still_left: &Polynomial, left: &Atom, is_inequality: bool) -> bool {
    const LARGEST_DIVISOR: u32 = 4;
    let is_linear = |value: &Polynomial| {
        value
            .terms()
            .all(|(monomial, _)| monomial.0.values().map(|power| power.unsigned_abs()).sum::<u32>() <= 1)
    };
    let is_part = |atom: &&Atom| match atom {
        Atom::Floor { of, by, .. } => *by <= LARGEST_DIVISOR && is_linear(of) && of.depth() == 0,
        atom => *atom == left,
    };
    is_linear(still_left)
        && still_left.atoms().iter().all(is_part)
        && (1..=64).all(|before: i64| {
            let still =
                still_left.substituted(left, &Polynomial::from(before)).and_then(|value| value.integer());
            still.is_some_and(|still| {
                (before / 2 - 1..=before / 2).contains(&still) && (still >= 0 || !is_inequality)
            })
        })
}
