//! From the triangle to coefficients, rank and covariance.
//!
//! With c the norms of the columns of R, the scaled triangle R / c has columns of norm 1 (or 0). Its singular
//! values s_1 >= ... >= s_k say how well the data determine the coefficients, whatever the units of the columns
//! are; without scaling, a term like N log N beside a constant 1 would look undetermined just because it is large.
//! In scaled coordinates the answer is the shortest minimiser, V_r S_r^-1 U_r' z, with the r singular values above
//! the tolerance; dividing by c brings it back.

//!
//! Constants that must not be negative are found by the active-set method of Lawson and Hanson (Solving Least Squares
//! Problems, 1974, chapter 23), on the triangle that is left of the rows: constants at the bound 0 are active, the others
//! passive. A constant becomes passive where that lowers the residual sum, and active again where the passive ones would
//! need a negative value. Each passive set is solved by reflections, never by normal equations.

use nalgebra::{DMatrix, DVector, DVectorViewMut};

use crate::Error;
use crate::factorisation::svd::Svd;
use crate::factorisation::triangle::{BLOCK_ROWS, Triangle, times_power_of_two};
use crate::factorisation::{dot, norm};

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

/// A gradient or diagonal entry of this many units of rounding, relative to what it is made of, is zero.
const UNITS: f64 = 64.0;

/// The solution of one triangle.
#[derive(Debug, Clone)]
pub(crate) struct Solution {
    /// k coefficients in the units of the caller.
    pub(crate) coefficients: Vec<f64>,
    /// k x k: pseudo-inverse of A' S^2 A, the covariance for residual variance 1.
    pub(crate) unit_covariance: DMatrix<f64>,
    /// Roots of its diagonal, which may be in range where the squares are not.
    pub(crate) unit_errors: Vec<f64>,
    /// Independent columns among those that are not at the bound.
    pub(crate) rank: usize,
    /// Independent columns, whether their coefficients are at the bound or not.
    pub(crate) design_rank: usize,
    /// Largest over smallest singular value of the scaled triangle, infinite below full rank.
    pub(crate) condition: f64,
    /// Changes of the coefficients that change no fitted value, in the units of the caller.
    pub(crate) null_directions: Vec<Vec<f64>>,
    /// Coefficients that are 0 because they must not be negative, ascending.
    pub(crate) bounded: Vec<usize>,
    /// Weighted residual sum of squares as the triangle has it.
    pub(crate) residual_sum_of_squares: f64,
}

/// The singular values of a triangle whose columns are scaled to norm 1.
struct Scaled<'a> {
    triangle: &'a Triangle,
    /// The norms of the columns; 1 for those that are zero.
    norms: Vec<f64>,
    svd: Svd,
    rank: usize,
}

impl<'a> Scaled<'a> {
    fn of(triangle: &'a Triangle) -> Result<Self, Error> {
        let mut columns = triangle.r().into_owned();
        let norms = columns.column_iter_mut().map(normalise).collect();
        let svd = Svd::of(columns)?;
        let largest = svd.values.first().copied().unwrap_or(0.0);
        let tolerance = rank_tolerance(triangle.terms(), triangle.samples_used) * largest;
        let rank = svd.values.iter().filter(|&&value| value > tolerance).count();
        Ok(Scaled { triangle, norms, svd, rank })
    }

    /// What belongs to the scaled column j in the units of the caller.
    fn unscaled(&self, value: f64, j: usize, exponent: i32) -> f64 {
        times_power_of_two(value / self.norms[j], exponent - self.triangle.exponents[j])
    }

    /// Column j in the determined direction r, for a change of the fitted values of norm 1.
    fn share(&self, j: usize, r: usize) -> f64 {
        self.svd.directions[(j, r)] / self.svd.values[r]
    }

    fn unit_covariance(&self) -> DMatrix<f64> {
        let entry = |i: usize, j: usize| (0..self.rank).map(|r| self.share(i, r) * self.share(j, r)).sum();
        let terms = self.triangle.terms();
        DMatrix::from_fn(terms, terms, |i, j| self.unscaled(self.unscaled(entry(i, j), i, 0), j, 0))
    }

    fn unit_error(&self, j: usize) -> f64 {
        let square: f64 = (0..self.rank).map(|r| self.share(j, r).powi(2)).sum();
        self.unscaled(square.sqrt(), j, 0)
    }

    fn condition(&self) -> f64 {
        match (self.svd.values.first(), self.svd.values.last()) {
            _ if self.rank < self.triangle.terms() => f64::INFINITY,
            (Some(largest), Some(smallest)) => largest / smallest,
            _ => 1.0,
        }
    }

    /// In the units of the caller, without the shares of those coefficients that take no part.
    fn null_directions(&self) -> Vec<Vec<f64>> {
        let share = |j: usize, r: usize| match self.svd.directions[(j, r)] {
            share if share.abs() > NULL_SHARE => self.unscaled(share, j, 0),
            _ => 0.0,
        };
        let terms = self.triangle.terms();
        (self.rank..terms).map(|r| (0..terms).map(|j| share(j, r)).collect()).collect()
    }
}

impl Solution {
    /// Without bounds.
    fn free(triangle: &Triangle) -> Result<Self, Error> {
        let terms = triangle.terms();
        let observed_exponent = triangle.exponents[terms];
        let scaled = Scaled::of(triangle)?;
        let (svd, rank) = (&scaled.svd, scaled.rank);
        let mut shortest = DVector::zeros(terms);
        let mut unexplained = DVector::from_column_slice(triangle.z());
        for r in 0..rank {
            let along = dot(svd.images.column(r).as_slice(), triangle.z()) / svd.values[r] / svd.values[r];
            shortest.axpy(along, &svd.directions.column(r), 1.0);
            unexplained.axpy(-along, &svd.images.column(r), 1.0);
        }
        let coefficients: Vec<f64> = shortest
            .iter()
            .enumerate()
            .map(|(j, &value)| scaled.unscaled(value, j, observed_exponent))
            .collect();
        if !coefficients.iter().all(|value| value.is_finite()) {
            return Err(Error::Overflow { quantity: "value of a coefficient" });
        }
        // At full rank the triangle reproduces z exactly and only p is left.
        let rest = if rank < terms { norm(unexplained.as_slice()) } else { 0.0 };
        let residual_norm = times_power_of_two(triangle.remainder().hypot(rest), observed_exponent);
        Ok(Solution {
            coefficients,
            unit_covariance: scaled.unit_covariance(),
            unit_errors: (0..terms).map(|j| scaled.unit_error(j)).collect(),
            rank,
            design_rank: rank,
            condition: scaled.condition(),
            null_directions: scaled.null_directions(),
            bounded: Vec::new(),
            residual_sum_of_squares: residual_norm * residual_norm,
        })
    }

    /// With or without the bound 0 of the coefficients.
    pub(crate) fn of(triangle: &Triangle, is_bounded: bool) -> Result<Self, Error> {
        let free = Solution::free(triangle)?;
        if !is_bounded || free.coefficients.iter().all(|value| *value >= 0.0) {
            return Ok(free);
        }
        free.bounded_at_zero(triangle)
    }

    /// For each determined direction the coefficients with which the weighted columns add up to a column of norm 1,
    /// orthogonal to those of the other directions. In the units of the caller.
    pub(crate) fn directions(triangle: &Triangle) -> Result<Vec<Vec<f64>>, Error> {
        let scaled = Scaled::of(triangle)?;
        let direction =
            |r| (0..triangle.terms()).map(|j| scaled.unscaled(scaled.share(j, r), j, 0)).collect();
        Ok((0..scaled.rank).map(direction).collect())
    }

    /// The smallest residual sum with coefficients of at least 0. Those at the bound have no share in the covariance;
    /// their standard errors are those that they would have if they alone were let free.
    fn bounded_at_zero(self, triangle: &Triangle) -> Result<Self, Error> {
        let terms = triangle.terms();
        let passive = passive_terms(triangle);
        let bounded: Vec<usize> = (0..terms).filter(|term| !passive.contains(term)).collect();
        let mut coefficients = vec![0.0; terms];
        let mut unit_covariance = DMatrix::zeros(terms, terms);
        let mut unit_errors = vec![0.0; terms];
        for &term in &bounded {
            let wider: Vec<usize> = passive.iter().copied().chain([term]).collect();
            unit_errors[term] = Scaled::of(&triangle.restrict(&wider))?.unit_error(passive.len());
        }
        let inner = Solution::free(&triangle.restrict(&passive))?;
        for (i, &row) in passive.iter().enumerate() {
            coefficients[row] = inner.coefficients[i];
            unit_errors[row] = inner.unit_errors[i];
            for (j, &column) in passive.iter().enumerate() {
                unit_covariance[(row, column)] = inner.unit_covariance[(i, j)];
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
fn normalise(mut column: DVectorViewMut<f64>) -> f64 {
    let length = norm(column.as_slice());
    if length == 0.0 {
        return 1.0;
    }
    column /= length;
    length
}

/// Indices, ascending, of the terms with positive coefficients in the minimum over coefficients >= 0.
pub(crate) fn passive_terms(triangle: &Triangle) -> Vec<usize> {
    let terms = triangle.terms();
    let zero = UNITS * terms as f64 * f64::EPSILON * norm(triangle.z());
    let mut passive: Vec<usize> = Vec::new();
    let mut values = DVector::zeros(terms);
    // Every round lowers the residual sum, so that no passive set comes back; the limit is for rounding alone.
    for _ in 0..10 * terms + 10 {
        let Some((wider, wanted)) = enter(triangle, &passive, &values, zero) else { break };
        passive = wider;
        let mut wanted = Some(wanted);
        while let Some(solved) = wanted.take() {
            if solved.iter().all(|value| *value > 0.0) {
                passive.iter().zip(&solved).for_each(|(&j, &value)| values[j] = value);
                break;
            }
            passive = leave(passive, &mut values, &solved);
            wanted = solve(triangle, &passive);
        }
    }
    passive
}

/// The passive terms with one more, that with the steepest gradient, and their coefficients.
fn enter(
    triangle: &Triangle,
    passive: &[usize],
    values: &DVector<f64>,
    zero: f64,
) -> Option<(Vec<usize>, Vec<f64>)> {
    let rest = passive.iter().fold(DVector::from_column_slice(triangle.z()), |mut rest, &j| {
        rest.axpy(-values[j], &triangle.r().column(j), 1.0);
        rest
    });
    let gradient = |j: usize| {
        let length = norm(triangle.column(j));
        if length > 0.0 { dot(triangle.column(j), rest.as_slice()) / length } else { 0.0 }
    };
    let mut candidates: Vec<(usize, f64)> = (0..triangle.terms())
        .filter(|j| !passive.contains(j))
        .map(|j| (j, gradient(j)))
        .filter(|(_, slope)| *slope > zero)
        .collect();
    candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
    // A term that depends on the passive ones gets no positive value in spite of its gradient, which is rounding.
    candidates.into_iter().find_map(|(j, _)| {
        let mut wider = passive.to_vec();
        let at = wider.partition_point(|term| *term < j);
        wider.insert(at, j);
        let solved = solve(triangle, &wider)?;
        (solved[at] > 0.0).then_some((wider, solved))
    })
}

/// Goes as far towards the wanted values as all stay at least 0; whatever reaches 0 is active again, the others are returned.
fn leave(mut passive: Vec<usize>, values: &mut DVector<f64>, wanted: &[f64]) -> Vec<usize> {
    let steps = passive.iter().zip(wanted).filter(|(_, value)| **value <= 0.0);
    let step = steps.map(|(&j, value)| values[j] / (values[j] - value)).fold(1.0, f64::min);
    for (&j, &value) in passive.iter().zip(wanted) {
        let moved = values[j] + step * (value - values[j]);
        let reaches = value <= 0.0 && values[j] / (values[j] - value) <= step;
        values[j] = if reaches { 0.0 } else { moved.max(0.0) };
    }
    passive.retain(|&j| values[j] > 0.0);
    passive
}

/// Coefficients of some terms alone, in the units of the triangle; None if they depend on each other.
fn solve(triangle: &Triangle, terms: &[usize]) -> Option<Vec<f64>> {
    let part = triangle.restrict(terms);
    let is_dependent = |i: usize| part.column(i)[i].abs() <= UNITS * f64::EPSILON * norm(part.column(i));
    if (0..terms.len()).any(is_dependent) {
        return None;
    }
    let z = DVector::from_column_slice(part.z());
    part.r().solve_upper_triangular(&z).map(|values| values.as_slice().to_vec())
}
