//! The factorisations on which fits stand, each of them once.
//!
//! - [`householder`]: rows become a triangle in one pass. nalgebra's QR of a block of rows above the triangle takes three
//!   to four times as long for a model of four terms (27 to 35 ns a row instead of 8.4, of which reading is half), as it
//!   runs over the columns twice a reflection and does not choose the vector registers.
//! - [`givens`]: a triangle that grows row by row and knows its residual sum after each.
//! - [`svd`]: the singular values of a triangle, by Jacobi rotations.
//! - [`double_double`]: least squares with twice the digits.
//! - [`triangle`]: what they pass on.

pub(crate) mod double_double;
pub(crate) mod givens;
mod householder;
pub(crate) mod svd;
pub(crate) mod triangle;

pub(crate) use householder::dot;

/// Euclidean norm.
pub(crate) fn norm(column: &[f64]) -> f64 {
    dot(column, column).sqrt()
}
