//! What counts the iterations of a loop: the variable whose steps end it, between which bounds.

use call_counting::{Atom, Level, Polynomial};

use super::super::around::Around;
use super::super::change::Effects;
use super::super::place::Place;
use super::super::value::{Environment, UnknownReason};
use super::CountingWalk;
use super::either::EndsOfEither;
use super::halving::Halving;
use super::induction::{CountedIterations, InductionVariable, LoopEnds};
use super::loop_parts::{LoopParts, LoopTest, mentions};
use super::motion::Motion;

/// What repeats a loop, found out.
pub struct Counter {
    pub around: Vec<Around>,
    /// The variable, if it is one.
    pub path: Option<String>,
    /// The value of the variable in an iteration.
    pub value: Polynomial,
    /// How many iterations were before this one, where that is a polynomial.
    pub passed: Option<Polynomial>,
    /// The value behind the loop, if there was no iteration too few: `length` is not negative.
    pub behind: Option<Polynomial>,
    pub length: Polynomial,
}

impl Counter {
    /// Of a loop of which the number of iterations alone is known.
    fn without_variable(around: Vec<Around>) -> Counter {
        Counter {
            around,
            path: None,
            value: Polynomial::default(),
            passed: None,
            behind: None,
            length: Polynomial::default(),
        }
    }
}

impl<'p> CountingWalk<'p, '_> {
    /// Finds the variable whose steps end the loop.
    pub fn counter(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        before: &Environment,
    ) -> Result<Counter, UnknownReason> {
        let Some(test) = parts.test else {
            return Err(UnknownReason::new(parts.offset, "the loop has no condition"));
        };
        let mut failure = None;
        let mut candidates: Vec<String> = Vec::new();
        for change in &effects.changes {
            if let Place::Path(path) = &change.place
                && !candidates.contains(path)
                && mentions(test.condition, path)
            {
                candidates.push(path.clone());
            }
        }
        for path in &candidates {
            match self.counts(parts, test, effects, before, path) {
                Ok(counter) => return Ok(counter),
                Err(reason) => _ = failure.get_or_insert(reason),
            }
        }
        if let Some(Halving { steps, others }) = self.halving(parts, test, effects, before) {
            let mut around: Vec<Around> =
                others.into_iter().map(|other| Around::Doubt(self.depends(other))).collect();
            around.extend([Around::Rounded, Around::Loop(Level::Times(steps))]);
            return Ok(Counter::without_variable(around));
        }
        if let Some(left) = self.descent(parts, test, effects, before) {
            let (index, one) = (self.new_index(), Polynomial::from(1));
            let (from, to) = (vec![one], vec![left]);
            let range = Around::Loop(Level::Range { index, from, to });
            return Ok(Counter::without_variable(vec![Around::Doubt(self.depends(test.condition)), range]));
        }
        if let Some(EndsOfEither { left, assumed, is_exact }) =
            self.ends_of_either(parts, test, effects, before)
        {
            let (index, one) = (self.new_index(), Polynomial::from(1));
            let range = Around::Loop(Level::Range { index, from: vec![one], to: vec![left] });
            let doubt = (!is_exact).then(|| Around::Doubt(self.depends(test.condition)));
            let around = assumed.into_iter().map(Around::Assumed).chain(doubt).chain([range]);
            return Ok(Counter::without_variable(around.collect()));
        }
        let text = self.shown(test.condition);
        Err(failure.unwrap_or_else(|| {
            UnknownReason::new(parts.offset, format!("data decide how often `{text}` holds"))
        }))
    }

    /// The loop as one over the values of a variable.
    fn counts(
        &mut self,
        parts: &LoopParts<'p>,
        test: LoopTest<'p>,
        effects: &Effects<'p>,
        before: &Environment,
        path: &str,
    ) -> Result<Counter, UnknownReason> {
        let no = |why: String| UnknownReason::new(parts.offset, why);
        let variable = self.induction_variable(parts, effects, before, path)?;
        let (side, assumed) = self.condition_with(test, parts, effects, &variable);
        let condition = self.shown(test.condition);
        let [case] = &side.cases[..] else {
            return Err(no(format!("`{condition}` is no single bound of `{path}`")));
        };
        let index = Atom::Index(variable.index);
        let (bounds, others): (Vec<&Polynomial>, Vec<&Polynomial>) =
            case.iter().partition(|its| its.mentions(&index));
        if bounds.is_empty() {
            return Err(no(match &side.doubt {
                Some(doubt) => format!("how often the loop runs {}", doubt.why),
                None => format!("`{condition}` is no bound of `{path}`"),
            }));
        }
        let mut around: Vec<Around> = Vec::new();
        if !others.is_empty() {
            let reason = self.depends(test.condition);
            around.push(Around::Cases(vec![others.into_iter().cloned().collect()], reason));
        }
        let is_plain = around.is_empty() && side.doubt.is_none() && variable.is_sure();
        around.extend(side.doubt.map(Around::Doubt));
        if !variable.is_even {
            around.push(Around::Doubt(no(format!("`{path}` may go faster"))));
        }
        if !variable.begins_there {
            around.push(Around::Doubt(no(format!("`{path}` may begin nearer to its end"))));
        }
        let Some(mut ends) = LoopEnds::of(&bounds, &index) else {
            return Err(no(format!("`{condition}` is no bound that is linear in `{path}`")));
        };
        let roots = std::mem::take(&mut ends.roots);
        if !roots.is_empty() {
            // Squares do not fall on the other side of 0.
            if variable.first.constant().is_some_and(|value| value.is_negative()) {
                return Err(no(format!("`{path}` begins below 0 and `{condition}` has its square")));
            }
            around.push(Around::Assumed(variable.first.clone()));
        }
        if variable.may_pass_zero(&bounds) {
            return Err(no(format!("`{path}` is unsigned and may pass 0")));
        }
        around.extend(self.broken_off(parts, effects, &variable, &mut ends));
        around.extend((!roots.is_empty()).then_some(Around::Rounded));
        let CountedIterations { around: counted, passed, behind } =
            variable.iterations(ends, &condition, parts.is_do).map_err(no)?;
        around.extend(counted);
        around.extend(roots.into_iter().map(Around::Fact));
        // What the variable has no part in must be so before the loop, too: else it may run where it is said not to.
        let (inside, before): (Vec<Polynomial>, Vec<Polynomial>) =
            assumed.into_iter().partition(|its| its.mentions(&index));
        around.extend(inside.into_iter().map(Around::Assumed));
        around.splice(0..0, before.into_iter().map(Around::Assumed));
        // Downwards from below 0 an unsigned one would begin at a large number.
        if variable.is_unsigned && !variable.goes_up() {
            around.insert(0, Around::Assumed(variable.first.clone()));
        }
        // A condition that moves the variable does so once more when it fails.
        let is_moved = effects
            .changes
            .iter()
            .any(|change| change.place == Place::Path(path.to_owned()) && test.has(change));
        let behind = behind.filter(|_| is_plain && !is_moved);
        let length = behind.as_ref().map_or_else(Polynomial::default, |behind| match variable.goes_up() {
            true => behind - &variable.first,
            false => &variable.first - behind,
        });
        let length = &length - &Polynomial::from(i64::from(parts.is_do));
        let is_sure = variable.is_sure();
        // One that may go faster has other values than those between which it is counted, where these do not lie close together.
        let is_known = is_sure || variable.is_index();
        Ok(Counter {
            around,
            path: is_known.then(|| path.to_owned()),
            value: variable.value,
            passed: passed.filter(|_| is_sure),
            behind,
            length,
        })
    }

    /// A variable that goes on in one way, and has a value or an end when the loop begins.
    fn induction_variable<'v>(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        before: &Environment,
        path: &'v str,
    ) -> Result<InductionVariable<'v>, UnknownReason> {
        let no = |why: String| UnknownReason::new(parts.offset, why);
        if let Err(reason) = before.get(path)
            && [false, true].iter().all(|is_most| before.end_of(path, *is_most).is_none())
        {
            return Err(reason);
        }
        if let Some(member) = self.member_of_union(path) {
            return Err(no(format!("`{member}` is a member of a union")));
        }
        if self.is_narrow(path) {
            return Err(no(format!("`{path}` has less bits than `int` and may wrap round")));
        }
        let (motion, is_even) = self.motion(parts, effects, path)?;
        let (first, begins_there) = begin_of(before, path, &motion)?;
        let (is_unsigned, index) = (self.is_unsigned(path), self.new_index());
        InductionVariable::new(path, (motion, is_even), (first, begins_there), is_unsigned, index)
            .ok_or_else(|| no(format!("`{path}` stays as it is")))
    }

    /// Further ends of a variable that goes by one, where the loop breaks off.
    fn broken_off(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        variable: &InductionVariable,
        ends: &mut LoopEnds,
    ) -> Vec<Around> {
        let mut assumed = Vec::new();
        if !matches!(variable.motion, Motion::By(_))
            || !variable.is_sure()
            || !variable.is_index()
            || parts.is_do
        {
            return assumed;
        }
        let (first, is_up) = (&variable.first, variable.goes_up());
        let ends = if is_up { &mut ends.to } else { &mut ends.from };
        for end in self.ends_of_breaks(parts, effects, (variable.path, &variable.value), is_up) {
            // The first iteration need not have come by.
            let reached = if is_up { &end - first } else { first - &end };
            if !ends.is_empty() && !reached.has_index() && (is_up || !variable.is_unsigned) {
                assumed.push(Around::Assumed(reached));
                ends.push(end);
            }
        }
        assumed
    }
}

/// The value that a variable has before a loop, or the one that is the furthest from where it goes; whether it is that one.
fn begin_of(before: &Environment, path: &str, motion: &Motion) -> Result<(Polynomial, bool), UnknownReason> {
    let reason = match before.get(path) {
        Ok(value) => return Ok((value, true)),
        Err(reason) => reason,
    };
    let furthest = match motion {
        Motion::By(by) => before.end_of(path, !by.has_no_negative_term()),
        _ => None,
    };
    furthest.map(|value| (value, false)).ok_or(reason)
}
