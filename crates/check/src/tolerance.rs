/// How much may change before it matters, as shares: 0.03 for 3 %.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    /// Of everything else.
    pub usual: f64,
    /// Of single constants, by the position of the term in the formula.
    pub of_terms: Vec<(usize, f64)>,
}

impl Tolerance {
    /// What holds for a term.
    pub fn of_term(&self, term: usize) -> f64 {
        self.own(term).unwrap_or(self.usual)
    }

    /// What was said of this term alone.
    pub fn own(&self, term: usize) -> Option<f64> {
        self.of_terms.iter().rev().find(|(its, _)| *its == term).map(|(_, share)| *share)
    }
}

impl Default for Tolerance {
    /// Machines are hardly ever steadier, and users hardly ever more impatient.
    fn default() -> Tolerance {
        Tolerance { usual: 0.03, of_terms: Vec::new() }
    }
}
