//! Reflections that bring rows under a triangle back to triangular form.
//!
//! Floating point sums may not be reordered by the compiler, so a plain loop runs at the latency of one addition. Eight
//! independent partial sums, the lanes, added in a fixed order, let it use vector registers and give the same bits on
//! every machine; they also make the rounding error of a long sum eight times smaller.

use nalgebra::DMatrix;

/// Number of partial sums: two AVX or four SSE2 registers of doubles hide the latency of an addition.
const LANES: usize = 8;

/// Rotates rows into an upper triangle (Golub and Van Loan, Matrix Computations, 4th ed., sections 5.2 and 6.5).
///
/// `upper` is square. `block` holds as many columns, `stride` entries apart, of which the first `rows` are used;
/// afterwards they are spent. A reflection touches one row of the triangle and the block, because the rest of its column
/// is zero already.
#[inline(always)]
pub(super) fn absorb(upper: &mut DMatrix<f64>, block: &mut [f64], stride: usize, rows: usize) {
    let products = (0..upper.ncols()).map(|j| dot(&block[..rows], &block[j * stride..][..rows])).collect();
    absorb_with(products, upper, block, stride, rows);
}

/// The same if the products of the first column with all columns are known.
#[inline(always)]
pub(super) fn absorb_with(
    mut products: Vec<f64>,
    upper: &mut DMatrix<f64>,
    block: &mut [f64],
    stride: usize,
    rows: usize,
) {
    let width = upper.ncols();
    let mut square = products[0];
    let mut factors = vec![0.0; width];
    for pivot in 0..width {
        let (left, right) = block.split_at_mut((pivot + 1) * stride);
        let tail = &left[pivot * stride..][..rows];
        factors.fill(0.0);
        if square != 0.0 {
            let head = upper[(pivot, pivot)];
            // The sign is chosen so that `head - image` does not cancel.
            let image = -(head * head + square).sqrt().copysign(head);
            let gap = head - image;
            // With v = (1, tail / gap), the reflection is the identity minus (-gap / image) v v'.
            for column in pivot + 1..width {
                let step = (upper[(pivot, column)] + products[column] / gap) * (-gap / image);
                upper[(pivot, column)] -= step;
                factors[column] = step / gap;
            }
            upper[(pivot, pivot)] = image;
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

/// Sum of `a[i] * b[i]`.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (blocks_a, rest_a) = a.as_chunks::<LANES>();
    let (blocks_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in blocks_a.iter().zip(blocks_b) {
        lanes = plus(lanes, *x, *y);
    }
    for ((lane, &x), &y) in lanes.iter_mut().zip(rest_a).zip(rest_b) {
        *lane += x * y;
    }
    total(lanes)
}

/// Sums of a column that was copied.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ColumnSums {
    /// Of `|a[i]|`; not finite as soon as one entry is not.
    pub(super) magnitudes: f64,
    /// Of the products with another column.
    pub(super) products: f64,
}

/// `target[i] = source[i]`, times `factors[i]` if there are any, and its sums with `other`. In one go, as the processor
/// waits for the source meanwhile.
#[inline(always)]
pub(super) fn copy(target: &mut [f64], source: &[f64], factors: Option<&[f64]>, other: &[f64]) -> ColumnSums {
    match factors {
        None => copy_scaled(target, source, source, other, |value, _| value),
        Some(factors) => copy_scaled(target, source, factors, other, |value, factor| factor * value),
    }
}

#[inline(always)]
fn copy_scaled(
    target: &mut [f64],
    source: &[f64],
    factors: &[f64],
    other: &[f64],
    scaled: impl Fn(f64, f64) -> f64,
) -> ColumnSums {
    let (mut magnitudes, mut products) = ([0.0; LANES], [0.0; LANES]);
    let (blocks, rest) = target.as_chunks_mut::<LANES>();
    let (sources, rest_source) = source.as_chunks::<LANES>();
    let (factors, rest_factors) = factors.as_chunks::<LANES>();
    let (others, rest_other) = other.as_chunks::<LANES>();
    for (((target, source), factors), other) in blocks.iter_mut().zip(sources).zip(factors).zip(others) {
        let mut values = *source;
        for ((value, factor), magnitude) in values.iter_mut().zip(*factors).zip(&mut magnitudes) {
            *value = scaled(*value, factor);
            *magnitude += value.abs();
        }
        products = plus(products, values, *other);
        *target = values;
    }
    let rests = rest.iter_mut().zip(rest_source).zip(rest_factors).zip(rest_other);
    for (lane, (((target, source), factor), other)) in rests.enumerate() {
        *target = scaled(*source, *factor);
        magnitudes[lane] += target.abs();
        products[lane] += *target * other;
    }
    ColumnSums { magnitudes: total(magnitudes), products: total(products) }
}

/// `target[i] -= factor * direction[i]`; then the sum of `target[i] * other[i]`.
#[inline(always)]
fn subtract_then_dot(target: &mut [f64], factor: f64, direction: &[f64], other: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (blocks, rest) = target.as_chunks_mut::<LANES>();
    let (blocks_a, rest_a) = direction.as_chunks::<LANES>();
    let (blocks_b, rest_b) = other.as_chunks::<LANES>();
    for ((target, a), b) in blocks.iter_mut().zip(blocks_a).zip(blocks_b) {
        let left = less(*target, factor, *a);
        lanes = plus(lanes, left, *b);
        *target = left;
    }
    for (((lane, t), &a), &b) in lanes.iter_mut().zip(rest).zip(rest_a).zip(rest_b) {
        *t -= factor * a;
        *lane += *t * b;
    }
    total(lanes)
}

/// `target[i] -= factor * direction[i]`; then the sum of `target[i]^2`.
#[inline(always)]
fn subtract_then_square(target: &mut [f64], factor: f64, direction: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (blocks, rest) = target.as_chunks_mut::<LANES>();
    let (blocks_a, rest_a) = direction.as_chunks::<LANES>();
    for (target, a) in blocks.iter_mut().zip(blocks_a) {
        let left = less(*target, factor, *a);
        lanes = plus(lanes, left, left);
        *target = left;
    }
    for ((lane, t), &a) in lanes.iter_mut().zip(rest).zip(rest_a) {
        *t -= factor * a;
        *lane += *t * *t;
    }
    total(lanes)
}

/// Whole lanes by value: of lanes in memory the compiler would have to believe that they overlap.
#[inline(always)]
fn less(mut values: [f64; LANES], factor: f64, direction: [f64; LANES]) -> [f64; LANES] {
    for (value, direction) in values.iter_mut().zip(direction) {
        *value -= factor * direction;
    }
    values
}

/// Sums and products of so many lanes.
#[inline(always)]
fn plus(mut sums: [f64; LANES], a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
    for (sum, (a, b)) in sums.iter_mut().zip(a.into_iter().zip(b)) {
        *sum += a * b;
    }
    sums
}

/// The lanes added in a fixed order.
#[inline(always)]
fn total(lanes: [f64; LANES]) -> f64 {
    let half = [lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6], lanes[3] + lanes[7]];
    (half[0] + half[2]) + (half[1] + half[3])
}
