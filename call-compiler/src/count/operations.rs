//! What statements do: operations by kind, and the elements of arrays that they read and write. The body of the C program is counted as
//! it is written, not what a compiler makes of it; computing subscripts is told apart, as it costs little where loops are regular.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use call_counting::{Atom, Polynomial};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, CastExpression, Declaration,
    DeclarationSpecifier, Expression, Initializer, MemberOperator, ParameterDeclaration, SpecifierQualifier,
    Statement, TypeSpecifier, UnaryOperator,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::change::{Finder, Step, is_assignment};
use super::place::{Place, path_of};
use super::program::{Parsed, Program};
use super::value::Value;
use crate::c::types::{Representation, Type, base_type, declared_name, type_specifiers};

/// Kinds of operations, by their names in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    FloatAdd,
    FloatMultiply,
    FloatDivide,
    IntegerAdd,
    IntegerMultiply,
    IntegerDivide,
    /// Arithmetic of numbers whose type is not understood.
    UnknownAdd,
    UnknownMultiply,
    UnknownDivide,
    /// Comparisons, logic, bits.
    Logic,
    /// Arithmetic within subscripts.
    Subscript,
    Load,
    Store,
    Call,
}

impl Operation {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Operation::FloatAdd => "float-add",
            Operation::FloatMultiply => "float-multiply",
            Operation::FloatDivide => "float-divide",
            Operation::IntegerAdd => "integer-add",
            Operation::IntegerMultiply => "integer-multiply",
            Operation::IntegerDivide => "integer-divide",
            Operation::UnknownAdd => "unknown-add",
            Operation::UnknownMultiply => "unknown-multiply",
            Operation::UnknownDivide => "unknown-divide",
            Operation::Logic => "logic",
            Operation::Subscript => "subscript",
            Operation::Load => "load",
            Operation::Store => "store",
            Operation::Call => "call",
        }
    }
}

/// How far apart the elements are that a statement reaches in two iterations of its innermost loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stride {
    /// So many elements.
    Elements(Polynomial),
    /// A further index changes: rows of the array.
    Row,
    /// Data decide.
    Irregular,
    /// It is not understood: a pointer that moves, a subscript that is computed before.
    Unknown,
}

/// An element of an array that a statement reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The array, as C names it.
    pub array: String,
    pub is_store: bool,
    /// Size of an element, where it is known.
    pub bytes: Option<u32>,
    pub stride: Stride,
    /// For each loop around, the outermost first, whether other iterations reach other elements.
    pub varies: Vec<bool>,
}

/// What a statement does each time that it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    pub operations: BTreeMap<Operation, u32>,
    pub accesses: Vec<Access>,
    /// The loops around it in its function, the outermost first, by their places in the preprocessed text.
    pub loops: Vec<usize>,
}

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
        loops: Vec::new(),
        found: HashMap::new(),
        work: Work::default(),
    };
    let declared = parsed.parameter_declarations();
    declared
        .into_iter()
        .for_each(|parameter| reader.visit_parameter_declaration(&parameter.node, &parameter.span));
    reader.visit_statement(&definition.statement.node, &definition.statement.span);
    reader.found
}

/// The kind of a number, and the size of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Element {
    kind: Kind,
    bytes: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Real,
    Integer,
    Unknown,
}

impl Kind {
    fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Real, _) | (_, Kind::Real) => Kind::Real,
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            _ => Kind::Unknown,
        }
    }
}

struct Loop {
    offset: usize,
    /// Its variable with the step, if it has one.
    variable: Option<(String, i64)>,
    /// What else its statements give new values.
    changed: Vec<String>,
}

struct Reader<'r, 'p> {
    program: &'r Program<'r>,
    parsed: &'p Parsed,
    value: &'r mut dyn FnMut(&'p Node<Expression>) -> Value,
    /// What names are numbers or arrays of.
    elements: RefCell<HashMap<String, Element>>,
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
        use BinaryOperator as B;
        use Operation as O;
        let [add, multiply, divide] = match kind {
            Kind::Real => [O::FloatAdd, O::FloatMultiply, O::FloatDivide],
            Kind::Integer => [O::IntegerAdd, O::IntegerMultiply, O::IntegerDivide],
            Kind::Unknown => [O::UnknownAdd, O::UnknownMultiply, O::UnknownDivide],
        };
        let operation = match operator {
            B::Plus | B::Minus | B::AssignPlus | B::AssignMinus => add,
            B::Multiply | B::AssignMultiply => multiply,
            B::Divide | B::Modulo | B::AssignDivide | B::AssignModulo => divide,
            _ => O::Logic,
        };
        self.add(if is_subscript { O::Subscript } else { operation });
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
                self.kind(&binary.rhs, is_subscript);
                self.place(&binary.lhs, &[true])
            }
            operator if is_assignment(operator) => {
                let right = self.kind(&binary.rhs, is_subscript);
                let kind = self.place(&binary.lhs, &[false, true]);
                self.arithmetic(operator, kind.join(right), is_subscript);
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
        let stride = match &name {
            Some(name) if !moves && !self.is_changed(name) => self.stride(&indices),
            Some(_) if moves => Stride::Elements(Polynomial::from(1)),
            _ => Stride::Unknown,
        };
        let varies = self.varies(&indices, &stride);
        for is_store in uses {
            self.add(if *is_store { Operation::Store } else { Operation::Load });
            self.work.accesses.push(Access {
                array: name.clone().unwrap_or_else(|| self.parsed.text(base.span)),
                is_store: *is_store,
                bytes: element.and_then(|element| element.bytes),
                stride: stride.clone(),
                varies: varies.clone(),
            });
        }
        element.map_or(Kind::Unknown, |element| element.kind)
    }

    /// Whether the innermost loop gives a name new values beside its variable.
    fn is_changed(&self, name: &str) -> bool {
        self.loops.last().is_some_and(|its| its.changed.iter().any(|changed| changed == name))
    }

    fn stride(&mut self, indices: &[&'p Node<Expression>]) -> Stride {
        let mut values = Vec::new();
        for index in indices {
            let Ok(value) = (self.value)(index) else { return Stride::Irregular };
            if value.atoms().iter().any(|atom| matches!(atom, Atom::Element { .. })) {
                return Stride::Irregular;
            }
            let is_changed = |atom: &&Atom| matches!(atom, Atom::Name(name) if self.is_changed(name));
            if value.atoms().iter().any(is_changed) {
                return Stride::Unknown;
            }
            values.push(value);
        }
        let Some((variable, step)) = self.loops.last().and_then(|its| its.variable.clone()) else {
            return if self.loops.is_empty() {
                Stride::Elements(Polynomial::default())
            } else {
                Stride::Unknown
            };
        };
        let variable = Atom::name(&variable);
        let Some((last, further)) = values.split_last() else {
            return Stride::Elements(Polynomial::default());
        };
        if further.iter().any(|value| value.mentions(&variable)) {
            return Stride::Row;
        }
        match last.linear_in(&variable) {
            Some((slope, _)) => Stride::Elements(&slope * &Polynomial::from(step)),
            None => Stride::Unknown,
        }
    }

    /// For each loop around whether other iterations reach other elements; all where that is not known.
    fn varies(&mut self, indices: &[&'p Node<Expression>], stride: &Stride) -> Vec<bool> {
        let is_known = matches!(stride, Stride::Elements(_) | Stride::Row) && !indices.is_empty();
        let values: Vec<Value> =
            if is_known { indices.iter().map(|index| (self.value)(index)).collect() } else { Vec::new() };
        let names: Vec<&str> = values
            .iter()
            .flatten()
            .flat_map(Polynomial::atoms)
            .filter_map(|atom| if let Atom::Name(name) = atom { Some(&**name) } else { None })
            .collect();
        let is_variable_of =
            |its: &Loop, name: &str| its.variable.as_ref().is_some_and(|(own, _)| own == name);
        let depends = |(depth, its): (usize, &Loop)| {
            let is_inner =
                |name: &str| self.loops[depth + 1..].iter().any(|inner| is_variable_of(inner, name));
            let changes = |name: &str| {
                is_variable_of(its, name) || its.changed.iter().any(|its| its == name) && !is_inner(name)
            };
            !is_known || names.iter().any(|name| changes(name))
        };
        self.loops.iter().enumerate().map(depends).collect()
    }

    /// What a name is a number or an array of.
    fn element(&self, path: &str) -> Option<Element> {
        if let Some(known) = self.elements.borrow().get(path) {
            return Some(*known);
        }
        let file = &self.program.file;
        let item = self.parsed.item();
        let lookup = |name: &str| file.lookup(name, item);
        let found =
            file.declaration_of(path, item, |specifiers| element_of(type_specifiers(specifiers), lookup))?;
        self.elements.borrow_mut().insert(path.to_owned(), found);
        Some(found)
    }

    fn declare(&mut self, name: Option<&str>, specifiers: &[Node<DeclarationSpecifier>]) {
        if let Some(name) = name {
            let item = self.parsed.item();
            let element =
                element_of(type_specifiers(specifiers), |name| self.program.file.lookup(name, item));
            self.elements.borrow_mut().insert(name.to_owned(), element);
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
        self.loops.push(Loop { offset: self.parsed.original(span.start), variable, changed });
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
            self.declare(declared_name(&item.node.declarator.node), &declaration.specifiers);
            if let Some(Node { node: Initializer::Expression(value), .. }) = &item.node.initializer {
                values.push(&**value);
            }
        }
        self.statement(span.start, &values);
    }

    fn visit_parameter_declaration(&mut self, parameter: &'p ParameterDeclaration, _: &'p Span) {
        let declarator = parameter.declarator.as_ref().map(|declarator| &declarator.node);
        self.declare(declarator.and_then(declared_name), &parameter.specifiers);
    }

    fn visit_expression(&mut self, _: &'p Expression, _: &'p Span) {}
}

fn path_of_place(place: &Place) -> Option<String> {
    match place {
        Place::Path(path) => Some(path.clone()),
        _ => None,
    }
}

/// The array, the subscripts, the outermost first, and whether a pointer moves on by one.
fn subscripts(expression: &Node<Expression>) -> (&Node<Expression>, Vec<&Node<Expression>>, bool) {
    match &expression.node {
        Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
            let (base, mut indices, moves) = match &binary.node.lhs.node {
                Expression::BinaryOperator(_) => subscripts(&binary.node.lhs),
                _ => (&*binary.node.lhs, Vec::new(), false),
            };
            indices.push(&binary.node.rhs);
            (base, indices, moves)
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
            match &unary.node.operand.node {
                Expression::BinaryOperator(sum) if sum.node.operator.node == BinaryOperator::Plus => {
                    (&sum.node.lhs, vec![&sum.node.rhs], false)
                }
                Expression::UnaryOperator(step)
                    if matches!(
                        step.node.operator.node,
                        UnaryOperator::PostIncrement | UnaryOperator::PreIncrement
                    ) =>
                {
                    (&step.node.operand, Vec::new(), true)
                }
                _ => (&unary.node.operand, Vec::new(), false),
            }
        }
        _ => (expression, Vec::new(), false),
    }
}

/// What specifiers make of a name, pointers and arrays left out.
fn element_of<'a>(
    specifiers: impl Iterator<Item = &'a TypeSpecifier> + Clone,
    typedefs: impl Fn(&str) -> Option<Type>,
) -> Element {
    let kind = match base_type(specifiers.clone(), typedefs) {
        Type::Arithmetic(Representation::Real) => Kind::Real,
        Type::Arithmetic(_) => Kind::Integer,
        _ => Kind::Unknown,
    };
    let bytes = specifiers.fold(Some(4), |bytes, specifier| match specifier {
        TypeSpecifier::Char | TypeSpecifier::Bool => Some(1),
        TypeSpecifier::Short => Some(2),
        TypeSpecifier::Long | TypeSpecifier::Double => Some(8),
        TypeSpecifier::TypedefName(_) if kind == Kind::Real => Some(8),
        TypeSpecifier::TypedefName(_) | TypeSpecifier::Struct(_) | TypeSpecifier::Complex => None,
        _ => bytes,
    });
    Element { kind, bytes }
}
