use call_model::Definitions;
use call_trace::{Experiment, Run};

use crate::data::DataSet;

/// An experiment of a session.
#[derive(Clone)]
pub struct SessionExperiment {
    /// How the session calls it.
    pub name: String,
    /// The name of its data set.
    pub set_name: String,
    set: DataSet,
    position: usize,
}

impl SessionExperiment {
    /// The experiment at a position of a data set, under the name that it is called by.
    pub fn new(name: &str, set_name: &str, set: &DataSet, position: usize) -> SessionExperiment {
        SessionExperiment { name: name.to_owned(), set_name: set_name.to_owned(), set: set.clone(), position }
    }

    /// Its samples, as the steps of its data set leave them.
    pub fn experiment(&self) -> &Experiment {
        &self.set.experiments()[self.position]
    }

    /// The runs that its samples count in.
    pub fn runs(&self) -> &[Run] {
        self.set.runs()
    }

    /// The number of a sample, counted from 1 as it was loaded.
    pub fn number(&self, sample: usize) -> usize {
        self.set.number(self.position, sample)
    }

    /// Whether its samples had a variable themselves, before all steps.
    pub fn was_loaded_with(&self, variable: &str) -> bool {
        let mut loaded = self.set.loaded().experiments.iter();
        loaded.any(|known| known.name == self.experiment().name && known.samples.column(variable).is_some())
    }

    /// The data set that it is from.
    pub fn set(&self) -> &DataSet {
        &self.set
    }

    /// What is known of its variables: `let`, the last definition of a name first, and behind that the machine in use, as far as the
    /// samples do not have its numbers themselves.
    pub fn definitions(&self) -> Definitions {
        call_machine::known_on(self.set.machine(), self.lets(), |name| self.was_loaded_with(name))
    }

    /// What `let` has defined.
    pub fn lets(&self) -> Definitions {
        self.set.lets().iter().collect()
    }
}
