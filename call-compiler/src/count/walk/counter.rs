//! What counts the iterations of a loop: the variable whose steps end it, between which bounds.

use call_counting::{Atom, Bound, Level, Polynomial};
use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::super::around::Around;
use super::super::change::{Effects, PlaceChange};
use super::super::place::{Place, path_of_expression};
use super::super::value::{Environment, UnknownReason};
use super::CountingWalk;
use super::condition::{BranchCondition, ConditionCases};
use super::halving::Halving;
use super::loop_parts::{LoopParts, LoopTest};
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
        let condition = test.condition;
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
        let is_sure = is_even && begins_there;
        let index = self.new_index();
        let variable = Polynomial::index(index);
        // A variable that goes by one is the index itself; one that goes by more is counted.
        let (value, step) = match &motion {
            Motion::By(step) => match step.integer() {
                Some(0) => return Err(no(format!("`{path}` stays as it is"))),
                Some(1 | -1) => (variable.clone(), step.integer().unwrap_or(1)),
                Some(step) => (&first + &(&variable * &Polynomial::from(step)), 1),
                None => (variable.clone(), 0),
            },
            Motion::Times(_) | Motion::Over(_) => (variable.clone(), 0),
        };
        let (side, assumed) =
            self.condition_with(test, parts, effects, (path, &motion, is_sure), (&first, &value));
        let [case] = &side.cases[..] else {
            return Err(no(format!("`{}` is no single bound of `{path}`", self.shown(condition))));
        };
        let atom = Atom::Index(index);
        let (bounds, others): (Vec<&Polynomial>, Vec<&Polynomial>) =
            case.iter().partition(|its| its.mentions(&atom));
        if bounds.is_empty() {
            return Err(no(match &side.doubt {
                Some(doubt) => format!("how often the loop runs {}", doubt.why),
                None => format!("`{}` is no bound of `{path}`", self.shown(condition)),
            }));
        }
        let mut around: Vec<Around> = Vec::new();
        if !others.is_empty() {
            let reason = self.depends(condition);
            around.push(Around::Cases(vec![others.into_iter().cloned().collect()], reason));
        }
        let is_plain = around.is_empty() && side.doubt.is_none() && is_sure;
        if let Some(doubt) = side.doubt {
            around.push(Around::Doubt(doubt));
        }
        if !is_even {
            around.push(Around::Doubt(no(format!("`{path}` may go faster"))));
        }
        if !begins_there {
            around.push(Around::Doubt(no(format!("`{path}` may begin nearer to its end"))));
        }
        let mut from = Vec::new();
        let mut to = Vec::new();
        let mut roots = Vec::new();
        for bound in bounds {
            match self.bound(bound, &atom) {
                Some(End::Linear(Bound::Lower(value))) => from.push(value),
                Some(End::Linear(Bound::Upper(value))) => to.push(value),
                Some(End::Root(value)) => {
                    to.push(value);
                    roots.push(bound.clone());
                }
                None => {
                    return Err(no(format!(
                        "`{}` is no bound that is linear in `{path}`",
                        self.shown(condition)
                    )));
                }
            }
        }
        if !roots.is_empty() {
            // Squares do not fall on the other side of 0.
            if first.constant().is_some_and(|value| value.is_negative()) {
                return Err(no(format!(
                    "`{path}` begins below 0 and `{}` has its square",
                    self.shown(condition)
                )));
            }
            around.push(Around::Assumed(first.clone()));
        }
        let is_unsigned = self.is_unsigned(path);
        // Downwards by more than one: the last step must not pass 0.
        let may_pass_zero = |by: &Polynomial| {
            let ends = case.iter().filter(|its| its.mentions(&atom));
            let least = |end: &Polynomial| (&(&value + by) - end).constant();
            !ends.filter_map(least).any(|least| !least.is_negative())
        };
        if let Motion::By(by) = &motion
            && is_unsigned
            && !by.has_no_negative_term()
            && (!is_sure || step != -1 && may_pass_zero(by))
        {
            return Err(no(format!("`{path}` is unsigned and may pass 0")));
        }
        if let Motion::By(by) = &motion
            && is_sure
            && value == variable
            && !parts.is_do
        {
            let is_up = by.has_no_negative_term();
            let ends = if is_up { &mut to } else { &mut from };
            for end in self.ends_of_breaks(parts, effects, (path, &value), is_up) {
                // The first iteration need not have come by.
                let reached = if is_up { &end - &first } else { &first - &end };
                if !ends.is_empty() && !reached.has_index() && (is_up || !is_unsigned) {
                    around.push(Around::Assumed(reached));
                    ends.push(end);
                }
            }
        }
        let runs_away = || no(format!("`{path}` goes away from its bound in `{}`", self.shown(condition)));
        if !roots.is_empty() {
            around.push(Around::Rounded);
        }
        let extra = i64::from(parts.is_do);
        let mut passed = None;
        let mut behind = None;
        match &motion {
            Motion::By(by) if step == 0 => {
                // A step that is no number: the fraction of the quotient is left out.
                let (up, inverse) = match by.inverse() {
                    Some(inverse) if by.has_no_negative_term() => (true, inverse),
                    Some(inverse) => (false, -&inverse),
                    None => return Err(no(format!("`{path}` goes by a sum"))),
                };
                let ends = if up { &to } else { &from };
                if ends.len() != 1 {
                    return Err(runs_away());
                }
                let end = ends[0].clone();
                let length = if up { &end - &first } else { &first - &end };
                around.push(Around::Assumed(length));
                if up {
                    let level = Level::Steps { index, from: first.clone(), to: end, step: by.clone() };
                    around.push(Around::Loop(level));
                } else {
                    // Each begun step is one: (length + step - 1)/step is not below their number.
                    let rest = &-by - &Polynomial::from(1);
                    let level = Level::Range { index, from: vec![&end - &rest], to: vec![first.clone()] };
                    around.extend([
                        Around::Rounded,
                        Around::Loop(Level::Times(inverse)),
                        Around::Loop(level),
                    ]);
                }
            }
            Motion::By(_) if value != variable || step == 1 => {
                let start = if value == variable { first.clone() } else { Polynomial::default() };
                if to.is_empty() {
                    return Err(runs_away());
                }
                if value == variable {
                    passed = Some(&variable - &first);
                    behind = match &to[..] {
                        [end] => Some(end + &Polynomial::from(1 + extra)),
                        _ => None,
                    };
                } else {
                    passed = Some(variable.clone());
                }
                if parts.is_do {
                    around
                        .extend(to.iter().map(|end| Around::Assumed(&(end + &Polynomial::from(1)) - &start)));
                }
                from.push(start);
                let to = to.iter().map(|end| end + &Polynomial::from(extra)).collect();
                around.push(Around::Loop(Level::Range { index, from, to }));
            }
            Motion::By(_) => {
                if from.is_empty() {
                    return Err(runs_away());
                }
                if is_unsigned && is_not_above(&from) {
                    return Err(no(format!("`{path}` is unsigned and never below its bound")));
                }
                if let ([end], true) = (&from[..], is_unsigned) {
                    around.push(Around::Assumed(end - &Polynomial::from(1)));
                }
                passed = Some(&first - &variable);
                behind = match &from[..] {
                    [end] => Some(end - &Polynomial::from(1 + extra)),
                    _ => None,
                };
                if parts.is_do {
                    around.extend(
                        from.iter().map(|end| Around::Assumed(&(&first + &Polynomial::from(1)) - end)),
                    );
                }
                to.push(first.clone());
                let from = from.iter().map(|end| end - &Polynomial::from(extra)).collect();
                around.push(Around::Loop(Level::Range { index, from, to }));
            }
            Motion::Times(ratio) => {
                let [end] = &to[..] else { return Err(runs_away()) };
                if first.constant().is_some_and(|value| !value.is_positive()) {
                    return Err(no(format!("`{path}` does not grow from {first}")));
                }
                around.push(Around::Loop(Level::Multiples {
                    index,
                    from: first.clone(),
                    to: end.clone(),
                    ratio: *ratio,
                    is_downward: false,
                }));
            }
            Motion::Over(ratio) => {
                let [end] = &from[..] else { return Err(runs_away()) };
                if end.constant().is_some_and(|value| !value.is_positive()) {
                    return Err(no(format!("`{path}` stays 0")));
                }
                around.push(Around::Loop(Level::Multiples {
                    index,
                    from: end.clone(),
                    to: first.clone(),
                    ratio: *ratio,
                    is_downward: true,
                }));
            }
        }
        around.extend(roots.into_iter().map(Around::Fact));
        // What the variable has no part in must be so before the loop, too: else it may run where it is said not to.
        let (inside, before): (Vec<Polynomial>, Vec<Polynomial>) =
            assumed.into_iter().partition(|its| its.mentions(&atom));
        around.extend(inside.into_iter().map(Around::Assumed));
        around.splice(0..0, before.into_iter().map(Around::Assumed));
        // A condition that moves the variable does so once more when it fails.
        let is_moved = effects.changes.iter().any(|change| {
            change.place == Place::Path(path.to_owned())
                && condition.span.start <= change.offset
                && change.offset < condition.span.end
        });
        // Downwards from below 0 an unsigned one would begin at a large number.
        let is_downward = match &motion {
            Motion::By(by) => !by.has_no_negative_term(),
            Motion::Over(_) => true,
            Motion::Times(_) => false,
        };
        if is_unsigned && is_downward {
            around.insert(0, Around::Assumed(first.clone()));
        }
        let (passed, behind) = (passed.filter(|_| is_sure), behind.filter(|_| is_plain && !is_moved));
        let length = behind.as_ref().map_or_else(Polynomial::default, |behind| match &motion {
            Motion::By(by) if by.has_no_negative_term() => behind - &first,
            _ => &first - behind,
        });
        let length = &length - &Polynomial::from(extra);
        // One that may go faster has other values than those between which it is counted, where these do not lie close together.
        let is_known = is_sure || value == variable;
        Ok(Counter { around, path: is_known.then(|| path.to_owned()), value, passed, behind, length })
    }

    /// Where the condition of a loop holds if the variable has a value when an iteration begins.
    fn condition_with(
        &mut self,
        test: LoopTest<'p>,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        (path, motion, is_sure): (&str, &Motion, bool),
        (first, value): (&Polynomial, &Polynomial),
    ) -> (ConditionCases, Vec<Polynomial>) {
        let place = Place::Path(path.to_owned());
        // The newest one of those in its value.
        let numbers = value.atoms().into_iter().filter_map(|atom| match atom {
            Atom::Index(number) => Some(*number),
            _ => None,
        });
        let number = numbers.max();
        let mut value = value.clone();
        // Behind a body that moved it.
        let condition = test.condition;
        let in_condition = |change: &&PlaceChange| {
            condition.span.start <= change.offset && change.offset < condition.span.end
        };
        let moved = effects.changes.iter().find(|change| change.place == place);
        if parts.is_do
            && moved.as_ref().is_some_and(|change| !in_condition(change))
            && let Motion::By(by) = motion
        {
            value = &value + by;
        }
        self.quietly(|walk| {
            walk.environment.set(&place, Ok(value), parts.offset);
            walk.bound_index = number;
            // One that may go faster may go past an end that it must meet.
            let side = match is_sure.then(|| walk.inequality(test, motion)).flatten() {
                Some(side) => {
                    // It begins on its side, or at the bound.
                    let at_begin = |positive: &Polynomial| {
                        let first = positive.substituted(&Atom::Index(number?), first)?;
                        Some(&first + &Polynomial::from(1))
                    };
                    let is_linear = matches!(motion, Motion::By(_));
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

    /// What an inequality says about the index.
    fn bound(&self, positive: &Polynomial, atom: &Atom) -> Option<End> {
        if positive.linear_in(atom).is_some() {
            return positive.bound_of(atom).map(End::Linear);
        }
        root_end(positive, atom).map(|(_, root)| End::Root(root))
    }
}

/// Whether a condition is a variable, or one that it moves.
fn is_number(condition: &Node<Expression>) -> bool {
    use UnaryOperator as U;
    match &condition.node {
        Expression::UnaryOperator(unary) => !matches!(unary.node.operator.node, U::Negate | U::Indirection),
        Expression::Identifier(_) | Expression::Member(_) => true,
        _ => false,
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

/// What a power of a variable is not above, and the root of that: `n` of `n - i*i`, which is not negative.
pub fn root_end(positive: &Polynomial, atom: &Atom) -> Option<(Polynomial, Polynomial)> {
    let mut degree = 0;
    let mut rest = Polynomial::default();
    for (monomial, coefficient) in positive.terms() {
        match monomial.power(atom) {
            0 => rest.add_term(monomial.clone(), coefficient.clone()),
            power if power > 1 && degree == 0 && (-coefficient).is_one() && monomial.0.len() == 1 => {
                degree = u32::try_from(power).ok()?;
            }
            _ => return None,
        }
    }
    (!rest.mentions(atom) && degree > 1).then(|| {
        let root = rest.root(degree);
        (rest, root)
    })
}

enum End {
    Linear(Bound),
    /// The root of a polynomial, as an upper end.
    Root(Polynomial),
}

/// Whether a natural number is never below these: bounds of 0 or less.
fn is_not_above(bounds: &[Polynomial]) -> bool {
    bounds.iter().all(|bound| bound.constant().is_some_and(|value| !value.is_positive()))
}

/// Whether an expression reads a variable of that name.
fn mentions(expression: &Node<Expression>, path: &str) -> bool {
    struct PathReadFinder<'w> {
        path: &'w str,
        is_found: bool,
    }
    impl<'a> Visit<'a> for PathReadFinder<'_> {
        fn visit_expression(&mut self, expression: &'a Expression, span: &'a lang_c::span::Span) {
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
