use call_grammar::{Expression, Quotient, Sign, sign_before};

use crate::Model;

impl Model {
    /// The model as LaTeX for a line of mathematics: `f(N) = 1.234\times 10^{-9}\,N\,\log N`, with constants of four digits, and
    /// a `cases` environment (amsmath) where ℵ has several intervals.
    pub fn latex(&self) -> String {
        let names: Vec<String> =
            self.formula.variables().iter().map(|variable| symbol(variable.name())).collect();
        let sum = |coefficients: &[f64]| {
            let mut text = String::new();
            for (term, value) in self.formula.terms().iter().zip(coefficients) {
                let value = if matches!(term.basis, Expression::Negate(_)) { -value } else { *value };
                let basis = match &term.basis {
                    Expression::Negate(inside) => inside.as_ref(),
                    basis => basis,
                };
                text.push_str(sign_before(text.is_empty(), value < 0.0));
                text.push_str(&scientific(value.abs(), 3));
                if *basis != Expression::Number(1.0) {
                    text.push_str("\\,");
                    text.push_str(&factor(basis, &names));
                }
            }
            text
        };
        let head = format!("{}({}) = ", symbol(self.formula.experiment()), names.join(", "));
        if let [cell] = self.cells() {
            return head + &sum(&cell.fit.coefficients);
        }
        let mut text = head + "\\begin{cases}\n";
        for cell in self.cells() {
            let ranges = names.iter().zip(&cell.intervals).filter_map(|(name, interval)| {
                match (interval.lower == f64::NEG_INFINITY, interval.upper == f64::INFINITY) {
                    (true, true) => None,
                    (true, false) => Some(format!("{name} \\le {}", plain(interval.upper))),
                    (false, true) => Some(format!("{name} > {}", plain(interval.lower))),
                    (false, false) => {
                        Some(format!("{} < {name} \\le {}", plain(interval.lower), plain(interval.upper)))
                    }
                }
            });
            let ranges: Vec<String> = ranges.collect();
            text.push_str(&format!("  {} & {} \\\\\n", sum(&cell.fit.coefficients), ranges.join(",\\ ")));
        }
        text + "\\end{cases}"
    }
}

/// A name: one letter as it is, more in italics as one word.
fn symbol(name: &str) -> String {
    let escaped = name.replace('_', "\\_").replace("->", "{\\to}");
    if name.chars().count() == 1 { escaped } else { format!("\\mathit{{{escaped}}}") }
}

fn plain(value: f64) -> String {
    if value == 0.0 || (1e-4..1e7).contains(&value.abs()) { value.to_string() } else { scientific(value, 5) }
}

/// `1.234\times 10^{-9}` with so many digits behind the point; no power of ten where it is 0.
fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((digits, "0")) => digits.to_owned(),
        Some((digits, exponent)) => format!("{digits}\\times 10^{{{exponent}}}"),
        None => text,
    }
}

/// In parentheses if it is a sum or has a sign.
fn factor(expression: &Expression, names: &[String]) -> String {
    match expression {
        Expression::Sum(_) | Expression::Negate(_) => {
            format!("\\left({}\\right)", write(expression, names))
        }
        _ => write(expression, names),
    }
}

fn write(expression: &Expression, names: &[String]) -> String {
    match expression {
        Expression::Number(value) => plain(*value),
        Expression::Variable(id) => names[id.index()].clone(),
        Expression::Negate(inside) => format!("-{}", factor(inside, names)),
        Expression::Sum(items) => {
            let mut text = String::new();
            for (position, (sign, item)) in items.iter().enumerate() {
                text.push_str(sign_before(position == 0, *sign == Sign::Minus));
                text.push_str(&factor(item, names));
            }
            text
        }
        Expression::Product(items) => {
            let side = |wanted: Quotient| -> Vec<String> {
                let items = items.iter().filter(|(operator, _)| *operator == wanted);
                items.map(|(_, item)| factor(item, names)).collect()
            };
            let (above, below) = (side(Quotient::Times), side(Quotient::Over));
            // A number behind something needs a sign of multiplication: N 2 would read as one.
            let join = |factors: &[String]| {
                let mut text = String::new();
                for factor in factors {
                    let is_number = factor.starts_with(|c: char| c.is_ascii_digit());
                    text.push_str(match (text.is_empty(), is_number) {
                        (true, _) => "",
                        (false, true) => " \\cdot ",
                        (false, false) => "\\,",
                    });
                    text.push_str(factor);
                }
                if text.is_empty() { "1".to_owned() } else { text }
            };
            if below.is_empty() {
                join(&above)
            } else {
                format!("\\frac{{{}}}{{{}}}", join(&above), join(&below))
            }
        }
        Expression::Call(function, arguments) => call(function.name(), arguments, names),
    }
}

fn call(name: &str, arguments: &[Expression], names: &[String]) -> String {
    let written: Vec<String> = arguments.iter().map(|argument| write(argument, names)).collect();
    match (name, &written[..]) {
        ("sqrt", [x]) => format!("\\sqrt{{{x}}}"),
        ("cbrt", [x]) => format!("\\sqrt[3]{{{x}}}"),
        ("exp", [x]) => format!("e^{{{x}}}"),
        ("exp2", [x]) => format!("2^{{{x}}}"),
        ("abs" | "fabs", [x]) => format!("\\left|{x}\\right|"),
        ("ceil", [x]) => format!("\\left\\lceil {x}\\right\\rceil"),
        ("floor", [x]) => format!("\\left\\lfloor {x}\\right\\rfloor"),
        ("pow", [x, y]) => {
            let base = &arguments[0];
            let tight = matches!(base, Expression::Variable(_));
            if tight { format!("{{{x}}}^{{{y}}}") } else { format!("\\left({x}\\right)^{{{y}}}") }
        }
        ("log2", [_]) => format!("\\log_2 {}", argument(arguments, &written)),
        ("log10", [_]) => format!("\\log_{{10}} {}", argument(arguments, &written)),
        ("log" | "sin" | "cos" | "tan" | "sinh" | "cosh" | "tanh", [_]) => {
            format!("\\{name} {}", argument(arguments, &written))
        }
        ("min" | "fmin", _) => format!("\\min\\left({}\\right)", written.join(", ")),
        ("max" | "fmax", _) => format!("\\max\\left({}\\right)", written.join(", ")),
        _ => format!("\\operatorname{{{name}}}\\left({}\\right)", written.join(", ")),
    }
}

/// The one argument of a function, without parentheses if it is a variable.
fn argument(arguments: &[Expression], written: &[String]) -> String {
    match (arguments, written) {
        ([Expression::Variable(_)], [x]) => x.clone(),
        _ => format!("\\left({}\\right)", written.join(", ")),
    }
}
