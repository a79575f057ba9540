//! Which samples count how much: weights that were asked for, or that the data ask for.

use std::fmt;

use crate::proportional::{fit_in_proportion, some_rows};
use crate::relative::relative;
use crate::scatter::median;
use crate::{Cell, Fit, FitSamples, Grouped, PureError, Segmentation, group, least_squares};

/// Which errors a fit makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weighting {
    /// Chosen by the data, with a reason: see [`WeightingReason`].
    #[default]
    Automatic,
    /// Errors relative to the fitted time: small and large sizes count alike. [`segment_in_proportion`](crate::segment_in_proportion)
    /// gets there from the weights of [`weigh`], which are relative to the measured time.
    Relative,
    /// Errors in seconds: the longest times rule.
    Absolute,
    /// Errors relative to the scatter of the repetitions at their point, drawn towards the trend of all points where
    /// repetitions are few.
    Repetitions,
}

/// Why samples count as they do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WeightingReason {
    /// It was asked for.
    Asked,
    /// Repetitions were to decide, but no point has any: relative.
    NoRepetitions,
    /// Repetitions scatter in proportion to the time, more or less: relative.
    GrowingScatter {
        /// The scatter grows as the time to this power.
        exponent: f64,
        /// Points with repetitions.
        points: usize,
    },
    /// Repetitions scatter so little that the formula makes the errors: relative.
    SmallScatter {
        /// Largest standard deviation of a repetition, as a share of its time.
        relative: f64,
        /// Points with repetitions.
        points: usize,
    },
    /// Repetitions scatter alike whatever the time is, and much for the shortest: absolute.
    ConstantScatter {
        /// The scatter grows as the time to this power.
        exponent: f64,
        /// Points with repetitions.
        points: usize,
    },
    /// The scatter grows, but much less than the time: weights from the repetitions.
    MixedScatter {
        /// The scatter grows as the time to this power.
        exponent: f64,
        /// Points with repetitions.
        points: usize,
    },
    /// Without repetitions, the residuals of both fits were compared: the differences of the logarithms of their
    /// likelihoods (positive for relative) decided, for absolute only beyond doubt.
    Residuals {
        /// Twice the difference.
        evidence: f64,
    },
    /// What was counted goes down to a few events, which have no relative error to speak of: absolute.
    SmallCounts {
        /// The smallest count.
        smallest: f64,
    },
    /// There is too little to decide by: relative, as the noise of times grows with them.
    Usual,
}

/// Weights of samples, and how they came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// One for each sample, for [`FitSamples::weights`]; empty for absolute errors.
    pub values: Vec<f64>,
    /// What was applied, never [`Weighting::Automatic`].
    pub applied: Weighting,
    /// Why.
    pub reason: WeightingReason,
    /// The scatter of repetitions that were folded into the samples, for [`SegmentOptions::pure_error`](crate::SegmentOptions).
    pub pure_error: Option<PureError>,
}

/// A scatter below this share of the time matters nowhere: other errors of a model of times are larger.
const SMALL_SCATTER: f64 = 0.02;

/// Degrees of freedom and points from which on repetitions can decide.
const ENOUGH_FREEDOM: usize = 8;
const ENOUGH_POINTS: usize = 4;

/// Twice the logarithm of the likelihood ratio from which on residuals speak for absolute errors: strong evidence, as
/// times with constant noise are rare and a formula that is wrong somewhere looks alike.
const STRONG_EVIDENCE: f64 = 20.0;

/// A count below this one says nothing of the next in proportion to it.
const FEW_EVENTS: f64 = 10.0;

/// The smallest of some counts, medians of counts among them, where it is a few events; `None` if they are large, or no counts.
fn small_counts(observed: &[f64]) -> Option<f64> {
    let smallest = observed.iter().copied().fold(f64::INFINITY, f64::min);
    let is_count = |value: &f64| (2.0 * value).fract() == 0.0;
    (smallest < FEW_EVENTS && observed.iter().all(is_count)).then_some(smallest)
}

/// Weights of samples.
///
/// `samples` are those that will be fitted, their weights ignored, at the points `variables` (columns). `folded` is what is known of
/// the measurements that were folded into them; without it, the repetitions are among the samples themselves. `is_of_events` where no times
/// were measured: they may be counts.
pub fn weigh(
    weighting: Weighting,
    samples: &FitSamples,
    variables: &[&[f64]],
    folded: Option<&Grouped>,
    is_of_events: bool,
) -> Weights {
    // Of what was folded the samples may show a part only.
    let own = group(variables, samples.observed);
    let scatter = folded.unwrap_or(&own);
    let counted = is_of_events.then(|| small_counts(samples.observed)).flatten();
    let (applied, reason) = match weighting {
        Weighting::Automatic => match counted {
            Some(smallest) => (Weighting::Absolute, WeightingReason::SmallCounts { smallest }),
            None => choose(samples, variables, scatter),
        },
        Weighting::Repetitions if scatter.freedom() == 0 => {
            (Weighting::Relative, WeightingReason::NoRepetitions)
        }
        asked => (asked, WeightingReason::Asked),
    };
    let values: Vec<f64> = match applied {
        Weighting::Absolute => Vec::new(),
        Weighting::Repetitions => {
            let variances = scatter.shrunken_variances();
            let of = |point: usize| {
                let count = if folded.is_some() { scatter.count[point] as f64 } else { 1.0 };
                count / variances[point]
            };
            // A sample without measurements to go by scatters in proportion to its time as the usual point does.
            let squares = (0..scatter.len()).map(|point| of(point) * scatter.mean[point].powi(2));
            let usual = median(&mut squares.collect::<Vec<f64>>());
            let points = match folded {
                Some(folded) => folded.points_of(variables),
                None => own.group_of.clone(),
            };
            let otherwise = |observed: f64| usual / observed.powi(2);
            let rows = points.into_iter().zip(samples.observed);
            rows.map(|(point, observed)| point.map_or_else(|| otherwise(*observed), of)).collect()
        }
        Weighting::Relative | Weighting::Automatic => relative(&own.mean_of_each()),
    };
    let pure_error = folded.and_then(|folded| pure_error(applied, folded));
    Weights { values, applied, reason, pure_error }
}

fn choose(samples: &FitSamples, variables: &[&[f64]], scatter: &Grouped) -> (Weighting, WeightingReason) {
    let points = scatter.repeated_points();
    if scatter.freedom() >= ENOUGH_FREEDOM && points >= ENOUGH_POINTS {
        let relative = scatter.largest_relative();
        if relative <= SMALL_SCATTER {
            return (Weighting::Relative, WeightingReason::SmallScatter { relative, points });
        }
        if let Some(exponent) = scatter.exponent() {
            return if exponent >= 0.6 {
                (Weighting::Relative, WeightingReason::GrowingScatter { exponent, points })
            } else if exponent <= 0.3 {
                (Weighting::Absolute, WeightingReason::ConstantScatter { exponent, points })
            } else {
                (Weighting::Repetitions, WeightingReason::MixedScatter { exponent, points })
            };
        }
    }
    match evidence_of_residuals(samples, variables) {
        Some(evidence) if speaks_for_absolute(evidence) => {
            (Weighting::Absolute, WeightingReason::Residuals { evidence })
        }
        Some(evidence) => (Weighting::Relative, WeightingReason::Residuals { evidence }),
        None => (Weighting::Relative, WeightingReason::Usual),
    }
}

/// Twice the logarithm of how much more likely the samples are with noise in proportion to the time than with noise
/// of one size; None if there are too few samples, times that are not positive or hardly differ, or no noise.
fn evidence_of_residuals(samples: &FitSamples, variables: &[&[f64]]) -> Option<f64> {
    let located =
        |&row: &usize| samples.is_usable(row) && variables.iter().all(|column| column[row].is_finite());
    let rows: Vec<usize> = (0..samples.len()).filter(located).collect();
    let selected = (rows.len() < samples.len()).then(|| samples.select(&rows));
    let usable = selected.as_ref().map_or(samples.clone(), |selected| selected.borrow());
    let plain = FitSamples { weights: &[], ..usable };
    let few = plain.select(&some_rows(plain.len()));
    let plain = few.borrow();
    let count = plain.len();
    let lowest = plain.observed.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = plain.observed.iter().copied().fold(0.0, f64::max);
    if count < plain.terms() + 8 || lowest <= 0.0 || highest < 3.0 * lowest {
        return None;
    }
    let alike = least_squares(&plain).ok()?;
    let freedom = count as f64;
    let spread = |sum: f64| freedom * (sum / freedom).ln();
    // In proportion to the fitted time; or to the measured one, as where a formula is wrong the fitted time is no scale of anything.
    let weights = relative(plain.observed);
    let measured = least_squares(&FitSamples { weights: &weights, ..plain.clone() }).ok()?;
    if measured.rms_relative_error < 1e-6 {
        return None;
    }
    let support = |fit: &Fit, weights: &[f64]| {
        weights.iter().map(|weight| weight.ln()).sum::<f64>() - spread(fit.residual_sum_of_squares)
    };
    let (fitted, fitted_weights) = fit_in_proportion(&plain)?;
    let in_proportion = support(&measured, &weights).max(support(&fitted, &fitted_weights));
    let evidence = spread(alike.residual_sum_of_squares) + in_proportion;
    evidence.is_finite().then_some(evidence)
}

/// What the residuals of fits in cells say where those of one fit to all samples spoke for absolute errors: a formula that holds in cells only leaves residuals
/// that are alike for long and short times, whatever the noise is.
///
/// Twice the logarithm of how much more likely the samples are with noise in proportion to the fitted time than with noise of one size, less what the
/// constants of the cells cost (Schwarz 1978); none where a fitted time is not positive, or a fit is exact.
pub fn evidence_of_cells(relative: &Segmentation, absolute: &Segmentation, observed: &[f64]) -> Option<f64> {
    let residuals = |of: &Segmentation| -> Vec<(f64, f64)> {
        let of_cell = |cell: &Cell| {
            let rows = cell.samples.iter().zip(&cell.fit.residuals);
            rows.map(|(&row, residual)| (observed[row], *residual)).collect::<Vec<_>>()
        };
        of.cells.iter().flat_map(of_cell).filter(|(_, residual)| residual.is_finite()).collect()
    };
    let constants = |of: &Segmentation| -> f64 {
        let values = |sets: &Vec<usize>| sets.iter().max().map_or(0, |last| last + 1);
        of.sets.iter().map(values).sum::<usize>() as f64
    };
    let (in_proportion, alike) = (residuals(relative), residuals(absolute));
    let count = alike.len() as f64;
    let fitted = || in_proportion.iter().map(|(measured, residual)| (measured - residual, residual));
    if in_proportion.len() != alike.len() || fitted().any(|(fitted, _)| fitted <= 0.0) {
        return None;
    }
    let shares: f64 = fitted().map(|(fitted, residual)| (residual / fitted).powi(2)).sum();
    let logarithms: f64 = fitted().map(|(fitted, _)| fitted.ln()).sum();
    let squares: f64 = alike.iter().map(|(_, residual)| residual * residual).sum();
    let cost = (constants(relative) - constants(absolute)) * count.ln();
    let evidence = count * (squares.ln() - shares.ln()) - 2.0 * logarithms - cost;
    evidence.is_finite().then_some(evidence)
}

/// Whether evidence of residuals is strong enough for errors of one size.
pub fn speaks_for_absolute(evidence: f64) -> bool {
    evidence < -STRONG_EVIDENCE
}

/// Variance of a folded sample of weight 1.
fn pure_error(applied: Weighting, scatter: &Grouped) -> Option<PureError> {
    let shortest = scatter.shortest();
    let variances = if applied == Weighting::Repetitions { scatter.shrunken_variances() } else { Vec::new() };
    // The weight of the folded sample over the number of its repetitions.
    scatter.pure_error(|point| match applied {
        Weighting::Absolute => 1.0 / scatter.count[point] as f64,
        Weighting::Repetitions => 1.0 / variances[point],
        _ => scatter.mean[point].max(shortest).powi(-2) / scatter.count[point] as f64,
    })
}

impl WeightingReason {
    /// The reason in words: of a `response` such as `time`, in a `unit` such as `seconds`.
    pub fn describe(&self, response: &str, unit: &str) -> String {
        let (long, short) = if response == "time" { ("long", "short") } else { ("large", "small") };
        match self {
            WeightingReason::Asked => "as asked".to_owned(),
            WeightingReason::NoRepetitions => {
                format!("relative to the {response}, as no point has repetitions to go by")
            }
            WeightingReason::GrowingScatter { exponent, points } => format!(
                "relative to the {response}: repetitions at {points} points scatter as {response}^{exponent:.2}"
            ),
            WeightingReason::SmallScatter { relative, points } => format!(
                "relative to the {response}: repetitions at {points} points scatter by {:.1} % at most",
                100.0 * relative
            ),
            WeightingReason::ConstantScatter { exponent, points } => format!(
                "in {unit}: repetitions at {points} points scatter alike, {long} or {short} (as \
                 {response}^{exponent:.2})"
            ),
            WeightingReason::MixedScatter { exponent, points } => format!(
                "by the scatter of repetitions: at {points} points it grows as {response}^{exponent:.2}, neither in \
                 proportion nor not at all"
            ),
            WeightingReason::Residuals { evidence } if speaks_for_absolute(*evidence) => {
                format!("in {unit}: the residuals are alike for {long} and {short} {response}s")
            }
            WeightingReason::Residuals { .. } => {
                format!("relative to the {response}: the residuals do not speak against it beyond doubt")
            }
            WeightingReason::SmallCounts { smallest } => {
                format!("in {unit}: counts as small as {smallest} have no relative error to speak of")
            }
            WeightingReason::Usual => {
                format!("relative to the {response}, as the noise of {response}s usually is")
            }
        }
    }
}

impl fmt::Display for WeightingReason {
    /// Of times in seconds.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.describe("time", "seconds"))
    }
}
