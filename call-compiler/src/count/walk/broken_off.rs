//! Loops that break off where their variable has come far enough: `if (i > 3) break;`.

use call_counting::{Bound, Polynomial};
use lang_c::ast::{BlockItem, IfStatement, Statement};
use lang_c::span::Node;

use super::super::change::Effects;
use super::super::place::Place;
use super::CountingWalk;
use super::inner_test::{ends_loop, is_plain};
use super::loop_parts::LoopParts;

impl<'p> CountingWalk<'p, '_> {
    /// Of a loop whose variable, which has this value in an iteration, goes up or down by one: the last values with which an iteration
    /// may begin that is not the first one.
    pub fn ends_of_breaks(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
        (path, value): (&str, &Polynomial),
        is_up: bool,
    ) -> Vec<Polynomial> {
        let place = Place::Path(path.to_owned());
        let mut found = Vec::new();
        for branches in branches_of(parts) {
            let offset = branches.condition.span.start;
            // Each iteration that goes on has come by, with the value that it began with.
            let is_moved = |at: usize| parts.begin_of_body().is_some_and(|begin| begin <= at) && at < offset;
            let is_skipped = effects.is_passed_over(offset)
                || effects.changes.iter().any(|its| its.place.may_be(&place) && is_moved(its.offset));
            if is_skipped || !is_plain(&branches.condition) || !ends_loop(&branches.then_statement) {
                continue;
            }
            let fails = self.quietly(|walk| {
                walk.environment.set(&place, Ok(value.clone()), parts.offset);
                let condition = walk.condition(&branches.condition);
                condition.assumed.is_empty().then_some(condition.fails)
            });
            let Some(fails) = fails.filter(|its| its.doubt.is_none()) else { continue };
            let ([case], Some(variable)) = (&fails.cases[..], value.atom()) else { continue };
            let [goes_on] = &case[..] else { continue };
            match goes_on.bound_of(variable) {
                Some(Bound::Upper(last)) if is_up => found.push(&last + &Polynomial::from(1)),
                Some(Bound::Lower(last)) if !is_up => found.push(&last - &Polynomial::from(1)),
                _ => {}
            }
        }
        found
    }
}

/// The conditions of a body that stand in no other one.
fn branches_of<'p>(parts: &LoopParts<'p>) -> Vec<&'p IfStatement> {
    let (only, items) = match parts.statement.map(|its| &its.node) {
        Some(Statement::If(branches)) => (Some(&branches.node), &[][..]),
        Some(Statement::Compound(items)) => (None, &items[..]),
        _ => (None, &[][..]),
    };
    let of_items = items.iter().chain(parts.items).filter_map(|item| match &item.node {
        BlockItem::Statement(Node { node: Statement::If(branches), .. }) => Some(&branches.node),
        _ => None,
    });
    only.into_iter().chain(of_items).collect()
}
