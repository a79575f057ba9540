//! Real numbers that whole ones are made of: `(int)sqrt(n)`, `ceil((double)n/p)`.

use call_counting::{Atom, Polynomial};
use lang_c::ast::{BinaryOperator, CallExpression, Expression, UnaryOperator};
use lang_c::span::Node;

use super::super::handed::called_name;
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;
use super::computed::is_moderate;
use crate::c::types::{Representation, Type, base_type, type_qualified};

/// How a real number becomes a whole one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    /// As a cast does it, towards 0.
    Down,
    Up,
}

/// Functions of math.h whose values are known.
enum RealFunction {
    Root,
    Logarithm,
    Rounded(Rounding),
}

fn known(name: &str) -> Option<RealFunction> {
    let name = name.strip_suffix(['f', 'l']).filter(|name| *name != "cei").unwrap_or(name);
    Some(match name {
        "sqrt" => RealFunction::Root,
        "log2" => RealFunction::Logarithm,
        "floor" | "trunc" => RealFunction::Rounded(Rounding::Down),
        "ceil" => RealFunction::Rounded(Rounding::Up),
        _ => return None,
    })
}

/// The value of a `double` that has few bits behind the point: products with whole numbers are not rounded.
fn exact_literal(text: &str) -> Option<Polynomial> {
    const PARTS: i64 = 1024;
    const LARGEST: f64 = 1e9;
    let parts = text.parse::<f64>().ok()? * PARTS as f64;
    (parts.fract() == 0.0 && parts.abs() < LARGEST).then(|| Polynomial::from(parts as i64).over(PARTS))
}

/// Whether a value is only near to a whole number that the program has.
pub fn is_near_only(value: &Polynomial) -> bool {
    let is_near = |atom: &Atom| {
        matches!(atom, Atom::Root { .. } | Atom::Log(_)) || atom.inside().iter().any(is_near_only)
    };
    value.terms().any(|(monomial, _)| monomial.0.keys().any(is_near))
}

impl<'p> CountingWalk<'p, '_> {
    /// Whether an expression is a real number, as far as its parts tell.
    pub fn is_real_number(&mut self, expression: &Node<Expression>) -> bool {
        match &expression.node {
            Expression::Constant(_) => {
                let text = self.program.literal_text(self.at(expression));
                let has_exponent =
                    !text.starts_with("0x") && !text.starts_with("0X") && text.contains(['e', 'E']);
                !text.starts_with('\'') && (text.contains('.') || has_exponent)
            }
            Expression::Identifier(_) | Expression::Member(_) => {
                self.path(expression).is_some_and(|path| self.is_real(&path))
            }
            Expression::Cast(cast) => {
                let type_name = &cast.node.type_name.node;
                let item = self.parsed.item();
                let names = |name: &str| self.program.file.lookup(name, item);
                let its = base_type(type_qualified(&type_name.specifiers), names);
                type_name.declarator.is_none() && matches!(its, Type::Arithmetic(Representation::Real))
            }
            Expression::UnaryOperator(unary) => {
                matches!(unary.node.operator.node, UnaryOperator::Plus | UnaryOperator::Minus)
                    && self.is_real_number(&unary.node.operand)
            }
            Expression::BinaryOperator(binary) => {
                use BinaryOperator as B;
                matches!(binary.node.operator.node, B::Plus | B::Minus | B::Multiply | B::Divide)
                    && (self.is_real_number(&binary.node.lhs) || self.is_real_number(&binary.node.rhs))
            }
            Expression::Call(call) => self.known_function(&call.node).is_some(),
            _ => false,
        }
    }

    /// What such a function returns, as a real number; none of other functions. Nothing is changed or counted.
    pub fn value_of_known(&mut self, call: &'p CallExpression) -> Option<Polynomial> {
        let function = self.known_function(call)?;
        let [argument] = &call.arguments[..] else { return None };
        let value = self.quietly(|walk| match function {
            RealFunction::Root => walk.evaluate(argument).map(|value| value.root(2)),
            RealFunction::Logarithm => walk.evaluate(argument).map(|value| value.log()),
            RealFunction::Rounded(rounding) => walk.rounded(argument, rounding),
        });
        value.ok().filter(is_moderate)
    }

    fn known_function(&self, call: &CallExpression) -> Option<RealFunction> {
        let name = called_name(call)?;
        known(name).filter(|_| self.program.find(name).is_none())
    }

    /// The value of an expression that is given to an integer, or cast to one.
    pub fn whole(&mut self, expression: &'p Node<Expression>) -> Value {
        self.rounded(expression, Rounding::Down)
    }

    fn rounded(&mut self, expression: &'p Node<Expression>, rounding: Rounding) -> Value {
        match &expression.node {
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Divide && self.is_real_number(expression) =>
            {
                let (left, right) = (self.evaluate(&binary.node.lhs), self.evaluate(&binary.node.rhs));
                let (left, right) = (left?, right?);
                let left = match rounding {
                    Rounding::Down => left,
                    Rounding::Up => &(&left + &right) - &Polynomial::from(1),
                };
                self.computed(expression, &BinaryOperator::Divide, left, &right)
            }
            _ => {
                let value = self.evaluate(expression)?;
                let above = Polynomial::from(i64::from(rounding == Rounding::Up && is_near_only(&value)));
                Ok(&value + &above)
            }
        }
    }

    /// The sides of a comparison of which one is a real number that is exact, as whole numbers: `i < 0.5*n` is `2*i < n`.
    pub fn exact_sides(
        &mut self,
        operator: &BinaryOperator,
        left: &'p Node<Expression>,
        right: &'p Node<Expression>,
    ) -> Option<(Polynomial, Polynomial)> {
        use BinaryOperator as B;
        if !matches!(operator, B::Less | B::LessOrEqual | B::Greater | B::GreaterOrEqual) {
            return None;
        }
        let (left, right) = (self.exact(left)?, self.exact(right)?);
        let [own, its] = [&left, &right].map(Polynomial::denominator);
        let common = if own == its { own } else { &own * &its };
        Some((left.scaled(&common), right.scaled(&common)))
    }

    /// The value of an expression in which no real number is rounded.
    fn exact(&mut self, expression: &'p Node<Expression>) -> Option<Polynomial> {
        use BinaryOperator as B;
        if !self.is_real_number(expression) {
            return self.peek(expression).ok().filter(|value| !is_near_only(value) && is_moderate(value));
        }
        match &expression.node {
            Expression::Constant(_) => exact_literal(self.program.literal_text(self.at(expression))),
            Expression::UnaryOperator(unary) => {
                let value = self.exact(&unary.node.operand)?;
                Some(if unary.node.operator.node == UnaryOperator::Minus { -&value } else { value })
            }
            Expression::BinaryOperator(binary) => {
                let (left, right) = (self.exact(&binary.node.lhs)?, self.exact(&binary.node.rhs)?);
                match binary.node.operator.node {
                    B::Plus => Some(&left + &right),
                    B::Minus => Some(&left - &right),
                    B::Multiply => Some(&left * &right),
                    B::Divide => match right.integer()? {
                        by @ 1.. if by.count_ones() == 1 => Some(left.over(by)),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A quotient of real numbers is none of whole ones.
    pub fn real_quotient(&self, expression: &Node<Expression>) -> UnknownReason {
        UnknownReason::new(self.at(expression), format!("`{}` is a real number", self.shown(expression)))
    }
}
