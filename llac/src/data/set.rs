use std::collections::BTreeMap;
use std::sync::Arc;

use call_exchange::{OriginalNames, ReadOptions};
use call_grammar::Quantity;
use call_machine::Machine;
use call_trace::{Dataset, Experiment, Run};

use super::machine::complete;
use super::{SampleChange, SampleView};
use crate::Error;

/// Samples that were loaded, and what was done to them since.
#[derive(Debug, Clone, Default)]
pub struct DataSet {
    loaded: Arc<Dataset>,
    /// With which options each file was read.
    read_as: Arc<BTreeMap<String, ReadOptions>>,
    /// What its files call what they have, and what that is called here.
    names: Arc<OriginalNames>,
    steps: Vec<Arc<SampleChange>>,
    /// What the steps make of what was loaded; absent while there is none.
    view: Option<Arc<SampleView>>,
}

impl DataSet {
    /// A set of one experiment.
    pub fn of(experiment: Experiment) -> DataSet {
        let mut loaded = Dataset::default();
        loaded.experiments.push(experiment);
        DataSet { loaded: Arc::new(loaded), ..DataSet::default() }
    }

    /// What was loaded, before all steps.
    pub fn loaded(&self) -> &Dataset {
        &self.loaded
    }

    /// With which options each file was read.
    pub fn read_as(&self) -> &BTreeMap<String, ReadOptions> {
        &self.read_as
    }

    /// What its files call what they have, and what that is called here.
    pub fn names(&self) -> &OriginalNames {
        &self.names
    }

    /// Whether experiments of call paths have what is below them, too.
    pub fn is_inclusive(&self) -> bool {
        self.read_as.values().any(|options| options.is_inclusive)
    }

    /// The steps in their order.
    pub fn steps(&self) -> impl Iterator<Item = &SampleChange> {
        self.steps.iter().map(AsRef::as_ref)
    }

    /// The machine on which the samples were measured, if that was said.
    pub fn machine(&self) -> Option<&Arc<Machine>> {
        self.steps.iter().rev().find_map(|step| match step.as_ref() {
            SampleChange::Machine(machine) => Some(machine),
            _ => None,
        })
    }

    /// What `let` has defined, the last definition first.
    pub fn lets(&self) -> Vec<(String, Quantity)> {
        let lets = self.steps.iter().rev().filter_map(|step| match step.as_ref() {
            SampleChange::Let { name, quantity } => Some((name.clone(), quantity.clone())),
            _ => None,
        });
        lets.collect()
    }

    /// The same samples, measured on this machine.
    pub fn with_machine(&self, machine: Arc<Machine>) -> Result<DataSet, Error> {
        self.without_steps(|step| matches!(step, SampleChange::Machine(_)))?
            .with_step(SampleChange::Machine(machine))
    }

    pub fn experiments(&self) -> &[Experiment] {
        self.view.as_ref().map_or(&self.loaded.experiments, |view| &view.experiments)
    }

    pub fn runs(&self) -> &[Run] {
        self.view.as_ref().map_or(&self.loaded.runs, |view| &view.runs)
    }

    /// The number, counted from 1 as it was loaded, of a sample of the experiment at a position.
    pub fn number(&self, experiment: usize, sample: usize) -> usize {
        self.view.as_ref().map_or(sample + 1, |view| view.numbers[experiment][sample])
    }

    /// The same steps on other samples.
    pub fn with_loaded(&self, loaded: Dataset) -> Result<DataSet, Error> {
        DataSet { loaded: Arc::new(loaded), ..self.clone() }.seen_anew()
    }

    /// The same, with what is known of how its files were read.
    pub fn with_options(self, read_as: BTreeMap<String, ReadOptions>) -> DataSet {
        DataSet { read_as: Arc::new(read_as), ..self }
    }

    /// The same, with what its files call what they have.
    pub fn with_names(self, names: OriginalNames) -> DataSet {
        DataSet { names: Arc::new(names), ..self }
    }

    /// One step more.
    pub fn with_step(&self, step: SampleChange) -> Result<DataSet, Error> {
        let mut view = match &self.view {
            Some(view) => view.as_ref().clone(),
            None => SampleView::of(&self.loaded),
        };
        step.apply(&mut view)?;
        let mut set = self.clone();
        set.steps.push(Arc::new(step));
        if let Some(machine) = set.machine() {
            complete(&mut view, machine);
        }
        set.view = Some(Arc::new(view));
        Ok(set)
    }

    /// Without the steps that `is_gone` names.
    pub fn without_steps(&self, is_gone: impl Fn(&SampleChange) -> bool) -> Result<DataSet, Error> {
        let mut set = self.clone();
        set.steps.retain(|step| !is_gone(step));
        set.seen_anew()
    }

    fn seen_anew(mut self) -> Result<DataSet, Error> {
        self.view = None;
        if self.steps.is_empty() {
            return Ok(self);
        }
        let mut view = SampleView::of(&self.loaded);
        for step in &self.steps {
            step.apply(&mut view)?;
            if let Some(machine) = self.machine() {
                complete(&mut view, machine);
            }
        }
        self.view = Some(Arc::new(view));
        Ok(self)
    }
}
