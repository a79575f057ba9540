use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use crate::number::Number;
use crate::sorted::SortedMap;

/// What a count is computed from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// The value of the variable of a loop, which a number names.
    Index(u32),
    /// The value that an expression of C has when the block begins: `n`, `grid->rows`.
    Name(Arc<str>),
    /// The element of an array whose elements do not change: `start[n]`.
    Element {
        /// The array as C names it.
        array: Arc<str>,
        /// Which of its elements.
        index: Arc<Polynomial>,
    },
    /// The integer part of a quotient.
    Floor {
        /// The dividend.
        of: Arc<Polynomial>,
        /// The divisor, 2 or more.
        by: u32,
        /// Whether it is C's division, which rounds towards 0: the dividend must not be negative.
        is_truncated: bool,
    },
    /// The integer part of a quotient of two whole numbers that are not negative, of which the second one is no constant and not 0.
    Quotient(Arc<[Polynomial; 2]>),
    /// The logarithm to base 2.
    Log(Arc<Polynomial>),
    /// A root: the square root for degree 2.
    Root {
        /// What it is the root of.
        of: Arc<Polynomial>,
        /// 2 or more.
        degree: u32,
    },
    /// The lesser or the greater one of two whole numbers.
    Extreme {
        /// The two.
        of: Arc<[Polynomial; 2]>,
        /// Whether it is the lesser one.
        is_least: bool,
    },
}

/// A product of atoms with whole powers, which may be negative; without atoms it is 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monomial(pub SortedMap<Atom, i32>);

/// A sum of monomials with rational coefficients, none of which is 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polynomial(SortedMap<Monomial, Number>);

/// An end of the values of a variable, which may have that value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// It is not less.
    Lower(Polynomial),
    /// It is not more.
    Upper(Polynomial),
}

impl Monomial {
    /// The power of an atom.
    pub fn power(&self, atom: &Atom) -> i32 {
        self.0.get(atom).copied().unwrap_or(0)
    }

    /// The product of two.
    pub fn times(&self, other: &Monomial) -> Monomial {
        Monomial(self.0.joined(&other.0, |own, its| Some(own + its).filter(|power| *power != 0)))
    }

    /// What it is without an atom.
    pub fn without(&self, atom: &Atom) -> Monomial {
        Monomial(self.0.only(|own| own != atom))
    }

    /// Its inverse.
    pub fn inverse(&self) -> Monomial {
        Monomial(self.0.with_values(|power| -power))
    }

    fn mentions(&self, wanted: &Atom) -> bool {
        self.0.keys().any(|atom| atom.mentions(wanted))
    }
}

impl Atom {
    /// A name.
    pub fn name(text: &str) -> Atom {
        Atom::Name(text.into())
    }

    /// The polynomials inside of it.
    pub fn inside(&self) -> &[Polynomial] {
        match self {
            Atom::Index(_) | Atom::Name(_) => &[],
            Atom::Element { index: inside, .. }
            | Atom::Floor { of: inside, .. }
            | Atom::Log(inside)
            | Atom::Root { of: inside, .. } => std::slice::from_ref(inside),
            Atom::Quotient(of) | Atom::Extreme { of, .. } => &**of,
        }
    }

    /// The same with others in the place of the polynomials inside of it; `None` where there is none for one of them.
    fn around(&self, map: impl Fn(&Polynomial) -> Option<Polynomial>) -> Option<Polynomial> {
        Some(match self {
            Atom::Index(_) | Atom::Name(_) => Polynomial::from(self.clone()),
            Atom::Element { array, index } => {
                Polynomial::from(Atom::Element { array: array.clone(), index: Arc::new(map(index)?) })
            }
            Atom::Floor { of, by, is_truncated: false } => map(of)?.floor(*by),
            Atom::Floor { of, by, is_truncated: true } => map(of)?.truncated_quotient(*by),
            Atom::Quotient(of) => map(&of[0])?.quotient(&map(&of[1])?)?,
            Atom::Log(of) => map(of)?.log(),
            Atom::Root { of, degree } => map(of)?.root(*degree),
            Atom::Extreme { of, is_least } => map(&of[0])?.extreme(&map(&of[1])?, *is_least),
        })
    }

    /// Whether it is another atom or has it inside.
    pub fn mentions(&self, wanted: &Atom) -> bool {
        self == wanted || self.inside().iter().any(|inside| inside.mentions(wanted))
    }
}

impl From<Atom> for Polynomial {
    fn from(atom: Atom) -> Polynomial {
        Polynomial::from(Monomial((atom, 1).into()))
    }
}

impl From<Monomial> for Polynomial {
    fn from(monomial: Monomial) -> Polynomial {
        Polynomial((monomial, Number::ONE).into())
    }
}

impl From<i64> for Polynomial {
    fn from(value: i64) -> Polynomial {
        Polynomial::from(Number::from(value))
    }
}

impl From<Number> for Polynomial {
    fn from(value: Number) -> Polynomial {
        let mut constant = Polynomial::default();
        constant.add_term(Monomial::default(), value);
        constant
    }
}

impl Polynomial {
    /// The value of the loop variable with that number.
    pub fn index(number: u32) -> Polynomial {
        Polynomial::from(Atom::Index(number))
    }

    /// The value of an expression of C when the block begins.
    pub fn name(text: &str) -> Polynomial {
        Polynomial::from(Atom::name(text))
    }

    /// The monomials with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Number)> {
        self.0.iter()
    }

    /// Adds one term.
    pub fn add_term(&mut self, monomial: Monomial, coefficient: Number) {
        if !coefficient.is_zero() {
            self.0.add(monomial, coefficient, |own, its| sum(own, &its));
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Its value, if it has no atoms.
    pub fn constant(&self) -> Option<Number> {
        match self.0.len() {
            0 => Some(Number::ZERO),
            1 => self.0.get(&Monomial::default()).cloned(),
            _ => None,
        }
    }

    /// Its value, if that is a whole number that fits.
    pub fn integer(&self) -> Option<i64> {
        self.constant()?.integer()
    }

    /// The term without atoms.
    pub fn constant_term(&self) -> Number {
        self.0.get(&Monomial::default()).cloned().unwrap_or(Number::ZERO)
    }

    /// Its one term, if it has one.
    pub fn single(&self) -> Option<(&Monomial, &Number)> {
        let mut terms = self.0.iter();
        terms.next().filter(|_| terms.next().is_none())
    }

    /// Its one atom, if it is nothing else.
    pub fn atom(&self) -> Option<&Atom> {
        let (monomial, coefficient) = self.single()?;
        let mut atoms = monomial.0.iter();
        let (atom, power) = atoms.next()?;
        (atoms.next().is_none() && *power == 1 && coefficient.is_one()).then_some(atom)
    }

    /// The product with a number.
    pub fn scaled(&self, factor: &Number) -> Polynomial {
        if factor.is_zero() {
            return Polynomial::default();
        }
        Polynomial(self.0.with_values(|value| value * factor))
    }

    /// The quotient by a whole number other than 0.
    pub fn over(&self, divisor: i64) -> Polynomial {
        Number::from(divisor).inverse().map_or_else(|| self.clone(), |inverse| self.scaled(&inverse))
    }

    /// A power.
    pub fn power(&self, exponent: u32) -> Polynomial {
        (0..exponent).fold(Polynomial::from(1), |power, _| &power * self)
    }

    /// The inverse of a polynomial of one term.
    pub fn inverse(&self) -> Option<Polynomial> {
        let (monomial, coefficient) = self.single()?;
        Some(Polynomial::from(monomial.inverse()).scaled(&coefficient.inverse()?))
    }

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
        for (monomial, coefficient) in self.terms().filter(|(its, value)| other.0.get(its) == Some(value)) {
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

    /// Whether an atom is part of it, however deep.
    pub fn mentions(&self, atom: &Atom) -> bool {
        self.0.keys().any(|monomial| monomial.mentions(atom))
    }

    /// All atoms of it, those inside of others as well.
    pub fn atoms(&self) -> BTreeSet<&Atom> {
        let mut found = BTreeSet::new();
        let mut open = vec![self];
        while let Some(polynomial) = open.pop() {
            for atom in polynomial.0.keys().flat_map(|monomial| monomial.0.keys()) {
                if found.insert(atom) {
                    open.extend(atom.inside());
                }
            }
        }
        found
    }

    /// What is not negative where this whole number is negative, and only there.
    pub fn opposite(&self) -> Polynomial {
        &-self - &Polynomial::from(1)
    }

    /// How deep atoms stand in others: 0 where none does.
    pub fn depth(&self) -> usize {
        let depth = |atom: &Atom| atom.inside().iter().map(|inside| 1 + inside.depth()).max().unwrap_or(0);
        self.0.keys().flat_map(|monomial| monomial.0.keys()).map(depth).max().unwrap_or(0)
    }

    /// Whether the variable of a loop is part of it.
    pub fn has_index(&self) -> bool {
        self.atoms().iter().any(|atom| matches!(atom, Atom::Index(_)))
    }

    /// `a` and `b` of `a*atom + b`, if it is that and neither has the atom inside.
    pub fn linear_in(&self, atom: &Atom) -> Option<(Polynomial, Polynomial)> {
        let (mut factor, mut rest) = (Polynomial::default(), Polynomial::default());
        for (monomial, coefficient) in self.terms() {
            let without = monomial.without(atom);
            if without.mentions(atom) {
                return None;
            }
            match monomial.power(atom) {
                0 => rest.add_term(without, coefficient.clone()),
                1 => factor.add_term(without, coefficient.clone()),
                _ => return None,
            }
        }
        Some((factor, rest))
    }

    /// What `self >= 0` says about a variable that is a whole number; `None` if it is not linear in it with a whole factor.
    pub fn bound_of(&self, variable: &Atom) -> Option<Bound> {
        let (factor, rest) = self.linear_in(variable)?;
        let factor = factor.constant().filter(Number::is_integer)?;
        let quotient = rest.floor(u32::try_from(factor.abs().integer()?).ok()?);
        match factor.cmp(&Number::ZERO) {
            Ordering::Greater => Some(Bound::Lower(-&quotient)),
            Ordering::Less => Some(Bound::Upper(quotient)),
            Ordering::Equal => None,
        }
    }

    /// The polynomial with another in the place of an atom, however deep; `None` where one would have to divide by a sum.
    pub fn substituted(&self, atom: &Atom, value: &Polynomial) -> Option<Polynomial> {
        self.mapped(&|found| (found == atom).then(|| value.clone()))
    }

    /// The polynomial with others in the place of those atoms for which `map` has one.
    pub fn mapped(&self, map: &impl Fn(&Atom) -> Option<Polynomial>) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in self.terms() {
            let mut product = Polynomial::from(coefficient.clone());
            for (atom, power) in monomial.0.iter() {
                let value = match map(atom) {
                    Some(value) => value,
                    None => atom.around(|inside| inside.mapped(map))?,
                };
                let base = if *power < 0 { value.inverse()? } else { value };
                product = &product * &base.power(power.unsigned_abs());
            }
            sum = &sum + &product;
        }
        Some(sum)
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

    /// A whole number that makes all coefficients whole when it multiplies them.
    pub fn denominator(&self) -> Number {
        self.0.values().fold(Number::ONE, |common, value| value.common_denominator(&common))
    }

    /// Whether no coefficient is negative.
    pub fn has_no_negative_term(&self) -> bool {
        self.0.values().all(|value| !value.is_negative())
    }
}

impl Atom {
    fn is_whole(&self) -> bool {
        !matches!(self, Atom::Log(_) | Atom::Root { .. })
    }
}

fn sum(left: &Number, right: &Number) -> Option<Number> {
    Some(left + right).filter(|sum| !sum.is_zero())
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: &Polynomial) -> Polynomial {
        Polynomial(self.0.joined(&other.0, sum))
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        Polynomial(self.0.with_values(|value| -value))
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: &Polynomial) -> Polynomial {
        self + &-other
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, left_value) in self.terms() {
            for (right, right_value) in other.terms() {
                product.add_term(left.times(right), left_value * right_value);
            }
        }
        product
    }
}
