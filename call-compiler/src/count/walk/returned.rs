//! Values that functions of the program return, in terms of their parameters: `rows(n, p)` is `n/p`.

use std::collections::HashMap;

use call_counting::Polynomial;
use lang_c::ast::{DeclaratorKind, DerivedDeclarator, Expression, FunctionDefinition};
use lang_c::span::Node;

use super::super::around::Around;
use super::super::program::{Parsed, Program};
use super::super::value::{Reason, Value};
use super::Walk;
use super::computed::is_moderate;
use crate::c::types::{Representation, Type, base_type, type_specifiers};

impl<'p> Walk<'p, '_> {
    /// The value is that of the function if nothing decides whether this `return` is reached, and no other one is.
    pub fn note_return(&mut self, value: Value, expression: &Node<Expression>) {
        if self.is_quiet {
            return;
        }
        let is_only = self.returned.is_none() && self.surroundings().is_empty();
        let another = || Err(Reason::new(self.at(expression), "is one of several values that are returned"));
        self.returned = Some(if is_only { value } else { another() });
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
    (definition, parsed): (&FunctionDefinition, &Parsed),
    program: &Program,
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
