//! As much of C's types as the question "can a formula use this name, and how is its value kept?" needs.

use lang_c::ast::{
    DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, SpecifierQualifier,
    StorageClassSpecifier, TypeSpecifier,
};
use lang_c::span::Node;

/// How the value of a variable is kept in the trace; names as in `call.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Representation {
    Integer,
    Natural,
    Real,
}

impl Representation {
    /// One representation for values of both kinds.
    pub fn common(self, other: Representation) -> Representation {
        if self == other { self } else { Representation::Real }
    }
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Arithmetic(Representation),
    /// Something without an arithmetic value: what it is, with its article.
    Other(&'static str),
    /// The name of a type.
    Name(Box<Type>),
    /// Arithmetic or not: the compiler will tell.
    Unknown,
}

/// The name that a declarator declares.
pub fn declared_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(identifier) => Some(&identifier.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}

/// The type that specifiers and a declarator give to the declared name. `typedefs` looks names of types up.
pub fn declared_type<'a>(
    specifiers: impl Iterator<Item = &'a TypeSpecifier>,
    declarator: &Declarator,
    typedefs: impl Fn(&str) -> Option<Type>,
) -> Type {
    match derived(declarator) {
        Some(what) => Type::Other(what),
        None => base_type(specifiers, typedefs),
    }
}

pub fn type_specifiers(
    specifiers: &[Node<DeclarationSpecifier>],
) -> impl Iterator<Item = &TypeSpecifier> + Clone {
    specifiers.iter().filter_map(|specifier| match &specifier.node {
        DeclarationSpecifier::TypeSpecifier(specifier) => Some(&specifier.node),
        _ => None,
    })
}

/// The same of the type of a member, or of one that a cast names.
pub fn type_qualified(
    specifiers: &[Node<SpecifierQualifier>],
) -> impl Iterator<Item = &TypeSpecifier> + Clone {
    specifiers.iter().filter_map(|specifier| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(specifier) => Some(&specifier.node),
        _ => None,
    })
}

pub fn is_typedef(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|specifier| match &specifier.node {
        DeclarationSpecifier::StorageClass(class) => class.node == StorageClassSpecifier::Typedef,
        _ => false,
    })
}

/// The outermost derivation: `int *a[3]` is an array.
fn derived(declarator: &Declarator) -> Option<&'static str> {
    if let DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(what) = derived(&inner.node)
    {
        return Some(what);
    }
    declarator.derived.first().map(|derived| match derived.node {
        DerivedDeclarator::Pointer(_) => "a pointer",
        DerivedDeclarator::Array(_) => "an array",
        DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) => "a function",
        DerivedDeclarator::Block(_) => "a block",
    })
}

/// The type that specifiers name, without what declarators make of it.
pub fn base_type<'a>(
    specifiers: impl Iterator<Item = &'a TypeSpecifier>,
    typedefs: impl Fn(&str) -> Option<Type>,
) -> Type {
    let mut found = Representation::Integer;
    for specifier in specifiers {
        match specifier {
            TypeSpecifier::Void => return Type::Other("void"),
            TypeSpecifier::Struct(_) => return Type::Other("a structure"),
            TypeSpecifier::Complex => return Type::Other("a complex number"),
            TypeSpecifier::TypeOf(_) | TypeSpecifier::Atomic(_) => return Type::Unknown,
            TypeSpecifier::TypedefName(name) => {
                return match typedefs(&name.node.name) {
                    Some(Type::Name(aliased)) => *aliased,
                    _ => built_in(&name.node.name),
                };
            }
            TypeSpecifier::Float | TypeSpecifier::Double | TypeSpecifier::TS18661Float(_) => {
                found = Representation::Real;
            }
            TypeSpecifier::Unsigned | TypeSpecifier::Bool => found = Representation::Natural,
            _ => {}
        }
    }
    Type::Arithmetic(found)
}

/// The types that compilers know without a declaration.
fn built_in(name: &str) -> Type {
    match name {
        "bool" | "__uint128_t" => Type::Arithmetic(Representation::Natural),
        "__int128_t" => Type::Arithmetic(Representation::Integer),
        "__float128" | "__float80" | "__bf16" | "__fp16" => Type::Arithmetic(Representation::Real),
        _ => Type::Unknown,
    }
}
