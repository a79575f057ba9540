//! What declarations make of names: their shapes, the members of structures, and how many bytes they have, laid out as
//! compilers of 64-bit computers with pointers and `long` of eight bytes do.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use lang_c::ast::{
    DeclarationSpecifier, Declarator, Expression, StructDeclaration, StructField, StructKind, StructType,
    TypeSpecifier,
};
use lang_c::span::Node;

use super::file_scope::FileScope;
use super::shape::{
    ArrayExtent, Element, NumberKind, ObjectShape, Structure, StructureName, constant, extents,
};
use super::types::{
    Representation, Type, base_type, declared_name, is_typedef, type_qualified, type_specifiers,
};

/// Names of types that stand for each other; more of them, or structures in each other, are no C that compiles.
const DEEPEST: usize = 32;

/// Those of other computers are not known here.
pub const POINTER_BYTES: u32 = 8;

type FoundStructure<Key, Value> = RwLock<HashMap<Key, Option<Value>>>;

/// What was found out, so that no declaration is read twice.
#[derive(Debug, Default)]
pub struct LayoutCache {
    structures: FoundStructure<String, Arc<Structure>>,
    types: FoundStructure<String, ObjectShape>,
    /// By their names and the items that declare them.
    variables: FoundStructure<(String, usize), ObjectShape>,
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
    ) -> ObjectShape<Length> {
        let base = self.base(specifiers, 0).map(constant);
        let mut extents = declarator.map_or(Vec::new(), |its| extents(its, length));
        extents.extend(base.extents);
        ObjectShape { extents, element: base.element }
    }

    /// That of a variable of the file before the item with that index.
    pub fn of_variable(self, name: &str, before: usize) -> Option<ObjectShape> {
        self.file.items_naming(name, before).into_iter().find_map(|item| {
            once(&self.cache.variables, (name.to_owned(), item), || {
                self.file.declaration_in(item, name, |specifiers, declarator| {
                    self.shape(type_specifiers(specifiers), Some(declarator), constant, |length| length)
                })
            })
        })
    }

    /// Reads the last declaration of a name of a type.
    fn declaration_of<T>(
        self,
        name: &str,
        read: impl Fn(&[Node<DeclarationSpecifier>], &Declarator) -> T,
    ) -> Option<T> {
        let mut items = self.file.items_naming(name, usize::MAX).into_iter();
        items.find_map(|item| self.file.declaration_in(item, name, &read))
    }

    /// A member of a structure.
    pub fn member(self, element: &Element, name: &str) -> Option<ObjectShape> {
        self.structure_of(element, 0)?.members.get(name).cloned()
    }

    /// Whether two elements are of one type, as far as that is known: structures with the same members, numbers of one kind and size.
    pub fn are_same(self, one: &Element, other: &Element) -> bool {
        match (&one.structure, &other.structure) {
            (Some(own), Some(its)) => own == its || self.structure(own, 0) == self.structure(its, 0),
            _ => one == other,
        }
    }

    /// Whether it is a structure whose members are known, and no union.
    pub fn is_structure(self, element: &Element) -> bool {
        self.structure_of(element, 0).is_some_and(|its| !its.is_union)
    }

    /// Whether it is a union.
    pub fn is_union(self, element: &Element) -> bool {
        self.structure_of(element, 0).is_some_and(|its| its.is_union)
    }

    /// The names of the members of a structure, and of those of the structures within it.
    pub fn members_within(self, element: &Element) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.collect_members(element, 0, &mut found);
        found
    }

    fn collect_members(self, element: &Element, depth: usize, found: &mut BTreeSet<String>) {
        let structure = self.structure_of(element, depth);
        for (name, shape) in structure.iter().flat_map(|its| &its.members) {
            found.insert(name.clone());
            if !shape.extents.contains(&ArrayExtent::Pointer) {
                self.collect_members(&shape.element, depth + 1, found);
            }
        }
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

    fn base<'t>(
        self,
        specifiers: impl Iterator<Item = &'t TypeSpecifier> + Clone,
        depth: usize,
    ) -> ObjectShape {
        let plain = |element: Element| ObjectShape { extents: Vec::new(), element };
        let (kind, is_natural) =
            match base_type(specifiers.clone(), |name| self.file.lookup(name, usize::MAX)) {
                Type::Arithmetic(Representation::Real) => (NumberKind::Real, false),
                Type::Arithmetic(representation) => {
                    (NumberKind::Integer, representation == Representation::Natural)
                }
                _ => (NumberKind::Unknown, false),
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
        if kind == NumberKind::Real && is_long {
            bytes = 16;
        }
        let number = Element { is_natural, ..Element::number(kind, bytes) };
        plain(if is_complex { Element { bytes: Some((2 * bytes, bytes)), ..number } } else { number })
    }

    fn named_or_here(self, structure: &StructType, depth: usize) -> Element {
        let here = || self.read(structure, depth).map(|its| StructureName::Here(Arc::new(its)));
        let tag = || structure.identifier.as_ref().map(|tag| StructureName::Tag(tag.node.name.clone()));
        here().or_else(tag).map_or(Element::unknown(NumberKind::Unknown), Element::structure)
    }

    /// What the name of a type stands for.
    fn named(self, name: &str, depth: usize) -> Option<ObjectShape> {
        once(&self.cache.types, name.to_owned(), || {
            if depth > DEEPEST {
                return None;
            }
            self.declaration_of(name, |specifiers, declarator| {
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
                        ObjectShape { extents: Vec::new(), element }
                    }
                    false => self.base(type_specifiers(specifiers), depth + 1),
                };
                let mut extents = extents(declarator, constant);
                extents.extend(base.extents);
                Some(ObjectShape { extents, element: base.element })
            })?
        })
    }

    /// What is known of a structure; `None` of what is none.
    fn structure_of(self, element: &Element, depth: usize) -> Option<Arc<Structure>> {
        self.structure(element.structure.as_ref()?, depth)
    }

    fn structure(self, name: &StructureName, depth: usize) -> Option<Arc<Structure>> {
        let read = |its: &StructType, is_laid_out_otherwise: bool| {
            let read = self.read(its, depth + 1)?;
            Some(Arc::new(Structure { bytes: read.bytes.filter(|_| !is_laid_out_otherwise), ..read }))
        };
        match name {
            _ if depth > DEEPEST => None,
            StructureName::Here(structure) => Some(structure.clone()),
            StructureName::Tag(tag) => {
                once(&self.cache.structures, format!("struct {tag}"), || self.file.structure_of(tag, read)?)
            }
            StructureName::Type(name) => once(&self.cache.structures, name.clone(), || {
                let is_laid_out_otherwise = self.file.is_laid_out_otherwise(name);
                self.declaration_of(name, |specifiers, _| {
                    type_specifiers(specifiers).find_map(|its| match its {
                        TypeSpecifier::Struct(its) => read(&its.node, is_laid_out_otherwise),
                        _ => None,
                    })
                })?
            }),
        }
    }

    /// Reads the members between braces.
    fn read(self, structure: &StructType, depth: usize) -> Option<Structure> {
        let is_union = structure.kind.node == StructKind::Union;
        let mut found = Structure { members: HashMap::new(), bytes: Some((0, 1)), is_union };
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
        let base = self.base(type_qualified(&field.specifiers), depth + 1);
        let mut add = |size: Option<(u32, u32)>| {
            found.bytes = found.bytes.zip(size).and_then(|((bytes, most), (size, alignment))| {
                let begin = if is_union { 0 } else { bytes.checked_next_multiple_of(alignment)? };
                Some((bytes.max(begin.checked_add(size)?), most.max(alignment)))
            });
        };
        if field.declarators.is_empty() {
            // The members of a structure without a name are those of the one around.
            add(self.size(&base.element, depth + 1));
            let inner = self.structure_of(&base.element, depth + 1);
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

    fn size_of_shape(self, shape: &ObjectShape, depth: usize) -> Option<(u32, u32)> {
        let mut elements = 1_u32;
        for extent in &shape.extents {
            match extent {
                ArrayExtent::Array(length) => elements = elements.checked_mul((*length)?)?,
                ArrayExtent::Pointer => return Some((elements.checked_mul(POINTER_BYTES)?, POINTER_BYTES)),
            }
        }
        let (bytes, alignment) = self.size(&shape.element, depth + 1)?;
        Some((elements.checked_mul(bytes)?, alignment))
    }
}

/// What was found before under a name, or is found now.
fn once<Key: Eq + Hash, Value: Clone>(
    known: &FoundStructure<Key, Value>,
    key: Key,
    find: impl FnOnce() -> Option<Value>,
) -> Option<Value> {
    if let Some(found) = known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return found.clone();
    }
    let found = find();
    known.write().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
    found
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
        assert_eq!(member("d").element.kind, NumberKind::Real, "of the union without a name");
        assert_eq!(member("at").extents, [ArrayExtent::Array(Some(4))]);
        assert_eq!(layouts.bytes(&member("at").element), Some(8));
        assert_eq!(member("v").extents, [ArrayExtent::Array(Some(3))]);
        let next = member("next");
        assert_eq!(
            (&next.extents[..], layouts.bytes(&next.element)),
            (&[ArrayExtent::Pointer][..], Some(144))
        );
        assert_eq!(layouts.member(&variable("b").element, "d").unwrap().element.kind, NumberKind::Real);
        assert_eq!(layouts.member(&later, "none"), None);
    }
}
