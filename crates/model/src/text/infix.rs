use call_grammar::{Expression, Formula, Quotient, Sign};

/// Writes expressions with C's operators, in the order in which [`Expression::evaluate`] calculates.
pub(crate) struct Infix<'a> {
    /// What stands for each variable of the formula.
    pub(crate) names: &'a [String],
    /// A number of at least 0.
    pub(crate) number: fn(f64) -> String,
    /// A function with its written arguments.
    pub(crate) call: fn(&str, &[String]) -> String,
}

impl Infix<'_> {
    pub(crate) fn write(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(value) => (self.number)(*value),
            Expression::Variable(id) => self.names[id.index()].clone(),
            Expression::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.write(argument)).collect();
                (self.call)(function.name(), &arguments)
            }
            Expression::Negate(inside) => format!("-{}", self.operand(inside)),
            Expression::Sum(items) => {
                let mut text = String::new();
                for (position, (sign, item)) in items.iter().enumerate() {
                    text.push_str(match (position, sign) {
                        (0, Sign::Plus) => "",
                        (0, Sign::Minus) => "-",
                        (_, Sign::Plus) => " + ",
                        (_, Sign::Minus) => " - ",
                    });
                    text.push_str(&match item {
                        Expression::Product(_) if position > 0 || *sign == Sign::Plus => self.write(item),
                        _ => self.operand(item),
                    });
                }
                text
            }
            Expression::Product(items) => {
                let mut text = String::new();
                for (position, (operator, item)) in items.iter().enumerate() {
                    match (position, operator) {
                        (0, Quotient::Times) => {}
                        (0, Quotient::Over) => text.push_str(&format!("{}/", (self.number)(1.0))),
                        (_, Quotient::Times) => text.push('*'),
                        (_, Quotient::Over) => text.push('/'),
                    }
                    text.push_str(&self.operand(item));
                }
                text
            }
        }
    }

    /// In parentheses unless it binds as tightly as a name.
    pub(crate) fn operand(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(_) | Expression::Variable(_) | Expression::Call(..) => self.write(expression),
            _ => format!("({})", self.write(expression)),
        }
    }

    /// `constant*basis`, or the constant alone where the basis is 1.
    pub(crate) fn term(&self, constant: &str, basis: &Expression) -> String {
        match basis {
            Expression::Number(1.0) => constant.to_owned(),
            basis => format!("{constant}*{}", self.operand(basis)),
        }
    }
}

/// An expression of a formula in the language of formulas.
pub(crate) fn grammar_text(formula: &Formula, expression: &Expression) -> String {
    let names: Vec<String> = formula.variables().iter().map(|variable| variable.name().to_owned()).collect();
    let number =
        |value: f64| if (1e-5..1e15).contains(&value) { value.to_string() } else { format!("{value:e}") };
    let call = |name: &str, arguments: &[String]| format!("{name}({})", arguments.join(", "));
    Infix { names: &names, number, call }.write(expression)
}
