//! Polynomials as people write them, and as formulas of directives are written: C over real numbers.

use std::fmt;

use crate::number::Number;
use crate::polynomial::{Atom, Monomial, Polynomial};

/// Variables of loops have no names of their own.
const NAMES: [&str; 4] = ["i", "j", "k", "l"];

impl fmt::Display for Atom {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Atom::Index(number) => match NAMES.get(*number as usize) {
                Some(name) => out.write_str(name),
                None => write!(out, "i{number}"),
            },
            Atom::Name(name) => out.write_str(name),
            Atom::Element { array, index } => write!(out, "{array}[{index}]"),
            Atom::Floor { of, by, .. } => write!(out, "floor({}/{by})", Factor(of)),
            Atom::Quotient(of) if of[1].atom().is_some() => {
                write!(out, "floor({}/{})", Factor(&of[0]), of[1])
            }
            Atom::Quotient(of) => write!(out, "floor({}/({}))", Factor(&of[0]), of[1]),
            Atom::Log(of) => write!(out, "log2{}", Argument(of)),
            Atom::Root { of, degree: 2 } => write!(out, "sqrt{}", Argument(of)),
            Atom::Root { of, degree: 3 } => write!(out, "cbrt{}", Argument(of)),
            Atom::Root { of, degree } => write!(out, "pow({of}, 1.0/{degree})"),
            Atom::Extreme { of, is_least: true } => write!(out, "min({}, {})", of[0], of[1]),
            Atom::Extreme { of, is_least: false } => write!(out, "max({}, {})", of[0], of[1]),
        }
    }
}

/// A polynomial as the argument of a function; a name may have its brackets already.
struct Argument<'a>(&'a Polynomial);

impl fmt::Display for Argument<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.0.atom() {
            Some(Atom::Name(name)) if name.starts_with('(') => out.write_str(name),
            _ => write!(out, "({})", self.0),
        }
    }
}

/// Powers up to this are written as products.
const LARGEST_PRODUCT: i32 = 4;

fn factors(monomial: &Monomial, is_wanted: impl Fn(i32) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (atom, power) in monomial.0.iter().filter(|(_, power)| is_wanted(**power)) {
        match power.abs() {
            power if power <= LARGEST_PRODUCT => found.extend((0..power).map(|_| atom.to_string())),
            power => found.push(format!("pow({atom}, {power})")),
        }
    }
    found
}

impl fmt::Display for Monomial {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let above = factors(self, |power| power > 0);
        out.write_str(if above.is_empty() { "1" } else { "" })?;
        out.write_str(&above.join("*"))?;
        factors(self, |power| power < 0).iter().try_for_each(|factor| write!(out, "/{factor}"))
    }
}

/// A polynomial as a factor of a product.
struct Factor<'a>(&'a Polynomial);

impl fmt::Display for Factor<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.0.terms().count() {
            0 | 1 if self.0.has_no_negative_term() && self.0.denominator().is_one() => {
                write!(out, "{}", self.0)
            }
            _ => write!(out, "({})", self.0),
        }
    }
}

fn degree(monomial: &Monomial) -> i32 {
    monomial.0.values().sum()
}

impl fmt::Display for Polynomial {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let denominator = self.denominator();
        let mut terms: Vec<(&Monomial, Number)> =
            self.terms().map(|(monomial, value)| (monomial, value * &denominator)).collect();
        // The highest degree first, constants last; of equal ones those with a plus, so that none begins with a minus.
        terms.sort_by_key(|(monomial, value)| (-degree(monomial), value.is_negative(), *monomial));
        if terms.is_empty() {
            return out.write_str("0");
        }
        let has_brackets = !denominator.is_one() && terms.len() > 1;
        out.write_str(if has_brackets { "(" } else { "" })?;
        for (position, (monomial, value)) in terms.iter().enumerate() {
            match (position, value.is_negative()) {
                (0, false) => {}
                (0, true) => out.write_str("-")?,
                (_, false) => out.write_str(" + ")?,
                (_, true) => out.write_str(" - ")?,
            }
            term(out, monomial, &value.abs())?;
        }
        out.write_str(if has_brackets { ")" } else { "" })?;
        if denominator.is_one() { Ok(()) } else { write!(out, "/{denominator}") }
    }
}

fn term(out: &mut fmt::Formatter, monomial: &Monomial, value: &Number) -> fmt::Result {
    if monomial.0.is_empty() {
        write!(out, "{value}")
    } else if value.is_one() {
        write!(out, "{monomial}")
    } else if monomial.0.values().all(|power| *power < 0) {
        let below = factors(monomial, |power| power < 0);
        write!(out, "{value}/{}", below.join("/"))
    } else {
        write!(out, "{value}*{monomial}")
    }
}
