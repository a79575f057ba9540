//! What declarations make of a name: a number, a structure, or arrays of them and pointers to them; how many bytes they have, laid out as
//! compilers of 64-bit computers with pointers and `long` of eight bytes do.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use lang_c::ast::{
    ArraySize, BinaryOperator, Constant, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    IntegerBase, SpecifierQualifier, StructDeclaration, StructField, StructKind, StructType, TypeSpecifier,
};
use lang_c::span::Node;

use super::file_scope::FileScope;
use super::types::{Representation, Type, base_type, declared_name, is_typedef, type_specifiers};

/// Names of types that stand for each other; more of them, or structures in each other, are no C that compiles.
const DEEPEST: usize = 32;

/// Those of other computers are not known here.
pub const POINTER_BYTES: u32 = 8;

/// The kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Unknown,
}

impl Kind {
    /// Of what is computed from both.
    pub fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Real, _) | (_, Kind::Real) => Kind::Real,
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            _ => Kind::Unknown,
        }
    }
}

/// A number or a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    pub kind: Kind,
    /// Size and alignment of a number, where they are known.
    bytes: Option<(u32, u32)>,
    structure: Option<StructureName>,
}

impl Element {
    fn number(kind: Kind, bytes: u32) -> Element {
        Element { kind, bytes: Some((bytes, bytes)), structure: None }
    }

    fn unknown(kind: Kind) -> Element {
        Element { kind, bytes: None, structure: None }
    }

    fn structure(name: StructureName) -> Element {
        Element { structure: Some(name), ..Element::unknown(Kind::Unknown) }
    }
}

/// Where the members of a structure are declared.
#[derive(Debug, Clone, PartialEq)]
enum StructureName {
    Tag(String),
    Type(String),
    Here(Arc<Structure>),
}

/// A structure or union.
#[derive(Debug, PartialEq)]
pub struct Structure {
    members: HashMap<String, Shape>,
    /// Its size and alignment, where those of all members are known.
    bytes: Option<(u32, u32)>,
}

/// An extent of an array, or that it is a pointer.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent<Length> {
    Array(Option<Length>),
    Pointer,
}

/// What a name stands for: behind so many subscripts, the outermost first, there are such elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape<Length = u32> {
    pub extents: Vec<Extent<Length>>,
    pub element: Element,
}

impl<Length> Shape<Length> {
    /// The same with lengths of another type.
    pub fn map<Other>(self, convert: impl Fn(Length) -> Other) -> Shape<Other> {
        let extents = self.extents.into_iter().map(|extent| match extent {
            Extent::Array(length) => Extent::Array(length.map(&convert)),
            Extent::Pointer => Extent::Pointer,
        });
        Shape { extents: extents.collect(), element: self.element }
    }
}

/// What was found out, so that no declaration is read twice.
#[derive(Debug, Default)]
pub struct LayoutCache {
    structures: RwLock<HashMap<String, Option<Arc<Structure>>>>,
    types: RwLock<HashMap<String, Option<Shape>>>,
}

/// The types of a file.
#[derive(Clone, Copy)]
pub struct Layouts<'f, 'a> {
    file: &'f FileScope<'a>,
    cache: &'f LayoutCache,
}

impl<'f, 'a> Layouts<'f, 'a> {
    pub fn new(file: &'f FileScope<'a>, cache: &'f LayoutCache) -> Layouts<'f, 'a> {
        Layouts { file, cache }
    }

    /// What specifiers and a declarator make of a name; `length` tells those of arrays.
    pub fn shape<'t, 'd, Length>(
        self,
        specifiers: impl Iterator<Item = &'t TypeSpecifier> + Clone,
        declarator: Option<&'d Declarator>,
        length: impl FnMut(&'d Node<Expression>) -> Option<Length>,
        constant: impl Fn(u32) -> Length,
    ) -> Shape<Length> {
        let base = self.base(specifiers, 0).map(constant);
        let mut extents = declarator.map_or(Vec::new(), |its| extents(its, length));
        extents.extend(base.extents);
        Shape { extents, element: base.element }
    }

    /// That of a variable of the file before the item with that index.
    pub fn of_variable(self, name: &str, before: usize) -> Option<Shape> {
        self.file.declaration_of(name, before, |specifiers, declarator| {
            self.shape(type_specifiers(specifiers), Some(declarator), constant, |length| length)
        })
    }

    /// A member of a structure.
    pub fn member(self, element: &Element, name: &str) -> Option<Shape> {
        self.structure(element.structure.as_ref()?, 0)?.members.get(name).cloned()
    }

    /// The size of an element.
    pub fn bytes(self, element: &Element) -> Option<u32> {
        self.size(element, 0).map(|(bytes, _)| bytes)
    }

    fn size(self, element: &Element, depth: usize) -> Option<(u32, u32)> {
        match &element.structure {
            Some(name) => self.structure(name, depth)?.bytes,
            None => element.bytes,
        }
    }

    fn base<'t>(self, specifiers: impl Iterator<Item = &'t TypeSpecifier> + Clone, depth: usize) -> Shape {
        let plain = |element: Element| Shape { extents: Vec::new(), element };
        let kind = match base_type(specifiers.clone(), |name| self.file.lookup(name, usize::MAX)) {
            Type::Arithmetic(Representation::Real) => Kind::Real,
            Type::Arithmetic(_) => Kind::Integer,
            _ => Kind::Unknown,
        };
        let (mut bytes, mut is_long, mut is_complex) = (4, false, false);
        for specifier in specifiers {
            match specifier {
                TypeSpecifier::Struct(its) => return plain(self.named_or_here(&its.node, depth)),
                TypeSpecifier::TypedefName(name) => {
                    let named = self.named(&name.node.name, depth);
                    return named.unwrap_or_else(|| plain(Element::unknown(kind)));
                }
                TypeSpecifier::Void | TypeSpecifier::TypeOf(_) | TypeSpecifier::Atomic(_) => {
                    return plain(Element::unknown(kind));
                }
                TypeSpecifier::TS18661Float(_) => return plain(Element::unknown(kind)),
                TypeSpecifier::Char | TypeSpecifier::Bool => bytes = 1,
                TypeSpecifier::Short => bytes = 2,
                TypeSpecifier::Long => (bytes, is_long) = (8, true),
                TypeSpecifier::Double => bytes = 8,
                TypeSpecifier::Complex => is_complex = true,
                _ => {}
            }
        }
        if kind == Kind::Real && is_long {
            bytes = 16;
        }
        let number = Element::number(kind, bytes);
        plain(if is_complex { Element { bytes: Some((2 * bytes, bytes)), ..number } } else { number })
    }

    fn named_or_here(self, structure: &StructType, depth: usize) -> Element {
        let here = || self.read(structure, depth).map(|its| StructureName::Here(Arc::new(its)));
        let tag = || structure.identifier.as_ref().map(|tag| StructureName::Tag(tag.node.name.clone()));
        here().or_else(tag).map_or(Element::unknown(Kind::Unknown), Element::structure)
    }

    /// What the name of a type stands for.
    fn named(self, name: &str, depth: usize) -> Option<Shape> {
        once(&self.cache.types, name, || {
            if depth > DEEPEST {
                return None;
            }
            self.file.declaration_of(name, usize::MAX, |specifiers, declarator| {
                if !is_typedef(specifiers) {
                    return None;
                }
                let has_members = |its: &TypeSpecifier| match its {
                    TypeSpecifier::Struct(its) => its.node.declarations.is_some(),
                    _ => false,
                };
                let base = match type_specifiers(specifiers).any(has_members) {
                    true => {
                        let element = Element::structure(StructureName::Type(name.to_owned()));
                        Shape { extents: Vec::new(), element }
                    }
                    false => self.base(type_specifiers(specifiers), depth + 1),
                };
                let mut extents = extents(declarator, constant);
                extents.extend(base.extents);
                Some(Shape { extents, element: base.element })
            })?
        })
    }

    fn structure(self, name: &StructureName, depth: usize) -> Option<Arc<Structure>> {
        let read = |its: &StructType| self.read(its, depth + 1).map(Arc::new);
        match name {
            _ if depth > DEEPEST => None,
            StructureName::Here(structure) => Some(structure.clone()),
            StructureName::Tag(tag) => once(&self.cache.structures, &format!("struct {tag}"), || {
                self.file.structure_of(tag, read)?
            }),
            StructureName::Type(name) if self.file.is_laid_out_otherwise(name) => None,
            StructureName::Type(name) => once(&self.cache.structures, name, || {
                self.file.declaration_of(name, usize::MAX, |specifiers, _| {
                    type_specifiers(specifiers).find_map(|its| match its {
                        TypeSpecifier::Struct(its) => read(&its.node),
                        _ => None,
                    })
                })?
            }),
        }
    }

    /// Reads the members between braces.
    fn read(self, structure: &StructType, depth: usize) -> Option<Structure> {
        let is_union = structure.kind.node == StructKind::Union;
        let mut found = Structure { members: HashMap::new(), bytes: Some((0, 1)) };
        for declaration in structure.declarations.as_ref()? {
            if let StructDeclaration::Field(field) = &declaration.node {
                self.read_field(&field.node, is_union, &mut found, depth);
            }
        }
        found.bytes = found
            .bytes
            .and_then(|(bytes, alignment)| Some((bytes.checked_next_multiple_of(alignment)?, alignment)));
        Some(found)
    }

    fn read_field(self, field: &StructField, is_union: bool, found: &mut Structure, depth: usize) {
        let specifiers = field.specifiers.iter().filter_map(|its| match &its.node {
            SpecifierQualifier::TypeSpecifier(specifier) => Some(&specifier.node),
            _ => None,
        });
        let base = self.base(specifiers, depth + 1);
        let mut add = |size: Option<(u32, u32)>| {
            found.bytes = found.bytes.zip(size).and_then(|((bytes, most), (size, alignment))| {
                let begin = if is_union { 0 } else { bytes.checked_next_multiple_of(alignment)? };
                Some((bytes.max(begin.checked_add(size)?), most.max(alignment)))
            });
        };
        if field.declarators.is_empty() {
            // The members of a structure without a name are those of the one around.
            add(self.size(&base.element, depth + 1));
            let inner = base.element.structure.as_ref().and_then(|name| self.structure(name, depth + 1));
            for (name, shape) in inner.iter().flat_map(|its| &its.members) {
                found.members.insert(name.clone(), shape.clone());
            }
            return;
        }
        for declarator in &field.declarators {
            let mut shape = base.clone();
            let named = declarator.node.declarator.as_ref().map(|its| &its.node);
            if let Some(named) = named {
                shape.extents.splice(0..0, extents(named, constant));
            }
            let is_field_of_bits = declarator.node.bit_width.is_some();
            add(if is_field_of_bits { None } else { self.size_of_shape(&shape, depth) });
            if let Some(name) = named.and_then(declared_name) {
                found.members.insert(name.to_owned(), shape);
            }
        }
    }

    fn size_of_shape(self, shape: &Shape, depth: usize) -> Option<(u32, u32)> {
        let mut elements = 1_u32;
        for extent in &shape.extents {
            match extent {
                Extent::Array(length) => elements = elements.checked_mul((*length)?)?,
                Extent::Pointer => return Some((elements.checked_mul(POINTER_BYTES)?, POINTER_BYTES)),
            }
        }
        let (bytes, alignment) = self.size(&shape.element, depth + 1)?;
        Some((elements.checked_mul(bytes)?, alignment))
    }
}

/// What was found before under a name, or is found now.
fn once<Found: Clone>(
    known: &RwLock<HashMap<String, Option<Found>>>,
    name: &str,
    find: impl FnOnce() -> Option<Found>,
) -> Option<Found> {
    if let Some(found) = known.read().unwrap_or_else(PoisonError::into_inner).get(name) {
        return found.clone();
    }
    let found = find();
    known.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), found.clone());
    found
}

/// The extents that a declarator gives to its name, the outermost first. A function counts as a pointer.
pub fn extents<'d, Length>(
    declarator: &'d Declarator,
    mut length: impl FnMut(&'d Node<Expression>) -> Option<Length>,
) -> Vec<Extent<Length>> {
    fn collect<'d, Length>(
        declarator: &'d Declarator,
        length: &mut dyn FnMut(&'d Node<Expression>) -> Option<Length>,
        found: &mut Vec<Extent<Length>>,
    ) {
        if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            collect(&inner.node, length, found);
        }
        let is_pointer = |its: &&Node<DerivedDeclarator>| matches!(its.node, DerivedDeclarator::Pointer(_));
        for derived in declarator.derived.iter().filter(|its| !is_pointer(its)) {
            found.push(match &derived.node {
                DerivedDeclarator::Array(array) => Extent::Array(match &array.node.size {
                    ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => length(size),
                    _ => None,
                }),
                _ => Extent::Pointer,
            });
        }
        found.extend(declarator.derived.iter().filter(is_pointer).map(|_| Extent::Pointer));
    }
    let mut found = Vec::new();
    collect(declarator, &mut length, &mut found);
    found
}

/// A whole number that literals make, as the lengths of arrays are.
pub fn constant(expression: &Node<Expression>) -> Option<u32> {
    match &expression.node {
        Expression::Constant(constant) => match &constant.node {
            Constant::Integer(number) => {
                let radix = match number.base {
                    IntegerBase::Decimal => 10,
                    IntegerBase::Octal => 8,
                    IntegerBase::Hexadecimal => 16,
                    IntegerBase::Binary => 2,
                };
                u32::from_str_radix(&number.number, radix).ok()
            }
            _ => None,
        },
        Expression::BinaryOperator(binary) => {
            let [left, right] = [constant(&binary.node.lhs)?, constant(&binary.node.rhs)?];
            match binary.node.operator.node {
                BinaryOperator::Plus => left.checked_add(right),
                BinaryOperator::Minus => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                BinaryOperator::Divide => left.checked_div(right),
                BinaryOperator::ShiftLeft => left.checked_shl(right),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::items::Tokens;
    use super::super::lex::lex;
    use super::*;

    /// Sizes are those that gcc gives on x86-64.
    #[test]
    fn members_and_sizes() {
        let source = "typedef unsigned char byte; typedef struct { double re, im; } Complex; typedef double vec3[3]; \
                      struct later; typedef struct later later_t; struct later { char a; short b[3]; later_t *next; \
                      union { int i; double d; byte c[9]; }; struct { float x, y; } at[2*2]; vec3 v; long double l; \
                      double (*f)(int); Complex z; }; struct bits { int a : 3; double d; }; \
                      struct packed { char a; double b; } __attribute__((packed)); typedef struct { int x; } *pointer; \
                      enum e { A }; struct one { enum e a; char b; }; struct own { struct own *left; struct unknown u; }; \
                      Complex z; vec3 *v; struct later l; pointer p; struct one o[4]; double _Complex c; struct bits b; \
                      struct packed k; struct own t; typedef circle round; typedef round circle; circle r; long n; struct huge { char all[4294967295]; double d; } h;";
        let tokens = Tokens::new(source.as_bytes(), lex(source.as_bytes(), 0, source.len()));
        let file = FileScope::new(tokens);
        let cache = LayoutCache::default();
        let layouts = Layouts::new(&file, &cache);
        let variable = |name: &str| layouts.of_variable(name, usize::MAX).unwrap();
        for (name, extents, bytes) in [
            ("z", 0, Some(16)),
            ("v", 2, Some(8)),
            ("l", 0, Some(144)),
            ("p", 1, Some(4)),
            ("o", 1, Some(8)),
            ("c", 0, Some(16)),
            ("b", 0, None),
            ("k", 0, None),
            ("t", 0, None),
            ("r", 0, None),
            ("n", 0, Some(8)),
            ("h", 0, None),
        ] {
            let shape = variable(name);
            assert_eq!((shape.extents.len(), layouts.bytes(&shape.element)), (extents, bytes), "{name}");
        }
        let later = variable("l").element;
        let member = |name: &str| layouts.member(&later, name).unwrap();
        assert_eq!(member("d").element.kind, Kind::Real, "of the union without a name");
        assert_eq!(member("at").extents, [Extent::Array(Some(4))]);
        assert_eq!(layouts.bytes(&member("at").element), Some(8));
        assert_eq!(member("v").extents, [Extent::Array(Some(3))]);
        let next = member("next");
        assert_eq!((&next.extents[..], layouts.bytes(&next.element)), (&[Extent::Pointer][..], Some(144)));
        assert_eq!(layouts.member(&variable("b").element, "d").unwrap().element.kind, Kind::Real);
        assert_eq!(layouts.member(&later, "none"), None);
    }
}
