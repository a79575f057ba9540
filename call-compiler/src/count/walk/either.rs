//! Loops that go on while one of several variables is not at its end: `while (i < n || j < m) if (…) i++; else j++;`.
//!
//! A variable that may pass its end bounds nothing: the loop goes on for another one. So each way through an iteration must tell, by its
//! conditions, that a variable which it moves is before its end.

use call_counting::Polynomial;
use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::super::change::{EffectFinder, Effects};
use super::super::value::Environment;
use super::CountingWalk;
use super::descent::Distance;
use super::inner_test::is_plain;
use super::loop_parts::{LoopParts, LoopTest};
use super::real::is_near_only;
use super::recursive_call::is_impossible;
use super::ways::{MOST_CASES, Moved, Way, cases_of_both};

/// The ways that several variables have to their ends.
pub struct EndsOfEither {
    /// Together.
    pub left: Polynomial,
    /// Each of them, which must not be negative.
    pub assumed: Vec<Polynomial>,
    /// Whether each iteration goes one step of one of them, and the loop ends where all are at their ends.
    pub is_exact: bool,
}

impl<'p> CountingWalk<'p, '_> {
    /// The ends of a loop that one of several tests lets go on.
    pub fn ends_of_either(
        &mut self,
        parts: &LoopParts<'p>,
        test: LoopTest<'p>,
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Option<EndsOfEither> {
        if parts.is_do || !is_plain(test.condition) {
            return None;
        }
        let tests = test.conjuncts();
        let is_alone = tests.len() == 1;
        let mut of_several = tests.into_iter().map(LoopTest::disjuncts).filter(|its| its.len() > 1);
        let ends = of_several.find_map(|its| self.ends_of_several(parts, &its, effects, before))?;
        Some(EndsOfEither { is_exact: ends.is_exact && is_alone, ..ends })
    }

    fn ends_of_several(
        &mut self,
        parts: &LoopParts<'p>,
        tests: &[LoopTest<'p>],
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Option<EndsOfEither> {
        if tests.iter().any(|test| self.mixes_signs(*test)) {
            return None;
        }
        let (moved, ways, distances) = self.quietly(|walk| {
            let moved = walk.begin_anywhere(effects, parts.offset);
            let sides = tests.iter().map(|test| walk.sides(*test, &moved)).collect::<Option<Vec<_>>>()?;
            let told = std::mem::replace(&mut walk.tells_cases, true);
            let ways = walk.ways_through(parts, effects);
            walk.tells_cases = told;
            let ways = ways?;
            let distances = sides.iter().map(|its| walk.distance(its, &ways)).collect::<Option<Vec<_>>>()?;
            Some((moved, ways, distances))
        })?;
        let mut steps = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            steps.extend(step_of_way(&distances, number, way)?);
        }
        let assumed = distances.iter().map(|its| value_before(&its.left, &moved, before));
        let assumed: Vec<Polynomial> = assumed.collect::<Option<_>>()?;
        let left = assumed.iter().fold(Polynomial::default(), |sum, its| &sum + its);
        let is_exact = steps.iter().all(|step| *step == -1);
        (!steps.is_empty()).then_some(EndsOfEither { left, assumed, is_exact })
    }

    /// Whether a test compares an unsigned number with one that may be below 0, which is a large number then.
    fn mixes_signs(&mut self, test: LoopTest<'p>) -> bool {
        let Some((left, _, right)) = test.comparison() else { return false };
        let signed = match (self.is_natural(left), self.is_natural(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return false,
        };
        self.peek(signed).ok().and_then(|value| value.integer()).is_none_or(|value| value < 0)
    }

    /// Cases of which one is given where a test lets the loop go on; in each, none of these is negative. Only what has the same value
    /// before the test and behind it is told.
    pub fn cases_where(&mut self, test: LoopTest<'p>, around: [&Environment; 2]) -> Vec<Vec<Polynomial>> {
        let mut finder = EffectFinder::new();
        finder.visit_expression(&test.condition.node, &test.condition.span);
        match finder.effects.changes.is_empty() {
            true => self.cases_of(test, around),
            false => vec![Vec::new()],
        }
    }

    fn cases_of(&mut self, test: LoopTest<'p>, around: [&Environment; 2]) -> Vec<Vec<Polynomial>> {
        let all = test.conjuncts();
        if all.len() > 1 {
            return all
                .into_iter()
                .fold(vec![Vec::new()], |cases, test| cases_of_both(&cases, &self.cases_of(test, around)));
        }
        let any = test.disjuncts();
        let cases: Vec<Vec<Polynomial>> = match &any[..] {
            [test] => self.cases_of_comparison(*test, around).unwrap_or_else(|| vec![Vec::new()]),
            _ => any.into_iter().flat_map(|test| self.cases_of(test, around)).collect(),
        };
        if cases.len() > MOST_CASES { vec![Vec::new()] } else { cases }
    }

    fn cases_of_comparison(
        &mut self,
        test: LoopTest<'p>,
        around: [&Environment; 2],
    ) -> Option<Vec<Vec<Polynomial>>> {
        use BinaryOperator as B;
        let (left, operator, right) = test.comparison()?;
        let is_natural = [left, right].map(|side| self.is_natural(side));
        let (left, right) = (self.whole_at_both(left, around)?, self.whole_at_both(right, around)?);
        // What is below 0 would be a large number.
        let is_never_negative = |value: &Polynomial, is_natural: bool| {
            value.has_no_negative_term() && (is_natural || value.constant().is_some())
        };
        if is_natural.contains(&true)
            && !(is_never_negative(&left, is_natural[0]) && is_never_negative(&right, is_natural[1]))
        {
            return None;
        }
        let (up, down, one) = (&right - &left, &left - &right, Polynomial::from(1));
        Some(match operator {
            B::Less => vec![vec![&up - &one]],
            B::LessOrEqual => vec![vec![up]],
            B::Greater => vec![vec![&down - &one]],
            B::GreaterOrEqual => vec![vec![down]],
            B::Equals => vec![vec![up, down]],
            _ => vec![vec![&up - &one], vec![&down - &one]],
        })
    }

    /// The value of an integer that is the same in two places.
    fn whole_at_both(
        &mut self,
        value: &'p Node<Expression>,
        around: [&Environment; 2],
    ) -> Option<Polynomial> {
        if self.is_real_number(value) {
            return None;
        }
        let [before, behind] = around.map(|environment| {
            self.quietly(|walk| {
                walk.environment = environment.clone();
                walk.evaluate(value).ok().filter(|its| !is_near_only(its))
            })
        });
        if before == behind { before } else { None }
    }
}

/// How far all variables together go on one way through an iteration: not at all where no iteration takes it. `None`: one of them may
/// pass its end, or all stay where they are.
fn step_of_way(distances: &[Distance], number: usize, way: &Way) -> Option<Option<i64>> {
    let one = Polynomial::from(1);
    let total: i64 = distances.iter().map(|its| its.steps[number]).sum();
    let mut is_taken = false;
    for (case, goes_on) in way.cases.iter().flat_map(|case| distances.iter().map(move |its| (case, its))) {
        // None was behind its end when the iteration began, and one of them was before it.
        let mut known: Vec<Polynomial> = distances.iter().map(|its| its.left.clone()).collect();
        known.push(&goes_on.left - &one);
        known.extend(case.iter().cloned());
        if is_impossible(&known) {
            continue;
        }
        let is_before_end = |distance: &Distance| {
            let wanted = &distance.left - &one;
            known.iter().any(|its| (&wanted - its).constant().is_some_and(|rest| !rest.is_negative()))
        };
        let goes_well = |distance: &Distance| match distance.steps[number] {
            0 => true,
            -1 => is_before_end(distance),
            _ => false,
        };
        if total == 0 || !distances.iter().all(goes_well) {
            return None;
        }
        is_taken = true;
    }
    Some(is_taken.then_some(total))
}

/// What a sum of variables was before the loop.
fn value_before(left: &Polynomial, moved: &[Moved], before: &Environment) -> Option<Polynomial> {
    moved
        .iter()
        .filter(|its| left.mentions(&its.index))
        .try_fold(left.clone(), |left, its| left.substituted(&its.index, &before.get(&its.path).ok()?))
}
