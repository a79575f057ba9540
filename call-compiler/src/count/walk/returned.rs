//! Values that functions of the program return, in terms of their parameters: `rows(n, p)` is `n/p`.

use std::collections::HashMap;

use call_counting::Polynomial;
use lang_c::ast::{DeclaratorKind, DerivedDeclarator, Expression, FunctionDefinition, Statement};
use lang_c::span::Node;

use super::super::around::Around;
use super::super::program::{CountedProgram, ParsedFunction};
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;
use super::computed::is_moderate;
use super::condition::BranchCondition;
use crate::c::types::{Representation, Type, base_type, type_specifiers};

/// What a part of a function returns: the whole body, or a branch in it.
#[derive(Default)]
pub struct Returned {
    /// So many surroundings a `return` has that is reached unless an earlier one was.
    depth: usize,
    /// Conditions under which it has returned something before.
    earlier: Vec<(BranchCondition, Polynomial)>,
    value: Option<Value>,
}

impl Returned {
    /// The value of a function that has ended.
    pub fn value(self) -> Option<Polynomial> {
        self.value.and_then(Result::ok)
    }

    fn returns_nothing(&self) -> bool {
        self.earlier.is_empty() && self.value.is_none()
    }

    /// The only value, if no condition of its own decides about it.
    fn only(self) -> Option<Polynomial> {
        self.value.filter(|_| self.earlier.is_empty()).and_then(Result::ok)
    }
}

impl<'p> CountingWalk<'p, '_> {
    /// What is returned here.
    pub fn note_return(&mut self, value: Value, expression: &Node<Expression>) {
        if !self.is_quiet {
            self.note_value(value, self.at(expression));
        }
    }

    /// The value is that of the part if nothing but what has been returned before decides whether this place is reached: one of both, where they
    /// are the lesser and the greater one, or the same.
    fn note_value(&mut self, value: Value, offset: usize) {
        let another = || UnknownReason::new(offset, "is one of several values that are returned");
        let is_reached = self.is_always_reached();
        let earlier = std::mem::take(&mut self.returned.earlier);
        let value = if is_reached { value } else { Err(another()) };
        let value = value.and_then(|last| {
            let chosen = |otherwise: Polynomial, (condition, then): &(BranchCondition, Polynomial)| match then
                == &otherwise
            {
                true => Some(otherwise),
                false => condition.chosen(then, &otherwise).filter(|_| condition.assumed.is_empty()),
            };
            earlier.iter().rev().try_fold(last, chosen).ok_or_else(another)
        });
        self.returned.value = Some(value);
    }

    /// Walks through a branch, and tells what it returns.
    pub fn branch(&mut self, statement: &'p Node<Statement>) -> Returned {
        let depth = self.depth();
        let before = std::mem::replace(&mut self.returned, Returned { depth, ..Returned::default() });
        self.statement(statement);
        std::mem::replace(&mut self.returned, before)
    }

    /// Behind an `if`, whose branches return this: `None` for one that is not there, or never runs.
    pub fn note_branches(
        &mut self,
        condition: &BranchCondition,
        then: Option<Returned>,
        otherwise: Option<Returned>,
        offset: usize,
    ) {
        let returns = |branch: &Option<Returned>| branch.as_ref().is_some_and(|its| !its.returns_nothing());
        let (has_then, has_other) = (returns(&then), returns(&otherwise));
        if self.is_quiet || !(has_then || has_other) {
            return;
        }
        let (is_reached, is_sure) = (self.is_always_reached(), condition.assumed.is_empty());
        let then = then.and_then(Returned::only).filter(|_| is_reached);
        match (then, otherwise.and_then(Returned::only)) {
            (Some(only), None) if is_sure && condition.fails.is_never() => self.note_value(Ok(only), offset),
            (None, Some(only)) if is_sure && condition.holds.is_never() => self.note_value(Ok(only), offset),
            (Some(then), None) if !has_other => self.returned.earlier.push((condition.clone(), then)),
            (Some(then), Some(otherwise)) => {
                self.returned.earlier.push((condition.clone(), then));
                self.note_value(Ok(otherwise), offset);
            }
            _ => self.note_value(Err(UnknownReason::new(offset, "returns one of several values")), offset),
        }
    }

    /// Whether the part comes to this place unless it has returned before.
    pub fn is_always_reached(&self) -> bool {
        !self.is_quiet && self.returned.value.is_none() && self.depth() == self.returned.depth
    }

    /// Behind such a place, where what follows has the condition of an `if` that has returned around it.
    pub fn follow_return(&mut self) {
        if !self.returned.earlier.is_empty() {
            self.returned.depth = self.depth();
        }
    }

    /// What a function of the program returns, with the arguments in the place of its parameters.
    pub fn returned_by(
        &mut self,
        function: usize,
        arguments: &[Value],
        paths: &[Option<String>],
        offset: usize,
    ) -> Option<Polynomial> {
        if function == self.function || !arguments.iter().flatten().all(is_moderate) {
            return None;
        }
        let summary = self.summaries.of(function)?;
        let told = Around::Fact(summary.returned.clone()?).into();
        let arguments = &self.arguments_of(function, arguments, offset);
        match &*self.as_called(&told, &summary.parameters, (arguments, paths), &mut HashMap::new(), offset) {
            Around::Fact(value) => Some(value.clone()),
            _ => None,
        }
    }
}

/// A value as a function returns it; none of a type in which it may be another one.
pub fn returned_as(
    value: Polynomial,
    (definition, parsed): (&FunctionDefinition, &ParsedFunction),
    program: &CountedProgram,
) -> Option<Polynomial> {
    let declarator = &definition.declarator.node;
    let is_plain = matches!(declarator.kind.node, DeclaratorKind::Identifier(_))
        && matches!(
            &declarator.derived[..],
            [only] if matches!(only.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
        );
    let specifiers = || type_specifiers(&definition.specifiers);
    let fits = match base_type(specifiers(), |name| program.file.lookup(name, parsed.item())) {
        Type::Arithmetic(Representation::Integer) => true,
        Type::Arithmetic(Representation::Natural) => value.has_no_negative_term(),
        _ => false,
    };
    (is_plain && fits && !program.words.have_narrow(specifiers()) && !value.has_index()).then_some(value)
}
