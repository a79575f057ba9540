use crate::{Completeness, Condensation, Experiment, Header, ProcessorSupersteps};

/// The content of one trace file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// What the trace says about its run.
    pub header: Header,
    /// Whether anything is missing.
    pub completeness: Completeness,
    /// The experiments in the order of the file, also those without samples.
    pub experiments: Vec<Experiment>,
    /// The supersteps of each processor, if the program recorded them.
    pub supersteps: Vec<ProcessorSupersteps>,
    /// The experiments that had more samples than were to be kept.
    pub condensations: Vec<Condensation>,
}
