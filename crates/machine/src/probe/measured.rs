use std::collections::HashMap;

use call_model::{Error, Model, PROCESSORS, Settings, SignConstraint, Thresholds, Weighting};
use call_trace::{Dataset, Experiment, Folding, Joining, Samples};

/// The experiments of the probe.
pub struct ProbeExperiments {
    experiments: Vec<Experiment>,
}

impl ProbeExperiments {
    pub fn of(runs: &Dataset) -> ProbeExperiments {
        ProbeExperiments { experiments: runs.experiments.clone() }
    }

    /// The same with the earlier and with the later half of the repetitions of each point.
    pub fn halves(&self) -> (ProbeExperiments, ProbeExperiments) {
        let half = |is_first: bool| {
            let experiments = self.experiments.iter().map(|experiment| Experiment {
                samples: half(&experiment.samples, is_first),
                ..experiment.clone()
            });
            ProbeExperiments { experiments: experiments.collect() }
        };
        (half(true), half(false))
    }

    /// An experiment that was measured.
    pub fn experiment(&self, name: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| experiment.name == name && !experiment.samples.is_empty())
    }

    /// The numbers of processors that measured it, ascending.
    pub fn processors(&self, name: &str) -> Vec<u64> {
        let column = self.experiment(name).and_then(|experiment| experiment.samples.column(PROCESSORS));
        let mut numbers: Vec<u64> = column.unwrap_or_default().iter().map(|value| *value as u64).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The experiment as so many processors measured it.
    pub fn on(&self, name: &'static str, processors: u64) -> Result<Experiment, ProbeError> {
        let missing = ProbeError::NotTheProbe { experiment: name };
        let experiment = self.experiment(name).ok_or(missing)?;
        Ok(select(experiment, PROCESSORS, |value| value as u64 == processors))
    }
}

/// The experiment with the samples for which the value of a column is chosen.
pub fn select(experiment: &Experiment, column: &str, is_chosen: impl Fn(f64) -> bool) -> Experiment {
    let values = experiment.samples.column(column).unwrap_or_default();
    let samples = experiment.samples.select(|index| values.get(index).is_some_and(|value| is_chosen(*value)));
    Experiment { samples, ..experiment.clone() }
}

/// How the probe's experiments are fitted: by relative errors, as times span decades, to the shortest of the repetitions.
fn settings(thresholds: Thresholds) -> Settings {
    Settings {
        weighting: Weighting::Relative,
        sign: SignConstraint::NonNegative,
        joining: Joining::Maximum,
        folding: Folding::Minimum,
        thresholds,
        ..Settings::default()
    }
}

/// The fit of an experiment with at most so many intervals.
pub fn fit(experiment: &Experiment, intervals: usize) -> Result<Model, Error> {
    Model::fit(&settings(Thresholds { intervals, ..Thresholds::default() }).prepare(experiment))
}

/// The fit without intervals in which the longest times count most.
pub fn fit_long(experiment: &Experiment) -> Result<Model, Error> {
    let all = settings(Thresholds { intervals: 1, ..Thresholds::default() });
    Model::fit(&Settings { weighting: Weighting::Absolute, ..all }.prepare(experiment))
}

/// The points of an experiment with the shortest times: the values of these columns, then the time in seconds.
pub fn points<const N: usize>(experiment: &Experiment, names: [&str; N]) -> Vec<([f64; N], f64)> {
    let prepared = settings(Thresholds::default()).prepare(experiment);
    let samples = prepared.samples();
    let columns = names.map(|name| samples.column(name).unwrap_or_default());
    let point = |index: usize| columns.map(|column| column.get(index).copied().unwrap_or(f64::NAN));
    let mut points: Vec<([f64; N], f64)> =
        (0..samples.len()).map(|index| (point(index), samples.time_s[index])).collect();
    points.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    points
}

/// A constant of a fit without intervals to an experiment of this name, and its standard error if the samples tell one.
pub fn constant(
    model: &Model,
    index: usize,
    experiment: &'static str,
) -> Result<(f64, Option<f64>), ProbeError> {
    let fit = &model.cells()[0].fit;
    match (fit.coefficients.get(index), fit.standard_errors.get(index)) {
        (Some(value), Some(error)) => Ok((*value, Some(*error).filter(|error| error.is_finite()))),
        _ => Err(ProbeError::NotTheProbe { experiment }),
    }
}

/// The k-th repetition of a point on a processor, in all runs, belongs to the first half if k is at most half of their number.
fn half(samples: &Samples, is_first: bool) -> Samples {
    type ProbePoint = (u32, Vec<u64>);
    let point = |index: usize| -> ProbePoint {
        let values = samples.columns.iter().map(|column| column[index].to_bits()).collect();
        (samples.processor[index], values)
    };
    let mut counts: HashMap<ProbePoint, usize> = HashMap::new();
    let numbers: Vec<usize> = (0..samples.len())
        .map(|index| {
            let count = counts.entry(point(index)).or_default();
            *count += 1;
            *count
        })
        .collect();
    samples.select(|index| {
        let all = counts.get(&point(index)).copied().unwrap_or_default();
        (2 * numbers[index] <= all) == is_first
    })
}

/// Why traces make no machine.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ProbeError {
    #[error("there are no traces")]
    NoRuns,
    #[error("these are not the traces of the probe: they have no measurements of `{experiment}`")]
    NotTheProbe { experiment: &'static str },
    #[error("with {processors} processors the probe measured {what} as {value}, which is no cost")]
    NoCost { what: &'static str, processors: u64, value: f64 },
    #[error("`{0}` cannot be the name of a machine")]
    Name(String),
    #[error(
        "the traces do not say when they were measured, which a machine file does: their `date` is `{0}`"
    )]
    Date(String),
    #[error(transparent)]
    Model(#[from] Error),
}

impl ProbeError {
    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            ProbeError::NoRuns => "name those that the probe has written, probe.call.*.dat",
            ProbeError::NoCost { .. } => {
                "run it again with more rounds, and under a simulator simulate the computation, too"
            }
            ProbeError::Name(..) => "give one that is a single word",
            ProbeError::Model(error) => return error.cure(),
            ProbeError::NotTheProbe { .. } | ProbeError::Date(..) => return None,
        })
    }
}
