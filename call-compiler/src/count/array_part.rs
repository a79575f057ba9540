//! What arguments of calls are of arrays: all of one, or what begins somewhere in it.

use std::fmt::Write as _;

use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;

use super::element::{Route, Selector};
use super::handed::argument_path;
use super::place::path_of;
use super::shapes::Shapes;
use super::work::{ArrayPart, GivenArray, PartBegin};
use crate::c::shape::constant;

/// The array that an argument is or leads into; `text` is how C writes an expression.
pub fn given_array(
    argument: &Node<Expression>,
    shapes: &Shapes,
    text: &dyn Fn(&Node<Expression>) -> String,
) -> Option<GivenArray> {
    if let Some(path) = argument_path(argument) {
        return Some(GivenArray { path, part: None });
    }
    let into = |(path, rows): (String, usize), by: Option<&Node<Expression>>| {
        let is_near = rows == 0 && by.is_none_or(|by| constant(by).is_some());
        let begin = if is_near { PartBegin::Near } else { PartBegin::At(text(argument)) };
        GivenArray { path, part: Some(ArrayPart { rows, begin }) }
    };
    match &argument.node {
        Expression::Cast(cast) => given_array(&cast.node.expression, shapes, text),
        Expression::BinaryOperator(sum) if is_sum(&sum.node.operator.node) => {
            let is_array =
                |side: &&Node<Expression>| shapes.of(side).is_some_and(|its| !its.extents.is_empty());
            let sides = [(&*sum.node.lhs, &*sum.node.rhs), (&*sum.node.rhs, &*sum.node.lhs)];
            let (array, by) = sides.into_iter().find(|(side, _)| is_array(side))?;
            let inner = given_array(array, shapes, text).filter(|its| !its.path.starts_with('&'))?;
            let is_near = inner.part.as_ref().is_none_or(|its| its.begin == PartBegin::Near);
            let rows = inner.part.map_or(0, |its| its.rows);
            Some(into((inner.path, rows), if is_near { Some(by) } else { Some(argument) }))
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            let route = Route::of(&unary.node.operand, |_| false)?;
            match route.links.split_last()? {
                (Selector::Subscript(index), before) => Some(into(named(&route, before)?, Some(index))),
                (Selector::First, before) => Some(into(named(&route, before)?, None)),
                (Selector::Member(_), _) => None,
            }
        }
        // A row, or what a pointer in an array points to.
        _ => {
            let route = Route::of(argument, |_| false)?;
            Some(into(named(&route, &route.links)?, Some(argument)))
        }
    }
}

fn is_sum(operator: &BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Plus | BinaryOperator::Minus)
}

/// The name of an array behind some links, and how many subscripts follow it.
fn named(route: &Route, links: &[Selector]) -> Option<(String, usize)> {
    let (mut name, mut rows) = (path_of(route.base)?, 0);
    for link in links {
        match link {
            Selector::Subscript(_) | Selector::First => rows += 1,
            Selector::Member(member) => {
                _ = write!(name, "{}.{member}", "[]".repeat(std::mem::take(&mut rows)))
            }
        }
    }
    Some((name, rows))
}
