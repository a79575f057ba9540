//! Loops that are ended by a test in their body: `for (;;) { …; if (i >= n) break; … }`.

use lang_c::ast::{BlockItem, Expression, IfStatement, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::super::around::{Around, CountedPart};
use super::super::change::{EffectFinder, Effects, JumpTarget, OutwardJump};
use super::super::value::{Shadowed, UnknownReason};
use super::CountingWalk;
use super::leaving::{LeavableBody, always_ends};
use super::loop_parts::{LoopParts, LoopTest};

/// A loop as one that is tested where a test in its body is.
pub struct InnerTest<'p> {
    pub parts: LoopParts<'p>,
    /// What runs where the loop ends by it.
    leaving: &'p Node<Statement>,
    /// The condition of the loop itself, where it comes before the first test.
    first_condition: Option<&'p Node<Expression>>,
}

impl<'p> CountingWalk<'p, '_> {
    /// The test in the body that bounds a loop whose own condition does not.
    pub fn inner_test(&mut self, parts: &LoopParts<'p>) -> Option<InnerTest<'p>> {
        let Some(Node { node: Statement::Compound(items), .. }) = parts.statement else { return None };
        let tests = items.iter().enumerate().filter_map(|(number, item)| match &item.node {
            BlockItem::Statement(Node { node: Statement::If(branches), span }) => {
                let (test, leaving, other) = tested(&branches.node)?;
                Some((number, *span, test, leaving, other))
            }
            _ => None,
        });
        let mut tests = tests.peekable();
        tests.peek()?;
        let own = match parts.test {
            Some(own) if !self.always_holds(own.condition) => Some(own.condition),
            _ => None,
        };
        if own.is_some() && self.is_counted(parts) {
            return None;
        }
        let usable = tests.filter_map(|(number, span, test, leaving, other)| {
            let (before, behind) = (&items[..number], &items[number + 1..]);
            let is_last = behind.is_empty() && other.is_none() && parts.step.is_none() && !before.is_empty();
            // The condition at the end would come between the test and the next iteration.
            if is_last && parts.is_do && own.is_some_and(|own| !is_plain(own)) {
                return None;
            }
            let (items, before_test) = if is_last { (before, &[][..]) } else { (behind, before) };
            let tested_here = LoopParts {
                test: Some(test),
                test_statement: Some(span),
                statement: other,
                items,
                before_test,
                other_condition: own,
                is_do: is_last,
                ..parts.clone()
            };
            let function = self.summaries.changes.effects(self.function);
            let is_entered =
                [Some(leaving), other].into_iter().flatten().any(|its| function.enters(its.span.start));
            let is_passed_over = self.effects_of_loop(&tested_here).is_passed_over(span.start);
            let is_usable = !is_entered && !is_passed_over && !before_test.iter().any(has_loop);
            let first_condition = own.filter(|_| !parts.is_do);
            let inner = InnerTest { parts: tested_here, leaving, first_condition };
            is_usable.then_some(inner)
        });
        let mut usable: Vec<InnerTest<'p>> = usable.collect();
        match usable.iter().position(|inner| self.is_counted_by(inner)) {
            Some(first) => Some(usable.swap_remove(first)),
            // It tells why the loop is not counted.
            None => usable.into_iter().next().filter(|_| own.is_none()),
        }
    }

    fn always_holds(&mut self, condition: &'p Node<Expression>) -> bool {
        self.peek(condition).ok().and_then(|value| value.integer()).is_some_and(|value| value != 0)
    }

    /// Whether the number of iterations of a loop is known that begins here.
    fn is_counted(&mut self, parts: &LoopParts<'p>) -> bool {
        let effects = self.effects_of_loop(parts);
        self.quietly(|walk| walk.iterations(parts, &effects).1.is_ok())
    }

    fn is_counted_by(&mut self, inner: &InnerTest<'p>) -> bool {
        self.quietly(|walk| {
            if let Some(condition) = inner.first_condition {
                walk.evaluate(condition).ok();
            }
            let ways = walk.ways_before_test(&inner.parts).unwrap_or_default();
            let reason = UnknownReason::new(inner.parts.offset, "depends on the way to the test");
            let Some(at_test) = ways.into_iter().map(|way| way.environment).reduce(|mut one, other| {
                one.merge(&other, &reason);
                one
            }) else {
                return false;
            };
            walk.environment = at_test;
            walk.is_counted(&inner.parts)
        })
    }

    /// Walks through what comes before the first test, once. Its declarations stay.
    pub fn before_first_test(&mut self, inner: &InnerTest<'p>, effects: &Effects<'p>) -> Vec<Shadowed> {
        let depth = self.around.len();
        let mut shadowed = Vec::new();
        if inner.parts.is_do {
            return shadowed;
        }
        if let Some(condition) = inner.first_condition {
            self.evaluate(condition).ok();
        }
        self.other_ends(&inner.parts, effects);
        self.bodies.push(LeavableBody { depth: self.around.len(), doubts: Vec::new() });
        shadowed = self.one_after_another(inner.parts.before_test);
        self.bodies.pop();
        self.count_test(&inner.parts);
        self.leave(depth);
        shadowed
    }

    /// Walks through what runs once where the loop ends by the test.
    pub fn behind_last_test(&mut self, inner: &InnerTest<'p>, effects: &Effects<'p>) {
        let depth = self.around.len();
        let is_sure = !self.other_ends(&inner.parts, effects);
        let before = self.environment.clone();
        let calls_before = self.recursion.begin_branch();
        self.statement(inner.leaving);
        self.recursion.end_branch(calls_before, calls_before, !is_sure);
        if !is_sure {
            let reason = self.depends_on_test(&inner.parts);
            self.environment.merge(&before, &reason);
        }
        self.leave(depth);
    }

    fn depends_on_test(&self, parts: &LoopParts<'p>) -> UnknownReason {
        match parts.test {
            Some(test) => self.depends(test.condition),
            None => UnknownReason::new(parts.offset, "depends on how the loop ends"),
        }
    }

    pub fn count_test(&mut self, parts: &LoopParts<'p>) {
        if let Some(span) = parts.test_statement {
            self.shared = None;
            self.count(span, CountedPart::Whole);
        }
    }

    /// What may end the loop before its test does: it makes the number of its iterations one that it can be at most. Whether there is any.
    pub fn other_ends(&mut self, parts: &LoopParts<'p>, effects: &Effects<'p>) -> bool {
        let mut is_any = false;
        if let Some(condition) = parts.other_condition {
            self.push(Around::Doubt(self.depends(condition)));
            is_any = true;
        }
        for jump in &effects.jumps {
            if jump.target != JumpTarget::Continue {
                let at = self.parsed.original(jump.offset);
                let (_, line) = self.program.place(at);
                self.push(Around::Doubt(UnknownReason::new(at, format!("the loop may end at line {line}"))));
                is_any = true;
            }
        }
        is_any
    }
}

/// A test with the branch that ends the loop, and the one that goes on.
type TestedBranches<'p> = (LoopTest<'p>, &'p Node<Statement>, Option<&'p Node<Statement>>);

/// The test that an `if` is of which one branch ends the loop, that branch, and the other one.
fn tested(branches: &IfStatement) -> Option<TestedBranches<'_>> {
    let (then, otherwise) = (&branches.then_statement, branches.else_statement.as_ref());
    let test = |goes_on_where| LoopTest { condition: &branches.condition, goes_on_where };
    match otherwise {
        _ if ends_loop(then) => Some((test(false), then, otherwise.map(|its| &**its))),
        Some(otherwise) if ends_loop(otherwise) => Some((test(true), otherwise, Some(then))),
        _ => None,
    }
}

/// Whether a branch ends the loop around it, whatever it does before.
pub fn ends_loop(branch: &Node<Statement>) -> bool {
    let leaves = |jump: &OutwardJump| matches!(jump.target, JumpTarget::Break | JumpTarget::Far);
    let is_end = |last: &Statement| matches!(last, Statement::Break | Statement::Return(_));
    always_ends(&branch.node, &is_end) && EffectFinder::jumps(branch, true).iter().all(leaves)
}

/// Whether computing a condition changes nothing.
pub fn is_plain(condition: &Node<Expression>) -> bool {
    let mut finder = EffectFinder::new();
    finder.visit_expression(&condition.node, &condition.span);
    finder.effects.changes.is_empty() && finder.effects.calls.is_empty()
}

/// Whether there is a loop in it, which would be walked through again and again with those around it.
fn has_loop(item: &Node<BlockItem>) -> bool {
    struct LoopFinder(bool);
    impl<'a> Visit<'a> for LoopFinder {
        fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
            self.0 |= matches!(statement, Statement::While(_) | Statement::DoWhile(_) | Statement::For(_));
            visit::visit_statement(self, statement, span);
        }
    }
    let mut finder = LoopFinder(false);
    finder.visit_block_item(&item.node, &item.span);
    finder.0
}
