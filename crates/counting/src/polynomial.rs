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

    pub(crate) fn mentions(&self, wanted: &Atom) -> bool {
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

    /// The coefficient of a monomial; `None` if it is 0.
    pub(crate) fn coefficient(&self, monomial: &Monomial) -> Option<&Number> {
        self.0.get(monomial)
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

    /// A whole number that makes all coefficients whole when it multiplies them.
    pub fn denominator(&self) -> Number {
        self.0.values().fold(Number::ONE, |common, value| value.common_denominator(&common))
    }

    /// Whether no coefficient is negative.
    pub fn has_no_negative_term(&self) -> bool {
        self.0.values().all(|value| !value.is_negative())
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
