//! Jumps that leave a body before its end: what follows them is in doubt, or runs where a condition fails.

use std::sync::Arc;

use lang_c::ast::{BlockItem, Expression, IfStatement, Statement};
use lang_c::span::Node;

use super::super::around::Around;
use super::super::change::{EffectFinder, JumpTarget, OutwardJump};
use super::super::handed::called_name;
use super::super::value::UnknownReason;
use super::CountingWalk;
use super::condition::BranchCondition;
use crate::c::function::EXITS;

/// A body that one may leave before its end.
#[derive(Default)]
pub struct LeavableBody {
    /// How many surroundings it has itself.
    pub depth: usize,
    /// Doubts whether its rest runs.
    pub doubts: Vec<Arc<Around>>,
}

impl<'p> CountingWalk<'p, '_> {
    /// Behind a statement that may have left: what follows runs only if it did not. Where nothing follows as it is the last one, it is said
    /// behind the statement around.
    pub fn behind(&mut self, statement: &'p Node<Statement>, depth: usize, is_last: bool) {
        let jumps = EffectFinder::jumps(statement, self.parsed.has_statements_in_expressions());
        if let Statement::If(branches) = &statement.node
            && self.leaves_cleanly(&branches.node, &jumps, depth)
        {
            // As it was before the branch, and before the condition itself changed anything. What runs for one value of a parameter only
            // (`if (quiet) return;`) is in doubt.
            let condition = self.last_condition.take();
            let says = |its: &BranchCondition| its.fails.doubt.is_none() && !its.fails.is_equality();
            if let Some(BranchCondition { fails, assumed, .. }) = condition.filter(says) {
                let reason = self.depends(&branches.node.condition);
                let is_always_reached = self.is_always_reached();
                assumed.into_iter().for_each(|positive| self.push(Around::Assumed(positive)));
                self.push_side(&fails, &reason);
                if is_always_reached {
                    self.follow_return();
                }
                return;
            }
        }
        let is_far = |jump: &OutwardJump| matches!(jump.target, JumpTarget::Far | JumpTarget::Label);
        let is_seen = matches!(statement.node, Statement::If(_) | Statement::Return(_));
        self.recursion.may_be_left |= !is_seen && jumps.iter().any(is_far);
        if !(is_last && always_leaves(&statement.node)) {
            self.may_leave(&jumps);
        }
    }

    /// What follows runs only if nothing left before.
    pub fn may_leave(&mut self, jumps: &[OutwardJump]) {
        let Some(first) = jumps.first() else { return };
        let offset = self.parsed.original(first.offset);
        let (_, line) = self.program.place(offset);
        let doubt: Arc<Around> =
            Around::Doubt(UnknownReason::new(offset, format!("line {line} may leave before"))).into();
        let body = match first.target {
            // Loops that may end early are in doubt as a whole.
            JumpTarget::Break => return,
            JumpTarget::Continue => self.bodies.last_mut(),
            JumpTarget::Far | JumpTarget::Label => self.bodies.first_mut(),
        };
        body.into_iter().for_each(|body| body.doubts.push(doubt.clone()));
        self.shared = None;
    }

    /// Whether an `if` without `else` ends in one jump that leaves this very body: its condition says what follows.
    fn leaves_cleanly(&self, branches: &IfStatement, jumps: &[OutwardJump], depth: usize) -> bool {
        let is_own_body = self.bodies.last().is_some_and(|body| body.depth == depth);
        let is_right_kind = match jumps {
            [only] => match only.target {
                JumpTarget::Continue => true,
                JumpTarget::Far => self.bodies.len() == 1,
                JumpTarget::Break | JumpTarget::Label => false,
            },
            _ => false,
        };
        branches.else_statement.is_none()
            && is_right_kind
            && is_own_body
            && always_leaves(&branches.then_statement.node)
    }
}

/// Whether a statement returns from the function, at the latest at its end.
pub fn always_returns(statement: &Statement) -> bool {
    always_ends(statement, &|last| matches!(last, Statement::Return(_)))
}

/// Whether a statement never comes to its end.
pub fn always_leaves(statement: &Statement) -> bool {
    always_ends(statement, &|last| match last {
        Statement::Return(_) | Statement::Break | Statement::Continue | Statement::Goto(_) => true,
        Statement::Expression(Some(expression)) => match &expression.node {
            Expression::Call(call) => {
                called_name(&call.node).is_some_and(|name| EXITS.contains(&name.as_str()))
            }
            _ => false,
        },
        _ => false,
    })
}

/// Whether each way through a statement ends in one like that.
pub fn always_ends(statement: &Statement, is_end: &dyn Fn(&Statement) -> bool) -> bool {
    match statement {
        Statement::Compound(items) => items.last().is_some_and(|item| match &item.node {
            BlockItem::Statement(statement) => always_ends(&statement.node, is_end),
            _ => false,
        }),
        Statement::If(branches) => {
            let otherwise = branches.node.else_statement.as_ref();
            always_ends(&branches.node.then_statement.node, is_end)
                && otherwise.is_some_and(|otherwise| always_ends(&otherwise.node, is_end))
        }
        _ => is_end(statement),
    }
}
