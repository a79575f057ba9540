//! Sums of polynomials over the values of a loop's variable.

use std::sync::Arc;

use crate::growth::smooth;
use crate::number::Number;
use crate::polynomial::{Atom, Polynomial};
use crate::quality::{Quality, Unknown};
use crate::rounding::not_below;

/// Powers beyond this come from no program.
const HIGHEST_POWER: i32 = 24;

/// The sum of `weight` for all whole values of `index` from `from` to `to`, where `to + 1 >= from`, and whether it is exact; of a bound no
/// less than that.
pub fn over_range(
    weight: &Polynomial,
    index: u32,
    [from, to]: [&Polynomial; 2],
    is_bound: bool,
) -> Result<(Polynomial, Quality), Unknown> {
    let variable = Atom::Index(index);
    let (mut sum, rest) = telescoped(weight, index, from, to)?;
    let rest = if is_bound { not_below(&rest, &variable).ok_or(Unknown::NoSum)? } else { rest };
    let (weight, mut quality) = flattened(&rest, &variable, from, to)?;
    for (monomial, coefficient) in weight.terms() {
        let power = monomial.power(&variable);
        let factor = Polynomial::from(monomial.without(&variable)).scaled(coefficient);
        if power > HIGHEST_POWER {
            return Err(Unknown::TooLarge);
        }
        let part = match power {
            0.. => {
                let powers = powers_up_to(power.unsigned_abs());
                let at = |value: &Polynomial| in_place_of_x(&powers, value);
                &at(to) - &at(&(from - &Polynomial::from(1)))
            }
            // Harmonic numbers grow like logarithms, and are not above log2(to) + 1.
            -1 => {
                quality =
                    quality.max(if from.integer().is_some() { Quality::Rounded } else { Quality::AtMost });
                let added = i64::from(is_bound || quality == Quality::AtMost);
                &to.log() + &Polynomial::from(added)
            }
            _ => {
                quality = quality.max(Quality::Rounded);
                // 1/a^2 + 1/(a + 1)^2 + … is not above 2/a.
                let factor = Number::from(1 + i64::from(is_bound));
                from.inverse().ok_or(Unknown::NoSum)?.power(power.unsigned_abs() - 1).scaled(&factor)
            }
        };
        sum = &sum + &(&factor * &part);
    }
    Ok((sum, quality))
}

/// Which element of a geometric series is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Largest {
    /// The first one: the lower end of its range.
    Lower,
    /// The first one of those that go downward: the upper end.
    Upper,
    /// Either, and the sum must not be less than it is.
    OfBound,
}

/// The sum of `weight` for `index` = `from`, `from*ratio`, … up to `to`, or downward from `to`: the order of its growth, with the factor of
/// a geometric series where its largest element is known, or where a bound is wanted.
pub fn over_multiples(
    weight: &Polynomial,
    index: u32,
    [from, to]: [&Polynomial; 2],
    ratio: u32,
    known: Largest,
) -> Result<Polynomial, Unknown> {
    let variable = Atom::Index(index);
    let weight = match known {
        Largest::OfBound => &not_below(weight, &variable).ok_or(Unknown::NoSum)?,
        _ => weight,
    };
    let (weight, _) = flattened(weight, &variable, from, to)?;
    let mut sum = Polynomial::default();
    for (monomial, coefficient) in weight.terms() {
        let power = monomial.power(&variable);
        let factor = Polynomial::from(monomial.without(&variable)).scaled(coefficient);
        // What is taken away may be as little as nothing.
        if power != 0 && known == Largest::OfBound && coefficient.is_negative() {
            continue;
        }
        // A geometric series is as large as its largest element, but for a factor: an end that is not reached may be more by another one.
        let all = |largest: Polynomial, end: Largest| {
            let has_factor = known == end || known == Largest::OfBound;
            if has_factor { series(&largest, ratio, power) } else { Ok(largest) }
        };
        let part = match power {
            0 => steps_between(from, to, ratio, known == Largest::OfBound),
            1.. => all(to.power(power.unsigned_abs()), Largest::Upper)?,
            _ => {
                let inverse = from.inverse().ok_or(Unknown::NoSum)?;
                all(inverse.power(power.unsigned_abs()), Largest::Lower)?
            }
        };
        sum = &sum + &(&factor * &part);
    }
    Ok(sum)
}

/// How many of `from`, `from*ratio`, … are not above `to`, and not less than that, where `from` is not above `to`.
fn steps_between(from: &Polynomial, to: &Polynomial, ratio: u32, is_bound: bool) -> Polynomial {
    if let Some(inverse) = from.inverse() {
        return steps(&(to * &inverse), ratio);
    }
    // `m + 1` is more than `m`, and so is the integer part of a quotient with 1 added.
    let above = from.constant_term();
    let rest = from - &Polynomial::from(above.clone());
    let is_integer_part = matches!(rest.atom(), Some(Atom::Floor { .. } | Atom::Quotient(_)));
    let is_above = above.is_positive() && (rest.depth() == 0 || is_integer_part);
    match smooth(&rest).and_then(|rest| rest.inverse()).filter(|_| is_above || !is_bound) {
        Some(inverse) => {
            let below = to.constant_term();
            let to = if below.is_negative() { to - &Polynomial::from(below) } else { to.clone() };
            let quotient = &to * &inverse;
            match quotient.constant().filter(|_| is_above) {
                Some(quotient) => powers_below(&quotient, ratio),
                None => steps(&quotient, ratio),
            }
        }
        None => &steps(to, ratio) - &(&steps(from, ratio) - &Polynomial::from(1)),
    }
}

/// How many of 1, `ratio`, `ratio*ratio`, … are not above `quotient`, and not less than that.
fn steps(quotient: &Polynomial, ratio: u32) -> Polynomial {
    let log = quotient.log();
    let log = if ratio.is_power_of_two() { log.over(i64::from(ratio.trailing_zeros().max(1))) } else { log };
    &log + &Polynomial::from(1)
}

/// How many of 1, `ratio`, `ratio*ratio`, … are below a number.
fn powers_below(number: &Number, ratio: u32) -> Polynomial {
    let ratio = Number::from(i64::from(ratio));
    let (mut count, mut power) = (0, Number::ONE);
    while (&power - number).is_negative() {
        count += 1;
        power = &power * &ratio;
    }
    Polynomial::from(count)
}

/// `largest` + `largest`/q + `largest`/q^2 + …, where q is a power of the ratio.
fn series(largest: &Polynomial, ratio: u32, power: i32) -> Result<Polynomial, Unknown> {
    let quotient = i64::from(ratio).checked_pow(power.unsigned_abs()).ok_or(Unknown::TooLarge)?;
    Ok(largest.scaled(&(&Number::from(quotient) / &Number::from(quotient - 1))))
}

/// Differences of neighbouring elements add up to that of the outermost: `a[i + 1] - a[i]`. Returns their sum, and what is left.
fn telescoped(
    weight: &Polynomial,
    index: u32,
    from: &Polynomial,
    to: &Polynomial,
) -> Result<(Polynomial, Polynomial), Unknown> {
    let variable = Atom::Index(index);
    let mut rest = weight.clone();
    let mut sum = Polynomial::default();
    let elements: Vec<Atom> = weight
        .terms()
        .flat_map(|(monomial, _)| monomial.0.keys())
        .filter(|atom| matches!(atom, Atom::Element { .. }) && atom.mentions(&variable))
        .cloned()
        .collect();
    for upper in &elements {
        let Atom::Element { array, index: inside } = upper else { continue };
        let before = Arc::new(&**inside - &Polynomial::from(1));
        let lower = Atom::Element { array: array.clone(), index: before };
        let (Some((up, _)), Some((down, _))) = (rest.linear_in(upper), rest.linear_in(&lower)) else {
            continue;
        };
        let moves_by_one =
            inside.linear_in(&variable).is_some_and(|(factor, _)| factor == Polynomial::from(1));
        if up.is_zero() || up != -&down || up.mentions(&variable) || !moves_by_one {
            continue;
        }
        let last = Polynomial::from(upper.clone()).substituted(&variable, to).ok_or(Unknown::NoSum)?;
        let first = Polynomial::from(lower.clone()).substituted(&variable, from).ok_or(Unknown::NoSum)?;
        sum = &sum + &(&up * &(&last - &first));
        let difference = &Polynomial::from(upper.clone()) - &Polynomial::from(lower);
        rest = &rest - &(&up * &difference);
    }
    let is_left = |atom: &&Atom| matches!(atom, Atom::Element { .. }) && atom.mentions(&variable);
    let left = rest.atoms().into_iter().find(is_left).cloned();
    left.map_or(Ok((sum, rest)), |element| Err(Unknown::SumOfElements(element)))
}

/// `weight` without the variable inside of floors, logarithms and roots: of quotients the fraction is left, slowly growing functions
/// get their largest value.
fn flattened(
    weight: &Polynomial,
    variable: &Atom,
    from: &Polynomial,
    to: &Polynomial,
) -> Result<(Polynomial, Quality), Unknown> {
    let is_hidden = |atom: &Atom| atom != variable && atom.mentions(variable);
    if !weight.atoms().into_iter().any(is_hidden) {
        return Ok((weight.clone(), Quality::Exact));
    }
    let mut quality = Quality::Rounded;
    for quotient in weight.atoms().into_iter().filter(|atom| is_hidden(atom)) {
        let Atom::Quotient(of) = quotient else { continue };
        // The fraction of a quotient of 1 or more is no large part of it; of a smaller one it is all.
        let largest = of[1].substituted(variable, to).ok_or(Unknown::NoSum)?;
        if !of[1].linear_in(variable).is_some_and(|(factor, _)| factor.has_no_negative_term())
            || !(&of[0] - &largest).has_no_negative_term()
        {
            quality = Quality::AtMost;
        }
    }
    // What is taken away may be too much then.
    if quality == Quality::AtMost && !weight.has_no_negative_term() {
        return Err(Unknown::NoSum);
    }
    let smooth = smooth(weight).ok_or(Unknown::NoSum)?;
    let hidden: Vec<Atom> = smooth.atoms().into_iter().filter(|atom| is_hidden(atom)).cloned().collect();
    // What falls with the variable has no mean beside what falls, too.
    let falls =
        |atom: &Atom| matches!(atom, Atom::Log(of) if of.terms().any(|(its, _)| its.power(variable) < 0));
    if smooth.terms().any(|(its, _)| its.power(variable) < 0 && its.0.keys().any(falls)) {
        return Err(Unknown::NoSum);
    }
    let mut flat = smooth;
    for atom in hidden {
        let (value, its) = largest(&atom, variable, from, to).ok_or(Unknown::NoSum)?;
        flat = flat.substituted(&atom, &value).ok_or(Unknown::NoSum)?;
        quality = quality.max(its);
    }
    Ok((flat, quality))
}

/// The value of a logarithm or root at that end of a range where it is larger.
fn largest(
    atom: &Atom,
    variable: &Atom,
    from: &Polynomial,
    to: &Polynomial,
) -> Option<(Polynomial, Quality)> {
    let [inside] = atom.inside() else { return None };
    if let Some(mean) = mean_of_falling_log(atom, variable, to) {
        return Some((mean, Quality::Rounded));
    }
    let (factor, _) = inside.linear_in(variable)?;
    // Most values of a range are of the order of its upper end; of its lower end they need not be.
    let (end, quality) =
        if factor.has_no_negative_term() { (to, Quality::Rounded) } else { (from, Quality::AtMost) };
    Some((Polynomial::from(atom.clone()).substituted(variable, end)?, quality))
}

/// The mean of log2(n/i) for i up to `to`, and not less than that: by Stirling's formula log2(n/to) and log2(e), which is less than 3/2.
fn mean_of_falling_log(atom: &Atom, variable: &Atom, to: &Polynomial) -> Option<Polynomial> {
    let Atom::Log(of) = atom else { return None };
    let (monomial, _) = of.single().filter(|(its, _)| its.power(variable) == -1)?;
    if monomial.without(variable).mentions(variable) {
        return None;
    }
    // A number that is taken from the end makes the quotient at most twice as large, from 2 on.
    let below = to.constant_term();
    let (to, more) = match below.is_negative() {
        true => (to - &Polynomial::from(below), 2),
        false => (to.clone(), 0),
    };
    let quotient = of.substituted(variable, &to)?;
    Some(&quotient.log() + &Polynomial::from(3 + more).over(2))
}

/// 0^k + 1^k + … + x^k as the coefficients of 1, x, x^2, …: from (x+1)^(k+1) - 1 = sum over j <= k of C(k+1, j) S_j(x).
fn powers_up_to(k: u32) -> Vec<Number> {
    let mut sums: Vec<Vec<Number>> = Vec::new();
    for power in 0..=k {
        let mut coefficients: Vec<Number> =
            (0..=power + 1).map(|exponent| binomial(power + 1, exponent)).collect();
        coefficients[0] = &coefficients[0] - &Number::ONE;
        for (lower, sum) in sums.iter().enumerate() {
            let factor = binomial(power + 1, lower as u32);
            for (exponent, value) in sum.iter().enumerate() {
                coefficients[exponent] = &coefficients[exponent] - &(value * &factor);
            }
        }
        let divisor = Number::from(i64::from(power + 1));
        sums.push(coefficients.into_iter().map(|value| &value / &divisor).collect());
    }
    // For k = 0 the sum from 0 has one more element than from 1; differences of two such sums do not see it.
    sums.pop().unwrap_or_default()
}

fn binomial(n: u32, k: u32) -> Number {
    (0..k).fold(Number::ONE, |value, step| {
        let number = |value: u32| Number::from(i64::from(value));
        &(&value * &number(n - step)) / &number(step + 1)
    })
}

fn in_place_of_x(coefficients: &[Number], value: &Polynomial) -> Polynomial {
    let zero = Polynomial::default();
    coefficients
        .iter()
        .rev()
        .fold(zero, |sum, coefficient| &(&sum * value) + &Polynomial::from(coefficient.clone()))
}
