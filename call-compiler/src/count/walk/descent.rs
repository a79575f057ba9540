//! Loops of which each iteration takes something away, whichever way it takes: `while (i < n && j < m) if (…) i++; else j++;`.

use call_counting::Polynomial;
use lang_c::ast::BinaryOperator;

use super::super::change::Effects;
use super::super::value::Environment;
use super::CountingWalk;
use super::inner_test::is_plain;
use super::loop_parts::{LoopParts, LoopTest};
use super::ways::Moved;

/// What is above 0 for as long as a test lets the loop go on, and by how much less it is behind each way through an iteration.
struct Distance {
    left: Polynomial,
    steps: Vec<i64>,
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
            let begin = walk.environment.clone();
            let ways = walk.ways_through(parts, effects)?;
            let tests = test.conjuncts();
            let distances = tests.into_iter().filter_map(|test| walk.distance(test, (&begin, &ways), &moved));
            let distances: Vec<Distance> = distances.collect();
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

    fn distance(
        &mut self,
        test: LoopTest<'p>,
        (begin, ways): (&Environment, &[Environment]),
        moved: &[Moved],
    ) -> Option<Distance> {
        use BinaryOperator as B;
        let (left, operator, right) = test.comparison()?;
        let (low, high, least) = match operator {
            B::Less => (left, right, 0),
            B::LessOrEqual => (left, right, 1),
            B::Greater => (right, left, 0),
            B::GreaterOrEqual => (right, left, 1),
            _ => return None,
        };
        let is_natural = self.is_natural(low) || self.is_natural(high);
        let mut at = |environment: &Environment| {
            self.environment = environment.clone();
            Some((self.evaluate(low).ok()?, self.evaluate(high).ok()?))
        };
        let (low, high) = at(begin)?;
        let steps = ways.iter().map(|way| {
            let (low_behind, high_behind) = at(way)?;
            Some(((&low_behind - &low).integer()?, (&high_behind - &high).integer()?))
        });
        let steps = steps.collect::<Option<Vec<(i64, i64)>>>()?;
        // What goes below 0 would be a large number.
        let may_wrap = |(low, high): &(i64, i64)| *low < 0 || *high < -1 || *high < 0 && least > 0;
        if is_natural
            && (steps.iter().any(may_wrap) || !low.has_no_negative_term() || !high.has_no_negative_term())
        {
            return None;
        }
        let left = &(&high - &low) + &Polynomial::from(least);
        let is_of_loop = moved.iter().any(|its| left.mentions(&its.index));
        let steps = steps.into_iter().map(|(low, high)| high - low).collect();
        is_of_loop.then_some(Distance { left, steps })
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
