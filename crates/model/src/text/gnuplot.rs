use call_grammar::{Spelling, sign_before};

use super::{conditions, identifier, identifiers, multiple};
use crate::Model;

/// Names that gnuplot has given away.
const TAKEN: &[&str] = &[
    "pi", "NaN", "int", "real", "abs", "sgn", "log", "log10", "exp", "sqrt", "floor", "ceil", "sin", "cos",
    "tan", "atan", "atan2", "sinh", "cosh", "tanh", "rand", "gamma",
];

impl Model {
    /// The model as a definition for gnuplot: `f(N) = 1.2e-09*N*log(N)`, with constants of four digits and a question for each
    /// interval of ℵ but the last.
    pub fn gnuplot_function(&self) -> String {
        let experiment = identifier(self.formula.experiment());
        let names = identifiers(self, |name| TAKEN.contains(&name) || name == experiment);
        let spelling = Spelling { names: &names, number, call };
        let conditions = conditions(self, &names, number, " && ");
        let mut body = String::new();
        for (cell, condition) in self.cells().iter().zip(conditions) {
            if let Some(condition) = condition {
                body.push_str(&format!("{condition} ? "));
            }
            let mut sum = String::new();
            for (term, value) in self.formula.terms().iter().zip(&cell.fit.coefficients) {
                sum.push_str(sign_before(sum.is_empty(), *value < 0.0));
                sum.push_str(&multiple(&spelling, &rounded(value.abs()), &term.basis));
            }
            body.push_str(&sum);
            body.push_str(" : ");
        }
        format!("{experiment}({}) = {}", names.join(", "), body.trim_end_matches(" : "))
    }
}

/// Four digits are what a plot shows.
fn rounded(value: f64) -> String {
    format!("{value:.3e}")
}

/// With a point, as gnuplot divides whole numbers like C.
fn number(value: f64) -> String {
    format!("{value:?}")
}

fn call(name: &str, arguments: &[String]) -> String {
    match (name, arguments) {
        ("log2", [x]) => format!("(log({x})/log(2.0))"),
        ("log1p", [x]) => format!("log(1.0 + ({x}))"),
        ("exp2", [x]) => format!("(2.0**({x}))"),
        ("expm1", [x]) => format!("(exp({x}) - 1.0)"),
        ("cbrt", [x]) => format!("(sgn({x})*abs({x})**(1.0/3.0))"),
        ("fabs", [x]) => format!("abs({x})"),
        ("ceil" | "floor", [x]) => format!("real({name}({x}))"),
        ("round", [x]) => format!("(sgn({x})*real(floor(abs({x}) + 0.5)))"),
        ("trunc", [x]) => format!("real(int({x}))"),
        ("pow", [x, y]) => format!("(({x})**({y}))"),
        ("fmod", [x, y]) => format!("(({x}) - ({y})*real(int(({x})/({y}))))"),
        ("hypot", [x, y]) => format!("sqrt(({x})**2 + ({y})**2)"),
        ("min" | "fmin", [x, y]) => format!("(({x}) < ({y}) ? ({x}) : ({y}))"),
        ("max" | "fmax", [x, y]) => format!("(({x}) > ({y}) ? ({x}) : ({y}))"),
        _ => format!("{name}({})", arguments.join(", ")),
    }
}
