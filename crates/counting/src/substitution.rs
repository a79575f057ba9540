use std::sync::Arc;

use crate::polynomial::{Atom, Polynomial};

impl Atom {
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
}

impl Polynomial {
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
}
