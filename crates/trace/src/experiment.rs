use std::collections::HashSet;

use crate::point::PointMembers;
use crate::{Folding, Joining, Repetitions, Samples, Summaries};

/// A measured part of a program with its samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Complexity formula in canonical form, if the directive has one.
    pub formula: Option<String>,
    /// Where its blocks stand.
    pub lines: Vec<LineRange>,
    /// Its measurements; of runs with summaries those that were kept.
    pub samples: Samples,
    /// Summaries of measurements, in runs that have them.
    pub summaries: Summaries,
}

impl Experiment {
    /// The samples with processors joined and repetitions folded.
    ///
    /// In a run with summaries, each processor's measurements at a point are folded first, as only the summary knows them
    /// all, and processors are joined there. [`Folding::Each`] takes the samples that were kept.
    pub fn condense(&self, joining: Joining, folding: Folding) -> Samples {
        self.gather(joining, folding).samples
    }

    /// The same, and the repetitions that were folded.
    pub fn gather(&self, joining: Joining, folding: Folding) -> Gathered {
        let joined = self.samples.joined(joining);
        if folding == Folding::Each {
            return Gathered { samples: joined.samples.into_owned(), repetitions: None };
        }
        let groups = PointMembers::of(&joined.samples, |_| 0);
        let samples = match self.summaries.is_empty() {
            true => joined.samples.fold_members(&groups, folding),
            false => self.fold_summaries(joining, folding),
        };
        Gathered { samples, repetitions: Some(Repetitions::of(&joined, &groups)) }
    }

    fn fold_summaries(&self, joining: Joining, folding: Folding) -> Samples {
        let summarised: HashSet<u32> = self.summaries.points.run.iter().copied().collect();
        let is_kept = |index: usize| summarised.contains(&self.samples.run[index]);
        let mut joined = self.samples.select(|index| !is_kept(index)).join(joining);
        joined.append(self.summaries.fold(self.samples.select(is_kept), folding).join(joining));
        joined.fold(folding)
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
}

/// Why samples cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{one}` has the variables {}, `{other}` has {}: samples of one experiment need the same",
    one_names.join(", "),
    other_names.join(", ")
)]
#[allow(missing_docs, reason = "the message says it")]
pub struct DifferentVariables {
    pub one: String,
    pub one_names: Vec<String>,
    pub other: String,
    pub other_names: Vec<String>,
}

impl Experiment {
    /// Appends the samples and summaries of another experiment with the same variables; formula and lines stay, unless there are
    /// none.
    ///
    /// # Errors
    /// If the variables differ; then nothing is appended.
    pub fn merge(&mut self, other: Experiment) -> Result<(), DifferentVariables> {
        let sorted = |samples: &Samples| {
            let mut names = samples.names.clone();
            names.sort_unstable();
            names
        };
        if sorted(&self.samples) != sorted(&other.samples) {
            return Err(DifferentVariables {
                one: self.name.clone(),
                one_names: self.samples.names.clone(),
                other: other.name,
                other_names: other.samples.names,
            });
        }
        self.formula = self.formula.take().or(other.formula);
        if self.lines.is_empty() {
            self.lines = other.lines;
        }
        self.samples.append(other.samples);
        self.summaries.append(other.summaries);
        Ok(())
    }
}

/// First and last line of a block, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LineRange {
    /// Where the block stands, if not in [`Header::source`](crate::Header::source).
    pub file: Option<String>,
    pub first: u32,
    pub last: u32,
}
