use call_fit::locate;
use call_grammar::CoefficientId;

use crate::{Gap, Model, SampledRange};

/// What one term contributes to a prediction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermShare {
    /// The constant of the term.
    pub coefficient: CoefficientId,
    /// Its part of the time.
    pub time_s: f64,
}

/// A variable outside of what was sampled.
#[derive(Debug, Clone, PartialEq)]
pub struct Beyond {
    /// Name of the variable.
    pub variable: String,
    /// Its value in the prediction.
    pub value: f64,
    /// Smallest and largest sampled value.
    pub lowest: f64,
    /// Largest sampled value.
    pub highest: f64,
}

impl Beyond {
    /// A value that lies outside of where its variable was sampled; none within.
    pub fn of(variable: &str, value: f64, range: &SampledRange) -> Option<Beyond> {
        let SampledRange { lowest, highest, .. } = *range;
        let is_outside = value < lowest || value > highest;
        is_outside.then(|| Beyond { variable: variable.to_owned(), value, lowest, highest })
    }

    /// How many times as far as the samples: 2 for twice the largest sampled value or half the smallest. Where values are not
    /// positive, 1 and the distance in widths of the sampled range.
    pub fn factor(&self) -> f64 {
        let (near, far) =
            if self.value > self.highest { (self.highest, self.value) } else { (self.value, self.lowest) };
        if near > 0.0 { far / near } else { 1.0 + (far - near) / (self.highest - self.lowest) }
    }
}

/// A predicted time.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The time.
    pub time_s: f64,
    /// Standard error of the time from the uncertainty of the constants alone; NaN if the fit gives none, infinite if the samples do
    /// not tell the time.
    pub standard_error_s: f64,
    /// Position of the cell whose constants were used, in [`Model::cells`].
    pub cell: usize,
    /// The terms, in the order of the formula.
    pub shares: Vec<TermShare>,
    /// The variables that lie outside of the samples.
    pub beyond: Vec<Beyond>,
}

impl Model {
    /// Predicts the time at a point: one value for each variable of the formula, in the order of its variables. The cell that
    /// holds the point gives the constants.
    ///
    /// # Panics
    /// If the number of values is not that of the variables.
    pub fn predict(&self, point: &[f64]) -> Prediction {
        assert_eq!(point.len(), self.formula.variables().len(), "one value for each variable");
        // The cells cover the space; only a NaN is in none, and any cell gives NaN for it.
        self.predict_in(locate(self.cells(), point).unwrap_or(0), point)
    }

    /// The same with the constants of a cell.
    pub(crate) fn predict_in(&self, index: usize, point: &[f64]) -> Prediction {
        let fit = &self.cells()[index].fit;
        let basis: Vec<f64> = self.formula.terms().iter().map(|term| term.basis.evaluate(point)).collect();
        let shares: Vec<TermShare> = self
            .formula
            .terms()
            .iter()
            .zip(basis.iter().zip(&fit.coefficients))
            .map(|(term, (basis, value))| TermShare { coefficient: term.coefficient, time_s: basis * value })
            .collect();
        Prediction {
            time_s: shares.iter().map(|share| share.time_s).sum(),
            standard_error_s: match fit.determines(&basis) {
                true => standard_error(&fit.covariance, &basis),
                false => f64::INFINITY,
            },
            cell: index,
            shares,
            beyond: self.beyond(point),
        }
    }

    fn beyond(&self, point: &[f64]) -> Vec<Beyond> {
        let variables = self.formula.variables().iter().zip(point).zip(&self.ranges);
        variables
            .filter_map(|((variable, value), range)| Beyond::of(variable.name(), *value, range))
            .collect()
    }
}

impl Model {
    /// The cells that may hold a point beside the one that [`Model::predict`] takes, and the gaps that it is in; none at sampled points.
    pub fn other_sides(&self, point: &[f64], cell: usize) -> (Vec<usize>, Vec<&Gap>) {
        let gaps: Vec<&Gap> = self.gaps.all.iter().filter(|gap| gap.contains(point)).collect();
        if gaps.is_empty() {
            return (Vec::new(), gaps);
        }
        let reaches = |other: &usize| {
            let reach = self.gaps.reach[*other].iter().zip(point);
            *other != cell && reach.into_iter().all(|(interval, &value)| interval.contains(value))
        };
        ((0..self.cells().len()).filter(reaches).collect(), gaps)
    }

    /// The gaps between samples in which an interval ends.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps.all
    }
}

/// The root of x' C x, with x the terms at a point and C the covariance of their constants.
pub fn standard_error(covariance: &[f64], basis: &[f64]) -> f64 {
    let count = basis.len();
    let variance: f64 =
        (0..count * count).map(|index| basis[index / count] * covariance[index] * basis[index % count]).sum();
    // Rounding can leave a variance of zero slightly negative.
    if variance.is_nan() { f64::NAN } else { variance.max(0.0).sqrt() }
}
