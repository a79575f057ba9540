//! How variables go on from one iteration of a loop to the next.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{BinaryOperator, Expression};
use lang_c::span::Node;

use super::super::change::{Effects, PlaceChange, Update};
use super::super::place::{Place, is_same_member, path_of};
use super::super::value::{Environment, UnknownReason};
use super::CountingWalk;
use super::computed::is_moderate;
use super::loop_parts::{LoopParts, mentions};

/// What counts the iterations of a loop: a variable, its value in one, and how many were before that.
pub struct LoopCounter<'c> {
    pub path: &'c str,
    pub value: &'c Polynomial,
    pub passed: &'c Polynomial,
}

/// How a variable goes on from one iteration to the next.
#[derive(Debug, Clone)]
pub enum Motion {
    By(Polynomial),
    Times(u32),
    Over(u32),
}

impl<'p> CountingWalk<'p, '_> {
    /// The one motion of a variable in an iteration, and whether there is no other.
    pub fn motion(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        path: &str,
    ) -> Result<(Motion, bool), UnknownReason> {
        let (program, parsed) = (self.program, self.parsed);
        let no = |change: &PlaceChange, why: &str| {
            let offset = parsed.original(change.offset);
            Err(UnknownReason::new(offset, format!("`{path}` {why} at line {}", program.place(offset).1)))
        };
        let place = Place::Path(path.to_owned());
        let changes: Vec<&PlaceChange<'p>> =
            effects.changes.iter().filter(|change| change.place.may_be(&place)).collect();
        let by_pointer = |change: &&PlaceChange| {
            !change.place.may_be(&place)
                && self.pointed_to(&change.place).iter().any(|its| its.may_be(&place))
        };
        if let Some(change) = effects.changes.iter().find(by_pointer) {
            return no(change, "may change by another name");
        }
        if let Some((called, offset)) = self.call_that_changes(effects, path) {
            let offset = parsed.original(offset);
            let name = called.name.as_deref().map_or("a function".to_owned(), |name| format!("`{name}`"));
            return Err(UnknownReason::new(offset, format!("`{path}` may change in {name}")));
        }
        self.written_motion(parts, effects, (path, &changes))
            .or_else(|reason| self.motion_of_ways(parts, effects, path).ok_or(reason))
    }

    /// That of one change which is made in each iteration, and of those beside it.
    fn written_motion(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        (path, changes): (&str, &[&PlaceChange<'p>]),
    ) -> Result<(Motion, bool), UnknownReason> {
        let (program, parsed) = (self.program, self.parsed);
        let no = |change: &PlaceChange, why: &str| {
            let offset = parsed.original(change.offset);
            Err(UnknownReason::new(offset, format!("`{path}` {why} at line {}", program.place(offset).1)))
        };
        // `to->at` may be `from->at` or not: it is if both pointers are known to be one.
        let own = Place::Path(path.to_owned());
        let is_same = |walk: &Self, change: &PlaceChange| {
            change.place == own || walk.resolved_place(&change.place) == walk.resolved_place(&own)
        };
        let is_around = |change: &PlaceChange| match &change.place {
            Place::Path(changed) => !is_same_member(changed, path),
            _ => true,
        };
        if let Some(change) = changes.iter().find(|its| is_around(its) && !is_same(self, its)) {
            return no(change, "may be another one behind a change");
        }
        let sure: Vec<&&PlaceChange> = changes
            .iter()
            .filter(|its| !its.is_conditional && !its.is_repeated && is_same(self, its))
            .collect();
        let Some(main) = sure.first() else {
            return match changes.first() {
                Some(change) => no(change, "changes in some iterations only"),
                None => Err(UnknownReason::new(parts.offset, format!("`{path}` does not change"))),
            };
        };
        // Behind a `continue` or `goto` it need not happen, unless it is the step of a `for`.
        let is_passed_over = |change: &PlaceChange| {
            let is_outside_body = parts
                .conditions()
                .chain(parts.step)
                .any(|outside| outside.span.start <= change.offset && change.offset < outside.span.end);
            !is_outside_body && effects.is_passed_over(change.offset)
        };
        if is_passed_over(main) {
            return no(main, "may be passed over by a jump before it changes");
        }
        let Some(motion) = self.one_motion(main) else {
            return no(main, "gets a value that is no regular step");
        };
        let mut total = motion;
        let mut is_sure = true;
        for change in changes {
            if std::ptr::eq(*change, **main) {
                continue;
            }
            match (&total, self.one_motion(change)) {
                (Motion::By(sum), Some(Motion::By(by))) => {
                    let same = sum.constant().zip(by.constant());
                    let Some((sum_value, by_value)) = same else { return no(change, "changes again") };
                    if sum_value.is_positive() != by_value.is_positive() {
                        return no(change, "goes back");
                    }
                    if change.is_conditional
                        || change.is_repeated
                        || is_passed_over(change)
                        || !is_same(self, change)
                    {
                        is_sure = false;
                    } else {
                        total = Motion::By(sum + &by);
                    }
                }
                _ => return no(change, "changes again"),
            }
        }
        Ok((total, is_sure))
    }

    pub fn one_motion(&mut self, change: &PlaceChange<'p>) -> Option<Motion> {
        use BinaryOperator as B;
        let (operator, right) = match &change.step {
            Update::By(by) => return Some(Motion::By(Polynomial::from(*by))),
            Update::Elsewhere => return None,
            Update::Operator(operator, right) => (operator, *right),
        };
        if *operator == B::Assign {
            let Expression::BinaryOperator(binary) = &right.node else { return None };
            let Place::Path(own) = &change.place else { return None };
            let is_own = |side: &Node<Expression>| path_of(side).as_ref() == Some(own);
            let (left, other) = (&binary.node.lhs, &binary.node.rhs);
            return match (&binary.node.operator.node, is_own(left), is_own(other)) {
                (operator, true, false) => self.operated(operator, other),
                (operator @ (B::Plus | B::Multiply), false, true) => self.operated(operator, left),
                _ => None,
            };
        }
        let operator = match operator {
            B::AssignPlus => B::Plus,
            B::AssignMinus => B::Minus,
            B::AssignMultiply => B::Multiply,
            B::AssignDivide => B::Divide,
            B::AssignShiftLeft => B::ShiftLeft,
            B::AssignShiftRight => B::ShiftRight,
            _ => return None,
        };
        self.operated(&operator, right)
    }

    fn operated(&mut self, operator: &BinaryOperator, right: &'p Node<Expression>) -> Option<Motion> {
        use BinaryOperator as B;
        let value = self.peek(right).ok()?;
        let number =
            || value.integer().and_then(|value| u32::try_from(value).ok()).filter(|value| *value >= 2);
        let power = || value.integer().filter(|bits| (1..=16).contains(bits)).map(|bits| 1u32 << bits);
        match operator {
            B::Plus => Some(Motion::By(value)),
            B::Minus => Some(Motion::By(-&value)),
            B::Multiply => number().map(Motion::Times),
            B::Divide => number().map(Motion::Over),
            B::ShiftLeft => power().map(Motion::Times),
            B::ShiftRight => power().map(Motion::Over),
            _ => None,
        }
    }

    /// Variables that go by a number in each iteration beside the one that counts them, or by a sum of what that is.
    pub fn followers(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        before: &Environment,
        counter: &LoopCounter,
    ) {
        let mut paths: Vec<&String> = effects
            .changes
            .iter()
            .filter_map(|change| match &change.place {
                Place::Path(path) if path != counter.path => Some(path),
                _ => None,
            })
            .collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            let place = Place::Path(path.clone());
            let mut its = effects.changes.iter().filter(|change| change.place.may_be(&place));
            let (Some(only), None) = (its.next(), its.next()) else { continue };
            if only.is_conditional || only.is_repeated || !effects.jumps.is_empty() || only.place != place {
                continue;
            }
            let (Some(Motion::By(by)), Ok(first)) = (self.one_motion(only), before.get(path)) else {
                continue;
            };
            let moved = match by.integer() {
                Some(_) => Some(&by * counter.passed),
                None => self.sum_of_steps(parts, effects, (path, only), &by, counter),
            };
            if let Some(moved) = moved.filter(|_| self.call_that_changes(effects, path).is_none()) {
                let offset = self.parsed.original(only.offset);
                self.environment.set(&place, Ok(&first + &moved), offset);
            }
        }
    }

    /// What came to a variable in the iterations before this one, where each adds what grows with the counter: of `kk += j` the sum of all `j`.
    fn sum_of_steps(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        (path, change): (&str, &PlaceChange<'p>),
        by: &Polynomial,
        counter: &LoopCounter,
    ) -> Option<Polynomial> {
        let Update::Operator(_, right) = &change.step else { return None };
        let is_in_step = |its: &PlaceChange| {
            parts.step.is_some_and(|step| (step.span.start..step.span.end).contains(&its.offset))
        };
        let is_of_counter = |its: &&PlaceChange| its.place == Place::Path(counter.path.to_owned());
        // The counter has its value still where it is added, and all else that is read is the same in each iteration.
        let is_behind_it = effects.changes.iter().filter(is_of_counter).all(is_in_step)
            && !is_in_step(change)
            && !parts.conditions().any(|its| (its.span.start..its.span.end).contains(&change.offset));
        let changed = effects.paths_changed();
        let reads_others =
            changed.iter().any(|other| *other != path && *other != counter.path && mentions(right, other));
        let is_plain = by.atoms().into_iter().all(|atom| matches!(atom, Atom::Name(_) | Atom::Index(_)));
        if !is_behind_it || reads_others || !is_plain || self.is_narrow(path) || self.is_real(path) {
            return None;
        }
        let index = counter
            .passed
            .atoms()
            .into_iter()
            .find(|its| matches!(its, Atom::Index(_)) && counter.value.mentions(its))?;
        let (sign, rest) = counter.passed.linear_in(index)?;
        let sign = sign.integer().filter(|sign| sign.abs() == 1)?;
        // In the iteration before which `t` were: slope*t + start.
        let (slope, start) = by.linear_in(index)?;
        let slope = slope.scaled(&sign.into());
        let start = &start - &(&slope * &rest);
        let pairs = (counter.passed * &(counter.passed - &Polynomial::from(1))).over(2);
        Some(&(&slope * &pairs) + &(&start * counter.passed)).filter(is_moderate)
    }
}
