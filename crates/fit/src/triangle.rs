//! One pass over the rows: a small triangle that keeps all that a fit needs.
//!
//! Let A be the n x k design matrix, y the observations, S the diagonal matrix of the roots of the weights. An
//! orthogonal Q exists with
//!
//! ```text
//!           | R  z |   k rows         R  k x k upper triangle
//! Q S[A|y] = | 0  p |   1 row          z  k
//!           | 0  0 |                  p  root of the residual sum of squares (R regular)
//! ```
//!
//! and `|S(A b - y)|^2 = |R b - z|^2 + p^2` for every b. Rows arrive in blocks; a block is put under the triangle
//! and Householder reflections bring the pile back to triangular form (Golub and Van Loan, Matrix Computations,
//! 4th ed., sections 5.2 and 6.5). Memory is one block and one triangle whatever n is.
//!
//! The normal equations would be cheaper and are not formed: they square the condition number, and the residual
//! sum would come from a difference that cancels.

use std::ops::Range;

use crate::householder::{absorb, absorb_with};
use crate::lanes::{Sums, copy_and_sum, dot, scale_and_sum, sum_of_magnitudes};
use crate::reduced::Reduced;
use crate::spread::Spread;
use crate::{Error, Samples};

/// Rows of a block. With the five columns of a typical model a block has 10 KiB and stays in the first-level cache;
/// the work on the triangle itself is spread over many rows. A little less than 256, so that the columns do not
/// start at equal offsets within pages (measured: 256 costs a tenth more).
pub(crate) const BLOCK_ROWS: usize = 248;

/// Binary exponent up to which columns are left as they are: squares of sums of such numbers are far from
/// overflow and underflow (the exponent of a double ends at 1023 and -1022).
const COMFORTABLE_EXPONENT: i32 = 300;

/// The triangle, the block that is being filled, and what was counted on the way.
#[derive(Debug, Clone)]
pub(crate) struct Triangle {
    terms: usize,
    /// (k + 1) x (k + 1), row-major: R, z and p. Column j is held divided by `2^exponents[j]`.
    upper: Vec<f64>,
    exponents: Vec<i32>,
    /// k + 2 columns of `BLOCK_ROWS` entries: the weighted basis, the weighted observation, the root of the weight.
    block: Vec<f64>,
    filled: usize,
    /// k + 1 sums of the magnitudes in the filled part of the block.
    magnitudes: Vec<f64>,
    total: Spread,
    used: usize,
    dropped: usize,
}

impl Triangle {
    pub(crate) fn new(terms: usize) -> Self {
        let width = terms + 1;
        Triangle {
            terms,
            upper: vec![0.0; width * width],
            exponents: vec![0; width],
            block: vec![0.0; (width + 1) * BLOCK_ROWS],
            filled: 0,
            magnitudes: vec![0.0; width],
            total: Spread::default(),
            used: 0,
            dropped: 0,
        }
    }

    /// Number of terms, k.
    pub(crate) fn terms(&self) -> usize {
        self.terms
    }

    /// Samples that took part, and samples that could not.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.used, self.dropped)
    }

    /// Adds one row; its length has been checked.
    pub(crate) fn push(&mut self, basis: &[f64], observed: f64, root_weight: f64) {
        let row = basis.iter().map(|value| root_weight * value);
        for (column, value) in row.chain([root_weight * observed, root_weight]).enumerate() {
            self.block[column * BLOCK_ROWS + self.filled] = value;
        }
        self.accept(1);
    }

    /// Adds rows given as columns; they have been checked.
    pub(crate) fn push_all(&mut self, samples: &Samples) {
        pulp::Arch::new().dispatch(Push { triangle: self, samples });
    }

    #[inline(always)]
    fn push_columns(&mut self, samples: &Samples) {
        let mut start = 0;
        while start < samples.len() {
            if self.filled == 0 && self.take(samples, start..start + BLOCK_ROWS) {
                start += BLOCK_ROWS;
                continue;
            }
            let rows = (BLOCK_ROWS - self.filled).min(samples.len() - start);
            self.copy(samples, start, rows);
            self.accept(rows);
            start += rows;
        }
    }

    /// Reduces a whole block of rows at once. Returns false, and nothing has happened, if there are not so many or if some are
    /// unusable.
    #[inline(always)]
    fn take(&mut self, samples: &Samples, rows: Range<usize>) -> bool {
        let Some(observed) = samples.observed.get(rows.clone()) else { return false };
        let (columns, roots) = self.block.split_at_mut((self.terms + 1) * BLOCK_ROWS);
        if let Some(weights) = samples.weights.get(rows.clone()) {
            roots.iter_mut().zip(weights).for_each(|(root, weight)| *root = weight.sqrt());
            // Without a way out in between, so that several are compared at once.
            let are_usable =
                roots.iter().fold(true, |all, &root| all & (root > 0.0) & (root < f64::INFINITY));
            if !are_usable {
                return false;
            }
        } else {
            roots.fill(1.0);
        }
        let mut sums = Vec::with_capacity(self.terms + 1);
        let (first, others) = columns.split_at_mut(BLOCK_ROWS);
        let factors = (!samples.weights.is_empty()).then_some(&*roots);
        let source = samples.basis.first().map_or(observed, |column| &column[rows.clone()]);
        // Its products with itself are not known before it is there.
        let magnitudes = copy(first, source, factors, source).magnitudes;
        sums.push(Sums { magnitudes, products: dot(first, first) });
        let sources = samples.basis.iter().skip(1).map(|column| &column[rows.clone()]).chain([observed]);
        for (target, source) in others.chunks_exact_mut(BLOCK_ROWS).zip(sources) {
            sums.push(copy(target, source, factors, first));
        }
        if !sums.iter().all(|sums| sums.magnitudes.is_finite()) {
            return false;
        }
        self.magnitudes.iter_mut().zip(&sums).for_each(|(all, sums)| *all = sums.magnitudes);
        self.used += BLOCK_ROWS;
        self.filled = BLOCK_ROWS;
        self.reduce(Some(sums.iter().map(|sums| sums.products).collect()));
        true
    }

    /// Copies weighted rows behind the filled part of the block.
    fn copy(&mut self, samples: &Samples, start: usize, rows: usize) {
        let (columns, roots) = self.block.split_at_mut((self.terms + 1) * BLOCK_ROWS);
        let roots = &mut roots[self.filled..self.filled + rows];
        match samples.weights.get(start..start + rows) {
            Some(weights) => roots.iter_mut().zip(weights).for_each(|(root, weight)| *root = weight.sqrt()),
            None => roots.fill(1.0),
        }
        let sources = samples.basis.iter().chain([&samples.observed]);
        for (source, column) in sources.zip(columns.chunks_exact_mut(BLOCK_ROWS)) {
            let target = &mut column[self.filled..self.filled + rows];
            if samples.weights.is_empty() {
                target.copy_from_slice(&source[start..start + rows]);
            } else {
                let source = &source[start..start + rows];
                for ((value, &x), &root) in target.iter_mut().zip(source).zip(&*roots) {
                    *value = root * x;
                }
            }
        }
    }

    /// Takes over the rows just copied: closes the gaps of unusable ones, and reduces a full block.
    fn accept(&mut self, rows: usize) {
        let new = self.filled..self.filled + rows;
        let roots = &self.block[(self.terms + 1) * BLOCK_ROWS..][new.clone()];
        let mut clean = roots.iter().all(|&root| root > 0.0 && root < f64::INFINITY);
        for (column, sum) in self.block.chunks_exact(BLOCK_ROWS).zip(&mut self.magnitudes) {
            *sum += sum_of_magnitudes(&column[new.clone()]);
            clean &= sum.is_finite();
        }
        let mut kept = new.end;
        if !clean {
            kept = new.start;
            for row in new {
                let finite = self.block.chunks_exact(BLOCK_ROWS).all(|column| column[row].is_finite());
                if finite && self.block[(self.terms + 1) * BLOCK_ROWS + row] > 0.0 {
                    for column in self.block.chunks_exact_mut(BLOCK_ROWS) {
                        column[kept] = column[row];
                    }
                    kept += 1;
                }
            }
            for (column, sum) in self.block.chunks_exact(BLOCK_ROWS).zip(&mut self.magnitudes) {
                *sum = sum_of_magnitudes(&column[..kept]);
            }
        }
        let accepted = kept - self.filled;
        self.used += accepted;
        self.dropped += rows - accepted;
        self.filled = kept;
        if self.filled == BLOCK_ROWS {
            self.reduce(None);
        }
    }

    /// Reduces the block into the triangle and empties it. The products of the first column with all columns may be known.
    #[inline(always)]
    fn reduce(&mut self, products: Option<Vec<f64>>) {
        let rows = self.filled;
        let width = self.terms + 1;
        let (columns, roots) = self.block.split_at(width * BLOCK_ROWS);
        self.total.merge(Spread::of(&columns[self.terms * BLOCK_ROWS..][..rows], &roots[..rows]));
        self.rescale(rows);
        let is_as_it_was = self.exponents.iter().all(|exponent| *exponent == 0);
        let (upper, block) = (&mut self.upper, &mut self.block);
        match products.filter(|_| is_as_it_was) {
            Some(products) => absorb_with(products, upper, width, block, BLOCK_ROWS, rows),
            None => absorb(upper, width, block, BLOCK_ROWS, rows),
        }
        self.filled = 0;
    }

    /// Divides columns of extreme magnitude by a power of two, which is exact, so that no square leaves the range
    /// of a double. Columns of ordinary magnitude are left alone.
    fn rescale(&mut self, rows: usize) {
        let width = self.terms + 1;
        for (j, column) in self.block.chunks_exact_mut(BLOCK_ROWS).take(width).enumerate() {
            let column = &mut column[..rows];
            let magnitude = std::mem::take(&mut self.magnitudes[j]);
            if magnitude == 0.0 {
                continue;
            }
            let exponent = exponent_of(magnitude);
            let untouched = (0..=j).all(|i| self.upper[i * width + j] == 0.0);
            let strange = (exponent - self.exponents[j]).abs() > COMFORTABLE_EXPONENT;
            if strange && (untouched || exponent > self.exponents[j]) {
                for i in 0..=j {
                    let entry = &mut self.upper[i * width + j];
                    *entry = times_power_of_two(*entry, self.exponents[j] - exponent);
                }
                self.exponents[j] = exponent;
            }
            if self.exponents[j] != 0 {
                for value in column {
                    *value = times_power_of_two(*value, -self.exponents[j]);
                }
            }
        }
    }

    /// The triangle of all rows so far.
    pub(crate) fn finish(mut self) -> Result<Reduced, Error> {
        if self.used == 0 {
            return Err(Error::NoSamples { samples: self.dropped, dropped: self.dropped });
        }
        if self.filled > 0 {
            self.reduce(None);
        }
        let counts = (self.used, self.dropped);
        Ok(Reduced::of(self.terms, &self.upper, self.exponents, self.total, counts))
    }
}

/// Binary exponent of a positive number; the largest one for infinity.
fn exponent_of(magnitude: f64) -> i32 {
    magnitude.min(f64::MAX).log2().floor() as i32
}

/// `value * 2^exponent`, rounded once if it becomes subnormal; infinite or zero beyond the range.
pub(crate) fn times_power_of_two(value: f64, exponent: i32) -> f64 {
    let mut value = value;
    let mut left = exponent;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step);
        left -= step;
    }
    value
}

/// A column, times factors if there are any, and its sums with another one.
#[inline(always)]
fn copy(target: &mut [f64], source: &[f64], factors: Option<&[f64]>, other: &[f64]) -> Sums {
    match factors {
        None => copy_and_sum(target, source, other),
        Some(factors) => scale_and_sum(target, source, factors, other),
    }
}

/// [`Triangle::push_all`] with the widest vector registers that the processor has. Sums have as many lanes on all, so that results
/// are the same.
struct Push<'a> {
    triangle: &'a mut Triangle,
    samples: &'a Samples<'a>,
}

impl pulp::WithSimd for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        self.triangle.push_columns(self.samples);
    }
}
