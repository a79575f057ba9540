//! What arrays are made of, and how their elements are named.

use lang_c::ast::{
    ArraySize, BinaryOperator, Constant, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    IntegerBase, TypeSpecifier, UnaryOperator,
};
use lang_c::span::Node;

use crate::c::types::{Representation, Type, base_type};

/// The kind of a number, and the size of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    pub kind: Kind,
    pub bytes: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Unknown,
}

impl Kind {
    pub fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Real, _) | (_, Kind::Real) => Kind::Real,
            (Kind::Integer, Kind::Integer) => Kind::Integer,
            _ => Kind::Unknown,
        }
    }
}

/// The array, the subscripts, the outermost first, and whether a pointer moves on by one.
pub fn subscripts(expression: &Node<Expression>) -> (&Node<Expression>, Vec<&Node<Expression>>, bool) {
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

/// The size of the array behind each subscript of a declared name, the outermost first; none for pointers and where nothing is given.
pub fn array_sizes(declarator: &Declarator) -> Vec<Option<&Node<Expression>>> {
    let mut sizes = match &declarator.kind.node {
        DeclaratorKind::Declarator(inner) => array_sizes(&inner.node),
        _ => Vec::new(),
    };
    let is_pointer = |its: &&Node<DerivedDeclarator>| matches!(its.node, DerivedDeclarator::Pointer(_));
    let arrays = declarator.derived.iter().filter_map(|its| match &its.node {
        DerivedDeclarator::Array(array) => Some(match &array.node.size {
            ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => Some(&**size),
            _ => None,
        }),
        _ => None,
    });
    sizes.extend(arrays);
    sizes.extend(declarator.derived.iter().filter(is_pointer).map(|_| None));
    sizes
}

/// A whole number that is written out in decimal digits.
pub fn literal(expression: &Node<Expression>) -> Option<i64> {
    let Expression::Constant(constant) = &expression.node else { return None };
    match &constant.node {
        Constant::Integer(number) if number.base == IntegerBase::Decimal => number.number.parse().ok(),
        _ => None,
    }
}

/// What specifiers make of a name, pointers and arrays left out.
pub fn element_of<'a>(
    specifiers: impl Iterator<Item = &'a TypeSpecifier> + Clone,
    typedefs: impl Fn(&str) -> Option<Type>,
) -> Element {
    let kind = match base_type(specifiers.clone(), typedefs) {
        Type::Arithmetic(Representation::Real) => Kind::Real,
        Type::Arithmetic(_) => Kind::Integer,
        _ => Kind::Unknown,
    };
    let mut bytes = Some(4);
    for specifier in specifiers {
        bytes = match specifier {
            TypeSpecifier::Char | TypeSpecifier::Bool => Some(1),
            TypeSpecifier::Short => Some(2),
            TypeSpecifier::Long | TypeSpecifier::Double => Some(8),
            TypeSpecifier::TypedefName(_) if kind == Kind::Real => Some(8),
            TypeSpecifier::TypedefName(_) | TypeSpecifier::Struct(_) | TypeSpecifier::Complex => None,
            _ => bytes,
        };
    }
    Element { kind, bytes }
}
