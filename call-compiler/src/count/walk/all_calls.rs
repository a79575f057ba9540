//! What a function that calls itself does in all its calls: T(m) = a T(m/b) + g(m) and T(m) = T(m - c) + g(m).

use std::cmp::Ordering;

use call_counting::{Atom, Domain, Level, Monomial, Number, Polynomial, Quality, leading};

use super::depth::Measure;
use super::recursive_call::{RecursiveCall, Shrinking};

/// What stands for the measure where that has a name of its own.
fn size() -> Polynomial {
    Polynomial::name("the size")
}

/// A parameter of the measure, and what it is if the measure is the size: `high` is `low` and the size.
fn in_size(measure: &Polynomial) -> Option<(Atom, Polynomial)> {
    if let Some(atom) = measure.atom() {
        return Some((atom.clone(), size()));
    }
    let is_parameter = |atom: &&Atom| matches!(atom, Atom::Name(_));
    let linear = |sign: i64| {
        let mut atoms = measure.atoms().into_iter().filter(is_parameter);
        atoms.find(|atom| measure.linear_in(atom).is_some_and(|(factor, _)| factor.integer() == Some(sign)))
    };
    let (atom, sign) = linear(1).map(|atom| (atom, 1)).or_else(|| linear(-1).map(|atom| (atom, -1)))?;
    let (_, rest) = measure.linear_in(atom)?;
    Some((atom.clone(), (&size() - &rest).scaled(&sign.into())))
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

/// The sum of `own` over all calls, each of which makes `calls` others at most.
pub fn over_all_calls(
    own: &Polynomial,
    measure: &Measure,
    calls: (&[RecursiveCall], u32),
    parameters: &[String],
    is_bound: bool,
) -> Option<Polynomial> {
    let in_terms = in_own_terms(own, &measure.value);
    let in_terms =
        if is_bound { in_terms.map(|own| without_integer_parts(&own).unwrap_or(own)) } else { in_terms };
    let in_size = match &in_terms {
        Some(own) if is_bound && own.has_no_negative_term() => most_of_calls(own, measure, calls.1),
        Some(own) if !is_bound => all_calls(own, &measure.shrinking, calls.1),
        _ => None,
    };
    if let Some(sum) = in_size {
        return sum.substituted(size().atom()?, &measure.value);
    }
    let is_chain = matches!(measure.shrinking, Shrinking::Minus) && in_terms.is_none();
    if is_chain { each_after_another(own, measure, calls.0, parameters, is_bound) } else { None }
}

/// In terms of the size and of what stays as it is.
fn in_own_terms(own: &Polynomial, measure: &Polynomial) -> Option<Polynomial> {
    let (atom, value) = in_size(measure)?;
    let own = own.substituted(&atom, &value)?;
    let changes = measure.atoms().into_iter().any(|its| *its != atom && own.mentions(its));
    (!changes).then_some(own)
}

/// What a number is not above, with quotients in the place of their integer parts: `size/2` for `floor(size/2)`, `(size + 1)/2` for
/// `size - floor(size/2)`. `None` where a dividend may be below 0, or something else is taken away.
fn without_integer_parts(own: &Polynomial) -> Option<Polynomial> {
    let mut sum = Polynomial::default();
    for (monomial, coefficient) in own.terms() {
        let mut part = Polynomial::from(coefficient.clone());
        for (atom, power) in monomial.0.iter() {
            let factor = match atom {
                Atom::Floor { of, by, .. } if of.has_no_negative_term() && of.depth() == 0 => {
                    let by = i64::from(*by);
                    let least = if coefficient.is_negative() { by - 1 } else { 0 };
                    (&**of - &Polynomial::from(least)).over(by)
                }
                Atom::Name(_) => Polynomial::from(atom.clone()),
                _ => return None,
            };
            let is_rounded = matches!(atom, Atom::Floor { .. });
            if *power < 1 || is_rounded && coefficient.is_negative() && monomial.0.iter().count() > 1 {
                return None;
            }
            part = &part * &factor.power(power.unsigned_abs());
        }
        sum = &sum + &part;
    }
    Some(sum)
}

/// Where each call makes one other: a sum as that of a loop.
fn each_after_another(
    own: &Polynomial,
    measure: &Measure,
    calls: &[RecursiveCall],
    parameters: &[String],
    is_bound: bool,
) -> Option<Polynomial> {
    let call = calls.first()?;
    let index = own.atoms().into_iter().filter_map(|its| match its {
        Atom::Index(number) => Some(number + 1),
        _ => None,
    });
    let index = index.max().unwrap_or(0);
    let mut moved = own.clone();
    let names = parameters.iter().map(|name| Atom::name(name)).filter(|name| own.mentions(name));
    for name in names {
        let value = Polynomial::from(name.clone());
        let step = call.step(&value, parameters)?;
        if calls.iter().any(|its| its.step(&value, parameters) != Some(step)) {
            return None;
        }
        moved = moved.substituted(&name, &(&value - &Polynomial::index(index).scaled(&step.into())))?;
    }
    let is_kept = |(_, coefficient): &(&Monomial, &Number)| !is_bound || !coefficient.is_negative();
    let mut weight = Polynomial::default();
    moved
        .terms()
        .filter(is_kept)
        .for_each(|(its, coefficient)| weight.add_term(its.clone(), coefficient.clone()));
    let more = if is_bound { 1 + measure.below_zero } else { 0 };
    if weight.constant().is_some() && !is_bound {
        return Some(measure.value.clone());
    }
    let to = vec![&measure.value + &Polynomial::from(more)];
    let range = Level::Range { index, from: vec![Polynomial::default()], to };
    let count = Domain { levels: vec![range], is_bound, ..Domain::default() }.sum(&weight).ok()?;
    (is_bound || count.quality != Quality::AtMost).then_some(count.times)
}

/// What the sum of `own` over all calls is not above: each of `calls` in a call makes as many, from the measure down to below 0. Where the
/// measure is halved there are three calls, one inside of the other, more than its logarithm: that is rounded down, and intervals lose their
/// middle, too.
fn most_of_calls(own: &Polynomial, measure: &Measure, calls: u32) -> Option<Polynomial> {
    const MORE: u32 = 3;
    let size = size();
    let mut total = Polynomial::default();
    for (monomial, coefficient) in own.terms() {
        let (degree, rest) = degree_in(monomial, &size)?;
        let part = match &measure.shrinking {
            Shrinking::Minus => &size.power(degree) * &(&size + &Polynomial::from(2 + measure.below_zero)),
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
    Some(total)
}

/// The sum of `own` over all calls, by the master theorem, up to a factor.
fn all_calls(own: &Polynomial, shrinking: &Shrinking, calls: u32) -> Option<Polynomial> {
    let size = size();
    let mut total = Polynomial::default();
    for monomial in leading(own) {
        let (degree, rest) = degree_in(&monomial, &size)?;
        let part = match shrinking {
            Shrinking::Minus => size.power(degree + 1),
            Shrinking::Over(by) => match most_work(degree, *by, calls)? {
                MostWork::First { .. } => size.power(degree),
                MostWork::Everywhere => &size.power(degree) * &size.log(),
                MostWork::Last { power } => size.power(power),
            },
        };
        total = &total + &(&rest * &part);
    }
    Some(total)
}

/// The power with which the measure is in a monomial, and what is left.
fn degree_in(monomial: &Monomial, measure: &Polynomial) -> Option<(u32, Polynomial)> {
    let atom = measure.atom()?;
    let rest = monomial.without(atom);
    let is_clean = !Polynomial::from(rest.clone()).mentions(atom);
    let degree = u32::try_from(monomial.power(atom)).ok()?;
    is_clean.then(|| (degree, Polynomial::from(rest)))
}
