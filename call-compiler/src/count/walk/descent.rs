//! Loops of which each iteration takes something away, whichever way it takes: `while (i < n && j < m) if (…) i++; else j++;`.

use call_counting::Polynomial;
use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::Node;

use super::super::change::Effects;
use super::super::value::Environment;
use super::CountingWalk;
use super::inner_test::is_plain;
use super::loop_parts::{LoopParts, LoopTest};
use super::ways::{Moved, Way};

/// The sides of a test that lets a loop go on while `low` is less than `high`, or as much if `least` is 1.
pub struct Sides<'p> {
    low: &'p Node<Expression>,
    high: &'p Node<Expression>,
    least: i64,
    /// What they are when an iteration begins.
    begin: (Polynomial, Polynomial),
}

/// What is above 0 for as long as a test lets the loop go on, and by how much less it is behind each way through an iteration.
pub struct Distance {
    pub left: Polynomial,
    pub steps: Vec<i64>,
}

impl<'p> CountingWalk<'p, '_> {
    /// What the iterations of a loop are not more than: the way that one variable, or several together, have to their ends.
    pub fn descent(
        &mut self,
        parts: &LoopParts<'p>,
        test: LoopTest<'p>,
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Option<Polynomial> {
        if !is_plain(test.condition) {
            return None;
        }
        let (moved, distances) = self.quietly(|walk| {
            let moved = walk.begin_anywhere(effects, parts.offset);
            let tests = test.conjuncts().into_iter();
            let sides: Vec<Sides> = tests.filter_map(|test| walk.sides(test, &moved)).collect();
            if sides.is_empty() {
                return None;
            }
            let ways = walk.ways_through(parts, effects)?;
            let distances: Vec<Distance> =
                sides.iter().filter_map(|sides| walk.distance(sides, &ways)).collect();
            Some((moved, distances))
        })?;
        let becomes_less = |steps: &[i64]| !steps.is_empty() && steps.iter().all(|step| *step < 0);
        let one = distances.iter().find(|its| becomes_less(&its.steps)).map(|its| its.left.clone());
        let left = one.or_else(|| {
            let none_grows: Vec<&Distance> =
                distances.iter().filter(|its| its.steps.iter().all(|step| *step <= 0)).collect();
            let ways = none_grows.first()?.steps.len();
            let together: Vec<i64> =
                (0..ways).map(|way| none_grows.iter().map(|its| its.steps[way]).sum()).collect();
            let sum = none_grows.iter().fold(Polynomial::default(), |sum, its| &sum + &its.left);
            becomes_less(&together).then_some(sum)
        })?;
        self.at_most_before(left, &moved, before)
    }

    /// Those of a comparison that the loop has to do with.
    pub fn sides(&mut self, test: LoopTest<'p>, moved: &[Moved]) -> Option<Sides<'p>> {
        use BinaryOperator as B;
        let (left, operator, right) = test.comparison()?;
        let (low, high, least) = match operator {
            B::Less => (left, right, 0),
            B::LessOrEqual => (left, right, 1),
            B::Greater => (right, left, 0),
            B::GreaterOrEqual => (right, left, 1),
            _ => return None,
        };
        let begin = self.quietly(|walk| Some((walk.evaluate(low).ok()?, walk.evaluate(high).ok()?)))?;
        let sides = Sides { low, high, least, begin };
        let left = sides.left();
        moved.iter().any(|its| left.mentions(&its.index)).then_some(sides)
    }

    pub fn distance(&mut self, sides: &Sides<'p>, ways: &[Way]) -> Option<Distance> {
        let Sides { low, high, least, begin } = sides;
        let is_natural = self.is_natural(low) || self.is_natural(high);
        let steps = ways.iter().map(|way| {
            self.environment = way.environment.clone();
            let (low_behind, high_behind) = (self.evaluate(low).ok()?, self.evaluate(high).ok()?);
            Some(((&low_behind - &begin.0).integer()?, (&high_behind - &begin.1).integer()?))
        });
        let steps = steps.collect::<Option<Vec<(i64, i64)>>>()?;
        // What goes below 0 would be a large number.
        let may_wrap = |(low, high): &(i64, i64)| *low < 0 || *high < -1 || *high < 0 && *least > 0;
        let is_sum = begin.0.has_no_negative_term() && begin.1.has_no_negative_term();
        if is_natural && (steps.iter().any(may_wrap) || !is_sum) {
            return None;
        }
        let steps = steps.into_iter().map(|(low, high)| high - low).collect();
        Some(Distance { left: sides.left(), steps })
    }

    /// What a sum is not above before the loop, where of some variables one end is known only.
    fn at_most_before(&self, left: Polynomial, moved: &[Moved], before: &Environment) -> Option<Polynomial> {
        moved.iter().filter(|its| left.mentions(&its.index)).try_fold(left.clone(), |left, its| {
            let (factor, _) = left.linear_in(&its.index)?;
            let grows_with_it = factor.integer()? > 0;
            let value = before.get(&its.path).ok().or_else(|| before.end_of(&its.path, grows_with_it))?;
            left.substituted(&its.index, &value)
        })
    }
}

impl Sides<'_> {
    fn left(&self) -> Polynomial {
        &(&self.begin.1 - &self.begin.0) + &Polynomial::from(self.least)
    }
}
