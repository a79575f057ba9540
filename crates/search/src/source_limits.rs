//! What the source of an experiment says about the terms of its formula.

use call_trace::{CountQuality, SourceCounts};

use crate::shape::{Shape, catalogue};
use crate::term::{CONSTANT, Factors, shapes};

/// The number of processors, by which work is divided without the source saying so.
const PROCESSORS: &str = "P";

/// The power of a variable and that of its logarithm.
type Growth = (f64, u32);

/// Which terms the source of an experiment allows: those that grow in no variable faster than one of the terms that its statements run
/// so often, and fall in none. Counts are what time is proportional to but for caches, which [intervals](crate::FoundInterval) allow for.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceLimits {
    /// For each term of the source the growth in each variable.
    terms: Vec<Vec<Growth>>,
    /// Which variables the source speaks of.
    is_limited: Vec<bool>,
    /// Whether the terms are expected, beside that no others are.
    are_expected: bool,
}

impl SourceLimits {
    /// What counts say about the variables; `None` if they are not [complete](SourceCounts::are_complete).
    pub fn new(variables: &[String], counts: &SourceCounts) -> Option<SourceLimits> {
        if !counts.are_complete() {
            return None;
        }
        let growths = || counts.terms.iter().filter_map(|term| term.growth.as_ref());
        let growth =
            |name: &String| growths().map(|its| its.get(name).copied().unwrap_or_default()).collect();
        let by_variable: Vec<Vec<Growth>> = variables.iter().map(growth).collect();
        let is_limited = |(name, growths): (&String, &Vec<Growth>)| {
            name != PROCESSORS || growths.iter().any(|growth| *growth != Growth::default())
        };
        Some(SourceLimits {
            terms: (0..counts.terms.len())
                .map(|term| by_variable.iter().map(|growths| growths[term]).collect())
                .collect(),
            is_limited: variables.iter().zip(&by_variable).map(is_limited).collect(),
            // Differences grow with both of their ends, and no product of these does so.
            are_expected: counts.quality != CountQuality::AtMost
                && !counts.terms.iter().any(|term| term.basis.contains(" - ")),
        })
    }

    /// Whether a shape of a variable may be a factor of a term.
    pub(crate) fn allow_shape(&self, variable: usize, shape: usize) -> bool {
        !self.is_limited[variable]
            || self.terms.iter().any(|term| is_within(growth(catalogue()[shape]), term[variable]))
    }

    /// Whether a shape is a factor of a term of the source.
    pub(crate) fn expect_shape(&self, variable: usize, shape: usize) -> bool {
        let is_it = |term: &Vec<Growth>| is_same(catalogue()[shape], term[variable]);
        self.are_expected && self.is_limited[variable] && self.terms.iter().any(is_it)
    }

    /// Whether a product of shapes may be a term.
    pub(crate) fn allow(&self, factors: &Factors) -> bool {
        let is_bound = |term: &Vec<Growth>| {
            self.limited(factors)
                .all(|(variable, shape)| is_within(shape.map_or(Growth::default(), growth), term[variable]))
        };
        self.terms.iter().any(is_bound)
    }

    /// How many terms beside the constant are expected.
    pub(crate) fn expected(&self) -> Option<u32> {
        let is_constant = |term: &&Vec<Growth>| term.iter().all(|growth| *growth == Growth::default());
        let count = self.terms.len() - self.terms.iter().filter(is_constant).count();
        (self.are_expected && count > 0).then_some(count as u32)
    }

    /// The share of the prior of terms that one has by being one of the source's; half of it is theirs, each as likely as another.
    pub(crate) fn share(&self, factors: &Factors) -> Option<f64> {
        let is_it = |term: &Vec<Growth>| {
            self.limited(factors).all(|(variable, shape)| match shape {
                None => term[variable] == Growth::default(),
                Some(shape) => is_same(shape, term[variable]),
            })
        };
        (self.are_expected && *factors != CONSTANT && self.terms.iter().any(is_it))
            .then(|| 0.5 / self.terms.len() as f64)
    }

    /// Whether the source speaks of a variable.
    pub(crate) fn limit(&self, variable: usize) -> bool {
        self.is_limited[variable]
    }

    /// The shapes of the variables that the source speaks of.
    fn limited<'a>(&'a self, factors: &'a Factors) -> impl Iterator<Item = (usize, Option<Shape>)> + 'a {
        let by_variable = self.is_limited.iter().zip(shapes(factors)).enumerate();
        by_variable
            .filter(|(_, (is_limited, _))| **is_limited)
            .map(|(variable, (_, shape))| (variable, shape))
    }
}

fn growth(shape: Shape) -> Growth {
    match shape {
        Shape::Power { numerator, denominator, logarithms } => {
            (f64::from(numerator) / f64::from(denominator), u32::from(logarithms))
        }
        Shape::LessOne => (1.0, 0),
        Shape::ShareOfOthers => Growth::default(),
    }
}

/// Whether something grows, and not faster than something else.
fn is_within(one: Growth, other: Growth) -> bool {
    one >= Growth::default() && one <= other
}

/// Whether a shape is that power, and nothing that only grows alike.
fn is_same(shape: Shape, other: Growth) -> bool {
    matches!(shape, Shape::Power { .. }) && growth(shape) == other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Measurements, find};

    /// Only the first variables are looked at.
    #[test]
    fn more_variables_than_terms_have_factors() {
        let names: Vec<String> = (0..8).map(|number| format!("v{number}")).collect();
        let term = |growth: &[(&str, Growth)]| call_trace::SourceTerm {
            growth: Some(growth.iter().map(|(name, growth)| ((*name).to_owned(), *growth)).collect()),
            ..call_trace::SourceTerm::default()
        };
        let terms = vec![term(&[]), term(&[("v0", (1.0, 0))])];
        let counts = SourceCounts { terms, quality: CountQuality::Exact, ..SourceCounts::default() };
        let columns: Vec<Vec<f64>> =
            (0..8u32).map(|number| (1..6u32).map(|row| f64::from(row * 8 + number)).collect()).collect();
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let measurements = Measurements::new(&names, &views, &columns[0]).of_source(&counts);
        assert_eq!(find(&measurements).ranked("f")[0].formula.text, "f[0]*v0");
    }
}
