//! Whether a polynomial is never negative where others are not: Fourier and Motzkin's elimination over rational numbers.

use std::collections::BTreeSet;

use crate::number::{Number, gcd};
use crate::polynomial::{Atom, Monomial, Polynomial};

/// How large all parameters are taken to be until a question is decided; first they may be anything.
const SIZES: [i64; 8] = [0, 1, 2, 3, 4, 6, 8, 16];

/// What a proof takes parameters to be at least; `None`: they may be anything.
pub type LeastSize = Option<i64>;

/// More inequalities than this are not combined: the question stays open.
const MOST_ROWS: usize = 600;

/// Whether `question >= 0` wherever each of `context` is: if it can be proved for parameters of at least some size, that size.
pub fn is_never_negative(question: &Polynomial, context: &[Polynomial]) -> Option<LeastSize> {
    // Whole numbers that are not >= 0 are <= -1.
    let scaled = question.scaled(&question.denominator());
    let opposite = scaled.opposite();
    if let Some(value) = opposite.constant() {
        return value.is_negative().then_some(None);
    }
    let bounds = bounds(context.iter().chain([&opposite]));
    let context = [context, &bounds].concat();
    let system = System::of(&opposite, &context);
    if system.is_impossible(None) {
        return Some(None);
    }
    // What is proved for a size is so for each larger one: where the largest does not help, none does.
    let [smaller @ .., largest] = SIZES;
    if !system.is_impossible(Some(largest)) {
        return None;
    }
    let least = smaller.into_iter().find(|size| system.is_impossible(Some(*size)));
    Some(Some(least.unwrap_or(largest)))
}

/// What integer parts are: by*floor(of/by) is of less than by; and that the lesser one of two is not above either.
fn bounds<'a>(polynomials: impl Iterator<Item = &'a Polynomial>) -> Vec<Polynomial> {
    let atoms: BTreeSet<&Atom> = polynomials.flat_map(Polynomial::atoms).collect();
    let bounds = atoms.into_iter().filter_map(|atom| match atom {
        Atom::Floor { of, by, .. } => {
            let by = Polynomial::from(i64::from(*by));
            let rest = &**of - &(&by * &Polynomial::from(atom.clone()));
            Some(vec![rest.clone(), &(&by - &Polynomial::from(1)) - &rest])
        }
        Atom::Quotient(of) => {
            let quotient = Polynomial::from(atom.clone());
            let rest = &of[0] - &(&of[1] * &quotient);
            let below = &(&of[1] - &Polynomial::from(1)) - &rest;
            Some(vec![rest, below, &of[0] - &quotient, quotient])
        }
        Atom::Extreme { of, is_least } => {
            let above = [0, 1].map(|one| &of[one] - &Polynomial::from(atom.clone()));
            Some(if *is_least { above } else { above.map(|its| -&its) }.to_vec())
        }
        _ => None,
    });
    bounds.flatten().collect()
}

/// The inequality that the sum of `factors`, each multiplied with its monomial, and of `constant` is not negative.
#[derive(Clone)]
struct Inequality {
    factors: Vec<i128>,
    constant: i128,
}

/// The inequalities that have something to do with a question, the opposite of which is one of them.
struct System<'a> {
    columns: Vec<&'a Monomial>,
    rows: Vec<Inequality>,
    /// Monomials that are the product of another one and of this.
    products: Vec<(usize, usize, Monomial)>,
}

impl<'a> System<'a> {
    fn of(opposite: &'a Polynomial, context: &'a [Polynomial]) -> System<'a> {
        let all = || relevant(opposite, context).into_iter().chain([opposite]);
        let columns: BTreeSet<&Monomial> = all()
            .flat_map(|polynomial| polynomial.terms().map(|(monomial, _)| monomial))
            .filter(|monomial| !monomial.0.is_empty())
            .collect();
        let columns: Vec<&Monomial> = columns.into_iter().collect();
        let rows = all().filter_map(|polynomial| Inequality::of(polynomial, &columns)).collect();
        let pairs =
            (0..columns.len()).flat_map(|product| (0..columns.len()).map(move |part| (product, part)));
        let products = pairs.filter(|(product, part)| product != part).filter_map(|(product, part)| {
            let quotient = columns[product].times(&columns[part].inverse());
            let is_whole = quotient.0.values().all(|power| *power > 0);
            is_whole.then_some((product, part, quotient))
        });
        let products = products.collect();
        System { columns, rows, products }
    }

    /// Whether not all of it can be so where parameters are of a size.
    fn is_impossible(&self, size: LeastSize) -> bool {
        let mut rows = self.rows.clone();
        let none = || vec![0; self.columns.len()];
        for (position, column) in self.columns.iter().enumerate() {
            if let Some(least) = least(column, size) {
                let mut factors = none();
                factors[position] = 1;
                rows.push(Inequality { factors, constant: -i128::from(least) });
            }
        }
        // A product of parameters is not below a part of it: n*n >= size*n.
        for (product, part, quotient) in &self.products {
            if let Some(least) = least(quotient, size) {
                let mut factors = none();
                factors[*product] = 1;
                factors[*part] = -i128::from(least);
                rows.push(Inequality { factors, constant: 0 });
            }
        }
        let mut open: Vec<usize> = (0..self.columns.len()).collect();
        while !rows.iter().any(|row| row.constant < 0 && row.factors.iter().all(|factor| *factor == 0)) {
            let products = |column: &usize| {
                let count =
                    |is: fn(&i128) -> bool| rows.iter().filter(|row| is(&row.factors[*column])).count();
                count(|factor| *factor > 0) * count(|factor| *factor < 0)
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
}

impl Inequality {
    /// With whole factors. `None` for numbers that are too large: an inequality less only leaves more questions open.
    fn of(polynomial: &Polynomial, columns: &[&Monomial]) -> Option<Inequality> {
        let common = polynomial.denominator();
        let whole = |value: &Number| (value * &common).integer().map(i128::from);
        let mut row = Inequality { factors: vec![0; columns.len()], constant: 0 };
        for (monomial, value) in polynomial.terms() {
            match columns.binary_search(&monomial) {
                Ok(position) => row.factors[position] = whole(value)?,
                Err(_) => row.constant = whole(value)?,
            }
        }
        row.reduce();
        Some(row)
    }

    fn reduce(&mut self) {
        let divisor = self.factors.iter().fold(self.constant, |divisor, factor| gcd(divisor, *factor));
        if divisor > 1 {
            self.factors.iter_mut().for_each(|factor| *factor /= divisor);
            self.constant /= divisor;
        }
    }
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

/// What a product of parameters is at least.
fn least(monomial: &Monomial, size: LeastSize) -> Option<i64> {
    let mut least = 1i64;
    for (atom, power) in monomial.0.iter() {
        let value = match atom {
            Atom::Name(_) if *power > 0 => size?,
            Atom::Name(_) | Atom::Log(_) | Atom::Root { .. } => size.map(|_| 0)?,
            Atom::Extreme { of, .. } if of.iter().all(is_sum_of_parameters) => size.map(|_| 0)?,
            // What is known of these stands in the context.
            Atom::Index(_)
            | Atom::Element { .. }
            | Atom::Floor { .. }
            | Atom::Quotient(_)
            | Atom::Extreme { .. } => return None,
        };
        least = least.saturating_mul(value.saturating_pow(power.unsigned_abs().min(8)));
    }
    Some(least.min(1 << 32))
}

/// Which is not negative where parameters are sizes.
fn is_sum_of_parameters(polynomial: &Polynomial) -> bool {
    let is_parameter = |atom: &Atom| matches!(atom, Atom::Name(_));
    polynomial.has_no_negative_term() && polynomial.atoms().into_iter().all(is_parameter)
}

fn eliminated(rows: Vec<Inequality>, column: usize) -> Vec<Inequality> {
    let (with, mut left): (Vec<Inequality>, Vec<Inequality>) =
        rows.into_iter().partition(|row| row.factors[column] != 0);
    let (lower, upper): (Vec<&Inequality>, Vec<&Inequality>) =
        with.iter().partition(|row| row.factors[column] > 0);
    for low in &lower {
        left.extend(upper.iter().filter_map(|up| combined(low, up, column)));
    }
    left
}

/// The sum of two inequalities in which a column is gone.
fn combined(low: &Inequality, up: &Inequality, column: usize) -> Option<Inequality> {
    let divisor = gcd(low.factors[column], up.factors[column]);
    let (first, second) = (-up.factors[column] / divisor, low.factors[column] / divisor);
    let add = |left: i128, right: i128| {
        left.checked_mul(first)?.checked_add(right.checked_mul(second)?).filter(|sum| *sum != i128::MIN)
    };
    let factors: Option<Vec<i128>> =
        low.factors.iter().zip(&up.factors).map(|(left, right)| add(*left, *right)).collect();
    let mut row = Inequality { factors: factors?, constant: add(low.constant, up.constant)? };
    row.reduce();
    Some(row)
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
