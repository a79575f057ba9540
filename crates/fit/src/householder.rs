//! Reflections that bring rows under a triangle back to triangular form.

use crate::lanes::{dot, subtract_multiple};

/// Rotates rows into an upper triangle (Golub and Van Loan, Matrix Computations, 4th ed., sections 5.2 and 6.5).
///
/// `upper` is width x width, row-major. `block` holds `width` columns, `stride` entries apart, of which the first
/// `rows` are used; afterwards they are spent. A reflection touches one row of the triangle and the block, because the
/// rest of its column is zero already.
pub(crate) fn absorb(upper: &mut [f64], width: usize, block: &mut [f64], stride: usize, rows: usize) {
    for pivot in 0..width {
        let (left, right) = block.split_at_mut((pivot + 1) * stride);
        let tail = &left[pivot * stride..][..rows];
        let tail_square = dot(tail, tail);
        if tail_square == 0.0 {
            continue;
        }
        let row = &mut upper[pivot * width..][..width];
        let head = row[pivot];
        // The sign is chosen so that `head - image` does not cancel.
        let image = -(head * head + tail_square).sqrt().copysign(head);
        let gap = head - image;
        // With v = (1, tail / gap), the reflection is the identity minus (-gap / image) v v'.
        for column in pivot + 1..width {
            let target = &mut right[(column - pivot - 1) * stride..][..rows];
            let step = (row[column] + dot(tail, target) / gap) * (-gap / image);
            row[column] -= step;
            subtract_multiple(target, step / gap, tail);
        }
        row[pivot] = image;
    }
}
