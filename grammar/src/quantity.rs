use std::fmt;

use crate::formula::Builder;
use crate::reader::FormulaReader;
use crate::spelling::{Spelling, names};
use crate::syntax::SyntaxNode;
use crate::token::tokens;
use crate::{Error, Expression, Notation, Span, Variable};

/// An expression over variables, without constants: `16*N`, `N/P`, `log(rows)`.
#[derive(Debug, Clone)]
pub struct Quantity {
    variables: Vec<Variable>,
    expression: Expression,
}

impl Quantity {
    /// Parses an expression.
    ///
    /// # Errors
    /// All errors of the text, with spans that count bytes of it.
    pub fn parse(text: &str) -> Result<Quantity, Vec<Error>> {
        let (tokens, mut errors) = tokens(text.as_bytes(), Span::new(0, text.len()));
        // No experiment is called that, so that every name is a variable.
        match FormulaReader::new(text.as_bytes(), &tokens, "").formula(Notation::C) {
            Ok(node) if errors.is_empty() => Ok(Quantity::of(&node)),
            Ok(_) => Err(errors),
            Err(error) => {
                errors.push(error);
                Err(errors)
            }
        }
    }

    /// An expression as written, without constants.
    pub(crate) fn of(node: &SyntaxNode) -> Quantity {
        let mut builder = Builder::new("");
        let expression = builder.lower(node);
        Quantity { variables: builder.variables, expression }
    }

    /// The variables in order of their first use.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Whether it consists of functions without jumps, bends and waves.
    pub fn is_smooth(&self) -> bool {
        self.expression.is_smooth()
    }

    /// Its value, where `values` holds one number for each variable in their order; not finite where the mathematics is not.
    ///
    /// # Panics
    /// If there are fewer values than variables.
    pub fn evaluate(&self, values: &[f64]) -> f64 {
        self.expression.evaluate(values)
    }
}

impl fmt::Display for Quantity {
    /// Canonical spelling, which parses back to the same quantity.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Spelling::of_formulas(&names(&self.variables)).write(&self.expression))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_variables_and_values() {
        let quantity = Quantity::parse("16*N + m->rows/log2(P) - N").unwrap();
        let names: Vec<&str> = quantity.variables().iter().map(Variable::name).collect();
        assert_eq!(names, ["N", "m->rows", "P"]);
        assert_eq!(quantity.evaluate(&[2.0, 6.0, 4.0]), 33.0);
        assert_eq!(quantity.to_string(), "16*N + m->rows/log2(P) - N");
        assert_eq!(Quantity::parse("f[0]").unwrap().variables()[0].name(), "f[0]");
    }

    #[test]
    fn errors_have_places() {
        let errors = Quantity::parse("2*N +").unwrap_err();
        assert_eq!(errors[0].span(), Span::new(4, 5));
        assert!(Quantity::parse("").is_err());
        assert!(Quantity::parse(&"(".repeat(100_000)).is_err());
    }
}
