//! Whether a polynomial is never negative where others are not: Fourier and Motzkin's elimination over rational numbers.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::polynomial::{Atom, Monomial, Polynomial};

/// How large all parameters are taken to be, one after another, until a question is decided; first they may be anything.
const SIZES: [Option<i64>; 9] =
    [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(6), Some(8), Some(16)];

/// What a proof takes parameters to be at least; `None`: they may be anything.
pub type LeastSize = Option<i64>;

/// More inequalities than this are not combined: the question stays open.
const MOST_ROWS: usize = 600;

/// Whether `question >= 0` wherever each of `context` is: if it can be proved for parameters of at least some size, that size.
pub fn is_never_negative(question: &Polynomial, context: &[Polynomial]) -> Option<LeastSize> {
    // Whole numbers that are not >= 0 are <= -1.
    let scaled = question.scaled(&BigRational::from(question.denominator()));
    let opposite = &-&scaled - &Polynomial::from(1);
    if let Some(value) = opposite.constant() {
        return value.is_negative().then_some(None);
    }
    let floors = floors(context.iter().chain([&opposite]));
    let context = [context, &floors].concat();
    SIZES.into_iter().find(|size| is_impossible(&opposite, &context, *size))
}

/// What integer parts are: by*floor(of/by) is of less than by.
fn floors<'a>(polynomials: impl Iterator<Item = &'a Polynomial>) -> Vec<Polynomial> {
    let atoms: BTreeSet<&Atom> = polynomials.flat_map(Polynomial::atoms).collect();
    let bounds = atoms.into_iter().filter_map(|atom| match atom {
        Atom::Floor { of, by, .. } => {
            let by = Polynomial::from(i64::from(*by));
            let rest = &**of - &(&by * &Polynomial::from(atom.clone()));
            Some([rest.clone(), &(&by - &Polynomial::from(1)) - &rest])
        }
        _ => None,
    });
    bounds.flatten().collect()
}

struct Row {
    factors: Vec<BigRational>,
    constant: BigRational,
}

fn is_impossible(opposite: &Polynomial, context: &[Polynomial], size: LeastSize) -> bool {
    let relevant = relevant(opposite, context);
    let all = || relevant.iter().copied().chain([opposite]);
    let columns: BTreeSet<&Monomial> = all()
        .flat_map(|polynomial| polynomial.terms().map(|(monomial, _)| monomial))
        .filter(|monomial| !monomial.0.is_empty())
        .collect();
    let columns: Vec<&Monomial> = columns.into_iter().collect();
    let mut rows: Vec<Row> = all()
        .map(|polynomial| Row {
            factors: columns.iter().map(|column| coefficient(polynomial, column)).collect(),
            constant: polynomial.constant_term(),
        })
        .collect();
    for (position, column) in columns.iter().enumerate() {
        if let Some(least) = least(column, size) {
            let mut factors = vec![BigRational::zero(); columns.len()];
            factors[position] = BigRational::one();
            rows.push(Row { factors, constant: BigRational::from(BigInt::from(-least)) });
        }
    }
    // A product of parameters is not below a part of it: n*n >= size*n.
    for (product, column) in columns.iter().enumerate() {
        for (part, other) in columns.iter().enumerate() {
            let quotient = column.times(&other.inverse());
            let is_whole = !quotient.0.is_empty() && quotient.0.values().all(|power| *power > 0);
            if let (true, Some(least)) = (is_whole, least(&quotient, size)) {
                let mut factors = vec![BigRational::zero(); columns.len()];
                factors[product] = BigRational::one();
                factors[part] = BigRational::from(BigInt::from(-least));
                rows.push(Row { factors, constant: BigRational::zero() });
            }
        }
    }
    let mut open: Vec<usize> = (0..columns.len()).collect();
    while !rows.iter().any(|row| row.constant.is_negative() && row.factors.iter().all(Zero::is_zero)) {
        let products = |column: &usize| {
            let count =
                |is: fn(&BigRational) -> bool| rows.iter().filter(|row| is(&row.factors[*column])).count();
            count(BigRational::is_positive) * count(BigRational::is_negative)
        };
        let Some(best) = (0..open.len()).min_by_key(|position| products(&open[*position])) else {
            return false;
        };
        rows = eliminated(rows, open.swap_remove(best));
        if rows.len() > MOST_ROWS {
            return false;
        }
    }
    true
}

/// Those of `context` that have something to do with the question, if only by others.
pub fn relevant<'a>(question: &'a Polynomial, context: &'a [Polynomial]) -> Vec<&'a Polynomial> {
    let monomials = |polynomial: &'a Polynomial| {
        polynomial.terms().map(|(monomial, _)| monomial).filter(|monomial| !monomial.0.is_empty())
    };
    let mut known: BTreeSet<&Monomial> = monomials(question).collect();
    let mut found = Vec::new();
    let mut left: Vec<&Polynomial> = context.iter().collect();
    loop {
        let (new, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|polynomial| {
            monomials(polynomial).any(|monomial| known.contains(monomial)) || polynomial.constant().is_some()
        });
        if new.is_empty() {
            return found;
        }
        known.extend(new.iter().flat_map(|polynomial| monomials(polynomial)));
        found.extend(new);
        left = others;
    }
}

fn coefficient(polynomial: &Polynomial, monomial: &Monomial) -> BigRational {
    polynomial
        .terms()
        .find(|(own, _)| *own == monomial)
        .map_or_else(BigRational::zero, |(_, value)| value.clone())
}

/// What a product of parameters is at least.
fn least(monomial: &Monomial, size: LeastSize) -> Option<i64> {
    let mut least = 1i64;
    for (atom, power) in &monomial.0 {
        let value = match atom {
            Atom::Name(_) if *power > 0 => size?,
            Atom::Name(_) | Atom::Log(_) | Atom::Root { .. } => size.map(|_| 0)?,
            // What is known of these stands in the context.
            Atom::Index(_) | Atom::Element { .. } | Atom::Floor { .. } => return None,
        };
        least = least.saturating_mul(value.saturating_pow(power.unsigned_abs().min(8)));
    }
    Some(least.min(1 << 32))
}

fn eliminated(rows: Vec<Row>, column: usize) -> Vec<Row> {
    let (with, mut left): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| !row.factors[column].is_zero());
    let (lower, upper): (Vec<&Row>, Vec<&Row>) =
        with.iter().partition(|row| row.factors[column].is_positive());
    for low in &lower {
        for up in &upper {
            let (first, second) = (-&up.factors[column], low.factors[column].clone());
            let add = |left: &BigRational, right: &BigRational| left * &first + right * &second;
            left.push(Row {
                factors: low.factors.iter().zip(&up.factors).map(|(left, right)| add(left, right)).collect(),
                constant: add(&low.constant, &up.constant),
            });
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions() {
        let (i, j) = (Polynomial::index(0), Polynomial::index(1));
        let n = Polynomial::name("n");
        let one = Polynomial::from(1);
        // 0 <= i <= n - 1, i + 1 <= j
        let context = [i.clone(), &(&n - &one) - &i, &(&j - &i) - &one];
        for (question, expected) in [
            (&(&n - &one) - &i, Some(None)),
            (&j - &one, Some(None)),
            (&n - &i, Some(None)),
            (n.clone(), Some(None)),
            (&i - &one, None),
            (&n - &Polynomial::from(3), Some(Some(3))),
            (Polynomial::name("m"), Some(Some(0))),
            (&n - &Polynomial::from(30), None),
            (&n - &Polynomial::name("m"), None),
            (&(&n * &n) - &n, Some(Some(1))),
            (Polynomial::from(-1), None),
        ] {
            assert_eq!(is_never_negative(&question, &context), expected, "{question}");
        }
    }
}
