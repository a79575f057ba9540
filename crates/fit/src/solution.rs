//! From the triangle to coefficients, rank and covariance.
//!
//! With c the norms of the columns of R, the scaled triangle R / c has columns of norm 1 (or 0). Its singular
//! values s_1 >= ... >= s_k say how well the data determine the coefficients, whatever the units of the columns
//! are; without scaling, a term like N log N beside a constant 1 would look undetermined just because it is large.
//! In scaled coordinates the answer is the shortest minimiser, V_r S_r^-1 U_r' z, with the r singular values above
//! the tolerance; dividing by c brings it back.

use crate::Error;
use crate::lanes::dot;
use crate::nonnegative::passive_terms;
use crate::reduced::Reduced;
use crate::spectrum::{Spectrum, norm};
use crate::triangle::{BLOCK_ROWS, times_power_of_two};

/// A singular value below k (16 + sqrt(n / 248)) units of rounding, times the largest one, counts as zero.
///
/// Entries of R carry rounding errors of some units of the last place of their column's norm, k columns combine,
/// and every block of 248 rows adds its errors at random. Measured on dependent columns (five kinds of columns,
/// k = 2 to 8) the ratio that should be zero stays below 1.6 k units up to n = 10^4 and reaches 9 k units at
/// n = 10^6, a tenth of this tolerance. The customary max(n, k) units would refuse well measured coefficients: at
/// n = 10^6 that is 2e-10, and 1, N, N log N, N^2 over a narrow interval has smaller ratios that mean something.
fn rank_tolerance(terms: usize, samples: usize) -> f64 {
    terms as f64 * (16.0 + (samples as f64 / BLOCK_ROWS as f64).sqrt()) * f64::EPSILON
}

/// Share of a null direction (of length 1, in scaled coordinates) from which a coefficient takes part in it.
/// Smaller shares are indistinguishable from the rounding error of the direction itself, and a coefficient moves
/// by this share of the common uncertainty only.
const NULL_SHARE: f64 = 1e-7;

/// The solution of one reduced problem.
#[derive(Debug, Clone)]
pub(crate) struct Solution {
    /// k coefficients in the units of the caller.
    pub(crate) coefficients: Vec<f64>,
    /// k x k, row-major: pseudo-inverse of A' S^2 A, the covariance for residual variance 1.
    pub(crate) unit_covariance: Vec<f64>,
    /// Roots of its diagonal, which may be in range where the squares are not.
    pub(crate) unit_errors: Vec<f64>,
    /// Independent columns among those that are not at the bound.
    pub(crate) rank: usize,
    /// Independent columns, whether their coefficients are at the bound or not.
    pub(crate) design_rank: usize,
    /// Largest over smallest singular value of the scaled triangle, infinite below full rank.
    pub(crate) condition: f64,
    pub(crate) undetermined: Vec<usize>,
    /// Coefficients that are 0 because they must not be negative, ascending.
    pub(crate) bounded: Vec<usize>,
    /// Weighted residual sum of squares as the triangle has it.
    pub(crate) residual_sum_of_squares: f64,
}

impl Solution {
    pub(crate) fn of(reduced: &Reduced) -> Result<Self, Error> {
        let terms = reduced.terms;
        let observed_exponent = reduced.exponents[terms];
        let mut columns: Vec<Vec<f64>> =
            (0..terms).map(|j| (0..terms).map(|i| reduced.triangle[i * terms + j]).collect()).collect();
        let scales: Vec<f64> = columns.iter_mut().map(|column| normalise(column)).collect();
        let spectrum = Spectrum::of(columns)?;
        let largest = spectrum.values.first().copied().unwrap_or(0.0);
        let tolerance = rank_tolerance(terms, reduced.samples_used) * largest;
        let rank = spectrum.values.iter().filter(|&&value| value > tolerance).count();

        let mut scaled = vec![0.0; terms];
        let mut unexplained = reduced.image.clone();
        for r in 0..rank {
            let along = dot(&spectrum.images[r], &reduced.image) / spectrum.values[r];
            for (sum, part) in scaled.iter_mut().zip(&spectrum.directions[r]) {
                *sum += along / spectrum.values[r] * part;
            }
            for (rest, part) in unexplained.iter_mut().zip(&spectrum.images[r]) {
                *rest -= along / spectrum.values[r] * part;
            }
        }
        let unscale = |value: f64, j: usize, exponent: i32| {
            times_power_of_two(value / scales[j], exponent - reduced.exponents[j])
        };
        let coefficients: Vec<f64> =
            scaled.iter().enumerate().map(|(j, &value)| unscale(value, j, observed_exponent)).collect();
        if !coefficients.iter().all(|value| value.is_finite()) {
            return Err(Error::Overflow { quantity: "value of a coefficient" });
        }

        let share = |j: usize, r: usize| spectrum.directions[r][j] / spectrum.values[r];
        let mut unit_covariance = Vec::with_capacity(terms * terms);
        for i in 0..terms {
            for j in 0..terms {
                let entry = (0..rank).map(|r| share(i, r) * share(j, r)).sum();
                unit_covariance.push(unscale(unscale(entry, i, 0), j, 0));
            }
        }

        let unit_errors = (0..terms)
            .map(|j| unscale((0..rank).map(|r| share(j, r).powi(2)).sum::<f64>().sqrt(), j, 0))
            .collect();

        // At full rank the triangle reproduces z exactly and only p is left.
        let rest = if rank < terms { norm(&unexplained) } else { 0.0 };
        let residual_norm = times_power_of_two(reduced.remainder.hypot(rest), observed_exponent);
        Ok(Solution {
            coefficients,
            unit_covariance,
            unit_errors,
            rank,
            design_rank: rank,
            condition: if rank < terms {
                f64::INFINITY
            } else {
                largest / spectrum.values.last().copied().unwrap_or(largest)
            },
            undetermined: (0..terms)
                .filter(|&j| {
                    spectrum.directions[rank..].iter().any(|direction| direction[j].abs() > NULL_SHARE)
                })
                .collect(),
            bounded: Vec::new(),
            residual_sum_of_squares: residual_norm * residual_norm,
        })
    }
}

impl Solution {
    /// With or without the bound 0 of the coefficients.
    pub(crate) fn with_bound(reduced: &Reduced, is_bounded: bool) -> Result<Self, Error> {
        let free = Solution::of(reduced)?;
        if !is_bounded || free.coefficients.iter().all(|value| *value >= 0.0) {
            return Ok(free);
        }
        free.bounded_at_zero(reduced)
    }

    /// For each determined direction the coefficients with which the weighted columns add up to a column of norm 1,
    /// orthogonal to those of the other directions. In the units of the caller.
    pub(crate) fn directions(reduced: &Reduced) -> Result<Vec<Vec<f64>>, Error> {
        let terms = reduced.terms;
        let mut columns: Vec<Vec<f64>> =
            (0..terms).map(|j| (0..terms).map(|i| reduced.triangle[i * terms + j]).collect()).collect();
        let scales: Vec<f64> = columns.iter_mut().map(|column| normalise(column)).collect();
        let spectrum = Spectrum::of(columns)?;
        let largest = spectrum.values.first().copied().unwrap_or(0.0);
        let tolerance = rank_tolerance(terms, reduced.samples_used) * largest;
        let determined =
            spectrum.values.iter().zip(&spectrum.directions).filter(|(value, _)| **value > tolerance);
        let unscaled = |(value, direction): (&f64, &Vec<f64>)| {
            let part = |(j, part): (usize, &f64)| {
                times_power_of_two(part / value / scales[j], -reduced.exponents[j])
            };
            direction.iter().enumerate().map(part).collect()
        };
        Ok(determined.map(unscaled).collect())
    }

    /// The smallest residual sum with coefficients of at least 0. Those at the bound have no share in the covariance;
    /// their standard errors are those that they would have if they alone were let free.
    fn bounded_at_zero(self, reduced: &Reduced) -> Result<Self, Error> {
        let terms = reduced.terms;
        let passive = passive_terms(reduced);
        let bounded: Vec<usize> = (0..terms).filter(|term| !passive.contains(term)).collect();
        let mut coefficients = vec![0.0; terms];
        let mut unit_covariance = vec![0.0; terms * terms];
        let mut unit_errors = vec![0.0; terms];
        for &term in &bounded {
            let mut wider = passive.clone();
            wider.push(term);
            unit_errors[term] = Solution::of(&reduced.restrict(&wider))?.unit_errors[passive.len()];
        }
        let inner = Solution::of(&reduced.restrict(&passive))?;
        for (i, &row) in passive.iter().enumerate() {
            coefficients[row] = inner.coefficients[i];
            unit_errors[row] = inner.unit_errors[i];
            for (j, &column) in passive.iter().enumerate() {
                unit_covariance[row * terms + column] = inner.unit_covariance[i * passive.len() + j];
            }
        }
        Ok(Solution {
            coefficients,
            unit_covariance,
            unit_errors,
            rank: inner.rank,
            bounded,
            residual_sum_of_squares: inner.residual_sum_of_squares,
            ..self
        })
    }
}

/// Divides a column by its norm and returns the norm; leaves a zero column alone and returns 1.
fn normalise(column: &mut [f64]) -> f64 {
    let length = norm(column);
    if length == 0.0 {
        return 1.0;
    }
    for value in column {
        *value /= length;
    }
    length
}
