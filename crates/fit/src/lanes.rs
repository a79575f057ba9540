//! Sums over columns in a fixed number of lanes.
//!
//! Floating point sums may not be reordered by the compiler, so a plain loop runs at the latency of one addition.
//! Eight independent partial sums, added in a fixed order, let it use vector registers and give the same bits on
//! every machine; they also make the rounding error of a long sum eight times smaller.

/// Number of partial sums: two AVX or four SSE2 registers of doubles hide the latency of an addition.
const LANES: usize = 8;

#[inline(always)]
fn fold(a: &[f64], b: &[f64], product: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let (blocks_a, rest_a) = a.as_chunks::<LANES>();
    let (blocks_b, rest_b) = b.as_chunks::<LANES>();
    for (x, y) in blocks_a.iter().zip(blocks_b) {
        for ((lane, &x), &y) in lanes.iter_mut().zip(x).zip(y) {
            *lane += product(x, y);
        }
    }
    for ((lane, &x), &y) in lanes.iter_mut().zip(rest_a).zip(rest_b) {
        *lane += product(x, y);
    }
    total(lanes)
}

/// Sum of `a[i] * b[i]`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    fold(a, b, |x, y| x * y)
}

/// Sum of `(a[i] - factor * b[i])^2`.
pub(crate) fn sum_of_squared_gaps(a: &[f64], factor: f64, b: &[f64]) -> f64 {
    fold(a, b, |x, y| (x - factor * y) * (x - factor * y))
}

/// Sum of `|a[i]|`; not finite as soon as one entry is not.
pub(crate) fn sum_of_magnitudes(a: &[f64]) -> f64 {
    fold(a, a, |x, _| x.abs())
}

/// `target[i] -= factor * direction[i]`; then the sum of `target[i] * other[i]`.
pub(crate) fn subtract_then_dot(target: &mut [f64], factor: f64, direction: &[f64], other: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (blocks, rest) = target.as_chunks_mut::<LANES>();
    let (blocks_a, rest_a) = direction.as_chunks::<LANES>();
    let (blocks_b, rest_b) = other.as_chunks::<LANES>();
    for ((t, a), b) in blocks.iter_mut().zip(blocks_a).zip(blocks_b) {
        for (((lane, t), &a), &b) in lanes.iter_mut().zip(t).zip(a).zip(b) {
            *t -= factor * a;
            *lane += *t * b;
        }
    }
    for (((lane, t), &a), &b) in lanes.iter_mut().zip(rest).zip(rest_a).zip(rest_b) {
        *t -= factor * a;
        *lane += *t * b;
    }
    total(lanes)
}

/// `target[i] -= factor * direction[i]`; then the sum of `target[i]^2`.
pub(crate) fn subtract_then_square(target: &mut [f64], factor: f64, direction: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (blocks, rest) = target.as_chunks_mut::<LANES>();
    let (blocks_a, rest_a) = direction.as_chunks::<LANES>();
    for (t, a) in blocks.iter_mut().zip(blocks_a) {
        for ((lane, t), &a) in lanes.iter_mut().zip(t).zip(a) {
            *t -= factor * a;
            *lane += *t * *t;
        }
    }
    for ((lane, t), &a) in lanes.iter_mut().zip(rest).zip(rest_a) {
        *t -= factor * a;
        *lane += *t * *t;
    }
    total(lanes)
}

/// The lanes added in a fixed order.
fn total(lanes: [f64; LANES]) -> f64 {
    let half = [lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6], lanes[3] + lanes[7]];
    (half[0] + half[2]) + (half[1] + half[3])
}
