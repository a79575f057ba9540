//! What statements do: operations by kind, and the elements of arrays that they read and write. The body of the C program is counted as
//! it is written, not what a compiler makes of it; computing subscripts is told apart, as it costs little where loops are regular.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use call_counting::{Atom, Polynomial};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CastExpression, Declaration,
    DeclarationSpecifier, Declarator, Expression, Initializer, MemberOperator, ParameterDeclaration,
    SpecifierQualifier, Statement, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::change::{Finder, Step, is_assignment};
use super::element::{Element, Kind, array_sizes, element_of, literal, subscripts};
use super::place::{Place, path_of};
use super::program::{Parsed, Program};
use super::value::Value;
use super::work::{Access, Operation, Stride, Work};
use crate::c::types::{declared_name, type_specifiers};

/// The work of each statement of a function, by its place in the preprocessed text.
pub fn work<'p>(
    program: &Program,
    parsed: &'p Parsed,
    value: &mut dyn FnMut(&'p Node<Expression>) -> Value,
) -> HashMap<usize, Work> {
    let Some(definition) = parsed.definition() else { return HashMap::new() };
    let mut reader = Reader {
        program,
        parsed,
        value,
        elements: RefCell::default(),
        rows: RefCell::default(),
        loops: Vec::new(),
        found: HashMap::new(),
        work: Work::default(),
    };
    for parameter in parsed.parameter_declarations() {
        if let Some(declarator) = &parameter.node.declarator {
            reader.declare(&declarator.node, &parameter.node.specifiers);
        }
    }
    reader.visit_statement(&definition.statement.node, &definition.statement.span);
    reader.found
}

struct Loop {
    offset: usize,
    /// Its variable with the step, if it has one.
    variable: Option<(String, i64)>,
    /// What else its statements give new values.
    changed: Vec<String>,
    /// What each iteration has of its own.
    declared: BTreeSet<String>,
}

struct Reader<'r, 'p> {
    program: &'r Program<'r>,
    parsed: &'p Parsed,
    value: &'r mut dyn FnMut(&'p Node<Expression>) -> Value,
    /// What names are numbers or arrays of.
    elements: RefCell<HashMap<String, Element>>,
    /// How many elements the arrays behind each of their subscripts have, the outermost first.
    rows: RefCell<HashMap<String, Vec<Option<Polynomial>>>>,
    loops: Vec<Loop>,
    found: HashMap<usize, Work>,
    /// That of the statement that is read.
    work: Work,
}

impl<'p> Reader<'_, 'p> {
    /// Reads the expressions of one statement.
    fn statement(&mut self, offset: usize, expressions: &[&'p Node<Expression>]) {
        let around = std::mem::take(&mut self.work);
        expressions.iter().for_each(|expression| _ = self.kind(expression, false));
        let mut work = std::mem::replace(&mut self.work, around);
        work.loops = self.loops.iter().map(|its| its.offset).collect();
        self.found.insert(self.parsed.original(offset), work);
    }

    fn add(&mut self, operation: Operation) {
        *self.work.operations.entry(operation).or_insert(0) += 1;
    }

    /// Counts arithmetic of some kind.
    fn arithmetic(&mut self, operator: &BinaryOperator, kind: Kind, is_subscript: bool) {
        self.add(if is_subscript { Operation::Subscript } else { Operation::of(operator, kind) });
    }

    /// The kind of number that an expression is; what computing it does is counted.
    fn kind(&mut self, expression: &'p Node<Expression>, is_subscript: bool) -> Kind {
        match &expression.node {
            Expression::Constant(_) => {
                let is_whole = self.program.literal(self.parsed.original(expression.span.start)).is_some();
                if is_whole { Kind::Integer } else { Kind::Real }
            }
            Expression::Identifier(name) => {
                self.element(&name.node.name).map_or(Kind::Unknown, |its| its.kind)
            }
            Expression::Member(member) => {
                if path_of(expression).is_none() {
                    self.kind(&member.node.expression, is_subscript);
                } else if member.node.operator.node == MemberOperator::Indirect {
                    self.add(Operation::Load);
                }
                Kind::Unknown
            }
            Expression::UnaryOperator(unary) => {
                let operand = &unary.node.operand;
                match unary.node.operator.node {
                    UnaryOperator::Indirection => self.access(expression, &[false]),
                    UnaryOperator::Address => {
                        self.place(operand, &[]);
                        Kind::Unknown
                    }
                    UnaryOperator::Plus => self.kind(operand, is_subscript),
                    UnaryOperator::Complement | UnaryOperator::Negate => {
                        self.kind(operand, is_subscript);
                        self.add(Operation::Logic);
                        Kind::Integer
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
                self.cast(&cast.node)
            }
            Expression::Call(call) => {
                self.call(&call.node);
                Kind::Unknown
            }
            Expression::Conditional(conditional) => {
                let its = &conditional.node;
                self.kind(&its.condition, is_subscript);
                self.add(Operation::Logic);
                let then = self.kind(&its.then_expression, is_subscript);
                then.join(self.kind(&its.else_expression, is_subscript))
            }
            Expression::Comma(parts) => {
                parts.iter().fold(Kind::Unknown, |_, part| self.kind(part, is_subscript))
            }
            Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => Kind::Integer,
            _ => Kind::Unknown,
        }
    }

    fn binary(
        &mut self,
        expression: &'p Node<Expression>,
        binary: &'p BinaryOperatorExpression,
        is_subscript: bool,
    ) -> Kind {
        use BinaryOperator as B;
        match &binary.operator.node {
            B::Index => self.access(expression, &[false]),
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
                let kind = left.join(self.kind(&binary.rhs, is_subscript));
                self.arithmetic(operator, kind, is_subscript);
                let is_sum = matches!(operator, B::Plus | B::Minus | B::Multiply | B::Divide | B::Modulo);
                if is_sum { kind } else { Kind::Integer }
            }
        }
    }

    /// Counts arithmetic that needs its own result of the iteration before.
    fn chain(&mut self, operator: &BinaryOperator, kind: Kind) {
        *self.work.chained.entry(Operation::of(operator, kind)).or_insert(0) += 1;
    }

    /// Whether all iterations of the innermost loop change one and the same number, which lives longer than each of them.
    fn stays(&mut self, place: &'p Node<Expression>) -> bool {
        let Some(innermost) = self.loops.last() else { return false };
        if let Some(path) = path_of(place) {
            return !innermost.declared.contains(&path);
        }
        let (base, indices, moves) = subscripts(place);
        let name = path_of(base);
        !indices.is_empty() && self.strides(name.as_deref(), &indices, moves).last() == Some(&Stride::none())
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
        self.add(Operation::Call);
        call.arguments.iter().for_each(|argument| _ = self.kind(argument, false));
    }

    fn cast(&self, cast: &CastExpression) -> Kind {
        if cast.type_name.node.declarator.is_some() {
            return Kind::Integer;
        }
        let specifiers = cast.type_name.node.specifiers.iter().filter_map(|its| match &its.node {
            SpecifierQualifier::TypeSpecifier(specifier) => Some(&specifier.node),
            _ => None,
        });
        let item = self.parsed.item();
        element_of(specifiers, |name| self.program.file.lookup(name, item)).kind
    }

    /// What an assignment or a step changes, or an address is taken of; elements are read or written as `uses` says: `true` stores.
    fn place(&mut self, expression: &'p Node<Expression>, uses: &[bool]) -> Kind {
        let is_element = match &expression.node {
            Expression::BinaryOperator(binary) => binary.node.operator.node == BinaryOperator::Index,
            Expression::UnaryOperator(unary) => unary.node.operator.node == UnaryOperator::Indirection,
            _ => false,
        };
        match &expression.node {
            _ if is_element => self.access(expression, uses),
            Expression::Member(member) if member.node.operator.node == MemberOperator::Indirect => {
                for is_store in uses {
                    self.add(if *is_store { Operation::Store } else { Operation::Load });
                }
                Kind::Unknown
            }
            _ => self.kind(expression, false),
        }
    }

    /// An element of an array, `A[i][j]` or `*p`.
    fn access(&mut self, expression: &'p Node<Expression>, uses: &[bool]) -> Kind {
        let (base, indices, moves) = subscripts(expression);
        for index in &indices {
            self.kind(index, true);
        }
        let name = path_of(base);
        if name.is_none() {
            self.kind(base, true);
        }
        let element = name.as_deref().and_then(|name| self.element(name));
        let strides = self.strides(name.as_deref(), &indices, moves);
        for is_store in uses {
            self.add(if *is_store { Operation::Store } else { Operation::Load });
            self.work.accesses.push(Access {
                array: name.clone().unwrap_or_else(|| self.parsed.text(base.span)),
                is_store: *is_store,
                bytes: element.and_then(|element| element.bytes),
                strides: strides.clone(),
            });
        }
        element.map_or(Kind::Unknown, |element| element.kind)
    }

    /// For each loop around, the outermost first, how far apart the elements are that its iterations reach.
    fn strides(&mut self, array: Option<&str>, indices: &[&'p Node<Expression>], moves: bool) -> Vec<Stride> {
        let values: Vec<Value> = indices.iter().map(|index| (self.value)(index)).collect();
        let depths = 0..self.loops.len();
        depths.map(|depth| self.stride(array, &values, moves, depth)).collect()
    }

    fn stride(&self, array: Option<&str>, values: &[Value], moves: bool, depth: usize) -> Stride {
        let (Some(array), around) = (array, &self.loops[depth]) else { return Stride::Unknown };
        let is_innermost = depth + 1 == self.loops.len();
        if moves && is_innermost {
            return Stride::Elements(Polynomial::from(1));
        }
        if moves || self.changes(depth, array) {
            return Stride::Unknown;
        }
        let mut sum = Polynomial::default();
        for (position, value) in values.iter().enumerate() {
            let Ok(value) = value else { return Stride::Irregular };
            let atoms = value.atoms();
            if atoms.iter().any(|atom| matches!(atom, Atom::Element { .. })) {
                return Stride::Irregular;
            }
            if atoms.iter().any(|atom| matches!(atom, Atom::Name(name) if self.changes(depth, name))) {
                return Stride::Unknown;
            }
            let Some((variable, step)) = &around.variable else { continue };
            let variable = Atom::name(variable);
            if !value.mentions(&variable) {
                continue;
            }
            let Some((slope, _)) = value.linear_in(&variable) else { return Stride::Unknown };
            let further = values.len() - position - 1;
            let Some(length) = self.row_length(array, position, further) else { return Stride::Row };
            sum = &sum + &(&(&slope * &Polynomial::from(*step)) * &length);
        }
        Stride::Elements(sum)
    }

    /// Whether a loop gives a name new values beside those of the variables of loops.
    fn changes(&self, depth: usize, name: &str) -> bool {
        let is_variable = |its: &Loop| its.variable.as_ref().is_some_and(|(own, _)| own == name);
        self.loops[depth].changed.iter().any(|changed| changed == name)
            && !self.loops[depth + 1..].iter().any(is_variable)
    }

    /// How many elements one step of a subscript is, if so many subscripts follow it.
    fn row_length(&self, array: &str, position: usize, further: usize) -> Option<Polynomial> {
        if further == 0 {
            return Some(Polynomial::from(1));
        }
        let rows = self.rows.borrow();
        let rows = rows.get(array)?.get(position + 1..position + 1 + further)?;
        rows.iter().try_fold(Polynomial::from(1), |product, length| Some(&product * length.as_ref()?))
    }

    /// What a name is a number or an array of.
    fn element(&self, path: &str) -> Option<Element> {
        if let Some(known) = self.elements.borrow().get(path) {
            return Some(*known);
        }
        let file = &self.program.file;
        let item = self.parsed.item();
        let lookup = |name: &str| file.lookup(name, item);
        let (found, rows) = file.declaration_of(path, item, |specifiers, declarator| {
            let lengths = |size: &Node<Expression>| literal(size).map(Polynomial::from);
            let rows = array_sizes(declarator).into_iter().map(|size| lengths(size?)).collect();
            (element_of(type_specifiers(specifiers), lookup), rows)
        })?;
        self.rows.borrow_mut().insert(path.to_owned(), rows);
        self.elements.borrow_mut().insert(path.to_owned(), found);
        Some(found)
    }

    fn declare(&mut self, declarator: &'p Declarator, specifiers: &[Node<DeclarationSpecifier>]) {
        if let Some(name) = declared_name(declarator) {
            let item = self.parsed.item();
            let element =
                element_of(type_specifiers(specifiers), |name| self.program.file.lookup(name, item));
            self.elements.borrow_mut().insert(name.to_owned(), element);
            let mut lengths = |size: &'p Node<Expression>| (self.value)(size).ok();
            let rows = array_sizes(declarator).into_iter().map(|size| lengths(size?)).collect();
            self.rows.borrow_mut().insert(name.to_owned(), rows);
        }
    }

    /// Reads a loop.
    fn repeat(&mut self, statement: &'p Statement, span: &'p Span) {
        let (body, step) = match statement {
            Statement::For(its) => (&its.node.statement, its.node.step.as_deref()),
            Statement::While(its) => (&its.node.statement, None),
            Statement::DoWhile(its) => (&its.node.statement, None),
            _ => return,
        };
        let effects = Finder::statement(body);
        let mut changed: Vec<String> = effects.declared.iter().cloned().collect();
        changed.extend(effects.changes.iter().filter_map(|change| path_of_place(&change.place)));
        let mut finder = Finder::new();
        step.into_iter().for_each(|step| finder.visit_expression(&step.node, &step.span));
        let mut variable = None;
        for change in finder.effects.changes {
            let Some(path) = path_of_place(&change.place) else { continue };
            let length = match &change.step {
                Step::By(length) => Some(*length),
                Step::Operator(operator @ (BinaryOperator::AssignPlus | BinaryOperator::AssignMinus), by) => {
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
        let declared = effects.declared.into_iter().collect();
        self.loops.push(Loop { offset: self.parsed.original(span.start), variable, changed, declared });
        visit::visit_statement(self, statement, span);
        self.loops.pop();
    }
}

impl<'p> Visit<'p> for Reader<'_, 'p> {
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
