use call_fit::{
    Cell, FitSamples, PureError, SegmentOptions, Segmentation, SignReason, Weighting, WeightingReason,
    Weights, evidence_of_cells, speaks_for_absolute, weigh,
};
use call_grammar::{CoefficientId, Formula};
use call_trace::{Folding, Repetitions, Unit};

use crate::columns::{ascending, basis_columns, columns};
use crate::gap::Gaps;
use crate::run_effect::RunEffect;
use crate::{Error, Prepared, SampledRange, Settings};

/// A fitted formula: in each cell of the space of its variables the constants have one value.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) formula: Formula,
    pub(crate) unit: Unit,
    pub(crate) segmentation: Segmentation,
    pub(crate) gaps: Gaps,
    pub(crate) ranges: Vec<SampledRange>,
    pub(crate) weighting: (Weighting, WeightingReason),
    pub(crate) settings: Settings,
    /// How the runs differ, which the errors of the constants heed; none where they do not, or where only a file is left of them.
    pub(crate) run_effect: Option<RunEffect>,
}

/// How much the samples vary that medians or minima of repetitions are; unknown where only summaries were kept of some.
fn pure_error(prepared: &Prepared, weights: &[f64]) -> Option<PureError> {
    let folded = folded(prepared, weights)?;
    match prepared.settings().folding {
        Folding::Median => PureError::of_medians(folded),
        Folding::Minimum if prepared.unit().is_rate() => PureError::of_maxima(folded),
        Folding::Minimum => PureError::of_minima(folded),
        _ => None,
    }
}

/// The same where there is nothing else to tell it by: equal times are within a step of their clock.
pub(crate) fn scatter_of_repetitions(prepared: &Prepared, weights: &[f64]) -> Option<PureError> {
    let is_one_of_them = matches!(prepared.settings().folding, Folding::Median | Folding::Minimum);
    let of_steps = || PureError::of_steps(folded(prepared, weights)?);
    pure_error(prepared, weights).or_else(|| of_steps().filter(|_| is_one_of_them))
}

/// The weight of each sample and the times that it was folded of.
fn folded<'a>(prepared: &'a Prepared, weights: &'a [f64]) -> Option<impl Iterator<Item = (f64, &'a [f64])>> {
    let is_of_samples = |all: &&Repetitions| all.ends.len() == prepared.samples().len();
    let weight = |row: usize| weights.get(row).copied().unwrap_or(1.0);
    let times = prepared.repetitions().filter(is_of_samples)?.times();
    Some(times.enumerate().map(move |(row, times)| (weight(row), times)))
}

/// Cells of samples, by weights of this kind.
pub(crate) fn segmentation_by(
    weighting: Weighting,
    samples: &FitSamples,
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Result<Segmentation, call_fit::Error> {
    match weighting {
        Weighting::Relative => call_fit::segment_in_proportion(samples, variables, options),
        _ => call_fit::segment(samples, variables, options),
    }
}

impl Model {
    /// Fits the formula of an experiment to its samples, with the settings that they were prepared for (paper, section 3: linear fit, recursive splitting).
    ///
    /// # Errors
    /// No formula, no samples, a variable without column, or nothing that can be fitted.
    pub fn fit(prepared: &Prepared) -> Result<Model, Error> {
        let name = prepared.experiment().to_owned();
        let formula = prepared.formula()?;
        let (samples, settings) = (prepared.samples(), prepared.settings());
        if samples.is_empty() {
            return Err(Error::NoSamples { experiment: name });
        }
        let variables = columns(&formula, &samples.names, &samples.columns)?;
        let basis = basis_columns(&formula, &variables, samples.len());
        let unweighted = FitSamples {
            basis: basis.iter().map(Vec::as_slice).collect(),
            observed: &samples.time_s,
            weights: &[],
        };
        let scatter = prepared.scatter(&formula)?;
        let is_of_events = prepared.is_of_events();
        let weights = weigh(settings.weighting, &unweighted, &variables, scatter.as_ref(), is_of_events);
        let failed = |source| Error::Fit { experiment: name.clone(), source };
        let segmentation_with = |weights: &Weights| {
            let leaves_no_freedom = samples.len() <= formula.terms().len();
            let pure_error = match leaves_no_freedom {
                true => scatter_of_repetitions(prepared, &weights.values),
                false => pure_error(prepared, &weights.values).or(weights.pure_error),
            };
            let fit_samples = FitSamples { weights: &weights.values, ..unweighted.clone() };
            segmentation_by(weights.applied, &fit_samples, &variables, &settings.options(pure_error))
        };
        let mut segmentation = segmentation_with(&weights).map_err(failed)?;
        let mut weighting = (weights.applied, weights.reason);
        if let (Weighting::Absolute, WeightingReason::Residuals { .. }) = weighting {
            let weights = weigh(Weighting::Relative, &unweighted, &variables, scatter.as_ref(), is_of_events);
            let relative = segmentation_with(&weights).map_err(failed)?;
            let evidence = evidence_of_cells(&relative, &segmentation, &samples.time_s);
            if let Some(evidence) = evidence.filter(|evidence| !speaks_for_absolute(*evidence)) {
                segmentation = relative;
                weighting = (Weighting::Relative, WeightingReason::Residuals { evidence });
            }
        }
        let run_effect = RunEffect::of(prepared);
        if let Some(effect) = run_effect {
            segmentation.cells.iter_mut().for_each(|cell| effect.widen(&mut cell.fit));
        }
        let ranges: Vec<SampledRange> = variables.iter().map(|column| SampledRange::of(column)).collect();
        let unit = prepared.unit().clone();
        let gaps = Gaps::of_samples(&segmentation, &ranges, &variables);
        let settings = settings.clone();
        Ok(Model { formula, unit, segmentation, gaps, ranges, weighting, settings, run_effect })
    }

    pub(crate) fn renamed(self, experiment: &str) -> Model {
        Model { formula: self.formula.renamed(experiment), ..self }
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// The unit of what it was fitted to, hence of all that is called a time.
    pub fn unit(&self) -> &Unit {
        &self.unit
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

    /// Which errors the fit made small, never [`Weighting::Automatic`], and why.
    pub fn weighting(&self) -> (Weighting, WeightingReason) {
        self.weighting
    }

    /// The power of the time that errors grow with, by the weights: 1 for relative ones, 0 for those of one size.
    pub fn error_exponent(&self) -> f64 {
        match self.weighting {
            (Weighting::Absolute, _) => 0.0,
            (Weighting::Repetitions, WeightingReason::MixedScatter { exponent, .. }) => exponent,
            _ => 1.0,
        }
    }

    /// Whether constants were kept from being negative, and why.
    pub fn sign(&self) -> SignReason {
        self.segmentation.sign
    }

    /// The sampled range of each variable, in the order of [`Formula::variables`].
    pub fn ranges(&self) -> &[SampledRange] {
        &self.ranges
    }

    /// For each variable the last values of its intervals, ascending.
    pub fn borders(&self) -> Vec<Vec<f64>> {
        let of_variable = |variable: usize| {
            let uppers = self.cells().iter().map(|cell| cell.intervals[variable].upper);
            ascending(uppers.filter(|upper| upper.is_finite()).collect())
        };
        (0..self.formula.variables().len()).map(of_variable).collect()
    }

    /// Position of a constant among the terms.
    pub fn term_of(&self, coefficient: CoefficientId) -> Option<usize> {
        self.formula.terms().iter().position(|term| term.coefficient == coefficient)
    }

    /// What the noise at a point is proportional to: its time with relative weights (all but the absolute ones), 1 s with absolute ones. A clock may show 0, which counts as the shortest positive time.
    pub(crate) fn noise_scale_s(&self, time_s: f64, shortest_s: f64) -> f64 {
        if self.weighting.0 == Weighting::Absolute { 1.0 } else { time_s.abs().max(shortest_s) }
    }

    /// The same at a point where this was measured, as the weights of the fit had it.
    pub(crate) fn noise_scale_at(&self, predicted_s: f64, measured_s: f64) -> f64 {
        match self.weighting.0 {
            Weighting::Absolute => 1.0,
            Weighting::Repetitions => measured_s,
            _ => call_fit::proportional_scale(predicted_s, measured_s),
        }
    }
}
