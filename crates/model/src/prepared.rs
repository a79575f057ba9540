use std::collections::{BTreeMap, HashSet};

use call_fit::{Grouped, group_moments, group_repetitions, group_without_outliers};
use call_grammar::Formula;
use call_trace::{Experiment, Folding, Gathered, Joining, Repetitions, RunMeans, Samples, SummedUp, Unit};

use crate::columns::columns;
use crate::digits::exact;
use crate::{Error, SampledRange, Settings};

/// The samples of an experiment as a fit sees them: processors joined and repetitions folded, with what was folded. They stand in
/// ascending order of their variables.
///
/// To make it takes longer than a fit, so that fits, judgements, forecasts and pictures of one experiment share it.
#[derive(Debug, Clone)]
pub struct Prepared {
    experiment: String,
    formula: Option<String>,
    unit: Unit,
    settings: Settings,
    gathered: Gathered,
    below_resolution: Vec<String>,
}

impl Settings {
    /// Joins the processors of an experiment and folds its repetitions.
    pub fn prepare(&self, experiment: &Experiment) -> Prepared {
        Prepared::of(experiment, self)
    }
}

impl Prepared {
    fn of(experiment: &Experiment, settings: &Settings) -> Prepared {
        let mut gathered = experiment.gather(settings.joining, settings.folding);
        let lost = if experiment.unit.is_time() { without_time(&gathered.samples) } else { Vec::new() };
        let below_resolution = lost.iter().map(|&row| in_words(&gathered.samples, row)).collect();
        if !lost.is_empty() {
            gathered = without_points(experiment, &gathered.samples, &lost)
                .gather(settings.joining, settings.folding);
        }
        let Gathered { samples, repetitions, spreads, run_means, summed_up } = gathered;
        let order = order(&samples.columns);
        let repetitions = repetitions.map(|all| match all.columns == samples.columns {
            true => all.pick(&order),
            false => all.pick(&self::order(&all.columns)),
        });
        let samples = if order.is_sorted() { samples } else { samples.pick(&order) };
        Prepared {
            experiment: experiment.name.clone(),
            formula: experiment.formula.clone(),
            unit: experiment.unit.clone(),
            settings: settings.clone(),
            gathered: Gathered { samples, repetitions, spreads, run_means, summed_up },
            below_resolution,
        }
    }

    /// Points whose time the clock did not tell from 0, in words, as `N = 100, P = 4`: they are left out. Relative errors of them are nothing, and no other
    /// time says how large they are.
    pub fn below_resolution(&self) -> &[String] {
        &self.below_resolution
    }

    /// Name of the experiment.
    pub fn experiment(&self) -> &str {
        &self.experiment
    }

    /// The unit of what was measured.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The settings that it was prepared for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What fits see.
    pub fn samples(&self) -> &Samples {
        &self.gathered.samples
    }

    /// What was folded; none if repetitions stay as they are.
    pub fn repetitions(&self) -> Option<&Repetitions> {
        self.gathered.repetitions.as_ref()
    }

    /// The means of each run, where those are what fits see.
    pub(crate) fn run_means(&self) -> Option<&RunMeans> {
        self.gathered.run_means.as_ref()
    }

    /// Whether no times were measured, but what happened, which may be counts.
    pub(crate) fn is_of_events(&self) -> bool {
        matches!(self.unit, Unit::Other(_))
    }

    /// What was summed up before it was prepared.
    pub(crate) fn summed_up(&self) -> Option<SummedUp> {
        self.gathered.summed_up
    }

    /// The same for fits with at most so many cells.
    pub fn with_most_cells(&self, most: usize) -> Prepared {
        let mut limited = self.clone();
        limited.settings.thresholds.intervals = most;
        limited
    }

    /// Where each variable was sampled.
    pub fn ranges(&self) -> BTreeMap<String, SampledRange> {
        let samples = self.samples();
        let columns = samples.names.iter().zip(&samples.columns);
        columns.map(|(name, column)| (name.clone(), SampledRange::of(column))).collect()
    }

    /// The formula of the experiment.
    pub(crate) fn formula(&self) -> Result<Formula, Error> {
        crate::columns::formula(&self.experiment, self.formula.as_deref())
    }

    /// How the repetitions scatter that were folded.
    pub(crate) fn scatter(&self, formula: &Formula) -> Result<Option<Grouped>, Error> {
        let Some(repetitions) = self.repetitions() else { return Ok(None) };
        let names = &self.samples().names;
        if let Some(spreads) = &self.gathered.spreads {
            let variables = columns(formula, names, &spreads.columns)?;
            return Ok(Some(group_moments(
                &variables,
                &spreads.count,
                &spreads.mean_s,
                &spreads.sum_of_squares_s2,
            )));
        }
        let variables = columns(formula, names, &repetitions.columns)?;
        Ok(Some(match self.settings.folding {
            Folding::Median | Folding::Minimum => group_without_outliers(&variables, repetitions.times()),
            _ => group_repetitions(&variables, repetitions.times()),
        }))
    }

    /// The samples for which a condition on their index holds, as if the others had never been measured.
    pub(crate) fn select(&self, is_chosen: impl Fn(usize) -> bool) -> Prepared {
        // What is joined and folded already stays as it is.
        let settings = Settings { joining: Joining::Each, folding: Folding::Each, ..self.settings.clone() };
        Prepared {
            experiment: self.experiment.clone(),
            formula: self.formula.clone(),
            unit: self.unit.clone(),
            settings,
            gathered: Gathered {
                samples: self.samples().select(is_chosen),
                repetitions: None,
                spreads: None,
                run_means: None,
                summed_up: self.gathered.summed_up,
            },
            below_resolution: self.below_resolution.clone(),
        }
    }
}

/// Equal points are neighbours then, and nobody has to look for them.
fn order(columns: &[Vec<f64>]) -> Vec<usize> {
    call_fit::ascending(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The rows of times that are none; all or none of them are of use if there are no others.
fn without_time(samples: &Samples) -> Vec<usize> {
    let lost: Vec<usize> = (0..samples.len()).filter(|&row| samples.time_s[row] <= 0.0).collect();
    if lost.len() < samples.len() { lost } else { Vec::new() }
}

fn in_words(samples: &Samples, row: usize) -> String {
    let one = |(name, column): (&String, &Vec<f64>)| format!("{name} = {}", exact(column[row]));
    samples.names.iter().zip(&samples.columns).map(one).collect::<Vec<_>>().join(", ")
}

/// The experiment without its samples at the points of these rows.
fn without_points(experiment: &Experiment, points: &Samples, rows: &[usize]) -> Experiment {
    let key = |samples: &Samples, row: usize| -> Vec<u64> {
        samples.columns.iter().map(|column| column[row].to_bits()).collect()
    };
    let lost: HashSet<Vec<u64>> = rows.iter().map(|&row| key(points, row)).collect();
    let (samples, summaries) = (&experiment.samples, &experiment.summaries);
    Experiment {
        samples: samples.select(|row| !lost.contains(&key(samples, row))),
        summaries: summaries.select(|row| !lost.contains(&key(&summaries.points, row))),
        ..experiment.of_runs(&[])
    }
}
