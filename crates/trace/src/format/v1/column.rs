use std::collections::HashMap;
use std::ops::Range;

use super::experiment::{Declaration, PROCESSORS};
use crate::lines::excerpt;
use crate::{Error, field};

const FIRST: [&str; 2] = ["experiment", "processor"];
const LAST: [&str; 1] = ["time_s"];
const LAST_OF_SUMMARIES: [&str; 6] = ["time_s", "count", "sum_s", "sum_squares_s2", "min_s", "max_s"];

/// The columns of the rows. They are known by their places, since a variable may be called `processor` or as a counter.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    /// Where `P` and the variables stand.
    pub(super) variables: Range<usize>,
    /// Where the counters stand.
    pub(super) counters: Range<usize>,
}

impl Columns {
    /// Reads the line of column names: `P`, the variables and the counters of all experiments between fixed columns.
    pub(super) fn read(
        text: &[u8],
        line: u64,
        experiments: &[Declaration],
        are_summaries: bool,
    ) -> Result<Columns, Error> {
        let last: &[&str] = if are_summaries { &LAST_OF_SUMMARIES } else { &LAST };
        let names: Vec<String> =
            field::all(text).map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let inner = names.len().checked_sub(last.len()).filter(|end| {
            names.starts_with(&FIRST.map(str::to_owned))
                && names.get(FIRST.len()).is_some_and(|name| name == PROCESSORS)
                && *end > FIRST.len()
                && names[*end..] == *last
        });
        let Some(end) = inner else {
            return Err(Error::ColumnNames { line, last: last.join(" "), text: excerpt(text) });
        };
        let mut counters: Vec<&String> = experiments.iter().flat_map(|its| &its.counters).collect();
        counters.sort_unstable();
        counters.dedup();
        let middle = end.saturating_sub(counters.len()).max(FIRST.len() + 1);
        let columns = Columns { names, variables: FIRST.len()..middle, counters: middle..end };
        columns.check(line, experiments)?;
        Ok(columns)
    }

    fn check(&self, line: u64, experiments: &[Declaration]) -> Result<(), Error> {
        let (variables, counters) = (&self.names[self.variables.clone()], &self.names[self.counters.clone()]);
        for names in [variables, counters] {
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::DuplicateColumn { line, name: pair[0].clone() });
            }
        }
        let (variables, counters) = (self.variable_columns(), self.counter_columns());
        for its in experiments {
            let experiment = its.name.clone();
            if let Some(variable) = its.variables.iter().find(|name| !variables.contains_key(name.as_str())) {
                return Err(Error::MissingColumn { line, experiment, variable: variable.clone() });
            }
            if let Some(counter) = its.counters.iter().find(|name| !counters.contains_key(name.as_str())) {
                return Err(Error::MissingCounter { line, experiment, counter: counter.clone() });
            }
        }
        Ok(())
    }

    /// Where the column of each variable and of `P` stands among these columns.
    pub(super) fn variable_columns(&self) -> HashMap<&str, usize> {
        positions(&self.names[self.variables.clone()])
    }

    /// Where the column of each counter stands among these columns.
    pub(super) fn counter_columns(&self) -> HashMap<&str, usize> {
        positions(&self.names[self.counters.clone()])
    }
}

fn positions(names: &[String]) -> HashMap<&str, usize> {
    names.iter().enumerate().map(|(position, name)| (name.as_str(), position)).collect()
}
