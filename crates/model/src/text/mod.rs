//! Fitted models as texts in other languages: C, gnuplot, LaTeX.

mod c_function;
mod gnuplot;
mod latex;

use call_grammar::{Expression, Spelling};

use crate::Model;

/// The comparisons that a point in a cell fulfils, for all cells but the last, which takes what is left.
fn conditions(model: &Model, names: &[String], number: fn(f64) -> String, and: &str) -> Vec<Option<String>> {
    let last = model.cells().len().saturating_sub(1);
    let cells = model.cells().iter().enumerate();
    cells
        .map(|(index, cell)| {
            if index == last {
                return None;
            }
            let mut parts = Vec::new();
            for (name, interval) in names.iter().zip(&cell.intervals) {
                if interval.lower != f64::NEG_INFINITY {
                    parts.push(format!("{name} > {}", number(interval.lower)));
                }
                if interval.upper != f64::INFINITY {
                    parts.push(format!("{name} <= {}", number(interval.upper)));
                }
            }
            Some(parts.join(and))
        })
        .collect()
}

/// `constant*basis`, or the constant alone where the basis is 1.
fn multiple(spelling: &Spelling, constant: &str, basis: &Expression) -> String {
    match basis {
        Expression::Number(1.0) => constant.to_owned(),
        basis => format!("{constant}*{}", spelling.operand(basis)),
    }
}

/// Identifiers for the variables of a model: letters, digits and underscores, none twice and none of the taken ones.
fn identifiers(model: &Model, is_taken: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for variable in model.formula.variables() {
        let mut name = identifier(variable.name());
        while is_taken(&name) || names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// A C identifier like this text.
fn identifier(text: &str) -> String {
    let mut name: String =
        text.replace("->", "_").chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'v');
    }
    name
}
