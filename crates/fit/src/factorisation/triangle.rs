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

use nalgebra::{DMatrix, DMatrixView};

use super::householder::{absorb, absorb_with, copy, dot};
use crate::{Error, FitSamples};

/// Rows of a block. With the five columns of a typical model a block has 10 KiB and stays in the first-level cache;
/// the work on the triangle itself is spread over many rows. A little less than 256, so that the columns do not
/// start at equal offsets within pages (measured: 256 costs a tenth more).
pub(crate) const BLOCK_ROWS: usize = 248;

/// Binary exponent up to which columns are left as they are: squares of sums of such numbers are far from
/// overflow and underflow (the exponent of a double ends at 1023 and -1022).
const COMFORTABLE_EXPONENT: i32 = 300;

/// R, z and p of the header of this file, and how many samples they are of.
#[derive(Debug, Clone)]
pub(crate) struct Triangle {
    /// (k + 1) x (k + 1); column j is divided by `2^exponents[j]`.
    pub(crate) upper: DMatrix<f64>,
    pub(crate) exponents: Vec<i32>,
    pub(crate) samples_used: usize,
    pub(crate) samples_dropped: usize,
}

impl Triangle {
    /// Of samples that have been checked; those that are not usable are dropped.
    pub(crate) fn of_samples(samples: &FitSamples) -> Result<Triangle, Error> {
        let mut rows = PendingRows::new(samples.terms());
        pulp::Arch::new().dispatch(Push { rows: &mut rows, samples });
        let dropped = samples.len() - rows.used;
        if rows.used == 0 {
            return Err(Error::NoSamples { samples: dropped, dropped });
        }
        Ok(Triangle {
            upper: rows.upper,
            exponents: rows.exponents,
            samples_used: rows.used,
            samples_dropped: dropped,
        })
    }

    /// Of rows of k + 1 columns of ordinary magnitude, given by number, each a sample.
    pub(crate) fn of_rows<'a>(width: usize, count: usize, row: impl Fn(usize) -> &'a [f64]) -> Triangle {
        let mut upper = DMatrix::zeros(width, width);
        let stride = count.min(BLOCK_ROWS);
        let mut block = vec![0.0; width * stride];
        for start in (0..count).step_by(BLOCK_ROWS) {
            let rows = BLOCK_ROWS.min(count - start);
            for at in 0..rows {
                for (column, &value) in row(start + at).iter().enumerate() {
                    block[column * stride + at] = value;
                }
            }
            absorb(&mut upper, &mut block, stride, rows);
        }
        Triangle { upper, exponents: vec![0; width], samples_used: count, samples_dropped: 0 }
    }

    /// The problem of all rows of several parts together, in `terms` new terms: term j of a part becomes the term that
    /// its map names, or is left out. Two terms of one part that become the same are added: their coefficients are one.
    pub(crate) fn stack(parts: &[(&Triangle, &[Option<usize>])], terms: usize) -> Triangle {
        let width = terms + 1;
        let rows: usize = parts.iter().map(|(part, _)| part.upper.nrows()).sum();
        // The observations are the last column, before and behind.
        let columns = |part: &Triangle, map: &[Option<usize>]| {
            let targets: Vec<(usize, usize)> =
                map.iter().enumerate().filter_map(|(j, target)| Some((j, (*target)?))).collect();
            targets.into_iter().chain([(part.terms(), terms)])
        };
        let mut largest = vec![None; width];
        for (part, map) in parts {
            for (j, target) in columns(part, map) {
                largest[target] = largest[target].max(Some(part.exponents[j]));
            }
        }
        let exponents: Vec<i32> = largest.into_iter().map(Option::unwrap_or_default).collect();
        let mut block = vec![0.0; width * rows];
        let mut first = 0;
        for (part, map) in parts {
            for (j, target) in columns(part, map) {
                let exponent = part.exponents[j] - exponents[target];
                for i in 0..=j {
                    block[target * rows + first + i] += times_power_of_two(part.upper[(i, j)], exponent);
                }
            }
            first += part.upper.nrows();
        }
        let mut upper = DMatrix::zeros(width, width);
        absorb(&mut upper, &mut block, rows, rows);
        Triangle {
            upper,
            exponents,
            samples_used: parts.iter().map(|(part, _)| part.samples_used).sum(),
            samples_dropped: parts.iter().map(|(part, _)| part.samples_dropped).sum(),
        }
    }

    /// The problem in some of its terms only, the others having the coefficient 0.
    pub(crate) fn restrict(&self, terms: &[usize]) -> Triangle {
        let mut map = vec![None; self.terms()];
        for (new, &old) in terms.iter().enumerate() {
            map[old] = Some(new);
        }
        Triangle::stack(&[(self, &map)], terms.len())
    }

    /// Number of terms, k.
    pub(crate) fn terms(&self) -> usize {
        self.upper.ncols() - 1
    }

    /// R, k x k.
    pub(crate) fn r(&self) -> DMatrixView<'_, f64> {
        self.upper.view((0, 0), (self.terms(), self.terms()))
    }

    /// Column j of R, k entries.
    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.upper.as_slice()[j * self.upper.nrows()..][..self.terms()]
    }

    /// z, k entries.
    pub(crate) fn z(&self) -> &[f64] {
        self.column(self.terms())
    }

    /// Weighted sum of the squares of the observations.
    pub(crate) fn square_of_observed(&self) -> f64 {
        let terms = self.terms();
        times_power_of_two(self.upper.column(terms).norm(), self.exponents[terms]).powi(2)
    }

    /// |p|.
    pub(crate) fn remainder(&self) -> f64 {
        self.upper[(self.terms(), self.terms())].abs()
    }
}

/// Rows on their way into a triangle.
struct PendingRows {
    upper: DMatrix<f64>,
    exponents: Vec<i32>,
    /// k + 1 columns of `BLOCK_ROWS` entries: the weighted basis and the weighted observations.
    block: Vec<f64>,
    /// Roots of the weights.
    roots: Vec<f64>,
    /// Sums of the magnitudes in the columns of the block, and of the products with its first column.
    magnitudes: Vec<f64>,
    products: Vec<f64>,
    used: usize,
}

impl PendingRows {
    fn new(terms: usize) -> Self {
        let width = terms + 1;
        PendingRows {
            upper: DMatrix::zeros(width, width),
            exponents: vec![0; width],
            block: vec![0.0; width * BLOCK_ROWS],
            roots: vec![1.0; BLOCK_ROWS],
            magnitudes: vec![0.0; width],
            products: vec![0.0; width],
            used: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, samples: &FitSamples) {
        for start in (0..samples.len()).step_by(BLOCK_ROWS) {
            let rows = start..samples.len().min(start + BLOCK_ROWS);
            if self.fill(samples, rows.clone()) {
                self.reduce(rows.len());
            } else {
                self.push_usable(samples, rows);
            }
        }
    }

    /// Reduces those of some rows that are usable.
    #[cold]
    fn push_usable(&mut self, samples: &FitSamples, rows: Range<usize>) {
        let usable: Vec<usize> = rows.filter(|&row| samples.is_usable(row)).collect();
        if !usable.is_empty() {
            self.fill(&samples.select(&usable).borrow(), 0..usable.len());
            self.reduce(usable.len());
        }
    }

    /// Copies weighted rows into the block; whether all seem usable. Of large numbers the sum may overflow.
    #[inline(always)]
    fn fill(&mut self, samples: &FitSamples, rows: Range<usize>) -> bool {
        let count = rows.len();
        let roots = &mut self.roots[..count];
        let mut are_usable = true;
        if let Some(weights) = samples.weights.get(rows.clone()) {
            roots.iter_mut().zip(weights).for_each(|(root, weight)| *root = weight.sqrt());
            // Without a way out in between, so that several are compared at once.
            are_usable = roots.iter().fold(true, |all, &root| all & (root > 0.0) & (root < f64::INFINITY));
        }
        let factors = (!samples.weights.is_empty()).then_some(&*roots);
        for (j, source) in samples.basis.iter().chain([&samples.observed]).enumerate() {
            let source = &source[rows.clone()];
            let (before, target) = self.block.split_at_mut(j * BLOCK_ROWS);
            let target = &mut target[..count];
            let first = before.get(..count).unwrap_or(source);
            let sums = copy(target, source, factors, first);
            // The products of the first column with itself are not known before it is there.
            self.products[j] = if j == 0 { dot(target, target) } else { sums.products };
            self.magnitudes[j] = sums.magnitudes;
            are_usable &= sums.magnitudes.is_finite();
        }
        are_usable
    }

    /// Reduces the block into the triangle.
    #[inline(always)]
    fn reduce(&mut self, rows: usize) {
        self.used += rows;
        self.rescale(rows);
        if self.exponents.iter().all(|exponent| *exponent == 0) {
            absorb_with(self.products.clone(), &mut self.upper, &mut self.block, BLOCK_ROWS, rows);
        } else {
            absorb(&mut self.upper, &mut self.block, BLOCK_ROWS, rows);
        }
    }

    /// Divides columns of extreme magnitude by a power of two, which is exact, so that no square leaves the range
    /// of a double. Columns of ordinary magnitude are left alone.
    fn rescale(&mut self, rows: usize) {
        for (j, column) in self.block.chunks_exact_mut(BLOCK_ROWS).enumerate() {
            if self.magnitudes[j] == 0.0 {
                continue;
            }
            let exponent = exponent_of(self.magnitudes[j]);
            let mut above = self.upper.view_mut((0, j), (j + 1, 1));
            let is_untouched = above.iter().all(|entry| *entry == 0.0);
            let is_extreme = (exponent - self.exponents[j]).abs() > COMFORTABLE_EXPONENT;
            if is_extreme && (is_untouched || exponent > self.exponents[j]) {
                above.apply(|entry| *entry = times_power_of_two(*entry, self.exponents[j] - exponent));
                self.exponents[j] = exponent;
            }
            if self.exponents[j] != 0 {
                for value in &mut column[..rows] {
                    *value = times_power_of_two(*value, -self.exponents[j]);
                }
            }
        }
    }
}

/// Binary exponent of a positive number; the largest one for infinity.
pub(crate) fn exponent_of(magnitude: f64) -> i32 {
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

/// [`PendingRows::push`] with the widest vector registers that the processor has. Sums have as many lanes on all, so that results
/// are the same.
struct Push<'a> {
    rows: &'a mut PendingRows,
    samples: &'a FitSamples<'a>,
}

impl pulp::WithSimd for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        self.rows.push(self.samples);
    }
}
