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
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    fold(a, b, |x, y| x * y)
}

/// Sum of `(a[i] - factor * b[i])^2`.
#[inline(always)]
pub(crate) fn sum_of_squared_gaps(a: &[f64], factor: f64, b: &[f64]) -> f64 {
    fold(a, b, |x, y| (x - factor * y) * (x - factor * y))
}

/// Sums of a column that was copied.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    /// Of `|a[i]|`; not finite as soon as one entry is not.
    pub(crate) magnitudes: f64,
    /// Of the products with another column.
    pub(crate) products: f64,
}

/// `target[i] = source[i]`, and its sums with `other`. In one go, as the processor waits for the source meanwhile.
#[inline(always)]
pub(crate) fn copy_and_sum(target: &mut [f64], source: &[f64], other: &[f64]) -> Sums {
    fill(target, source, source, other, |value, _| value)
}

/// `target[i] = source[i] * factors[i]`, and likewise.
#[inline(always)]
pub(crate) fn scale_and_sum(target: &mut [f64], source: &[f64], factors: &[f64], other: &[f64]) -> Sums {
    fill(target, source, factors, other, |value, factor| factor * value)
}

#[inline(always)]
fn fill(
    target: &mut [f64],
    source: &[f64],
    factors: &[f64],
    other: &[f64],
    scaled: impl Fn(f64, f64) -> f64,
) -> Sums {
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
    Sums { magnitudes: total(magnitudes), products: total(products) }
}

/// Sum of `|a[i]|`; not finite as soon as one entry is not.
#[inline(always)]
pub(crate) fn sum_of_magnitudes(a: &[f64]) -> f64 {
    fold(a, a, |x, _| x.abs())
}

/// `target[i] -= factor * direction[i]`; then the sum of `target[i] * other[i]`.
#[inline(always)]
pub(crate) fn subtract_then_dot(target: &mut [f64], factor: f64, direction: &[f64], other: &[f64]) -> f64 {
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
pub(crate) fn subtract_then_square(target: &mut [f64], factor: f64, direction: &[f64]) -> f64 {
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
