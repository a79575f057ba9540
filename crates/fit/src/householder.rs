//! Reflections that bring rows under a triangle back to triangular form.

use crate::lanes::{dot, subtract_then_dot, subtract_then_square};

/// Rotates rows into an upper triangle (Golub and Van Loan, Matrix Computations, 4th ed., sections 5.2 and 6.5).
///
/// `upper` is width x width, row-major. `block` holds `width` columns, `stride` entries apart, of which the first
/// `rows` are used; afterwards they are spent. A reflection touches one row of the triangle and the block, because the
/// rest of its column is zero already.
#[inline(always)]
pub(crate) fn absorb(upper: &mut [f64], width: usize, block: &mut [f64], stride: usize, rows: usize) {
    let products = (0..width).map(|j| dot(&block[..rows], &block[j * stride..][..rows])).collect();
    absorb_with(products, upper, width, block, stride, rows);
}

/// The same if the products of the first column with all columns are known.
#[inline(always)]
pub(crate) fn absorb_with(
    mut products: Vec<f64>,
    upper: &mut [f64],
    width: usize,
    block: &mut [f64],
    stride: usize,
    rows: usize,
) {
    let mut square = products[0];
    let mut factors = vec![0.0; width];
    for pivot in 0..width {
        let (left, right) = block.split_at_mut((pivot + 1) * stride);
        let tail = &left[pivot * stride..][..rows];
        factors.fill(0.0);
        if square != 0.0 {
            let row = &mut upper[pivot * width..][..width];
            let head = row[pivot];
            // The sign is chosen so that `head - image` does not cancel.
            let image = -(head * head + square).sqrt().copysign(head);
            let gap = head - image;
            // With v = (1, tail / gap), the reflection is the identity minus (-gap / image) v v'.
            for column in pivot + 1..width {
                let step = (row[column] + products[column] / gap) * (-gap / image);
                row[column] -= step;
                factors[column] = step / gap;
            }
            row[pivot] = image;
        }
        // While a column is at hand, its product with the next pivot's column is taken too.
        if pivot + 1 == width {
            return;
        }
        let (next, others) = right.split_at_mut(stride);
        let next = &mut next[..rows];
        square = subtract_then_square(next, factors[pivot + 1], tail);
        for (offset, other) in others.chunks_mut(stride).take(width - pivot - 2).enumerate() {
            let column = pivot + 2 + offset;
            products[column] = subtract_then_dot(&mut other[..rows], factors[column], tail, next);
        }
    }
}
