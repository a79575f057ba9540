//! How the elements of arrays are named.

use lang_c::ast::{BinaryOperator, Declarator, Expression, MemberOperator, UnaryOperator};
use lang_c::span::Node;

use super::place::path_of;
use crate::c::shape::{ArrayExtent, extents};

/// The way from a name to an element: `A[i].v[j]` is the name `A`, a subscript, a member, a subscript.
pub struct Route<'p> {
    /// A name or the path of a member; anything else where the array has no name.
    pub base: &'p Node<Expression>,
    pub links: Vec<Selector<'p>>,
    /// Whether a pointer moves on by one.
    pub moves: bool,
}

/// A step of it.
#[derive(Clone, Copy)]
pub enum Selector<'p> {
    Subscript(&'p Node<Expression>),
    /// What a pointer points to, without a subscript.
    First,
    Member(&'p str),
}

impl Selector<'_> {
    pub fn is_member(&self) -> bool {
        matches!(self, Selector::Member(_))
    }
}

impl<'p> Route<'p> {
    /// None if an expression is no element of anything. A member behind a pointer, `p->x`, is one of what `p` points to if that moves.
    pub fn of(expression: &'p Node<Expression>, moves: impl Fn(&str) -> bool) -> Option<Route<'p>> {
        let mut route = Route::to(expression);
        if let Some((pointer, members)) = behind_pointer(route.base)
            && path_of(pointer).is_some_and(|path| moves(&path))
        {
            route.base = pointer;
            route.links.splice(0..0, [vec![Selector::First], members].concat());
        }
        (!route.links.is_empty()).then_some(route)
    }

    fn to(expression: &'p Node<Expression>) -> Route<'p> {
        let end = Route { base: expression, links: Vec::new(), moves: false };
        match &expression.node {
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
                Route::to(&binary.node.lhs).then(Selector::Subscript(&binary.node.rhs))
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
                match &unary.node.operand.node {
                    Expression::BinaryOperator(sum) if sum.node.operator.node == BinaryOperator::Plus => {
                        Route::to(&sum.node.lhs).then(Selector::Subscript(&sum.node.rhs))
                    }
                    Expression::UnaryOperator(step) if is_step(&step.node.operator.node) => {
                        let base = &step.node.operand;
                        Route { base, links: vec![Selector::First], moves: true }
                    }
                    _ => Route::to(&unary.node.operand).then(Selector::First),
                }
            }
            Expression::Member(member) if path_of(expression).is_none() => {
                let inner = Route::to(&member.node.expression);
                let name = Selector::Member(&member.node.identifier.node.name);
                match member.node.operator.node {
                    _ if inner.links.is_empty() => end,
                    MemberOperator::Direct => inner.then(name),
                    MemberOperator::Indirect => inner.then(Selector::First).then(name),
                }
            }
            _ => end,
        }
    }

    fn then(mut self, link: Selector<'p>) -> Route<'p> {
        self.links.push(link);
        self
    }
}

/// The last pointer in a path of members, and the members behind it.
fn behind_pointer(path: &Node<Expression>) -> Option<(&Node<Expression>, Vec<Selector<'_>>)> {
    let Expression::Member(member) = &path.node else { return None };
    let its = &member.node;
    let (pointer, mut members) = match its.operator.node {
        MemberOperator::Indirect => (&*its.expression, Vec::new()),
        MemberOperator::Direct => behind_pointer(&its.expression)?,
    };
    members.push(Selector::Member(&its.identifier.node.name));
    Some((pointer, members))
}

fn is_step(operator: &UnaryOperator) -> bool {
    matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PreIncrement)
}

/// The size of the array behind each subscript of a declared name, the outermost first; none for pointers and where nothing is given.
pub fn array_sizes(declarator: &Declarator) -> Vec<Option<&Node<Expression>>> {
    let size = |extent| match extent {
        ArrayExtent::Array(length) => length,
        ArrayExtent::Pointer => None,
    };
    extents(declarator, Some).into_iter().map(size).collect()
}
