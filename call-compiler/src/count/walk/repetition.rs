//! Loops: what is known of variables before, in and behind them.

use std::sync::Arc;

use call_counting::Atom;
use lang_c::ast::{BlockItem, Statement};
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::super::around::{Around, CountedPart};
use super::super::change::{EffectFinder, Effects, JumpTarget};
use super::super::place::Place;
use super::super::value::{BlockVariable, UnknownReason};
use super::declare::is_counted;
use super::motion::LoopParts;
use super::{CountingWalk, LeavableBody};

impl<'p> CountingWalk<'p, '_> {
    pub fn repetition(&mut self, statement: &'p Node<Statement>) {
        let depth = self.around.len();
        let mut shadowed = Vec::new();
        let offset = self.at(statement);
        let parts = match &statement.node {
            Statement::For(loops) => {
                shadowed = self.for_initializer(&loops.node.initializer.node);
                let (condition, step) = (loops.node.condition.as_deref(), loops.node.step.as_deref());
                LoopParts { condition, step, body: &loops.node.statement, is_do: false, offset }
            }
            Statement::While(loops) => {
                let condition = Some(&*loops.node.expression);
                LoopParts { condition, step: None, body: &loops.node.statement, is_do: false, offset }
            }
            Statement::DoWhile(loops) => {
                let condition = Some(&*loops.node.expression);
                LoopParts { condition, step: None, body: &loops.node.statement, is_do: true, offset }
            }
            _ => return,
        };
        let effects = self.effects_of_loop(&parts);
        let since = self.repeat(&parts, &effects);
        self.leave_loop(depth, since);
        self.last_test(&parts, &effects);
        self.restore(shadowed, offset);
    }

    /// What the condition of a loop calls runs once more than the body, where the loop ends by it.
    fn last_test(&mut self, parts: &LoopParts<'p>, effects: &Effects<'p>) {
        let Some(condition) = parts.condition.filter(|_| !parts.is_do && calls(parts)) else { return };
        let depth = self.around.len();
        self.early_ends(effects);
        self.evaluate(condition).ok();
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

    /// Walks through a loop; returns what must have been for its variable to stand where it is said to.
    fn repeat(&mut self, parts: &LoopParts<'p>, effects: &Effects<'p>) -> Option<Around> {
        let before = self.environment.clone();
        let why = format!("changes in the loop of line {}", self.line(parts.offset));
        self.forget_effects(effects, &why);
        // What the body declares is not there when an iteration begins.
        let offset = parts.offset;
        let mut hidden = Vec::new();
        for name in &effects.declared {
            hidden.push(self.environment.declare(name, BlockVariable::default()));
            let reason = UnknownReason::new(offset, format!("`{name}` is declared in the loop"));
            self.environment.set(&Place::Path(name.clone()), Err(reason), offset);
        }
        let is_single = parts.is_do
            && parts
                .condition
                .is_some_and(|condition| matches!(self.peek(condition), Ok(value) if value.is_zero()));
        let counter = if is_single { Ok(None) } else { self.counter(parts, effects, &before).map(Some) };
        hidden.into_iter().rev().for_each(|its| self.environment.restore(its));
        self.early_ends(effects);
        let behind = match counter {
            // do { … } while (0)
            Ok(None) => {
                self.environment = before;
                None
            }
            Ok(Some(counter)) => {
                counter.around.into_iter().for_each(|around| self.push(around));
                let (path, value) = (counter.path, counter.value);
                let place = path.map(|path| {
                    let place = Place::Path(path.clone());
                    self.environment.set(&place, Ok(value), parts.offset);
                    if let Some(passed) = &counter.passed {
                        self.followers(effects, &before, &path, passed);
                    }
                    place
                });
                // What nobody reads need not be known: for that the length must be no less than 0.
                let read = place.filter(
                    |place| !matches!(place, Place::Path(path) if self.parsed.is_unread_behind_loops(path) && !calls(parts)),
                );
                read.zip(counter.behind).map(|(place, value)| (place, value, counter.length))
            }
            Err(reason) => {
                self.push(Around::Unknown(reason));
                None
            }
        };
        if !parts.is_do
            && let Some(condition) = parts.condition
        {
            self.evaluate(condition).ok();
        }
        self.bodies.push(LeavableBody { depth: self.around.len(), doubts: Vec::new() });
        // Each iteration tests the condition and goes a step, also where there is nothing else to count.
        if has_nothing_to_count(&parts.body.node) {
            self.count(parts.body.span, CountedPart::Whole);
        }
        self.statement(parts.body);
        self.bodies.pop();
        // The doubts of the body are gone.
        self.shared = None;
        if let Some(step) = parts.step {
            self.evaluate(step).ok();
        }
        if parts.is_do
            && !is_single
            && let Some(condition) = parts.condition
        {
            self.evaluate(condition).ok();
        }
        if is_single && effects.jumps.is_empty() {
            return None;
        }
        let why = format!("changes in the loop of line {}", self.line(parts.offset));
        self.forget_effects(effects, &why);
        let (place, value, length) = behind.filter(|_| effects.jumps.is_empty())?;
        self.environment.set(&place, Ok(value), parts.offset);
        Some(Around::Since(length))
    }

    fn line(&self, offset: usize) -> u32 {
        self.program.place(offset).1
    }

    fn effects_of_loop(&self, parts: &LoopParts<'p>) -> Effects<'p> {
        let mut finder = EffectFinder::knowing(self.summaries.changes.typed(self.function));
        for expression in [parts.condition, parts.step].into_iter().flatten() {
            finder.visit_expression(&expression.node, &expression.span);
        }
        finder.visit_statement(&parts.body.node, &parts.body.span);
        finder.effects
    }

    /// Jumps out of a loop make the number of its iterations one that it can be at most.
    fn early_ends(&mut self, effects: &Effects<'p>) {
        for jump in &effects.jumps {
            if jump.target != JumpTarget::Continue {
                let at = self.parsed.original(jump.offset);
                let why = format!("the loop may end at line {}", self.line(at));
                self.push(Around::Doubt(UnknownReason::new(at, why)));
            }
        }
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

/// Whether testing the condition of a loop calls a function.
fn calls(parts: &LoopParts) -> bool {
    parts.condition.is_some_and(|condition| {
        let mut finder = EffectFinder::new();
        finder.visit_expression(&condition.node, &condition.span);
        !finder.effects.calls.is_empty()
    })
}
