//! What constants of several formulas stand for.

use call_grammar::Formula;

/// The constant of a formula, and the term that it is the cost of. Other formulas may have that under another number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantTerm {
    number: u32,
    text: String,
}

impl ConstantTerm {
    /// Of the constant with that number.
    pub fn of(formula: &Formula, number: u32) -> Option<ConstantTerm> {
        let text = terms(formula).find(|(its, _)| *its == number)?.1;
        Some(ConstantTerm { number, text })
    }

    /// The number of the constant of the same term in a formula.
    pub fn number_in(&self, formula: &Formula) -> Option<u32> {
        let alike = || terms(formula).filter(|(_, text)| *text == self.text).map(|(number, _)| number);
        alike().find(|number| *number == self.number).or_else(|| alike().next())
    }

    /// `N*log(N)`.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The numbers of constants with their terms, each in one spelling.
fn terms(formula: &Formula) -> impl Iterator<Item = (u32, String)> {
    let in_order = formula.in_order();
    let terms: Vec<_> =
        in_order.terms().iter().map(|term| (term.coefficient.0, in_order.text_of(&term.basis))).collect();
    terms.into_iter()
}
