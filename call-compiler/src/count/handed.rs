//! What calls hand over to functions.

use lang_c::ast::{BinaryOperator, CallExpression, Expression, UnaryOperator};
use lang_c::span::Node;

use super::place::{ANY, Place, behind_any_pointer, path_of, place_of};

/// A call of a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Called {
    /// `None`: an expression says which.
    pub name: Option<String>,
    /// The variables that each argument may hand over; `&n` for an address.
    pub arguments: Vec<Vec<String>>,
}

impl Called {
    pub fn of(call: &CallExpression) -> Called {
        let arguments = call.arguments.iter().map(handed_over).collect();
        Called { name: called_name(call).cloned(), arguments }
    }
}

/// The name of the function that is called, if the call has it.
pub fn called_name(call: &CallExpression) -> Option<&String> {
    match &call.callee.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

/// The variables that an argument may hand over, `&n` for the address of one; [`ANY`] for a pointer without a name.
pub fn handed_over(argument: &Node<Expression>) -> Vec<String> {
    let of_both = |left, right| [handed_over(left), handed_over(right)].concat();
    match &argument.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            let mut named: Vec<String> = addresses_of(&unary.node.operand).collect();
            named.dedup();
            if named.is_empty() { vec![ANY.to_owned()] } else { named }
        }
        Expression::BinaryOperator(binary) if binary.node.operator.node != BinaryOperator::Index => {
            of_both(&binary.node.lhs, &binary.node.rhs)
        }
        Expression::Conditional(conditional) => {
            of_both(&conditional.node.then_expression, &conditional.node.else_expression)
        }
        Expression::Cast(cast) => handed_over(&cast.node.expression),
        Expression::Comma(all) => all.last().map(handed_over).unwrap_or_default(),
        Expression::Constant(_) | Expression::StringLiteral(_) => Vec::new(),
        _ => {
            let member = || match behind_any_pointer(argument)? {
                Place::Path(path) => Some(path),
                Place::Elements(_) | Place::Anything => None,
            };
            vec![path_of(argument).or_else(member).unwrap_or_else(|| ANY.to_owned())]
        }
    }
}

/// By what names the address of an operand is known.
pub fn addresses_of(operand: &Node<Expression>) -> impl Iterator<Item = String> {
    let places = place_of(operand).into_iter().chain(behind_any_pointer(operand));
    places.filter_map(|place| match place {
        Place::Path(path) => Some(format!("&{path}")),
        Place::Elements(path) => Some(path),
        Place::Anything => None,
    })
}

/// The variable that an argument is, or whose address it is.
pub fn argument_path(argument: &Node<Expression>) -> Option<String> {
    match &argument.node {
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            path_of(&unary.node.operand).map(|path| format!("&{path}"))
        }
        Expression::Cast(cast) => argument_path(&cast.node.expression),
        _ => path_of(argument),
    }
}
