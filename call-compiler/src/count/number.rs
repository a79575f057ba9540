//! How often what stands in certain surroundings runs.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use call_counting::{Assumption, Atom, Count, Domain, Level, Polynomial, Proofs, Quality, Unknown};
use foldhash::fast::FixedState;

use super::around::{Around, Surroundings, each_with_each};
use super::value::UnknownReason;
use super::walk::real::is_near_only;

/// How often a statement runs, with what is to be said of that.
#[derive(Debug, Clone, Default)]
pub struct ExecutionCount {
    /// `None`: it is not known.
    pub count: Option<Count>,
    pub reasons: Vec<UnknownReason>,
}

/// The numbers that were computed before.
#[derive(Default)]
pub struct ExecutionCounts {
    known: RefCell<HashMap<Surroundings, Rc<ExecutionCount>, FixedState>>,
    proofs: Proofs,
    /// Whether all conditions on parameters are told: where the smallest sizes, which proposals leave out, are of interest.
    keep_conditions: bool,
}

impl ExecutionCounts {
    pub fn with_all_conditions() -> ExecutionCounts {
        ExecutionCounts { keep_conditions: true, ..ExecutionCounts::default() }
    }

    /// How often the innermost of these surroundings is run through.
    pub fn times(&self, around: &Surroundings) -> Rc<ExecutionCount> {
        if let Some(known) = self.known.borrow().get(around) {
            return known.clone();
        }
        let times = Rc::new(times(around, &self.proofs, self.keep_conditions));
        self.known.borrow_mut().insert(around.clone(), times.clone());
        times
    }
}

/// More cases of conditions within each other are not told apart: each further one may double them.
const MOST_CASES: usize = 64;

fn times(around: &[Arc<Around>], proofs: &Proofs, keeps_conditions: bool) -> ExecutionCount {
    let mut domain = Domain { keeps_conditions, ..Domain::default() };
    let mut cases: Vec<Vec<Polynomial>> = vec![Vec::new()];
    let mut quality = Quality::Exact;
    let mut is_value_near = false;
    let mut reasons = Vec::new();
    let (mut unknown, mut conditions) = (Vec::new(), Vec::new());
    for part in around {
        if part.polynomials().into_iter().any(is_near_only) {
            quality = quality.max(Quality::Rounded);
            is_value_near = true;
        }
        match &**part {
            Around::Loop(level) => domain.levels.push(level.clone()),
            // A condition that is left out can only make it less.
            Around::Cases(its, reason) if cases.len() * its.len() > MOST_CASES => {
                quality = Quality::AtMost;
                reasons.push(reason.clone());
            }
            Around::Cases(its, reason) => {
                conditions.push(reason.clone());
                cases = each_with_each(&cases, its);
            }
            Around::Choice(its, reason) => {
                let (its, is_open) = without_open_choices(its);
                if is_open {
                    quality = Quality::AtMost;
                    reasons.push(reason.clone());
                } else {
                    conditions.push(reason.clone());
                }
                cases = each_with_each(&cases, &its);
            }
            Around::Fact(positive) => domain.facts.push(positive.clone()),
            Around::Assumed(positive) | Around::Since(positive) => {
                domain.assumed.push((domain.levels.len(), positive.clone()))
            }
            Around::Rounded => quality = quality.max(Quality::Rounded),
            Around::Doubt(reason) => {
                quality = Quality::AtMost;
                reasons.push(reason.clone());
            }
            Around::Unknown(reason) => unknown.push(reason.clone()),
        }
    }
    if !unknown.is_empty() {
        unknown.sort();
        unknown.dedup();
        return ExecutionCount { count: None, reasons: unknown };
    }
    let place = reasons.first().map_or(0, |reason| reason.offset);
    domain.is_bound = quality == Quality::AtMost;
    let counted = match sum(&domain, &cases, proofs) {
        // Conditions that are no bounds of loops can only make it less.
        Err(Unknown::NotLinear | Unknown::Depends(_)) if cases.iter().any(|case| !case.is_empty()) => {
            quality = Quality::AtMost;
            reasons.append(&mut conditions);
            domain.is_bound = true;
            sum(&domain, &[Vec::new()], proofs)
        }
        // Part of it is a bound, so all of it has to be one: nothing may be rounded down.
        Ok(count) if count.quality == Quality::AtMost && !domain.is_bound => {
            domain.is_bound = true;
            sum(&domain, &cases, proofs).map(|count| Count { quality: Quality::AtMost, ..count })
        }
        counted => counted,
    };
    match counted {
        Ok(mut count) => {
            // Nothing in the program makes it one: the sum has no form that is simple.
            if count.quality == Quality::AtMost && reasons.is_empty() {
                reasons.push(UnknownReason::new(0, "bounds of loops depend on the loops around them"));
            }
            count.quality = count.quality.max(quality);
            // Where less than nothing is enough, it does not run.
            if count.quality == Quality::AtMost && count.times.constant().is_some_and(|its| its.is_negative())
            {
                count.times = Polynomial::default();
            }
            // A root is more than the whole number that the program has for it.
            if count.quality == Quality::AtMost && is_value_near && !grows_with_roots(&count, proofs) {
                let why = "it is less, the more a root is that is rounded down";
                return ExecutionCount { count: None, reasons: vec![UnknownReason::new(place, why)] };
            }
            if is_near_only(&count.times) {
                count.times = count.times.with_whole_roots();
            }
            reasons.sort();
            reasons.dedup();
            ExecutionCount { count: Some(count), reasons }
        }
        Err(error) => {
            ExecutionCount { count: None, reasons: vec![UnknownReason::new(place, error.to_string())] }
        }
    }
}

/// What is left of cases where a parameter that is to have one value may have it, and whether there is such a parameter.
fn without_open_choices(cases: &[Vec<Polynomial>]) -> (Vec<Vec<Polynomial>>, bool) {
    let is_open = |case: &[Polynomial], value: &Polynomial| {
        value.constant().is_none() && !value.has_index() && case.contains(&-value)
    };
    let mut left: Vec<Vec<Polynomial>> = Vec::new();
    for case in cases {
        let others: Vec<Polynomial> = case.iter().filter(|value| !is_open(case, value)).cloned().collect();
        if !left.contains(&others) {
            left.push(others);
        }
    }
    (left, cases.iter().any(|case| case.iter().any(|value| is_open(case, value))))
}

/// Whether a number becomes no less where a root or logarithm in it becomes more.
fn grows_with_roots(count: &Count, proofs: &Proofs) -> bool {
    let context: Vec<Polynomial> = count.assumptions.iter().map(|its| its.0.clone()).collect();
    grows_with_roots_where(&count.times, &context, proofs)
}

fn grows_with_roots_where(times: &Polynomial, context: &[Polynomial], proofs: &Proofs) -> bool {
    let atoms = times.terms().flat_map(|(monomial, _)| monomial.0.keys());
    let near: BTreeSet<&Atom> = atoms.filter(|its| is_near_only(&Polynomial::from((*its).clone()))).collect();
    near.into_iter().all(|atom| {
        let is_root_of_others = match atom {
            Atom::Root { of, .. } | Atom::Log(of) => !is_near_only(of),
            Atom::Floor { of, .. } => grows_with_roots_where(of, context, proofs),
            _ => false,
        };
        let is_factor_positive = match times.linear_in(atom) {
            Some((factor, _)) => {
                factor.has_no_negative_term() || proofs.is_never_negative(&factor, context).is_some()
            }
            None => times.has_no_negative_term(),
        };
        is_root_of_others && is_factor_positive
    })
}

fn sum(domain: &Domain, cases: &[Vec<Polynomial>], proofs: &Proofs) -> Result<Count, Unknown> {
    let mut total = Count::default();
    for case in cases {
        let its = Domain { guards: case.clone(), ..domain.clone() }.sum_with(&Polynomial::from(1), proofs)?;
        total = added(&total, &its, proofs).map_err(|impossible| Unknown::Depends(impossible.clone()))?;
    }
    Ok(total)
}

/// Both numbers together; what is taken for granted of the second one, where it cannot be beside the first: the sum would count both
/// branches of a condition on parameters.
fn added<'c>(own: &'c Count, its: &'c Count, proofs: &Proofs) -> Result<Count, &'c Assumption> {
    let is_impossible = |assumption: &&Assumption| {
        let rest = its.assumptions.iter().filter(|other| other != assumption);
        let context: Vec<Polynomial> = own.assumptions.iter().chain(rest).map(|of| of.0.clone()).collect();
        let opposite = assumption.0.opposite();
        proofs.is_never_negative(&opposite, &context).is_some()
    };
    if !own.assumptions.is_empty()
        && let Some(impossible) = its.assumptions.difference(&own.assumptions).find(is_impossible)
    {
        return Err(impossible);
    }
    let conditions = match (own.times.is_zero(), its.times.is_zero()) {
        (true, _) => its.conditions.clone(),
        (_, true) => own.conditions.clone(),
        _ => own.conditions.intersection(&its.conditions).cloned().collect(),
    };
    Ok(Count {
        times: &own.times + &its.times,
        quality: own.quality.max(its.quality),
        assumptions: own.assumptions.union(&its.assumptions).cloned().collect(),
        conditions,
    })
}

/// Whether the sum of two numbers is neither rounded nor a bound.
fn is_neither_rounded_nor_bound(qualities: [Quality; 2]) -> bool {
    qualities.contains(&Quality::Rounded) && qualities.contains(&Quality::AtMost)
}

/// What both are not above where not both can be. One that may be less than nothing where it does not run makes no bound.
fn bound_of_both(own: &Count, its: &Count) -> Option<Count> {
    let is_bound = own.times.has_no_negative_term() && its.times.has_no_negative_term();
    let sum = Count { times: &own.times + &its.times, quality: Quality::AtMost, ..Count::default() };
    is_bound.then_some(sum)
}

impl ExecutionCount {
    /// Both together, `factor` times the other.
    pub fn and(&self, other: &ExecutionCount, factor: u64, numbers: &ExecutionCounts) -> ExecutionCount {
        // Doubts about a number that is unknown as a whole say nothing.
        let is_told =
            |times: &&ExecutionCount| times.count.is_none() || self.count.is_some() && other.count.is_some();
        let told = [self, other].into_iter().filter(is_told);
        let mut reasons: Vec<UnknownReason> = told.flat_map(|times| &times.reasons).cloned().collect();
        let factor = Polynomial::from(i64::try_from(factor).unwrap_or(i64::MAX));
        let (count, reason) = match self.count.as_ref().zip(other.count.as_ref()) {
            // One may be less than it is, the other one more.
            Some((own, its)) if is_neither_rounded_nor_bound([own.quality, its.quality]) => {
                (None, Some(UnknownReason::new(0, "a part of it is rounded, another one a bound")))
            }
            Some((own, its)) => {
                let its = Count { times: &its.times * &factor, ..its.clone() };
                match added(own, &its, &numbers.proofs) {
                    Ok(sum) => (Some(sum), None),
                    Err(impossible) => {
                        let reason = UnknownReason::new(0, format!("depends on whether {impossible}"));
                        (bound_of_both(own, &its), Some(reason))
                    }
                }
            }
            None => (None, None),
        };
        reasons.extend(reason);
        reasons.sort();
        reasons.dedup();
        ExecutionCount { count, reasons }
    }

    /// Whether one of its reasons is told of the place of each statement.
    pub fn has_reason_without_place(&self) -> bool {
        self.reasons.iter().any(|reason| reason.offset == 0)
    }

    pub fn none() -> ExecutionCount {
        ExecutionCount { count: Some(Count::default()), reasons: Vec::new() }
    }
}

/// So many times, and no more is known than how that grows.
pub fn rounded(times: Polynomial) -> [Arc<Around>; 2] {
    [Around::Rounded.into(), Around::Loop(Level::Times(times)).into()]
}
