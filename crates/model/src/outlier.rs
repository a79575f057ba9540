use call_fit::{FitSamples, Weighting, weigh};
use call_trace::{Folding, Joining, Repetitions};

use crate::columns::{basis_columns, columns};
use crate::{Error, Prepared, Settings};

/// A measurement that does not belong to the others.
#[derive(Debug, Clone, PartialEq)]
pub struct OutlyingSample {
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

impl Settings {
    /// The settings that [`outliers`] needs samples to be prepared for: repetitions are judged one by one, and of the processors of a
    /// run the one that counts, the slowest, or each of them unless the maximum was asked for.
    pub fn for_outliers(&self) -> Settings {
        let joining = if self.joining == Joining::Maximum { Joining::Maximum } else { Joining::Each };
        Settings { joining, folding: Folding::Median, ..self.clone() }
    }
}

/// Names the measurements that are more than `bound` standard deviations away from a robust fit of the formula, in the order
/// of the samples. They should be prepared by [`Settings::for_outliers`]; samples that are not folded count as single measurements.
///
/// # Errors
/// Those of [`Model::fit`](crate::Model::fit).
pub fn outliers(prepared: &Prepared, bound: f64) -> Result<Vec<OutlyingSample>, Error> {
    let formula = prepared.formula()?;
    let (samples, settings) = (prepared.samples(), prepared.settings());
    let experiment = || prepared.experiment().to_owned();
    if samples.is_empty() {
        return Err(Error::NoSamples { experiment: experiment() });
    }
    let measurements = FoldedTimes::of(prepared);
    let variables = columns(&formula, &samples.names, measurements.columns)?;
    let median_s = &measurements.median_s;
    let basis = basis_columns(&formula, &variables, median_s.len());
    let unweighted =
        FitSamples { basis: basis.iter().map(Vec::as_slice).collect(), observed: median_s, weights: &[] };
    let scatter = prepared.scatter(&formula)?;
    let is_of_events = prepared.is_of_events();
    let weights = weigh(settings.weighting, &unweighted, &variables, scatter.as_ref(), is_of_events);
    let mut weights_of_one = weights.values;
    if weights.applied == Weighting::Repetitions {
        for (weight, all) in weights_of_one.iter_mut().zip(&measurements.time_s) {
            *weight /= all.len() as f64;
        }
    }
    let points = FitSamples { weights: &weights_of_one, ..unweighted };
    let found = call_fit::outliers(&points, &variables, &measurements.time_s, &settings.options(None), bound)
        .map_err(|source| Error::Fit { experiment: experiment(), source })?;
    let named = |outlier: call_fit::OutlyingMeasurement| OutlyingSample {
        row: measurements.row(outlier.point, outlier.repetition),
        point: variables.iter().map(|column| column[outlier.point]).collect(),
        time_s: measurements.time_s[outlier.point][outlier.repetition],
        expected_s: outlier.expected_s,
        deviations: outlier.deviations,
    };
    let mut outliers: Vec<OutlyingSample> = found.into_iter().map(named).collect();
    outliers.sort_by_key(|outlier| outlier.row);
    Ok(outliers)
}

/// Single measurements by their points.
struct FoldedTimes<'a> {
    /// One for each name of the samples.
    columns: &'a [Vec<f64>],
    /// One for each point.
    time_s: Vec<&'a [f64]>,
    median_s: Vec<f64>,
    repetitions: Option<&'a Repetitions>,
}

impl<'a> FoldedTimes<'a> {
    fn of(prepared: &'a Prepared) -> FoldedTimes<'a> {
        let samples = prepared.samples();
        let repetitions = prepared.repetitions();
        match repetitions {
            Some(all) => FoldedTimes {
                columns: &all.columns,
                time_s: all.times().collect(),
                median_s: all.medians(),
                repetitions,
            },
            None => FoldedTimes {
                columns: &samples.columns,
                time_s: samples.time_s.iter().map(std::slice::from_ref).collect(),
                median_s: samples.time_s.clone(),
                repetitions,
            },
        }
    }

    /// The index in the samples of the experiment.
    fn row(&self, point: usize, repetition: usize) -> usize {
        self.repetitions.map_or(point, |all| all.rows_of(point)[repetition])
    }
}
