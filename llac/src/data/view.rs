use call_trace::{Dataset, Experiment, Run};

use crate::Error;
use crate::error::code;

/// Experiments as the analysis sees them.
#[derive(Debug, Clone, Default)]
pub struct SampleView {
    pub runs: Vec<Run>,
    pub experiments: Vec<Experiment>,
    /// For each experiment the numbers of its samples, counted from 1 as they were loaded.
    pub numbers: Vec<Vec<usize>>,
}

impl SampleView {
    /// An experiment and the numbers of its samples.
    pub fn find(&mut self, name: &str) -> Result<(&mut Experiment, &mut Vec<usize>), Error> {
        let position = self.experiments.iter().position(|known| known.name == name);
        match position {
            Some(position) => Ok((&mut self.experiments[position], &mut self.numbers[position])),
            None => Err(Error::new(code::UNKNOWN_EXPERIMENT, format!("there is no experiment `{name}`"))),
        }
    }

    /// Adds samples to an experiment, which is made if there is none.
    pub fn append(&mut self, name: &str, part: Experiment) -> Result<(), Error> {
        let count = part.samples.len();
        match self.find(name) {
            Ok((known, numbers)) => {
                numbers.extend(known.samples.len() + 1..=known.samples.len() + count);
                known.merge(part).map_err(Error::from)
            }
            Err(_) => {
                self.experiments.push(Experiment { name: name.to_owned(), ..part });
                self.numbers.push((1..=count).collect());
                Ok(())
            }
        }
    }

    /// What was loaded, as it is.
    pub fn of(loaded: &Dataset) -> SampleView {
        SampleView {
            runs: loaded.runs.clone(),
            experiments: loaded.experiments.clone(),
            numbers: loaded.experiments.iter().map(|known| (1..=known.samples.len()).collect()).collect(),
        }
    }
}
