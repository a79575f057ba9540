//! What the names of a block are: how the values of variables and members are kept.

use std::collections::{HashMap, HashSet};

use lang_c::ast::{Declaration, Declarator, FunctionDefinition, TypeSpecifier};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};

use super::super::addresses::is_of_array;
use super::super::place::{Place, last_member, root_of};
use super::super::program::{Parameter, representation_of};
use super::super::value::{BlockVariable, Shadowed, UnknownReason};
use super::CountingWalk;
use crate::c::types::{Representation, Type, base_type, declared_name, declared_type, type_specifiers};

#[derive(Default)]
struct DeclarationCollector<'p>(Vec<&'p Declaration>);

impl<'p> Visit<'p> for DeclarationCollector<'p> {
    fn visit_declaration(&mut self, declaration: &'p Declaration, span: &'p Span) {
        self.0.push(declaration);
        visit::visit_declaration(self, declaration, span);
    }
}

impl<'p> CountingWalk<'p, '_> {
    /// A variable that the function declares, in the block or around it.
    pub fn local(&self, name: &str) -> Option<&BlockVariable> {
        self.environment.local(name).or_else(|| self.outside.get(name))
    }

    /// Whether a variable is one of the function.
    pub fn is_of_function(&self, name: &str) -> bool {
        self.local(name).is_some() || self.parameter(name).is_some()
    }

    fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parsed.parameters(self.program).iter().find(|its| its.name == name)
    }

    /// Why a variable of the file has another name here, or none: the function has one of that name, or stands before its declaration.
    pub fn out_of_sight(&self, path: &str) -> Option<&'static str> {
        let name = root_of(path);
        if self.local(name).is_some() || self.parameter(name).is_some() {
            return Some("is another variable where the function is called");
        }
        self.is_declared_behind(name).then_some("is not declared where the function is called")
    }

    /// Whether the file declares a name, but not before this function. Macros that are numbers are declared nowhere.
    pub fn is_declared_behind(&self, name: &str) -> bool {
        let (file, item) = (&self.program.file, self.parsed.item());
        file.lookup(name, item).is_none() && file.lookup(name, usize::MAX).is_some()
    }

    /// Ends the scopes of variables, the last one first. A variable of the file whose name one of them had may have changed meanwhile.
    pub fn restore(&mut self, shadowed: Vec<Shadowed>, offset: usize) {
        for its in shadowed.into_iter().rev() {
            let name = its.name().to_owned();
            self.environment.restore(its);
            if self.out_of_sight(&name).is_none() && self.program.file.lookup(&name, usize::MAX).is_some() {
                let why = format!("`{name}` may change where another variable has its name");
                self.environment.set(&Place::Path(name), Err(UnknownReason::new(offset, why)), offset);
            }
        }
    }

    /// The pointers, arrays and structures that the function declares around the part that is walked through.
    pub fn addresses_around(&self) -> HashSet<String> {
        let addresses = self.outside.iter().filter(|(_, local)| local.is_pointer);
        addresses.map(|(name, _)| name.clone()).collect()
    }

    /// Whether a name stands for a pointer, an array or a structure.
    pub fn is_address(&self, name: &str) -> bool {
        match self.local(name) {
            Some(local) => local.is_pointer,
            None if is_of_array(name) => true,
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
            None => match self.parameter(path) {
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
            None => match self.parameter(name) {
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
            None => match self.parameter(path) {
                Some(parameter) => parameter.is_untyped,
                None => self.program.is_untyped_variable(path),
            },
        }
    }

    pub fn locals_of(&self, definition: &'p FunctionDefinition) -> HashMap<String, BlockVariable> {
        let mut found: HashMap<String, BlockVariable> = HashMap::new();
        let mut declarations = DeclarationCollector::default();
        declarations.visit_statement(&definition.statement.node, &definition.statement.span);
        for declaration in declarations.0 {
            for item in &declaration.declarators {
                let declarator = &item.node.declarator.node;
                let Some(name) = declared_name(declarator) else { continue };
                let its = self.local_knowing(declaration, declarator, |name| found.get(name));
                // Of several with one name each is to be reckoned with.
                let known = found.entry(name.to_owned()).or_insert_with(|| its.clone());
                known.is_real |= its.is_real;
                known.is_unsigned |= its.is_unsigned;
                known.is_narrow |= its.is_narrow;
                // Where any of them varies, the size that is asked for may.
                let both = known.varies.len().max(its.varies.len());
                known.varies.resize(both, false);
                known.varies.iter_mut().zip(&its.varies).for_each(|(own, its)| *own |= its);
            }
        }
        found
    }

    pub fn local_of(&self, declaration: &Declaration, declarator: &Declarator) -> BlockVariable {
        self.local_knowing(declaration, declarator, |name| self.local(name))
    }

    /// Whether a type is narrow, also one that the function declares.
    pub fn is_narrow_type<'t>(&self, specifiers: impl Iterator<Item = &'t TypeSpecifier> + Clone) -> bool {
        let own = names_of_types(specifiers.clone()).find_map(|name| self.local(name));
        own.map_or_else(|| self.program.words.have_narrow(specifiers), |its| its.is_narrow)
    }

    /// Whether a type is of natural numbers, also one that the function declares.
    pub fn is_unsigned_type<'t>(&self, specifiers: impl Iterator<Item = &'t TypeSpecifier> + Clone) -> bool {
        let item = self.parsed.item();
        let own = names_of_types(specifiers.clone()).find_map(|name| self.local(name));
        let of_file = || base_type(specifiers, |name| self.program.file.lookup(name, item));
        own.map_or_else(|| of_file() == Type::Arithmetic(Representation::Natural), |its| its.is_unsigned)
    }

    /// `own_type` knows the types that the function declares.
    fn local_knowing<'l>(
        &self,
        declaration: &Declaration,
        declarator: &Declarator,
        own_type: impl Fn(&str) -> Option<&'l BlockVariable>,
    ) -> BlockVariable {
        let item = self.parsed.item();
        let specifiers = || type_specifiers(&declaration.specifiers);
        let kind = declared_type(specifiers(), declarator, |name| self.program.file.lookup(name, item));
        let is = |wanted: Representation| matches!(&kind, Type::Arithmetic(its) if *its == wanted);
        let own = names_of_types(specifiers()).find_map(&own_type);
        if let Some(own) = own.filter(|_| declarator.derived.is_empty()) {
            return own.clone();
        }
        BlockVariable {
            is_real: is(Representation::Real),
            is_unsigned: is(Representation::Natural),
            is_narrow: declarator.derived.is_empty() && self.program.words.have_narrow(specifiers()),
            is_pointer: matches!(kind, Type::Other(_)),
            is_structure: matches!(kind, Type::Other("a structure")),
            is_untyped: self.program.words.have_untyped(specifiers()),
            element: match own {
                Some(own) => own.element,
                None => {
                    representation_of(base_type(specifiers(), |name| self.program.file.lookup(name, item)))
                }
            },
            varies: self.varying_sizes(declarator, |name| own_type(name).is_some()),
            ..BlockVariable::default()
        }
    }
}

fn names_of_types<'t>(specifiers: impl Iterator<Item = &'t TypeSpecifier>) -> impl Iterator<Item = &'t str> {
    specifiers.filter_map(|specifier| match specifier {
        TypeSpecifier::TypedefName(name) => Some(name.node.name.as_str()),
        _ => None,
    })
}
