//! Rows of a table of Caliper, those of one call path and location as one.

use std::collections::{BTreeSet, HashMap};

use super::columns::Columns;
use crate::json::Json;
use crate::metrics::NO_REGION;
use crate::quantity::words;
use crate::{Error, Note, PlaceInText};

/// How values of several rows become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combination {
    Sum,
    Least,
    Most,
    /// A sum over nodes side by side; else parts may be in one another.
    Inclusive,
    /// Means and shares of parts are none of the whole.
    None,
}

impl Combination {
    fn of(metric: &str) -> Combination {
        let words = words(metric);
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        match () {
            () if has(&["min", "minimum"]) => Combination::Least,
            () if has(&["max", "maximum"]) => Combination::Most,
            () if has(&["avg", "average", "mean", "percent", "ratio", "rate", "variance"]) => {
                Combination::None
            }
            () if metric.contains('%') => Combination::None,
            () if has(&["inclusive"]) => Combination::Inclusive,
            () => Combination::Sum,
        }
    }

    fn combined(self, one: f64, other: f64) -> f64 {
        match self {
            Combination::Least => one.min(other),
            Combination::Most => one.max(other),
            Combination::Sum | Combination::Inclusive | Combination::None => one + other,
        }
    }
}

/// A call path on a location.
pub(super) struct SummedRow {
    pub(super) path: String,
    pub(super) place: PlaceInText,
    pub(super) processor: Option<u32>,
    /// Of each metric.
    pub(super) values: Vec<Option<f64>>,
    /// The row that it began with.
    first: usize,
}

/// The rows of a table, those of one call path and location as one.
pub(super) struct SummedRows {
    pub(super) rows: Vec<SummedRow>,
    /// For each metric how values were put together, if any were.
    combined: Vec<Option<Combination>>,
    /// The columns in which rows of one call path and location differ.
    differing: BTreeSet<usize>,
}

impl SummedRows {
    pub(super) fn of(columns: &Columns, locations: &[Vec<u64>]) -> Result<SummedRows, Error> {
        let fail = |at: String, expected: &'static str, found: &Json| Error::Shape {
            at,
            expected,
            found: found.kind().to_owned(),
        };
        let mut summed = SummedRows {
            rows: Vec::new(),
            combined: vec![None; columns.metrics.len()],
            differing: BTreeSet::new(),
        };
        let mut position_of: HashMap<(String, Option<u32>), usize> = HashMap::new();
        for (index, row) in columns.data.iter().enumerate() {
            let number = index as u64 + 1;
            let cells = row.entries();
            let node = columns.path.and_then(|at| cells.get(at)).and_then(Json::number);
            let path = match node.filter(|node| *node >= 0.0) {
                None => NO_REGION.to_owned(),
                Some(node) => columns.paths.get(node as usize).cloned().ok_or_else(|| {
                    let at = format!("entry {number} of `data`");
                    fail(at, "the number of an entry of `nodes`", &Json::Number(node))
                })?,
            };
            let location = columns.location(row);
            let processor = locations.binary_search(&location).ok().map(|at| at as u32);
            let processor = processor.filter(|_| !columns.of_locations.is_empty());
            let mut values = Vec::with_capacity(columns.metrics.len());
            for metric in &columns.metrics {
                let cell = cells.get(metric.position).filter(|value| **value != Json::Null);
                let at =
                    || format!("entry {number} of `data`, column `{}`", call_grammar::excerpt(&metric.name));
                let value = |cell: &Json| cell.number().ok_or_else(|| fail(at(), "a number", cell));
                values.push(cell.map(value).transpose()?);
            }
            if values.iter().all(Option::is_none) {
                continue;
            }
            let at = *position_of.entry((path.clone(), processor)).or_insert(summed.rows.len());
            if at == summed.rows.len() {
                let place = PlaceInText::Entry(number);
                summed.rows.push(SummedRow { path, place, processor, values, first: index });
            } else {
                summed.add(at, columns, cells, &values);
            }
        }
        Ok(summed)
    }

    /// Adds a row to one of the same call path and location.
    fn add(&mut self, at: usize, columns: &Columns, cells: &[Json], values: &[Option<f64>]) {
        let known = &mut self.rows[at];
        let first = columns.data[known.first].entries();
        self.differing.extend(columns.others.iter().filter(|at| first.get(**at) != cells.get(**at)));
        for (position, (known, value)) in known.values.iter_mut().zip(values).enumerate() {
            *known = match (*known, *value) {
                (Some(one), Some(other)) => {
                    let kind = Combination::of(&columns.metrics[position].name);
                    self.combined[position] = Some(kind);
                    Some(kind.combined(one, other))
                }
                (one, other) => one.or(other),
            };
        }
    }

    pub(super) fn kinds(&self) -> Vec<Option<Combination>> {
        let kind = |kind: Combination| match kind {
            Combination::Inclusive if self.differing.is_empty() => Combination::Sum,
            Combination::Inclusive => Combination::None,
            kind => kind,
        };
        self.combined.iter().map(|combined| combined.map(kind)).collect()
    }

    /// What is to be told of metrics that were put together.
    pub(super) fn note(&self, columns: &Columns) -> Option<Note> {
        let kinds = self.kinds();
        let is_sum = |at: &usize| kinds[*at] == Some(Combination::Sum);
        let name = |at: usize| {
            let metric = &columns.metrics[at];
            metric.alias.clone().unwrap_or_else(|| metric.name.clone())
        };
        let metrics: Vec<String> = (0..self.combined.len()).filter(is_sum).map(name).collect();
        let over: Vec<String> = self.differing.iter().map(|at| columns.names[*at].clone()).collect();
        (!metrics.is_empty()).then_some(Note::Summed { metrics, over })
    }
}
