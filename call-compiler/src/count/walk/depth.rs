//! How deep functions call themselves: what becomes less from call to call, and the conditions that end that.

use call_counting::{Atom, Number, Polynomial, Proofs};

use super::super::value::UnknownReason;
use super::induction::root_end;
use super::recursive_call::{RecursiveCall, Shrinking};

/// What becomes less in each call, as long as a condition lets the function call itself.
pub struct Measure {
    pub value: Polynomial,
    pub shrinking: Shrinking,
    /// Why the calls may be less than it lets them be.
    pub may_be_less: Option<&'static str>,
    /// The function calls itself while these are not negative: one for each call.
    guards: Vec<Polynomial>,
    /// How far below 0 the measure may be when the function calls itself.
    pub below_zero: i64,
    /// What must not be negative for the measure to be right.
    pub assumed: Vec<Polynomial>,
}

/// From this size on all is taken to be large.
const LARGE: i64 = 16;

/// `guard = factor*measure + rest`, as factor and rest.
fn in_terms_of(guard: &Polynomial, measure: &Polynomial) -> Option<(Number, Polynomial)> {
    let (monomial, own) = measure.terms().next()?;
    let factor = guard.terms().find(|(its, _)| *its == monomial).map(|(_, value)| value / own)?;
    let rest = guard - &measure.scaled(&factor);
    let is_clean = !measure.atoms().into_iter().any(|atom| rest.mentions(atom));
    (factor.is_positive() && is_clean).then_some((factor, rest))
}

/// What becomes less in each call and has an end: a parameter, the difference of two, or what a condition lets it go to.
pub fn measure(
    calls: &[RecursiveCall],
    on_path: u32,
    parameters: &[String],
) -> Result<Measure, UnknownReason> {
    let first = &calls[0];
    if calls.iter().any(|call| call.is_in_loop) {
        return Err(UnknownReason::new(first.offset, "the function calls itself in a loop"));
    }
    let names: Vec<Polynomial> = parameters.iter().map(|name| Polynomial::name(name)).collect();
    let differences = names.iter().enumerate().flat_map(|(position, low)| {
        names[position + 1..].iter().flat_map(move |high| [high - low, low - high])
    });
    let of_conditions = first.conditions().flatten().flatten().map(|its| its - &its.constant_term().into());
    let candidates: Vec<Polynomial> = names.iter().cloned().chain(differences).chain(of_conditions).collect();
    let mut has_no_end = false;
    for candidate in candidates {
        let all: Option<Vec<(Shrinking, bool)>> =
            calls.iter().map(|call| call.shrinking(&candidate, parameters)).collect();
        let Some(all) = all else { continue };
        let divisors: Vec<u32> = all
            .iter()
            .filter_map(|its| if let (Shrinking::Over(by), _) = its { Some(*by) } else { None })
            .collect();
        let (shrinking, is_uneven) = match divisors.iter().min() {
            // The slowest one decides.
            Some(least) if divisors.len() == all.len() => {
                let is_even = divisors.iter().all(|its| its == least) && all.iter().all(|its| its.1);
                (Shrinking::Over(*least), !is_even)
            }
            None => (Shrinking::Minus, false),
            Some(_) => continue,
        };
        let Some((guards, below_zero)) = ends(calls, &candidate, &shrinking, parameters) else {
            has_no_end = true;
            continue;
        };
        if on_path > 1 && matches!(shrinking, Shrinking::Minus) {
            return Err(UnknownReason::new(first.offset, "the number of calls grows exponentially"));
        }
        let is_end_of_others = |guard: &Polynomial| guard.atoms().iter().any(|its| !candidate.mentions(its));
        let may_be_less = match &shrinking {
            Shrinking::Over(_) if is_uneven => Some("the calls get parts that are not equal"),
            Shrinking::Over(_) if guards.iter().any(is_end_of_others) => {
                Some("the calls may end before what they halve is 0")
            }
            _ => None,
        };
        let assumed = vec![&candidate - &Polynomial::from(1)];
        return Ok(Measure { value: candidate, shrinking, may_be_less, guards, below_zero, assumed });
    }
    if let Some(found) =
        names.iter().find_map(|name| up_to_root(calls, name, parameters)).filter(|_| on_path <= 1)
    {
        return Ok(found);
    }
    let why = match has_no_end {
        true => "no condition on what becomes less when the function calls itself ends that",
        false => "what becomes less when the function calls itself is data",
    };
    Err(UnknownReason::new(first.offset, why))
}

/// The conditions that end the calls where the measure is small, and how far below 0 it may be for them.
fn ends(
    calls: &[RecursiveCall],
    measure: &Polynomial,
    shrinking: &Shrinking,
    parameters: &[String],
) -> Option<(Vec<Polynomial>, i64)> {
    let mut below_zero = 0;
    let mut guards = Vec::new();
    for call in calls {
        let bounds = |guard: &Polynomial| {
            in_terms_of(guard, measure).is_some_and(|(_, rest)| match shrinking {
                Shrinking::Minus => rest.constant().is_some(),
                Shrinking::Over(_) => call.keeps(&rest, parameters),
            })
        };
        // On the other side of a single value: `n != 0` where n is below 0.
        let is_behind = |guard: &Polynomial, other: &Polynomial| {
            let Some(gap) = (guard + other).integer() else { return false };
            match shrinking {
                Shrinking::Minus => call.step(guard, parameters).is_some_and(|step| step < -gap),
                Shrinking::Over(by) => in_terms_of(guard, measure).is_some_and(|(factor, rest)| {
                    // The chain comes to 0, and to 1 where it is halved: there neither may hold.
                    let ends_at = |size: i64| {
                        let guard = &rest.constant().unwrap_or(Number::ZERO) + &(&factor * &size.into());
                        guard.is_negative() && (&Number::from(gap) - &guard).is_negative()
                    };
                    rest.constant().is_some() && (ends_at(0) || *by == 2 && ends_at(1))
                }),
            }
        };
        let guard = call.guard(&bounds, &is_behind)?;
        let (factor, rest) = in_terms_of(&guard, measure)?;
        if let Some(rest) = rest.constant() {
            below_zero = below_zero.max((&rest / &factor).floor().integer()?);
        }
        if let (Shrinking::Minus, Some(Atom::Name(name))) = (shrinking, measure.atom())
            && call.unsigned.iter().any(|its| **its == **name)
        {
            // One step more must not pass 0.
            let least = -&(&rest.constant()? / &factor).floor();
            if least.integer()? < call.step(measure, parameters)? {
                return None;
            }
        }
        guards.push(guard);
    }
    (matches!(shrinking, Shrinking::Minus) || below_zero == 0).then_some((guards, below_zero))
}

/// A parameter that grows by the same in each call, as long as a power of it is not above something that stays: `d*d <= n`.
fn up_to_root(calls: &[RecursiveCall], name: &Polynomial, parameters: &[String]) -> Option<Measure> {
    let atom = name.atom()?;
    let end = |guard: &Polynomial| root_end(guard, atom).map(|(rest, root)| (guard.clone(), rest, root));
    let (guard, rest, root) = calls[0].conditions().flatten().flatten().find_map(end)?;
    let is_kept = |call: &RecursiveCall| {
        call.keeps(&rest, parameters)
            && call.step(name, parameters).is_some_and(|step| step < 0)
            && call.guard(&|its| *its == guard, &|_, _| false).is_some()
    };
    let least = &guard - &Polynomial::from(1);
    calls.iter().all(is_kept).then(|| Measure {
        value: &root - name,
        shrinking: Shrinking::Minus,
        may_be_less: None,
        guards: vec![guard],
        below_zero: 0,
        assumed: vec![name.clone(), least],
    })
}

impl Measure {
    /// Whether conditions on parameters hold where the measure is large.
    pub fn settles(&self, cases: &[Vec<Polynomial>]) -> bool {
        let is_so = |positive: &Polynomial| self.guards.contains(positive) || self.is_so(positive);
        cases.iter().any(|case| case.iter().all(is_so))
    }

    /// Whether they do not hold there.
    pub fn excludes(&self, cases: &[Vec<Polynomial>]) -> bool {
        let fails = |positive: &Polynomial| {
            let opposite = positive.opposite();
            self.guards.contains(&opposite) || self.is_so(&opposite)
        };
        cases.iter().all(|case| case.iter().any(fails))
    }

    fn is_so(&self, positive: &Polynomial) -> bool {
        let large = Polynomial::from(LARGE);
        let context: Vec<Polynomial> =
            self.guards.iter().chain([&self.value]).map(|its| its - &large).collect();
        Proofs::default().is_never_negative(positive, &context) == Some(None)
    }
}
