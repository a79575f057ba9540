use crate::{Centre, Cost};

/// What supersteps cost, by cost centre. Numbers of cost centres are their places in [`Profile::centres`], in the order in which the
/// program or the trace came by them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    /// Number of processors; each vector of a [`Cost`] has an entry for each, or none if it is predicted.
    pub processors: usize,
    /// Where it comes from.
    pub facts: Facts,
    /// Supersteps that not all processors ended at the same cost centre; the one that most of them ended has the costs.
    pub divergent_supersteps: u64,
    pub(crate) centres: Vec<Centre>,
    pub(crate) costs: Vec<Cost>,
    /// When the program first came by each cost centre, as the trace counts.
    pub(crate) first_passes: Vec<u64>,
}

/// What is known of the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// When it was.
    pub date: Option<String>,
    /// Flags that the program was compiled with.
    pub flags: Option<String>,
    /// The computer.
    pub machine: Option<String>,
    /// How its processors were connected.
    pub device: Option<String>,
    /// Length of the whole run, seconds.
    pub elapsed_s: Option<f64>,
}

impl Profile {
    /// The cost centres.
    pub fn centres(&self) -> &[Centre] {
        &self.centres
    }

    /// Their costs.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// The costs of cost centres together; one that is named twice counts twice.
    pub fn cost_of(&self, centres: &[usize]) -> Cost {
        let mut sum = self.nothing();
        centres.iter().for_each(|centre| sum.add(&self.costs[*centre]));
        sum
    }

    /// With entries for single processors, if costs have them.
    fn nothing(&self) -> Cost {
        match self.costs.first() {
            Some(cost) if cost.in_bytes.is_empty() => Cost::default(),
            _ => Cost::new(self.processors),
        }
    }

    /// The costs of all cost centres.
    pub fn total(&self) -> Cost {
        let mut sum = self.nothing();
        self.costs.iter().for_each(|cost| sum.add(cost));
        sum
    }
}
