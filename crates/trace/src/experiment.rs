use std::collections::{BTreeSet, HashSet};

use crate::point::PointMembers;
use crate::samples::negate;
use crate::{
    Folding, Joining, LineRange, Repetitions, RunMeans, Samples, SourceCounts, Spreads, Summaries, Unit,
};

/// A measured part of a program with its samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Complexity formula in canonical form, if the directive has one.
    pub formula: Option<String>,
    /// The counter that the formula describes; absent when it is the time. [`Experiment::respond_with`] makes the samples respond so.
    pub observable: Option<String>,
    /// Where its blocks stand.
    pub lines: Vec<LineRange>,
    /// How often its statements run, where the translator found it and all runs say the same.
    pub source_counts: Option<SourceCounts>,
    /// In what [`Samples::time_s`] and the summaries of it are counted: seconds, or the unit of another response. A unit of
    /// time is never another one than seconds.
    pub unit: Unit,
    /// Its measurements; of runs with summaries those that were kept.
    pub samples: Samples,
    /// Summaries of measurements, in runs that have them.
    pub summaries: Summaries,
}

impl Experiment {
    /// The samples with processors joined and repetitions folded.
    ///
    /// In a run with summaries, each processor's measurements at a point are folded first, as only the summary knows them
    /// all, and processors are joined there. So it is where not all executions were measured, as it was not the same ones on all
    /// processors. [`Folding::Each`] takes the samples that were kept.
    ///
    /// Of a rate more is better ([`Unit::is_rate`]): the slowest processor, which [`Joining::Maximum`] takes, is that with the least one,
    /// and undisturbed, which is what [`Folding::Minimum`] asks for, is the largest.
    pub fn condense(&self, joining: Joining, folding: Folding) -> Samples {
        self.gather(joining, folding).samples
    }

    /// The same, and the repetitions that were folded.
    pub fn gather(&self, joining: Joining, folding: Folding) -> Gathered {
        let asks_for_ends = joining == Joining::Maximum || folding == Folding::Minimum;
        if !(self.unit.is_rate() && asks_for_ends) {
            return self.gather_ascending(joining, folding);
        }
        let mut negative = self.clone();
        negative.samples.negate();
        negative.summaries.negate();
        let mut gathered = negative.gather_ascending(joining, folding);
        gathered.negate();
        gathered
    }

    /// The same where less is better.
    fn gather_ascending(&self, joining: Joining, folding: Folding) -> Gathered {
        let joined = self.samples.joined(joining);
        let summed_up = self.summed(joining);
        if folding == Folding::Each {
            return Gathered {
                samples: joined.samples.into_owned(),
                repetitions: None,
                spreads: None,
                run_means: None,
                summed_up,
            };
        }
        let groups = PointMembers::of(&joined.samples, |_| 0);
        let of_sums = (!self.summaries.is_empty() || self.is_thinned_on_several())
            .then(|| self.fold_summaries(joining, folding));
        let samples = match &of_sums {
            None => joined.samples.fold_members(&groups, folding),
            Some(of_sums) => of_sums.fold(folding),
        };
        let run_means = (folding == Folding::Mean)
            .then(|| RunMeans::of(of_sums.as_ref().unwrap_or(&joined.samples)))
            .flatten();
        // A median is of what was kept, and so is how it scatters.
        let spreads = (folding != Folding::Median)
            .then(|| Spreads::of(&self.summaries, &self.samples, joining))
            .flatten();
        let repetitions = Some(Repetitions::of(&joined, &groups));
        Gathered { samples, repetitions, spreads, run_means, summed_up }
    }

    /// One sample for each run and point, the mean of all executions there.
    pub fn means_of_runs(&self, joining: Joining) -> Samples {
        let runs: BTreeSet<u32> =
            self.samples.run.iter().chain(&self.summaries.points.run).copied().collect();
        let mut means = Samples::default();
        for run in runs {
            means.append(self.of_runs(&[run]).condense(joining, Folding::Mean));
        }
        means
    }

    /// Whether all executions are among the samples, each with a row of its own.
    pub fn has_all_executions(&self) -> bool {
        self.summaries.is_empty() && self.samples.count.iter().all(|count| *count == 1)
    }

    /// What some runs measured; [`Samples::run`] has their numbers.
    pub fn of_runs(&self, runs: &[u32]) -> Experiment {
        let summaries = &self.summaries;
        Experiment {
            samples: self.samples.select(|index| runs.contains(&self.samples.run[index])),
            summaries: summaries.select(|index| runs.contains(&summaries.points.run[index])),
            name: self.name.clone(),
            formula: self.formula.clone(),
            observable: self.observable.clone(),
            lines: self.lines.clone(),
            source_counts: self.source_counts.clone(),
            unit: self.unit.clone(),
        }
    }

    /// What runs with summaries have lost; none if all their measurements were kept.
    fn summed(&self, joining: Joining) -> Option<SummedUp> {
        let points = &self.summaries.points;
        let summarised = self.summaries.runs();
        let is_kept = |run: &&u32| summarised.contains(run);
        let kept = self.samples.run.iter().filter(is_kept).count() as u64;
        let joins_sums = matches!(joining, Joining::Maximum | Joining::Mean)
            && points.processor.windows(2).any(|pair| pair[0] != pair[1]);
        let measurements = points.executions();
        (measurements > kept).then_some(SummedUp { measurements, kept, joins_sums })
    }

    /// Whether several processors measured a part of their executions.
    fn is_thinned_on_several(&self) -> bool {
        let samples = &self.samples;
        samples.count.iter().any(|count| *count > 1)
            && samples.processor.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Of runs with summaries one sample for each point, of others all that there are.
    fn fold_summaries(&self, joining: Joining, folding: Folding) -> Samples {
        let thinned = (0..self.samples.len()).filter(|index| self.samples.count_of(*index) > 1);
        let thinned = thinned.map(|index| self.samples.run[index]);
        let summarised: HashSet<u32> = self.summaries.points.run.iter().copied().chain(thinned).collect();
        let is_kept = |index: usize| summarised.contains(&self.samples.run[index]);
        let mut joined = self.samples.select(|index| !is_kept(index)).join(joining);
        joined.append(self.summaries.fold(self.samples.select(is_kept), folding).join(joining));
        joined
    }
}

/// The samples of an experiment with processors joined and repetitions folded.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathered {
    /// The folded samples.
    pub samples: Samples,
    /// The measurements that were folded, of runs with summaries those that were kept; none with [`Folding::Each`], where the
    /// samples are they.
    pub repetitions: Option<Repetitions>,
    /// How all measurements scatter at each point, where summaries know more of them than those that were kept.
    pub spreads: Option<Spreads>,
    /// What each run has for a mean; none of a single run, and where repetitions become something else.
    pub run_means: Option<RunMeans>,
    /// What was summed up before processors were joined and repetitions folded, if anything was.
    pub summed_up: Option<SummedUp>,
}

impl Gathered {
    fn negate(&mut self) {
        self.samples.negate();
        if let Some(repetitions) = &mut self.repetitions {
            negate(&mut repetitions.time_s);
        }
        if let Some(spreads) = &mut self.spreads {
            negate(&mut spreads.mean_s);
        }
        if let Some(means) = &mut self.run_means {
            negate(&mut means.mean_s);
        }
    }
}

/// Measurements of which there are only sums and a few that were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummedUp {
    /// All measurements, or executions where those were not all measured.
    pub measurements: u64,
    /// Those that were kept as samples.
    pub kept: u64,
    /// Whether several processors measured, which cannot be joined measurement by measurement any more.
    pub joins_sums: bool,
}

/// Why samples cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Mismatch {
    #[error(
        "`{one}` has the variables {}, `{other}` has {}",
        one_names.join(", "),
        other_names.join(", ")
    )]
    Variables { one: String, one_names: Vec<String>, other: String, other_names: Vec<String> },
    #[error("`{one}` is measured in {one_unit}, `{other}` in {other_unit}")]
    Units { one: String, one_unit: String, other: String, other_unit: String },
}

impl Mismatch {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Mismatch::Variables { .. } => "variables-differ",
            Mismatch::Units { .. } => "units-differ",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some("samples of one experiment need the same")
    }
}

impl Experiment {
    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty() && self.summaries.is_empty()
    }

    /// Whether samples of the other one would stand among these with another response: in another unit, or times of another clock.
    pub(crate) fn differs_in_response(&self, other: &Experiment) -> bool {
        !self.is_empty()
            && !other.is_empty()
            && (self.unit != other.unit || self.observable != other.observable)
    }

    /// What the response is, in a sentence: `bytes`, `seconds`, ``seconds of `task-clock` ``.
    pub(crate) fn measured_in(&self) -> String {
        match &self.observable {
            Some(counter) if self.unit == Unit::Seconds => format!("seconds of `{counter}`"),
            _ => self.unit.to_string(),
        }
    }

    /// Appends the samples and summaries of another experiment with the same variables and response; formula and lines stay, unless
    /// there are none.
    ///
    /// # Errors
    /// If the variables or responses differ; then nothing is appended.
    pub fn merge(&mut self, other: Experiment) -> Result<(), Mismatch> {
        let sorted = |samples: &Samples| {
            let mut names = samples.names.clone();
            names.sort_unstable();
            names
        };
        let one = || self.name.clone();
        if sorted(&self.samples) != sorted(&other.samples) {
            let (one_names, other_names) = (self.samples.names.clone(), other.samples.names);
            return Err(Mismatch::Variables { one: one(), one_names, other: other.name, other_names });
        }
        if self.differs_in_response(&other) {
            let (one_unit, other_unit) = (self.measured_in(), other.measured_in());
            return Err(Mismatch::Units { one: one(), one_unit, other: other.name, other_unit });
        }
        if self.is_empty() {
            (self.unit, self.observable) = (other.unit, other.observable);
        }
        self.formula = self.formula.take().or(other.formula);
        if self.lines.is_empty() {
            self.lines = other.lines;
        }
        if self.source_counts != other.source_counts {
            self.source_counts = None;
        }
        self.samples.append(other.samples);
        self.summaries.append(other.summaries);
        Ok(())
    }
}
