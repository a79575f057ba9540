//! Loops: what is known of variables before, in and behind them.

use std::sync::Arc;

use call_counting::Atom;
use lang_c::ast::{BlockItem, Statement};
use lang_c::span::Node;

use super::super::around::{Around, CountedPart};
use super::super::change::Effects;
use super::super::place::{Place, root_of};
use super::super::value::{BlockVariable, Environment, UnknownReason};
use super::counter::Counter;
use super::declare::{is_counted, names_declared};
use super::loop_parts::{LoopParts, LoopTest};
use super::motion::LoopCounter;
use super::{CountingWalk, LeavableBody};

impl<'p> CountingWalk<'p, '_> {
    pub fn repetition(&mut self, statement: &'p Node<Statement>) {
        let depth = self.around.len();
        let mut shadowed = Vec::new();
        let offset = self.at(statement);
        let (condition, step, body, is_do) = match &statement.node {
            Statement::For(loops) => {
                shadowed = self.for_initializer(&loops.node.initializer.node);
                (loops.node.condition.as_deref(), loops.node.step.as_deref(), &*loops.node.statement, false)
            }
            Statement::While(loops) => (Some(&*loops.node.expression), None, &*loops.node.statement, false),
            Statement::DoWhile(loops) => (Some(&*loops.node.expression), None, &*loops.node.statement, true),
            _ => return,
        };
        let parts = LoopParts {
            test: condition.map(|condition| LoopTest { condition, goes_on_where: true }),
            test_statement: None,
            step,
            statement: Some(body),
            items: &[],
            before_test: &[],
            other_condition: None,
            is_do,
            offset,
        };
        let inner = self.inner_test(&parts);
        let parts = inner.as_ref().map_or(&parts, |inner| &inner.parts);
        let effects = self.effects_of_loop(parts);
        if let Some(inner) = &inner {
            shadowed.extend(self.before_first_test(inner, &effects));
        }
        let since = self.repeat(parts, &effects);
        self.leave_loop(depth, since);
        self.last_test(parts, &effects);
        if let Some(inner) = &inner {
            self.behind_last_test(inner, &effects);
        }
        self.restore(shadowed, offset);
    }

    /// What the condition of a loop calls runs once more than the body, where the loop ends by it.
    fn last_test(&mut self, parts: &LoopParts<'p>, effects: &Effects<'p>) {
        let Some(test) = parts.test.filter(|_| !parts.is_do && parts.test_calls()) else { return };
        let depth = self.around.len();
        self.other_ends(parts, effects);
        self.evaluate(test.condition).ok();
        self.truncate(depth);
    }

    /// Behind a loop: of what its body leaves behind that goes on which its own variable has no part in.
    fn leave_loop(&mut self, depth: usize, since: Option<Around>) {
        let indices: Vec<Atom> = self.around[depth..]
            .iter()
            .filter_map(|around| if let Around::Loop(level) = &**around { level.index() } else { None })
            .map(Atom::Index)
            .collect();
        let depends = |around: &Arc<Around>| matches!(&**around, Around::Since(positive) if indices.iter().any(|index| positive.mentions(index)));
        let kept: Vec<Arc<Around>> = self.around.drain(depth..).filter(|around| !depends(around)).collect();
        self.around.extend(kept);
        self.leave(depth);
        since.into_iter().for_each(|since| self.push(since));
    }

    /// What was known before a loop, and what counts its iterations: nothing where it has one only. What they change is not known any more.
    pub fn iterations(
        &mut self,
        parts: &LoopParts<'p>,
        effects: &Effects<'p>,
    ) -> (Environment, Result<Option<Counter>, UnknownReason>) {
        let before = self.environment.clone();
        let why = format!("changes in the loop of line {}", self.line(parts.offset));
        self.forget_effects(effects, &why);
        // What the body declares is not there when an iteration begins.
        let offset = parts.offset;
        let is_declared =
            |name: &str| UnknownReason::new(offset, format!("`{name}` is declared in the loop"));
        let mut hidden = Vec::new();
        for name in &effects.declared {
            hidden.push(self.environment.declare(name, BlockVariable::default()));
            self.environment.set(&Place::Path(name.clone()), Err(is_declared(name)), offset);
        }
        let is_single = parts.is_do
            && parts.test.is_some_and(|test| {
                test.goes_on_where && matches!(self.peek(test.condition), Ok(value) if value.is_zero())
            });
        let counter = if is_single { Ok(None) } else { self.counter(parts, effects, &before).map(Some) };
        hidden.into_iter().rev().for_each(|its| self.environment.restore(its));
        for name in parts.before_test.iter().flat_map(names_declared) {
            self.environment.set(&Place::Path(name.to_owned()), Err(is_declared(name)), offset);
        }
        (before, counter)
    }

    /// Walks through a loop; returns what must have been for its variable to stand where it is said to.
    fn repeat(&mut self, parts: &LoopParts<'p>, effects: &Effects<'p>) -> Option<Around> {
        let (before, counter) = self.iterations(parts, effects);
        let is_single = matches!(counter, Ok(None));
        let one_way = self.one_way(effects, &before);
        let has_other_ends = self.other_ends(parts, effects);
        let counters_around = self.counters.len();
        let behind = match counter {
            // do { … } while (0)
            Ok(None) => {
                self.environment = before;
                None
            }
            Ok(Some(counter)) => {
                counter.around.into_iter().for_each(|around| self.push(around));
                let (path, value, passed) = (counter.path, counter.value, counter.passed);
                let place = path.map(|path| {
                    if !self.is_of_function(root_of(&path)) || path.contains("->") {
                        self.counters.push(path.clone());
                    }
                    let place = Place::Path(path.clone());
                    self.environment.set(&place, Ok(value.clone()), parts.offset);
                    if let Some(passed) = &passed {
                        let its = LoopCounter { path: &path, value: &value, passed };
                        self.followers(parts, effects, &before, &its);
                    }
                    place
                });
                // What nobody reads need not be known: for that the length must be no less than 0.
                let read = place.filter(
                    |place| !matches!(place, Place::Path(path) if self.parsed.is_unread_behind_loops(path) && !parts.test_calls()),
                );
                read.zip(counter.behind).map(|(place, value)| (place, value, counter.length))
            }
            Err(reason) => {
                self.push(Around::Unknown(reason));
                None
            }
        };
        self.iteration(parts, is_single);
        self.counters.truncate(counters_around);
        if is_single && effects.jumps.is_empty() {
            return None;
        }
        let why = format!("changes in the loop of line {}", self.line(parts.offset));
        self.forget_effects(effects, &why);
        self.set_ends(one_way);
        let (place, value, length) = behind.filter(|_| !has_other_ends && effects.jumps.is_empty())?;
        self.environment.set(&place, Ok(value), parts.offset);
        Some(Around::Since(length))
    }

    /// Walks through one iteration, from test to test.
    fn iteration(&mut self, parts: &LoopParts<'p>, is_single: bool) {
        let test = parts.test.filter(|_| !is_single);
        if let Some(test) = test.filter(|_| !parts.is_do) {
            self.evaluate(test.condition).ok();
        }
        if let Some(condition) = parts.other_condition.filter(|_| parts.is_do) {
            self.evaluate(condition).ok();
        }
        self.bodies.push(LeavableBody { depth: self.around.len(), doubts: Vec::new() });
        if let Some(statement) = parts.statement {
            // Each iteration tests the condition and goes a step, also where there is nothing else to count.
            if parts.test_statement.is_none() && has_nothing_to_count(&statement.node) {
                self.count(statement.span, CountedPart::Whole);
            }
            self.statement(statement);
        }
        self.compound(parts.items);
        self.bodies.pop();
        // The doubts of the body are gone.
        self.shared = None;
        if let Some(step) = parts.step {
            self.evaluate(step).ok();
        }
        if let Some(condition) = parts.other_condition.filter(|_| !parts.is_do) {
            self.evaluate(condition).ok();
        }
        self.bodies.push(LeavableBody { depth: self.around.len(), doubts: Vec::new() });
        self.compound(parts.before_test);
        self.bodies.pop();
        self.count_test(parts);
        if let Some(test) = test.filter(|_| parts.is_do) {
            self.evaluate(test.condition).ok();
        }
    }

    fn line(&self, offset: usize) -> u32 {
        self.program.place(offset).1
    }
}

/// Whether a body is a null statement in some disguise: braces around nothing, labels, declarations without values.
fn has_nothing_to_count(body: &Statement) -> bool {
    let is_nothing = |item: &Node<BlockItem>| match &item.node {
        BlockItem::Statement(statement) => has_nothing_to_count(&statement.node),
        BlockItem::Declaration(declaration) => !is_counted(&declaration.node),
        BlockItem::StaticAssert(_) => true,
    };
    match body {
        Statement::Expression(None) => true,
        Statement::Compound(items) => items.iter().all(is_nothing),
        Statement::Labeled(labeled) => has_nothing_to_count(&labeled.node.statement.node),
        _ => false,
    }
}
