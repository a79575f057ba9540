//! The rows of one fit.

use crate::Error;

/// Rows of one fit: n samples of a model with k terms.
///
/// All slices have n entries. Nothing is copied before a fit needs it.
#[derive(Debug, Clone)]
pub struct FitSamples<'a> {
    /// k columns of n entries: the value of the basis of each term at each sample. The unit is that of the term,
    /// so that coefficient times basis is in seconds.
    pub basis: Vec<&'a [f64]>,
    /// n observations, in seconds.
    pub observed: &'a [f64],
    /// n factors of the squared residuals, at least 0, or an empty slice for the factor 1 everywhere. `1 / y^2`
    /// makes the residuals relative. Only ratios of weights matter: the scale of the noise is estimated.
    pub weights: &'a [f64],
}

impl FitSamples<'_> {
    /// Number of samples, n.
    pub fn len(&self) -> usize {
        self.observed.len()
    }

    /// Whether there is no sample at all.
    pub fn is_empty(&self) -> bool {
        self.observed.is_empty()
    }

    /// Number of terms of the model, k.
    pub fn terms(&self) -> usize {
        self.basis.len()
    }

    /// Refuses wrong lengths and negative weights.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let expected = self.len();
        if self.basis.is_empty() {
            return Err(Error::NoTerms);
        }
        for (column, values) in self.basis.iter().enumerate() {
            if values.len() != expected {
                return Err(Error::ColumnLength { column, expected, found: values.len() });
            }
        }
        if !self.weights.is_empty() && self.weights.len() != expected {
            return Err(Error::WeightsLength { expected, found: self.weights.len() });
        }
        match self.weights.iter().position(|&weight| weight < 0.0) {
            Some(sample) => Err(Error::NegativeWeight { sample, weight: self.weights[sample] }),
            None => Ok(()),
        }
    }

    /// Square root of the weight of one sample.
    pub(crate) fn root_weight(&self, sample: usize) -> f64 {
        self.weights.get(sample).map_or(1.0, |weight| weight.sqrt())
    }

    /// Whether a sample takes part in a fit: it has some weight, and its weighted row is finite.
    pub(crate) fn is_usable(&self, sample: usize) -> bool {
        let root = self.root_weight(sample);
        root > 0.0
            && (root * self.observed[sample]).is_finite()
            && self.basis.iter().all(|column| (root * column[sample]).is_finite())
            && root.is_finite()
    }

    /// The rows with the given indices, copied.
    pub(crate) fn select(&self, rows: &[usize]) -> OwnedSamples {
        let pick = |column: &[f64]| rows.iter().map(|&row| column[row]).collect::<Vec<_>>();
        OwnedSamples {
            basis: self.basis.iter().map(|column| pick(column)).collect(),
            observed: pick(self.observed),
            weights: if self.weights.is_empty() { Vec::new() } else { pick(self.weights) },
        }
    }
}

/// A selection of rows that owns its columns.
pub(crate) struct OwnedSamples {
    basis: Vec<Vec<f64>>,
    observed: Vec<f64>,
    pub(crate) weights: Vec<f64>,
}

impl OwnedSamples {
    pub(crate) fn borrow(&self) -> FitSamples<'_> {
        FitSamples {
            basis: self.basis.iter().map(Vec::as_slice).collect(),
            observed: &self.observed,
            weights: &self.weights,
        }
    }
}
