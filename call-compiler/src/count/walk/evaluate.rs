//! Values of expressions, with what computing them changes and calls.

use std::borrow::Cow;

use call_counting::{Atom, Polynomial};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Expression, UnaryOperator,
    UnaryOperatorExpression,
};
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::super::change::EffectFinder;
use super::super::place::{
    Place, behind_any_pointer, is_assignment, last_member, path_of, place_of, root_of, rooted,
};
use super::super::value::{CopiedStructure, UnknownReason, Value};
use super::CountingWalk;
use super::declare::fitting;
use super::retyped::another_count;
use crate::c::types::{Representation, Type};

impl<'p> CountingWalk<'p, '_> {
    /// The value of an expression. What it changes is changed, what it calls is counted.
    pub fn evaluate(&mut self, expression: &'p Node<Expression>) -> Value {
        let unknown = |walk: &CountingWalk, why: &str| {
            Err(UnknownReason::new(walk.at(expression), format!("`{}` {why}", walk.shown(expression))))
        };
        match &expression.node {
            Expression::Constant(_) => {
                let (offset, program) = (self.at(expression), self.program);
                let no_value = || {
                    let shown = program.literal_text(offset);
                    UnknownReason::new(offset, format!("`{shown}` is no whole number below 2^63"))
                };
                program.literal(offset).map(Polynomial::from).ok_or_else(no_value)
            }
            Expression::Identifier(_) | Expression::Member(_) => self.read(expression),
            Expression::UnaryOperator(unary) => self.unary(expression, &unary.node),
            Expression::BinaryOperator(binary) => self.binary(expression, &binary.node),
            Expression::Cast(cast) => {
                let is_real = self.is_real_number(expression);
                let value = match is_real {
                    true => self.evaluate(&cast.node.expression),
                    false => self.whole(&cast.node.expression),
                };
                let type_name = &cast.node.type_name.node;
                let (shown, offset) = (self.shown(expression), self.at(expression));
                if self.is_cut(&cast.node) {
                    return fitting(value, &shown, offset);
                }
                let value = value?;
                if self.is_number_as_address(&value, &cast.node) {
                    return Err(another_count(&shown, offset));
                }
                match value.has_index() && self.counts_otherwise(expression, &cast.node) {
                    true => Err(another_count(&shown, offset)),
                    false => self.readdressed(value, type_name.declarator.is_some(), &shown, offset),
                }
            }
            Expression::Comma(parts) => {
                let mut last = unknown(self, "is empty");
                for part in parts.iter() {
                    last = self.evaluate(part);
                }
                last
            }
            Expression::Conditional(conditional) => {
                let condition = self.condition(&conditional.node.condition);
                let before = self.environment.clone();
                let calls_before = self.recursion.begin_branch();
                let first = self.under_data(&conditional.node.condition, |walk| {
                    walk.evaluate(&conditional.node.then_expression)
                });
                let after = std::mem::replace(&mut self.environment, before.clone());
                let calls_of_first = self.recursion.next_branch(calls_before);
                let second = self.under_data(&conditional.node.condition, |walk| {
                    walk.evaluate(&conditional.node.else_expression)
                });
                let decides = (&*conditional.node.condition, &before);
                self.end_branch_of(decides, calls_before, calls_of_first, false);
                let reason = self.depends(&conditional.node.condition);
                self.environment.merge(&after, &reason);
                let chosen = match (first, second) {
                    (Ok(first), Ok(second)) if first == second => Some(first),
                    (Ok(first), Ok(second)) => {
                        condition.chosen(&first, &second).filter(|_| self.grant(&condition.assumed))
                    }
                    _ => None,
                };
                chosen.map_or_else(|| unknown(self, "depends on a condition"), Ok)
            }
            Expression::Call(call) => {
                let value = self.call(&call.node, self.at(expression));
                value.map_or_else(|| unknown(self, "is what a function returns"), Ok)
            }
            Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_) => {
                // The size of an array of variable length is computed.
                let mut finder = EffectFinder::new();
                finder.visit_expression(&expression.node, &expression.span);
                self.forget(finder.effects.changes.iter(), "changes where a size is asked for");
                self.size(expression)
            }
            Expression::Statement(statement) => {
                self.statement(statement);
                self.may_leave(&EffectFinder::jumps(statement, true));
                unknown(self, "is a statement's value")
            }
            Expression::StringLiteral(_)
            | Expression::GenericSelection(_)
            | Expression::CompoundLiteral(_)
            | Expression::VaArg(_) => unknown(self, "has no value that is known"),
        }
    }

    /// Whether what must hold for a value is told by the comparison around it, if that is anything.
    fn grant(&mut self, assumed: &[Polynomial]) -> bool {
        match &mut self.granted {
            Some(granted) => {
                granted.extend_from_slice(assumed);
                true
            }
            None => assumed.is_empty(),
        }
    }

    /// The value of an expression that is only looked at: nothing is changed or counted.
    pub fn peek(&mut self, expression: &'p Node<Expression>) -> Value {
        self.quietly(|walk| walk.evaluate(expression))
    }

    /// The name of a variable or member as it was before the block: pointers that were given a place stand for that.
    pub fn path(&self, expression: &Node<Expression>) -> Option<String> {
        path_of(expression).map(|path| self.resolved(&path))
    }

    /// The value that a variable is given, and what that stands for if it is a pointer: elements of the same type.
    pub fn given(&mut self, value: &'p Node<Expression>) -> (Value, Option<String>) {
        if let Some(structure) = self.structure_behind(value) {
            return (Err(self.is_an_address(value)), Some(structure));
        }
        let whole = self.with_remainders(true, |walk| walk.whole(value));
        let is_known = |path: &String| whole.is_ok() || path.starts_with('&');
        let alias = self.path(value).filter(|path| is_known(path) && !self.is_retyped(value));
        (whole, alias)
    }

    /// `&p->inner` for the address of a structure that is a member behind a pointer, where it is given to a pointer to such structures. Its
    /// members may have other names, as any may that are behind pointers.
    fn structure_behind(&self, value: &Node<Expression>) -> Option<String> {
        let Expression::UnaryOperator(unary) = &value.node else { return None };
        if !self.summaries.changes.typed(self.function).is_structure_behind(&unary.node.operand) {
            return None;
        }
        let path = self.path(&unary.node.operand)?;
        let (pointer, _) = path.rsplit_once("->")?;
        let is_there = self.environment.get(pointer).is_ok() && self.member_of_union(&path).is_none();
        is_there.then(|| format!("&{path}"))
    }

    fn is_an_address(&self, expression: &Node<Expression>) -> UnknownReason {
        UnknownReason::new(self.at(expression), format!("`{}` is an address", self.shown(expression)))
    }

    pub fn resolved(&self, path: &str) -> String {
        let alias = self.environment.alias(root_of(path));
        alias.map_or_else(|| path.to_owned(), |alias| rooted(path, alias))
    }

    /// What an expression stands for, with pointers resolved.
    pub fn place(&self, expression: &Node<Expression>) -> Place {
        let place = place_of(expression).unwrap_or(Place::Anything);
        self.resolved_place(&place).into_owned()
    }

    pub fn resolved_place<'a>(&self, place: &'a Place) -> Cow<'a, Place> {
        match self.environment.alias(place.root()) {
            // A new value of the pointer itself is no change of what it pointed to.
            Some(alias) if !place.is_variable() => Cow::Owned(place.reached_by(alias)),
            _ => Cow::Borrowed(place),
        }
    }

    fn read(&mut self, expression: &'p Node<Expression>) -> Value {
        let Some(path) = self.path(expression) else {
            if let Expression::Member(member) = &expression.node {
                self.evaluate(&member.node.expression).ok();
            }
            let why = format!("`{}` is a member of an element", self.shown(expression));
            return Err(UnknownReason::new(self.at(expression), why));
        };
        if path.starts_with('&') {
            return Err(self.is_an_address(expression));
        }
        if let Some(member) = self.member_of_union(&path) {
            return Err(UnknownReason::new(
                self.at(expression),
                format!("`{member}` is a member of a union"),
            ));
        }
        if let Expression::Member(member) = &expression.node
            && self.is_retyped(&member.node.expression)
        {
            return Err(self.of_another_type(expression));
        }
        if self.is_real(&path) {
            return Err(UnknownReason::new(self.at(expression), format!("`{path}` is real")));
        }
        let at = self.at(expression);
        self.environment.get(&path).map_err(|reason| UnknownReason {
            offset: if reason.offset == 0 { at } else { reason.offset },
            why: reason.why,
        })
    }

    fn unary(&mut self, expression: &'p Node<Expression>, unary: &'p UnaryOperatorExpression) -> Value {
        let operand = &unary.operand;
        let one = Polynomial::from(1);
        match unary.operator.node {
            UnaryOperator::PostIncrement => self.stepped(operand, |value| value + &one).0,
            UnaryOperator::PostDecrement => self.stepped(operand, |value| value - &one).0,
            UnaryOperator::PreIncrement => self.stepped(operand, |value| value + &one).1,
            UnaryOperator::PreDecrement => self.stepped(operand, |value| value - &one).1,
            UnaryOperator::Plus => self.evaluate(operand),
            UnaryOperator::Minus => Ok(-&self.evaluate(operand)?),
            UnaryOperator::Indirection => self.element(expression, operand, Polynomial::default()),
            UnaryOperator::Address => {
                let place = self.place(operand);
                let why = format!("`{}` gets its value elsewhere", self.shown(operand));
                let reason = UnknownReason::new(self.at(operand), why);
                self.environment.set(&place, Err(reason), self.at(operand));
                self.lose_behind_pointers(operand);
                self.address_of_element(operand).unwrap_or_else(|| Err(self.is_an_address(expression)))
            }
            UnaryOperator::Complement | UnaryOperator::Negate => {
                self.evaluate(operand).ok();
                Err(UnknownReason::new(
                    self.at(expression),
                    format!("`{}` is no sum", self.shown(expression)),
                ))
            }
        }
    }

    /// `&a[k]` is `a + k`, in elements of `a`.
    fn address_of_element(&mut self, operand: &'p Node<Expression>) -> Option<Value> {
        let Expression::BinaryOperator(binary) = &operand.node else { return None };
        let (array, index) = (&binary.node.lhs, &binary.node.rhs);
        let is_element = binary.node.operator.node == BinaryOperator::Index
            && self.path(array).is_some_and(|path| !path.starts_with('&') && !self.is_untyped(&path))
            && !self.is_retyped(array);
        is_element.then(|| Ok(&self.evaluate(array)? + &self.evaluate(index)?))
    }

    /// Gives a place the next value; returns the values before and after.
    fn stepped(
        &mut self,
        operand: &'p Node<Expression>,
        step: impl Fn(&Polynomial) -> Polynomial,
    ) -> (Value, Value) {
        let before = self.evaluate(operand);
        let after = before.as_ref().map(step).map_err(Clone::clone);
        self.lose_pointed_to(operand);
        let place = self.place(operand);
        self.give(&place, after.clone(), None, self.at(operand));
        (before, after)
    }

    fn binary(&mut self, expression: &'p Node<Expression>, binary: &'p BinaryOperatorExpression) -> Value {
        use BinaryOperator as B;
        let operator = &binary.operator.node;
        if is_assignment(operator) {
            return self.assign(expression, binary);
        }
        if *operator == B::Index {
            let index = self.with_remainders(false, |walk| walk.evaluate(&binary.rhs))?;
            return self.element(expression, &binary.lhs, index);
        }
        if matches!(operator, B::LogicalAnd | B::LogicalOr) {
            self.evaluate(&binary.lhs).ok();
            let before = self.environment.clone();
            let calls_before = self.recursion.begin_branch();
            self.under_data(&binary.lhs, |walk| walk.evaluate(&binary.rhs).ok());
            let is_and = *operator == B::LogicalAnd;
            self.end_branch_of((&binary.lhs, &before), calls_before, calls_before, is_and);
            let reason = self.depends(&binary.lhs);
            self.environment.merge(&before, &reason);
            return Err(UnknownReason::new(
                self.at(expression),
                format!("`{}` is no sum", self.shown(expression)),
            ));
        }
        let (left, right) = (self.evaluate(&binary.lhs), self.evaluate(&binary.rhs));
        let (left, right) = (left?, right?);
        if *operator == B::Divide && self.is_real_number(expression) {
            return Err(self.real_quotient(expression));
        }
        if matches!(operator, B::Divide | B::ShiftRight | B::Modulo)
            && !left.has_index()
            && !left.has_no_negative_term()
            && (self.is_natural(&binary.lhs) || self.is_natural(&binary.rhs))
            && !self.grant(std::slice::from_ref(&left))
        {
            let why = format!("`{}` is unsigned and may wrap round", self.shown(&binary.lhs));
            return Err(UnknownReason::new(self.at(expression), why));
        }
        let value = self.computed(expression, operator, left, &right)?;
        // What is added to an address in bytes may go where elements are counted without a cast.
        let is_untyped = |walk: &Self, operand: &Node<Expression>| match &operand.node {
            Expression::Identifier(_) | Expression::Member(_) => {
                path_of(operand).is_some_and(|path| walk.is_untyped(&path))
            }
            _ => false,
        };
        if matches!(operator, B::Plus | B::Minus)
            && is_untyped(self, &binary.lhs) != is_untyped(self, &binary.rhs)
        {
            return self.readdressed(value, true, &self.shown(expression), self.at(expression));
        }
        Ok(value)
    }

    fn assign(&mut self, expression: &'p Node<Expression>, binary: &'p BinaryOperatorExpression) -> Value {
        let operator = &binary.operator.node;
        let (right, alias) = self.given(&binary.rhs);
        let value = if *operator == BinaryOperator::Assign {
            self.subscripts(&binary.lhs);
            right
        } else {
            let left = self.evaluate(&binary.lhs);
            match (left, right) {
                (Ok(left), Ok(right)) => self.computed(expression, operator, left, &right),
                (Err(reason), _) | (_, Err(reason)) => Err(reason),
            }
        };
        self.lose_pointed_to(&binary.lhs);
        let place = self.place(&binary.lhs);
        let is_plain = *operator == BinaryOperator::Assign;
        let alias = alias.filter(|_| is_plain);
        match &place {
            Place::Path(name) if is_plain && self.is_local_structure(name) => {
                let source = self.structure(name, &binary.rhs);
                self.copy_structure(name, source, self.at(expression));
            }
            Place::Path(path)
                if is_plain
                    && [Some(path), alias.as_ref()]
                        .into_iter()
                        .flatten()
                        .any(|its| self.is_structure(its)) =>
            {
                let why = format!("`{path}` has another value than before");
                let reason = UnknownReason::new(self.at(expression), why);
                self.give(&place, Err(reason), None, self.at(expression));
            }
            _ => self.give(&place, value.clone(), alias, self.at(expression)),
        }
        value
    }

    pub fn is_local_structure(&self, name: &str) -> bool {
        self.environment.local(name).is_some_and(|local| local.is_structure)
    }

    /// Whether a variable is a structure.
    fn is_structure(&self, path: &str) -> bool {
        let is_of_type = || self.parsed.kind_of(self.program, path) == Some(Type::Other("a structure"));
        last_member(path).is_none() && self.local(path).map_or_else(is_of_type, |local| local.is_structure)
    }

    /// The structure that another one of that name gets its members from, as it is now.
    pub fn structure(&self, name: &str, source: &Node<Expression>) -> Option<CopiedStructure> {
        let before_members = match &source.node {
            Expression::Identifier(_) | Expression::Member(_) => format!("{}.", self.path(source)?),
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Indirection => {
                match &unary.node.operand.node {
                    Expression::Identifier(_) | Expression::Member(_) => {
                        self.resolved(&format!("{}->", path_of(&unary.node.operand)?))
                    }
                    // Behind a cast the members may have other names.
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_of_another =
            root_of(&before_members) != name && self.member_of_union(&before_members).is_none();
        is_of_another.then(|| CopiedStructure { before_members, then: self.environment.clone() })
    }

    /// A structure of the block has the members of another one.
    pub fn copy_structure(&mut self, name: &str, source: Option<CopiedStructure>, offset: usize) {
        let reason = UnknownReason::new(offset, format!("`{name}` has another value than before"));
        self.environment.set(&Place::Path(name.to_owned()), Err(reason), offset);
        if let Some(source) = source {
            self.environment.copy_structure(name, source);
        }
    }

    /// Of what is written to, other names are no longer known.
    pub fn lose_pointed_to(&mut self, written: &Node<Expression>) {
        let Some(place) = place_of(written) else { return };
        let offset = self.at(written);
        for other in self.pointed_to(&place).iter() {
            let why = format!("`{}` may change through a pointer to it", other.shown());
            self.environment.set(other, Err(UnknownReason::new(offset, why)), offset);
        }
        self.lose_behind_pointers(written);
    }

    /// Members of what is written to are no longer known by other pointers.
    fn lose_behind_pointers(&mut self, written: &Node<Expression>) {
        let typed = self.summaries.changes.typed(self.function);
        let offset = self.at(written);
        for place in behind_any_pointer(written).iter().chain(typed.of_written(written)) {
            let why = format!("`{}` may change by another name", place.shown());
            self.environment.set(place, Err(UnknownReason::new(offset, why)), offset);
        }
    }

    /// Computes what stands in the brackets of a place.
    pub fn subscripts(&mut self, left: &'p Node<Expression>) {
        match &left.node {
            Expression::BinaryOperator(binary) if binary.node.operator.node == BinaryOperator::Index => {
                self.subscripts(&binary.node.lhs);
                self.evaluate(&binary.node.rhs).ok();
            }
            Expression::UnaryOperator(unary) => _ = self.evaluate(&unary.node.operand).ok(),
            Expression::Member(member) => self.subscripts(&member.node.expression),
            Expression::Call(_) => _ = self.evaluate(left).ok(),
            _ => {}
        }
    }

    /// An element of an array that stays as it is.
    fn element(
        &mut self,
        expression: &'p Node<Expression>,
        array: &'p Node<Expression>,
        index: Polynomial,
    ) -> Value {
        let Some(name) = self.path(array).filter(|name| !name.starts_with('&')) else {
            self.evaluate(array).ok();
            return Err(UnknownReason::new(
                self.at(expression),
                format!("`{}` is data", self.shown(expression)),
            ));
        };
        if self.is_retyped(array) {
            return Err(self.of_another_type(expression));
        }
        if let Some(reason) = self.environment.change_of_elements(&name) {
            return Err(reason);
        }
        if self.element_representation(&name) == Some(Representation::Real) {
            return Err(UnknownReason::new(
                self.at(expression),
                format!("`{}` is real", self.shown(expression)),
            ));
        }
        let is_of_block = self.environment.local(root_of(&name)).is_some();
        if is_of_block {
            let why = format!("`{}` is set in the block", self.shown(expression));
            return Err(UnknownReason::new(self.at(expression), why));
        }
        Ok(Polynomial::from(Atom::Element { array: name.into(), index: index.into() }))
    }

    /// Counts what a function does, and tells what it returns if that is known.
    fn call(&mut self, call: &'p CallExpression, offset: usize) -> Option<Polynomial> {
        let known = self.value_of_known(call);
        let arguments: Vec<Value> = call.arguments.iter().map(|argument| self.evaluate(argument)).collect();
        let Expression::Identifier(name) = &call.callee.node else {
            self.evaluate(&call.callee).ok();
            self.called_unknown(offset, "a function that a pointer names");
            self.forget_changes_of_call(call, None, 0);
            return None;
        };
        self.called(&name.node.name, call, &arguments, offset).or(known)
    }
}
