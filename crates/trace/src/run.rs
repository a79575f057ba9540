use std::sync::Arc;

use crate::{Completeness, Condensation, Header, ProcessorEvents, ProcessorSupersteps};

/// A run of an instrumented program.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Names of the trace files: one, or those of the processes of an unfinished run.
    pub files: Vec<String>,
    /// What the trace says about the run.
    pub header: Header,
    /// The supersteps of each processor, if the program recorded them; clones of a run share them.
    pub supersteps: Arc<[ProcessorSupersteps]>,
    /// What each processor did, if the program recorded its events; clones of a run share them.
    pub events: Arc<[ProcessorEvents]>,
    /// Whether all that it measured is there.
    pub completeness: Completeness,
    /// The experiments that had more samples than were to be kept.
    pub condensations: Vec<Condensation>,
    /// What its files hold, and each experiment, as numbers that are the same for copies of them ([`Trace::content`](crate::Trace::content)) and for tables of
    /// one trace.
    pub contents: Vec<u64>,
}

impl Run {
    /// What it is called: the name of its first file.
    pub fn label(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }

    /// Those of another file of an unfinished run.
    pub(crate) fn add_supersteps(&mut self, added: Vec<ProcessorSupersteps>) {
        let is_new =
            |its: &ProcessorSupersteps| self.supersteps.iter().all(|known| known.processor != its.processor);
        let new: Vec<ProcessorSupersteps> = added.into_iter().filter(is_new).collect();
        if !new.is_empty() {
            self.supersteps = self.supersteps.iter().cloned().chain(new).collect();
        }
    }

    /// Likewise.
    pub(crate) fn add_events(&mut self, added: Vec<ProcessorEvents>) {
        let is_new = |its: &ProcessorEvents| self.events.iter().all(|known| known.processor != its.processor);
        let new: Vec<ProcessorEvents> = added.into_iter().filter(is_new).collect();
        if !new.is_empty() {
            self.events = self.events.iter().cloned().chain(new).collect();
        }
    }
}
