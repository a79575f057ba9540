//! The same fit in one pass and bounded memory.

use crate::fit::{Estimates, Noise};
use crate::solution::Solution;
use crate::triangle::Triangle;
use crate::{Error, Samples};

/// A least squares fit that is fed row by row or block by block and keeps none of them.
///
/// Memory is 248 rows and a (k+1) x (k+1) triangle whatever the number of samples; coefficients are bit for bit
/// those of [`least_squares`](crate::least_squares) on the same rows in the same order, unless so ill-conditioned that
/// the latter looks at the rows again in twice the precision.
///
/// # Example
///
/// ```
/// use call_fit::StreamingFit;
///
/// let mut fit = StreamingFit::new(2);
/// for n in 1..=1000 {
///     let n = f64::from(n);
///     fit.push(&[1.0, n], 2.0 + 0.5 * n, 1.0)?;
/// }
/// let streamed = fit.finish()?;
/// assert!((streamed.coefficients[1] - 0.5).abs() < 1e-12);
/// # Ok::<(), call_fit::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct StreamingFit {
    triangle: Triangle,
}

/// The answer of [`StreamingFit::finish`]: a [`Fit`](crate::Fit) without what needs a second look at the samples,
/// which are the residuals and the relative errors.
///
/// Every field means what the field of the same name of [`Fit`](crate::Fit) means.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamedFit {
    /// k coefficients, in seconds per unit of the basis.
    pub coefficients: Vec<f64>,
    /// k standard errors.
    pub standard_errors: Vec<f64>,
    /// k x k, row-major.
    pub covariance: Vec<f64>,
    /// Weighted residual sum of squares, as accumulated in the triangle: a sum of squares, never a difference.
    pub residual_sum_of_squares: f64,
    /// Standard deviation, in seconds, of an observation of weight 1.
    pub residual_standard_error: f64,
    /// Weighted, about the weighted mean.
    pub r_squared: f64,
    /// Number of independent basis columns.
    pub rank: usize,
    /// Of the column-scaled, weighted design.
    pub condition: f64,
    /// Coefficients that the data do not determine.
    pub undetermined: Vec<usize>,
    /// Samples that took part.
    pub samples_used: usize,
    /// Samples that could not.
    pub samples_dropped: usize,
}

impl StreamingFit {
    /// A fit of a model with `terms` terms and no sample yet. Without terms, [`finish`](Self::finish) fails.
    pub fn new(terms: usize) -> Self {
        StreamingFit { triangle: Triangle::new(terms) }
    }

    /// Adds one sample: k basis values, the observation in seconds, the weight of its squared residual.
    ///
    /// A sample that is not finite or has no weight is counted as dropped.
    ///
    /// # Errors
    ///
    /// [`Error::RowLength`], [`Error::NegativeWeight`]; the fit is then as before the call.
    pub fn push(&mut self, basis: &[f64], observed: f64, weight: f64) -> Result<(), Error> {
        let expected = self.triangle.terms();
        if basis.len() != expected {
            return Err(Error::RowLength { expected, found: basis.len() });
        }
        if weight < 0.0 {
            let (used, dropped) = self.triangle.counts();
            return Err(Error::NegativeWeight { sample: used + dropped, weight });
        }
        self.triangle.push(basis, observed, weight.sqrt());
        Ok(())
    }

    /// Adds many samples given as columns; the same as [`push`](Self::push) on each of them, but faster.
    ///
    /// # Errors
    ///
    /// [`Error::RowLength`] for another number of terms, and those of [`least_squares`](crate::least_squares) on
    /// lengths and weights (the index of a sample counts within the block); the fit is then as before the call.
    pub fn push_block(&mut self, samples: &Samples) -> Result<(), Error> {
        let expected = self.triangle.terms();
        if samples.terms() != expected {
            return Err(Error::RowLength { expected, found: samples.terms() });
        }
        samples.check()?;
        self.triangle.push_all(samples);
        Ok(())
    }

    /// The fit of all samples so far. To go on afterwards, finish a clone.
    ///
    /// # Errors
    ///
    /// [`Error::NoTerms`], [`Error::NoSamples`], [`Error::Overflow`], as [`least_squares`](crate::least_squares).
    pub fn finish(self) -> Result<StreamedFit, Error> {
        if self.triangle.terms() == 0 {
            return Err(Error::NoTerms);
        }
        let reduced = self.triangle.finish()?;
        let solution = Solution::of(&reduced)?;
        let estimates = Estimates::of(
            &solution,
            solution.residual_sum_of_squares,
            reduced.total.about_mean(),
            Noise::of(solution.residual_sum_of_squares, reduced.samples_used - solution.rank).variance(),
        )?;
        Ok(StreamedFit {
            coefficients: solution.coefficients,
            standard_errors: estimates.standard_errors,
            covariance: estimates.covariance,
            residual_sum_of_squares: solution.residual_sum_of_squares,
            residual_standard_error: estimates.residual_standard_error,
            r_squared: estimates.r_squared,
            rank: solution.rank,
            condition: solution.condition,
            undetermined: solution.undetermined,
            samples_used: reduced.samples_used,
            samples_dropped: reduced.samples_dropped,
        })
    }
}
