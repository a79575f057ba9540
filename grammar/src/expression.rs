use crate::{Function, VariableId};

/// Whether an item of a sum is added or subtracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Sign {
    Plus,
    Minus,
}

impl Sign {
    pub(crate) fn flipped(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

/// Whether an item of a product is a factor or a divisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Quotient {
    Times,
    Over,
}

/// An expression over the variables of a formula, without constants of the experiment. All arithmetic is that of doubles.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Expression {
    Number(f64),
    Variable(VariableId),
    Call(Function, Vec<Expression>),
    Negate(Box<Expression>),
    Sum(Vec<(Sign, Expression)>),
    Product(Vec<(Quotient, Expression)>),
}

impl Expression {
    /// Minus the expression; a minus sign in front of it is taken away rather than doubled.
    pub(crate) fn negated(self) -> Expression {
        match self {
            Expression::Negate(inside) => *inside,
            other => Expression::Negate(Box::new(other)),
        }
    }

    /// Whether a variable, by its position in [`crate::Formula::variables`], stands in it.
    pub fn uses(&self, variable: usize) -> bool {
        match self {
            Expression::Number(_) => false,
            Expression::Variable(id) => id.index() == variable,
            Expression::Call(_, parts) => parts.iter().any(|part| part.uses(variable)),
            Expression::Negate(inside) => inside.uses(variable),
            Expression::Sum(parts) => parts.iter().any(|(_, part)| part.uses(variable)),
            Expression::Product(parts) => parts.iter().any(|(_, part)| part.uses(variable)),
        }
    }

    /// Whether it consists of functions without jumps, bends and waves.
    pub fn is_smooth(&self) -> bool {
        match self {
            Expression::Number(_) | Expression::Variable(_) => true,
            Expression::Call(function, parts) => {
                function.is_smooth() && parts.iter().all(Expression::is_smooth)
            }
            Expression::Negate(inside) => inside.is_smooth(),
            Expression::Sum(parts) => parts.iter().all(|(_, part)| part.is_smooth()),
            Expression::Product(parts) => parts.iter().all(|(_, part)| part.is_smooth()),
        }
    }

    /// The same with `new[i]` in place of variable `i`.
    pub(crate) fn with_variables(&self, new: &[VariableId]) -> Expression {
        let of = |part: &Expression| part.with_variables(new);
        match self {
            Expression::Number(value) => Expression::Number(*value),
            Expression::Variable(id) => Expression::Variable(new[id.index()]),
            Expression::Call(function, parts) => Expression::Call(*function, parts.iter().map(of).collect()),
            Expression::Negate(inside) => Expression::Negate(Box::new(of(inside))),
            Expression::Sum(parts) => {
                Expression::Sum(parts.iter().map(|(sign, part)| (*sign, of(part))).collect())
            }
            Expression::Product(parts) => {
                Expression::Product(parts.iter().map(|(operator, part)| (*operator, of(part))).collect())
            }
        }
    }

    /// Its value, where `values` holds one number for each variable of the formula, in the order of [`crate::Formula::variables`].
    /// Not finite where the mathematics is not (the logarithm of 0, a division by 0).
    pub fn evaluate(&self, values: &[f64]) -> f64 {
        match self {
            Expression::Number(value) => *value,
            Expression::Variable(id) => values[id.index()],
            Expression::Call(function, arguments) => {
                function.apply(arguments.iter().map(|argument| argument.evaluate(values)))
            }
            Expression::Negate(inside) => -inside.evaluate(values),
            Expression::Sum(items) => items.iter().fold(0.0, |sum, (sign, item)| match sign {
                Sign::Plus => sum + item.evaluate(values),
                Sign::Minus => sum - item.evaluate(values),
            }),
            Expression::Product(items) => {
                items.iter().fold(1.0, |product, (operator, item)| match operator {
                    Quotient::Times => product * item.evaluate(values),
                    Quotient::Over => product / item.evaluate(values),
                })
            }
        }
    }
}
