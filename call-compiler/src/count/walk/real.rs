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
                !text.starts_with('\'') && text.contains('.')
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

    /// A quotient of real numbers is none of whole ones.
    pub fn real_quotient(&self, expression: &Node<Expression>) -> UnknownReason {
        UnknownReason::new(self.at(expression), format!("`{}` is a real number", self.shown(expression)))
    }
}
