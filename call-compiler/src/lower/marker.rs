//! How a begin or end and the values that it takes stand in C.

use crate::c::types::Representation;

/// As what a begin or end stands in its block.
pub enum MarkerForm {
    Statement,
    Declaration,
    /// The declaration of what ends the measurement.
    Guard,
}

impl MarkerForm {
    /// `number` tells a declaration from the others of its block.
    pub fn text(&self, name: &str, number: usize, action: &str) -> String {
        match self {
            MarkerForm::Statement => format!("{action};"),
            MarkerForm::Declaration => format!("CLL_DECLARING({number}, {action});"),
            MarkerForm::Guard => format!("CLL_GUARDING({name}, {action});"),
        }
    }
}

/// A value in the array of a measurement.
pub fn value(representation: Representation, expression: &str) -> String {
    match representation {
        Representation::Integer => format!("CLL_INTEGER_VALUE({expression})"),
        Representation::Natural => format!("CLL_NATURAL_VALUE({expression})"),
        Representation::Real => format!("CLL_DOUBLE_VALUE({expression})"),
    }
}
