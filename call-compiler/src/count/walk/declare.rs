//! Declarations in a block, and what places are given as values.

use call_counting::Polynomial;
use lang_c::ast::{
    ArraySize, BlockItem, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    ForInitializer, Initializer, StorageClassSpecifier, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

use super::super::addresses::address_of_array;
use super::super::place::Place;
use super::super::value::{BlockVariable, Shadowed, UnknownReason, Value};
use super::{CountingWalk, size};
use crate::c::types::{declared_name, is_typedef, type_specifiers};

/// The names that a statement of a block declares for those behind it.
pub fn names_declared(item: &Node<BlockItem>) -> impl Iterator<Item = &str> {
    let declaration = match &item.node {
        BlockItem::Declaration(declaration) => Some(&declaration.node),
        _ => None,
    };
    let declarators = declaration.into_iter().flat_map(|its| &its.declarators);
    declarators.filter_map(|its| declared_name(&its.node.declarator.node))
}

impl<'p> CountingWalk<'p, '_> {
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
                        let (value, alias) = self.given(expression);
                        source = self.structure(name, expression);
                        (Some(value), alias)
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
            let local = BlockVariable { sizes, ..self.local_of(declaration, declarator) };
            let is_structure = local.is_structure;
            shadowed.push(self.environment.declare(name, local));
            let offset = self.parsed.original(item.node.declarator.span.start);
            let unknown = |why: &str| Err(UnknownReason::new(offset, format!("`{name}` {why}")));
            if is_structure && value.is_some() && !keeps_its_value(&declaration.specifiers) {
                self.copy_structure(name, source, offset);
                continue;
            }
            let value = match value {
                _ if is_array(declarator) => Ok(address_of_array(name, offset)),
                Some(_) if keeps_its_value(&declaration.specifiers) => {
                    unknown("keeps its value from call to call")
                }
                value => value.unwrap_or_else(|| Err(UnknownReason::no_value_yet(offset, name))),
            };
            self.give(&Place::Path(name.to_owned()), value, alias, offset);
        }
        shadowed
    }

    /// Types that a declaration declares, and the constants of enumerations.
    fn declared_types(&mut self, declaration: &'p Declaration) -> Vec<Shadowed> {
        let mut shadowed = Vec::new();
        let mut declare_as = |walk: &mut Self, name: &str, local: BlockVariable| {
            shadowed.push(walk.environment.declare(name, local));
        };
        let mut declare = |walk: &mut Self, name: &str| declare_as(walk, name, BlockVariable::default());
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
            for item in &declaration.declarators {
                let declarator = &item.node.declarator.node;
                if let Some(name) = declared_name(declarator) {
                    let local = self.local_of(declaration, declarator);
                    declare_as(self, name, local);
                }
            }
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
        let alias = alias.filter(|alias| value.is_ok() || alias.starts_with('&'));
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
        _ => Err(UnknownReason::new(
            offset,
            format!("`{name}` has less bits than `int`: the value may not fit"),
        )),
    }
}

/// Whether a declaration is counted as a statement: it gives a value each time that it is come by.
pub fn is_counted(declaration: &Declaration) -> bool {
    let is_given = declaration.declarators.iter().any(|its| its.node.initializer.is_some());
    // What lasts has its value before the program begins.
    is_given && !lasts(&declaration.specifiers)
}

/// Whether it declares an array, of whatever elements.
fn is_array(declarator: &Declarator) -> bool {
    matches!(declarator.kind.node, DeclaratorKind::Identifier(_))
        && declarator
            .derived
            .iter()
            .all(|its| matches!(its.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Array(_)))
        && matches!(declarator.derived.last().map(|its| &its.node), Some(DerivedDeclarator::Array(_)))
}

/// Whether a variable of a function is there from call to call.
fn lasts(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    let is_static = |its: &Node<DeclarationSpecifier>| matches!(&its.node, DeclarationSpecifier::StorageClass(class) if class.node == StorageClassSpecifier::Static);
    specifiers.iter().any(is_static)
}

/// Whether it has the value of the last call.
fn keeps_its_value(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    let is_constant = |its: &Node<DeclarationSpecifier>| matches!(&its.node, DeclarationSpecifier::TypeQualifier(qualifier) if qualifier.node == TypeQualifier::Const);
    lasts(specifiers) && !specifiers.iter().any(is_constant)
}
