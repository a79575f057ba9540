use call_fit::{Scatter, weigh};
use call_trace::{Experiment, Folding, Joining};

use crate::model::{basis_columns, columns};
use crate::{Error, Settings};

/// A measurement that does not belong to the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlier {
    /// Index of the measurement in the samples of the experiment.
    pub row: usize,
    /// The values of the formula's variables.
    pub point: Vec<f64>,
    /// The measured time.
    pub time_s: f64,
    /// The time that the others let expect.
    pub expected_s: f64,
    /// Distance in standard deviations of those that are no outliers; positive if it took longer than expected.
    pub deviations: f64,
}

/// Names the measurements that are more than `bound` standard deviations away from a robust fit of the formula, in the order
/// of the samples. Repetitions are judged one by one, whatever the settings fold; of the processors of a run the one that
/// counts, the slowest, or each of them unless the maximum was asked for.
///
/// # Errors
/// Those of [`Model::fit`](crate::Model::fit).
pub fn outliers(experiment: &Experiment, settings: &Settings, bound: f64) -> Result<Vec<Outlier>, Error> {
    let formula = crate::model::formula(experiment)?;
    let joining = if settings.joining == Joining::Maximum { Joining::Maximum } else { Joining::Each };
    // The index of each measurement goes through the joining as a counter does: that of the slowest stays.
    let mut numbered = experiment.samples.clone();
    numbered.counter_names = vec![String::new()];
    numbered.counters = vec![(0..numbered.len()).map(|row| row as f64).collect()];
    let samples = numbered.join(joining).fold(Folding::Each);
    if samples.is_empty() {
        return Err(Error::NoSamples { experiment: experiment.name.clone() });
    }
    let variables = columns(&formula, &samples)?;
    let basis = basis_columns(&formula, &variables, samples.len());
    let unweighted = call_fit::Samples {
        basis: basis.iter().map(Vec::as_slice).collect(),
        observed: &samples.time_s,
        weights: &[],
    };
    let scatter = Scatter::of(&variables, &samples.time_s);
    let weights = weigh(settings.weighting, &unweighted, &variables, &scatter, false);
    let weighted = call_fit::Samples { weights: &weights.values, ..unweighted };
    let found = call_fit::outliers(&weighted, &variables, &settings.options(None), bound)
        .map_err(|source| Error::Fit { experiment: experiment.name.clone(), source })?;
    let named = |outlier: call_fit::Outlier| Outlier {
        row: samples.counters[0][outlier.sample] as usize,
        point: variables.iter().map(|column| column[outlier.sample]).collect(),
        time_s: samples.time_s[outlier.sample],
        expected_s: outlier.expected_s,
        deviations: outlier.deviations,
    };
    let mut outliers: Vec<Outlier> = found.into_iter().map(named).collect();
    outliers.sort_by_key(|outlier| outlier.row);
    Ok(outliers)
}
