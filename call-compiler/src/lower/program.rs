//! What a program is lowered to.

use call_grammar::ParallelKind;

use crate::capture::CapturedVariable;
use crate::count::experiment::ExperimentCounts;
use crate::edit::TextEdit;

/// A program ready to be written.
pub struct LoweredProgram {
    /// `None` if the file does not say it.
    pub kind: Option<ParallelKind>,
    /// Whether each superstep is to be recorded.
    pub supersteps: bool,
    pub events: bool,
    pub experiments: Vec<TracedExperiment>,
    /// For each occurrence of a directive the C text that takes its place.
    pub statements: Vec<String>,
    /// What is put around statements that leave blocks; sorted.
    pub edits: Vec<TextEdit>,
    /// Whether a statement refers to the table of the whole file.
    pub refers_to_unit: bool,
}

/// An experiment as the trace describes it.
pub struct TracedExperiment {
    pub name: String,
    pub formula: Option<String>,
    pub variables: Vec<CapturedVariable>,
    pub blocks: Vec<TracedBlock>,
    pub counters: Vec<String>,
    /// The counter that the formula is of.
    pub observable: Option<String>,
    /// How often its statements run, where it has one block.
    pub source_counts: Option<ExperimentCounts>,
}

impl TracedExperiment {
    pub fn end_variables(&self) -> usize {
        self.variables.iter().filter(|variable| variable.at_end).count()
    }
}

/// First and last line of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedBlock {
    /// Index of the file among the sources.
    pub file: usize,
    pub first_line: u32,
    pub last_line: u32,
}

impl LoweredProgram {
    /// Lets all experiments count these and describe the first, if there are any.
    pub(crate) fn count(&mut self, counters: &[&str]) {
        let Some(first) = counters.first() else { return };
        for experiment in &mut self.experiments {
            experiment.counters = counters.iter().map(ToString::to_string).collect();
            experiment.observable = Some((*first).to_owned());
        }
    }
}
