use std::sync::Arc;

use crate::number::Number;
use crate::polynomial::{Atom, Monomial, Polynomial};

/// What C computes besides sums and products: integer parts, logarithms, roots and extremes.
impl Polynomial {
    /// The integer part of the quotient by `by`; whole-numbered parts of it come out of the brackets.
    pub fn floor(&self, by: u32) -> Polynomial {
        if by <= 1 {
            return self.clone();
        }
        let quotient = self.over(i64::from(by));
        // floor(x/b) = whole + floor(rest/b) where all coefficients of `whole` are whole.
        let (mut whole, mut rest) = (Polynomial::default(), Polynomial::default());
        for (monomial, coefficient) in quotient.terms() {
            let has_whole_value = monomial.0.iter().all(|(atom, power)| *power > 0 && atom.is_whole());
            let integer = if has_whole_value { coefficient.floor() } else { Number::ZERO };
            rest.add_term(monomial.clone(), coefficient - &integer);
            whole.add_term(monomial.clone(), integer);
        }
        if rest.constant().is_some() {
            return whole;
        }
        let of = Arc::new(rest.scaled(&Number::from(i64::from(by))));
        &whole + &Polynomial::from(Atom::Floor { of, by, is_truncated: false })
    }

    /// The quotient by `by` as C computes it for integers.
    pub fn truncated_quotient(&self, by: u32) -> Polynomial {
        let quotient = self.over(i64::from(by.max(1)));
        let is_whole =
            |monomial: &Monomial| monomial.0.iter().all(|(atom, power)| *power > 0 && atom.is_whole());
        if let Some(value) = quotient.constant() {
            Polynomial::from(value.trunc())
        } else if quotient.terms().all(|(monomial, value)| value.is_integer() && is_whole(monomial)) {
            quotient
        } else {
            Polynomial::from(Atom::Floor { of: Arc::new(self.clone()), by, is_truncated: true })
        }
    }

    /// The quotient as C computes it for integers that are not negative. `None`: by 0 or less.
    pub fn quotient(&self, by: &Polynomial) -> Option<Polynomial> {
        if let Some(divisor) = by.constant() {
            let divisor = u32::try_from(divisor.integer()?).ok().filter(|divisor| *divisor > 0)?;
            return Some(self.truncated_quotient(divisor));
        }
        let is_whole = |value: &Polynomial| {
            let is_product =
                |monomial: &Monomial| monomial.0.iter().all(|(atom, power)| *power > 0 && atom.is_whole());
            value.terms().all(|(monomial, value)| value.is_integer() && is_product(monomial))
        };
        let exact = by.inverse().map(|inverse| self * &inverse).filter(is_whole);
        Some(exact.unwrap_or_else(|| Polynomial::from(Atom::Quotient(Arc::new([self.clone(), by.clone()])))))
    }

    /// The logarithm to base 2; that of 1 is 0.
    pub fn log(&self) -> Polynomial {
        match self.constant() {
            Some(value) if value.is_one() => Polynomial::default(),
            _ => Polynomial::from(Atom::Log(Arc::new(self.clone()))),
        }
    }

    /// The root of that degree.
    pub fn root(&self, degree: u32) -> Polynomial {
        match self.constant() {
            Some(value) if value.is_one() || value.is_zero() => self.clone(),
            _ => Polynomial::from(Atom::Root { of: Arc::new(self.clone()), degree }),
        }
    }

    /// The lesser or the greater one of two whole numbers: what both have comes out of the brackets.
    pub fn extreme(&self, other: &Polynomial, is_least: bool) -> Polynomial {
        let mut common = Polynomial::default();
        for (monomial, coefficient) in
            self.terms().filter(|(its, value)| other.coefficient(its) == Some(value))
        {
            common.add_term(monomial.clone(), coefficient.clone());
        }
        // And of a number what is added to the other one: min(n + 1, 9) is min(n, 8) + 1.
        let is_number = [self, other].map(|its| its.constant().is_some());
        if is_number != [false; 2] {
            let added = if is_number[0] { other } else { self };
            common = Polynomial::from(added.constant_term());
        }
        let (own, its) = (self - &common, other - &common);
        if let Some(difference) = (&own - &its).constant() {
            return if difference.is_negative() == is_least { self.clone() } else { other.clone() };
        }
        let is_opposite = |its: &Polynomial| (-its).has_no_negative_term();
        if is_opposite(&own) && is_opposite(&its) {
            return &common - &(-&own).extreme(&-&its, !is_least);
        }
        let of = Arc::new(if own < its { [own, its] } else { [its, own] });
        &common + &Polynomial::from(Atom::Extreme { of, is_least })
    }

    /// Both polynomials of which it is the lesser or the greater one, if variables of loops choose between two.
    pub fn chosen_by_index(&self, is_least: bool) -> Option<[Polynomial; 2]> {
        self.terms().find_map(|(monomial, coefficient)| {
            let product = Polynomial::from(monomial.clone());
            let Atom::Extreme { of, is_least: its } = product.atom()? else { return None };
            // The lesser one of two, taken away, leaves the greater one of what is left.
            let sign = if *its == is_least { Number::ONE } else { -&Number::ONE };
            let rest = self - &product.scaled(coefficient);
            let is_chosen = *coefficient == sign && of.iter().any(Polynomial::has_index);
            is_chosen.then(|| [0, 1].map(|one| &rest + &of[one].scaled(coefficient)))
        })
    }

    /// Of a root or a rounded quotient less a whole number: what is not negative where this is not, and only there. `sqrt(n) - 3` is that where
    /// `n - 9` is.
    pub fn inside_out(&self) -> Option<Polynomial> {
        let end = self.constant_term();
        let rest = self - &Polynomial::from(end.clone());
        let end = end.integer()?.checked_neg()?;
        let (of, least) = match rest.atom()? {
            Atom::Root { of, degree } if end >= 0 => (of, end.checked_pow(*degree)?),
            Atom::Floor { of, by, is_truncated } if end >= 0 || !is_truncated => {
                (of, end.checked_mul(i64::from(*by))?)
            }
            _ => return None,
        };
        Some(&**of - &Polynomial::from(least))
    }

    /// The same with `n` for `sqrt(n)*sqrt(n)`.
    pub fn with_whole_roots(&self) -> Polynomial {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in self.terms() {
            let mut product = Polynomial::from(coefficient.clone());
            for (atom, power) in monomial.0.iter() {
                product = match (atom, u32::try_from(*power)) {
                    (Atom::Root { of, degree }, Ok(power)) if power >= *degree => {
                        let rest = Polynomial::from(atom.clone()).power(power % degree);
                        &(&product * &of.power(power / degree)) * &rest
                    }
                    _ => &product * &Polynomial::from(Monomial((atom.clone(), *power).into())),
                };
            }
            sum = &sum + &product;
        }
        sum
    }
}

impl Atom {
    fn is_whole(&self) -> bool {
        !matches!(self, Atom::Log(_) | Atom::Root { .. })
    }
}
