use super::JudgedCase;
use crate::accuracy::{rms_relative, smape_percent};
use crate::noise::CellNoise;
use crate::sampled::Sampled;
use crate::student::chance_of_ratio;
use crate::{Model, Prepared, Warning};

/// How the largest values of a variable are predicted by a model of the smaller ones: the whole fit is made anew, intervals and
/// all, without the upper quarter of the values.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldOut {
    /// The variable.
    pub variable: String,
    /// Largest value that the model saw.
    pub kept_to: f64,
    /// Largest value that it had to predict.
    pub largest: f64,
    /// Samples that it had to predict.
    pub samples: usize,
    /// Root of the mean square of the relative errors of the predictions.
    pub rms_relative: f64,
    /// Their SMAPE.
    pub smape_percent: f64,
    /// The error to be expected from noise and from the uncertainty of the constants, likewise. NaN if unknown.
    pub expected_relative: f64,
    /// How probable errors of this size are if the formula is right; small is bad.
    pub chance: f64,
}

/// A variable with fewer values says nothing about how it goes on.
const LEAST_VALUES: usize = 5;

/// Errors are a warning if they have less than this chance, which does not know of the choice of intervals, and if they are large
/// enough to matter.
const IMPROBABLE: f64 = 2e-4;
const MATTERS: f64 = 0.1;

/// One entry a variable, in the order of the formula.
pub(super) fn all(case: &JudgedCase) -> Vec<HeldOut> {
    (0..case.sampled.variables.len()).filter_map(|variable| held_out(case, variable)).collect()
}

fn held_out(case: &JudgedCase, variable: usize) -> Option<HeldOut> {
    let sampled = case.sampled;
    let all: Vec<usize> = (0..sampled.len()).collect();
    let values = sampled.values(variable, &all);
    if values.len() < LEAST_VALUES {
        return None;
    }
    let kept_to = values[values.len() - 1 - values.len() / 4];
    let name = case.model.formula.variables()[variable].name();
    let model = model_up_to(case, name, kept_to)?;
    let held: Vec<usize> =
        all.iter().copied().filter(|row| sampled.variables[variable][*row] > kept_to).collect();
    let kept = Sampled::of(&model.0, &model.1).ok()?;
    let noise = CellNoise::of_cells(&model.0, &kept);
    let shortest_s = kept.scale_s.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut measured, mut predicted, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let mut ratio = 0.0;
    let mut freedom = f64::INFINITY;
    for &row in &held {
        let prediction = model.0.predict(&sampled.point(row));
        let basis: Vec<f64> = sampled.basis.iter().map(|column| column[row]).collect();
        let noise = noise[prediction.cell];
        let covariance = &model.0.cells()[prediction.cell].fit.covariance;
        let own = model.0.noise_scale_s(prediction.time_s, shortest_s).powi(2);
        let variance = noise.variance * (own + noise.unit_variance(covariance, &basis));
        measured.push(sampled.measured_s[row]);
        predicted.push(prediction.time_s);
        expected.push(sampled.measured_s[row] + variance.sqrt());
        ratio += (sampled.measured_s[row] - prediction.time_s).powi(2) / variance / held.len() as f64;
        freedom = freedom.min(noise.freedom);
    }
    Some(HeldOut {
        variable: name.to_owned(),
        kept_to,
        largest: *values.last()?,
        samples: held.len(),
        rms_relative: rms_relative(&measured, &predicted),
        smape_percent: smape_percent(&measured, &predicted),
        expected_relative: rms_relative(&measured, &expected),
        // The errors share those of the constants. At worst they are all alike, and their mean square has the distribution of one.
        chance: chance_of_ratio(ratio, 1.0, freedom),
    })
}

/// The model of the samples with values of a variable up to a border; none if too few are left to judge it.
fn model_up_to(case: &JudgedCase, variable: &str, border: f64) -> Option<(Model, Prepared)> {
    let column = case.prepared.samples().column(variable)?;
    let kept = case.prepared.select(|row| column[row] <= border);
    let model = Model::fit(&kept).ok()?;
    let determined = model.cells().iter().all(|cell| cell.fit.null_directions.is_empty());
    determined.then_some((model, kept))
}

impl HeldOut {
    pub(super) fn warning(&self) -> Option<Warning> {
        (self.chance < IMPROBABLE && self.rms_relative > MATTERS).then(|| Warning::HeldOutWorse {
            variable: self.variable.clone(),
            kept_to: self.kept_to,
            error: self.rms_relative,
            expected: self.expected_relative,
        })
    }
}
