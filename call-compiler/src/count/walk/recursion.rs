//! Functions that call themselves: T(m) = a T(m/b) + g(m) and T(m) = T(m - c) + g(m).

use std::cmp::Ordering;
use std::sync::Arc;

use call_counting::{Atom, Domain, Monomial, Number, Polynomial, leading, smooth};
use lang_c::ast::Expression;
use lang_c::span::Node;

use super::super::around::{Around, StatementGroup};
use super::super::number::{ExecutionCounts, rounded};
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;
use super::condition::BranchCondition;

/// Calls of the function that is being walked through.
#[derive(Default)]
pub struct Recursion {
    pub calls: Vec<RecursiveCall>,
    /// How many of them come one after another, at most.
    pub on_path: u32,
    /// How many of them do whatever the data are, as long as conditions on parameters hold.
    pub sure: u32,
    /// Something other than an `if` may have returned before.
    pub may_be_left: bool,
    /// The paths that returned before the end of the function.
    returned: Option<OnPath>,
    /// A function further up is called: several call each other.
    pub of_others: Option<usize>,
}

/// How many calls there are on a path.
#[derive(Clone, Copy)]
pub struct OnPath {
    most: u32,
    sure: u32,
}

pub struct RecursiveCall {
    pub arguments: Vec<Value>,
    pub is_in_loop: bool,
    /// The conditions on parameters that it stands under.
    pub around: Vec<Arc<Around>>,
    pub offset: usize,
}

impl<'p> CountingWalk<'p, '_> {
    /// Behind two ways through a part of an expression, or a `switch`: which one is taken may depend on data.
    pub fn end_branch_of(&mut self, condition: &'p Node<Expression>, before: OnPath, of_first: OnPath) {
        let mut is_of_data = false;
        if self.recursion.on_path.max(of_first.most) > before.most {
            let BranchCondition { holds, fails, .. } = self.quietly(|walk| walk.condition(condition));
            is_of_data = holds.doubt.is_some() || fails.doubt.is_some();
            let reason = self.depends(condition);
            let decides: Arc<Around> = Around::Cases(holds.cases, reason).into();
            self.recursion.calls.iter_mut().for_each(|call| call.around.push(decides.clone()));
        }
        self.recursion.end_branch(before, of_first, is_of_data);
    }
}

impl Recursion {
    pub fn begin_branch(&self) -> OnPath {
        OnPath { most: self.on_path, sure: self.sure }
    }

    pub fn next_branch(&mut self, before: OnPath) -> OnPath {
        let branch = self.begin_branch();
        (self.on_path, self.sure) = (before.most, before.sure);
        branch
    }

    /// Goes on behind both branches of a condition, which data decide or parameters alone.
    pub fn end_branch(&mut self, before: OnPath, of_first: OnPath, is_of_data: bool) {
        self.on_path = self.on_path.max(of_first.most).max(before.most);
        self.sure = if is_of_data { self.sure.min(of_first.sure) } else { self.sure.max(of_first.sure) };
    }

    /// Goes on behind a condition of which one branch returns.
    pub fn end_returning(&mut self, branch: OnPath, is_of_data: bool) {
        let others = self.returned.unwrap_or(OnPath { most: 0, sure: u32::MAX });
        let sure = if is_of_data { branch.sure } else { u32::MAX };
        self.returned = Some(OnPath { most: others.most.max(branch.most), sure: others.sure.min(sure) });
    }

    /// Takes the paths in that returned before the end.
    pub fn end(&mut self) {
        if let Some(returned) = self.returned.take() {
            self.on_path = self.on_path.max(returned.most);
            self.sure = self.sure.min(returned.sure);
        }
    }

    /// Why there may be less calls than what becomes less in them allows.
    fn doubt(&self, measure: &Polynomial) -> Option<Around> {
        let decides = |its: &Arc<Around>| {
            its.polynomials().into_iter().flat_map(Polynomial::atoms).all(|atom| is_of_measure(atom, measure))
        };
        let is_sure =
            self.sure >= self.on_path && self.calls.iter().all(|call| call.around.iter().all(decides));
        let offset = self.calls.first()?.offset;
        (!is_sure).then(|| Around::Doubt(UnknownReason::new(offset, "the function need not call itself")))
    }
}

/// Whether it is known from the measure and the variables of loops: elements and other parameters may be others in the calls inside.
fn is_of_measure(atom: &Atom, measure: &Polynomial) -> bool {
    match atom {
        Atom::Index(_) => true,
        Atom::Name(_) | Atom::Element { .. } => measure.mentions(atom),
        _ => atom.inside().iter().flat_map(Polynomial::atoms).all(|its| is_of_measure(its, measure)),
    }
}

/// How the measure of the problem becomes less from call to call.
enum Shrinking {
    Over(u32),
    Minus,
}

/// Puts the number of all calls into the surroundings of a function that calls itself.
pub fn solve(
    numbers: &ExecutionCounts,
    recursion: &Recursion,
    parameters: &[String],
    groups: &mut [StatementGroup],
) {
    let offset = recursion.calls.first().map_or(0, |call| call.offset);
    let solved = measure(recursion, parameters);
    let doubt = solved.as_ref().ok().and_then(|(measure, _)| recursion.doubt(measure)).map(Arc::new);
    for group in groups {
        let own: Vec<Arc<Around>> =
            group.around.iter().filter(|around| !is_about_parameters(around)).cloned().collect();
        let times = numbers.times(&own.clone().into());
        let is_base = solved.as_ref().is_ok_and(|(measure, _)| is_base_case(&group.around, measure));
        let base = is_base
            .then(|| Around::Doubt(UnknownReason::new(offset, "only the last calls come here")).into());
        let doubts: Vec<Arc<Around>> =
            own.into_iter().filter(|its| matches!(**its, Around::Doubt(_))).collect();
        let is_bound = base.is_some() || doubt.is_some() || !doubts.is_empty();
        let result = match (&solved, &times.count) {
            (Err(reason), _) => Err(reason.clone()),
            (Ok(_), None) => Err(times.reasons.first().cloned().unwrap_or(UnknownReason::new(0, "unknown"))),
            (Ok((measure, _)), Some(count))
                if changes_beside(&count.times, measure, recursion, parameters) =>
            {
                Err(UnknownReason::new(
                    offset,
                    "the function calls itself with another number that this depends on",
                ))
            }
            (Ok((measure, shrinking)), Some(count)) => {
                let sum = match is_bound {
                    true => most_of_calls(&count.times, measure, shrinking, recursion.on_path),
                    false => all_calls(&count.times, measure, shrinking, recursion.on_path),
                };
                sum.ok_or_else(|| {
                    UnknownReason::new(offset, "how often the function calls itself has no simple form")
                })
            }
        };
        group.around = match result {
            Ok(sum) => {
                let least = solved.as_ref().map(|(measure, _)| measure - &Polynomial::from(1));
                let least = least.ok().map(|least| Around::Assumed(least).into());
                doubts.into_iter().chain(base).chain(doubt.clone()).chain(least).chain(rounded(sum)).collect()
            }
            Err(reason) => [Around::Unknown(reason).into()].into(),
        };
    }
}

/// Whether a number has parameters beside the measure that are not handed on as they are.
fn changes_beside(
    times: &Polynomial,
    measure: &Polynomial,
    recursion: &Recursion,
    parameters: &[String],
) -> bool {
    parameters.iter().enumerate().any(|(position, name)| {
        let own = Polynomial::name(name);
        let is_read = times.mentions(&Atom::name(name)) && !measure.mentions(&Atom::name(name));
        let is_same = |call: &RecursiveCall| call.arguments.get(position) == Some(&Ok(own.clone()));
        is_read && !recursion.calls.iter().all(is_same)
    })
}

/// Whether it is a condition on the parameters alone, which the calls inside meet in their turn.
fn is_about_parameters(around: &Around) -> bool {
    matches!(around, Around::Cases(cases, _) if cases.iter().flatten().all(|positive| !positive.has_index()))
}

/// What stands for the measure where that has a name of its own.
fn size() -> Polynomial {
    Polynomial::name("the size")
}

/// A parameter of the measure, and what it is if the measure is the size: `high` is `low` and the size.
fn in_size(measure: &Polynomial) -> Option<(Atom, Polynomial)> {
    if let Some(atom) = measure.atom() {
        return Some((atom.clone(), size()));
    }
    let (high, _) = measure.terms().find(|(_, coefficient)| coefficient.is_positive())?;
    let atom = high.0.keys().next()?.clone();
    Some((atom, &(&Polynomial::from(high.clone()) - measure) + &size()))
}

/// Whether conditions on the parameters do not hold where the measure is large.
fn is_base_case(around: &[Arc<Around>], measure: &Polynomial) -> bool {
    let Some((atom, value)) = in_size(measure) else { return false };
    around.iter().filter(|around| is_about_parameters(around)).any(|around| {
        let Around::Cases(cases, _) = &**around else { return false };
        cases.iter().all(|case| {
            let guards = case.iter().filter_map(|guard| guard.substituted(&atom, &value)).collect();
            let count = Domain { guards, ..Domain::default() }.sum(&Polynomial::from(1));
            count.is_ok_and(|count| count.times.is_zero())
        })
    })
}

/// What becomes less in each call: a parameter, or the difference of two.
fn measure(recursion: &Recursion, parameters: &[String]) -> Result<(Polynomial, Shrinking), UnknownReason> {
    let first = &recursion.calls[0];
    if recursion.calls.iter().any(|call| call.is_in_loop) {
        return Err(UnknownReason::new(first.offset, "the function calls itself in a loop"));
    }
    let names: Vec<Polynomial> = parameters.iter().map(|name| Polynomial::name(name)).collect();
    let differences = names.iter().enumerate().flat_map(|(position, low)| {
        names[position + 1..].iter().flat_map(move |high| [high - low, low - high])
    });
    let mut candidates: Vec<Polynomial> = names.clone();
    candidates.extend(differences);
    for candidate in candidates {
        let all: Option<Vec<Shrinking>> =
            recursion.calls.iter().map(|call| shrinking(&candidate, parameters, &call.arguments)).collect();
        let Some(all) = all else { continue };
        let divisors: Vec<u32> = all
            .iter()
            .filter_map(|its| if let Shrinking::Over(by) = its { Some(*by) } else { None })
            .collect();
        match divisors.iter().min() {
            // The slowest one decides.
            Some(least) if divisors.len() == all.len() => return Ok((candidate, Shrinking::Over(*least))),
            None if recursion.on_path <= 1 => return Ok((candidate, Shrinking::Minus)),
            None => {
                let why = "the number of calls grows exponentially";
                return Err(UnknownReason::new(first.offset, why));
            }
            Some(_) => {}
        }
    }
    Err(UnknownReason::new(first.offset, "what becomes less when the function calls itself is data"))
}

fn shrinking(measure: &Polynomial, parameters: &[String], arguments: &[Value]) -> Option<Shrinking> {
    let inside = measure.mapped(&|atom| match atom {
        Atom::Name(name) => {
            let position = parameters.iter().position(|parameter| **parameter == **name)?;
            arguments.get(position)?.as_ref().ok().cloned()
        }
        _ => None,
    })?;
    let is_known = parameters.iter().enumerate().all(|(position, name)| {
        !measure.mentions(&Atom::name(name)) || arguments.get(position).is_some_and(Result::is_ok)
    });
    let inside = smooth(&inside).filter(|_| is_known)?;
    // inside = measure/b + c
    let difference = &inside - measure;
    if let Some(by) = difference.constant() {
        return by.is_negative().then_some(Shrinking::Minus);
    }
    let (monomial, own) = measure.terms().next()?;
    let ratio = inside.terms().find(|(its, _)| *its == monomial).map(|(_, value)| value / own)?;
    let rest = &inside - &measure.scaled(&ratio);
    let divisor = u32::try_from(ratio.inverse()?.floor().integer()?).ok()?;
    (rest.constant().is_some() && ratio.is_positive() && ratio < Number::ONE && divisor >= 2)
        .then_some(Shrinking::Over(divisor))
}

/// Where most is done of what grows with a power of the measure (the three cases of the master theorem).
enum MostWork {
    /// By the first call: those in it do a part of that, this number of times fewer for each.
    First { fewer: u32 },
    /// As much by the calls of each depth.
    Everywhere,
    /// By the last calls, of which there are as many as this power of the measure.
    Last { power: u32 },
}

/// Where each call makes so many others for an equal part of the measure each. `None` where the number of last calls is no whole power.
fn most_work(degree: u32, by: u32, calls: u32) -> Option<MostWork> {
    let (calls, fewer) = (calls.max(1), by.saturating_pow(degree));
    match calls.cmp(&fewer) {
        Ordering::Less => Some(MostWork::First { fewer }),
        Ordering::Equal => Some(MostWork::Everywhere),
        Ordering::Greater => {
            let power = f64::from(calls).ln() / f64::from(by).ln();
            let whole = power.round();
            ((power - whole).abs() <= 1e-9).then_some(MostWork::Last { power: whole as u32 })
        }
    }
}

/// What the sum of `own` over all calls is not above: each of `calls` in a call makes as many, from the measure down to below 0. Where the
/// measure is halved there are three calls, one inside of the other, more than its logarithm: that is rounded down, and intervals lose their
/// middle, too.
fn most_of_calls(
    own: &Polynomial,
    measure: &Polynomial,
    shrinking: &Shrinking,
    calls: u32,
) -> Option<Polynomial> {
    const MORE: u32 = 3;
    let (atom, value) = in_size(measure)?;
    let own = own.substituted(&atom, &value)?;
    let changes = measure.atoms().into_iter().any(|its| *its != atom && own.mentions(its));
    if changes || !own.has_no_negative_term() {
        return None;
    }
    let size = size();
    let mut total = Polynomial::default();
    for (monomial, coefficient) in own.terms() {
        let (degree, rest) = degree_in(monomial, &size)?;
        let part = match shrinking {
            Shrinking::Minus => &size.power(degree) * &(&size + &Polynomial::from(2)),
            Shrinking::Over(by) => match most_work(degree, *by, calls)? {
                MostWork::First { fewer } => size.power(degree).scaled(&i64::from(fewer).into()),
                MostWork::Everywhere => {
                    &size.power(degree) * &(&size.log() + &Polynomial::from(i64::from(MORE)))
                }
                MostWork::Last { power } => {
                    size.power(power).scaled(&i64::from(calls.max(1).checked_pow(MORE)?).into())
                }
            },
        };
        total = &total + &(&rest * &part).scaled(coefficient);
    }
    total.substituted(size.atom()?, measure)
}

/// The sum of `own` over all calls, by the master theorem, up to a factor.
fn all_calls(
    own: &Polynomial,
    measure: &Polynomial,
    shrinking: &Shrinking,
    calls: u32,
) -> Option<Polynomial> {
    let mut total = Polynomial::default();
    for monomial in leading(own) {
        let (degree, rest) = degree_in(&monomial, measure)?;
        let part = match shrinking {
            Shrinking::Minus => measure.power(degree + 1),
            Shrinking::Over(by) => match most_work(degree, *by, calls)? {
                MostWork::First { .. } => measure.power(degree),
                MostWork::Everywhere => &measure.power(degree) * &measure.log(),
                MostWork::Last { power } => measure.power(power),
            },
        };
        total = &total + &(&rest * &part);
    }
    Some(total)
}

/// The power with which the measure is in a monomial, and what is left.
fn degree_in(monomial: &Monomial, measure: &Polynomial) -> Option<(u32, Polynomial)> {
    match measure.atom() {
        Some(atom) => {
            let rest = monomial.without(atom);
            let is_clean = !Polynomial::from(rest.clone()).mentions(atom);
            let degree = u32::try_from(monomial.power(atom)).ok()?;
            is_clean.then(|| (degree, Polynomial::from(rest)))
        }
        None => {
            // Of a difference the leading monomials are its names: each stands for the whole.
            let names: Vec<&Atom> = measure.terms().flat_map(|(its, _)| its.0.keys()).collect();
            let degree: i32 = names.iter().map(|name| monomial.power(name)).sum();
            let mut rest = monomial.clone();
            for name in names {
                rest = rest.without(name);
            }
            Some((u32::try_from(degree).ok()?, Polynomial::from(rest)))
        }
    }
}
