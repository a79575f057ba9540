//! What a name stands for: a number, a structure, or arrays of them and pointers to them.

use std::collections::HashMap;
use std::sync::Arc;

use lang_c::ast::{
    ArraySize, BinaryOperator, Constant, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    IntegerBase,
};
use lang_c::span::Node;

/// The kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberKind {
    Real,
    Integer,
    Unknown,
}

impl NumberKind {
    /// Of what is computed from both.
    pub fn join(self, other: NumberKind) -> NumberKind {
        match (self, other) {
            (NumberKind::Real, _) | (_, NumberKind::Real) => NumberKind::Real,
            (NumberKind::Integer, NumberKind::Integer) => NumberKind::Integer,
            _ => NumberKind::Unknown,
        }
    }
}

/// A number or a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    pub kind: NumberKind,
    /// Whether it is a number without a sign.
    pub(super) is_natural: bool,
    /// Size and alignment of a number, where they are known.
    pub(super) bytes: Option<(u32, u32)>,
    pub(super) structure: Option<StructureName>,
}

impl Element {
    /// Whether it is known what it is.
    pub fn is_known(&self) -> bool {
        self.structure.is_some() || self.kind != NumberKind::Unknown
    }

    pub(super) fn number(kind: NumberKind, bytes: u32) -> Element {
        Element { bytes: Some((bytes, bytes)), ..Element::unknown(kind) }
    }

    pub(super) fn unknown(kind: NumberKind) -> Element {
        Element { kind, is_natural: false, bytes: None, structure: None }
    }

    pub(super) fn structure(name: StructureName) -> Element {
        Element { structure: Some(name), ..Element::unknown(NumberKind::Unknown) }
    }
}

/// Where the members of a structure are declared.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum StructureName {
    Tag(String),
    Type(String),
    Here(Arc<Structure>),
}

/// A structure or union.
#[derive(Debug, PartialEq)]
pub struct Structure {
    pub(super) members: HashMap<String, ObjectShape>,
    pub(super) is_union: bool,
    /// Its size and alignment, where those of all members are known.
    pub(super) bytes: Option<(u32, u32)>,
}

/// An extent of an array, or that it is a pointer.
#[derive(Debug, Clone, PartialEq)]
pub enum ArrayExtent<Length> {
    Array(Option<Length>),
    Pointer,
}

/// What a name stands for: behind so many subscripts, the outermost first, there are such elements.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectShape<Length = u32> {
    pub extents: Vec<ArrayExtent<Length>>,
    pub element: Element,
}

impl<Length> ObjectShape<Length> {
    /// The same with lengths of another type.
    pub fn map<Other>(self, convert: impl Fn(Length) -> Other) -> ObjectShape<Other> {
        let extents = self.extents.into_iter().map(|extent| match extent {
            ArrayExtent::Array(length) => ArrayExtent::Array(length.map(&convert)),
            ArrayExtent::Pointer => ArrayExtent::Pointer,
        });
        ObjectShape { extents: extents.collect(), element: self.element }
    }
}

/// The extents that a declarator gives to its name, the outermost first. A function counts as a pointer.
pub fn extents<'d, Length>(
    declarator: &'d Declarator,
    mut length: impl FnMut(&'d Node<Expression>) -> Option<Length>,
) -> Vec<ArrayExtent<Length>> {
    fn collect<'d, Length>(
        declarator: &'d Declarator,
        length: &mut dyn FnMut(&'d Node<Expression>) -> Option<Length>,
        found: &mut Vec<ArrayExtent<Length>>,
    ) {
        if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            collect(&inner.node, length, found);
        }
        let is_pointer = |its: &&Node<DerivedDeclarator>| matches!(its.node, DerivedDeclarator::Pointer(_));
        for derived in declarator.derived.iter().filter(|its| !is_pointer(its)) {
            found.push(match &derived.node {
                DerivedDeclarator::Array(array) => ArrayExtent::Array(match &array.node.size {
                    ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => length(size),
                    _ => None,
                }),
                _ => ArrayExtent::Pointer,
            });
        }
        found.extend(declarator.derived.iter().filter(is_pointer).map(|_| ArrayExtent::Pointer));
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
