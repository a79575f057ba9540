use crate::shape::{Shape, catalogue};

/// So many variables are looked at; of more, those that come first.
pub(crate) const MOST_VARIABLES: usize = 6;

/// A product of shapes, at most one for each variable, as positions in the catalogue plus 1; 0 is no factor.
pub(crate) type Factors = [u8; MOST_VARIABLES];

/// The term 1.
pub(crate) const CONSTANT: Factors = [0; MOST_VARIABLES];

/// The shapes of a term, one entry for each variable.
pub(crate) fn shapes(factors: &Factors) -> impl Iterator<Item = Option<Shape>> + '_ {
    factors.iter().map(|factor| usize::from(*factor).checked_sub(1).map(|index| catalogue()[index]))
}

/// The value of a term at a point.
pub(crate) fn evaluate(factors: &Factors, point: &[f64]) -> f64 {
    shapes(factors).zip(point).filter_map(|(shape, x)| shape.map(|shape| shape.evaluate(*x))).product()
}

/// The term as it stands behind its constant in a formula: `*N*log(N)/P`, empty for the constant term.
pub(crate) fn text(factors: &Factors, variables: &[String]) -> String {
    let (mut over, mut under) = (Vec::new(), Vec::new());
    for (shape, variable) in shapes(factors).zip(variables) {
        if let Some(shape) = shape {
            shape.write(variable, &mut over, &mut under);
        }
    }
    let over = over.iter().map(|factor| format!("*{factor}"));
    over.chain(under.iter().map(|factor| format!("/{factor}"))).collect()
}
