//! A walk through the statements of a block, with what surrounds each: loops, conditions, doubts.

mod all_calls;
mod broken_off;
pub mod call;
mod computed;
mod condition;
mod counter;
mod declare;
mod depth;
mod descent;
mod either;
mod evaluate;
mod halving;
mod induction;
mod inner_test;
mod leaving;
mod loop_condition;
mod loop_parts;
mod loss;
mod motion;
mod one_way;
pub mod real;
mod recursion;
mod recursive_call;
mod repetition;
mod returned;
mod retyped;
mod size;
pub mod summary;
mod switch;
mod variables;
mod ways;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use call_counting::Polynomial;
use foldhash::fast::FixedState;
use lang_c::ast::{BlockItem, Expression, IfStatement, Statement};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

use super::around::{Around, CountedPart, FoundStatements, StatementId, Surroundings};
use super::change::EffectFinder;
use super::program::{CountedProgram, ParsedFunction};
use super::value::{Environment, Shadowed, UnknownReason};
use crate::c::types::{Representation, declared_name};
use condition::{BranchCondition, ConditionCases};
use declare::is_counted;
use leaving::{LeavableBody, always_leaves, always_returns};
use recursion::{Recursion, is_of_remainder};
use returned::Returned;
use summary::{FunctionSummaries, Locals, Summary};
use switch::OpenSwitch;

pub struct CountingWalk<'p, 's> {
    pub program: &'p CountedProgram<'p>,
    pub summaries: &'s FunctionSummaries<'p>,
    pub parsed: &'p ParsedFunction,
    pub function: usize,
    pub environment: Environment,
    pub around: Vec<Arc<Around>>,
    pub found: FoundStatements,
    /// The variables of the loops around.
    pub counters: Vec<String>,
    /// What is called of which one statement stands for all that are unknown, and why they are.
    hidden: Vec<(Arc<Summary>, UnknownReason)>,
    /// Calls of functions that are being walked through.
    pub recursion: Recursion,
    /// What the function returns, as soon as it returns something.
    returned: Returned,
    /// That of the `if` behind which the walk is.
    last_condition: Option<BranchCondition>,
    /// Nothing is counted: a value is only looked at.
    pub is_quiet: bool,
    /// The variable of the loop whose condition is looked at.
    pub bound_index: Option<u32>,
    /// What must not be negative for the values in the comparison that is looked at; `None` outside of one.
    pub granted: Option<Vec<Polynomial>>,
    /// Whether remainders are values.
    pub takes_remainders: bool,
    /// Whether the ways through loops tell their conditions.
    pub tells_cases: bool,
    next_index: u32,
    /// The surroundings as the groups share them, while they do not change.
    shared: Option<Surroundings>,
    representations: HashMap<String, Option<Representation>, FixedState>,
    /// Variables that the function declares and the block, a loop of it, does not.
    outside: Locals,
    /// The body of the block, and those of the loops around.
    pub bodies: Vec<LeavableBody>,
    /// What was known where the switches around began, and what they depend on.
    switches: Vec<(Environment, UnknownReason)>,
    /// Which calls the parts of these have.
    open_switches: Vec<OpenSwitch>,
}

impl<'p, 's> CountingWalk<'p, 's> {
    pub fn new(
        summaries: &'s FunctionSummaries<'p>,
        function: usize,
        parsed: &'p ParsedFunction,
    ) -> CountingWalk<'p, 's> {
        CountingWalk {
            program: summaries.program,
            summaries,
            parsed,
            function,
            environment: Environment::new(summaries.changes.places.clone()),
            around: Vec::new(),
            found: FoundStatements::default(),
            counters: Vec::new(),
            hidden: Vec::new(),
            recursion: Recursion::default(),
            returned: Returned::default(),
            last_condition: None,
            is_quiet: false,
            bound_index: None,
            granted: None,
            takes_remainders: false,
            tells_cases: false,
            next_index: 0,
            shared: None,
            representations: HashMap::default(),
            outside: Rc::default(),
            bodies: vec![LeavableBody::default()],
            switches: Vec::new(),
            open_switches: Vec::new(),
        }
    }

    pub fn at<T>(&self, node: &Node<T>) -> usize {
        self.parsed.original(node.span.start)
    }

    /// A part of the tree as messages show it.
    pub fn shown<T>(&self, node: &Node<T>) -> String {
        const LONGEST: usize = 40;
        let text = self.program.written(self.parsed, node.span);
        if text.len() <= LONGEST {
            text
        } else {
            format!("{}…", text.chars().take(LONGEST).collect::<String>())
        }
    }

    pub fn new_index(&mut self) -> u32 {
        self.next_index += 1;
        self.next_index - 1
    }

    pub fn push(&mut self, around: Around) {
        self.shared = None;
        self.around.push(around.into());
    }

    /// Leaves a block; what its loops have left behind goes on.
    pub fn leave(&mut self, depth: usize) {
        let behind: Vec<Arc<Around>> =
            self.around.drain(depth..).filter(|its| matches!(**its, Around::Since(_))).collect();
        for around in behind {
            if !self.around.contains(&around) {
                self.around.push(around);
            }
        }
        self.shared = None;
    }

    pub fn truncate(&mut self, depth: usize) {
        self.shared = None;
        self.around.truncate(depth);
    }

    pub fn surroundings(&mut self) -> Surroundings {
        let doubts = self.bodies.iter().flat_map(|body| &body.doubts).cloned();
        let around = &self.around;
        self.shared.get_or_insert_with(|| around.iter().cloned().chain(doubts).collect()).clone()
    }

    /// How many they are.
    fn depth(&self) -> usize {
        self.around.len() + self.bodies.iter().map(|body| body.doubts.len()).sum::<usize>()
    }

    /// Counts a statement that stands here.
    pub fn count(&mut self, span: Span, part: CountedPart) {
        if !self.is_quiet && !self.environment.is_missed() {
            let (around, offset) = (self.surroundings(), self.parsed.original(span.start));
            self.found.add(around, StatementId::new(self.function, offset, part), 1);
        }
    }

    /// Walks through what runs only if data say so.
    pub fn under_data<T>(
        &mut self,
        condition: &'p Node<Expression>,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.around.len();
        let reason = self.depends(condition);
        self.push(Around::Doubt(reason));
        let result = inside(self);
        self.truncate(depth);
        result
    }

    fn push_side(&mut self, side: &ConditionCases, reason: &UnknownReason) {
        if !side.is_always() {
            self.push(Around::Cases(side.cases.clone(), reason.clone()));
        }
        if let Some(doubt) = &side.doubt {
            self.push(Around::Doubt(doubt.clone()));
        }
    }

    /// Of a branch. One that leaves is an end, such as that of a recursion, and none of several ways.
    fn push_branch(&mut self, side: &ConditionCases, reason: &UnknownReason, statement: &'p Node<Statement>) {
        let is_choice = side.doubt.is_none() && side.is_equality();
        if is_choice && !always_leaves(&statement.node) && !self.calls_itself() {
            self.push(Around::Choice(side.cases.clone(), reason.clone()));
        } else {
            self.push_side(side, reason);
        }
    }

    pub fn calls_itself(&self) -> bool {
        let own = self.parsed.definition().and_then(|its| declared_name(&its.declarator.node));
        let effects = self.summaries.changes.effects(self.function);
        own.is_some_and(|own| effects.calls.iter().any(|called| called.name.as_deref() == Some(own)))
    }

    /// Walks through a block as a whole.
    pub fn block(&mut self, statement: &'p Node<Statement>) {
        let definition = self.parsed.definition();
        let is_whole = definition.is_some_and(|its| std::ptr::eq(statement, &its.statement));
        let wild_jump = match is_whole {
            true => self.summaries.changes.effects(self.function).wild_jump(),
            false => EffectFinder::statement(statement).wild_jump(),
        };
        self.begin(is_whole, wild_jump);
        self.statement(statement);
    }

    /// Walks through statements that follow each other, as a block.
    pub fn items(&mut self, items: &'p [Node<BlockItem>]) {
        self.begin(false, EffectFinder::items(items).wild_jump());
        self.compound(items);
    }

    /// Prepares for the whole body of the function, or for a part of it.
    pub fn begin(&mut self, is_whole: bool, wild_jump: Option<(usize, &'static str)>) {
        if let Some(definition) = self.parsed.definition() {
            if !is_whole {
                let locals = || self.locals_of(definition);
                self.outside = self.summaries.locals(self.function, locals);
            }
            for (path, offset) in self.summaries.changes.kept_addresses(self.function) {
                self.environment.exposed.add(&path, self.parsed.original(offset));
            }
            if self.summaries.changes.writes_through_pointers(self.function) {
                let globals = self.summaries.changes.addressed_globals().clone();
                self.environment.exposed.add_all(globals, self.program.offset(self.function));
            }
        }
        let wild_jump = wild_jump.map(|(at, why)| (self.parsed.original(at), why));
        let computed = || self.parsed.computed_goto().map(|at| (at, "`goto` repeats what is before it"));
        if let Some((offset, why)) = wild_jump.or_else(computed) {
            self.push(Around::Unknown(UnknownReason::new(offset, why)));
        }
    }

    /// Statements of a loop that calls the function around it run in those calls, too.
    pub fn forbid_recursion(&mut self) {
        let own = self.recursion.calls.first().map(|call| call.offset);
        if let Some(offset) = own.or(self.recursion.of_others) {
            let why = "the loop is in a function that it calls";
            let around: Surroundings = [Around::Unknown(UnknownReason::new(offset, why)).into()].into();
            self.found.groups.iter_mut().for_each(|group| group.around = around.clone());
        }
    }

    pub fn statement(&mut self, statement: &'p Node<Statement>) {
        match &statement.node {
            Statement::Compound(items) => self.compound(items),
            Statement::Expression(None) => {}
            Statement::Expression(Some(expression)) => {
                self.count(statement.span, CountedPart::Whole);
                self.evaluate(expression).ok();
            }
            Statement::Return(value) => {
                self.count(statement.span, CountedPart::Whole);
                if let Some(expression) = value {
                    let value = self.whole(expression);
                    self.note_return(value, expression);
                }
            }
            Statement::If(branches) => {
                self.count(statement.span, CountedPart::Whole);
                self.branches(&branches.node);
            }
            Statement::Switch(switch) => {
                self.count(statement.span, CountedPart::Whole);
                self.evaluate(&switch.node.expression).ok();
                self.switch(&switch.node);
            }
            Statement::Labeled(labeled) => {
                self.label(&labeled.node);
                self.statement(&labeled.node.statement);
            }
            Statement::Break | Statement::Continue | Statement::Goto(_) => {
                self.count(statement.span, CountedPart::Whole)
            }
            Statement::While(_) | Statement::DoWhile(_) | Statement::For(_) => {
                self.count(statement.span, CountedPart::LoopEntry);
                self.repetition(statement);
            }
            Statement::Asm(_) => self.count(statement.span, CountedPart::Whole),
        }
    }

    fn compound(&mut self, items: &'p [Node<BlockItem>]) {
        let depth = self.around.len();
        let shadowed = self.one_after_another(items);
        let end = items.last().map_or(0, |item| self.at(item));
        self.restore(shadowed, end);
        self.leave(depth);
    }

    /// Walks through statements and stays in their scope; returns what had the names that they declare.
    pub fn one_after_another(&mut self, items: &'p [Node<BlockItem>]) -> Vec<Shadowed> {
        let depth = self.around.len();
        let mut shadowed = Vec::new();
        for (number, item) in items.iter().enumerate() {
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    if is_counted(&declaration.node) {
                        self.count(declaration.span, CountedPart::Whole);
                    }
                    shadowed.extend(self.declaration(&declaration.node));
                    let mut finder = EffectFinder::new();
                    finder.visit_declaration(&declaration.node, &declaration.span);
                    self.may_leave(&finder.effects.jumps);
                }
                BlockItem::StaticAssert(_) => {}
                BlockItem::Statement(statement) => {
                    self.statement(statement);
                    self.behind(statement, depth, number + 1 == items.len());
                }
            }
        }
        shadowed
    }

    /// Looks at something: nothing is counted, and no change stays.
    pub fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let environment = self.environment.clone();
        let was_quiet = std::mem::replace(&mut self.is_quiet, true);
        let result = look(self);
        self.is_quiet = was_quiet;
        self.environment = environment;
        result
    }

    fn branches(&mut self, branches: &'p IfStatement) {
        let mut condition = self.condition(&branches.condition);
        let reason = self.depends(&branches.condition);
        let effects = self.summaries.changes.effects(self.function);
        let both = [Some(&branches.then_statement), branches.else_statement.as_ref()];
        if both.into_iter().flatten().any(|branch| effects.enters(branch.span.start)) {
            condition = BranchCondition::unknown(&reason);
        }
        let depth = self.around.len();
        condition.assumed.iter().for_each(|positive| self.push(Around::Assumed(positive.clone())));
        let depth_of_branches = self.around.len();
        let before = self.environment.clone();
        let calls_before = self.recursion.begin_branch();
        let then_returned = (!condition.holds.is_never()).then(|| {
            self.push_branch(&condition.holds, &reason, &branches.then_statement);
            let returned = self.branch(&branches.then_statement);
            self.leave(depth_of_branches);
            returned
        });
        let after_then = std::mem::replace(&mut self.environment, before);
        let calls_of_then = self.recursion.next_branch(calls_before);
        let otherwise = branches.else_statement.as_ref().filter(|_| !condition.fails.is_never());
        let else_returned = otherwise.map(|otherwise| {
            self.push_branch(&condition.fails, &reason, otherwise);
            let returned = self.branch(otherwise);
            self.leave(depth_of_branches);
            returned
        });
        let is_of_data = condition.is_of_data() || is_of_remainder(&condition);
        let returns = |statement: &'p Node<Statement>| always_returns(&statement.node);
        let else_returns = branches.else_statement.as_ref().is_some_and(|its| returns(its));
        match (returns(&branches.then_statement), else_returns) {
            (true, _) => self.recursion.end_returning(calls_of_then, is_of_data),
            (false, true) => {
                let of_else = self.recursion.next_branch(calls_of_then);
                self.recursion.end_returning(of_else, is_of_data);
            }
            (false, false) => self.recursion.end_branch(calls_before, calls_of_then, is_of_data),
        }
        self.leave(depth);
        self.note_branches(&condition, then_returned, else_returned, self.at(&branches.condition));
        let leaves = |statement: &'p Node<Statement>| always_leaves(&statement.node);
        let else_leaves = branches.else_statement.as_ref().is_some_and(|its| leaves(its));
        if condition.fails.is_never() || else_leaves {
            self.environment = after_then;
        } else if !condition.holds.is_never() && !leaves(&branches.then_statement) {
            let chosen = |otherwise: &Polynomial, then: &Polynomial| {
                condition.chosen(then, otherwise).filter(|_| condition.assumed.is_empty())
            };
            let is_exact = !condition.is_of_data() && condition.assumed.is_empty();
            let cases = [&condition.fails.cases[..], &condition.holds.cases];
            let alternatives = match is_exact {
                true => self.environment.alternatives_of_both(&after_then, cases),
                false => Vec::new(),
            };
            self.environment.merge_values(&after_then, &reason, chosen);
            self.environment.set_alternatives(alternatives);
        }
        self.last_condition = Some(condition);
    }
}
