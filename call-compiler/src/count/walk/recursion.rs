//! Functions that call themselves: which calls there are on a path, and what all of them do.

use std::sync::Arc;

use call_counting::{Atom, Polynomial, smooth};
use lang_c::ast::Expression;
use lang_c::span::Node;

use super::super::around::{Around, StatementGroup};
use super::super::number::{ExecutionCounts, rounded};
use super::super::place::root_of;
use super::super::value::{Environment, UnknownReason};
use super::CountingWalk;
use super::all_calls::over_all_calls;
use super::condition::BranchCondition;
use super::depth::{Measure, measure};
use super::recursive_call::RecursiveCall;

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
    /// How many there are before, on whatever path.
    pub calls: usize,
}

impl OnPath {
    /// What either of two paths may have.
    pub fn greater(self, other: OnPath) -> OnPath {
        OnPath {
            most: self.most.max(other.most),
            sure: self.sure.min(other.sure),
            calls: self.calls.max(other.calls),
        }
    }
}

impl<'p> CountingWalk<'p, '_> {
    /// Behind two ways through a part of an expression, or a `switch`: which one is taken may depend on data. The second one is taken where
    /// the condition holds, or where it fails.
    pub fn end_branch_of(
        &mut self,
        (condition, environment): (&'p Node<Expression>, &Environment),
        before: OnPath,
        of_first: OnPath,
        is_second_where_it_holds: bool,
    ) {
        let mut is_of_data = false;
        if self.recursion.on_path.max(of_first.most) > before.most {
            let condition_there = self.quietly(|walk| {
                walk.environment = environment.clone();
                walk.condition(condition)
            });
            is_of_data = condition_there.is_of_data() || is_of_remainder(&condition_there);
            let reason = self.depends(condition);
            let BranchCondition { holds, fails, .. } = condition_there;
            let sides = if is_second_where_it_holds { [fails, holds] } else { [holds, fails] };
            let [first, second]: [Arc<Around>; 2] =
                sides.map(|side| Around::Cases(side.cases, reason.clone()).into());
            let (of_both, of_second) = self.recursion.calls.split_at_mut(of_first.calls);
            of_both[before.calls..].iter_mut().for_each(|call| call.around.push(first.clone()));
            of_second.iter_mut().for_each(|call| call.around.push(second.clone()));
        }
        self.recursion.end_branch(before, of_first, is_of_data);
    }
}

fn is_remainder(positive: &Polynomial) -> bool {
    positive.constant().is_none() && smooth(positive).is_some_and(|smooth| smooth.constant().is_some())
}

/// Whether a remainder decides, which says nothing of the size: either side may be taken again and again.
pub fn is_of_remainder(condition: &BranchCondition) -> bool {
    condition.holds.cases.iter().chain(&condition.fails.cases).flatten().any(is_remainder)
}

impl Recursion {
    pub fn begin_branch(&self) -> OnPath {
        OnPath { most: self.on_path, sure: self.sure, calls: self.calls.len() }
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
        let others = self.returned.unwrap_or(OnPath { most: 0, sure: u32::MAX, calls: 0 });
        let sure = if is_of_data { branch.sure } else { u32::MAX };
        self.returned =
            Some(OnPath { most: others.most.max(branch.most), sure: others.sure.min(sure), calls: 0 });
    }

    /// Takes the paths in that returned before the end.
    pub fn end(&mut self) {
        if let Some(returned) = self.returned.take() {
            self.on_path = self.on_path.max(returned.most);
            self.sure = self.sure.min(returned.sure);
        }
    }

    /// Why there may be less calls than what becomes less in them allows.
    fn doubt(&self, measure: &Measure) -> Option<Around> {
        let decides = |its: &Arc<Around>| match &**its {
            Around::Cases(cases, _) => measure.settles(cases) || cases.iter().flatten().any(is_remainder),
            _ => true,
        };
        let is_sure =
            self.sure >= self.on_path && self.calls.iter().all(|call| call.around.iter().all(decides));
        let offset = self.calls.first()?.offset;
        let why = if is_sure { measure.may_be_less? } else { "the function need not call itself" };
        Some(Around::Doubt(UnknownReason::new(offset, why)))
    }
}

/// Puts the number of all calls into the surroundings of a function that calls itself.
pub fn solve(
    numbers: &ExecutionCounts,
    recursion: &Recursion,
    parameters: &[String],
    groups: &mut [StatementGroup],
) {
    let offset = recursion.calls.first().map_or(0, |call| call.offset);
    let solved = measure(&recursion.calls, recursion.on_path, parameters);
    let doubt = solved.as_ref().ok().and_then(|measure| recursion.doubt(measure)).map(Arc::new);
    for group in groups {
        let (conditions, own): (Vec<Arc<Around>>, Vec<Arc<Around>>) =
            group.around.iter().cloned().partition(|around| is_about_parameters(around));
        let times = numbers.times(&own.clone().into());
        let found = solved.as_ref().map_err(Clone::clone).and_then(|measure| {
            let mut doubts: Vec<Arc<Around>> =
                conditions.iter().filter_map(|its| doubt_of(its, measure, offset)).collect();
            doubts.extend(own.into_iter().filter(|its| matches!(**its, Around::Doubt(_))));
            doubts.extend(doubt.clone());
            let count = times
                .count
                .as_ref()
                .ok_or_else(|| times.reasons.first().cloned().unwrap_or(UnknownReason::new(0, "unknown")))?;
            if changes_beside(&count.times, &measure.value, recursion, parameters) {
                let why = "the function calls itself with another number that this depends on";
                return Err(UnknownReason::new(offset, why));
            }
            let is_bound = !doubts.is_empty();
            let calls = (&recursion.calls[..], recursion.on_path);
            let sum =
                over_all_calls(&count.times, measure, calls, parameters, is_bound).ok_or_else(|| {
                    UnknownReason::new(offset, "how often the function calls itself has no simple form")
                })?;
            let assumed = measure.assumed.iter().map(|its| Around::Assumed(its.clone()).into());
            Ok(doubts.into_iter().chain(assumed).chain(rounded(sum)).collect())
        });
        group.around = found.unwrap_or_else(|reason| [Around::Unknown(reason).into()].into());
    }
}

/// What is to be said of a statement under a condition on parameters, which the calls inside meet in their turn.
fn doubt_of(condition: &Around, measure: &Measure, offset: usize) -> Option<Arc<Around>> {
    let Around::Cases(cases, reason) = condition else { return None };
    let reason = match measure.excludes(cases) {
        true => UnknownReason::new(offset, "only the last calls come here"),
        false if measure.settles(cases) => return None,
        false => reason.clone(),
    };
    Some(Around::Doubt(reason).into())
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
        let is_of = |atom: &&Atom| match atom {
            Atom::Name(path) | Atom::Element { array: path, .. } => root_of(path) == name,
            _ => false,
        };
        let is_read = times.atoms().iter().any(is_of) && !measure.mentions(&Atom::name(name));
        let is_same = |call: &RecursiveCall| call.arguments.get(position) == Some(&Ok(own.clone()));
        is_read && !recursion.calls.iter().all(is_same)
    })
}

/// Whether it is a condition on the parameters alone, which the calls inside meet in their turn.
fn is_about_parameters(around: &Around) -> bool {
    matches!(around, Around::Cases(cases, _) if cases.iter().flatten().all(|positive| !positive.has_index()))
}
