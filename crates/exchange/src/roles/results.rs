//! Columns of results beside the response.

use super::splitting::is_determined;
use super::{PROCESSOR, UnassignedColumns, reason};
use crate::ReadOptions;
use crate::column::ColumnValues;
use crate::heading::{ResultKind, is_processors, result_kind};

impl UnassignedColumns {
    /// Finds columns that were measured beside the response. What may be a size, too, as `bytes`, is a result only where something else is a
    /// variable, and where it stands behind the first response or follows from a variable. A table that this project wrote has variables
    /// under any name.
    pub(super) fn find_results(&mut self, response: usize, options: &ReadOptions) {
        if self.names.iter().any(|name| name == PROCESSOR) {
            return;
        }
        let is_other = |at: &usize| *at != response && result_kind(&self.names[*at]).is_some();
        let others: Vec<usize> = (0..self.names.len()).filter(is_other).collect();
        let variables: Vec<usize> = (0..self.names.len())
            .filter(|at| *at != response && !others.contains(at) && self.values(*at).is_some())
            .filter(|at| {
                let column = self.columns[*at].as_ref();
                column.is_some_and(|column| reason(column, self.times[*at].as_ref(), &[], options).is_none())
            })
            .collect();
        let is_count = |at: &usize| {
            is_processors(&self.names[*at]) || options.processors_column.as_ref() == Some(&self.names[*at])
        };
        let first = (0..response).find(|at| self.times[*at].is_some()).unwrap_or(response);
        let has_size = !variables.iter().all(is_count);
        let follows = |at: usize| {
            let values = self.values(at).unwrap_or_default();
            at > 0 && is_determined(values, variables.iter().filter_map(|other| self.values(*other)))
        };
        let is_result = |at: &usize| match result_kind(&self.names[*at]) {
            Some(ResultKind::Amount) => has_size && (*at > first || follows(*at)),
            kind => kind.is_some(),
        };
        let results: Vec<String> =
            others.into_iter().filter(is_result).map(|at| self.names[at].clone()).collect();
        self.results = results;
    }

    /// The numbers of a column.
    fn values(&self, at: usize) -> Option<&[f64]> {
        match &self.columns[at].as_ref()?.values {
            ColumnValues::Numbers(values) | ColumnValues::Seconds(values) => Some(values),
            _ => None,
        }
    }
}
