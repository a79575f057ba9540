//! A walk through the statements of a block, with what surrounds each: loops, conditions, doubts.

mod call;
mod condition;
mod counter;
mod evaluate;
mod halving;
mod loss;
mod motion;
mod recursion;
mod repetition;
mod size;
pub mod summary;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use call_counting::Polynomial;
use foldhash::fast::FixedState;
use lang_c::ast::{
    ArraySize, BlockItem, Declaration, DeclarationSpecifier, Declarator, DerivedDeclarator, Expression,
    ForInitializer, FunctionDefinition, IfStatement, Initializer, Statement, StorageClassSpecifier,
    TypeQualifier, TypeSpecifier,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::around::{Around, Found, Part, StatementId, Surroundings};
use super::change::{Finder, Jump, JumpTarget};
use super::place::{Place, last_member};
use super::program::{Parsed, Program, representation_of};
use super::value::{Environment, Local, Reason, Shadowed, Value};
use crate::c::types::{
    Representation, Type, base_type, declared_name, declared_type, is_typedef, type_specifiers,
};
use condition::{Condition, Side};
use recursion::Recursion;
use summary::{Locals, Summaries};

pub struct Walk<'p, 's> {
    pub program: &'p Program<'p>,
    pub summaries: &'s Summaries<'p>,
    pub parsed: &'p Parsed,
    pub function: usize,
    pub environment: Environment,
    pub around: Vec<Arc<Around>>,
    pub found: Found,
    /// Calls of functions that are being walked through.
    pub recursion: Recursion,
    /// Nothing is counted: a value is only looked at.
    pub is_quiet: bool,
    /// The variable of the loop whose condition is looked at.
    pub bound_index: Option<u32>,
    next_index: u32,
    /// The surroundings as the groups share them, while they do not change.
    shared: Option<Surroundings>,
    representations: HashMap<String, Option<Representation>, FixedState>,
    /// Variables that the function declares and the block, a loop of it, does not.
    outside: Locals,
    /// The body of the block, and those of the loops around.
    pub bodies: Vec<Body>,
    /// What was known where the switches around began, and what they depend on.
    switches: Vec<(Environment, Reason)>,
}

#[derive(Default)]
struct Declarations<'p>(Vec<&'p Declaration>);

impl<'p> Visit<'p> for Declarations<'p> {
    fn visit_declaration(&mut self, declaration: &'p Declaration, span: &'p Span) {
        self.0.push(declaration);
        visit::visit_declaration(self, declaration, span);
    }
}

/// A body that one may leave before its end.
#[derive(Default)]
pub struct Body {
    /// How many surroundings it has itself.
    pub depth: usize,
    /// Doubts whether its rest runs.
    pub doubts: Vec<Arc<Around>>,
}

impl<'p, 's> Walk<'p, 's> {
    pub fn new(summaries: &'s Summaries<'p>, function: usize, parsed: &'p Parsed) -> Walk<'p, 's> {
        Walk {
            program: summaries.program,
            summaries,
            parsed,
            function,
            environment: Environment::new(summaries.changes.places.clone()),
            around: Vec::new(),
            found: Found::default(),
            recursion: Recursion::default(),
            is_quiet: false,
            bound_index: None,
            next_index: 0,
            shared: None,
            representations: HashMap::default(),
            outside: Rc::default(),
            bodies: vec![Body::default()],
            switches: Vec::new(),
        }
    }

    pub fn at<T>(&self, node: &Node<T>) -> usize {
        self.parsed.original(node.span.start)
    }

    /// A part of the tree as messages show it.
    pub fn shown<T>(&self, node: &Node<T>) -> String {
        const LONGEST: usize = 40;
        let text = self.parsed.text(node.span);
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

    /// A variable that the function declares, in the block or around it.
    fn local(&self, name: &str) -> Option<&Local> {
        self.environment.local(name).or_else(|| self.outside.get(name))
    }

    /// Whether a name stands for a pointer, an array or a structure.
    pub fn is_address(&self, name: &str) -> bool {
        match self.local(name) {
            Some(local) => local.is_pointer,
            None => matches!(self.parsed.kind_of(self.program, name), Some(Type::Other(_))),
        }
    }

    pub fn is_real(&mut self, path: &str) -> bool {
        match last_member(path) {
            Some(member) => self.program.members.is_real(member),
            None => self.is_real_variable(path),
        }
    }

    /// How the elements of an array, or what a pointer points to, are kept.
    pub fn element_representation(&self, path: &str) -> Option<Representation> {
        if let Some(member) = last_member(path) {
            return self.program.members.element(member);
        }
        match self.local(path) {
            Some(local) => local.element,
            None => match self.parsed.parameters(self.program).iter().find(|its| its.name == path) {
                Some(parameter) => parameter.element,
                None => self.program.element_of_variable(path),
            },
        }
    }

    fn is_real_variable(&mut self, name: &str) -> bool {
        match self.local(name) {
            Some(local) => local.is_real,
            None => self.representation(name) == Some(Representation::Real),
        }
    }

    pub fn is_unsigned(&mut self, path: &str) -> bool {
        match last_member(path) {
            Some(member) => self.program.members.is_natural(member),
            None => self.is_unsigned_variable(path),
        }
    }

    fn is_unsigned_variable(&mut self, name: &str) -> bool {
        match self.local(name) {
            Some(local) => local.is_unsigned,
            None => self.representation(name) == Some(Representation::Natural),
        }
    }

    /// That of a parameter or a variable of the file.
    fn representation(&mut self, name: &str) -> Option<Representation> {
        if let Some(known) = self.representations.get(name) {
            return *known;
        }
        let found = match self.parsed.kind_of(self.program, name) {
            Some(Type::Arithmetic(representation)) => Some(representation),
            _ => None,
        };
        self.representations.insert(name.to_owned(), found);
        found
    }

    /// The first member of a union on a path.
    pub fn member_of_union<'n>(&self, path: &'n str) -> Option<&'n str> {
        let mut members = path.split(['.', '>']).skip(1).map(|member| member.trim_end_matches('-'));
        members.find(|member| self.program.members.is_of_union(member))
    }

    pub fn is_narrow(&self, name: &str) -> bool {
        if let Some(member) = last_member(name) {
            return self.program.members.is_narrow(member);
        }
        match self.local(name) {
            Some(local) => local.is_narrow,
            None => match self.parsed.parameters(self.program).iter().find(|its| its.name == name) {
                Some(parameter) => parameter.is_narrow,
                None => self.program.is_narrow_variable(name),
            },
        }
    }

    /// Whether a variable or member points to `void`, which has no size.
    pub fn is_untyped(&self, path: &str) -> bool {
        if let Some(member) = last_member(path) {
            return self.program.members.is_untyped(member);
        }
        match self.local(path) {
            Some(local) => local.is_untyped,
            None => match self.parsed.parameters(self.program).iter().find(|its| its.name == path) {
                Some(parameter) => parameter.is_untyped,
                None => self.program.is_untyped_variable(path),
            },
        }
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

    /// Counts a statement that stands here.
    pub fn count(&mut self, span: Span, part: Part) {
        if !self.is_quiet && !self.environment.is_missed() {
            let (around, offset) = (self.surroundings(), self.parsed.original(span.start));
            self.found.add(around, StatementId { function: self.function, offset, part }, 1);
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

    fn push_side(&mut self, side: &Side, reason: &Reason) {
        if !side.is_always() {
            self.push(Around::Cases(side.cases.clone(), reason.clone()));
        }
        if let Some(doubt) = &side.doubt {
            self.push(Around::Doubt(doubt.clone()));
        }
    }

    /// Walks through a block as a whole.
    pub fn block(&mut self, statement: &'p Node<Statement>) {
        let definition = self.parsed.definition();
        let is_whole = definition.is_some_and(|its| std::ptr::eq(statement, &its.statement));
        let wild_jump = match is_whole {
            true => self.summaries.changes.effects(self.function).wild_jump(),
            false => Finder::statement(statement).wild_jump(),
        };
        self.begin(is_whole, wild_jump);
        self.statement(statement);
    }

    /// Walks through statements that follow each other, as a block.
    pub fn items(&mut self, items: &'p [Node<BlockItem>]) {
        self.begin(false, Finder::items(items).wild_jump());
        self.compound(items);
    }

    /// Prepares for the whole body of the function, or for a part of it.
    pub fn begin(&mut self, is_whole: bool, wild_jump: Option<usize>) {
        if let Some(definition) = self.parsed.definition() {
            if !is_whole {
                let locals = || self.locals_of(definition);
                self.outside = self.summaries.locals(self.function, locals);
            }
            for (path, offset) in &self.summaries.changes.effects(self.function).kept_addresses {
                self.environment.exposed.add(path, self.parsed.original(*offset));
            }
            if self.summaries.changes.writes_through_pointers(self.function) {
                let globals = self.summaries.changes.addressed_globals().clone();
                self.environment.exposed.add_all(globals, self.program.offset(self.function));
            }
        }
        let back = wild_jump.map(|at| self.parsed.original(at));
        if let Some(offset) = back.or(self.parsed.computed_goto()) {
            self.push(Around::Unknown(Reason::new(offset, "`goto` repeats what is before it")));
        }
    }

    fn locals_of(&self, definition: &'p FunctionDefinition) -> HashMap<String, Local> {
        let mut found: HashMap<String, Local> = HashMap::new();
        let mut declarations = Declarations::default();
        declarations.visit_statement(&definition.statement.node, &definition.statement.span);
        for declaration in declarations.0 {
            for item in &declaration.declarators {
                let declarator = &item.node.declarator.node;
                let Some(name) = declared_name(declarator) else { continue };
                let its = self.local_of(declaration, declarator);
                // Of several with one name each is to be reckoned with.
                let known = found.entry(name.to_owned()).or_insert_with(|| its.clone());
                known.is_real |= its.is_real;
                known.is_unsigned |= its.is_unsigned;
                known.is_narrow |= its.is_narrow;
            }
        }
        found
    }

    fn local_of(&self, declaration: &Declaration, declarator: &Declarator) -> Local {
        let item = self.parsed.item();
        let specifiers = || type_specifiers(&declaration.specifiers);
        let kind = declared_type(specifiers(), declarator, |name| self.program.file.lookup(name, item));
        let is = |wanted: Representation| matches!(&kind, Type::Arithmetic(its) if *its == wanted);
        Local {
            is_real: is(Representation::Real),
            is_unsigned: is(Representation::Natural),
            is_narrow: declarator.derived.is_empty() && self.program.is_narrow(specifiers()),
            is_pointer: matches!(kind, Type::Other(_)),
            is_structure: matches!(kind, Type::Other("a structure")),
            is_untyped: self.program.is_untyped(specifiers()),
            element: representation_of(base_type(specifiers(), |name| self.program.file.lookup(name, item))),
            ..Local::default()
        }
    }

    /// Statements of a loop that calls the function around it run in those calls, too.
    pub fn forbid_recursion(&mut self) {
        let own = self.recursion.calls.first().map(|call| call.offset);
        if let Some(offset) = own.or(self.recursion.of_others) {
            let why = "the loop is in a function that it calls";
            let around: Surroundings = [Around::Unknown(Reason::new(offset, why)).into()].into();
            self.found.groups.iter_mut().for_each(|group| group.around = around.clone());
        }
    }

    pub fn statement(&mut self, statement: &'p Node<Statement>) {
        match &statement.node {
            Statement::Compound(items) => self.compound(items),
            Statement::Expression(None) => {}
            Statement::Expression(Some(expression)) => {
                self.count(statement.span, Part::Whole);
                self.evaluate(expression).ok();
            }
            Statement::Return(value) => {
                self.count(statement.span, Part::Whole);
                if let Some(value) = value {
                    self.evaluate(value).ok();
                }
            }
            Statement::If(branches) => {
                self.count(statement.span, Part::Whole);
                self.branches(&branches.node);
            }
            Statement::Switch(switch) => {
                self.count(statement.span, Part::Whole);
                self.evaluate(&switch.node.expression).ok();
                self.switch(&switch.node);
            }
            Statement::Labeled(labeled) => {
                self.label(&labeled.node);
                self.statement(&labeled.node.statement);
            }
            Statement::Break | Statement::Continue | Statement::Goto(_) => {
                self.count(statement.span, Part::Whole)
            }
            Statement::While(_) | Statement::DoWhile(_) | Statement::For(_) => {
                self.count(statement.span, Part::LoopEntry);
                self.repetition(statement);
            }
            Statement::Asm(_) => self.count(statement.span, Part::Whole),
        }
    }

    fn compound(&mut self, items: &'p [Node<BlockItem>]) {
        let depth = self.around.len();
        let shadowed = self.one_after_another(items);
        shadowed.into_iter().rev().for_each(|its| self.environment.restore(its));
        self.leave(depth);
    }

    /// Walks through statements and stays in their scope; returns what had the names that they declare.
    pub fn one_after_another(&mut self, items: &'p [Node<BlockItem>]) -> Vec<Shadowed> {
        let depth = self.around.len();
        let mut shadowed = Vec::new();
        for item in items {
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    if declaration.node.declarators.iter().any(|its| its.node.initializer.is_some()) {
                        self.count(declaration.span, Part::Whole);
                    }
                    shadowed.extend(self.declaration(&declaration.node));
                    let mut finder = Finder::new();
                    finder.visit_declaration(&declaration.node, &declaration.span);
                    self.may_leave(&finder.effects.jumps);
                }
                BlockItem::StaticAssert(_) => {}
                BlockItem::Statement(statement) => {
                    self.statement(statement);
                    self.behind(statement, depth);
                }
            }
        }
        shadowed
    }

    /// Behind a statement that may have left: what follows runs only if it did not.
    fn behind(&mut self, statement: &'p Node<Statement>, depth: usize) {
        let jumps = Finder::jumps(statement, self.parsed.has_statements_in_expressions());
        if let Statement::If(branches) = &statement.node
            && self.leaves_cleanly(&branches.node, &jumps, depth)
        {
            let Condition { fails, assumed, .. } =
                self.quietly(|walk| walk.condition(&branches.node.condition));
            if fails.doubt.is_none() {
                let reason = self.depends(&branches.node.condition);
                assumed.into_iter().for_each(|positive| self.push(Around::Assumed(positive)));
                self.push_side(&fails, &reason);
                return;
            }
        }
        self.may_leave(&jumps);
    }

    /// What follows runs only if nothing left before.
    pub fn may_leave(&mut self, jumps: &[Jump]) {
        let Some(first) = jumps.first() else { return };
        let offset = self.parsed.original(first.offset);
        let (_, line) = self.program.place(offset);
        let doubt: Arc<Around> =
            Around::Doubt(Reason::new(offset, format!("line {line} may leave before"))).into();
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
    fn leaves_cleanly(&self, branches: &IfStatement, jumps: &[Jump], depth: usize) -> bool {
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
        let condition = self.condition(&branches.condition);
        let reason = self.depends(&branches.condition);
        let depth = self.around.len();
        condition.assumed.iter().for_each(|positive| self.push(Around::Assumed(positive.clone())));
        let depth_of_branches = self.around.len();
        let before = self.environment.clone();
        let calls_before = self.recursion.begin_branch();
        if !condition.holds.is_never() {
            self.push_side(&condition.holds, &reason);
            self.statement(&branches.then_statement);
            self.leave(depth_of_branches);
        }
        let after_then = std::mem::replace(&mut self.environment, before);
        let calls_of_then = self.recursion.next_branch(calls_before);
        if let Some(otherwise) = &branches.else_statement
            && !condition.fails.is_never()
        {
            self.push_side(&condition.fails, &reason);
            self.statement(otherwise);
            self.leave(depth_of_branches);
        }
        self.recursion.end_branch(calls_before, calls_of_then);
        self.leave(depth);
        let leaves = |statement: &'p Node<Statement>| always_leaves(&statement.node);
        let else_leaves = branches.else_statement.as_ref().is_some_and(|its| leaves(its));
        if condition.fails.is_never() || else_leaves {
            self.environment = after_then;
        } else if !condition.holds.is_never() && !leaves(&branches.then_statement) {
            self.environment.merge(&after_then, &reason);
        }
    }

    /// Declares names and gives them their values.
    pub fn declaration(&mut self, declaration: &'p Declaration) -> Vec<Shadowed> {
        let mut shadowed = self.declared_types(declaration);
        if is_typedef(&declaration.specifiers) {
            return shadowed;
        }
        for item in &declaration.declarators {
            let declarator = &item.node.declarator.node;
            let Some(name) = declared_name(declarator) else { continue };
            let mut source = None;
            let (value, alias) = match &item.node.initializer {
                Some(initializer) => match &initializer.node {
                    Initializer::Expression(expression) => {
                        let value = self.evaluate(expression);
                        source = self.structure(name, expression);
                        (Some(value), self.alias(expression))
                    }
                    Initializer::List(_) => (None, None),
                },
                None => (None, None),
            };
            // Sizes of arrays are computed.
            let arrays = declarator.derived.iter().filter_map(|derived| match &derived.node {
                DerivedDeclarator::Array(array) => Some(&array.node.size),
                _ => None,
            });
            let mut array_sizes = Vec::new();
            for size in arrays {
                array_sizes.push(match size {
                    ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => {
                        self.evaluate(size).ok()
                    }
                    _ => None,
                });
            }
            let sizes = self.sizes_of(&declaration.specifiers, declarator, &array_sizes);
            let local = Local { sizes, ..self.local_of(declaration, declarator) };
            let is_structure = local.is_structure;
            shadowed.push(self.environment.declare(name, local));
            let offset = self.parsed.original(item.node.declarator.span.start);
            let unknown = |why: &str| Err(Reason::new(offset, format!("`{name}` {why}")));
            if is_structure && value.is_some() && !keeps_its_value(&declaration.specifiers) {
                self.copy_structure(name, source, offset);
                continue;
            }
            let value = match value {
                Some(_) if keeps_its_value(&declaration.specifiers) => {
                    unknown("keeps its value from call to call")
                }
                value => value.unwrap_or_else(|| unknown("has no value yet")),
            };
            self.give(&Place::Path(name.to_owned()), value, alias, offset);
        }
        shadowed
    }

    /// Types that a declaration declares, and the constants of enumerations.
    fn declared_types(&mut self, declaration: &'p Declaration) -> Vec<Shadowed> {
        let mut shadowed = Vec::new();
        let mut declare = |walk: &mut Self, name: &str| {
            shadowed.push(walk.environment.declare(name, Local::default()));
        };
        for specifier in type_specifiers(&declaration.specifiers) {
            match specifier {
                TypeSpecifier::Struct(its) if its.node.declarations.is_some() => {
                    its.node.identifier.iter().for_each(|name| declare(self, &size::tag(&name.node.name)));
                }
                TypeSpecifier::Enum(its) => {
                    let mut next = Ok(Polynomial::default());
                    for constant in &its.node.enumerators {
                        let value = constant.node.expression.as_ref().map(|value| self.evaluate(value));
                        let value = value.unwrap_or(next);
                        let name = &constant.node.identifier.node.name;
                        declare(self, name);
                        self.environment.set(&Place::Path(name.clone()), value.clone(), self.at(constant));
                        next = value.map(|value| &value + &Polynomial::from(1));
                    }
                }
                _ => {}
            }
        }
        if is_typedef(&declaration.specifiers) {
            let names =
                declaration.declarators.iter().filter_map(|its| declared_name(&its.node.declarator.node));
            names.for_each(|name| declare(self, name));
        }
        shadowed
    }

    /// Gives a place a value, and what it stands for if it is a pointer.
    pub fn give(&mut self, place: &Place, value: Value, alias: Option<String>, offset: usize) {
        let value = match place {
            Place::Path(path) if self.is_narrow(path) => fitting(value, path, offset),
            Place::Path(path) if self.is_untyped(path) => {
                value.and_then(|value| self.readdressed(value, true, path, offset))
            }
            _ => value,
        };
        let alias = alias.filter(|_| value.is_ok());
        self.environment.set(place, value, offset);
        if let (Place::Path(path), Some(alias)) = (place, alias) {
            self.environment.set_alias(path, alias);
        }
    }

    pub fn for_initializer(&mut self, initializer: &'p ForInitializer) -> Vec<Shadowed> {
        match initializer {
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => Vec::new(),
            ForInitializer::Expression(expression) => {
                self.evaluate(expression).ok();
                Vec::new()
            }
            ForInitializer::Declaration(declaration) => self.declaration(&declaration.node),
        }
    }
}

/// A value in a variable with less bits than `int`: what may not fit is unknown.
pub fn fitting(value: Value, name: &str, offset: usize) -> Value {
    let value = value?;
    match value.integer() {
        Some(-128..=127) => Ok(value),
        _ => Err(Reason::new(offset, format!("`{name}` has less bits than `int`: the value may not fit"))),
    }
}

/// Whether a variable of a function has the value of its last call.
fn keeps_its_value(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    let is_static = |its: &Node<DeclarationSpecifier>| matches!(&its.node, DeclarationSpecifier::StorageClass(class) if class.node == StorageClassSpecifier::Static);
    let is_constant = |its: &Node<DeclarationSpecifier>| matches!(&its.node, DeclarationSpecifier::TypeQualifier(qualifier) if qualifier.node == TypeQualifier::Const);
    specifiers.iter().any(is_static) && !specifiers.iter().any(is_constant)
}

/// Whether a statement never comes to its end.
pub fn always_leaves(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) | Statement::Break | Statement::Continue | Statement::Goto(_) => true,
        Statement::Compound(items) => items.last().is_some_and(|item| match &item.node {
            BlockItem::Statement(statement) => always_leaves(&statement.node),
            _ => false,
        }),
        Statement::If(branches) => {
            let otherwise = branches.node.else_statement.as_ref();
            always_leaves(&branches.node.then_statement.node)
                && otherwise.is_some_and(|otherwise| always_leaves(&otherwise.node))
        }
        Statement::Expression(Some(expression)) => match &expression.node {
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => crate::c::function::EXITS.contains(&name.node.name.as_str()),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}
