use call_grammar::Spelling;

use super::{conditions, identifier, identifiers, multiple};
use crate::Model;

/// Words that a parameter may not be called: C99's, and what the body may use of `<math.h>`.
const TAKEN: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "INFINITY", "NAN", "HUGE_VAL",
];

impl Model {
    /// The model as a C99 function `double NAME(double N, double P)` in a text of its own: the variables of the formula in their
    /// order go in, the response comes out, in its unit. The intervals of ℵ are its `if`s. Constants have all their digits and operations the order
    /// of [`Model::predict`], so that both give the same number if the libraries of mathematics do. Characters that C does not
    /// allow in names become underscores.
    pub fn c_function(&self, name: &str) -> String {
        let mut function = identifier(name);
        while is_taken(&function) {
            function.push('_');
        }
        let names = identifiers(self, |name| is_taken(name) || name == function);
        let spelling = Spelling { names: &names, number, call };
        let mut body = String::new();
        let conditions = conditions(self, &names, number, " && ");
        for (cell, condition) in self.cells().iter().zip(conditions) {
            let terms = self.formula.terms().iter().zip(&cell.fit.coefficients);
            let sum: Vec<String> =
                terms.map(|(term, value)| multiple(&spelling, &number(*value), &term.basis)).collect();
            let sum = sum.join(" + ");
            body.push_str(&match condition {
                Some(condition) => format!("    if ({condition}) {{\n        return {sum};\n    }}\n"),
                None => format!("    return {sum};\n"),
            });
        }
        let parameters: Vec<String> = names.iter().map(|name| format!("double {name}")).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        format!(
            "/* {}, fitted to measurements{}. */\n#include <math.h>\n\ndouble {function}({parameters})\n{{\n{body}}}\n",
            in_comment(&match self.unit().is_time() {
                true => format!(
                    "Seconds that {} takes by its formula {}",
                    self.formula.experiment(),
                    self.formula
                ),
                false => format!(
                    "{} of {} by its formula {}",
                    self.unit(),
                    self.formula.experiment(),
                    self.formula
                ),
            }),
            in_comment(&self.sampled_text()),
        )
    }

    /// `: 1 <= N <= 100, 1 <= P <= 8`, or nothing without variables.
    fn sampled_text(&self) -> String {
        let variables = self.formula.variables().iter().zip(&self.ranges);
        let parts: Vec<String> = variables
            .map(|(variable, range)| format!("{} <= {} <= {}", range.lowest, variable.name(), range.highest))
            .collect();
        if parts.is_empty() { String::new() } else { format!(" with {}", parts.join(", ")) }
    }
}

fn is_taken(name: &str) -> bool {
    TAKEN.contains(&name) || call_grammar::Function::named(name).is_some()
}

/// A comment may neither end early nor seem to begin anew.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// All digits, with a point or an exponent so that C takes it for a double.
fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "INFINITY".to_owned(),
        f64::NEG_INFINITY => "-INFINITY".to_owned(),
        value if value.is_nan() => "NAN".to_owned(),
        value => format!("{value:?}"),
    }
}

fn call(name: &str, arguments: &[String]) -> String {
    let name = match name {
        "abs" => "fabs",
        "min" => "fmin",
        "max" => "fmax",
        name => name,
    };
    format!("{name}({})", arguments.join(", "))
}
