//! How many elements of an array an access reaches.

use std::cmp::Ordering;

use call_counting::{Monomial, Number, Polynomial, is_dominated, leading_terms};

use super::work::{AccessStride, ElementAccess};

/// What loops do with an access.
pub struct AccessLoop {
    pub stride: AccessStride,
    /// How many iterations it has each time that it begins, as that grows.
    pub iterations: Polynomial,
    /// Whether these are the same each time; else they are the mean.
    pub is_even: bool,
}

/// A loop whose iterations grow is taken to have more than so many.
const FEW_ITERATIONS: i64 = 64;

/// A number as it grows.
type Term = (Monomial, Number);

/// Elements in steps of so many, from the first one on.
struct Progression {
    /// `None` where these are not in line with others: rows, or what data decide.
    step: Option<Term>,
    count: Term,
}

/// How many elements an access reaches, as that grows: the iterations of the loops that change its subscripts, but where one goes over what
/// another one goes over. Where it is not known which elements these are, they are not more than the array has.
pub fn footprint(access: &ElementAccess, loops: &[&AccessLoop]) -> Option<Polynomial> {
    let varying = || loops.iter().filter(|its| its.stride.varies());
    let do_all_vary = loops.iter().all(|its| its.stride.varies());
    let progressions = varying().map(|its| {
        let (monomial, factor) = its.iterations.single()?;
        // Of iterations in the mean only the most counts, unless all are elements of their own.
        let is_below = factor < &Number::ONE && !monomial.0.is_empty() && !its.is_even && !do_all_vary;
        let factor = if is_below { Number::ONE } else { factor.clone() };
        Some(Progression { step: step(&its.stride), count: (monomial.clone(), factor) })
    });
    let reached = joined(progressions.collect::<Option<Vec<_>>>()?, access.has_one_subscript);
    let (monomial, factor) =
        reached.iter().fold((Monomial::default(), Number::ONE), |product, its| times(&product, &its.count));
    let is_product = monomial.0.values().all(|power| *power > 0);
    let elements = Polynomial::from(monomial).scaled(&factor);
    let is_anywhere =
        varying().any(|its| matches!(its.stride, AccessStride::Irregular | AccessStride::Unknown));
    is_product.then_some(match access.array_elements.filter(|_| is_anywhere) {
        Some(all) => elements.extreme(&Polynomial::from(all), true),
        None => elements,
    })
}

/// The same elements in as few progressions as is known.
fn joined(mut progressions: Vec<Progression>, is_in_one_line: bool) -> Vec<Progression> {
    let before = |own: &Progression| {
        let is_less = |its: &&Progression| is_less(its.step.as_ref(), own.step.as_ref());
        progressions.iter().filter(is_less).count()
    };
    let ranks: Vec<usize> = progressions.iter().map(before).collect();
    let mut ranked: Vec<(usize, Progression)> = ranks.into_iter().zip(progressions.drain(..)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut found: Vec<Progression> = Vec::new();
    for (_, next) in ranked {
        match found.last().and_then(|last| Some((last, last.with(&next, is_in_one_line)?))) {
            Some((_, count)) => found.last_mut().into_iter().for_each(|last| last.count = count.clone()),
            None => found.push(next),
        }
    }
    found
}

impl Progression {
    /// How many elements it has together with another one that begins at each of its own, if that is known to go over the same ones.
    fn with(&self, next: &Progression, is_in_one_line: bool) -> Option<Term> {
        let (step, next_step) = (self.step.as_ref()?, next.step.as_ref()?);
        let ratio = over(next_step, step)?;
        let is_multiple =
            ratio.0.0.values().all(|power| *power > 0) && (!ratio.0.0.is_empty() || ratio.1.is_integer());
        // The number of elements in a row of an array is more than what goes along that.
        let is_row = !is_in_one_line && next_step.0.0.is_empty() && !self.count.0.0.is_empty();
        let is_same = ratio.0.0.is_empty() && ratio.1.is_one();
        let is_within = match compare(&ratio, &self.count)? {
            Ordering::Greater => false,
            _ => is_same || !is_row,
        };
        if !is_multiple || !is_within {
            return None;
        }
        // Each begins so many elements behind the one before, where it has as many.
        let new = match ratio.0.0.is_empty() && ratio.1 > Number::from(FEW_ITERATIONS) {
            true => self.at_most(&ratio.1),
            false => polynomial(&ratio),
        };
        let others = &polynomial(&next.count) - &Polynomial::from(1);
        match &leading_terms(&(&(&new * &others) + &polynomial(&self.count)))[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}

impl Progression {
    /// Its count or a number, which of them is less: the number is told of what the count is a multiple of, if that is whole.
    fn at_most(&self, number: &Number) -> Polynomial {
        let (monomial, factor) = &self.count;
        let count = Polynomial::from(monomial.clone());
        let whole = factor.inverse().map(|inverse| number * &inverse).filter(Number::is_integer);
        match whole {
            Some(whole) => count.extreme(&Polynomial::from(whole), true).scaled(factor),
            None => polynomial(&self.count).extreme(&Polynomial::from(number.clone()), true),
        }
    }
}

/// How far apart neighbouring iterations are.
fn step(stride: &AccessStride) -> Option<Term> {
    let AccessStride::Elements(elements) = stride else { return None };
    match &leading_terms(elements)[..] {
        [(monomial, factor)] => Some((monomial.clone(), factor.abs())),
        _ => None,
    }
}

fn polynomial((monomial, factor): &Term) -> Polynomial {
    Polynomial::from(monomial.clone()).scaled(factor)
}

fn times(one: &Term, other: &Term) -> Term {
    (one.0.times(&other.0), &one.1 * &other.1)
}

fn over(one: &Term, other: &Term) -> Option<Term> {
    Some((one.0.times(&other.0.inverse()), &one.1 * &other.1.inverse()?))
}

fn is_less(one: Option<&Term>, other: Option<&Term>) -> bool {
    one.zip(other).and_then(|(one, other)| compare(one, other)) == Some(Ordering::Less)
}

/// Which one is less where all parameters are large.
fn compare(one: &Term, other: &Term) -> Option<Ordering> {
    if one.0 == other.0 {
        return Some(one.1.cmp(&other.1));
    }
    match (is_dominated(&one.0, &other.0), is_dominated(&other.0, &one.0)) {
        (true, false) => Some(Ordering::Less),
        (false, true) => Some(Ordering::Greater),
        _ => None,
    }
}
