//! Linear least squares over samples in memory.

use crate::factorisation::triangle::{BLOCK_ROWS, Triangle};
use crate::factorisation::{double_double, norm};
use crate::solution::Solution;
use crate::{Error, FitSamples, PureError};

/// The answer of [`least_squares`]: estimates, their uncertainty, and what was left over.
///
/// n is the number of samples given, k the number of terms, r the rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// k coefficients, in seconds per unit of the basis. Below full rank, the shortest solution in coordinates in
    /// which every weighted basis column has norm 1.
    pub coefficients: Vec<f64>,
    /// k standard errors, units as the coefficients: the square roots of the diagonal of the covariance. NaN when
    /// no degree of freedom is left (samples used = r); infinite for the [undetermined](Self::undetermined) ones.
    pub standard_errors: Vec<f64>,
    /// k x k, row-major: s^2 (A' W A)^+ with s the [residual standard error](Self::residual_standard_error). Holds
    /// for the shortest solution: x' C x is the variance of every value x' b that the data determine, but a
    /// diagonal entry of an undetermined coefficient is not its uncertainty. NaN without degrees of freedom.
    pub covariance: Vec<f64>,
    /// n residuals, observed - fitted, in seconds; NaN for dropped samples.
    pub residuals: Vec<f64>,
    /// Sum of weight times squared residual over the samples used, from the residuals themselves.
    pub residual_sum_of_squares: f64,
    /// sqrt(residual sum of squares / (samples used - r)): the standard deviation, in seconds, of an observation of
    /// weight 1. NaN without degrees of freedom.
    pub residual_standard_error: f64,
    /// Root of the mean of (residual / observed)^2 over the samples used with an observation other than 0, each
    /// counting the same whatever its weight; 0 if there is none. 0.05 means 5 %.
    pub rms_relative_error: f64,
    /// Number of independent basis columns, r, of those whose coefficient is not held at 0.
    pub rank: usize,
    /// Ratio of the largest to the smallest singular value of the weighted design matrix with columns scaled to
    /// norm 1; infinite below full rank. About log10(condition) of 16 digits are lost in the coefficients.
    pub condition: f64,
    /// Null directions: changes of the k coefficients, in their units, that leave every fitted value as it is, so that the
    /// values of those that take part are a choice. Empty at full rank.
    pub null_directions: Vec<Vec<f64>>,
    /// Indices, ascending, of coefficients that are 0 because they must not be negative: without the bound they, or
    /// others instead of them, would be. They count neither in the rank nor in the covariance; their standard error is
    /// the one that they would have if they alone were let free. Empty unless the fit was asked for the bound.
    pub bounded: Vec<usize>,
    /// Degrees of freedom of the [residual standard error](Self::residual_standard_error): samples used - r. Where
    /// cells share coefficients ([`Segmentation::sets`](crate::Segmentation::sets)), those of all their cells together; where
    /// none are left, those of [`SegmentOptions::pure_error`](crate::SegmentOptions::pure_error).
    pub degrees_of_freedom: usize,
    /// Samples that took part.
    pub samples_used: usize,
    /// Samples that could not: basis, observation or weight not finite (or their products not), or weight zero.
    pub samples_dropped: usize,
}

/// Minimises the weighted residual sum of squares |S (A b - y)|^2 over b.
///
/// A is n x k ([`FitSamples::basis`]), y the observations, S^2 = diag(weights). "An ordinary multidimensional linear
/// fit is performed over the preprocessed sample" (CALL paper, section 3). Householder QR in row blocks, singular
/// values of the column-scaled triangle, residuals recomputed from the samples; see the [crate's header](crate). Small
/// ill-conditioned problems are solved again in double-double arithmetic, so that the coefficients are correct to the last
/// digits for the doubles given.
///
/// Fewer samples than terms, zero columns and dependent columns give the shortest solution and say so in
/// [`Fit::rank`], [`Fit::undetermined`] and [`Fit::standard_errors`].
///
/// # Errors
///
/// [`Error::NoTerms`], [`Error::ColumnLength`], [`Error::WeightsLength`], [`Error::NegativeWeight`];
/// [`Error::NoSamples`] if none is left (n = 0, all weights 0, nothing finite); [`Error::Overflow`] if a
/// coefficient or a sum of squares exceeds the range of a double.
///
/// # Example
///
/// ```
/// use call_fit::{FitSamples, least_squares};
///
/// // f[0] + f[1] * N, measured at N = 1, 2, 3, 4
/// let (one, n) = ([1.0; 4], [1.0, 2.0, 3.0, 4.0]);
/// let seconds = [3.1, 4.9, 7.1, 8.9];
/// let fit = least_squares(&FitSamples { basis: vec![&one, &n], observed: &seconds, weights: &[] })?;
/// assert!((fit.coefficients[0] - 1.1).abs() < 1e-12);
/// assert!((fit.coefficients[1] - 1.96).abs() < 1e-12);
/// assert_eq!(fit.rank, 2);
/// # Ok::<(), call_fit::Error>(())
/// ```
pub fn least_squares(samples: &FitSamples) -> Result<Fit, Error> {
    fit(samples, false, None)
}

/// Minimises the same sum over coefficients of at least 0: costs are not negative.
///
/// The active-set method of Lawson and Hanson (1974, chapter 23) on the triangle of the QR decomposition. Where the
/// unbounded solution is not negative it is the answer, bit for bit. [`Fit::bounded`] names the coefficients that the
/// bound holds at 0.
///
/// # Errors
///
/// Those of [`least_squares`].
///
/// # Example
///
/// ```
/// use call_fit::{FitSamples, non_negative_least_squares};
///
/// // The straight line through these times starts below 0.
/// let (one, n) = ([1.0; 4], [1.0, 2.0, 3.0, 4.0]);
/// let seconds = [0.9, 2.1, 2.9, 4.3];
/// let samples = FitSamples { basis: vec![&one, &n], observed: &seconds, weights: &[] };
/// let fit = non_negative_least_squares(&samples)?;
/// assert_eq!(fit.coefficients[0], 0.0);
/// assert_eq!(fit.bounded, [0]);
/// # Ok::<(), call_fit::Error>(())
/// ```
pub fn non_negative_least_squares(samples: &FitSamples) -> Result<Fit, Error> {
    fit(samples, true, None)
}

/// Where the samples leave no degree of freedom, the repetitions that they were folded of still say how much they vary.
pub(crate) fn fit(
    samples: &FitSamples,
    is_bounded: bool,
    repetitions: Option<PureError>,
) -> Result<Fit, Error> {
    samples.check()?;
    let triangle = Triangle::of_samples(samples)?;
    let mut solution = Solution::of(&triangle, is_bounded)?;
    if loses_digits(&solution, &triangle)
        && let Some(coefficients) = double_double::coefficients(samples)
        && (!is_bounded || coefficients.iter().all(|value| *value >= 0.0))
    {
        solution.coefficients = coefficients;
    }
    let residuals = Residuals::of(samples, &solution.coefficients, triangle.samples_dropped > 0);
    let freedom = triangle.samples_used.saturating_sub(solution.rank);
    let noise = match repetitions.filter(|_| freedom == 0) {
        Some(PureError { variance, freedom }) => {
            ObservedScatter { sum_of_squares: variance * freedom as f64, freedom }
        }
        None => ObservedScatter { sum_of_squares: residuals.sum_of_squares, freedom },
    };
    Fit::assemble(&triangle, solution, residuals, noise)
}

/// Relative error of all coefficients together, in scaled coordinates, from which on a small problem is solved in
/// double-double arithmetic; or condition, as single coefficients may be much smaller than the others.
const TOO_MANY_DIGITS: f64 = 1e-11;
const TOO_LARGE_CONDITION: f64 = 450.0;

/// So many products of doubles are affordable for that: some tens of milliseconds.
const SMALL_PROBLEM: usize = 200_000;

/// Whether rounding may cost more digits than necessary: the relative error of the coefficients is about
/// `u k (1 + k tan)`, with k the condition and tan the ratio of residual and fitted values (Golub and Van Loan, Matrix
/// Computations, 4th ed., section 5.3.6). Without residuals too large for that, or below full rank, there is no need or
/// no sense in it.
fn loses_digits(solution: &Solution, triangle: &Triangle) -> bool {
    let fitted = norm(triangle.z());
    let tangent = if fitted > 0.0 { triangle.remainder() / fitted } else { 0.0 };
    let lost = f64::EPSILON * solution.condition * (1.0 + solution.condition * tangent);
    let is_ordinary = triangle.exponents.iter().all(|exponent| *exponent == 0);
    let terms = triangle.terms();
    (lost > TOO_MANY_DIGITS || solution.condition > TOO_LARGE_CONDITION)
        && solution.rank == terms
        && is_ordinary
        && triangle.samples_used * terms * terms <= SMALL_PROBLEM
}

impl Fit {
    /// A fit from its parts; the noise may come from more samples than these.
    pub(crate) fn assemble(
        triangle: &Triangle,
        solution: Solution,
        residuals: Residuals,
        noise: ObservedScatter,
    ) -> Result<Fit, Error> {
        if !residuals.sum_of_squares.is_finite() || !triangle.square_of_observed().is_finite() {
            return Err(Error::Overflow { quantity: "sum of squares" });
        }
        let variance = noise.variance();
        let residual_standard_error = variance.sqrt();
        let takes_part = |j: usize| solution.null_directions.iter().any(|direction| direction[j] != 0.0);
        let standard_error = |(j, error): (usize, &f64)| match takes_part(j) {
            true => f64::INFINITY,
            false => error * residual_standard_error,
        };
        Ok(Fit {
            standard_errors: solution.unit_errors.iter().enumerate().map(standard_error).collect(),
            covariance: solution.unit_covariance.iter().map(|entry| entry * variance).collect(),
            coefficients: solution.coefficients,
            residuals: residuals.values,
            residual_sum_of_squares: residuals.sum_of_squares,
            residual_standard_error,
            rms_relative_error: residuals.relative.root_mean_square(),
            rank: solution.rank,
            condition: solution.condition,
            null_directions: solution.null_directions,
            bounded: solution.bounded,
            degrees_of_freedom: noise.freedom,
            samples_used: triangle.samples_used,
            samples_dropped: triangle.samples_dropped,
        })
    }

    /// Indices, ascending, of coefficients that take part in a [null direction](Self::null_directions).
    pub fn undetermined(&self) -> Vec<usize> {
        let takes_part = |j: &usize| self.null_directions.iter().any(|direction| direction[*j] != 0.0);
        (0..self.coefficients.len()).filter(takes_part).collect()
    }

    /// Whether the samples tell the value x' b, with x these k values of the basis: it is the same for all coefficients that fit
    /// as well.
    pub fn determines(&self, basis: &[f64]) -> bool {
        /// A change by less than this part of what it is made of is rounding.
        const ROUNDING: f64 = 1e-6;
        self.null_directions.iter().all(|direction| {
            let parts = || direction.iter().zip(basis).map(|(share, basis)| share * basis);
            let size: f64 = parts().map(f64::abs).sum();
            parts().sum::<f64>().abs() <= ROUNDING * size
        })
    }
}

/// What is known about the scatter of the observations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObservedScatter {
    pub(crate) sum_of_squares: f64,
    pub(crate) freedom: usize,
}

impl ObservedScatter {
    /// Of an observation of weight 1; NaN without degrees of freedom, for then nothing is known.
    fn variance(&self) -> f64 {
        if self.freedom == 0 { f64::NAN } else { self.sum_of_squares / self.freedom as f64 }
    }
}

/// Residuals, recomputed from the samples, and their norms.
pub(crate) struct Residuals {
    /// NaN for dropped samples.
    values: Vec<f64>,
    pub(crate) sum_of_squares: f64,
    relative: RelativeErrors,
}

impl Residuals {
    pub(crate) fn of(samples: &FitSamples, coefficients: &[f64], some_dropped: bool) -> Self {
        let mut values = samples.observed.to_vec();
        let mut sum_of_squares = 0.0;
        let mut relative = RelativeErrors::default();
        for (block, rows) in values.chunks_mut(BLOCK_ROWS).enumerate() {
            let start = block * BLOCK_ROWS;
            for (column, coefficient) in samples.basis.iter().zip(coefficients) {
                for (residual, basis) in rows.iter_mut().zip(&column[start..]) {
                    *residual -= coefficient * basis;
                }
            }
            let mut block_sum = 0.0;
            for (row, residual) in rows.iter_mut().enumerate() {
                let sample = start + row;
                if some_dropped && !samples.is_usable(sample) {
                    *residual = f64::NAN;
                    continue;
                }
                let weighted = samples.root_weight(sample) * *residual;
                block_sum += weighted * weighted;
                relative.add(*residual, samples.observed[sample]);
            }
            sum_of_squares += block_sum;
        }
        Residuals { values, sum_of_squares, relative }
    }
}

/// Relative errors of samples with an observation other than 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RelativeErrors {
    count: usize,
    sum_of_squares: f64,
}

impl RelativeErrors {
    pub(crate) fn of(count: usize, sum_of_squares: f64) -> Self {
        RelativeErrors { count, sum_of_squares }
    }

    pub(crate) fn add(&mut self, residual: f64, observed: f64) {
        if observed != 0.0 {
            let relative = residual / observed;
            self.count += 1;
            self.sum_of_squares += relative * relative;
        }
    }

    pub(crate) fn merge(&mut self, other: &RelativeErrors) {
        self.count += other.count;
        self.sum_of_squares += other.sum_of_squares;
    }

    /// 0 if no sample counts.
    pub(crate) fn root_mean_square(&self) -> f64 {
        if self.count == 0 { 0.0 } else { (self.sum_of_squares / self.count as f64).sqrt() }
    }
}
