use call_fit::{Cell, Samples, Segmentation};
use call_grammar::{CoefficientId, Formula};
use call_trace::Experiment;

use crate::{Error, Settings, Warning, Weighting};

/// The smallest and largest value of a variable among the samples.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SampledRange {
    pub lowest: f64,
    pub highest: f64,
}

/// A fitted formula: in each cell of the space of its variables the constants have one value.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) formula: Formula,
    pub(crate) segmentation: Segmentation,
    pub(crate) ranges: Vec<SampledRange>,
    settings: Settings,
}

impl Model {
    /// Fits the formula of an experiment to its samples (paper, section 3: linear fit, recursive splitting).
    ///
    /// # Errors
    /// No formula, no samples, a variable without column, or nothing that can be fitted.
    pub fn fit(experiment: &Experiment, settings: &Settings) -> Result<Model, Error> {
        let name = experiment.name.clone();
        let Some(text) = &experiment.formula else { return Err(Error::NoFormula { experiment: name }) };
        let formula = Formula::parse(&name, text)
            .map_err(|errors| Error::Formula { experiment: name.clone(), errors })?;
        let samples = settings.prepare(experiment);
        if samples.is_empty() {
            return Err(Error::NoSamples { experiment: name });
        }
        let variables = columns(&formula, &samples)?;
        let basis = basis_columns(&formula, &variables, samples.len());
        let weights = weights(settings.weighting, &variables, &samples.time_s);
        let fit_samples = Samples {
            basis: basis.iter().map(Vec::as_slice).collect(),
            observed: &samples.time_s,
            weights: &weights,
        };
        let segmentation = call_fit::segment(&fit_samples, &variables, &settings.thresholds.into())
            .map_err(|source| Error::Fit { experiment: name, source })?;
        let ranges = variables.iter().map(|column| range(column)).collect();
        Ok(Model { formula, segmentation, ranges, settings: settings.clone() })
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The settings that it was fitted with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The cells with their fits; together they cover the whole space of the variables.
    pub fn cells(&self) -> &[Cell] {
        &self.segmentation.cells
    }

    /// How the splitting went.
    pub fn segmentation(&self) -> &Segmentation {
        &self.segmentation
    }

    /// The sampled range of each variable, in the order of [`Formula::variables`].
    pub fn ranges(&self) -> &[SampledRange] {
        &self.ranges
    }

    /// Position of a constant among the terms.
    pub fn term_of(&self, coefficient: CoefficientId) -> Option<usize> {
        self.formula.terms().iter().position(|term| term.coefficient == coefficient)
    }

    /// What the user should know about the fit.
    pub fn warnings(&self) -> Vec<Warning> {
        Warning::of_fit(self)
    }
}

/// The columns of a formula's variables, in their order.
pub(crate) fn columns<'a>(
    formula: &Formula,
    samples: &'a call_trace::Samples,
) -> Result<Vec<&'a [f64]>, Error> {
    let column = |variable: &call_grammar::Variable| {
        samples.column(variable.name()).ok_or_else(|| Error::MissingVariable {
            experiment: formula.experiment().to_owned(),
            variable: variable.name().to_owned(),
        })
    };
    formula.variables().iter().map(column).collect()
}

fn basis_columns(formula: &Formula, variables: &[&[f64]], rows: usize) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = formula.terms().iter().map(|_| Vec::with_capacity(rows)).collect();
    let mut point = vec![0.0; variables.len()];
    for row in 0..rows {
        for (value, column) in point.iter_mut().zip(variables) {
            *value = column[row];
        }
        for (column, term) in basis.iter_mut().zip(formula.terms()) {
            column.push(term.basis.evaluate(&point));
        }
    }
    basis
}

/// Relative weights are those of the mean time at the sample's point: weights from single times would favour the short ones.
fn weights(weighting: Weighting, variables: &[&[f64]], time_s: &[f64]) -> Vec<f64> {
    match weighting {
        Weighting::Absolute => Vec::new(),
        Weighting::Relative => {
            let grouped = call_fit::group(variables, time_s);
            // A clock may show 0 for a short block; such a point weighs as the shortest positive one does.
            let shortest =
                grouped.mean.iter().copied().filter(|mean| *mean > 0.0).fold(f64::INFINITY, f64::min);
            let scale = if shortest.is_finite() { shortest } else { 1.0 };
            // A sample at no point, for its variables are not finite, is no part of any fit.
            let mean = |group: &Option<usize>| group.map_or(f64::NAN, |group| grouped.mean[group].max(scale));
            grouped.group_of.iter().map(|group| mean(group).powi(-2)).collect()
        }
    }
}

fn range(column: &[f64]) -> SampledRange {
    let finite = || column.iter().copied().filter(|value| value.is_finite());
    SampledRange {
        lowest: finite().fold(f64::INFINITY, f64::min),
        highest: finite().fold(f64::NEG_INFINITY, f64::max),
    }
}
