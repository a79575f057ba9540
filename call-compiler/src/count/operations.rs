//! What statements do: operations by kind, and the elements of arrays that they read and write. The body of the C program is counted as
//! it is written, not what a compiler makes of it; computing subscripts is told apart, as it costs little where loops are regular.

use std::collections::{HashMap, HashSet};

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CastExpression, Declaration,
    DeclarationSpecifier, Declarator, Expression, Initializer, MemberOperator, ParameterDeclaration,
    Statement, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::array_part::given_array;
use super::change::{EffectFinder, Update};
use super::element::{Route, Selector};
use super::handed::called_name;
use super::loop_begin::LoopBegin;
use super::place::is_assignment;
use super::place::{Place, path_of, root_of};
use super::program::{CountedProgram, ParsedFunction};
use super::reach::{IterationLoop, ReachedElements};
use super::shapes::{Shapes, is_pointer};
use super::value::Value;
use super::work::{AccessStride, ElementAccess, LoopAround, OperationKind, StatementWork};
use crate::c::shape::{ArrayExtent, NumberKind};
use crate::c::types::declared_name;

/// The work of each statement of a function, by its place in the preprocessed text.
pub fn work<'p>(
    program: &CountedProgram,
    parsed: &'p ParsedFunction,
    value: &mut dyn FnMut(&'p Node<Expression>) -> Value,
) -> HashMap<usize, StatementWork> {
    let Some(definition) = parsed.definition() else { return HashMap::new() };
    let mut reader = OperationReader {
        program,
        parsed,
        value,
        shapes: Shapes::new(program, parsed),
        loops: Vec::new(),
        own_names: HashSet::new(),
        found: HashMap::new(),
        work: StatementWork::default(),
    };
    for (specifiers, declarator) in parsed.parameter_declarations() {
        reader.declare(declarator, specifiers);
        reader.own_names.extend(declared_name(declarator).map(str::to_owned));
    }
    reader.visit_statement(&definition.statement.node, &definition.statement.span);
    reader.found
}

struct OperationReader<'r, 'p> {
    program: &'r CountedProgram<'r>,
    parsed: &'p ParsedFunction,
    shapes: Shapes<'r>,
    value: &'r mut dyn FnMut(&'p Node<Expression>) -> Value,
    loops: Vec<IterationLoop>,
    /// The parameters of the function and its pointers.
    own_names: HashSet<String>,
    found: HashMap<usize, StatementWork>,
    /// That of the statement that is read.
    work: StatementWork,
}

impl<'p> OperationReader<'_, 'p> {
    /// Reads the expressions of one statement.
    fn statement(&mut self, offset: usize, expressions: &[&'p Node<Expression>]) {
        let around = std::mem::take(&mut self.work);
        expressions.iter().for_each(|expression| _ = self.kind(expression, false));
        let mut work = std::mem::replace(&mut self.work, around);
        let around = |its: &IterationLoop| LoopAround { offset: its.offset, uneven_in: its.uneven_in };
        work.loops = self.loops.iter().map(around).collect();
        self.found.insert(self.parsed.original(offset), work);
    }

    fn add(&mut self, operation: OperationKind) {
        *self.work.operations.entry(operation).or_insert(0) += 1;
    }

    /// Reads what may be passed over: what it does makes a bound of the work.
    fn perhaps(&mut self, read: impl FnOnce(&mut Self) -> NumberKind) -> NumberKind {
        let before = self.work.operations.clone();
        let kind = read(self);
        self.work.is_at_most |= self.work.operations != before;
        kind
    }

    /// Counts arithmetic of some kind.
    fn arithmetic(&mut self, operator: &BinaryOperator, kind: NumberKind, is_subscript: bool) {
        self.add(if is_subscript { OperationKind::Subscript } else { OperationKind::of(operator, kind) });
    }

    /// The kind of number that an expression is; what computing it does is counted.
    fn kind(&mut self, expression: &'p Node<Expression>, is_subscript: bool) -> NumberKind {
        match &expression.node {
            Expression::Constant(_) => {
                let is_whole = self.program.literal(self.parsed.original(expression.span.start)).is_some();
                if is_whole { NumberKind::Integer } else { NumberKind::Real }
            }
            Expression::Identifier(_) => self.shapes.kind(expression),
            Expression::Member(_) => self.member(expression, &[false]),
            Expression::UnaryOperator(unary) => {
                let operand = &unary.node.operand;
                match unary.node.operator.node {
                    UnaryOperator::Indirection => self.place(expression, &[false]),
                    UnaryOperator::Address => {
                        self.place(operand, &[]);
                        NumberKind::Unknown
                    }
                    UnaryOperator::Plus => self.kind(operand, is_subscript),
                    UnaryOperator::Complement | UnaryOperator::Negate => {
                        self.kind(operand, is_subscript);
                        self.add(OperationKind::Logic);
                        NumberKind::Integer
                    }
                    UnaryOperator::Minus => {
                        let kind = self.kind(operand, is_subscript);
                        self.arithmetic(&BinaryOperator::Minus, kind, is_subscript);
                        kind
                    }
                    _ => {
                        let kind = self.place(operand, &[false, true]);
                        self.arithmetic(&BinaryOperator::Plus, kind, is_subscript);
                        kind
                    }
                }
            }
            Expression::BinaryOperator(binary) => self.binary(expression, &binary.node, is_subscript),
            Expression::Cast(cast) => {
                self.kind(&cast.node.expression, is_subscript);
                self.kind_of_cast(&cast.node)
            }
            Expression::Call(call) => {
                self.call(&call.node);
                NumberKind::Unknown
            }
            Expression::Conditional(conditional) => {
                let its = &conditional.node;
                self.kind(&its.condition, is_subscript);
                self.add(OperationKind::Logic);
                self.perhaps(|reader| {
                    let then = reader.kind(&its.then_expression, is_subscript);
                    then.join(reader.kind(&its.else_expression, is_subscript))
                })
            }
            Expression::Comma(parts) => {
                parts.iter().fold(NumberKind::Unknown, |_, part| self.kind(part, is_subscript))
            }
            Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => NumberKind::Integer,
            _ => NumberKind::Unknown,
        }
    }

    fn binary(
        &mut self,
        expression: &'p Node<Expression>,
        binary: &'p BinaryOperatorExpression,
        is_subscript: bool,
    ) -> NumberKind {
        use BinaryOperator as B;
        match &binary.operator.node {
            B::Index => self.place(expression, &[false]),
            B::Assign => {
                let right = self.kind(&binary.rhs, is_subscript);
                let kind = self.place(&binary.lhs, &[true]);
                if let Some(operator) = self.carries_on(binary).filter(|_| self.stays(&binary.lhs)) {
                    self.chain(operator, kind.join(right));
                }
                kind
            }
            operator if is_assignment(operator) => {
                let right = self.kind(&binary.rhs, is_subscript);
                let kind = self.place(&binary.lhs, &[false, true]);
                self.arithmetic(operator, kind.join(right), is_subscript);
                if self.stays(&binary.lhs) {
                    self.chain(operator, kind.join(right));
                }
                kind
            }
            operator => {
                let left = self.kind(&binary.lhs, is_subscript);
                let right = match operator {
                    B::LogicalAnd | B::LogicalOr => {
                        self.perhaps(|reader| reader.kind(&binary.rhs, is_subscript))
                    }
                    _ => self.kind(&binary.rhs, is_subscript),
                };
                let kind = left.join(right);
                self.arithmetic(operator, kind, is_subscript);
                let is_sum = matches!(operator, B::Plus | B::Minus | B::Multiply | B::Divide | B::Modulo);
                if is_sum { kind } else { NumberKind::Integer }
            }
        }
    }

    /// Counts arithmetic that needs its own result of the iteration before.
    fn chain(&mut self, operator: &BinaryOperator, kind: NumberKind) {
        *self.work.chained.entry(OperationKind::of(operator, kind)).or_insert(0) += 1;
    }

    /// Whether all iterations of the innermost loop change one and the same number, which lives longer than each of them.
    fn stays(&mut self, place: &'p Node<Expression>) -> bool {
        let Some(route) = self.route(place) else {
            let path = path_of(place);
            return self.loops.last().zip(path).is_some_and(|(its, path)| !its.declared.contains(&path));
        };
        let has_subscript = route.links.iter().any(|link| matches!(link, Selector::Subscript(_)));
        has_subscript && self.reach(&route).strides.last() == Some(&AccessStride::none())
    }

    /// `x = x + …`: the operator.
    fn carries_on(&self, assignment: &'p BinaryOperatorExpression) -> Option<&'p BinaryOperator> {
        let Expression::BinaryOperator(right) = &assignment.rhs.node else { return None };
        let operator = &right.node.operator.node;
        let own = self.parsed.text(assignment.lhs.span);
        let is_own = |operand: &Node<Expression>| self.parsed.text(operand.span) == own;
        let is_chain = match operator {
            BinaryOperator::Plus | BinaryOperator::Multiply => {
                is_own(&right.node.lhs) || is_own(&right.node.rhs)
            }
            BinaryOperator::Minus | BinaryOperator::Divide => is_own(&right.node.lhs),
            _ => false,
        };
        is_chain.then_some(operator)
    }

    fn call(&mut self, call: &'p CallExpression) {
        self.add(OperationKind::Call);
        if let Some(name) = called_name(call) {
            let text = |part: &Node<Expression>| self.parsed.text(part.span);
            let given = call.arguments.iter().map(|argument| given_array(argument, &self.shapes, &text));
            self.work.calls.push((name.clone(), given.collect()));
            let numbers = call.arguments.iter().map(|argument| (self.value)(argument).ok());
            self.work.given_numbers.push(numbers.collect());
        }
        call.arguments.iter().for_each(|argument| _ = self.kind(argument, false));
    }

    /// What an assignment or a step changes, or an address is taken of; elements are read or written as `uses` says: `true` stores.
    fn place(&mut self, expression: &'p Node<Expression>, uses: &[bool]) -> NumberKind {
        match (self.route(expression), &expression.node) {
            (Some(route), _) => self.access(expression, &route, uses),
            (None, Expression::Member(_)) => self.member(expression, uses),
            (None, Expression::Identifier(name)) if uses.contains(&true) => {
                self.work.assigned.push(name.node.name.clone());
                self.kind(expression, false)
            }
            _ => self.kind(expression, false),
        }
    }

    /// A member of a structure.
    fn member(&mut self, expression: &'p Node<Expression>, uses: &[bool]) -> NumberKind {
        if let Some(route) = self.route(expression) {
            return self.access(expression, &route, uses);
        }
        let Expression::Member(member) = &expression.node else { return NumberKind::Unknown };
        if path_of(expression).is_none() {
            self.kind(&member.node.expression, false);
        }
        if member.node.operator.node == MemberOperator::Indirect {
            uses.iter().for_each(|is_store| self.add(load_or_store(*is_store)));
        }
        self.shapes.kind(expression)
    }

    /// The way to an element; to a member behind a pointer, too, if a loop around moves the pointer.
    fn route(&self, expression: &'p Node<Expression>) -> Option<Route<'p>> {
        Route::of(expression, |pointer| self.loops.iter().any(|its| its.moves(pointer)))
    }

    fn reach(&mut self, route: &Route<'p>) -> ReachedElements {
        ReachedElements::of(route, &self.shapes, &self.loops, self.value, |unnamed| {
            self.parsed.text(unnamed.span)
        })
    }

    fn kind_of_cast(&self, cast: &CastExpression) -> NumberKind {
        match &cast.type_name.node.declarator {
            Some(_) => NumberKind::Integer,
            None => self.shapes.of_cast(cast).element.kind,
        }
    }

    fn declare(&mut self, declarator: &'p Declarator, specifiers: &[Node<DeclarationSpecifier>]) {
        self.shapes.declare(declarator, specifiers, |size| (self.value)(size).ok());
        let name = declared_name(declarator)
            .filter(|name| self.shapes.of_name(name).as_ref().is_some_and(is_pointer));
        self.own_names.extend(name.map(str::to_owned));
    }

    /// An element of an array, `A[i][j]`, `*p` or `A[i].x`.
    fn access(&mut self, expression: &'p Node<Expression>, route: &Route<'p>, uses: &[bool]) -> NumberKind {
        for link in &route.links {
            if let Selector::Subscript(index) = link {
                self.kind(index, true);
            }
        }
        if path_of(route.base).is_none() {
            self.kind(route.base, true);
        }
        // A row of an array is an address, which stands nowhere.
        let is_row = self
            .shapes
            .of(expression)
            .is_some_and(|its| matches!(its.extents.first(), Some(ArrayExtent::Array(_))));
        if is_row {
            return self.shapes.kind(expression);
        }
        let reach = self.reach(route);
        for is_store in uses {
            self.add(load_or_store(*is_store));
            let ReachedElements { array, bytes, strides, .. } = reach.clone();
            self.work.accesses.push(ElementAccess {
                is_own_name: self.own_names.contains(root_of(&array)),
                array,
                is_store: *is_store,
                bytes,
                strides,
                has_one_subscript: reach.has_one_subscript,
                array_elements: reach.array_elements,
                is_repeated: reach.is_repeated,
            });
        }
        self.shapes.kind(expression)
    }

    /// Reads a loop.
    fn repeat(&mut self, statement: &'p Statement, span: &'p Span) {
        let (body, step) = match statement {
            Statement::For(its) => (&its.node.statement, its.node.step.as_deref()),
            Statement::While(its) => (&its.node.statement, None),
            Statement::DoWhile(its) => (&its.node.statement, None),
            _ => return,
        };
        let effects = EffectFinder::statement(body);
        let mut changed: Vec<String> = effects.declared.iter().cloned().collect();
        changed.extend(effects.changes.iter().filter_map(|change| path_of_place(&change.place)));
        let mut finder = EffectFinder::new();
        step.into_iter().for_each(|step| finder.visit_expression(&step.node, &step.span));
        let mut variable = None;
        for change in finder.effects.changes {
            let Some(path) = path_of_place(&change.place) else { continue };
            let length = match &change.step {
                Update::By(length) => Some(*length),
                Update::Operator(
                    operator @ (BinaryOperator::AssignPlus | BinaryOperator::AssignMinus),
                    by,
                ) => {
                    let length = self.program.literal(self.parsed.original(by.span.start));
                    length
                        .map(|length| if *operator == BinaryOperator::AssignPlus { length } else { -length })
                }
                _ => None,
            };
            match length {
                Some(length) if variable.is_none() && !changed.contains(&path) => {
                    variable = Some((path, length))
                }
                _ => changed.push(path),
            }
        }
        let begin = LoopBegin::of(statement);
        let is_given = |name: &String| begin.given.iter().any(|(own, _)| own == name);
        let decides = |its: &&IterationLoop| begin.read.iter().any(|name| !is_given(name) && its.moves(name));
        let uneven_in = self.loops.iter().rev().find(decides).map(|its| its.offset);
        let begins = begin.given.into_iter().map(|(name, value)| (name, (self.value)(value))).collect();
        let declared = effects.declared.into_iter().collect();
        self.loops.push(IterationLoop {
            offset: self.parsed.original(span.start),
            variable,
            changed,
            declared,
            begins,
            uneven_in,
        });
        visit::visit_statement(self, statement, span);
        self.loops.pop();
    }
}

impl<'p> Visit<'p> for OperationReader<'_, 'p> {
    fn visit_statement(&mut self, statement: &'p Statement, span: &'p Span) {
        match statement {
            Statement::Expression(Some(expression)) => self.statement(span.start, &[expression]),
            Statement::Return(value) => {
                let value: Vec<&Node<Expression>> = value.iter().map(|value| &**value).collect();
                self.statement(span.start, &value);
            }
            Statement::If(branches) => {
                self.statement(span.start, &[&branches.node.condition]);
                visit::visit_statement(self, statement, span);
            }
            Statement::Switch(switch) => {
                self.statement(span.start, &[&switch.node.expression]);
                visit::visit_statement(self, statement, span);
            }
            Statement::For(_) | Statement::While(_) | Statement::DoWhile(_) => self.repeat(statement, span),
            _ => visit::visit_statement(self, statement, span),
        }
    }

    fn visit_declaration(&mut self, declaration: &'p Declaration, span: &'p Span) {
        let mut values = Vec::new();
        for item in &declaration.declarators {
            self.declare(&item.node.declarator.node, &declaration.specifiers);
            if let Some(Node { node: Initializer::Expression(value), .. }) = &item.node.initializer {
                values.push(&**value);
            }
        }
        self.statement(span.start, &values);
    }

    fn visit_parameter_declaration(&mut self, _: &'p ParameterDeclaration, _: &'p Span) {}

    fn visit_expression(&mut self, _: &'p Expression, _: &'p Span) {}
}

fn path_of_place(place: &Place) -> Option<String> {
    match place {
        Place::Path(path) => Some(path.clone()),
        _ => None,
    }
}

fn load_or_store(is_store: bool) -> OperationKind {
    if is_store { OperationKind::Store } else { OperationKind::Load }
}
