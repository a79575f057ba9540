//! Fits that outliers hardly move.
//!
//! With u = r sqrt(w) / s, the residual in units of the scale s of the noise, the sum of `s^2 rho(u)` is minimised
//! instead of the sum of `s^2 u^2`. Both losses are convex, so that there is one minimum. The search runs in coordinates
//! in which the weighted columns are orthonormal: there the curvature is nearly the same in all directions whatever
//! units and dependence the columns have, and a quasi-Newton method (argmin's L-BFGS) needs some ten steps. Its answer
//! is then made exact by weighted least squares: at the minimum, weights times rho'(u) / (2 u) have the minimum as their
//! least squares solution. So a robust fit is a fit with other weights, and all that holds of fits holds of it.

use argmin::core::{ArgminError, CostFunction, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use nalgebra::{DMatrix, DVector};

use crate::factorisation::triangle::Triangle;
use crate::fit::fit;
use crate::scatter::deviation;
use crate::solution::Solution;
use crate::{Error, Fit, FitSamples, Loss};

/// Where Huber's loss turns linear: 95 % of the efficiency of least squares on normal noise.
const HUBER: f64 = 1.345;

/// Rounds in which scale and fit agree, or weights and fit.
const ROUNDS: usize = 100;

/// Factors and fit agree when no factor changes by more than this.
const SETTLED: f64 = 1e-10;

/// The answer of [`robust_least_squares`].
#[derive(Debug, Clone, PartialEq)]
pub struct RobustFit {
    /// The fit. Its residual sum and standard errors are those of least squares with the weights lowered by
    /// [`factors`](Self::factors), taken as known.
    pub fit: Fit,
    /// Scale s of the noise: standard deviation, in seconds, of an observation of weight 1 that is no outlier.
    pub scale: f64,
    /// For each sample the factor of its weight, at most 1 and less the farther out it is; NaN for dropped samples.
    pub factors: Vec<f64>,
}

/// Minimises a loss of the residuals that grows less than their squares: see [`Loss`].
///
/// `scale` is the scale s of the noise; without it, it is estimated together with the fit, from the median of the
/// magnitudes of the residuals (MAD). [`Loss::Squares`] is [`least_squares`](crate::least_squares).
///
/// # Errors
///
/// Those of [`least_squares`](crate::least_squares).
pub fn robust_least_squares(
    samples: &FitSamples,
    loss: Loss,
    scale: Option<f64>,
) -> Result<RobustFit, Error> {
    robust_fit(samples, loss, scale, false)
}

pub(crate) fn robust_fit(
    samples: &FitSamples,
    loss: Loss,
    scale: Option<f64>,
    is_bounded: bool,
) -> Result<RobustFit, Error> {
    let start = fit(samples, is_bounded, None)?;
    let weighted = |fit: &Fit| -> Vec<f64> {
        fit.residuals.iter().enumerate().map(|(row, r)| samples.root_weight(row) * r).collect()
    };
    let mut residuals = weighted(&start);
    // Of exact data nothing is left but rounding, and that is the scale then.
    let rounding = 16.0 * f64::EPSILON * {
        let largest = (0..samples.len()).filter(|&row| samples.is_usable(row));
        largest.map(|row| (samples.root_weight(row) * samples.observed[row]).abs()).fold(0.0, f64::max)
    };
    let estimated = |residuals: &[f64]| {
        let freedom = start.samples_used.saturating_sub(start.rank).max(1) as f64;
        let correction = (start.samples_used as f64 / freedom).sqrt();
        (correction * deviation(residuals)).max(rounding).max(f64::MIN_POSITIVE)
    };
    let mut size = scale.unwrap_or_else(|| estimated(&residuals));
    if loss != Loss::Squares {
        let problem = Whitened::of(samples)?;
        for _ in 0..ROUNDS {
            residuals = problem.minimise(loss, size, &residuals);
            let next = scale.unwrap_or_else(|| estimated(&residuals));
            let is_settled = (next / size - 1.0).abs() < 1e-9;
            size = next;
            if is_settled {
                break;
            }
        }
    }
    let mut factors = factors(loss, size, &residuals);
    let mut answer = fit_lowered(samples, &factors, is_bounded)?;
    for _ in 0..ROUNDS {
        let next = self::factors(loss, size, &weighted(&answer));
        let change = next.iter().zip(&factors).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        factors = next;
        if change < SETTLED {
            break;
        }
        answer = fit_lowered(samples, &factors, is_bounded)?;
    }
    Ok(RobustFit { fit: answer, scale: size, factors })
}

/// rho(u), normalised so that it is u^2 for small u, and rho'(u) / (2 u).
pub(crate) fn rho(loss: Loss, u: f64) -> (f64, f64) {
    match loss {
        Loss::Squares => (u * u, 1.0),
        Loss::Huber if u.abs() <= HUBER => (u * u, 1.0),
        Loss::Huber => (HUBER * (2.0 * u.abs() - HUBER), HUBER / u.abs()),
        Loss::SoftL1 => {
            let root = u.hypot(1.0);
            // 2 (root - 1) without cancellation
            (2.0 * u * u / (root + 1.0), 1.0 / root)
        }
    }
}

fn factors(loss: Loss, scale: f64, weighted_residuals: &[f64]) -> Vec<f64> {
    weighted_residuals.iter().map(|r| rho(loss, r / scale).1).collect()
}

/// Weights times factors; a NaN drops what was dropped before.
pub(crate) fn lowered(samples: &FitSamples, factors: &[f64]) -> Vec<f64> {
    let weight = |row: usize| samples.weights.get(row).copied().unwrap_or(1.0);
    let rows = factors.iter().enumerate();
    rows.map(|(row, factor)| if factor.is_nan() { 0.0 } else { factor * weight(row) }).collect()
}

fn fit_lowered(samples: &FitSamples, factors: &[f64], is_bounded: bool) -> Result<Fit, Error> {
    fit(&FitSamples { weights: &lowered(samples, factors), ..samples.clone() }, is_bounded, None)
}

/// The problem in coordinates in which the weighted columns are orthonormal.
struct Whitened {
    /// n x r.
    columns: DMatrix<f64>,
    /// n weighted observations; 0 for unusable samples, whose rows are 0 too.
    observed: DVector<f64>,
    usable: Vec<bool>,
}

impl Whitened {
    fn of(samples: &FitSamples) -> Result<Self, Error> {
        let directions = Solution::directions(&Triangle::of_samples(samples)?)?;
        let usable: Vec<bool> = (0..samples.len()).map(|row| samples.is_usable(row)).collect();
        let mut columns = DMatrix::zeros(samples.len(), directions.len());
        let mut observed = DVector::zeros(samples.len());
        for row in (0..samples.len()).filter(|&row| usable[row]) {
            let root = samples.root_weight(row);
            observed[row] = root * samples.observed[row];
            for (r, direction) in directions.iter().enumerate() {
                let parts = samples.basis.iter().zip(direction);
                columns[(row, r)] = parts.map(|(column, part)| root * column[row] * part).sum();
            }
        }
        Ok(Whitened { columns, observed, usable })
    }

    /// The weighted residuals of the minimum, found from those of a start; NaN for unusable samples.
    fn minimise(&self, loss: Loss, scale: f64, start: &[f64]) -> Vec<f64> {
        let start =
            DVector::from_iterator(start.len(), start.iter().map(|r| if r.is_nan() { 0.0 } else { *r }));
        let coordinates = self.columns.tr_mul(&((&self.observed - start) / scale));
        let problem = Robust { whitened: self, loss, scale };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_grad(1e-10);
        let best = solver.ok().and_then(|solver| {
            let run = Executor::new(problem, solver)
                .configure(|state| state.param(coordinates.clone()).max_iters(200))
                .timer(false)
                .run();
            run.ok().and_then(|mut run| run.state.take_best_param())
        });
        // Where the line search cannot get any lower, the start is the minimum up to rounding.
        let residuals = &self.observed - &self.columns * best.unwrap_or(coordinates) * scale;
        residuals.iter().zip(&self.usable).map(|(r, usable)| if *usable { *r } else { f64::NAN }).collect()
    }
}

/// Sum of rho(u) as a function of the coordinates, in units of the scale.
struct Robust<'a> {
    whitened: &'a Whitened,
    loss: Loss,
    scale: f64,
}

impl Robust<'_> {
    fn residuals(&self, coordinates: &DVector<f64>) -> DVector<f64> {
        &self.whitened.observed / self.scale - &self.whitened.columns * coordinates
    }
}

impl CostFunction for Robust<'_> {
    type Param = DVector<f64>;
    type Output = f64;

    fn cost(&self, coordinates: &DVector<f64>) -> Result<f64, argmin::core::Error> {
        let sum: f64 = self.residuals(coordinates).iter().map(|u| rho(self.loss, *u).0).sum();
        if sum.is_finite() {
            return Ok(sum);
        }
        // A line search that compares with NaN would not end.
        Err(ArgminError::ConditionViolated { text: "the loss is not finite".to_owned() }.into())
    }
}

impl Gradient for Robust<'_> {
    type Param = DVector<f64>;
    type Gradient = DVector<f64>;

    fn gradient(&self, coordinates: &DVector<f64>) -> Result<DVector<f64>, argmin::core::Error> {
        let force = self.residuals(coordinates).map(|u| -2.0 * u * rho(self.loss, u).1);
        Ok(self.whitened.columns.tr_mul(&force))
    }
}
