use call_fit::{FitSamples, weigh};

use super::JudgedCase;
use crate::{Error, Warning, Weighting, WeightingReason};

/// Twice the logarithm of a likelihood ratio that is strong evidence.
const STRONG_EVIDENCE: f64 = 20.0;

/// Tells where absolute weights were asked for and times scatter the more the longer they are: the fit's noise is one for all, that of
/// short ones mostly. Of 400 planted fits with noise in proportion to the time, intervals of 90 % held the next longer time in 30 %.
pub(super) fn warning(case: &JudgedCase) -> Result<Option<Warning>, Error> {
    if case.model.weighting != (Weighting::Absolute, WeightingReason::Asked) {
        return Ok(None);
    }
    let sampled = case.sampled;
    let samples = FitSamples {
        basis: sampled.basis.iter().map(Vec::as_slice).collect(),
        observed: &sampled.measured_s,
        weights: &[],
    };
    let variables: Vec<&[f64]> = sampled.variables.iter().map(Vec::as_slice).collect();
    let scatter = case.prepared.scatter(&case.model.formula)?;
    let is_of_events = case.prepared.is_of_events();
    let weights = weigh(Weighting::Automatic, &samples, &variables, scatter.as_ref(), is_of_events);
    Ok(match weights.reason {
        WeightingReason::GrowingScatter { exponent, .. } => {
            Some(Warning::NoiseGrows { exponent: Some(exponent) })
        }
        WeightingReason::Residuals { evidence } if evidence > STRONG_EVIDENCE => {
            Some(Warning::NoiseGrows { exponent: None })
        }
        _ => None,
    })
}
