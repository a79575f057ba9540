//! What a statement does: operations by kind, and the elements of arrays that it reads and writes.

use std::collections::BTreeMap;

use call_counting::Polynomial;
use lang_c::ast::BinaryOperator;

use crate::c::shape::Kind;

/// Kinds of operations, by their names in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    FloatAdd,
    FloatMultiply,
    FloatDivide,
    IntegerAdd,
    IntegerMultiply,
    IntegerDivide,
    /// Arithmetic of numbers whose type is not understood.
    UnknownAdd,
    UnknownMultiply,
    UnknownDivide,
    /// Comparisons, logic, bits.
    Logic,
    /// Arithmetic within subscripts.
    Subscript,
    Load,
    Store,
    Call,
}

impl Operation {
    /// What an operator does with numbers of a kind.
    pub fn of(operator: &BinaryOperator, kind: Kind) -> Operation {
        use BinaryOperator as B;
        use Operation as O;
        let [add, multiply, divide] = match kind {
            Kind::Real => [O::FloatAdd, O::FloatMultiply, O::FloatDivide],
            Kind::Integer => [O::IntegerAdd, O::IntegerMultiply, O::IntegerDivide],
            Kind::Unknown => [O::UnknownAdd, O::UnknownMultiply, O::UnknownDivide],
        };
        match operator {
            B::Plus | B::Minus | B::AssignPlus | B::AssignMinus => add,
            B::Multiply | B::AssignMultiply => multiply,
            B::Divide | B::Modulo | B::AssignDivide | B::AssignModulo => divide,
            _ => O::Logic,
        }
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Operation::FloatAdd => "float-add",
            Operation::FloatMultiply => "float-multiply",
            Operation::FloatDivide => "float-divide",
            Operation::IntegerAdd => "integer-add",
            Operation::IntegerMultiply => "integer-multiply",
            Operation::IntegerDivide => "integer-divide",
            Operation::UnknownAdd => "unknown-add",
            Operation::UnknownMultiply => "unknown-multiply",
            Operation::UnknownDivide => "unknown-divide",
            Operation::Logic => "logic",
            Operation::Subscript => "subscript",
            Operation::Load => "load",
            Operation::Store => "store",
            Operation::Call => "call",
        }
    }
}

/// How far apart the elements are that a statement reaches in two iterations of its innermost loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stride {
    /// So many elements.
    Elements(Polynomial),
    /// A further index changes: rows of the array.
    Row,
    /// Data decide.
    Irregular,
    /// It is not understood: a pointer that moves, a subscript that is computed before.
    Unknown,
}

impl Stride {
    /// That of what stays where it is.
    pub fn none() -> Stride {
        Stride::Elements(Polynomial::default())
    }

    /// Whether other iterations may reach other elements.
    pub fn varies(&self) -> bool {
        *self != Stride::none()
    }
}

/// An element of an array that a statement reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The array, as C names it.
    pub array: String,
    pub is_store: bool,
    /// Size of an element, where it is known.
    pub bytes: Option<u32>,
    /// From one iteration of each loop around to the next, the outermost first.
    pub strides: Vec<Stride>,
}

impl Access {
    /// The stride of the innermost loop.
    pub fn stride(&self) -> Stride {
        self.strides.last().cloned().unwrap_or_else(Stride::none)
    }
}

/// What a statement does each time that it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// Whether conditions in its expressions, as `c ? a : b`, decide about some of that.
    pub is_at_most: bool,
    pub operations: BTreeMap<Operation, u32>,
    /// Those of them that need the result of their own in the iteration before, as in a sum.
    pub chained: BTreeMap<Operation, u32>,
    pub accesses: Vec<Access>,
    /// The loops around it in its function, the outermost first, by their places in the preprocessed text.
    pub loops: Vec<usize>,
}
