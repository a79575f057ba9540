//! What a statement does: operations by kind, and the elements of arrays that it reads and writes.

use std::collections::BTreeMap;

use call_counting::Polynomial;
use lang_c::ast::BinaryOperator;

use crate::c::shape::NumberKind;

/// Kinds of operations, by their names in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationKind {
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

impl OperationKind {
    /// What an operator does with numbers of a kind.
    pub fn of(operator: &BinaryOperator, kind: NumberKind) -> OperationKind {
        use BinaryOperator as B;
        use OperationKind as O;
        let [add, multiply, divide] = match kind {
            NumberKind::Real => [O::FloatAdd, O::FloatMultiply, O::FloatDivide],
            NumberKind::Integer => [O::IntegerAdd, O::IntegerMultiply, O::IntegerDivide],
            NumberKind::Unknown => [O::UnknownAdd, O::UnknownMultiply, O::UnknownDivide],
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
            OperationKind::FloatAdd => "float-add",
            OperationKind::FloatMultiply => "float-multiply",
            OperationKind::FloatDivide => "float-divide",
            OperationKind::IntegerAdd => "integer-add",
            OperationKind::IntegerMultiply => "integer-multiply",
            OperationKind::IntegerDivide => "integer-divide",
            OperationKind::UnknownAdd => "unknown-add",
            OperationKind::UnknownMultiply => "unknown-multiply",
            OperationKind::UnknownDivide => "unknown-divide",
            OperationKind::Logic => "logic",
            OperationKind::Subscript => "subscript",
            OperationKind::Load => "load",
            OperationKind::Store => "store",
            OperationKind::Call => "call",
        }
    }
}

/// How far apart the elements are that a statement reaches in two iterations of its innermost loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessStride {
    /// So many elements.
    Elements(Polynomial),
    /// A further index changes: rows of the array.
    Row,
    /// Data decide.
    Irregular,
    /// It is not understood: a pointer that moves, a subscript that is computed before.
    Unknown,
}

impl AccessStride {
    /// That of what stays where it is.
    pub fn none() -> AccessStride {
        AccessStride::Elements(Polynomial::default())
    }

    /// Whether other iterations may reach other elements.
    pub fn varies(&self) -> bool {
        *self != AccessStride::none()
    }
}

/// An element of an array that a statement reads or writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementAccess {
    /// The array, as C names it.
    pub array: String,
    pub is_store: bool,
    /// Size of an element, where it is known.
    pub bytes: Option<u32>,
    /// From one iteration of each loop around to the next, the outermost first.
    pub strides: Vec<AccessStride>,
    /// Whether one subscript says which element it is.
    pub has_one_subscript: bool,
    /// How many elements the array has, where that is a number.
    pub array_elements: Option<i64>,
    /// Whether each run of the loops around reaches the same elements of the array.
    pub is_repeated: bool,
    /// Whether the name of the array stands for one of the function: a parameter, or a pointer.
    pub is_own_name: bool,
}

impl ElementAccess {
    /// The stride of the innermost loop.
    pub fn stride(&self) -> AccessStride {
        self.strides.last().cloned().unwrap_or_else(AccessStride::none)
    }
}

/// What a call gives to a parameter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GivenArray {
    /// A variable or an array; `&n` for an address.
    pub path: String,
    /// What it is of an array, where it is not all of that.
    pub part: Option<ArrayPart>,
}

/// What begins somewhere in an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArrayPart {
    /// So many subscripts lead to it, before those of the function that is called.
    pub rows: usize,
    pub begin: PartBegin,
}

/// Where it begins.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartBegin {
    /// So few elements behind the beginning as a number says.
    Near,
    /// Where this argument says.
    At(String),
    /// In several places.
    Several,
}

impl ArrayPart {
    /// The same in a loop, which may begin elsewhere each time.
    pub fn repeat(&mut self) {
        if self.begin != PartBegin::Near {
            self.begin = PartBegin::Several;
        }
    }
}

impl GivenArray {
    /// What it is where the array that it is of was given itself.
    pub fn within(&self, outer: &GivenArray) -> Option<GivenArray> {
        let Some(part) = &self.part else { return Some(outer.clone()) };
        let (outer_rows, is_near) = match &outer.part {
            _ if outer.path.starts_with('&') => return None,
            Some(outer) => (outer.rows, outer.begin == PartBegin::Near),
            None => (0, true),
        };
        let begin =
            if is_near && part.begin == PartBegin::Near { PartBegin::Near } else { PartBegin::Several };
        Some(GivenArray {
            path: outer.path.clone(),
            part: Some(ArrayPart { rows: outer_rows + part.rows, begin }),
        })
    }

    /// What begins anywhere in it.
    pub fn moved(self) -> Option<GivenArray> {
        let rows = self.rows();
        let is_address = self.path.starts_with('&');
        (!is_address)
            .then_some(GivenArray { part: Some(ArrayPart { rows, begin: PartBegin::Several }), ..self })
    }

    fn rows(&self) -> usize {
        self.part.as_ref().map_or(0, |part| part.rows)
    }

    /// What two calls give, if both are of one array.
    pub fn join(&self, other: &GivenArray) -> Option<GivenArray> {
        if self == other {
            return Some(self.clone());
        }
        let is_near = |its: &GivenArray| its.part.as_ref().is_none_or(|part| part.begin == PartBegin::Near);
        let begin = if is_near(self) && is_near(other) { PartBegin::Near } else { PartBegin::Several };
        let is_same = self.path == other.path && !self.path.starts_with('&') && self.rows() == other.rows();
        is_same.then(|| GivenArray { part: Some(ArrayPart { rows: self.rows(), begin }), ..self.clone() })
    }
}

/// What a statement does each time that it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementWork {
    /// Whether conditions in its expressions, as `c ? a : b`, decide about some of that.
    pub is_at_most: bool,
    pub operations: BTreeMap<OperationKind, u32>,
    /// Those of them that need the result of their own in the iteration before, as in a sum.
    pub chained: BTreeMap<OperationKind, u32>,
    pub accesses: Vec<ElementAccess>,
    /// The functions that it calls, with the arrays that it gives to them.
    pub calls: Vec<(String, Vec<Option<GivenArray>>)>,
    /// The numbers that each of these calls gives to the parameters, where they are some.
    pub given_numbers: Vec<Vec<Option<Polynomial>>>,
    /// The names that it gives other values.
    pub assigned: Vec<String>,
    /// The loops around it in its function, the outermost first.
    pub loops: Vec<LoopAround>,
}

/// A loop around a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopAround {
    /// Its place in the preprocessed text.
    pub offset: usize,
    /// The innermost loop around it in which it may have more iterations now than then.
    pub uneven_in: Option<usize>,
}
