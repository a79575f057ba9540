use crate::{Expression, Quotient, Sign, Variable};

/// Writes expressions with C's operators, in the order in which [`Expression::evaluate`] calculates.
#[derive(Debug)]
pub struct Spelling<'a> {
    /// What stands for each variable of the formula.
    pub names: &'a [String],
    /// A number of at least 0.
    pub number: fn(f64) -> String,
    /// A function with its written arguments.
    pub call: fn(&str, &[String]) -> String,
}

impl Spelling<'_> {
    /// The language of formulas, in which an expression parses back to itself.
    pub(crate) fn of_formulas(names: &[String]) -> Spelling<'_> {
        let number = |value: f64| match (1e-5..1e15).contains(&value) || value == 0.0 {
            true => value.to_string(),
            false => format!("{value:e}"),
        };
        let call = |name: &str, arguments: &[String]| format!("{name}({})", arguments.join(", "));
        Spelling { names, number, call }
    }

    /// An expression.
    pub fn write(&self, expression: &Expression) -> String {
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
                    text.push_str(sign_before(position == 0, *sign == Sign::Minus));
                    text.push_str(&match item {
                        Expression::Sum(_) | Expression::Negate(_) => self.operand(item),
                        _ => self.write(item),
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
    pub fn operand(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(_) | Expression::Variable(_) | Expression::Call(..) => self.write(expression),
            _ => format!("({})", self.write(expression)),
        }
    }
}

/// What stands before an item of a sum.
pub fn sign_before(is_first: bool, is_negative: bool) -> &'static str {
    match (is_first, is_negative) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    }
}

/// The names of variables.
pub(crate) fn names(variables: &[Variable]) -> Vec<String> {
    variables.iter().map(|variable| variable.name().to_owned()).collect()
}
